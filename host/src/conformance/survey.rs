//! The first look at a binding: whether it opens, what it can do, and whether the kit may empty its table.

use super::finding::Finding;
use super::kit::{Kit, OpenBinding, Opening, record};
use super::question::Question;
use crate::binding::OpenFailure;
use ycsb_plugin_abi::{capability, status};

/// What the first opening showed.
#[derive(Clone, Debug)]
pub struct Survey {
    /// What the binding says it is connected to.
    pub connected_to: String,
    /// What it can do in this configuration.
    pub capabilities: u64,
    /// Whether its own runtime asks for steps.
    pub is_async: bool,
    /// Why the kit must not empty the store, if so.
    pub keeps_rows: Option<String>,
}

const INSERT_AND_READ: u64 = capability::INSERT | capability::READ;

/// Opens the binding for the first time.
///
/// # Errors
/// The binding's answer, if it does not open.
pub(super) fn survey(kit: &Kit<'_>) -> Result<Survey, OpenFailure> {
    let binding = kit.try_open(&kit.opening())?;
    let mut survey = Survey {
        connected_to: binding.connected_to().to_owned(),
        capabilities: binding.capabilities(),
        is_async: binding.is_async(),
        keeps_rows: None,
    };
    kit.capabilities.set(survey.capabilities);
    let keeps = survey.capabilities & capability::KEEPS_NOTHING == 0;
    if keeps && !kit.own.fresh {
        survey.keeps_rows = why_not_empty(kit, binding);
    } else if let Err(Finding::Hung { .. }) = binding.close() {
        kit.is_stuck.set(true);
    }
    kit.may_empty.set(keeps && survey.keeps_rows.is_none());
    Ok(survey)
}

/// Emptying a table is harmless only if the table is the kit's own: what is written to another table must not
/// be seen in it.
fn why_not_empty(kit: &Kit<'_>, own_table: OpenBinding<'_>) -> Option<String> {
    if own_table.capabilities() & INSERT_AND_READ != INSERT_AND_READ {
        return Some("without INSERT and READ it cannot be seen whether it keeps tables apart".to_owned());
    }
    match is_seen_elsewhere(kit, own_table) {
        Ok(false) => None,
        Ok(true) => Some(
            "it keeps no tables apart, so starting from an empty one would delete records of others; \
             pass -p check.fresh=true if everything that it can see may go"
                .to_owned(),
        ),
        Err(finding) => {
            kit.is_stuck.set(kit.is_stuck.get() || matches!(finding, Finding::Hung { .. }));
            Some("it could not be seen whether it keeps tables apart".to_owned())
        }
    }
}

/// Whether a record of the kit's table is seen in another table.
fn is_seen_elsewhere(kit: &Kit<'_>, own_table: OpenBinding<'_>) -> Result<bool, Finding> {
    let key = kit.key("apart");
    let sessions = own_table.gather(1)?;
    sessions.open_all()?;
    kit.insert(&sessions.sessions()[0], &key, &record(&key, "apart"))?;
    kit.holds(&sessions.sessions()[0], &key, &record(&key, "apart"))?;
    sessions.leave()?;
    own_table.close()?;
    let elsewhere = Opening { table: format!("{}_apart", kit.own.table), ..kit.opening() };
    let mut seen = false;
    kit.with_opening(&elsewhere, |sessions| {
        seen = sessions[0].ask(Question::read(&key))?.status != status::NOT_FOUND;
        Ok(None)
    })?;
    Ok(seen)
}

/// Leaves nothing behind: the table empty where the kit may empty it, no record of the kit elsewhere.
pub(super) fn clean_up(kit: &Kit<'_>) -> Result<(), Finding> {
    let keys = kit.keys();
    if kit.may_empty.get() {
        return kit.open(&Opening { fresh: true, ..kit.opening() })?.close();
    }
    if !kit.can(capability::DELETE) || kit.can(capability::KEEPS_NOTHING) {
        return Ok(());
    }
    let cleaned = kit.with_session(|session| {
        for key in &keys {
            // Most keys are gone already, or were never written.
            session.ask(Question::delete(key))?;
        }
        Ok(None)
    });
    cleaned.map(drop)
}
