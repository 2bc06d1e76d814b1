//! The end of a phase: calibration, document, verdict, report, and the exit code that follows from all of them.

use super::exit::{Shortfall, exit_code};
use super::one_run::Stage;
use super::onlookers::Left;
use super::summary;
use crate::analysis::verdict;
use crate::base::clock::{Clock, HostClock};
use crate::base::local_time::epoch_ms_now;
use crate::base::units::NS_PER_S;
use crate::engine::{Calibrated, PhaseInput, PhaseResult, StopCause, calibrate};
use crate::measure::RecorderSet;
use crate::plan::VerdictFails;
use crate::report::{ReportInput, deliver};
use crate::result::{Calibration, Draft, Ending, Judgement};
use std::time::Duration;

/// Runs longer than this are followed by a calibration.
const CALIBRATED_FROM_NS: u64 = 10 * NS_PER_S;
/// How long it lasts.
const CALIBRATION: Duration = Duration::from_millis(500);

/// What is known when the last client has ended.
pub(super) struct Finished<'a> {
    pub(super) result: &'a PhaseResult,
    pub(super) calibrated: Option<Calibrated>,
    pub(super) left: Left,
}

impl Stage<'_> {
    /// Measures the host itself, after long runs and where it was asked for.
    pub(super) fn calibrate(&self, input: &PhaseInput<'_>, result: &PhaseResult) -> Option<Calibrated> {
        let in_a_hurry = matches!(
            result.stop_cause,
            StopCause::Interrupt | StopCause::Terminate | StopCause::Broken | StopCause::OutputClosed
        );
        let wanted = self.plan.calibrate || run_time_ns(result) > CALIBRATED_FROM_NS;
        if !wanted || in_a_hurry || result.abandoned.stuck {
            return None;
        }
        calibrate(input, &self.plan.measure, CALIBRATION)
    }

    /// Puts everything together and delivers it; the result is the exit code.
    pub(super) fn finish(&self, draft: &Draft, recorders: &RecorderSet, finished: Finished<'_>) -> i32 {
        let Finished { result, calibrated, left } = finished;
        let snapshot = recorders.snapshot();
        let shortfall = Shortfall::of(&self.plan, result, &snapshot);
        let redactor = &self.settled.redactor;
        let examples = recorders.error_examples().rewritten(|text| redactor.text(text));
        let mut document = draft.ended(Ending {
            result,
            snapshot: &snapshot,
            examples: &examples,
            unexpected_failures: shortfall.failures,
            too_many_failures: shortfall.too_many_failures,
            missing_records: shortfall.missing_records,
            intervals: left.journal.intervals.clone(),
            cost: left.journal.cost(&result.client_usage),
            extremes: left.extremes,
            calibration: calibrated.map(|one| calibration(one, result, self.plan.clients)),
        });
        let judged = verdict(&document);
        let verdict_failed = match self.plan.verdict_fails {
            VerdictFails::Never => false,
            VerdictFails::Invalid => judged.judgement >= Judgement::Invalid,
            VerdictFails::Suspect => judged.judgement >= Judgement::Suspect,
        };
        document.verdict = Some(judged);
        let raw = recorders.raw_samples();
        let input = ReportInput {
            runtime_ns: run_time_ns(result),
            snapshot: &snapshot,
            plan: &self.plan.measure,
            raw: Some(&raw),
            process: left.extremes,
            examples: &examples,
            clock_zero_epoch_ms: epoch_ms_now() - (HostClock::new().now_ns() / 1_000_000) as i64,
            document: Some(&document),
        };
        let report_errors = deliver(&input, &self.export, &mut std::io::stdout().lock());
        let mut errors: Vec<String> =
            report_errors.iter().chain(&left.log_errors).map(ToString::to_string).collect();
        errors.extend(self.files.write_dataset(&document).err().map(|error| format!("dataset.file {error}")));
        let code = |failed: bool| exit_code(result, &shortfall, failed, verdict_failed);
        document.exit_code = Some(code(!errors.is_empty()));
        let lines = summary::lines(&self.plan, result, &shortfall, &document);
        if let Some(path) = &self.files.result {
            errors
                .extend(left.journal.write(path, document).err().map(|error| format!("result.file {error}")));
        }
        for line in errors.iter().chain(&lines) {
            self.say(line);
        }
        code(!errors.is_empty())
    }
}

/// From the first recorded operation to the end of the last client.
fn run_time_ns(result: &PhaseResult) -> u64 {
    let begun_ns = result.measured_from_ns.or(result.started_ns).unwrap_or(result.ended_ns);
    result.ended_ns.saturating_sub(begun_ns)
}

/// What the calibration says about the run: the host's work for its operations, as a share of the processor time
/// that was open to its clients.
fn calibration(calibrated: Calibrated, result: &PhaseResult, clients: usize) -> Calibration {
    let host_ns_per_operation = calibrated.cpu_ns as f64 / calibrated.operations as f64;
    let processors = crate::base::os::processors();
    let open_ns = run_time_ns(result) as f64 * clients.min(processors) as f64;
    let host_ns = host_ns_per_operation * (result.done + result.failed) as f64;
    Calibration {
        threads: calibrated.threads,
        operations: calibrated.operations,
        cpu_ns: calibrated.cpu_ns,
        host_ns_per_operation,
        share_of_run: if open_ns > 0.0 { (host_ns / open_ns).min(1.0) } else { 0.0 },
    }
}
