//! Plan and plugin as they stand in a document, without secrets.

use super::process::{OverriddenFacts, PlanFacts, PluginFacts, PropertyFacts};
use crate::base::units::format_duration_ns;
use crate::binding::{Binding, capabilities_of};
use crate::config::Redactor;
use crate::config::redact::shown_value;
use crate::plan::{RunPlan, Settled, WarmUp};
use crate::workload::Phase;

/// `load` or `run`.
pub(super) fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Load => "load",
        Phase::Run => "run",
    }
}

/// What the plan says.
pub(super) fn plan(settled: &Settled, plan: &RunPlan) -> PlanFacts {
    PlanFacts {
        table: plan.workload.table().to_owned(),
        clients: plan.clients as u64,
        operations: plan.total,
        duration_ns: plan.duration_ns,
        warm_up: match plan.warm_up {
            WarmUp::None => "none".to_owned(),
            WarmUp::Time(ns) => format_duration_ns(ns),
            WarmUp::Operations(count) => format!("{count} operations"),
        },
        target_per_sec: plan.pacing.is_paced().then_some(plan.pacing.rate_per_sec),
        arrival: plan.pacing.arrival.word().to_owned(),
        arrival_process: plan.pacing.process.word().to_owned(),
        throttle_policy: plan.pacing.policy.word().to_owned(),
        batch_size: plan.batch_size as u64,
        operation_timeout_ns: plan.operation_timeout_ns,
        seed: plan.seed,
        seed_was_given: plan.seed_was_given,
        percentiles: plan.measure.percentiles.clone(),
        properties: properties(settled, plan),
    }
}

/// Every setting: the declared ones in the order of their declarations, then the others by name.
fn properties(settled: &Settled, plan: &RunPlan) -> Vec<PropertyFacts> {
    let declarations = settled.catalog.vocabulary().declarations();
    let mut facts = Vec::new();
    for declaration in declarations.iter().filter(|one| !one.prefix) {
        let shown =
            |value: &str| settled.redactor.text(&shown_value(declaration.name, Some(declaration), value));
        if plan.settings.given(declaration.name).is_some() {
            facts.extend(given(plan, declaration.name, &shown));
        } else if let Some(default) = declaration.default.filter(|_| !declaration.no_effect) {
            facts.push(PropertyFacts {
                name: declaration.name.to_owned(),
                value: shown(default),
                origin: "default".to_owned(),
                overrides: Vec::new(),
            });
        }
    }
    let others = plan.settings.iter().map(|(name, _)| name);
    for name in others.filter(|name| !declarations.iter().any(|one| !one.prefix && one.name == *name)) {
        let shown = |value: &str| settled.redactor.text(&shown_value(name, None, value));
        facts.extend(given(plan, name, &shown));
    }
    facts
}

fn given(plan: &RunPlan, name: &str, shown: &dyn Fn(&str) -> String) -> Option<PropertyFacts> {
    let given = plan.settings.given(name)?;
    let overridden = plan.settings.overridden(name);
    Some(PropertyFacts {
        name: name.to_owned(),
        value: shown(&given.value),
        origin: given.origin.to_string(),
        overrides: overridden
            .map(|one| OverriddenFacts { value: shown(&one.value), origin: one.origin.to_string() })
            .collect(),
    })
}

/// What talked to the database.
pub(super) fn plugin(settled: &Settled, binding: &Binding, redactor: &Redactor) -> PluginFacts {
    let info = settled.info();
    PluginFacts {
        name: info.name.to_owned(),
        version: info.version.to_owned(),
        path: settled.plugin.path.display().to_string(),
        compiler: info.compiler.to_owned(),
        api_version: info.api_version.to_owned(),
        is_async: info.is_async,
        capabilities: capabilities_of(binding.capabilities).map(|one| one.name.to_owned()).collect(),
        connected_to: redactor.text(&binding.connected_to),
    }
}
