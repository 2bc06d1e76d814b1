//! What the summary on stderr says of latencies beside the report, and of the client itself.

use crate::base::java_text::double_text;
use crate::base::units::format_duration_ns;
use crate::measure::{Histogram, Series};
use crate::result::ResultDocument;

/// Service and response times side by side, one line per operation; nothing in a closed loop.
pub(crate) fn response_lines(document: &ResultDocument) -> Vec<String> {
    let percentiles = document.processes.first().map(|process| process.plan.percentiles.clone());
    let percentiles = percentiles.unwrap_or_default();
    let mut lines = Vec::new();
    for one in document.measurements.iter().filter(|one| one.success && !one.response.is_empty()) {
        if Series::named(&one.name).is_some_and(Series::is_operation) {
            lines.push(format!(
                "{}: response time {}; service time {}",
                one.name,
                figures(&one.response, &percentiles),
                figures(&one.service, &percentiles)
            ));
        }
    }
    lines
}

fn figures(histogram: &Histogram, percentiles: &[f64]) -> String {
    let mut shown: Vec<String> = percentiles
        .iter()
        .filter_map(|percentile| {
            let latency_ns = histogram.quantile_ns(percentile / 100.0)?;
            Some(format!("p{} {}", percentile_text(*percentile), format_duration_ns(latency_ns)))
        })
        .collect();
    shown.extend(histogram.max_ns().map(|most_ns| format!("max {}", format_duration_ns(most_ns))));
    shown.join(" ")
}

fn percentile_text(percentile: f64) -> String {
    if percentile.fract() == 0.0 { format!("{percentile:.0}") } else { double_text(percentile) }
}

/// How late the host itself sent; nothing where it never had to wait for a due time.
pub(crate) fn lag_line(document: &ResultDocument) -> Option<String> {
    let lag = &document.schedule_lag;
    Some(format!(
        "schedule lag of the host: p50 {} p99 {} max {}, {} arrivals that a free client waited for",
        format_duration_ns(lag.quantile_ns(0.5)?),
        format_duration_ns(lag.quantile_ns(0.99)?),
        format_duration_ns(lag.max_ns()?),
        lag.count()
    ))
}

/// What each process took, and what the host costs per operation where that was measured.
pub(crate) fn cost_lines(document: &ResultDocument) -> Vec<String> {
    let mut lines = Vec::new();
    for process in &document.processes {
        let cost = &process.client_cost;
        let cores = process.host.cores.map(|cores| format!(" of {cores}")).unwrap_or_default();
        let mut line = format!(
            "client: {:.2}{cores} processors busy, {} waited for one, {} switches ({} forced), {:.0} MiB",
            cost.busy_processors(),
            format_duration_ns(cost.run_queue_delay_ns / 1000 * 1000),
            cost.voluntary_switches + cost.involuntary_switches,
            cost.involuntary_switches,
            cost.peak_memory_bytes as f64 / f64::from(1 << 20)
        );
        if let Some(busiest) = cost.threads.first().filter(|thread| thread.cpu_ns > 0 && cost.wall_ns > 0) {
            let share = busiest.cpu_ns as f64 / cost.wall_ns as f64;
            line.push_str(&format!("; busiest thread {} {share:.2}", busiest.name));
        }
        lines.push(line);
        if let Some(calibration) = &process.calibration {
            lines.push(format!(
                "host: {:.0} ns per operation of its own, {:.2} % of the clients' processor time",
                calibration.host_ns_per_operation,
                calibration.share_of_run * 100.0
            ));
        }
    }
    lines
}
