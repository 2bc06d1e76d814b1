//! One phase from settled settings to report and exit code.

use super::callbacks;
use super::exit::{EXIT_CANNOT_OPEN, EXIT_FAILED, EXIT_USAGE};
use super::finish::Finished;
use super::onlookers::Onlookers;
use super::result_files::ResultFiles;
use crate::base::{os, streams};
use crate::binding::{Binding, OpenFailure};
use crate::config::ConfigError;
use crate::engine::{
    ClientPlan, Limits, PhaseInput, Signals, missing_capability, open_binding, open_request, probe_inserts,
    run_phase, usable_batch_size,
};
use crate::live::StatusPlan;
use crate::measure::RecorderSet;
use crate::plan::{RunPlan, Settled};
use crate::report::{ExportPlan, check_destinations};
use crate::result::{Draft, Journal};
use crate::workload::Phase;
use std::sync::Arc;
use ycsb_plugin_abi::{capability, status};

/// What a run needs besides its settings.
pub(super) struct Stage<'a> {
    pub(super) settled: &'a Settled,
    pub(super) plan: RunPlan,
    pub(super) export: ExportPlan,
    pub(super) files: ResultFiles,
    status: StatusPlan,
    /// The words that started the program, as they may be shown.
    command_line: &'a str,
}

/// Carries out one phase; the result is the exit code. `command_line` is kept in the result as it is. If calls never returned, the process must end without
/// destructors, which this does itself.
pub fn one_run(settled: &Settled, command_line: &str) -> i32 {
    let prepared = RunPlan::new(settled).and_then(|plan| {
        let export = ExportPlan::from_settings(&settled.settings)?;
        check_destinations(&settled.settings)?;
        let status = StatusPlan::from_settings(&settled.settings)?;
        let files = ResultFiles::new(&plan)?;
        Ok(Stage { settled, plan, export, files, status, command_line })
    });
    match prepared {
        Ok(stage) => stage.run(),
        Err(ConfigError(message)) => {
            streams::say(&message);
            EXIT_USAGE
        }
    }
}

