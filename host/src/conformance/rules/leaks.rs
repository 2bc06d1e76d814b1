//! What sessions and bindings leave behind.

use super::super::finding::{Checked, Finding, demand};
use super::super::footprint::{Footprint, growth};
use super::super::kit::Kit;
use super::super::question::Question;
use super::super::rule::Rule;
use super::super::session::Session;
use std::time::{Duration, Instant};
use ycsb_plugin_abi::{capability as can, status};

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "leaks.sessions",
        "Sessions that are opened and closed again and again leave no threads, files or memory behind.",
        sessions,
    ),
    Rule::new(
        "leaks.bindings",
        "Bindings that are opened and closed again and again leave no threads, files or memory behind.",
        bindings,
    ),
];

/// Readings are taken after each of so many equal parts.
const PARTS: u64 = 4;
/// Time after which fewer cycles have to do.
const LONG_ENOUGH: Duration = Duration::from_secs(10);

/// Repeats something in equal parts, with a reading after each.
fn repeated(cycles: u64, mut once: impl FnMut() -> Result<(), Finding>) -> Checked {
    // The first goes uncounted: it loads what is loaded once.
    once()?;
    let began = Instant::now();
    let before = Footprint::read();
    let mut readings = vec![before];
    let mut per_part = (cycles / PARTS).max(1);
    for part in 0..PARTS {
        let mut done = 0;
        while done < per_part {
            once()?;
            done += 1;
            let slow = began.elapsed() > LONG_ENOUGH / PARTS as u32;
            if part == 0 && slow && done >= 5 {
                per_part = done;
            }
        }
        readings.push(Footprint::read_settled(&before));
    }
    let grown = growth(&readings, per_part);
    demand(grown.is_none(), "no growth", grown.unwrap_or_default())?;
    Ok((per_part * PARTS < cycles).then(|| format!("{} cycles, more would take too long", per_part * PARTS)))
}

fn one_operation(kit: &Kit<'_>, session: &Session, key: &str) -> Result<(), Finding> {
    if kit.can(can::READ) {
        let reply = session.ask(Question::read(key))?;
        let answered = reply.is_success || reply.status == status::NOT_FOUND;
        demand(answered, "READ: NOT_FOUND or OK", reply.told())?;
    }
    Ok(())
}

fn sessions(kit: &Kit<'_>) -> Checked {
    // Made once: the kit remembers its keys, which must not count as growth.
    let key = kit.key("absent");
    kit.with_session(|session| {
        let mut is_first = true;
        let remark = repeated(kit.own.cycles, || {
            if !std::mem::take(&mut is_first) {
                session.open()?.opened()?;
            }
            one_operation(kit, session, &key)?;
            session.ask(Question::end())?.succeeded("END")
        })?;
        // The last of them says goodbye again with all others.
        session.open()?.opened()?;
        Ok(remark)
    })
}

fn bindings(kit: &Kit<'_>) -> Checked {
    let key = kit.key("absent");
    repeated(kit.own.cycles, || {
        kit.with_session(|session| one_operation(kit, session, &key).map(|()| None)).map(drop)
    })
}
