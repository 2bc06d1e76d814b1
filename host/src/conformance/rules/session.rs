//! Sessions: their end, threads, and one another.

use super::super::finding::{Checked, Finding, different};
use super::super::kit::{Kit, record};
use super::super::question::{Question, Record};
use super::super::rule::Rule;
use super::super::session::Session;
use ycsb_plugin_abi::capability as can;

pub(super) const RULES: &[Rule] = &[
    Rule::new("session.end", "A session that did nothing says goodbye, as one of several and alone.", end),
    Rule::new("session.reopened", "After a goodbye the client opens a new session, which goes on.", reopened)
        .of_stores(can::INSERT | can::READ),
    Rule::new("session.moves", "A session goes on in another thread.", moves)
        .of_stores(can::INSERT | can::READ),
    Rule::new(
        "session.concurrent",
        "Sessions that work at the same time read what they wrote themselves, and later what the others wrote.",
        concurrent,
    )
    .of_stores(can::INSERT | can::READ),
];

fn end(kit: &Kit<'_>) -> Checked {
    kit.with_sessions(3, |_| Ok(None))?;
    kit.with_session(|_| Ok(None))
}

fn reopened(kit: &Kit<'_>) -> Checked {
    let key = kit.key("one");
    kit.with_session(|session| {
        kit.insert(session, &key, &record(&key, 0))?;
        for _ in 0..3 {
            session.ask(Question::end())?.succeeded("END")?;
            session.open()?.opened()?;
            kit.holds(session, &key, &record(&key, 0))?;
        }
        Ok(None)
    })
}

fn moves(kit: &Kit<'_>) -> Checked {
    kit.with_sessions(3, |sessions| {
        for round in 0..20 {
            for (number, session) in sessions.iter().enumerate() {
                let key = kit.key(&format!("{number}-{round}"));
                session.pass_on();
                kit.insert(session, &key, &record(&key, round))?;
                session.pass_on();
                kit.holds(session, &key, &record(&key, round))?;
            }
        }
        Ok(None)
    })
}

const SESSIONS: usize = 8;
const ROUNDS: usize = 20;

/// Each session inserts, reads, updates and reads a record of its own in every round. All operations of a round
/// are handed out before the first answer is awaited.
fn concurrent(kit: &Kit<'_>) -> Checked {
    if kit.can(can::UNACKNOWLEDGED_WRITES) {
        return Err(Finding::NotSupported("writes are not acknowledged, so reads may miss them".to_owned()));
    }
    kit.with_sessions(SESSIONS, |sessions| {
        for round in 0..ROUNDS {
            for (number, session) in sessions.iter().enumerate() {
                let (key, inserted, changed) = part(kit, number, round);
                session.send(Question::insert(&key, &inserted));
                session.send(Question::read(&key));
                if kit.can(can::UPDATE) {
                    session.send(Question::update(&key, &changed));
                    session.send(Question::read(&key));
                }
            }
            for (number, session) in sessions.iter().enumerate() {
                let (key, mut expected, changed) = part(kit, number, round);
                let what = |name: &str| format!("{name} of {key} by session {number} of {SESSIONS}");
                session.reply()?.succeeded(&what("INSERT"))?;
                session.reply()?.returned(&what("READ"), &expected)?;
                if kit.can(can::UPDATE) {
                    session.reply()?.succeeded(&what("UPDATE"))?;
                    expected.extend(changed);
                    session.reply()?.returned(&what("READ"), &expected)?;
                }
            }
        }
        for (number, session) in sessions.iter().enumerate() {
            reads_of_others(kit, session, number)?;
        }
        Ok(None)
    })
}

fn part(kit: &Kit<'_>, number: usize, round: usize) -> (String, Record, Record) {
    let key = kit.key(&format!("{number}-{round}"));
    let inserted = record(&key, number);
    let changed = record(&key, "changed").into_iter().take(2).collect();
    (key, inserted, changed)
}

fn reads_of_others(kit: &Kit<'_>, session: &Session, number: usize) -> Result<(), Finding> {
    for other in (0..SESSIONS).filter(|other| *other != number) {
        let (key, mut expected, changed) = part(kit, other, ROUNDS - 1);
        if kit.can(can::UPDATE) {
            expected.extend(changed);
        }
        let what = format!("session {number} reads what session {other} wrote");
        kit.holds(session, &key, &expected).map_err(|finding| match finding {
            Finding::Different { expected, came } => different(format!("{what}: {expected}"), came),
            other => other,
        })?;
    }
    Ok(())
}
