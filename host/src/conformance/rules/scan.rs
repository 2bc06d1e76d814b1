//! Scans.

use super::super::finding::{Checked, Finding, demand};
use super::super::kit::{Kit, Opening, one_field, record};
use super::super::question::{Question, Record, Reply, ReturnedRow, shown};
use super::super::rule::Rule;
use super::super::session::Session;
use std::collections::{BTreeMap, BTreeSet};
use ycsb_plugin_abi::capability as can;

const STORE: u64 = can::INSERT | can::SCAN;
const ORDERED: u64 = STORE | can::SCAN_ORDERED;

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "scan.rows",
        "A scan hands over whole records, none twice and no more than were asked for.",
        rows,
    )
    .of_stores(STORE),
    Rule::new("scan.order", "A scan comes in ascending order of the key's bytes.", order).of_stores(ORDERED),
    Rule::new(
        "scan.limit",
        "A scan hands over exactly as many records as were asked for, if there are so many.",
        limit,
    )
    .of_stores(ORDERED),
    Rule::new(
        "scan.start",
        "A scan begins with its start key, or with the next one if there is no such record.",
        start,
    )
    .of_stores(ORDERED),
    Rule::new("scan.end", "A scan beyond the last key is OK and without rows.", end).of_stores(ORDERED),
    Rule::new("scan.empty_table", "A scan of an empty table is OK and without rows.", empty_table)
        .of_stores(STORE),
    Rule::new("scan.nothing", "A scan of 0 records is OK and without rows.", nothing).of_stores(STORE),
    Rule::new("scan.select", "A scan hands over the fields that are wanted and no others.", select)
        .of_stores(ORDERED),
    Rule::new("scan.changes", "A scan sees what was updated, inserted and deleted.", changes)
        .of_stores(ORDERED | can::UPDATE | can::DELETE),
    Rule::new("scan.long", "A scan of 500 records hands over all of them.", long).of_stores(ORDERED),
    Rule::new(
        "scan.without_values",
        "A scan whose values nobody wants counts the same number of rows.",
        without_values,
    )
    .of_stores(ORDERED),
];

/// Records of a rule by key, which is the order in which a scan has to return them.
type Records = BTreeMap<String, Record>;

/// Inserts a record under each name, in this order.
fn insert_all<'n>(
    kit: &Kit<'_>,
    session: &Session,
    names: impl IntoIterator<Item = &'n str>,
) -> Result<Records, Finding> {
    let mut records = Records::new();
    for name in names {
        let key = kit.key(name);
        let fields = record(&key, "scanned");
        kit.insert(session, &key, &fields)?;
        records.insert(key, fields);
    }
    Ok(records)
}

/// Names of some records, in an order that is not that of the keys.
fn shuffled(count: usize) -> Vec<String> {
    // 7 has no divisor in common with the counts in use.
    (0..count).map(|at| format!("{:04}", (at * 7 + 3) % count)).collect()
}

fn success(reply: &Reply, told: &str) -> Result<(), Finding> {
    reply.succeeded(told)?;
    let (counted, came) = (reply.counted_rows, reply.rows.len());
    demand(counted == came as u64, format!("{told}: as many rows as are counted ({counted})"), came)
}

/// A row is this record, and has its key if it has one.
fn is_record(row: &ReturnedRow, told: &str, key: &str, fields: &Record) -> Result<(), Finding> {
    let is_key = row.key.is_empty() || row.key == key.as_bytes();
    demand(is_key, format!("{told}: the record of {}", shown(key.as_bytes())), shown(&row.key))?;
    row.holds(&format!("{told}, record of {}", shown(key.as_bytes())), fields)
}

/// A scan that has to begin with these records, and to end with them if it wants no more.
fn scanned<'r>(
    kit: &Kit<'_>,
    session: &Session,
    start: &str,
    limit: u64,
    expected: impl IntoIterator<Item = (&'r String, &'r Record)>,
) -> Result<(), Finding> {
    let expected: Vec<_> = expected.into_iter().collect();
    kit.once_settled(|| {
        let question = Question::scan(start, limit);
        let told = question.told();
        let reply = session.ask(question)?;
        success(&reply, &told)?;
        let came = reply.rows.len();
        demand(came as u64 <= limit, format!("{told}: at most {limit} rows"), came)?;
        demand(came >= expected.len(), format!("{told}: {} rows", expected.len()), came)?;
        for (row, (key, fields)) in reply.rows.iter().zip(&expected) {
            is_record(row, &told, key, fields)?;
        }
        Ok(())
    })
}

