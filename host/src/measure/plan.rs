//! What a run keeps of its measurements and how reports show them: the typed form of the declarations.

use super::declarations as declared;
use super::statuses::StatusInfo;
use crate::config::{ConfigError, Settings, refuse};
use std::path::PathBuf;

/// One part of a measurement type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// HdrHistogram: three digits, percentiles.
    Hdr,
    /// Buckets of one millisecond, exact sums.
    Histogram,
    /// Averages over units of time.
    TimeSeries,
    /// Every sample.
    Raw,
}

/// `measurementtype`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasurementType {
    /// `hdrhistogram`.
    Hdr,
    /// `histogram`.
    Histogram,
    /// `hdrhistogram+histogram`.
    HdrAndHistogram,
    /// `hdrhistogram+raw`.
    HdrAndRaw,
    /// `timeseries`.
    TimeSeries,
    /// `raw`.
    Raw,
}

impl MeasurementType {
    /// The parts, each with what it puts in front of the names of measurements.
    pub fn forms(self) -> &'static [(&'static str, Form)] {
        match self {
            MeasurementType::Hdr => &[("", Form::Hdr)],
            MeasurementType::Histogram => &[("", Form::Histogram)],
            MeasurementType::HdrAndHistogram => &[("Hdr", Form::Hdr), ("Bucket", Form::Histogram)],
            MeasurementType::HdrAndRaw => &[("Hdr", Form::Hdr), ("Raw", Form::Raw)],
            MeasurementType::TimeSeries => &[("", Form::TimeSeries)],
            MeasurementType::Raw => &[("", Form::Raw)],
        }
    }

    /// Whether one of the parts is `form`.
    pub fn has(self, form: Form) -> bool {
        self.forms().iter().any(|(_, part)| *part == form)
    }
}

/// `measurement.interval`: the latencies in YCSB's report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    /// Service times.
    Op,
    /// Response times, under the plain names.
    Intended,
    /// Service times, and response times as `Intended-NAME`.
    Both,
}

/// Names of the measurements of failed operations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailureNames {
    /// `reportlatencyforeacherror`: every status apart.
    pub each: bool,
    /// `latencytrackederrors`: these statuses apart; names of ours or of YCSB.
    pub tracked: Vec<String>,
}

impl FailureNames {
    /// What follows the operation's name and a hyphen for failures with this status.
    pub fn suffix<'a>(&'a self, status: &'a StatusInfo) -> &'a str {
        if self.each {
            return &status.upstream;
        }
        let tracked = |name: &str| self.tracked.iter().any(|entry| entry == name);
        if tracked(&status.name) {
            &status.name
        } else if tracked(&status.upstream) {
            &status.upstream
        } else {
            "FAILED"
        }
    }
}

/// Everything about measuring that the settings decide.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasurePlan {
    /// Form of the report.
    pub measurement_type: MeasurementType,
    /// Latencies in the report.
    pub interval: Interval,
    /// Percentiles, 0 or more, in the order given; above 100 is as 100.
    pub percentiles: Vec<f64>,
    /// Things to tell the user before the run, one sentence each.
    pub notes: Vec<String>,
    /// One report line per bucket.
    pub verbose: bool,
    /// Interval logs in YCSB's form: the text in front of their names.
    pub hdr_file_prefix: Option<String>,
    /// One tagged interval log.
    pub hdr_log: Option<PathBuf>,
    /// Buckets of the histogram type.
    pub buckets: usize,
    /// Milliseconds per unit of the time series type.
    pub granularity_ms: u64,
    /// File of raw samples; none = before the report.
    pub raw_file: Option<PathBuf>,
    /// Figures of the raw type.
    pub raw_summary: bool,
    /// Names of failures.
    pub failures: FailureNames,
    /// Samples of the host process with every status line.
    pub track_jvm: bool,
}

impl Default for MeasurePlan {
    fn default() -> Self {
        MeasurePlan {
            measurement_type: MeasurementType::Hdr,
            interval: Interval::Op,
            percentiles: DEFAULT_PERCENTILES.to_vec(),
            notes: Vec::new(),
            verbose: false,
            hdr_file_prefix: None,
            hdr_log: None,
            buckets: 1000,
            granularity_ms: 1000,
            raw_file: None,
            raw_summary: true,
            failures: FailureNames::default(),
            track_jvm: false,
        }
    }
}

const DEFAULT_PERCENTILES: [f64; 3] = [50.0, 95.0, 99.0];

impl MeasurePlan {
    /// The plan of these settings.
    ///
    /// # Errors
    /// A value that its declaration does not allow.
    pub fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        let measurement_type = match settings.one_of(&declared::MEASUREMENT_TYPE)? {
            "histogram" => MeasurementType::Histogram,
            "hdrhistogram+histogram" => MeasurementType::HdrAndHistogram,
            "hdrhistogram+raw" => MeasurementType::HdrAndRaw,
            "timeseries" => MeasurementType::TimeSeries,
            "raw" => MeasurementType::Raw,
            _ => MeasurementType::Hdr,
        };
        let mut notes = Vec::new();
        let hdr_files = settings.bool(&declared::HDR_FILES)?;
        let path = |declaration| settings.optional_text(declaration).filter(|path| !path.is_empty());
        let raw_file = path(&declared::RAW_FILE);
        if measurement_type.has(Form::Raw) {
            let destination =
                raw_file.as_ref().map_or("stdout.".to_owned(), |file| format!("result file: {file}"));
            notes.push(format!("Raw data measurement: will output to {destination}"));
        }
        Ok(MeasurePlan {
            measurement_type,
            interval: interval(settings)?,
            percentiles: percentiles(settings, &mut notes),
            notes,
            verbose: settings.bool(&declared::VERBOSE)?,
            hdr_file_prefix: hdr_files.then(|| settings.text(&declared::HDR_FILE_PREFIX)).transpose()?,
            hdr_log: path(&declared::HDR_LOG).map(PathBuf::from),
            buckets: settings.u64(&declared::BUCKETS)? as usize,
            granularity_ms: settings.u64(&declared::GRANULARITY)?,
            raw_file: raw_file.map(PathBuf::from),
            raw_summary: !settings.bool(&declared::RAW_NO_SUMMARY)?,
            failures: FailureNames {
                each: settings.bool(&declared::REPORT_EACH_ERROR)?,
                tracked: settings
                    .optional_text(&declared::TRACKED_ERRORS)
                    .map(|list| words(&list))
                    .unwrap_or_default(),
            },
            track_jvm: settings.bool(&declared::TRACK_JVM)?,
        })
    }
}

