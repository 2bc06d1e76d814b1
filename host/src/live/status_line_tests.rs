use super::*;
use crate::config::{Given, Origin};
use crate::measure::{OpTiming, RecorderSet, Series, StatusTable};
use ycsb_plugin_abi::status;

const NOW: &str = "2026-11-30 07:32:21:497";

fn progress() -> Progress {
    Progress { elapsed_ms: 1_847, window_ms: 1_000, done: 132, succeeded_in_window: 126, remaining: 368 }
}

#[test]
fn a_line_has_the_parts_of_ycsb_in_order() {
    assert_eq!(
        status_line("", NOW, progress(), "[READ: x] "),
        "2026-11-30 07:32:21:497 1 sec: 132 operations; 126 current ops/sec; est completion in 6 second [READ: x] "
    );
}

#[test]
fn the_label_is_glued_to_the_timestamp() {
    assert!(status_line("exp2", NOW, progress(), "").starts_with("exp22026-11-30 07:32:21:497 1 sec: "));
}

#[test]
fn before_the_first_operation_there_is_no_rate() {
    let nothing = Progress { done: 0, succeeded_in_window: 0, elapsed_ms: 0, window_ms: 0, remaining: 500 };
    assert_eq!(
        status_line("", NOW, nothing, ""),
        "2026-11-30 07:32:21:497 0 sec: 0 operations; est completion in 0 second "
    );
}

#[test]
fn a_window_of_no_time_has_no_rate_and_a_finished_or_unlimited_run_no_estimate() {
    let first = Progress { window_ms: 0, remaining: 0, ..progress() };
    assert_eq!(status_line("", NOW, first, ""), "2026-11-30 07:32:21:497 1 sec: 132 operations; ");
}

#[test]
fn failed_operations_count_as_done_and_not_as_rate() {
    let failing = Progress { succeeded_in_window: 0, remaining: 0, ..progress() };
    assert_eq!(
        status_line("", NOW, failing, ""),
        "2026-11-30 07:32:21:497 1 sec: 132 operations; 0 current ops/sec; "
    );
}

#[test]
fn each_line_shows_what_came_since_the_one_before() {
    let plan = MeasurePlan::default();
    let set = RecorderSet::new(&plan, StatusTable::default());
    let recorder = set.recorder();
    let status = StatusPlan { on: true, interval_ns: 1, label: String::new() };
    let mut lines = StatusLines::new(&status, &plan, LocalTime::utc(), 5_000_000_000, set.snapshot());
    let read = |latency_us: u64| {
        let timing = OpTiming { due_ns: None, sent_ns: 0, done_ns: latency_us * 1000 };
        recorder.operation(Series::Read, status::OK, timing);
    };
    let at_second = |second: u64, succeeded, remaining| Moment {
        now_ns: (5 + second) * 1_000_000_000,
        epoch_ms: second as i64 * 1000,
        succeeded,
        failed: 0,
        remaining,
    };
    read(5_000);
    read(7);
    assert_eq!(
        lines.line(at_second(1, 2, 2), set.snapshot()),
        "1970-01-01 00:00:01:000 1 sec: 2 operations; 2 current ops/sec; est completion in 1 second \
         [READ: Count=2, Max=5003, Min=7, Avg=2504.5, 50=7, 90=5003, 99=5003, 99.9=5003, 99.99=5003] "
    );
    read(9);
    assert_eq!(
        lines.line(at_second(3, 3, 1), set.snapshot()),
        "1970-01-01 00:00:03:000 3 sec: 3 operations; 0.5 current ops/sec; est completion in 1 second \
         [READ: Count=1, Max=9, Min=9, Avg=9, 50=9, 90=9, 99=9, 99.9=9, 99.99=9] "
    );
    assert_eq!(
        lines.line(at_second(3, 3, 0), set.snapshot()),
        "1970-01-01 00:00:03:000 3 sec: 3 operations; \
         [READ: Count=0, Max=0, Min=0, Avg=0, 50=0, 90=0, 99=0, 99.9=0, 99.99=0] "
    );
}

fn settings(entries: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::default();
    for (name, value) in entries {
        let origin = Origin::Argument(format!("-p {name}={value}"));
        settings.set(name, Given { spelling: (*name).into(), value: (*value).into(), origin });
    }
    settings
}

#[test]
fn intervals_are_seconds_and_below_one_refused() {
    let plan = StatusPlan::from_settings(&settings(&[("status", "TRUE"), ("label", "exp1 ")])).unwrap();
    assert_eq!(plan, StatusPlan { on: true, interval_ns: 10_000_000_000, label: "exp1 ".into() });
    let given = |value| StatusPlan::from_settings(&settings(&[("status.interval", value)]));
    assert_eq!(given("2").unwrap().interval_ns, 2_000_000_000);
    assert_eq!(given("1500ms").unwrap().interval_ns, 1_500_000_000);
    for refused in ["0", "-1", "500ms", "ten"] {
        assert!(given(refused).is_err(), "{refused}");
    }
}