fn rows(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let names = shuffled(20);
        let records = insert_all(kit, session, names.iter().map(String::as_str))?;
        let by_mark: BTreeMap<&[u8], (&String, &Record)> =
            records.iter().map(|(key, fields)| (fields["field0"].as_slice(), (key, fields))).collect();
        let first = records.keys().next().cloned().unwrap_or_default();
        for limit in [1, 5, 20] {
            let question = Question::scan(&first, limit);
            let told = question.told();
            let reply = session.ask(question)?;
            success(&reply, &told)?;
            demand(
                reply.rows.len() as u64 <= limit,
                format!("{told}: at most {limit} rows"),
                reply.rows.len(),
            )?;
            let mut seen = BTreeSet::new();
            for row in &reply.rows {
                // Records of others may lie between those of this rule.
                let mark = row.fields.iter().find(|(name, _)| name == b"field0").map(|(_, value)| value);
                let Some((key, fields)) = mark.and_then(|mark| by_mark.get(mark.as_slice())) else {
                    continue;
                };
                is_record(row, &told, key, fields)?;
                demand(seen.insert(*key), format!("{told}: every record once"), format!("{key} again"))?;
            }
        }
        Ok(None)
    })
}

fn order(kit: &Kit<'_>) -> Checked {
    let names = [
        "b", "B", "a", "aa", "a!", "a~", "a-b", "a_b", "10", "9", "1", "é", "z", "Z", "~", "日", "a b", "a.b",
    ];
    kit.with_session(|session| {
        let records = insert_all(kit, session, names)?;
        scanned(kit, session, &kit.prefix(), names.len() as u64, &records)?;
        Ok(None)
    })
}

fn limit(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let names = shuffled(20);
        let records = insert_all(kit, session, names.iter().map(String::as_str))?;
        for limit in [1, 2, 7, 19, 20] {
            scanned(kit, session, &kit.prefix(), limit, records.iter().take(limit as usize))?;
        }
        Ok(None)
    })
}

fn start(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let names = shuffled(10);
        let records = insert_all(kit, session, names.iter().map(String::as_str))?;
        for (start, skipped) in [("0000", 0), ("0003", 3), ("0003x", 4), ("00029", 3), ("", 0), ("0009", 9)] {
            let start = kit.key(start);
            scanned(
                kit,
                session,
                &start,
                3.min(10 - skipped),
                records.iter().skip(skipped as usize).take(3),
            )?;
        }
        Ok(None)
    })
}

fn without_rows(session: &Session, question: Question) -> Result<(), Finding> {
    let told = question.told();
    let reply = session.ask(question)?;
    success(&reply, &told)?;
    demand(reply.rows.is_empty(), format!("{told}: no rows"), format!("{} rows", reply.rows.len()))
}

fn end(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        insert_all(kit, session, ["only"])?;
        // Above all keys that anybody has.
        without_rows(session, Question::scan("\u{10FFFF}\u{10FFFF}", 10))?;
        Ok(None)
    })
}

fn empty_table(kit: &Kit<'_>) -> Checked {
    if !kit.may_empty.get() {
        return Err(Finding::NotSupported("the kit may not empty this store (check.fresh)".to_owned()));
    }
    kit.with_opening(&Opening { fresh: true, ..kit.opening() }, |sessions| {
        without_rows(&sessions[0], Question::scan("a", 10))?;
        Ok(None)
    })
}

fn nothing(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        insert_all(kit, session, ["a", "b"])?;
        without_rows(session, Question::scan(&kit.key("a"), 0))?;
        Ok(None)
    })
}

fn select(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let records = insert_all(kit, session, ["a", "b", "c"])?;
        for wanted in [&["field6"][..], &["field2", "field9"]] {
            kit.once_settled(|| {
                let told = format!("SCAN of {}", wanted.join(", "));
                let reply = session.ask(Question::scan(&kit.prefix(), 3).select(wanted))?;
                success(&reply, &told)?;
                demand(reply.rows.len() == 3, format!("{told}: 3 rows"), reply.rows.len())?;
                for (row, (key, whole)) in reply.rows.iter().zip(&records) {
                    let part = wanted.iter().map(|name| ((*name).to_owned(), whole[*name].clone()));
                    is_record(row, &told, key, &part.collect())?;
                }
                Ok(())
            })?;
        }
        Ok(None)
    })
}

fn changes(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let mut records = insert_all(kit, session, ["a", "c", "e"])?;
        scanned(kit, session, &kit.prefix(), 3, &records)?;
        let change = one_field("field1", "changed");
        let (changed, deleted) = (kit.key("a"), kit.key("c"));
        session.ask(Question::update(&changed, &change))?.succeeded("UPDATE")?;
        session.ask(Question::delete(&deleted))?.succeeded("DELETE")?;
        records.entry(changed).or_default().extend(change);
        records.remove(&deleted);
        records.extend(insert_all(kit, session, ["b", "d"])?);
        scanned(kit, session, &kit.prefix(), 4, &records)?;
        Ok(None)
    })
}

fn long(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let names = shuffled(500);
        let records = insert_all(kit, session, names.iter().map(String::as_str))?;
        scanned(kit, session, &kit.prefix(), 500, &records)?;
        Ok(None)
    })
}

fn without_values(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        insert_all(kit, session, ["a", "b", "c", "d"])?;
        kit.once_settled(|| {
            let reply = session.ask(Question::scan(&kit.prefix(), 3).without_values())?;
            reply.succeeded("SCAN without values")?;
            demand(reply.rows.is_empty(), "no row", "rows were handed over that nobody wants")?;
            demand(reply.counted_rows == 3, "SCAN without values: 3 rows counted", reply.counted_rows)
        })?;
        Ok(None)
    })
}
