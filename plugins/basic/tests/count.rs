//! What is printed at the end with `basicdb.count=true`. One test, because a process has one standard output.

use ycsb_basic::{Basic, BasicTs};
use ycsb_plugin_api::testing::{Do, Open, Plugin, echoed};

fn report(plugin: &Plugin, clients: Vec<Vec<Do>>) -> String {
    let before = echoed().len();
    let open = Open { clients: clients.len() as u64, ..Open::default() };
    let open = open.set("basicdb.count", "true").set("basicdb.verbose", "false");
    plugin.open(open).expect("opens").play(clients);
    String::from_utf8(echoed().split_off(before)).unwrap()
}

/// A value of a series at a time.
fn point<'a>(tag: &'a [u8], time: &'a [u8; 8], value: &'a [u8; 8]) -> [(&'a str, &'a [u8]); 3] {
    [("YCSBTS", time), ("AA", tag), ("YCSBV", value)]
}

#[test]
fn different_operations_are_counted_over_all_clients() {
    let client = vec![
        Do::open(),
        Do::read("k"),
        Do::read("k"),
        Do::read("k").select(&["b", "a"]),
        Do::read("k").select(&["a", "b"]),
        Do::scan("k", 5),
        Do::scan("k", 9),
        Do::update("k", &[("a", b"1")]),
        Do::update("k", &[("a", b"2")]),
        Do::insert("k", &[("a", b"1"), ("b", b"2")]),
        Do::insert("k", &[("b", b"2"), ("a", b"1")]),
        Do::delete("k"),
        Do::delete("l"),
        Do::end(),
    ];
    let expected = "[READS], Uniques, 2\n[SCANS], Uniques, 1\n[UPDATES], Uniques, 2\n[INSERTS], Uniques, 1\n\
                    [DELETES], Uniques, 2\n";
    assert_eq!(report(&Plugin::blocking::<Basic>(), vec![client; 3]), expected);

    let (one, two, float) = (60_i64.to_be_bytes(), 120_i64.to_be_bytes(), 0.5_f64.to_be_bytes());
    let client = vec![
        Do::open(),
        Do::insert("s", &point(b"x", &one, &float)),
        Do::insert("s", &point(b"x", &two, &float)),
        Do::insert("s", &point(b"y", &one, &two)),
        Do::read("s").select(&["AA=x", "YCSBTS=30,90"]),
        Do::read("s").select(&["YCSBTS=60", "AA=x"]),
        Do::end(),
    ];
    let expected = "[READS], Uniques, 1\n[SCANS], Uniques, 0\n[UPDATES], Uniques, 0\n[INSERTS], Uniques, 2\n\
                    [DELETES], Uniques, 0\n[TIMESTAMPS], Unique, 3\n[FLOATS], Unique series, 1\n\
                    [INTEGERS], Unique series, 1\n[TIMESTAMPS], Min, 30\n[TIMESTAMPS], Max, 120\n";
    assert_eq!(report(&Plugin::blocking::<BasicTs>(), vec![client]), expected);

    let nothing = "[READS], Uniques, 0\n[SCANS], Uniques, 0\n[UPDATES], Uniques, 0\n[INSERTS], Uniques, 0\n\
                   [DELETES], Uniques, 0\n";
    assert_eq!(report(&Plugin::blocking::<Basic>(), vec![vec![Do::open(), Do::end()]]), nothing);
}
