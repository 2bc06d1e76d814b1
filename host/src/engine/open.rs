//! Opens a binding in bounded time, and checks that it can do what the workload asks for.

use crate::base::clock::{Clock, HostClock};
use crate::binding::{Binding, OpenFailure, OpenRequest, Plugin};
use crate::plan::RunPlan;
use crate::workload::{OperationKind, Phase};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use ycsb_plugin_abi::{capability, phase, status};

/// What a plan asks of the plugin's `open`.
pub fn open_request(plan: &RunPlan, binding: usize, workers: u32) -> OpenRequest {
    OpenRequest {
        binding,
        phase: match plan.phase {
            Phase::Load => phase::LOAD,
            Phase::Run => phase::RUN,
        },
        fresh: plan.fresh,
        workers,
        clients: plan.clients as u64,
        batch_size: plan.batch_size as u64,
        expected_records: plan.workload.expected_records().unwrap_or(0),
        largest_value_bytes: plan.workload.largest_value_bytes().unwrap_or(0),
        deadline_ns: HostClock::new().now_ns().saturating_add(plan.connect_timeout_ns),
        settings: plan.plugin_settings.clone(),
        table: plan.workload.table().to_owned(),
        fields: plan.workload.field_names().to_vec(),
    }
}

/// Opens a binding. A plugin that has not answered by the deadline plus a second is not waited for: its thread
/// is left behind, and the process has to end without destructors.
///
/// # Errors
/// The plugin's answer, or TIMEOUT.
pub fn open_binding(plugin: &Plugin, request: OpenRequest, timeout_ns: u64) -> Result<Binding, OpenFailure> {
    let (answers, answer) = channel();
    let plugin = plugin.clone();
    let opener = std::thread::Builder::new().name("open".to_owned()).spawn(move || {
        let _ = answers.send(Binding::open(&plugin, &request));
    });
    if let Err(error) = opener {
        return Err(OpenFailure { status: status::ERROR, detail: format!("no thread to open it: {error}") });
    }
    let patience = Duration::from_nanos(timeout_ns) + Duration::from_secs(1);
    match answer.recv_timeout(patience) {
        Ok(opened) => opened,
        Err(RecvTimeoutError::Timeout) => Err(OpenFailure {
            status: status::TIMEOUT,
            detail: format!(
                "did not open within {}; look whether the server answers, or raise connect.timeout",
                crate::base::units::format_duration_ns(timeout_ns)
            ),
        }),
        Err(RecvTimeoutError::Disconnected) => {
            Err(OpenFailure { status: status::ERROR, detail: "panicked while it was opened".to_owned() })
        }
    }
}

/// What the workload asks for and the binding cannot do: one sentence, naming the property to change.
pub fn missing_capability(plan: &RunPlan, capabilities: u64) -> Option<String> {
    let needs = plan.workload.operation_kinds().into_iter().map(|kind| match kind {
        OperationKind::Read => (capability::READ, "READ", "readproportion"),
        OperationKind::Scan => (capability::SCAN, "SCAN", "scanproportion"),
        OperationKind::Update => {
            (capability::UPDATE, "UPDATE", "updateproportion and readmodifywriteproportion")
        }
        OperationKind::Insert => (capability::INSERT, "INSERT", "insertproportion"),
        OperationKind::Delete => (capability::DELETE, "DELETE", "deleteproportion"),
    });
    needs.into_iter().find(|(bit, _, _)| capabilities & bit == 0).map(|(_, name, property)| {
        if plan.phase == Phase::Load {
            return format!("it cannot {name} in this configuration, so nothing can be loaded");
        }
        format!("it cannot {name} in this configuration; set {property} to 0, or change the configuration")
    })
}

/// The rows of a batch that the binding takes: 1 where it takes none.
pub fn usable_batch_size(plan: &RunPlan, capabilities: u64) -> usize {
    if capabilities & capability::INSERT_BATCH == 0 { 1 } else { plan.batch_size }
}
