//! A small document for tests.

use super::*;
use crate::measure::{MachineFacts, MeasurePlan, OpTiming, RecorderSet, Series, StatusTable};
use std::collections::BTreeMap;
use ycsb_plugin_abi::status;

/// A run of `part` milliseconds per read and as many failed updates; different numbers give different documents.
pub(crate) fn document(part: u64) -> ResultDocument {
    let set = RecorderSet::new(&MeasurePlan::default(), StatusTable::default());
    let recorder = set.recorder();
    for read in 0..100 * part {
        let done_ns = 2_000 + part * 1_000_000 + read;
        recorder.operation(
            Series::Read,
            status::OK,
            OpTiming { due_ns: Some(1_000), sent_ns: 2_000, done_ns },
        );
        recorder.finished(true);
        recorder.schedule_lag(1_000);
    }
    for _ in 0..part {
        recorder.operation(
            Series::Update,
            status::TIMEOUT,
            OpTiming { due_ns: None, sent_ns: 0, done_ns: 1_000 },
        );
        recorder.failure_cause(Series::Update, status::TIMEOUT, 7, "too late");
        recorder.finished(false);
    }
    let snapshot = set.snapshot();
    let mut document = ResultDocument {
        format: FORMAT.to_owned(),
        version: VERSION,
        complete: true,
        phase: "run".to_owned(),
        workload: "CoreWorkload".to_owned(),
        binding: "memdb".to_owned(),
        times: Times { measured_from_epoch_us: 1_000_000 + part, run_time_ns: 1_000_000_000 },
        operations: OperationCounts {
            successful: snapshot.successful_operations,
            failed: snapshot.failed_operations,
            unexpected_failures: snapshot.failed_operations,
            planned: Some(1_000),
            not_done: Some(1_000 - snapshot.operations()),
            abandoned_at_stop: BTreeMap::from([("READ".to_owned(), part)]),
            ..OperationCounts::default()
        },
        measurements: measurements_of(&snapshot),
        schedule_lag: snapshot.schedule_lag.clone(),
        pacing: PacingCounts { late: part, dropped: 0, held_back: 0 },
        causes: causes_of(&set.error_examples(), snapshot.statuses()),
        failures_of_other_causes: 0,
        load: None,
        custom_statuses: Vec::new(),
        processes: vec![process(part)],
        verdict: None,
        exit_code: None,
    };
    document.operations.set_rates(document.times.run_time_ns);
    document
}

fn process(part: u64) -> ProcessFacts {
    ProcessFacts {
        program: ProgramFacts {
            name: "ycsb-host".to_owned(),
            version: "0.1.0".to_owned(),
            command_line: format!("run memdb -p client.index={part}"),
        },
        plan: PlanFacts {
            table: "usertable".to_owned(),
            clients: 2,
            operations: Some(1_000),
            duration_ns: None,
            warm_up: "none".to_owned(),
            target_per_sec: Some(1_000.0),
            arrival: "client".to_owned(),
            arrival_process: "even".to_owned(),
            throttle_policy: "catchup".to_owned(),
            batch_size: 1,
            operation_timeout_ns: 0,
            seed: part,
            seed_was_given: true,
            percentiles: vec![50.0, 95.0, 99.0],
            properties: Vec::new(),
        },
        plugin: PluginFacts {
            name: "memdb".to_owned(),
            version: "0.1.0".to_owned(),
            path: "libycsb_memdb.so".to_owned(),
            compiler: "rustc".to_owned(),
            api_version: "0.1.0".to_owned(),
            is_async: false,
            capabilities: vec!["READ".to_owned()],
            connected_to: "memory".to_owned(),
        },
        set_up_ns: 5,
        stop_cause: "none".to_owned(),
        failure: None,
        intervals: Vec::new(),
        digests: vec![Some(format!("{part:016x}"))],
        dataset: None,
        clock: ClockFacts::default(),
        host: MachineFacts { cores: Some(2), ..MachineFacts::default() },
        client_cost: ClientCost { wall_ns: 1_000_000_000, cpu_ns: 100_000_000, ..ClientCost::default() },
        extremes: None,
        calibration: None,
    }
}
