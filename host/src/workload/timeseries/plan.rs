//! TimeSeriesWorkload's properties, typed and checked against one another.

use super::properties as property;
use super::query::QueryShape;
use super::series::SeriesSet;
use super::timeline::TimeScale;
use crate::base::rng::StreamRng;
use crate::config::{ConfigError, Declaration, Settings};
use crate::generator::{Hotspot, Scrambled, Sequential, Uniform};
use crate::workload::operation_mix::{self, OperationMix};
use crate::workload::record::{DATAINTEGRITY, FIELDCOUNT};
use crate::workload::records::{
    CLIENT_COUNT, CLIENT_INDEX, INSERTCOUNT, OPERATIONCOUNT, RECORDCOUNT, refused,
};
use crate::workload::request_distribution::{HOTSPOTDATAFRACTION, HOTSPOTOPNFRACTION};
use crate::workload::scan_length::ScanLengths;
use crate::workload::{Phase, share_of};
use std::time::SystemTime;

/// What YCSB takes for a record count that is 0 or missing.
const UNSTATED_RECORDS: u64 = 2_147_483_647;

/// Everything that the streams read.
pub(super) struct Plan {
    pub(super) phase: Phase,
    pub(super) scale: TimeScale,
    /// First timestamp if it was given, else the present.
    pub(super) first: i64,
    pub(super) first_given: bool,
    /// Timestamps of each series.
    pub(super) offsets: u64,
    pub(super) shuffled_series: bool,
    pub(super) shuffled_timestamps: bool,
    pub(super) value_type: ValueType,
    /// Steps that a write may take are drawn below this; 0 writes everything.
    pub(super) skip_below: u64,
    pub(super) delayed_series: f64,
    pub(super) delayed_intervals: u64,
    pub(super) integrity: bool,
    pub(super) mix: Option<OperationMix>,
    pub(super) scan_lengths: ScanLengths,
    pub(super) query: QueryShape,
    pub(super) keys: KeyChoice,
    pub(super) process: usize,
    pub(super) processes: usize,
    /// Records, if their number was stated.
    pub(super) records: Option<u64>,
    /// Operations of the phase in this process.
    pub(super) operations: Option<u64>,
}

/// Type of the values. In eight bytes, big-endian, an integer is told from a double by its size: it fits into
/// 32 bits, and no double that is drawn has such bits, but 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueType {
    Integers,
    Floats,
    Mixed,
}

impl ValueType {
    /// A value in eight bytes, big-endian.
    pub(super) fn draw(self, rng: &mut StreamRng) -> [u8; 8] {
        let bits = rng.next_u64();
        match self {
            ValueType::Floats => (rng.next_f64() * 100_000.0).to_be_bytes(),
            ValueType::Mixed if bits >> 63 == 0 => (rng.next_f64() * 100_000.0).to_be_bytes(),
            ValueType::Integers | ValueType::Mixed => i64::from(bits as i32).to_be_bytes(),
        }
    }
}

/// Which keys reads choose.
pub(super) enum KeyChoice {
    Uniform(Uniform),
    Sequential(Sequential),
    Zipfian(Scrambled),
    Hotspot(Hotspot),
}

impl Plan {
    pub(super) fn from_settings(
        settings: &Settings,
        series: &SeriesSet,
        phase: Phase,
        clients: usize,
        now: SystemTime,
    ) -> Result<Self, ConfigError> {
        let (process, processes) = (settings.u64(&CLIENT_INDEX)?, settings.u64(&CLIENT_COUNT)?);
        if process >= processes {
            let reason = format!("must be below client.count={processes}: processes are counted from 0");
            return Err(refused(settings, &CLIENT_INDEX, &reason));
        }
        let writers = clients as u64 * processes;
        if (series.keys.len() as u64) < writers {
            let reason = format!(
                "must be at least the number of clients, {writers}: each writes series keys of its own"
            );
            return Err(refused(settings, &FIELDCOUNT, &reason));
        }
        let records = Some(settings.u64(&RECORDCOUNT)?).filter(|&records| records > 0);
        let (process, processes) = (process as usize, processes as usize);
        let operations = match phase {
            Phase::Load => {
                let total = settings.optional_u64(&INSERTCOUNT)?.or(records).filter(|&count| count > 0);
                share_of(total, process, processes)
            }
            Phase::Run => Some(settings.u64(&OPERATIONCOUNT)?).filter(|&count| count > 0),
        };
        let scale = TimeScale::from_settings(settings)?;
        let first = first_timestamp(settings)?;
        let mix = match phase {
            Phase::Load => None,
            Phase::Run => Some(mix(settings)?),
        };
        let delayed_series = settings.number(&property::DELAYEDSERIES)?;
        let delayed_intervals = settings.u64(&property::DELAYEDINTERVALS)?;
        if delayed_series > 0.0 && delayed_intervals == 0 {
            let reason = format!("must be 1 or more, or delayedseries={delayed_series} must be 0");
            return Err(refused(settings, &property::DELAYEDINTERVALS, &reason));
        }
        let plan = Plan {
            phase,
            scale,
            first: first.unwrap_or_else(|| scale.timestamp(now)),
            first_given: first.is_some(),
            offsets: records.unwrap_or(UNSTATED_RECORDS) / series.count() + 1,
            shuffled_series: settings.bool(&property::RANDOMTIMESERIESORDER)?,
            shuffled_timestamps: settings.bool(&property::RANDOMWRITETIMESTAMPORDER)?,
            value_type: value_type(settings)?,
            skip_below: (series.per_key as f64 * settings.number(&property::SPARSITY)?) as u64,
            delayed_series,
            delayed_intervals,
            integrity: settings.bool(&DATAINTEGRITY)?,
            mix,
            scan_lengths: ScanLengths::between(settings, 1)?,
            query: QueryShape::from_settings(settings, series.tags.len(), scale)?,
            keys: KeyChoice::from_settings(settings, series.keys.len())?,
            process,
            processes,
            records,
            operations,
        };
        if plan.integrity {
            plan.check_integrity(settings)?;
        }
        Ok(plan)
    }

