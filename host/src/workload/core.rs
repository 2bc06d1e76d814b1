//! YCSB's CoreWorkload: one table of records, six ways to choose them, six operations.

use super::class::WORKLOAD;
use super::core_load::LoadStream;
use super::core_run::RunStream;
use super::dataset::Dataset;
use super::key_chooser::KeyChooser;
use super::keyspace::{self, KeySpace};
use super::operation_mix::{self, OperationMix};
use super::record::{self, RecordShape};
use super::records::{self, Records};
use super::request_distribution::{self, RequestDistribution};
use super::scan_length::{self, ScanLengths};
use super::{Client, InsertRetry, OperationKind, OperationStream, Phase, RunInserts, Workload};
use crate::config::{ConfigError, Declaration, Settings};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Name of the table.
pub const TABLE: Declaration = Declaration::text("table").default("usertable").help("Name of the table.");
/// Whether reads ask for all fields.
pub const READALLFIELDS: Declaration = Declaration::bool("readallfields")
    .default("true")
    .run_only()
    .help("Reads and scans ask for all fields; with false for one at random.");
/// Whether reads name all fields.
pub const READALLFIELDSBYNAME: Declaration = Declaration::bool("readallfieldsbyname")
    .default("false")
    .run_only()
    .help("Reads of all fields name each of them.");
/// Whether updates write all fields.
pub const WRITEALLFIELDS: Declaration = Declaration::bool("writeallfields")
    .default("false")
    .run_only()
    .help("Updates write all fields; with false one at random.");
/// Attempts after a failed insert.
pub const INSERTION_RETRY_LIMIT: Declaration = Declaration::integer("core_workload_insertion_retry_limit")
    .default("0")
    .range("0..2147483647")
    .load_only()
    .help("How often a failed insert of the load is tried again.");
/// Wait between attempts.
pub const INSERTION_RETRY_INTERVAL: Declaration = Declaration::number(
    "core_workload_insertion_retry_interval",
)
.default("3")
.range("0..86400")
.load_only()
.help("Seconds before a failed insert is tried again, on average: each wait takes 80 to 120 percent of it.");
/// Whether a load goes on after a failed insert.
pub const INSERTION_KEEP_GOING: Declaration =
    Declaration::bool("core_workload_insertion_keep_going_on_error")
        .default("false")
        .load_only()
        .help("The load goes on after a record that could not be inserted.");

/// Every property that CoreWorkload reads, in the order of the reference.
pub const DECLARATIONS: &[Declaration] = &LIST;

pub(super) const LIST: [Declaration; 39] = [
    WORKLOAD,
    TABLE,
    records::RECORDCOUNT,
    records::OPERATIONCOUNT,
    records::INSERTSTART,
    records::INSERTCOUNT,
    records::FIRST_RUN_INSERT,
    records::CLIENT_INDEX,
    records::CLIENT_COUNT,
    record::FIELDCOUNT,
    record::FIELDNAMEPREFIX,
    record::FIELDLENGTH,
    record::MINFIELDLENGTH,
    record::FIELDLENGTHDISTRIBUTION,
    record::FIELDLENGTHHISTOGRAM,
    record::DATAINTEGRITY,
    keyspace::INSERTORDER,
    keyspace::ZEROPADDING,
    operation_mix::READ,
    operation_mix::UPDATE,
    operation_mix::INSERT,
    operation_mix::SCAN,
    operation_mix::READ_MODIFY_WRITE,
    operation_mix::DELETE,
    READALLFIELDS,
    READALLFIELDSBYNAME,
    WRITEALLFIELDS,
    scan_length::MINSCANLENGTH,
    scan_length::MAXSCANLENGTH,
    scan_length::SCANLENGTHDISTRIBUTION,
    request_distribution::REQUESTDISTRIBUTION,
    request_distribution::HOTSPOTDATAFRACTION,
    request_distribution::HOTSPOTOPNFRACTION,
    request_distribution::EXPONENTIAL_PERCENTILE,
    request_distribution::EXPONENTIAL_FRAC,
    request_distribution::ZIPFIAN_CONSTANT,
    INSERTION_RETRY_LIMIT,
    INSERTION_RETRY_INTERVAL,
    INSERTION_KEEP_GOING,
];

/// The workload, checked. Read-only but for the counters of shared orders.
pub struct CoreWorkload {
    core: Arc<Core>,
    notes: Vec<String>,
}

/// What all streams of a workload share.
pub(super) struct Core {
    pub(super) records: Records,
    pub(super) keys: KeySpace,
    pub(super) shape: RecordShape,
    pub(super) run: Option<RunPlan>,
    phase: Phase,
    table: String,
    retry: InsertRetry,
    /// Run-phase inserts that the database already holds.
    present: AtomicU64,
    /// Made with the first stream, when it is known how many records exist.
    chooser: OnceLock<Arc<KeyChooser>>,
}

/// What the run phase does.
pub(super) struct RunPlan {
    pub(super) mix: OperationMix,
    pub(super) scan_lengths: ScanLengths,
    pub(super) read_all: bool,
    pub(super) read_all_by_name: bool,
    pub(super) write_all: bool,
    distribution: RequestDistribution,
}

