//! Opening: places, limits, tables that do not suit.

use crate::support::{Place, at, open, refused, says, without};
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, Open, logged, statuses};
use ycsb_test_services::Service;

fn run(how: Open) -> Open {
    Open { run: true, ..how }
}

#[test]
fn every_report_says_that_it_is_not_voltdb() {
    let Some(place) = Place::fresh() else { return };
    let version = place.server().fact("VERSION").trim_start_matches("postgresql ").to_owned();
    let detail = open(place.how()).detail.clone();
    assert!(
        detail.starts_with(&format!("Store table on PostgreSQL {version}, not VoltDB: 127.0.0.1:")),
        "{detail}"
    );
    assert!(
        detail.ends_with(&format!("table \"{}\".\"store\", keyspace \"usertable\"", place.schema)),
        "{detail}"
    );
}

#[test]
fn a_load_creates_table_and_function_and_a_run_does_not() {
    let Some(mut place) = Place::fresh() else { return };
    says(&refused(run(place.how())), status::NOT_FOUND, "there is no table");
    says(&refused(place.how().set("store.create", "false")), status::NOT_FOUND, "load the data first");
    let how = place.how();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| open(how.clone()));
        }
    });
    let columns = place.ask(
        "SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod) || ' ' || coalesce(collname, ''), ',' \
         ORDER BY attnum) FROM pg_attribute LEFT JOIN pg_collation c ON c.oid = attcollation \
         WHERE attrelid = 'store'::regclass AND attnum > 0",
    );
    assert_eq!(columns, "keyspace bytea ,key character varying(128) C,value bytea ");
    let ends = open(run(how.clone())).play_opened([Do::insert("k", &[("a", b"1")]), Do::read("k")]);
    assert_eq!(statuses(&ends), [status::OK; 2]);
    place.plain.batch_execute("DROP FUNCTION ycsb_merge(bytea, bytea)").unwrap();
    says(&refused(run(how)), status::NOT_FOUND, "\"ycsb_merge\"(bytea, bytea)");
}

#[test]
fn a_table_that_is_no_store_is_explained() {
    for (columns, words) in [
        ("keyspace bytea, key varchar COLLATE \"C\"", "it has no column \"value\""),
        ("keyspace text, key varchar, value bytea", "column \"keyspace\" is text, not bytea"),
        (
            "keyspace bytea, key varchar COLLATE \"de-x-icu\", value bytea",
            "column \"key\" has collation de-x-icu, not \"C\"",
        ),
        (
            "keyspace bytea, key varchar COLLATE \"C\", value bytea, more int",
            "it has another column \"more\"",
        ),
        (
            "keyspace bytea, key varchar COLLATE \"C\", value bytea, PRIMARY KEY (key, keyspace)",
            "its primary key is not (keyspace, key)",
        ),
    ] {
        let Some(mut place) = Place::fresh() else { return };
        place.plain.batch_execute(&format!("CREATE TABLE store ({columns})")).unwrap();
        says(&refused(run(place.how())), status::UNEXPECTED_STATE, words);
        says(&refused(place.how()), status::UNEXPECTED_STATE, words);
    }
}

#[test]
fn a_workload_beyond_the_limit_is_refused_before_anything_is_loaded() {
    let Some(mut place) = Place::fresh() else { return };
    let of = |bytes| Open { largest_value_bytes: bytes, ..place.how().set("store.maxvalue", "2056") };
    open(of(191));
    let expected =
        "a packed record can have 2064 bytes (10 fields of up to 192), more than store.maxvalue=2056";
    says(&refused(of(192)), status::BAD_REQUEST, expected);
    open(Open { largest_value_bytes: 250, ..place.how() });
    let note = "a packed record can have 2644 bytes; VoltDB's own table would refuse more than 2056";
    assert!(logged().iter().any(|(_, line)| line.starts_with(note)));
    assert_eq!(place.ask("SELECT count(*)::text FROM store"), "0");
    let long = Open { table: "t".repeat(129).leak(), ..place.how() };
    says(&refused(long), status::BAD_REQUEST, "keyspace holds at most 128 bytes");
}

#[test]
fn servers_are_tried_in_turn_and_the_database_has_its_property() {
    let Some(place) = Place::fresh() else { return };
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let servers = format!("127.0.0.1:{port},127.0.0.1:{}", place.server().fact("PORT"));
    let how =
        without(place.how(), "voltdb.url").set("voltdb.servers", &servers).set("voltdb.database", "ycsb");
    let ends = open(how.clone()).play_opened([Do::insert("k", &[("a", b"1")])]);
    assert_eq!(statuses(&ends), [status::OK]);
    let nowhere = without(how, "voltdb.database").set("voltdb.database", "nowhere");
    says(&refused(nowhere), status::ERROR, "database \"nowhere\" does not exist");
    let both = place.how().set("voltdb.servers", "elsewhere");
    says(
        &refused(both),
        status::BAD_REQUEST,
        "voltdb.servers=elsewhere and voltdb.url name different servers",
    );
    let same = format!("127.0.0.1:{}", place.server().fact("PORT"));
    open(place.how().set("voltdb.servers", &same));
}

#[test]
fn voltdbs_own_port_and_other_engines_are_refused() {
    let volt = refused(Open::default().set("voltdb.servers", "volt:21212"));
    says(&volt, status::BAD_REQUEST, "volt:21212 is the port of VoltDB, whose protocol is not spoken here");
    let url = refused(Open::default().set("voltdb.url", "jdbc:voltdb://localhost:21212"));
    says(&url, status::BAD_REQUEST, "the URL is for voltdb; this binding speaks to PostgreSQL alone");
    let two = refused(Open::default().set("voltdb.url", "jdbc:postgresql://a/x;jdbc:postgresql://b/x"));
    says(&two, status::BAD_REQUEST, "voltdb.url names several databases");
}

#[test]
fn a_server_that_is_not_there_is_named_with_its_property() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let ended = refused(Open::default().set("voltdb.servers", &format!("127.0.0.1:{port}")));
    let expected =
        format!("voltdb.url or voltdb.servers: cannot connect to 127.0.0.1:{port}: Connection refused");
    says(&ended, status::SERVICE_UNAVAILABLE, &expected);
}

#[test]
fn passwords_and_certificates_work_as_in_every_postgresql_binding() {
    let Some(place) = Place::fresh() else { return };
    let wrong = refused(without(place.how(), "voltdb.password").set("voltdb.password", "hunter2"));
    says(&wrong, status::FORBIDDEN, "password authentication failed");
    assert!(!wrong.detail.contains("hunter2"));
    let Some(server) = Service::up("postgresql-tls", &[]) else { return };
    open(at(&server));
    let url =
        format!("jdbc:postgresql://localhost:{}/ycsb?sslmode=verify-full&sslrootcert=", server.fact("PORT"));
    let other = without(at(&server), "voltdb.url")
        .set("voltdb.url", &format!("{url}{}", server.fact("OTHER_CA_FILE")));
    says(&refused(other), status::FORBIDDEN, "unknown CA");
}
