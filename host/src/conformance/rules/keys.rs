//! Keys: odd, long, nearly the same.

use super::super::finding::{Checked, Finding, demand};
use super::super::kit::{Kit, record};
use super::super::question::{Question, shown};
use super::super::rule::Rule;
use super::super::session::Session;
use ycsb_plugin_abi::{capability as can, status};

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "keys.odd",
        "Keys with blanks, signs and letters of all kinds are each a key of their own, or refused with BAD_REQUEST.",
        odd,
    )
    .of_stores(can::INSERT | can::READ),
    Rule::new("keys.case", "Keys that differ in case, zeros or a blank at the end are different keys.", case)
        .of_stores(can::INSERT | can::READ),
    Rule::new(
        "keys.long",
        "A key of 100 characters is kept, one of 2,000 is kept or refused with BAD_REQUEST.",
        long,
    )
    .of_stores(can::INSERT | can::READ),
];

const ODD: [&str; 36] = [
    " ",
    "\t",
    "\n",
    "/",
    "//",
    "..",
    "\\",
    "%20",
    "%",
    "?",
    "#",
    "&",
    "=",
    "+",
    ":",
    "::",
    ";",
    ",",
    "'",
    "\"",
    "`",
    "*",
    "{}",
    "[x]",
    "(",
    "<a>",
    "|",
    "$1",
    "@",
    "^",
    "é",
    "e\u{301}",
    "Ω",
    "日本",
    "\u{1F600}",
    "' OR '1'='1",
];

fn odd(kit: &Kit<'_>) -> Checked {
    let mut keys: Vec<String> = Vec::new();
    for sign in ODD {
        keys.push(kit.key(sign));
        keys.push(kit.key(&format!("{sign}end")));
    }
    // Signs at the very beginning: the part that is the rule's own stands at the end.
    let prefix = kit.prefix();
    keys.extend(["_", "-", ".", "+", "/"].map(|sign| kit.foreign_key(format!("{sign}{prefix}"))));
    kit.with_session(|session| each_is_its_own(kit, session, &keys, true))
}

fn case(kit: &Kit<'_>) -> Checked {
    let keys =
        ["key", "KEY", "Key", "key ", "7", "07", "007", "7.0", "null", "NULL"].map(|name| kit.key(name));
    kit.with_session(|session| each_is_its_own(kit, session, &keys, false))
}

/// Writes a record under each key, then reads all of them, then deletes every second one.
fn each_is_its_own(kit: &Kit<'_>, session: &Session, keys: &[String], may_refuse: bool) -> Checked {
    let mut kept = Vec::new();
    let mut refused = Vec::new();
    for (number, key) in keys.iter().enumerate() {
        let reply = session.ask(Question::insert(key, &record("odd", number)))?;
        match reply.status {
            status::BAD_REQUEST if may_refuse => refused.push(key),
            _ => {
                reply.succeeded(&format!("INSERT of {}", shown(key.as_bytes())))?;
                kept.push((number, key));
            }
        }
    }
    for (number, key) in &kept {
        kit.holds(session, key, &record("odd", number))?;
    }
    for key in &refused {
        let reply = session.ask(Question::read(key))?;
        demand(!reply.is_success, format!("READ of {}: a failure", shown(key.as_bytes())), reply.told())?;
    }
    if kit.can(can::DELETE) {
        for (_, key) in kept.iter().step_by(2) {
            session.ask(Question::delete(key))?.succeeded(&format!("DELETE of {}", shown(key.as_bytes())))?;
        }
        for (place, (number, key)) in kept.iter().enumerate() {
            match place % 2 {
                0 => kit.is_absent(session, key)?,
                _ => kit.holds(session, key, &record("odd", number))?,
            }
        }
    }
    let names: Vec<String> = refused.iter().map(|key| shown(key.as_bytes())).collect();
    Ok((!names.is_empty()).then(|| format!("refused: {}", names.join(", "))))
}

fn long(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let of_length = |length: usize| kit.key(&"k".repeat(length - kit.prefix().len()));
        let (long, longer) = (of_length(100), of_length(2_000));
        kit.insert(session, &long, &record("long", 0))?;
        kit.holds(session, &long, &record("long", 0))?;
        let reply = session.ask(Question::insert(&longer, &record("longer", 0)))?;
        if reply.status == status::BAD_REQUEST {
            return Ok(Some("a key of 2,000 characters is refused".to_owned()));
        }
        reply.succeeded("INSERT of a key of 2,000 characters")?;
        kit.holds(session, &longer, &record("longer", 0))?;
        // Not cut off on the way.
        let cut: Result<(), Finding> = kit.holds(session, &long, &record("long", 0));
        cut.map(|()| None)
    })
}
