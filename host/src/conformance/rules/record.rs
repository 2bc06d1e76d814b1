//! Single records: insert, read, update, delete.

use super::super::finding::{Checked, demand};
use super::super::kit::{FIELDS, Kit, one_field, record};
use super::super::question::{Question, Record};
use super::super::rule::Rule;
use ycsb_plugin_abi::{capability as can, status};

pub(super) const RULES: &[Rule] = &[
    Rule::new("record.insert", "A record that was inserted is read with all its fields and values.", insert)
        .of_stores(can::INSERT | can::READ),
    Rule::new("record.read_absent", "A read of an absent record answers NOT_FOUND.", read_absent)
        .of_stores(can::READ),
    Rule::new("record.update", "An update changes the fields that it names and keeps all others.", update)
        .of_stores(can::INSERT | can::READ | can::UPDATE),
    Rule::new("record.update_same", "An update to the value that is there already succeeds.", update_same)
        .of_stores(can::INSERT | can::READ | can::UPDATE),
    Rule::new(
        "record.update_absent",
        "An update of an absent record answers NOT_FOUND and creates nothing; with UPDATE_CREATES it creates.",
        update_absent,
    )
    .of_stores(can::READ | can::UPDATE),
    Rule::new("record.delete", "A deleted record is absent, and its key can be inserted again.", delete)
        .of_stores(can::INSERT | can::READ | can::DELETE),
    Rule::new("record.delete_absent", "A delete of an absent record answers NOT_FOUND.", delete_absent)
        .of_stores(can::DELETE),
    Rule::new(
        "record.insert_again",
        "An insert of an existing key overwrites with INSERT_OVERWRITES, otherwise it changes nothing; \
         with DETECTS_DUPLICATES it answers DUPLICATE.",
        insert_again,
    )
    .of_stores(can::INSERT | can::READ),
    Rule::new("record.select", "A read hands over the fields that are wanted and no others.", select)
        .of_stores(can::INSERT | can::READ),
    Rule::new("record.select_missing", "A wanted field that the record lacks is left out.", select_missing)
        .of_stores(can::INSERT | can::READ),
    Rule::new(
        "record.without_values",
        "A read whose values nobody wants ends as it does otherwise.",
        without_values,
    )
    .of_stores(can::INSERT | can::READ),
];

fn insert(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        for number in 0..3 {
            let key = kit.key(&number.to_string());
            kit.insert(session, &key, &record(&key, number))?;
        }
        for number in (0..3).rev() {
            let key = kit.key(&number.to_string());
            kit.holds(session, &key, &record(&key, number))?;
        }
        Ok(None)
    })
}

fn read_absent(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        kit.is_absent(session, &kit.key("absent"))?;
        let selected = session.ask(Question::read(&kit.key("absent")).select(&["field0"]))?;
        selected.ended_with("READ of one field of an absent record", &[status::NOT_FOUND])?;
        Ok(None)
    })
}

fn update(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let key = kit.key("one");
        let mut expected = record(&key, 0);
        kit.insert(session, &key, &expected)?;
        let two = Record::from([
            ("field8".to_owned(), b"changed".to_vec()),
            ("field1".to_owned(), b"changed too".to_vec()),
        ]);
        for change in [one_field("field5", "changed"), two] {
            let question = Question::update(&key, &change);
            let told = question.told();
            session.ask(question)?.succeeded(&told)?;
            expected.extend(change);
            kit.holds(session, &key, &expected)?;
        }
        Ok(None)
    })
}

fn update_same(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let key = kit.key("one");
        let expected = record(&key, 0);
        kit.insert(session, &key, &expected)?;
        let same = one_field("field3", &expected["field3"]);
        session.ask(Question::update(&key, &same))?.succeeded("UPDATE to the same value")?;
        kit.holds(session, &key, &expected)?;
        Ok(None)
    })
}

