//! Tables: created, emptied, explained.

use crate::support::{LAYOUTS, Place, open, record, refused, says, with};
use ycsb_plugin_api::abi::{capability, status};
use ycsb_plugin_api::testing::{Do, Open, logged, statuses};

fn run(how: Open) -> Open {
    Open { run: true, ..how }
}

#[test]
fn a_load_creates_the_table_once_and_a_run_does_not() {
    for layout in LAYOUTS {
        let Some(mut place) = Place::fresh() else { return };
        let how = place.layout(layout);
        let ended = refused(run(how.clone()));
        let words =
            format!("there is no table \"{}\" in database \"ycsb\"; load the data first", place.table);
        says(&ended, status::NOT_FOUND, &words, &[]);
        let ended = refused(how.clone().set("postgresql.create", "false"));
        says(&ended, status::NOT_FOUND, &words, &[]);
        let binding = open(how.clone());
        assert_eq!(statuses(&binding.play_opened([Do::insert("k", &[])])), [status::OK]);
        open(how.clone());
        open(run(how));
        assert_eq!(place.ask("SELECT count(*)::text FROM @T"), "1");
        let expected = match layout {
            "jsonb" => "ycsb_key varchar C,ycsb_value jsonb ",
            _ => {
                "ycsb_key varchar C,field0 text default,field1 text default,field2 text default,\
                 field3 text default,field4 text default,field5 text default,field6 text default,\
                 field7 text default,field8 text default,field9 text default"
            }
        };
        let columns = place.ask(
            "SELECT string_agg(a.attname || ' ' || t.typname || ' ' || coalesce(c.collname, ''), ',' ORDER BY attnum) \
             FROM pg_attribute a JOIN pg_type t ON t.oid = atttypid LEFT JOIN pg_collation c ON c.oid = attcollation \
             WHERE attrelid = '@T'::regclass AND attnum > 0",
        );
        assert_eq!(columns, expected);
    }
}

#[test]
fn several_loads_may_start_at_once() {
    let Some(place) = Place::fresh() else { return };
    let how = place.how();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| open(how.clone()));
        }
    });
}

#[test]
fn dropping_the_data_empties_the_table() {
    for layout in LAYOUTS {
        let Some(mut place) = Place::fresh() else { return };
        let fresh = Open { fresh: true, ..place.layout(layout) };
        open(fresh.clone()).play_opened([Do::insert("k", &[])]);
        open(fresh);
        assert_eq!(place.ask("SELECT count(*)::text FROM @T"), "0");
    }
}

#[test]
fn a_table_that_does_not_suit_is_explained() {
    let text = "ycsb_key varchar PRIMARY KEY";
    let cases = [
        ("columns", "other text".to_owned(), "it has no column \"ycsb_key\""),
        ("columns", format!("{text}, field0 text"), "it has no column \"field1\""),
        ("columns", format!("{text}, field0 integer"), "column \"field0\" is int4, not text"),
        ("columns", "ycsb_key bytea PRIMARY KEY".to_owned(), "column \"ycsb_key\" is bytea, not text"),
        ("jsonb", format!("{text}, field0 text"), "it has no column \"ycsb_value\""),
        ("jsonb", format!("{text}, ycsb_value json"), "column \"ycsb_value\" is json, not jsonb"),
    ];
    for (layout, columns, words) in cases {
        let Some(mut place) = Place::fresh() else { return };
        place.execute(&format!("CREATE TABLE @T ({columns})"));
        for how in [place.layout(layout), run(place.layout(layout))] {
            says(&refused(how), status::UNEXPECTED_STATE, words, &[]);
        }
    }
}

#[test]
fn extra_columns_stay_empty_and_out_of_the_results() {
    let Some(mut place) = Place::fresh() else { return };
    let binding = open(place.how());
    place.execute("ALTER TABLE @T ADD extra text; ALTER TABLE @T ADD number integer DEFAULT 7");
    let binding_after = open(place.how());
    for (key, binding) in [("a", &binding), ("b", &binding_after)] {
        let ends = binding.play_opened([
            Do::insert(key, &record(b"v")),
            Do::read(key),
            Do::insert_batch(&[&key.repeat(3)], &record(b"v")),
        ]);
        assert_eq!(statuses(&ends), [status::OK; 3]);
        assert_eq!(ends[1].rows[0].fields.len(), 10);
    }
}

#[test]
fn a_table_that_changes_under_a_session_costs_at_most_one_operation() {
    let Some(place) = Place::fresh() else { return };
    let binding = open(place.how());
    let (table, mut plain) = (place.table, crate::support::plain(place.server()));
    let change = std::sync::Mutex::new(move || {
        plain.batch_execute(&format!("ALTER TABLE {table} ALTER field0 TYPE varchar(300)")).unwrap();
    });
    let steps = [
        Do::insert("k", &record(b"v")),
        Do::read("k"),
        Do::call(move || change.lock().unwrap()()),
        Do::read("k"),
        Do::read("k"),
    ];
    assert_eq!(binding.play_opened(steps)[4].status, status::OK);
}