    /// Values can be checked only if they follow from what a query names.
    fn check_integrity(&self, settings: &Settings) -> Result<(), ConfigError> {
        let needs = |fulfilled: bool, declaration: &Declaration, reason: &str| match fulfilled {
            true => Ok(()),
            false => Err(refused(settings, declaration, &format!("{reason}, because dataintegrity=true"))),
        };
        needs(self.value_type == ValueType::Integers, &property::VALUETYPE, "must be integers")?;
        needs(self.query.group_by.is_none(), &property::GROUPBYFUNCTION, "must not be given")?;
        needs(self.query.downsampling.is_none(), &property::DOWNSAMPLINGFUNCTION, "must not be given")?;
        needs(self.query.span == 0, &property::QUERYTIMESPAN, "must be 0")?;
        needs(!self.shuffled_series, &property::RANDOMTIMESERIESORDER, "must be false")?;
        needs(self.first_given, &property::INSERTSTART, "must be a timestamp")
    }
}

impl KeyChoice {
    fn from_settings(settings: &Settings, keys: usize) -> Result<Self, ConfigError> {
        let last = keys as i64 - 1;
        Ok(match settings.one_of(&property::REQUESTDISTRIBUTION)? {
            "sequential" => KeyChoice::Sequential(Sequential::new(0, keys as u64)),
            "zipfian" => KeyChoice::Zipfian(Scrambled::new(keys as u64)),
            "hotspot" => {
                let (data, operations) =
                    (settings.number(&HOTSPOTDATAFRACTION)?, settings.number(&HOTSPOTOPNFRACTION)?);
                KeyChoice::Hotspot(Hotspot::new(0, last, data, operations))
            }
            _ => KeyChoice::Uniform(Uniform::new(0, last)),
        })
    }
}

fn first_timestamp(settings: &Settings) -> Result<Option<i64>, ConfigError> {
    let text = settings.optional_text(&property::INSERTSTART).unwrap_or_default();
    match text.trim() {
        "" => Ok(None),
        number => match number.parse::<i64>() {
            Ok(timestamp) => Ok(Some(timestamp)),
            Err(_) => {
                let reason = "must be a timestamp, a whole number, or be left out for the present time";
                Err(refused(settings, &property::INSERTSTART, reason))
            }
        },
    }
}

fn mix(settings: &Settings) -> Result<OperationMix, ConfigError> {
    if settings.number(&operation_mix::READ_MODIFY_WRITE)? > 0.0 {
        let reason = "must be 0: time series have no read-modify-write";
        return Err(refused(settings, &operation_mix::READ_MODIFY_WRITE, reason));
    }
    OperationMix::from_settings(settings)
}

fn value_type(settings: &Settings) -> Result<ValueType, ConfigError> {
    match settings.text(&property::VALUETYPE)?.trim().to_ascii_lowercase().as_str() {
        "integers" => Ok(ValueType::Integers),
        "floats" => Ok(ValueType::Floats),
        // The second is what YCSB's template says.
        "mixednumbers" | "mixed" => Ok(ValueType::Mixed),
        _ => Err(refused(settings, &property::VALUETYPE, "must be integers, floats or mixednumbers")),
    }
}