fn update_absent(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let key = kit.key("absent");
        let change = one_field("field2", "made by an update");
        let reply = session.ask(Question::update(&key, &change))?;
        if kit.can(can::UPDATE_CREATES) {
            reply.succeeded("UPDATE of an absent record (UPDATE_CREATES)")?;
            kit.holds(session, &key, &change)?;
        } else {
            reply.ended_with("UPDATE of an absent record", &[status::NOT_FOUND])?;
            kit.is_absent(session, &key)?;
        }
        Ok(None)
    })
}

fn delete(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let (key, other) = (kit.key("one"), kit.key("other"));
        for each in [&key, &other] {
            kit.insert(session, each, &record(each, 0))?;
        }
        session.ask(Question::delete(&key))?.succeeded("DELETE")?;
        kit.is_absent(session, &key)?;
        kit.holds(session, &other, &record(&other, 0))?;
        kit.insert(session, &key, &record(&key, 1))?;
        kit.holds(session, &key, &record(&key, 1))?;
        Ok(None)
    })
}

fn delete_absent(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let reply = session.ask(Question::delete(&kit.key("absent")))?;
        reply.ended_with("DELETE of an absent record", &[status::NOT_FOUND])?;
        Ok(None)
    })
}

fn insert_again(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let key = kit.key("one");
        let (first, second) = (record(&key, "first"), record(&key, "second"));
        kit.insert(session, &key, &first)?;
        let reply = session.ask(Question::insert(&key, &second))?;
        if kit.can(can::INSERT_OVERWRITES) {
            reply.succeeded("INSERT of an existing key (INSERT_OVERWRITES)")?;
            kit.holds(session, &key, &second)?;
        } else {
            if kit.can(can::DETECTS_DUPLICATES) {
                reply.ended_with("INSERT of an existing key (DETECTS_DUPLICATES)", &[status::DUPLICATE])?;
            }
            demand(!reply.is_success, "INSERT of an existing key: a failure", reply.told())?;
            kit.holds(session, &key, &first)?;
        }
        Ok(None)
    })
}

fn select(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let key = kit.key("one");
        let whole = record(&key, 0);
        kit.insert(session, &key, &whole)?;
        kit.holds(session, &key, &whole)?;
        for wanted in [&["field3"][..], &["field7", "field1"], &FIELDS] {
            let expected: Record =
                wanted.iter().map(|name| ((*name).to_owned(), whole[*name].clone())).collect();
            let told = format!("READ of {}", wanted.join(", "));
            session.ask(Question::read(&key).select(wanted))?.returned(&told, &expected)?;
        }
        Ok(None)
    })
}

fn select_missing(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let key = kit.key("short");
        let short: Record = record(&key, 0).into_iter().take(3).collect();
        kit.insert(session, &key, &short)?;
        kit.holds(session, &key, &short)?;
        let one = Record::from([("field1".to_owned(), short["field1"].clone())]);
        let told = "READ of field1, field9 of a record without field9";
        session.ask(Question::read(&key).select(&["field1", "field9"]))?.returned(told, &one)?;
        let reply = session.ask(Question::read(&key).select(&["field9"]))?;
        // Some stores cannot tell such a record from an absent one without asking twice.
        if reply.status == status::NOT_FOUND {
            return Ok(Some("a record with none of the wanted fields is NOT_FOUND".to_owned()));
        }
        reply.returned("READ of field9 of a record without it", &Record::new())?;
        Ok(None)
    })
}

fn without_values(kit: &Kit<'_>) -> Checked {
    kit.with_session(|session| {
        let key = kit.key("one");
        kit.insert(session, &key, &record(&key, 0))?;
        kit.holds(session, &key, &record(&key, 0))?;
        let reply = session.ask(Question::read(&key).without_values())?;
        reply.succeeded("READ without values")?;
        demand(reply.rows.is_empty(), "no row", "a row was handed over that nobody wants")?;
        let absent = session.ask(Question::read(&kit.key("absent")).without_values())?;
        absent.ended_with("READ of an absent record without values", &[status::NOT_FOUND])?;
        Ok(None)
    })
}