impl CoreWorkload {
    /// Reads the workload's properties.
    ///
    /// # Errors
    /// A value that its declaration does not allow, or values that contradict one another.
    pub fn from_settings(settings: &Settings, phase: Phase) -> Result<Self, ConfigError> {
        let records = Records::from_settings(settings, phase)?;
        let keys = KeySpace::from_settings(settings)?;
        let shape = RecordShape::from_settings(settings)?;
        let insert_proportion = settings.number(&operation_mix::INSERT)?;
        let distribution =
            RequestDistribution::from_settings(settings, records.operations, insert_proportion)?;
        let run = match phase {
            Phase::Load => None,
            Phase::Run => Some(RunPlan {
                mix: OperationMix::from_settings(settings)?,
                scan_lengths: ScanLengths::from_settings(settings)?,
                read_all: settings.bool(&READALLFIELDS)?,
                read_all_by_name: settings.bool(&READALLFIELDSBYNAME)? || shape.deterministic,
                write_all: settings.bool(&WRITEALLFIELDS)?,
                distribution,
            }),
        };
        let mut notes = Vec::new();
        if shape.deterministic {
            notes.push("Data integrity is enabled.".to_owned());
        }
        if phase == Phase::Load {
            notes.extend(records.load_note());
        }
        let core = Core {
            records,
            keys,
            shape,
            run,
            phase,
            table: settings.text(&TABLE)?,
            retry: InsertRetry::from_settings(settings)?,
            present: AtomicU64::new(0),
            chooser: OnceLock::new(),
        };
        Ok(CoreWorkload { core: Arc::new(core), notes })
    }

    /// Adds a remark for the user.
    pub(super) fn add_note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Fields and lengths of the records.
    pub fn shape(&self) -> &RecordShape {
        &self.core.shape
    }

    /// Number and division of the records.
    pub fn records(&self) -> &Records {
        &self.core.records
    }

    /// The highest record number up to which all inserts ended; records below it were there before or were
    /// inserted by this process.
    pub fn highest_acknowledged(&self) -> i64 {
        match self.core.chooser.get() {
            Some(chooser) => self.core.records.number_at(chooser.inserts().newest()),
            None => self.core.records.first_run_insert - 1,
        }
    }
}

impl Workload for CoreWorkload {
    fn table(&self) -> &str {
        &self.core.table
    }

    fn field_names(&self) -> &[String] {
        &self.core.shape.field_names
    }

    fn expected_records(&self) -> Option<u64> {
        self.core.records.stated.then_some(self.core.records.count as u64)
    }

    fn largest_value_bytes(&self) -> Option<u64> {
        Some(self.core.shape.longest_field_bytes)
    }

    fn operation_count(&self) -> Option<u64> {
        match self.core.phase {
            Phase::Load => self.core.records.load.1,
            Phase::Run => self.core.records.operations,
        }
    }

    fn operation_kinds(&self) -> Vec<OperationKind> {
        match &self.core.run {
            None => vec![OperationKind::Insert],
            Some(run) => run.mix.kinds(),
        }
    }

    fn verifies(&self) -> bool {
        self.core.shape.deterministic && self.operation_kinds().contains(&OperationKind::Read)
    }

    fn insert_retry(&self) -> InsertRetry {
        self.core.retry
    }

    fn run_inserts(&self) -> Option<RunInserts> {
        let inserts = self.core.run.is_some() && self.operation_kinds().contains(&OperationKind::Insert);
        (inserts && !self.core.records.run_insert_given).then(|| self.core.records.run_inserts())
    }

    fn resume_inserts(&self, present: u64) {
        self.core.present.store(present, Ordering::Relaxed);
    }

    fn write_key(&self, number: i64, key: &mut String) {
        self.core.keys.write(number, key);
    }

    fn stream(&self, client: Client) -> Box<dyn OperationStream> {
        match &self.core.run {
            None => Box::new(LoadStream::new(Arc::clone(&self.core), client)),
            Some(run) => {
                let chooser = self.core.chooser.get_or_init(|| {
                    let present = self.core.present.load(Ordering::Relaxed) as i64;
                    let newest = self.core.records.first_run_insert + present - 1;
                    Arc::new(KeyChooser::new(run.distribution, &self.core.records, newest))
                });
                Box::new(RunStream::new(Arc::clone(&self.core), Arc::clone(chooser), client))
            }
        }
    }

    fn dataset(&self) -> Option<Dataset> {
        let Core { records, keys, shape, table, phase, .. } = &*self.core;
        let (first_record, record_count) = match phase {
            Phase::Load => records.load,
            Phase::Run => (records.start, Some(records.chosen as u64)),
        };
        let high_water_mark = match phase {
            Phase::Load => first_record + record_count.unwrap_or(0) as i64,
            Phase::Run => self.highest_acknowledged() + 1,
        };
        Some(Dataset {
            table: table.clone(),
            records: self.expected_records(),
            first_record,
            record_count,
            loaded: None,
            high_water_mark,
            insert_order: if keys.hashed { "hashed" } else { "ordered" }.to_owned(),
            zero_padding: keys.zero_padding as u64,
            field_name_prefix: shape.prefix.clone(),
            field_count: shape.field_names.len() as u64,
            field_lengths: shape.lengths_text.clone(),
            data_integrity: shape.deterministic,
        })
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }
}

impl InsertRetry {
    /// Reads what is done with a failed insert.
    ///
    /// # Errors
    /// A value out of range.
    pub fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(InsertRetry {
            limit: settings.u64(&INSERTION_RETRY_LIMIT)?,
            interval_s: settings.number(&INSERTION_RETRY_INTERVAL)?,
            keep_going: settings.bool(&INSERTION_KEEP_GOING)?,
        })
    }
}

#[cfg(test)]
#[path = "core_tests.rs"]
mod tests;
