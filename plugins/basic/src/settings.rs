//! The properties of the three bindings.

use crate::time_series::TimeSeries;
use std::fmt::Write;
use std::time::Duration;
use ycsb_plugin_api::{Failure, Property, Settings};

const VERBOSE: Property = Property::bool("basicdb.verbose")
    .default("true")
    .help("Print the properties and every operation on standard output.");
const SIMULATE_DELAY: Property = Property::integer("basicdb.simulatedelay")
    .default("0")
    .allowed("..86400000")
    .help("Milliseconds that an operation takes; 0 or less is none.");
const RANDOMIZE_DELAY: Property = Property::bool("basicdb.randomizedelay").default("true").help(
    "Let an operation take a whole number of milliseconds below basicdb.simulatedelay, each equally likely, \
     instead of exactly that many.",
);
const COUNT: Property = Property::bool("basicdb.count")
    .default("false")
    .help("Count different operations and print how many there were when the last client has ended.");

/// The properties of `basic`.
pub(crate) const BASIC: &[Property] = &[VERBOSE, SIMULATE_DELAY, RANDOMIZE_DELAY, COUNT];

/// The properties of `basicts`: those of the time series workload that say how its fields are to be read come
/// with the values that the workload has.
pub(crate) const TIME_SERIES: &[Property] = &[
    VERBOSE,
    SIMULATE_DELAY,
    RANDOMIZE_DELAY,
    COUNT,
    Property::text("timestampkey").default("YCSBTS").help("Name of the field with the timestamp."),
    Property::text("valuekey").default("YCSBV").help("Name of the field with the value."),
    Property::text("tagpairdelimiter").default("=").help("Between the name of a tag and its value in reads."),
    Property::text("querytimespandelimiter")
        .default(",")
        .help("Between the first and the last timestamp of a read."),
];

/// The properties of `goodbadugly`.
pub(crate) const DELAYS: &[Property] =
    &[Property::text("gbudb.delays").default("200,1000,10000,50000,100000").help(
        "Up to five ascending numbers of microseconds: operations take from the first to the second in 90 % \
         of the cases, from the second to the third in 9 %, then in 0.99 %, and up to the last in 0.01 %; \
         meanwhile nobody else gets on. Numbers left out are the last ones of 200,1000,10000,50000,200000.",
    )];

/// What `basic` and `basicts` were told.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) verbose: bool,
    pub(crate) delay: Delay,
    pub(crate) count: bool,
}

/// How long an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delay {
    None,
    Exactly(Duration),
    /// A whole number of milliseconds below this one.
    BelowMillis(u64),
}

impl Options {
    /// Reads the settings.
    pub(crate) fn read(settings: &Settings<'_>) -> Result<Options, Failure> {
        let millis: i64 = settings.get("basicdb.simulatedelay")?;
        let delay = match u64::try_from(millis) {
            Err(_) | Ok(0) => Delay::None,
            Ok(millis) if settings.get("basicdb.randomizedelay")? => Delay::BelowMillis(millis),
            Ok(millis) => Delay::Exactly(Duration::from_millis(millis)),
        };
        Ok(Options {
            verbose: settings.get("basicdb.verbose")?,
            delay,
            count: settings.get("basicdb.count")?,
        })
    }
}

/// How the fields of the time series workload are to be read.
pub(crate) fn time_series(settings: &Settings<'_>) -> Result<TimeSeries, Failure> {
    Ok(TimeSeries {
        timestamp_key: settings.get("timestampkey")?,
        value_key: settings.get("valuekey")?,
        pair_delimiter: settings.get("tagpairdelimiter")?,
        span_delimiter: settings.get("querytimespandelimiter")?,
    })
}

/// The properties as BasicDB prints them when a client begins.
pub(crate) fn block(settings: &Settings<'_>) -> String {
    let mut block = format!("{0} properties {0}\n", "*".repeat(17));
    for (name, value) in settings.iter() {
        // Writing to a string does not fail.
        let _ = writeln!(block, "{name:?}=\"{value}\"");
    }
    block + &"*".repeat(46) + "\n"
}

/// Reads `gbudb.delays`: the five borders of the four classes, in microseconds.
pub(crate) fn delays(settings: &Settings<'_>) -> Result<[u64; 5], Failure> {
    const UNNAMED: [u64; 5] = [200, 1000, 10_000, 50_000, 200_000];
    let list: &str = settings.get("gbudb.delays")?;
    let refuse = |what: &str| {
        Failure::bad_request(format!(
            "gbudb.delays={list}: {what}; give up to five ascending numbers of microseconds, as in \
             200,1000,10000,50000,100000"
        ))
    };
    let given: Result<Vec<u64>, _> = list.split(',').map(|number| number.trim().parse()).collect();
    let given = given.map_err(|_| refuse("not a list of whole numbers"))?;
    let mut delays = UNNAMED;
    delays.get_mut(..given.len()).ok_or_else(|| refuse("more than five numbers"))?.copy_from_slice(&given);
    if delays.is_sorted_by(|one, next| one < next) { Ok(delays) } else { Err(refuse("not ascending")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ycsb_plugin_api::abi::status;

    #[test]
    fn missing_delays_are_the_built_in_ones() {
        let read = |list: &'static str| delays(&Settings::of(&[("gbudb.delays", list)])).unwrap();
        assert_eq!(read("200,1000,10000,50000,100000"), [200, 1000, 10_000, 50_000, 100_000]);
        assert_eq!(read("1, 2"), [1, 2, 10_000, 50_000, 200_000]);
    }

    #[test]
    fn delays_that_make_no_sense_are_refused_by_name() {
        for list in ["", "1,2,3,4,5,6", "1,x", "5,4", "1,1", "300000", "-1"] {
            let pairs = [("gbudb.delays", list)];
            let refused = delays(&Settings::of(&pairs)).unwrap_err();
            assert_eq!(refused.status(), status::BAD_REQUEST, "{list:?}");
            assert!(refused.text().starts_with(&format!("gbudb.delays={list}: ")), "{}", refused.text());
        }
    }

    #[test]
    fn the_delay_is_none_exact_or_random() {
        let read = |millis, random| {
            let pairs = [
                ("basicdb.verbose", "true"),
                ("basicdb.count", "false"),
                ("basicdb.simulatedelay", millis),
                ("basicdb.randomizedelay", random),
            ];
            Options::read(&Settings::of(&pairs)).unwrap().delay
        };
        assert_eq!(read("0", "false"), Delay::None);
        assert_eq!(read("-5", "true"), Delay::None);
        assert_eq!(read("7", "true"), Delay::BelowMillis(7));
        assert_eq!(read("7", "false"), Delay::Exactly(Duration::from_millis(7)));
    }
}
