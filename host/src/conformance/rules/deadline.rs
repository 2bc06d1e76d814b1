//! Operations that are cut short: by their deadline, or because the run is over.

use super::super::finding::{Checked, Finding, demand};
use super::super::kit::{Kit, record};
use super::super::question::{Question, Reply};
use super::super::rule::Rule;
use super::super::session::{Gathering, Session};
use crate::base::clock::{Clock, HostClock};
use std::time::{Duration, Instant};
use ycsb_plugin_abi::{capability as can, status};

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "deadline.kept",
        "Operations with a deadline end by it or soon after, as usual or with TIMEOUT.",
        kept,
    ),
    Rule::new(
        "deadline.after",
        "A session whose operations were cut short by their deadlines answers the next ones rightly.",
        after,
    )
    .of_stores(can::INSERT | can::READ),
    Rule::new("cancel.returns", "Told that the run is over, operations in flight return soon.", returns),
    Rule::new(
        "cancel.after",
        "After a run was cut short the store opens again and holds what it held before.",
        again,
    )
    .of_stores(can::INSERT | can::READ),
    Rule::new(
        "cancel.next_run",
        "An async binding runs clients again after a run that was cut short.",
        next_run,
    ),
];

/// How late an operation may be: the host would wait as long by default.
const GRACE: Duration = Duration::from_secs(2);
const RECORDS: usize = 20;

fn keys(kit: &Kit<'_>) -> Vec<String> {
    (0..RECORDS).map(|number| kit.key(&format!("{number:02}"))).collect()
}

/// Inserts the rule's records, those that are missing.
fn fill(kit: &Kit<'_>, session: &Session) -> Result<Vec<String>, Finding> {
    let keys = keys(kit);
    for key in &keys {
        let is_there = kit.can(can::READ) && session.ask(Question::read(key).without_values())?.is_success;
        if kit.can(can::INSERT) && !is_there {
            kit.insert(session, key, &record(key, "of a deadline"))?;
        }
    }
    Ok(keys)
}

/// Operations with deadlines from the past up to some milliseconds from now. How many were cut short.
fn hurried(kit: &Kit<'_>, session: &Session, keys: &[String]) -> Result<usize, Finding> {
    let reads = kit.can(can::READ);
    let scans = kit.can(can::SCAN);
    let mut cut_short = 0;
    for (number, key) in keys.iter().cycle().take(6 * keys.len()).enumerate() {
        let question = match (number % 4 == 3 && scans, reads) {
            (true, _) => Question::scan(key, RECORDS as u64),
            (false, true) => Question::read(key),
            (false, false) => Question::of_kind(ycsb_plugin_abi::kind::READ, key),
        };
        let from_now_ns = [0, 1, 20_000, 50_000, 100_000, 300_000, 1_000_000][number % 7];
        let deadline_ns = (HostClock::new().now_ns() + from_now_ns).saturating_sub(1).max(1);
        let reply = session.ask(question.deadline_ns(deadline_ns))?;
        if !reads && !scans {
            break;
        }
        let ended = reply.is_success || reply.status == status::TIMEOUT;
        let within = format!("an operation with {from_now_ns} ns left");
        // A record that is not there is as good an answer where nothing could be written.
        let absent = reply.status == status::NOT_FOUND && !kit.can(can::INSERT);
        demand(ended || absent, format!("{within}: OK or TIMEOUT"), reply.told())?;
        let took = Duration::from_nanos(reply.took_ns);
        demand(
            took < GRACE,
            format!("{within}: an answer by {GRACE:?} after its deadline"),
            format!("{took:?}"),
        )?;
        cut_short += usize::from(reply.status == status::TIMEOUT);
    }
    Ok(cut_short)
}

fn kept(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let keys = fill(kit, session)?;
        let cut_short = hurried(kit, session, &keys)?;
        Ok(Some(format!("{cut_short} of {} were cut short", 6 * keys.len())))
    })
}

fn after(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let keys = fill(kit, session)?;
        for _ in 0..3 {
            hurried(kit, session, &keys)?;
            for key in keys.iter().rev() {
                kit.holds(session, key, &record(key, "of a deadline"))?;
            }
        }
        Ok(None)
    })
}

/// How long sessions work before the run is cut short.
const WORK: Duration = Duration::from_millis(50);
const SESSIONS: usize = 4;

fn next_question(kit: &Kit<'_>, keys: &[String], number: usize) -> Option<Question> {
    let key = &keys[number % keys.len()];
    match (kit.can(can::SCAN) && number % 2 == 1, kit.can(can::READ)) {
        (true, _) => Some(Question::scan(key, 10 * RECORDS as u64)),
        (false, true) => Some(Question::read(key)),
        (false, false) => None,
    }
}

/// Keeps two operations of every session handed out for a while.
fn work(kit: &Kit<'_>, sessions: &Gathering, keys: &[String]) -> Result<Vec<Reply>, Finding> {
    let mut replies = Vec::new();
    let until = Instant::now() + WORK;
    let mut number = 0;
    let mut send = |session: &Session| {
        number += 1;
        if let Some(question) = next_question(kit, keys, number) {
            session.send(question);
        }
    };
    for session in sessions.sessions() {
        send(session);
        send(session);
    }
    while Instant::now() < until {
        for session in sessions.sessions() {
            while let Some(reply) = session.arrived() {
                replies.push(reply);
                send(session);
            }
        }
        std::thread::sleep(Duration::from_micros(50));
    }
    Ok(replies)
}

/// Opens sessions, lets them work, interrupts them and ends all clients.
fn cut_short(
    kit: &Kit<'_>,
    then: impl FnOnce(&super::super::kit::OpenBinding<'_>) -> Result<(), Finding>,
) -> Checked {
    let opening = super::super::kit::Opening { clients: SESSIONS, ..kit.opening() };
    let binding = kit.open(&opening)?;
    let sessions = binding.gather(SESSIONS)?;
    sessions.open_all()?;
    let keys = fill(kit, &sessions.sessions()[0])?;
    let replies = work(kit, &sessions, &keys)?;
    for reply in &replies {
        demand(reply.status != status::PANIC, "operations that do not panic", reply.told())?;
    }
    binding.interrupt()?;
    sessions.abandon()?;
    then(&binding)?;
    binding.close()?;
    Ok(None)
}

fn returns(kit: &Kit<'_>) -> Checked {
    cut_short(kit, |_| Ok(()))
}

fn again(kit: &Kit<'_>) -> Checked {
    // Written by sessions that said goodbye, before those that do not.
    kit.with_session(|session| fill(kit, session).map(|_| None))?;
    cut_short(kit, |_| Ok(()))?;
    kit.with_session(|session| {
        for key in keys(kit) {
            kit.holds(session, &key, &record(&key, "of a deadline"))?;
        }
        Ok(None)
    })
}

fn next_run(kit: &Kit<'_>) -> Checked {
    if !kit.settled.info().is_async {
        return Err(Finding::NotSupported("the binding is blocking".to_owned()));
    }
    cut_short(kit, |binding| {
        let sessions = binding.gather(SESSIONS)?;
        sessions.open_all()?;
        if kit.can(can::READ) {
            for session in sessions.sessions() {
                let reply = session.ask(Question::read(&kit.key("00")))?;
                reply.succeeded("READ in the next run")?;
            }
        }
        sessions.leave()
    })
}