#[test]
fn another_collation_is_said_and_a_missing_index_warned_of() {
    let Some(mut place) = Place::fresh() else { return };
    let collation = place
        .ask("SELECT collname::text FROM pg_collation WHERE collprovider = 'i' AND collname = 'de-x-icu'");
    place.execute(&format!(
        "CREATE TABLE @T (ycsb_key text COLLATE \"{collation}\" PRIMARY KEY, ycsb_value jsonb)"
    ));
    let binding = open(run(place.layout("jsonb")));
    assert_eq!(binding.capabilities & capability::SCAN_ORDERED, 0);
    assert!(binding.detail.ends_with("scans in the order of collation de-x-icu"), "{}", binding.detail);
    binding.play_opened(["b", "B", "a", "ä"].map(|key| Do::insert(key, &[])));
    assert_eq!(binding.play_opened([Do::scan("", 9)])[0].keys(), ["a", "ä", "b", "B"]);

    let Some(mut place) = Place::fresh() else { return };
    place.execute("CREATE TABLE @T (ycsb_key text, ycsb_value jsonb)");
    let binding = open(run(place.layout("jsonb")));
    assert_eq!(binding.capabilities & capability::DETECTS_DUPLICATES, 0);
    let warning = format!("table \"{}\" has no primary key or unique index on ycsb_key", place.table);
    assert!(logged().iter().any(|(_, line)| line.starts_with(&warning)));
    let ends =
        binding.play_opened([Do::insert("k", &[]), Do::insert("k", &[]), Do::read("k"), Do::delete("k")]);
    let twice = status::UNEXPECTED_STATE;
    assert_eq!(statuses(&ends), [status::OK, status::OK, twice, twice]);
}

#[test]
fn names_are_folded_as_java_sent_them() {
    let Some(mut place) = Place::fresh() else { return };
    place.execute("CREATE SCHEMA IF NOT EXISTS folded");
    let table: &str = format!("Folded.{}_Upper", place.table.to_uppercase()).leak();
    let how = Open { table, fields: vec!["FIELD0".into(), "Field \"1\"".into()], ..place.how() };
    let binding = open(how.clone());
    let ends = binding.play_opened([
        Do::insert("k", &[("FIELD0", b"v"), ("Field \"1\"", b"w")]),
        Do::read("k"),
        Do::read("k").select(&["Field \"1\""]),
    ]);
    assert_eq!(statuses(&ends), [status::OK; 3]);
    assert_eq!(ends[1].rows[0].field("FIELD0"), Some(&b"v"[..]));
    assert_eq!(ends[2].rows[0].fields, [(b"Field \"1\"".to_vec(), b"w".to_vec())]);
    assert_eq!(place.ask("SELECT field0 FROM folded.@T_upper"), "v");
    place.execute("DROP TABLE folded.@T_upper");
    let clash = Open { fields: vec!["a".into(), "A".into()], ..how };
    says(&refused(clash), status::BAD_REQUEST, "field \"A\" folds to column \"a\", which is taken", &[]);
}

#[test]
fn the_schema_of_the_url_is_used() {
    let Some(mut place) = Place::fresh() else { return };
    let schema = format!("s_{}", place.table);
    place.execute(&format!("CREATE SCHEMA {schema}"));
    let url = format!("{}?currentSchema={schema}&ApplicationName=from-the-url", place.server().fact("URL"));
    let binding = open(with(place.how(), "postgresql.url", &url));
    binding.play_opened([Do::insert("k", &[("field0", b"v")])]);
    assert_eq!(place.ask(&format!("SELECT field0 FROM {schema}.@T")), "v");
    place.execute(&format!("DROP SCHEMA {schema} CASCADE"));
}

#[test]
fn a_role_without_rights_is_forbidden_to() {
    let Some(mut place) = Place::fresh() else { return };
    open(place.how()).play_opened([Do::insert("k", &record(b"v"))]);
    let role = format!("r_{}", place.table);
    place.execute(&format!("CREATE ROLE {role} LOGIN PASSWORD 'reader'; GRANT SELECT ON @T TO {role}"));
    let how = with(with(place.how(), "postgresql.user", &role), "postgresql.password", "reader");
    let ends = open(run(how.clone())).play_opened([
        Do::read("k"),
        Do::update("k", &[("field0", b"x")]),
        Do::read("k"),
    ]);
    assert_eq!(statuses(&ends), [status::OK, status::FORBIDDEN, status::OK]);
    let ended = refused(Open { fresh: true, ..how });
    assert_eq!(ended.status, status::FORBIDDEN, "{}", ended.detail);
    place.execute(&format!("DROP OWNED BY {role}; DROP ROLE {role}"));
}