fn interval(settings: &Settings) -> Result<Interval, ConfigError> {
    let declaration = &declared::MEASUREMENT_INTERVAL;
    if let Some(given) = settings.given(declaration.name)
        && given.value.trim().starts_with(|first: char| first.is_ascii_digit())
    {
        let reason = "is a period, and this property names the latencies of the report (op, intended, both); \
                      the time between status lines is status.interval";
        return Err(refuse(declaration, given, reason));
    }
    Ok(match settings.one_of(declaration)? {
        "intended" => Interval::Intended,
        "both" => Interval::Both,
        _ => Interval::Op,
    })
}

/// The trimmed, non-empty entries of a comma list.
fn words(list: &str) -> Vec<String> {
    list.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The percentiles asked for, or the default and a note, as YCSB has it.
fn percentiles(settings: &Settings, notes: &mut Vec<String>) -> Vec<f64> {
    let list = settings.optional_text(&declared::PERCENTILES).unwrap_or_default();
    let entry =
        |word: &str| word.trim().parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
    list.split(',').map(entry).collect::<Option<Vec<f64>>>().unwrap_or_else(|| {
        notes.push(format!(
            "[WARN] Couldn't read hdrhistogram.percentiles value: '{list}', the default of '50,95,99' will be used."
        ));
        DEFAULT_PERCENTILES.to_vec()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Given, Origin};
    use crate::measure::StatusTable;
    use ycsb_plugin_abi::status;

    fn settings(entries: &[(&str, &str)]) -> Settings {
        let mut settings = Settings::default();
        for (name, value) in entries {
            let origin = Origin::Argument(format!("-p {name}={value}"));
            settings.set(name, Given { spelling: (*name).into(), value: (*value).into(), origin });
        }
        settings
    }

    #[test]
    fn nothing_given_is_the_default_plan() {
        assert_eq!(MeasurePlan::from_settings(&Settings::default()).unwrap(), MeasurePlan::default());
    }

    #[test]
    fn unreadable_percentiles_are_replaced_with_a_note() {
        for list in ["50,abc", "", "-5,50", "50,inf", "nan"] {
            let plan = MeasurePlan::from_settings(&settings(&[("hdrhistogram.percentiles", list)])).unwrap();
            assert_eq!(plan.percentiles, DEFAULT_PERCENTILES, "{list}");
            assert_eq!(plan.notes.len(), 1, "{list}");
        }
        let plan = MeasurePlan::from_settings(&settings(&[("hdrhistogram.percentiles", "0, 99.9,99.9,101")]))
            .unwrap();
        assert_eq!((plan.percentiles, plan.notes), (vec![0.0, 99.9, 99.9, 101.0], vec![]));
    }

    #[test]
    fn where_raw_samples_go_is_told() {
        let notes = |entries| MeasurePlan::from_settings(&settings(entries)).unwrap().notes;
        assert_eq!(
            notes(&[("measurementtype", "hdrhistogram+raw")]),
            ["Raw data measurement: will output to stdout."]
        );
        assert_eq!(
            notes(&[("measurementtype", "raw"), ("measurement.raw.output_file", "raw.out")]),
            ["Raw data measurement: will output to result file: raw.out"]
        );
    }

    #[test]
    fn a_period_as_measurement_interval_is_explained() {
        let error = MeasurePlan::from_settings(&settings(&[("measurement.interval", "10s")])).unwrap_err();
        assert!(error.0.contains("status.interval"), "{error}");
    }

    #[test]
    fn values_that_are_not_allowed_are_refused() {
        for (name, value) in [
            ("measurementtype", "hdr"),
            ("histogram.buckets", "0"),
            ("timeseries.granularity", "0"),
            ("measurement.histogram.verbose", "yes"),
        ] {
            let error = MeasurePlan::from_settings(&settings(&[(name, value)])).unwrap_err();
            assert!(error.0.contains(name) && error.0.contains(value), "{error}");
        }
    }

    #[test]
    fn tracked_errors_are_trimmed_and_take_both_names() {
        let given = settings(&[("latencytrackederrors", " NOT_FOUND , TIMEOUT,SERVICE_UNAVAILABLE")]);
        let failures = MeasurePlan::from_settings(&given).unwrap().failures;
        let statuses = StatusTable::default();
        let suffixes = [status::NOT_FOUND, status::TIMEOUT, status::OVERLOADED, status::DUPLICATE]
            .map(|number| failures.suffix(statuses.info(number)));
        assert_eq!(suffixes, ["NOT_FOUND", "TIMEOUT", "SERVICE_UNAVAILABLE", "FAILED"]);
    }

    #[test]
    fn each_error_apart_has_the_name_that_ycsb_gives_it() {
        let failures = FailureNames { each: true, tracked: vec!["TIMEOUT".into()] };
        assert_eq!(failures.suffix(StatusTable::default().info(status::TIMEOUT)), "ERROR");
    }
}
