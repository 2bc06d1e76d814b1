//! The plugin as the host sees it.

use ycsb_plugin_api::abi::status::{DUPLICATE, NOT_FOUND, OK};
use ycsb_plugin_api::testing::{Do, Open, Plugin};
use ycsb_sqlite::Sqlite;

#[test]
fn records_are_inserted_changed_and_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("records.db");
    let open = Open::default().set("sqlite.path", path.to_str().expect("UTF-8"));
    let binding = Plugin::blocking::<Sqlite>().open(open).expect("opens");
    let both: &[(&str, &[u8])] = &[("field0", b"a"), ("field1", b"b\0\xff")];
    let ends = binding.play_one([
        Do::open(),
        Do::read("k"),
        Do::insert("k", both),
        Do::insert("k", both),
        Do::update("k", &[("field0", b"")]),
        Do::read("k"),
        Do::read("k").select(&["field1"]),
        Do::delete("k"),
        Do::delete("k"),
    ]);
    let statuses: Vec<u32> = ends.iter().map(|end| end.status).collect();
    assert_eq!(statuses, [OK, NOT_FOUND, OK, DUPLICATE, OK, OK, OK, OK, NOT_FOUND]);
    assert_eq!(ends[5].rows[0].field("field0"), Some(&b""[..]));
    assert_eq!(ends[5].rows[0].field("field1"), Some(&b"b\0\xff"[..]));
    assert_eq!(ends[6].rows[0].fields.len(), 1);
}
