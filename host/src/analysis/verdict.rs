//! The verdict on a run: may its figures be believed, and if not, why.
//!
//! A pure function of the document. Every limit is a named constant; every reason names its numbers.

use super::steadiness::{Steadiness, steadiness};
use crate::base::units::format_duration_ns;
use crate::measure::Histogram;
use crate::result::{Judgement, Measurement, ProcessFacts, Reason, ResultDocument, Verdict};

/// Samples beyond a percentile below which it rests on accidents.
const SAMPLES_BEYOND: f64 = 10.0;
/// Share of all processors from which the client is taken to be the limit.
const BUSY_SHARE: f64 = 0.9;
/// Share of the clients' processor time from which the host's own work is taken to bend the figures.
const HOST_SHARE: f64 = 0.2;
/// Waiting for a processor, as a share of the time spent in calls, and the least that matters.
const RUN_QUEUE_SHARE: f64 = 0.1;
const RUN_QUEUE_NS: u64 = 10_000_000;
/// Change over the run that is a trend, and how sure that has to be.
const TREND: f64 = 0.2;
const TREND_SIGNIFICANCE: f64 = 4.0;
/// Standard deviation of the throughput of intervals.
const VARIATION: f64 = 0.3;
/// Growth of response times from the first third of a paced run to the last.
const RESPONSE_GROWTH: f64 = 2.0;
/// Schedule lag as a share of the 99th percentile of response times, and the least that matters.
const LAG_SHARE: f64 = 0.1;
const LAG_NS: u64 = 20_000;
/// Share of the target that has to be reached.
const TARGET_SHARE: f64 = 0.95;
/// Disagreement of clocks.
const CLOCK_OFFSET_NS: u64 = 1_000_000;
const TIME_OF_DAY_STEP_MS: i64 = 500;

/// Judges a run that has ended.
pub fn verdict(document: &ResultDocument) -> Verdict {
    let mut reasons = Vec::new();
    failures(document, &mut reasons);
    abandoned(document, &mut reasons);
    percentiles(document, &mut reasons);
    pacing(document, &mut reasons);
    for process in &document.processes {
        clock(process, &mut reasons);
        ending(process, &mut reasons);
        client_bound(document, process, &mut reasons);
        steady(process, &mut reasons);
    }
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.judgement));
    let judgement = reasons.first().map_or(Judgement::Valid, |worst| worst.judgement);
    Verdict { judgement, reasons }
}

