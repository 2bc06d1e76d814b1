//! The distributions of requests over records, and their parameters.

use super::records::refused;
use crate::config::{ConfigError, Declaration, Settings};

/// Distribution of the records that operations work on.
pub const REQUESTDISTRIBUTION: Declaration = Declaration::one_of(
    "requestdistribution",
    "uniform|sequential|zipfian|latest|hotspot|exponential|true_zipfian",
)
.default("uniform")
.run_only()
.help(
    "Which records operations choose. zipfian is YCSB's: hot records scattered by a hash, with a skew that is \
     the same for any number of records and weaker than its name (3.9 % on the hottest of 1,000). true_zipfian \
     is a zipfian over the loaded records (12.9 % on the hottest of 1,000), with zipfian.constant for its skew.",
);
/// Hot part of the records.
pub const HOTSPOTDATAFRACTION: Declaration = Declaration::number("hotspotdatafraction")
    .default("0.2")
    .range("0..1")
    .run_only()
    .help("Fraction of the records that are hot, with requestdistribution=hotspot.");
/// Share of operations on the hot part.
pub const HOTSPOTOPNFRACTION: Declaration = Declaration::number("hotspotopnfraction")
    .default("0.8")
    .range("0..1")
    .run_only()
    .help("Fraction of the operations that work on hot records, with requestdistribution=hotspot.");
/// Percentile of the exponential distribution.
pub const EXPONENTIAL_PERCENTILE: Declaration = Declaration::number("exponential.percentile")
    .default("95")
    .range("0..100")
    .run_only()
    .help("Percentage of operations on the newest exponential.frac of the records, with requestdistribution=exponential.");
/// Part of the records that the percentile refers to.
pub const EXPONENTIAL_FRAC: Declaration =
    Declaration::number("exponential.frac").default("0.8571428571").range("0..").run_only().help(
        "Fraction of the records, the newest, that gets exponential.percentile percent of the operations.",
    );
/// Skew of the true zipfian.
pub const ZIPFIAN_CONSTANT: Declaration = Declaration::number("zipfian.constant")
    .default("0.99")
    .range("0.01..0.9999")
    .run_only()
    .help("Skew of requestdistribution=true_zipfian: the share of the i-th hottest record is proportional to i to the minus this.");

/// A distribution with its parameters, before the records are known for certain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RequestDistribution {
    /// All loaded records alike.
    Uniform,
    /// One after the other, over all clients.
    Sequential,
    /// YCSB's scrambled zipfian, over the loaded records and as many more as inserts are expected, and one.
    Zipfian {
        /// Expected inserts.
        expected_inserts: u64,
    },
    /// Near the newest record.
    Latest,
    /// A hot part at the start.
    Hotspot {
        /// Part of the records.
        data_fraction: f64,
        /// Part of the operations.
        operation_fraction: f64,
    },
    /// Near the newest record, exponentially.
    Exponential {
        /// Percentage below the fraction.
        percentile: f64,
        /// Fraction of the records.
        fraction: f64,
    },
    /// A zipfian over the loaded records, spread by a permutation.
    TrueZipfian {
        /// The skew.
        theta: f64,
    },
}

impl RequestDistribution {
    /// Reads the distribution; `insert_proportion` as given, not normalised.
    ///
    /// # Errors
    /// An unknown distribution, a parameter out of range, a skew for a distribution that has none.
    pub fn from_settings(
        settings: &Settings,
        operations: Option<u64>,
        insert_proportion: f64,
    ) -> Result<Self, ConfigError> {
        let name = settings.one_of(&REQUESTDISTRIBUTION)?;
        if name != "true_zipfian" && settings.is_given(&ZIPFIAN_CONSTANT) {
            let reason = format!(
                "has no effect with requestdistribution={name}; choose requestdistribution=true_zipfian \
                 (YCSB's zipfian has a fixed skew of 0.99)"
            );
            return Err(refused(settings, &ZIPFIAN_CONSTANT, &reason));
        }
        Ok(match name {
            "sequential" => RequestDistribution::Sequential,
            "zipfian" => {
                let expected = operations.unwrap_or(0) as f64 * insert_proportion * 2.0;
                RequestDistribution::Zipfian { expected_inserts: expected.min(f64::from(i32::MAX)) as u64 }
            }
            "latest" => RequestDistribution::Latest,
            "hotspot" => RequestDistribution::Hotspot {
                data_fraction: settings.number(&HOTSPOTDATAFRACTION)?,
                operation_fraction: settings.number(&HOTSPOTOPNFRACTION)?,
            },
            "exponential" => RequestDistribution::Exponential {
                percentile: strictly_between(settings, &EXPONENTIAL_PERCENTILE, 100.0)?,
                fraction: strictly_between(settings, &EXPONENTIAL_FRAC, f64::INFINITY)?,
            },
            "true_zipfian" => RequestDistribution::TrueZipfian { theta: settings.number(&ZIPFIAN_CONSTANT)? },
            _ => RequestDistribution::Uniform,
        })
    }
}

fn strictly_between(settings: &Settings, declaration: &Declaration, high: f64) -> Result<f64, ConfigError> {
    let number = settings.number(declaration)?;
    if number > 0.0 && number < high {
        return Ok(number);
    }
    let reason = if high.is_finite() {
        format!("must be above 0 and below {high}")
    } else {
        "must be above 0".to_owned()
    };
    Err(refused(settings, declaration, &reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::testing::settings;

    #[test]
    fn parameters_that_make_no_distribution_are_refused() {
        for (given, part) in [
            ([("requestdistribution", "zipfain"), ("recordcount", "1")], "did you mean \"zipfian\""),
            ([("requestdistribution", "hotspot"), ("hotspotopnfraction", "1.5")], "between 0 and 1"),
            ([("requestdistribution", "exponential"), ("exponential.percentile", "100")], "below 100"),
            ([("requestdistribution", "exponential"), ("exponential.frac", "0")], "above 0"),
            ([("requestdistribution", "zipfian"), ("zipfian.constant", "0.5")], "true_zipfian"),
        ] {
            let refusal =
                RequestDistribution::from_settings(&settings(&given), None, 0.0).expect_err("a refusal");
            assert!(refusal.0.contains(part), "{refusal}");
        }
    }
}