impl Stage<'_> {
    fn run(mut self) -> i32 {
        streams::echo(concat!("YCSB Client ", env!("CARGO_PKG_VERSION"), "\n\nLoading workload..."));
        let notes: Vec<String> = self.plan.notes.iter().map(|note| note.text.clone()).collect();
        notes.iter().chain(&self.files.remarks).for_each(|note| self.say(note));
        callbacks::install(self.settled.info().name, &self.settled.redactor);
        let signals = match Signals::install(std::thread::current()) {
            Ok(signals) => signals,
            Err(error) => {
                self.say(&format!("signals cannot be handled: {error}"));
                return EXIT_FAILED;
            }
        };
        let binding = match self.open() {
            Ok(binding) => Arc::new(binding),
            Err(code) => return code,
        };
        if let Err(code) = self.probe(&binding) {
            return code;
        }
        self.announce();
        let recorders = RecorderSet::new(&self.plan.measure, self.plan.statuses.clone());
        let draft = Draft::new(self.settled, &self.plan, &binding, self.command_line);
        let journal = Journal::new(&draft, self.files.result.as_deref());
        let mut onlookers = Onlookers::new(&self.plan, &self.status, &signals, journal);
        let result = run_phase(&self.phase_input(&binding, &recorders, &signals), &mut onlookers.all());
        callbacks::flush_echo();
        if let Some(failure) = &result.open_failure {
            os::exit_now(self.not_opened(failure));
        }
        let calibrated = self.calibrate(&self.phase_input(&binding, &recorders, &signals), &result);
        let left = onlookers.leave();
        let code = self.finish(&draft, &recorders, Finished { result: &result, calibrated, left });
        if result.abandoned.stuck {
            os::exit_now(code);
        }
        close(binding, self.plan.stop_grace_ns, code)
    }

    pub(super) fn say(&self, text: &str) {
        streams::say(&self.settled.redactor.text(text));
    }

    fn open(&mut self) -> Result<Binding, i32> {
        let info = self.settled.info();
        let request = open_request(&self.plan, self.settled.binding, workers(self.plan.clients));
        let opened = open_binding(&self.settled.plugin, request, self.plan.connect_timeout_ns);
        let binding = opened.map_err(|failure| self.not_opened(&failure))?;
        if !binding.connected_to.is_empty() {
            self.say(&format!("{}: {}", info.name, binding.connected_to));
        }
        if let Some(missing) = missing_capability(&self.plan, binding.capabilities) {
            self.say(&format!("binding {}: {missing}", info.name));
            return Err(EXIT_USAGE);
        }
        let batch_size = usable_batch_size(&self.plan, binding.capabilities);
        if batch_size < self.plan.batch_size {
            self.say(&format!(
                "binding {} takes no batches: batchsize={} has no effect, records are inserted one by one",
                info.name, self.plan.batch_size
            ));
            self.plan.batch_size = batch_size;
        }
        Ok(binding)
    }

    /// Says why a database could not be opened; the result is the exit code.
    fn not_opened(&self, failure: &OpenFailure) -> i32 {
        let name = &self.plan.statuses.info(failure.status).name;
        let detail = if failure.detail.is_empty() { "no details" } else { &failure.detail };
        self.say(&format!("binding {} cannot be opened ({name}): {detail}", self.settled.info().name));
        if failure.status == status::TIMEOUT {
            // The thread that opens may still be inside of the plugin.
            os::exit_now(EXIT_CANNOT_OPEN);
        }
        if failure.status == status::BAD_REQUEST { EXIT_USAGE } else { EXIT_CANNOT_OPEN }
    }

    /// Finds out where inserts of a run have to go on.
    fn probe(&self, binding: &Arc<Binding>) -> Result<(), i32> {
        let Some(inserts) = self.plan.workload.run_inserts() else { return Ok(()) };
        if self.plan.phase != Phase::Run || binding.capabilities & capability::KEEPS_NOTHING != 0 {
            return Ok(());
        }
        let workload = &*self.plan.workload;
        let probed = probe_inserts(binding, workload, inserts, self.plan.connect_timeout_ns)
            .map_err(|failure| self.not_opened(&failure))?;
        workload.resume_inserts(probed.present);
        if probed.present > 0 {
            self.say(&format!(
                "inserts go on after {} records of earlier runs (found with {} reads)",
                probed.present, probed.reads
            ));
        }
        Ok(())
    }

    fn announce(&self) {
        streams::echo("Starting test.");
        let failures = &self.plan.measure.failures;
        let tracked = if failures.each { String::new() } else { failures.tracked.join(", ") };
        streams::echo(&format!(
            "DBWrapper: report latency for each error is {} and specific error codes to track for latency are: \
             [{tracked}]",
            failures.each
        ));
        if let Some(seconds) = self.plan.max_execution_time_s {
            streams::echo(&format!("Maximum execution time specified as: {seconds} secs"));
        }
    }

    fn phase_input<'a>(
        &'a self,
        binding: &Arc<Binding>,
        recorders: &RecorderSet,
        signals: &'a Signals,
    ) -> PhaseInput<'a> {
        let plan = &self.plan;
        PhaseInput {
            binding: Arc::clone(binding),
            workload: &*plan.workload,
            clients: plan.clients,
            pacing: plan.pacing,
            plan: Arc::new(ClientPlan {
                phase: plan.phase,
                batch_size: plan.batch_size,
                operation_timeout_ns: plan.operation_timeout_ns,
                warm_up: plan.warm_up,
                insert_retry: plan.workload.insert_retry(),
                seed: plan.seed,
                statuses: plan.statuses.clone(),
            }),
            total: plan.total,
            limits: Limits {
                duration_ns: plan.duration_ns,
                stop_grace_ns: plan.stop_grace_ns,
                operation_timeout_ns: plan.operation_timeout_ns,
                open_timeout_ns: plan.connect_timeout_ns,
            },
            load_errors_allowed: plan.load_errors_allowed(),
            spins: plan.spins,
            recorders: recorders.clone(),
            signals,
        }
    }
}

/// Threads of an async binding's runtime: as many as there are processors, no more than clients.
fn workers(clients: usize) -> u32 {
    let processors = os::processors();
    processors.min(clients).max(1) as u32
}

/// Closes the binding, in bounded time: a plugin that does not come back ends with the process.
fn close(binding: Arc<Binding>, patience_ns: u64, code: i32) -> i32 {
    // Threads of an interrupt may still hold the binding; then it ends with the process.
    let Ok(binding) = Arc::try_unwrap(binding) else { return code };
    let (done, closed) = std::sync::mpsc::channel();
    let closer = std::thread::Builder::new().name("close".to_owned()).spawn(move || {
        binding.close();
        let _ = done.send(());
    });
    if closer.is_ok() && closed.recv_timeout(std::time::Duration::from_nanos(patience_ns)).is_err() {
        streams::say("the binding did not close in time; it ends with the process");
        os::exit_now(code);
    }
    code
}
