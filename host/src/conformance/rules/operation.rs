//! Which operations a binding answers, whether it keeps anything or not.

use super::super::finding::{Checked, Finding, demand};
use super::super::kit::{Kit, one_field, record};
use super::super::question::{Question, kind_name};
use super::super::rule::Rule;
use super::super::session::Session;
use ycsb_plugin_abi::{capability as can, kind, status};

pub(super) const RULES: &[Rule] = &[
    Rule::new("operation.declared", "Every declared operation succeeds.", declared),
    Rule::new(
        "operation.undeclared",
        "Every operation that is not declared answers NOT_IMPLEMENTED.",
        undeclared,
    ),
    Rule::new(
        "operation.unknown",
        "An operation of a later version answers NOT_IMPLEMENTED, and the session goes on.",
        unknown,
    ),
    Rule::new(
        "operation.acknowledged",
        "Writes end with UNACKNOWLEDGED exactly where UNACKNOWLEDGED_WRITES is declared.",
        acknowledged,
    ),
];

/// An operation number of no version.
const UNKNOWN_KIND: u32 = 4711;

/// Every operation kind but END, with its capability; in an order in which each finds what it needs.
const KINDS: [(u32, u64); 6] = [
    (kind::INSERT, can::INSERT),
    (kind::INSERT_BATCH, can::INSERT_BATCH),
    (kind::READ, can::READ),
    (kind::UPDATE, can::UPDATE),
    (kind::SCAN, can::SCAN),
    (kind::DELETE, can::DELETE),
];

fn question(kit: &Kit<'_>, number: u32) -> Question {
    let (key, batch_key) = (kit.key("one"), kit.key("batch"));
    match number {
        kind::INSERT => Question::insert(&key, &record(&key, 0)),
        kind::INSERT_BATCH => Question::insert_batch(vec![(batch_key.clone(), record(&batch_key, 0))]),
        kind::READ => Question::read(&key),
        kind::UPDATE => Question::update(&key, &one_field("field0", "changed")),
        kind::SCAN => Question::scan(&key, 3),
        kind::DELETE => Question::delete(&key),
        other => Question::of_kind(other, &key),
    }
}

fn declared(kit: &Kit<'_>) -> Checked {
    // A store without inserts was filled by others: what its reads find is not known.
    if !kit.can(can::INSERT | can::KEEPS_NOTHING) {
        return Err(Finding::NotSupported("the binding does not declare INSERT".to_owned()));
    }
    kit.with_session(|session| {
        for (number, _) in KINDS.into_iter().filter(|(_, bit)| kit.can(*bit)) {
            let reply = session.ask(question(kit, number))?;
            reply.succeeded(kind_name(number))?;
            for row in &reply.row_status {
                demand(kit.statuses.info(*row).success, "every row of the batch: OK", status_of(kit, *row))?;
            }
        }
        Ok(None)
    })
}

fn status_of(kit: &Kit<'_>, number: u32) -> String {
    kit.statuses.info(number).name.clone()
}

fn undeclared(kit: &Kit<'_>) -> Checked {
    let missing: Vec<u32> =
        KINDS.iter().filter(|(_, bit)| !kit.can(*bit)).map(|(number, _)| *number).collect();
    if missing.is_empty() {
        return Err(Finding::NotSupported("the binding declares every operation".to_owned()));
    }
    kit.with_session(|session| {
        for number in missing {
            let reply = session.ask(question(kit, number))?;
            reply.ended_with(kind_name(number), &[status::NOT_IMPLEMENTED])?;
        }
        Ok(None)
    })
}

fn unknown(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let reply = session.ask(question(kit, UNKNOWN_KIND))?;
        reply.ended_with("an operation of unknown kind", &[status::NOT_IMPLEMENTED])?;
        goes_on(kit, session)?;
        Ok(None)
    })
}

/// The session still answers.
fn goes_on(kit: &Kit<'_>, session: &Session) -> Result<(), Finding> {
    match kit.can(can::READ) {
        true => {
            let reply = session.ask(Question::read(&kit.key("absent")))?;
            demand(reply.status != status::PANIC, "the session goes on", reply.told())
        }
        // Saying goodbye, which every session does in the end, shows as much.
        false => Ok(()),
    }
}

fn acknowledged(kit: &Kit<'_>) -> Checked {
    let writes = [kind::INSERT, kind::UPDATE, kind::DELETE];
    let allowed: &[u32] = match kit.can(can::UNACKNOWLEDGED_WRITES) {
        true => &[status::UNACKNOWLEDGED],
        false if kit.can(can::BUFFERS_WRITES) => &[status::OK, status::BATCHED_OK],
        false => &[status::OK],
    };
    if !kit.can(can::INSERT) {
        return Err(Finding::NotSupported("the binding does not declare INSERT".to_owned()));
    }
    kit.with_session(|session| {
        for (number, _) in KINDS.iter().filter(|(number, bit)| writes.contains(number) && kit.can(*bit)) {
            let reply = session.ask(question(kit, *number))?;
            // A success of the binding's own says more than either.
            if !(reply.is_success && reply.status >= status::CUSTOM) {
                reply.ended_with(kind_name(*number), allowed)?;
            }
        }
        Ok(None)
    })
}