fn doubt(reasons: &mut Vec<Reason>, code: &str, judgement: Judgement, text: String) {
    reasons.push(Reason { code: code.to_owned(), judgement, text });
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn failures(document: &ResultDocument, reasons: &mut Vec<Reason>) {
    let operations = &document.operations;
    if operations.successful == 0 {
        doubt(reasons, "nothing-succeeded", Judgement::Invalid, "no operation succeeded".to_owned());
    }
    let (failed, ended) = (operations.unexpected_failures, operations.ended());
    if operations.too_many_failures {
        let text = format!("{failed} of {ended} operations failed, more than errors.allowed");
        doubt(reasons, "errors", Judgement::Invalid, text);
    } else if failed > 0 {
        let text = format!("{failed} of {ended} operations failed, which errors.allowed allows");
        doubt(reasons, "errors", Judgement::Suspect, text);
    }
    if operations.mismatches > 0 {
        let text = format!("{} values were not what was written", operations.mismatches);
        doubt(reasons, "mismatches", Judgement::Invalid, text);
    }
    if let Some(load) = document.load.filter(|load| load.missing > 0) {
        let text = format!("{} records were not loaded", load.missing);
        doubt(reasons, "records-missing", Judgement::Invalid, text);
    }
    if operations.slowed_down_ns > 0 {
        let text = format!(
            "failures in a row slowed clients down for {}",
            format_duration_ns(operations.slowed_down_ns)
        );
        doubt(reasons, "slowed-down", Judgement::Suspect, text);
    }
}

fn abandoned(document: &ResultDocument, reasons: &mut Vec<Reason>) {
    let calls = document.operations.abandoned();
    if calls > 0 {
        let text = format!("{calls} calls never returned: the longest latencies are in no figure");
        doubt(reasons, "abandoned", Judgement::Invalid, text);
    }
}

/// Percentiles that the report shows and that too few samples stand behind.
fn percentiles(document: &ResultDocument, reasons: &mut Vec<Reason>) {
    let shown = document.processes.iter().flat_map(|process| process.plan.percentiles.iter().copied());
    let Some(highest) = shown.filter(|shown| *shown < 100.0).max_by(f64::total_cmp) else { return };
    let beyond = 1.0 - highest / 100.0;
    let few: Vec<String> = operations(document)
        .filter(|one| one.success && one.service.count() > 0)
        .filter(|one| (one.service.count() as f64) * beyond < SAMPLES_BEYOND - 1e-9)
        .map(|one| format!("{} ({} samples)", one.name, one.service.count()))
        .collect();
    if !few.is_empty() {
        let needed = (SAMPLES_BEYOND / beyond).ceil();
        let text = format!("too short for percentile {highest} of {}: it takes {needed:.0}", few.join(", "));
        doubt(reasons, "too-short", Judgement::Suspect, text);
    }
}

/// Measurements of calls of the binding.
fn operations(document: &ResultDocument) -> impl Iterator<Item = &Measurement> {
    document.measurements.iter().filter(|one| {
        crate::measure::Series::named(&one.name).is_some_and(crate::measure::Series::is_operation)
    })
}

fn pacing(document: &ResultDocument, reasons: &mut Vec<Reason>) {
    let target: f64 = document.processes.iter().filter_map(|process| process.plan.target_per_sec).sum();
    if target <= 0.0 {
        return;
    }
    let mut responses = Histogram::default();
    operations(document).filter(|one| one.success).for_each(|one| responses.merge(&one.response));
    if let (Some(lag_ns), Some(response_ns)) =
        (document.schedule_lag.quantile_ns(0.99), responses.quantile_ns(0.99))
        && lag_ns >= LAG_NS
        && lag_ns as f64 > LAG_SHARE * response_ns as f64
    {
        let text = format!(
            "the host sent late: p99 of schedule lag is {}, of response times {}",
            format_duration_ns(lag_ns),
            format_duration_ns(response_ns)
        );
        doubt(reasons, "schedule-lag", Judgement::Suspect, text);
    }
    let ended = document.operations.ended();
    let rate = ended as f64 * 1e9 / document.times.run_time_ns.max(1) as f64;
    // In a short run the last interval, which no arrival ends, weighs too much.
    if ended >= 100 && rate < TARGET_SHARE * target {
        let text = format!("the target was not reached: {rate:.1} of {target:.1} operations per second");
        doubt(reasons, "target-missed", Judgement::Suspect, text);
    }
    if document.pacing.dropped > 0 {
        let text = format!("{} arrivals were left out", document.pacing.dropped);
        doubt(reasons, "arrivals-dropped", Judgement::Suspect, text);
    }
}

fn clock(process: &ProcessFacts, reasons: &mut Vec<Reason>) {
    let clock = &process.clock;
    if clock.unreliable {
        let text =
            "the processor's time counter disagreed with the kernel; latencies may be wrong".to_owned();
        doubt(reasons, "clock-unreliable", Judgement::Invalid, text);
    } else if clock.largest_offset_ns > CLOCK_OFFSET_NS {
        let text = format!("clocks disagreed by {}", format_duration_ns(clock.largest_offset_ns));
        doubt(reasons, "clock-offset", Judgement::Suspect, text);
    }
    if clock.time_of_day_step_ms.abs() > TIME_OF_DAY_STEP_MS {
        let text = format!("the time of day was set by {} ms during the run", clock.time_of_day_step_ms);
        doubt(reasons, "clock-step", Judgement::Suspect, text);
    }
}

fn ending(process: &ProcessFacts, reasons: &mut Vec<Reason>) {
    if let Some(failure) = &process.failure {
        let text = format!("the run broke off: {failure}");
        doubt(reasons, "broken", Judgement::Invalid, text);
    }
    match process.stop_cause.as_str() {
        "interrupt" | "terminate" | "output-closed" => {
            let text = "the run was stopped before its end".to_owned();
            doubt(reasons, "stopped", Judgement::Suspect, text);
        }
        "load-errors" => {
            let text = "the load was stopped because of failed inserts".to_owned();
            doubt(reasons, "stopped", Judgement::Invalid, text);
        }
        _ => {}
    }
}

fn client_bound(document: &ResultDocument, process: &ProcessFacts, reasons: &mut Vec<Reason>) {
    let cost = &process.client_cost;
    let cores = process.host.cores.map_or(f64::INFINITY, |cores| cores as f64);
    let processors = process.host.core_quota.map_or(cores, |quota| quota.min(cores));
    let busy = cost.busy_processors();
    if busy > BUSY_SHARE * processors {
        let text = format!(
            "client-bound: this process kept {busy:.2} of {processors} processors busy, more clients or a faster \
             database would not show"
        );
        doubt(reasons, "client-bound", Judgement::Suspect, text);
    }
    if let Some(calibration) = &process.calibration
        && calibration.share_of_run > HOST_SHARE
    {
        let text = format!(
            "client-bound: the host's own work, {:.0} ns per operation, took {} of the clients' processor time",
            calibration.host_ns_per_operation,
            percent(calibration.share_of_run)
        );
        doubt(reasons, "host-cost", Judgement::Suspect, text);
    }
    // Only where one process stands for all the calls can its threads be compared with them.
    let in_calls_ns: f64 = operations(document)
        .filter_map(|one| Some(one.service.mean_ns()? * one.service.count() as f64))
        .sum();
    if document.processes.len() == 1
        && in_calls_ns > 0.0
        && cost.run_queue_delay_ns >= RUN_QUEUE_NS
        && cost.run_queue_delay_ns as f64 > RUN_QUEUE_SHARE * in_calls_ns
    {
        let text = format!(
            "threads waited {} for a processor, {} of the time spent in calls; leave the machine to the client",
            format_duration_ns(cost.run_queue_delay_ns),
            percent(cost.run_queue_delay_ns as f64 / in_calls_ns)
        );
        doubt(reasons, "run-queue", Judgement::Suspect, text);
    }
}

fn steady(process: &ProcessFacts, reasons: &mut Vec<Reason>) {
    // The last interval is cut short by the end of the run.
    let Some((_, whole)) = process.intervals.split_last() else { return };
    let rate = |one: &crate::result::IntervalFacts| {
        one.successful as f64 * 1e9 / one.to_ns.saturating_sub(one.from_ns).max(1) as f64
    };
    let rates: Vec<f64> = whole.iter().map(rate).collect();
    if let Some(Steadiness { trend, significance, variation }) = steadiness(&rates) {
        if trend.abs() > TREND && significance > TREND_SIGNIFICANCE {
            let word = if trend > 0.0 { "rose" } else { "fell" };
            let text = format!("not steady: throughput {word} by {} over the run", percent(trend.abs()));
            doubt(reasons, "not-steady", Judgement::Suspect, text);
        }
        if variation > VARIATION {
            let text = format!(
                "not steady: throughput of {} intervals varies by {} (standard deviation)",
                rates.len(),
                percent(variation)
            );
            doubt(reasons, "not-steady", Judgement::Suspect, text);
        }
    }
    let responses: Vec<f64> = whole.iter().filter_map(mean_response_ns).collect();
    let third = responses.len() / 3;
    if process.plan.target_per_sec.is_some() && third >= 2 {
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        let (first, last) = (mean(&responses[..third]), mean(&responses[responses.len() - third..]));
        if last > RESPONSE_GROWTH * first {
            let text = format!(
                "not steady: mean response time grew from {} in the first third to {} in the last",
                format_duration_ns(first as u64),
                format_duration_ns(last as u64)
            );
            doubt(reasons, "not-steady", Judgement::Suspect, text);
        }
    }
}

/// Mean response time of an interval, all operations together.
fn mean_response_ns(interval: &crate::result::IntervalFacts) -> Option<f64> {
    let responses = interval
        .measurements
        .iter()
        .filter(|one| one.success)
        .filter_map(|one| Some((one.response?.mean_ns, one.count as f64)));
    let (sum, count) =
        responses.fold((0.0, 0.0), |(sum, count), (mean, samples)| (sum + mean * samples, count + samples));
    (count > 0.0).then(|| sum / count)
}

#[cfg(test)]
#[path = "verdict_tests.rs"]
mod tests;
