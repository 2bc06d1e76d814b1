//! Checks every rule and collects what was found.

use super::finding::Finding;
use super::kit::{Kit, Numbers, Opening};
use super::properties::KitSettings;
use super::rule::Rule;
use super::survey::{Survey, clean_up, survey};
use super::{overheard, rules};
use crate::base::os::DivertedOutput;
use crate::binding::OpenFailure;
use crate::config::ConfigError;
use crate::plan::host_properties::{BATCHSIZE, CONNECT_TIMEOUT, SEED};
use crate::plan::{Settled, binding_settings};
use std::hash::{BuildHasher, RandomState};

/// How a rule turned out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds; what is worth knowing besides.
    Pass(Option<String>),
    /// It does not hold.
    Fail {
        /// What the rule demands.
        expected: String,
        /// What came instead.
        came: String,
    },
    /// It does not apply, and why.
    NotSupported(String),
}

/// A rule and how it turned out.
#[derive(Clone)]
pub struct Checked {
    /// The rule.
    pub rule: Rule,
    /// How it turned out.
    pub verdict: Verdict,
}

/// All rules of one binding.
pub struct Conformance {
    /// The first opening.
    pub survey: Survey,
    /// Every rule that was chosen.
    pub checked: Vec<Checked>,
    /// What the plugin logged, each line once.
    pub log: Vec<String>,
    /// Why records of the kit may be left in the store.
    pub left_behind: Option<String>,
    /// Seed of the random histories.
    pub seed: u64,
    /// Whether a call never returned: the process has to end without destructors.
    pub is_stuck: bool,
}

/// Why nothing was checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// A setting is wrong.
    #[error(transparent)]
    Setting(#[from] ConfigError),
    /// The binding does not open.
    #[error("cannot be opened ({status}): {detail}")]
    NotOpened {
        /// Name of the status.
        status: String,
        /// The plugin's words.
        detail: String,
        /// The plugin's answer.
        failure: OpenFailure,
    },
}

/// What happens while rules are checked.
pub enum Progress<'a> {
    /// The binding opened.
    Opened(&'a Survey),
    /// A rule was checked.
    Checked(&'a Checked),
}

/// Checks the rules that are chosen, one after the other.
///
/// `diverted` catches what the plugin prints; without it that rule cannot be checked.
///
/// # Errors
/// Settings that cannot be used, a choice of no rule, a binding that does not open.
pub fn check(
    settled: &Settled,
    own: &KitSettings,
    diverted: Option<&DivertedOutput>,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Conformance, CheckError> {
    let chosen = chosen_rules(own)?;
    let settings = &settled.settings;
    let numbers = Numbers {
        connect_timeout_ns: settings.duration_ns(&CONNECT_TIMEOUT)?,
        batch_size: usize::try_from(settings.i64(&BATCHSIZE)?.max(100)).unwrap_or(100),
        seed: settings.optional_u64(&SEED)?.unwrap_or_else(|| random_number() >> 11),
    };
    let plugin_settings = binding_settings(settings, &settled.catalog, settled.info())?;
    let kit = Kit::new(settled, own, plugin_settings, numbers, diverted);
    overheard::install();
    // Keys of this run differ from those that an earlier one may have left behind.
    let tag = format!("check{:08x}-", random_number() as u32);
    kit.begin_rule(format!("{tag}survey-"));
    let survey = survey(&kit).map_err(|failure| not_opened(&kit, failure))?;
    progress(Progress::Opened(&survey));
    if kit.may_empty.get() {
        let emptied = kit.try_open(&Opening { fresh: true, ..kit.opening() });
        drop(emptied.map_err(|failure| not_opened(&kit, failure))?);
    }
    let mut checked = Vec::new();
    let mut log = overheard::take();
    for (number, rule) in chosen.into_iter().enumerate() {
        kit.begin_rule(format!("{tag}{number:02}-"));
        let verdict = judge(&kit, &rule);
        log.extend(overheard::take());
        let one = Checked { rule, verdict };
        progress(Progress::Checked(&one));
        checked.push(one);
    }
    let left_behind = clean_up(&kit).err().map(|finding| told(&finding));
    let mut seen = std::collections::BTreeSet::new();
    log.retain(|line| seen.insert(line.clone()));
    Ok(Conformance { survey, checked, log, left_behind, seed: kit.seed, is_stuck: kit.is_stuck.get() })
}

fn chosen_rules(own: &KitSettings) -> Result<Vec<Rule>, ConfigError> {
    let all: Vec<Rule> = rules::all().collect();
    for choice in &own.rules {
        if !all.iter().any(|rule| rule.is_chosen(std::slice::from_ref(choice))) {
            let names: Vec<&str> = all.iter().map(|rule| rule.name).collect();
            return Err(ConfigError(format!(
                "check.rules names \"{choice}\", which is no rule; there are {}",
                names.join(", ")
            )));
        }
    }
    Ok(all.into_iter().filter(|rule| rule.is_chosen(&own.rules)).collect())
}

fn judge(kit: &Kit<'_>, rule: &Rule) -> Verdict {
    if let Some(excuse) = rule.excuse(kit.capabilities.get()) {
        return Verdict::NotSupported(excuse);
    }
    match (rule.check)(kit) {
        Ok(remark) => Verdict::Pass(remark),
        Err(Finding::Different { expected, came }) => Verdict::Fail { expected, came },
        Err(Finding::NotSupported(reason)) => Verdict::NotSupported(reason),
        Err(Finding::Hung { expected }) => {
            kit.is_stuck.set(true);
            Verdict::Fail { expected, came: "the call has not returned; it is left behind".to_owned() }
        }
    }
}

fn told(finding: &Finding) -> String {
    match finding {
        Finding::Different { expected, came } => format!("expected {expected}, came {came}"),
        Finding::Hung { expected } => format!("expected {expected}"),
        Finding::NotSupported(reason) => reason.clone(),
    }
}

fn not_opened(kit: &Kit<'_>, failure: OpenFailure) -> CheckError {
    CheckError::NotOpened {
        status: kit.statuses.info(failure.status).name.clone(),
        detail: if failure.detail.is_empty() { "no details".to_owned() } else { failure.detail.clone() },
        failure,
    }
}

fn random_number() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

impl Conformance {
    /// Numbers of rules that passed, failed, and do not apply.
    pub fn counts(&self) -> [usize; 3] {
        let count = |is: fn(&Verdict) -> bool| self.checked.iter().filter(|one| is(&one.verdict)).count();
        [
            count(|verdict| matches!(verdict, Verdict::Pass(_))),
            count(|verdict| matches!(verdict, Verdict::Fail { .. })),
            count(|verdict| matches!(verdict, Verdict::NotSupported(_))),
        ]
    }
}
