//! The report of the kit: lines for people as rules are checked, or one JSON document at the end.

use super::run::{Checked, Conformance, Verdict};
use super::survey::Survey;
use crate::binding::capability_names;
use crate::plan::Settled;
use serde_json::{Value, json};

/// What is known before the first rule.
pub fn heading(settled: &Settled, survey: &Survey) -> String {
    let info = settled.info();
    let mut text = format!(
        "binding {} {} ({}), {}, ycsb-plugin-api {}\n",
        info.name,
        info.version,
        settled.plugin.path.display(),
        info.compiler,
        info.api_version
    );
    text.push_str(&format!("connected to {}\n", survey.connected_to));
    text.push_str(&format!("capabilities {}\n", capability_names(survey.capabilities)));
    if let Some(reason) = &survey.keeps_rows {
        text.push_str(&format!("the store is not emptied: {reason}\n"));
    }
    text + "\n"
}

/// One rule: a line, and below it what came where something else was expected.
pub fn line(one: &Checked) -> String {
    let (word, remark, more) = match &one.verdict {
        Verdict::Pass(remark) => ("pass", remark.as_deref(), String::new()),
        Verdict::Fail { expected, came } => {
            ("FAIL", None, format!("               expected {expected}\n               came     {came}\n"))
        }
        Verdict::NotSupported(reason) => ("not supported", Some(reason.as_str()), String::new()),
    };
    let remark = remark.map(|remark| format!(" [{remark}]")).unwrap_or_default();
    format!("{word:<14} {}: {}{remark}\n{more}", one.rule.name, one.rule.sentence)
}

/// The numbers at the end.
pub fn summary(conformance: &Conformance) -> String {
    let [passed, failed, not_supported] = conformance.counts();
    let seed = conformance.seed;
    format!("\n{passed} passed, {failed} failed, {not_supported} not supported; seed {seed}\n")
}

/// Everything as one document.
pub fn document(settled: &Settled, conformance: &Conformance) -> Value {
    let info = settled.info();
    let [passed, failed, not_supported] = conformance.counts();
    json!({
        "binding": {
            "name": info.name,
            "version": info.version,
            "path": settled.plugin.path.display().to_string(),
            "compiler": info.compiler,
            "api_version": info.api_version,
            "flavour": if conformance.survey.is_async { "async" } else { "blocking" },
        },
        "connected_to": conformance.survey.connected_to,
        "capabilities": crate::binding::capabilities_of(conformance.survey.capabilities)
            .map(|one| one.name)
            .collect::<Vec<_>>(),
        "not_emptied": conformance.survey.keeps_rows,
        "seed": conformance.seed,
        "passed": passed,
        "failed": failed,
        "not_supported": not_supported,
        "rules": conformance.checked.iter().map(rule).collect::<Vec<_>>(),
        "log": conformance.log,
        "left_behind": conformance.left_behind,
    })
}

fn rule(one: &Checked) -> Value {
    let mut value = json!({ "name": one.rule.name, "sentence": one.rule.sentence });
    let mut set = |name: &str, text: &str| value[name] = Value::from(text);
    match &one.verdict {
        Verdict::Pass(remark) => {
            set("verdict", "pass");
            if let Some(remark) = remark {
                set("remark", remark);
            }
        }
        Verdict::Fail { expected, came } => {
            set("verdict", "fail");
            set("expected", expected);
            set("came", came);
        }
        Verdict::NotSupported(reason) => {
            set("verdict", "not supported");
            set("reason", reason);
        }
    }
    value
}
