//! Vectors that have to be met to the last bit.

use crate::golden::{bits, number, table};
use ycsb_host::generator::incrementing_string;
use ycsb_host::generator::latest::Latest;
use ycsb_host::generator::scrambled::{INNER_ITEMS, INNER_ZETA, Scrambled};
use ycsb_host::generator::zeta::{DIRECT_TERMS, zeta, zeta_sum};
use ycsb_host::generator::zipfian::{Constants, Zipfian};

#[test]
fn zeta_has_the_bits_of_ycsb_and_the_formula_agrees_with_the_sum() {
    for row in table("zeta.csv") {
        let (n, theta): (u64, f64) = (number(&row, "n"), number(&row, "theta"));
        let expected = f64::from_bits(bits(&row, "zeta_bits"));
        assert_eq!(expected, number::<f64>(&row, "zeta"));
        assert_eq!(zeta_sum(0, 0.0, n, theta).to_bits(), expected.to_bits(), "sum of {n}, {theta}");
        if n <= DIRECT_TERMS {
            assert_eq!(zeta(n, theta).to_bits(), expected.to_bits(), "zeta of {n}, {theta}");
        }
        assert!((zeta(n, theta) / expected - 1.0).abs() < 1e-12, "zeta of {n}, {theta}");
    }
    // YCSB's constant carries the rounding of ten billion additions.
    assert!((zeta(INNER_ITEMS, 0.99) / INNER_ZETA - 1.0).abs() < 1e-11);
}

#[test]
fn zipfian_constants_have_the_bits_of_ycsb() {
    for row in table("zipfian_params.csv") {
        let (n, theta): (u64, f64) = (number(&row, "n"), number(&row, "theta"));
        let constants: Constants = match row["generator"].as_str() {
            "zipfian" => *Zipfian::new(n, theta).constants(),
            "scrambled_inner" => *Scrambled::new(1000).ranks().constants(),
            "latest_inner_initial_999" => *Latest::new(999).view().constants(),
            "latest_inner_after_growth_to_1999" => {
                let latest = Latest::new(999);
                let mut view = latest.view();
                latest.distance(&mut view, n, 0.5);
                *view.constants()
            }
            other => panic!("unknown generator {other}"),
        };
        let name = format!("{} of {n}", row["generator"]);
        assert_eq!(constants.theta.to_bits(), bits(&row, "theta_bits"), "{name}: theta");
        assert_eq!(constants.alpha.to_bits(), bits(&row, "alpha_bits"), "{name}: alpha");
        assert_eq!(constants.zeta_n.to_bits(), bits(&row, "zetan_bits"), "{name}: zeta");
        assert_eq!(constants.zeta_2.to_bits(), bits(&row, "zeta2theta_bits"), "{name}: zeta of 2");
        assert_eq!(constants.eta.to_bits(), bits(&row, "eta_bits"), "{name}: eta");
    }
}

#[test]
fn strings_count_up_as_in_ycsb() {
    for row in table("incrementing_strings.csv") {
        let (length, index) = (number(&row, "length"), number(&row, "index"));
        assert_eq!(incrementing_string(length, index), row["value"]);
    }
}
