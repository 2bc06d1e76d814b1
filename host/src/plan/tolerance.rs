//! Which failures leave a run sound, and which operations stay out of the figures.

use super::host_properties::{ERRORS_ALLOWED, ERRORS_EXPECTED, WARMUP};
use crate::base::units::parse_duration_ns;
use crate::config::{ConfigError, Declaration, Given, Origin, Settings, nearest, refuse};
use crate::measure::StatusTable;

/// How many failed operations leave a run sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AllowedErrors {
    /// At most this many.
    Count(u64),
    /// At most this many of a hundred operations done.
    Percent(f64),
}

impl AllowedErrors {
    /// Reads `errors.allowed`: `10`, or `0.1%`.
    ///
    /// # Errors
    /// A value that is neither a count nor a percentage from 0 to 100.
    pub fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        let given = given_or_default(settings, &ERRORS_ALLOWED);
        let text = given.value.trim();
        let allowed = match text.strip_suffix('%') {
            None => text.parse().ok().map(AllowedErrors::Count),
            Some(percent) => percent
                .trim()
                .parse()
                .ok()
                .filter(|percent| (0.0..=100.0).contains(percent))
                .map(AllowedErrors::Percent),
        };
        allowed.ok_or_else(|| {
            refuse(&ERRORS_ALLOWED, &given, "must be a count, as in 10, or a percentage, as in 0.1%")
        })
    }

    /// Whether this many failures of this many operations are too many.
    pub fn exceeded(self, failed: u64, operations: u64) -> bool {
        match self {
            AllowedErrors::Count(count) => failed > count,
            AllowedErrors::Percent(percent) => failed as f64 > operations as f64 * percent / 100.0,
        }
    }
}

/// Reads `errors.expected`: numbers of the statuses that the workload expects, in order and without doubles.
///
/// # Errors
/// A name that is no failure status of the host or of the binding.
pub fn expected_errors(settings: &Settings, statuses: &StatusTable) -> Result<Vec<u32>, ConfigError> {
    let given = given_or_default(settings, &ERRORS_EXPECTED);
    let failures: Vec<_> = statuses.iter().filter(|status| !status.success).collect();
    let mut numbers = Vec::new();
    for name in given.value.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        // A name of YCSB's may stand for several of ours.
        let named = failures.iter().filter(|status| status.name == name || status.upstream == name);
        let before = numbers.len();
        numbers.extend(named.map(|status| status.number));
        if numbers.len() == before {
            let names: Vec<&str> = failures.iter().map(|status| status.name.as_str()).collect();
            let near = nearest(name, names.iter().copied());
            let hint = near.first().map(|near| format!(" (did you mean \"{near}\"?)")).unwrap_or_default();
            let reason =
                format!("names \"{name}\", which is no failure{hint}; there are {}", names.join(", "));
            return Err(refuse(&ERRORS_EXPECTED, &given, &reason));
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

/// How long clients work before their operations are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarmUp {
    /// Not at all.
    None,
    /// For a time, in nanoseconds.
    Time(u64),
    /// For a number of operations of all clients together.
    Operations(u64),
}

impl WarmUp {
    /// Reads `warmup`: `30s`, or `10000` operations.
    ///
    /// # Errors
    /// A value that is neither a time with a unit nor a count.
    pub fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        let given = given_or_default(settings, &WARMUP);
        let text = given.value.trim();
        match (text.parse(), parse_duration_ns(text, 0)) {
            (Ok(0), _) | (_, Ok(0)) => Ok(WarmUp::None),
            (Ok(operations), _) => Ok(WarmUp::Operations(operations)),
            (_, Ok(time_ns)) => Ok(WarmUp::Time(time_ns)),
            _ => Err(refuse(
                &WARMUP,
                &given,
                "must be a time with a unit, as in 30s, or a number of operations, as in 10000",
            )),
        }
    }
}

fn given_or_default(settings: &Settings, declaration: &Declaration) -> Given {
    settings.given(declaration.name).cloned().unwrap_or_else(|| Given {
        spelling: declaration.name.to_owned(),
        value: declaration.default.unwrap_or_default().to_owned(),
        origin: Origin::Default,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ycsb_plugin_abi::status;

    fn with(declaration: &Declaration, value: &str) -> Settings {
        let mut settings = Settings::default();
        let origin = Origin::Argument("-p".to_owned());
        let spelling = declaration.name.to_owned();
        settings.set(declaration.name, Given { spelling, value: value.to_owned(), origin });
        settings
    }

    #[test]
    fn allowed_errors_are_a_count_or_a_percentage() {
        let read = |value: &str| AllowedErrors::from_settings(&with(&ERRORS_ALLOWED, value));
        assert_eq!(AllowedErrors::from_settings(&Settings::default()), Ok(AllowedErrors::Count(0)));
        assert_eq!(read(" 10 "), Ok(AllowedErrors::Count(10)));
        assert_eq!(read("0.1 %"), Ok(AllowedErrors::Percent(0.1)));
        for value in ["-1", "x", "101%", "NaN%", "1.5", ""] {
            assert!(read(value).is_err(), "{value}");
        }
    }

    #[test]
    fn errors_are_too_many_above_the_limit_only() {
        assert!(!AllowedErrors::Count(2).exceeded(2, 10));
        assert!(AllowedErrors::Count(2).exceeded(3, 10));
        assert!(!AllowedErrors::Percent(1.0).exceeded(10, 1000));
        assert!(AllowedErrors::Percent(1.0).exceeded(11, 1000));
        assert!(AllowedErrors::Percent(0.0).exceeded(1, 1000));
    }

    #[test]
    fn expected_errors_are_failure_statuses_by_either_name() {
        let table = StatusTable::default();
        let read = |value: &str| expected_errors(&with(&ERRORS_EXPECTED, value), &table);
        assert_eq!(read(""), Ok(vec![]));
        assert_eq!(read("NOT_FOUND, DUPLICATE"), Ok(vec![status::NOT_FOUND, status::DUPLICATE]));
        assert_eq!(
            read("SERVICE_UNAVAILABLE,OVERLOADED"),
            Ok(vec![status::SERVICE_UNAVAILABLE, status::OVERLOADED])
        );
        let refusal = read("NOTFOUND").expect_err("refused").0;
        assert!(refusal.contains("did you mean \"NOT_FOUND\"?"), "{refusal}");
        assert!(read("OK").is_err());
    }

    #[test]
    fn a_warm_up_is_a_time_or_a_count() {
        let read = |value: &str| WarmUp::from_settings(&with(&WARMUP, value));
        assert_eq!(WarmUp::from_settings(&Settings::default()), Ok(WarmUp::None));
        assert_eq!(read("30s"), Ok(WarmUp::Time(30_000_000_000)));
        assert_eq!(read("1000"), Ok(WarmUp::Operations(1000)));
        assert_eq!(read("0s"), Ok(WarmUp::None));
        for value in ["-1", "fast", "1.5", ""] {
            assert!(read(value).is_err(), "{value}");
        }
    }
}
