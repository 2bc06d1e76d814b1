//! Batches of inserts.

use super::super::finding::{Checked, Finding, demand, status_name};
use super::super::kit::{Kit, record};
use super::super::question::{Question, Record, Reply};
use super::super::rule::Rule;
use ycsb_plugin_abi::{capability as can, status};

const NEEDS: u64 = can::INSERT_BATCH | can::READ;

pub(super) const RULES: &[Rule] = &[
    Rule::new("batch.all", "Every row of a batch is OK and read afterwards, in batches of 1 to a full one.", all)
        .of_stores(NEEDS),
    Rule::new(
        "batch.existing",
        "A row whose key exists fails by itself, or overwrites with INSERT_OVERWRITES; the other rows are written.",
        existing,
    )
    .of_stores(NEEDS | can::INSERT),
    Rule::new(
        "batch.twice",
        "Of two rows with one key in a batch the first is written, and the second fails or overwrites it.",
        twice,
    )
    .of_stores(NEEDS),
    Rule::new("batch.refused", "A row that cannot be stored fails by itself; the other rows are written.", refused)
        .of_stores(NEEDS | can::INSERT),
    Rule::new("batch.after", "A session goes on after a batch with failures.", after)
        .of_stores(NEEDS | can::INSERT),
];

fn rows_of(kit: &Kit<'_>, name: &str, count: usize) -> Vec<(String, Record)> {
    (0..count)
        .map(|number| {
            let key = kit.key(&format!("{name}-{number:04}"));
            let fields = record(&key, "batched");
            (key, fields)
        })
        .collect()
}

/// Whether a row's status counts as a success, as the binding's manifest has it.
fn is_written(kit: &Kit<'_>, row_status: u32) -> bool {
    kit.statuses.is_declared(row_status) && kit.statuses.info(row_status).success
}

fn row_written(kit: &Kit<'_>, reply: &Reply, row: usize, what: &str) -> Result<(), Finding> {
    let came = reply.row_status[row];
    demand(is_written(kit, came), format!("{what}: OK"), format!("{} ({})", status_name(came), reply.detail))
}

fn all(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        for count in [1, 2, 10, kit.batch_size] {
            let rows = rows_of(kit, &format!("of{count}"), count);
            let told = format!("INSERT_BATCH of {count} rows");
            let reply = session.ask(Question::insert_batch(rows.clone()))?;
            reply.succeeded(&told)?;
            for row in 0..count {
                row_written(kit, &reply, row, &format!("{told}: row {row}"))?;
            }
            let counted = reply.counted_rows;
            demand(counted == count as u64, format!("{told}: {count} rows counted"), counted)?;
            for (key, fields) in &rows {
                kit.holds(session, key, fields)?;
            }
        }
        Ok(None)
    })
}

fn existing(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let rows = rows_of(kit, "row", 5);
        let (key, second) = rows[2].clone();
        let first = record(&key, "there before");
        kit.insert(session, &key, &first)?;
        let reply = session.ask(Question::insert_batch(rows.clone()))?;
        for (row, (key, fields)) in rows.iter().enumerate().filter(|(row, _)| *row != 2) {
            row_written(kit, &reply, row, &format!("row {row} beside an existing key"))?;
            kit.holds(session, key, fields)?;
        }
        let came = reply.row_status[2];
        if kit.can(can::INSERT_OVERWRITES) {
            row_written(kit, &reply, 2, "the row of an existing key (INSERT_OVERWRITES)")?;
            kit.holds(session, &key, &second)?;
        } else {
            let duplicate = came == status::DUPLICATE || !kit.can(can::DETECTS_DUPLICATES);
            demand(duplicate, "the row of an existing key: DUPLICATE", status_name(came))?;
            demand(!is_written(kit, came), "the row of an existing key: a failure", status_name(came))?;
            kit.holds(session, &key, &first)?;
        }
        Ok(None)
    })
}

fn twice(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let mut rows = rows_of(kit, "row", 3);
        let (key, first) = rows[0].clone();
        let second = record(&key, "a second time");
        rows.insert(1, (key.clone(), second.clone()));
        let reply = session.ask(Question::insert_batch(rows.clone()))?;
        for (row, (key, fields)) in rows.iter().enumerate().skip(2) {
            row_written(kit, &reply, row, &format!("row {row} beside a key that comes twice"))?;
            kit.holds(session, key, fields)?;
        }
        row_written(kit, &reply, 0, "the first row of a key that comes twice")?;
        let second_written = is_written(kit, reply.row_status[1]);
        let may = second_written == kit.can(can::INSERT_OVERWRITES);
        demand(
            may,
            "the second row of a key that comes twice: OK with INSERT_OVERWRITES, else a failure",
            status_name(reply.row_status[1]),
        )?;
        kit.holds(session, &key, if second_written { &second } else { &first })?;
        Ok(None)
    })
}

fn refused(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let mut bad = None;
        for value in [b"\xff\xfe".to_vec(), b"a\0b".to_vec(), vec![b'x'; 1_000_000]] {
            let key = kit.key("single");
            let mut fields = record(&key, 0);
            fields.insert("field4".to_owned(), value.clone());
            if session.ask(Question::insert(&key, &fields))?.status == status::BAD_REQUEST {
                bad = Some(value);
                break;
            }
            if kit.can(can::DELETE) {
                session.ask(Question::delete(&key))?;
            }
        }
        let Some(value) = bad else {
            return Err(Finding::NotSupported("the binding refuses no value of up to 1 MB".to_owned()));
        };
        let mut rows = rows_of(kit, "row", 4);
        rows[1].1.insert("field4".to_owned(), value);
        let reply = session.ask(Question::insert_batch(rows.clone()))?;
        for (row, (key, fields)) in rows.iter().enumerate().filter(|(row, _)| *row != 1) {
            row_written(kit, &reply, row, &format!("row {row} beside one that cannot be stored"))?;
            kit.holds(session, key, fields)?;
        }
        let came = reply.row_status[1];
        demand(came == status::BAD_REQUEST, "the row that cannot be stored: BAD_REQUEST", status_name(came))?;
        kit.is_absent(session, &rows[1].0)?;
        Ok(None)
    })
}

fn after(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let rows = rows_of(kit, "row", 3);
        session.ask(Question::insert_batch(rows.clone()))?.succeeded("INSERT_BATCH of new keys")?;
        let again = session.ask(Question::insert_batch(rows.clone()))?;
        let all_failed = (0..rows.len()).all(|row| !is_written(kit, again.row_status[row]));
        let expected = if kit.can(can::INSERT_OVERWRITES) { "every row: OK" } else { "every row: a failure" };
        let names: Vec<String> = again.row_status.iter().map(|number| status_name(*number)).collect();
        let holds = all_failed != kit.can(can::INSERT_OVERWRITES);
        demand(holds, format!("INSERT_BATCH of existing keys, {expected}"), names.join(", "))?;
        let key = kit.key("single");
        kit.insert(session, &key, &record(&key, 0))?;
        kit.holds(session, &key, &record(&key, 0))?;
        kit.holds(session, &rows[0].0, &rows[0].1)?;
        Ok(None)
    })
}
