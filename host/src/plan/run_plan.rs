//! The plan of one phase: typed, checked, immutable. Nothing after it reads a raw property.

use super::handover::binding_settings;
use super::host_properties as host;
use super::settle::Settled;
use super::tolerance::{AllowedErrors, WarmUp, expected_errors};
use crate::config::{ConfigError, Note, Settings};
use crate::measure::{CustomStatus, MeasurePlan, StatusTable};
use crate::schedule::Pacing;
use crate::workload::{Phase, Workload};
use std::sync::Arc;

/// When a doubtful verdict fails the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictFails {
    /// Never.
    Never,
    /// If the run is INVALID.
    Invalid,
    /// If the run is SUSPECT or worse.
    Suspect,
}

/// What to do in one phase.
pub struct RunPlan {
    /// Load or run.
    pub phase: Phase,
    /// What the clients do.
    pub workload: Arc<dyn Workload>,
    /// Number of clients, no more than there are operations.
    pub clients: usize,
    /// Operations of all clients together after the warm-up; `None` = no limit.
    pub total: Option<u64>,
    /// When operations are due.
    pub pacing: Pacing,
    /// Wait by spinning.
    pub spins: bool,
    /// Rows of a batch; 1 = none.
    pub batch_size: usize,
    /// Time-out of one operation in nanoseconds, 0 = none.
    pub operation_timeout_ns: u64,
    /// Time in which the database has to be opened.
    pub connect_timeout_ns: u64,
    /// Time between telling clients to stop and interrupting them, and between that and giving up.
    pub stop_grace_ns: u64,
    /// Measured time after which clients stop.
    pub duration_ns: Option<u64>,
    /// `maxexecutiontime` in seconds, for the line that announces it.
    pub max_execution_time_s: Option<f64>,
    /// Warm-up.
    pub warm_up: WarmUp,
    /// How many failed operations leave the run sound.
    pub errors_allowed: AllowedErrors,
    /// Numbers of the failures that the workload expects.
    pub errors_expected: Vec<u32>,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Whether the seed was given.
    pub seed_was_given: bool,
    /// What is measured and how it is shown.
    pub measure: MeasurePlan,
    /// All statuses of the binding.
    pub statuses: StatusTable,
    /// Start from an empty table.
    pub fresh: bool,
    /// What the plugin receives.
    pub plugin_settings: Vec<(String, String)>,
    /// File of the result document.
    pub result_file: Option<String>,
    /// File of the dataset manifest.
    pub dataset_file: Option<String>,
    /// The settings that the plan was made from, with what the workload worked out.
    pub settings: Settings,
    /// When a doubtful verdict fails the run.
    pub verdict_fails: VerdictFails,
    /// Calibrate also after a short run.
    pub calibrate: bool,
    /// Remarks, to be shown before the run.
    pub notes: Vec<Note>,
}

impl RunPlan {
    /// Makes the plan of a phase from settings that were checked.
    ///
    /// # Errors
    /// Values that contradict each other.
    pub fn new(settled: &Settled) -> Result<RunPlan, ConfigError> {
        let phase = settled.phase;
        // A workload that works out its counts puts them into the settings, before anything reads them.
        let mut settings = settled.settings.clone();
        let clients = settings.u64(&host::THREADCOUNT)?;
        let workload = settled.catalog.workload().make(&mut settings, phase, clients as usize)?;
        let settings = &settings;
        let seed = settings.optional_u64(&host::SEED)?;
        let mut notes: Vec<Note> = workload.notes().iter().map(|note| Note::loud(note.clone())).collect();

        let duration_ns = settings.optional_duration_ns(&host::DURATION)?.filter(|_| phase == Phase::Run);
        let max_ns = Some(settings.duration_ns(&host::MAXEXECUTIONTIME)?).filter(|ns| *ns > 0);
        let total = if duration_ns.is_some() { None } else { workload.operation_count() };
        let limit_ns = match (duration_ns, max_ns) {
            (Some(duration), Some(max)) => Some(duration.min(max)),
            (duration, max) => duration.or(max),
        };
        if total.is_none() && limit_ns.is_none() {
            let name = if phase == Phase::Load { "recordcount" } else { "operationcount" };
            notes.push(Note::loud(format!(
                "{name} is 0: this goes on until it is interrupted; give {name}, duration or maxexecutiontime to limit it"
            )));
        }
        let mut clients = clients;
        if let Some(total) = total
            && total > 0
            && clients > total
        {
            notes.push(Note::loud(format!(
                "Warning: the threadcount is bigger than recordcount, the threadcount will be recordcount! ({clients} clients, {total} operations)"
            )));
            clients = total;
        }
        let custom = settled.info().statuses.iter().map(|status| CustomStatus {
            name: status.name.to_owned(),
            success: status.success,
            text: status.text.to_owned(),
        });
        let statuses = StatusTable::new(&custom.collect::<Vec<_>>());
        let measure = MeasurePlan::from_settings(settings)?;
        notes.extend(measure.notes.iter().map(|note| Note::loud(note.clone())));
        Ok(RunPlan {
            phase,
            workload,
            clients: usize::try_from(clients).unwrap_or(usize::MAX),
            total,
            pacing: Pacing::from_settings(settings)?,
            spins: settings.bool(&host::SPIN_SLEEP)?,
            batch_size: match phase {
                Phase::Load => usize::try_from(settings.i64(&host::BATCHSIZE)?.max(1)).unwrap_or(usize::MAX),
                Phase::Run => 1,
            },
            operation_timeout_ns: settings.duration_ns(&host::OPERATION_TIMEOUT)?,
            connect_timeout_ns: settings.duration_ns(&host::CONNECT_TIMEOUT)?,
            stop_grace_ns: settings.duration_ns(&host::STOP_GRACE)?,
            duration_ns: limit_ns,
            max_execution_time_s: max_ns.map(|ns| ns as f64 / 1e9),
            warm_up: match phase {
                Phase::Load => WarmUp::None,
                Phase::Run => WarmUp::from_settings(settings)?,
            },
            errors_allowed: AllowedErrors::from_settings(settings)?,
            errors_expected: expected_errors(settings, &statuses)?,
            seed: seed.unwrap_or_else(random_seed),
            seed_was_given: seed.is_some(),
            measure,
            statuses,
            fresh: phase == Phase::Load && settings.bool(&host::DROPDATA)?,
            plugin_settings: binding_settings(settings, &settled.catalog, settled.info())?,
            result_file: settings.optional_text(&host::RESULT_FILE).filter(|path| !path.is_empty()),
            dataset_file: settings.optional_text(&host::DATASET_FILE).filter(|path| !path.is_empty()),
            settings: settings.clone(),
            verdict_fails: match settings.optional_one_of(&host::VERDICT_FAIL)? {
                Some("suspect") => VerdictFails::Suspect,
                Some(_) => VerdictFails::Invalid,
                None => VerdictFails::Never,
            },
            calibrate: settings.bool(&host::CALIBRATE)?,
            notes,
        })
    }
}

impl RunPlan {
    /// Failed inserts after which a load stops: one more is one too many whatever follows.
    pub fn load_errors_allowed(&self) -> u64 {
        match (self.errors_allowed, self.total) {
            (AllowedErrors::Count(count), _) => count,
            (AllowedErrors::Percent(percent), Some(records)) => (records as f64 * percent / 100.0) as u64,
            (AllowedErrors::Percent(_), None) => u64::MAX,
        }
    }
}

/// A seed that differs from run to run; the report names it, so that the run can be repeated.
fn random_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // Below 2^53: the seed passes through JSON readers unharmed.
    RandomState::new().hash_one(std::process::id()) >> 11
}
