//! The plugin as the host sees it.

use std::fs;
use std::path::PathBuf;
use ycsb_plugin_api::abi::status::{BAD_REQUEST, DUPLICATE, NOT_FOUND, OK};
use ycsb_plugin_api::testing::{Do, Open, Plugin};
use ycsb_template::Template;

fn statuses(steps: Vec<Do>) -> Vec<u32> {
    let binding = Plugin::blocking::<Template>().open(Open::default()).expect("opens");
    binding.play_one(steps).iter().map(|end| end.status).collect()
}

#[test]
fn records_are_inserted_changed_and_removed() {
    let field: &[(&str, &[u8])] = &[("field0", b"a")];
    let steps = vec![
        Do::open(),
        Do::read("k"),
        Do::insert("k", field),
        Do::insert("k", field),
        Do::update("k", field),
        Do::update("l", field),
        Do::delete("k"),
        Do::delete("k"),
        Do::insert("big", &[("field0", &[0; (1 << 20) + 1])]),
    ];
    let expected = [OK, NOT_FOUND, OK, DUPLICATE, OK, NOT_FOUND, OK, NOT_FOUND, BAD_REQUEST];
    assert_eq!(statuses(steps), expected);
}

#[test]
fn an_update_keeps_the_other_fields_and_a_read_selects() {
    let binding = Plugin::blocking::<Template>().open(Open::default()).expect("opens");
    let ends = binding.play_one([
        Do::open(),
        Do::insert("k", &[("field0", b"a"), ("field1", b"b")]),
        Do::update("k", &[("field1", b"")]),
        Do::read("k"),
        Do::read("k").select(&["field0"]),
    ]);
    assert_eq!(ends[3].rows[0].field("field0"), Some(&b"a"[..]));
    assert_eq!(ends[3].rows[0].field("field1"), Some(&b""[..]));
    assert_eq!(ends[4].rows[0].fields.len(), 1);
}

#[test]
fn a_scan_is_ordered_and_bounded_and_a_batch_tells_of_duplicates() {
    let binding = Plugin::blocking::<Template>().open(Open::default()).expect("opens");
    let ends = binding.play_one([
        Do::open(),
        Do::insert_batch(&["c", "a", "b", "a"], &[("field0", b"x")]),
        Do::scan("aa", 2),
        Do::scan("d", 2),
    ]);
    assert_eq!(ends[1].row_status, [OK, OK, OK, DUPLICATE]);
    assert_eq!(ends[2].rows.iter().map(|row| row.key.as_slice()).collect::<Vec<_>>(), [b"b", b"c"]);
    assert_eq!((ends[3].status, ends[3].row_count), (OK, 0));
}

#[test]
fn a_file_keeps_the_records_and_a_run_without_it_is_refused() {
    let file: PathBuf = std::env::temp_dir().join(format!("ycsb-template-{}", std::process::id()));
    let plugin = Plugin::blocking::<Template>();
    let open = || Open::default().set("template.file", &file.display().to_string());
    let _ = fs::remove_file(&file);
    let refused = plugin.open(Open { run: true, ..open() }).err().expect("does not open");
    assert_eq!(refused.status, NOT_FOUND);

    let load = vec![Do::open(), Do::insert("k", &[("field0", b"a")]), Do::end()];
    plugin.open(open()).expect("opens").play_one(load);
    let binding = plugin.open(Open { run: true, ..open() }).expect("opens");
    assert!(binding.detail.starts_with("1 records"), "{}", binding.detail);
    assert_eq!(binding.play_one([Do::open(), Do::read("k")])[1].status, OK);

    fs::write(&file, "something else").expect("written");
    let refused = plugin.open(open()).err().expect("does not open");
    assert!(refused.detail.contains("not a file of the template plugin"), "{}", refused.detail);
    fs::remove_file(&file).expect("removed");
}
