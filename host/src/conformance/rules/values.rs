//! Values: empty, of any text, of any bytes, of any length.

use super::super::finding::{Checked, Finding, demand};
use super::super::kit::{FIELDS, Kit, one_field, record};
use super::super::question::{Question, Record};
use super::super::rule::Rule;
use super::super::session::Session;
use ycsb_plugin_abi::{capability as can, status};

pub(super) const RULES: &[Rule] = &[
    Rule::new("values.empty", "An empty value is kept, and is not the same as an absent field.", empty)
        .of_stores(can::INSERT | can::READ),
    Rule::new("values.text", "Text in UTF-8 is kept as it is, whatever signs it holds.", text)
        .of_stores(can::INSERT | can::READ),
    Rule::new(
        "values.bytes",
        "Bytes that are no text are kept as they are, or refused with BAD_REQUEST and not written at all.",
        bytes,
    )
    .of_stores(can::INSERT | can::READ),
    Rule::new("values.lengths", "Values of 1 to 65,536 bytes are kept.", lengths)
        .of_stores(can::INSERT | can::READ),
    Rule::new(
        "values.large",
        "A value of 1 MB is kept, or refused with BAD_REQUEST and not written at all.",
        large,
    )
    .of_stores(can::INSERT | can::READ),
];

/// Inserts a record with a value and, where it can, updates another to it. Whether the value was kept; if not,
/// it was refused in a clean way.
fn is_kept(kit: &Kit<'_>, session: &Session, name: &str, value: &[u8]) -> Result<bool, Finding> {
    let (key, other) = (kit.key(name), kit.key(&format!("{name}-updated")));
    let mut whole = record(&key, 0);
    whole.insert("field4".to_owned(), value.to_vec());
    let reply = session.ask(Question::insert(&key, &whole))?;
    let kept = reply.status != status::BAD_REQUEST;
    if kept {
        reply.succeeded(&format!("INSERT with {name}"))?;
        kit.holds(session, &key, &whole)?;
    } else {
        demand(!reply.detail.is_empty(), "BAD_REQUEST with a reason", "BAD_REQUEST alone")?;
        kit.is_absent(session, &key)?;
    }
    if kit.can(can::UPDATE) {
        let mut expected = record(&other, 0);
        kit.insert(session, &other, &expected)?;
        let update = session.ask(Question::update(&other, &one_field("field4", value)))?;
        match kept {
            true => {
                update.succeeded(&format!("UPDATE to {name}"))?;
                expected.insert("field4".to_owned(), value.to_vec());
            }
            false => update.ended_with(&format!("UPDATE to {name}"), &[status::BAD_REQUEST])?,
        }
        kit.holds(session, &other, &expected)?;
    }
    Ok(kept)
}

/// The values have to be kept.
fn keeps(kit: &Kit<'_>, values: &[(&str, Vec<u8>)]) -> Checked {
    kit.with_session(|session| {
        for (name, value) in values {
            let kept = is_kept(kit, session, name, value)?;
            demand(kept, format!("{name}: kept"), "BAD_REQUEST")?;
        }
        Ok(None)
    })
}

/// The values may be refused.
fn keeps_or_refuses(kit: &Kit<'_>, values: &[(&str, Vec<u8>)]) -> Checked {
    kit.with_session(|session| {
        let mut refused = Vec::new();
        for (name, value) in values {
            if !is_kept(kit, session, name, value)? {
                refused.push(*name);
            }
        }
        Ok((!refused.is_empty()).then(|| format!("refused: {}", refused.join(", "))))
    })
}

fn empty(kit: &Kit<'_>) -> Checked {
    keeps(kit, &[("an empty value", Vec::new())])?;
    kit.with_session(|session| {
        let key = kit.key("all-empty");
        let whole: Record = FIELDS.iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
        kit.insert(session, &key, &whole)?;
        kit.holds(session, &key, &whole)?;
        Ok(None)
    })
}

fn text(kit: &Kit<'_>) -> Checked {
    let signs = "'\"`\\ /%_$&|<>{}[]();--#*?!\t\r\n \u{a0}:=,";
    let letters = "äßéĀ日本語кОд\u{1F600}\u{10FFFF}e\u{301}\u{feff}\u{202e}";
    let numbers =
        ["007", "-1e5", "NaN", "null", "true", "{\"a\":1}", "2026-11-30T00:00:00Z", " ", "\\x00", "%s"];
    let mut values = vec![("signs", signs.as_bytes().to_vec()), ("letters", letters.as_bytes().to_vec())];
    values.extend(numbers.iter().map(|text| ("words", text.as_bytes().to_vec())).take(1));
    keeps(kit, &values)?;
    kit.with_session(|session| {
        let key = kit.key("words-of-all-kinds");
        let words =
            FIELDS.iter().zip(numbers).map(|(name, word)| ((*name).to_owned(), word.as_bytes().to_vec()));
        let whole: Record = words.collect();
        kit.insert(session, &key, &whole)?;
        kit.holds(session, &key, &whole)?;
        Ok(None)
    })
}

fn bytes(kit: &Kit<'_>) -> Checked {
    keeps_or_refuses(
        kit,
        &[
            ("all bytes", (0..=255).collect()),
            ("a zero byte", b"a\0b".to_vec()),
            ("broken UTF-8", b"\xff\xfe\xc3(\xa0\xa1".to_vec()),
        ],
    )
}

fn lengths(kit: &Kit<'_>) -> Checked {
    const LENGTHS: [usize; 10] = [1, 2, 127, 128, 255, 256, 4_095, 16_384, 65_535, 65_536];
    kit.with_session(|session| {
        let key = kit.key("long");
        let letters = |length: usize| (0..length).map(|at| b'a' + (at % 26) as u8).collect::<Vec<u8>>();
        let whole: Record =
            FIELDS.iter().zip(LENGTHS).map(|(name, length)| ((*name).to_owned(), letters(length))).collect();
        kit.insert(session, &key, &whole)?;
        kit.holds(session, &key, &whole)?;
        Ok(None)
    })
}

fn large(kit: &Kit<'_>) -> Checked {
    keeps_or_refuses(kit, &[("1 MB", vec![b'x'; 1_000_000])])
}
