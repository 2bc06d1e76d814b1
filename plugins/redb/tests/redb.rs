//! The binding through its real tables, on real files.

use redb::{Database, ReadableDatabase, ReadableTableMetadata, TableDefinition};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, Ended, Open, OpenBinding, Plugin, statuses};
use ycsb_redb::Redb;

const A: (&str, &[u8]) = ("a", b"1");
const B: (&str, &[u8]) = ("b", b"2");
const RECORDS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("usertable");
const ABOUT: TableDefinition<'_, &str, u64> = TableDefinition::new("ycsb-host");

struct Place {
    _folder: TempDir,
    path: PathBuf,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        Place { path: folder.path().join("test.redb"), _folder: folder }
    }

    fn load(&self) -> Open {
        at(&self.path)
    }

    fn run(&self) -> Open {
        Open { run: true, ..self.load() }
    }
}

fn at(path: &Path) -> Open {
    Open::default().set("redb.path", path.to_str().unwrap())
}

fn open(how: Open) -> OpenBinding {
    Plugin::blocking::<Redb>().open(how).expect("opens")
}

fn refusal(how: Open) -> (u32, String) {
    let ended = Plugin::blocking::<Redb>().open(how).err().expect("is refused");
    (ended.status, ended.detail.clone())
}

#[test]
fn updates_merge_and_inserts_detect_duplicates() {
    for durability in ["none", "batch", "immediate"] {
        let place = Place::new();
        let binding = open(place.load().set("redb.durability", durability));
        let ends = binding.play_one([
            Do::open(),
            Do::read("k"),
            Do::update("k", &[A]),
            Do::delete("k"),
            Do::insert("k", &[A, B]),
            Do::insert("k", &[A]),
            Do::update("k", &[("b", b"three"), ("c", b"4")]),
            Do::read("k"),
            Do::read("k").select(&["c", "none"]),
            Do::delete("k"),
            Do::read("k"),
            Do::end(),
        ]);
        use status::{DUPLICATE, NOT_FOUND, OK};
        let expected = [OK, NOT_FOUND, NOT_FOUND, NOT_FOUND, OK, DUPLICATE, OK, OK, OK, OK, NOT_FOUND, OK];
        assert_eq!(statuses(&ends), expected);
        let fields = |ended: &Ended| ended.rows[0].fields.clone();
        let field = |name: &str, value: &[u8]| (name.as_bytes().to_vec(), value.to_vec());
        assert_eq!(fields(&ends[7]), [field("a", b"1"), field("b", b"three"), field("c", b"4")]);
        assert_eq!(fields(&ends[8]), [field("c", b"4")]);
    }
}

#[test]
fn scans_are_ordered_bounded_and_see_writes_just_made() {
    let place = Place::new();
    let ends = open(place.load()).play_one([
        Do::open(),
        Do::insert_batch(&["k3", "k1", "k2", "k10"], &[A, B]),
        Do::scan("k10", 2).select(&["b"]),
        Do::scan("k21", 10),
        Do::insert("k4", &[A]),
        Do::scan("k21", 10),
        Do::scan("l", 10),
        Do::scan("", 0),
    ]);
    assert_eq!(ends[2].keys(), ["k10", "k2"]);
    assert_eq!(ends[2].rows[0].fields, [(b"b".to_vec(), b"2".to_vec())]);
    assert_eq!(ends[3].keys(), ["k3"]);
    assert_eq!(ends[5].keys(), ["k3", "k4"]);
    assert_eq!([&ends[6], &ends[7]].map(|ended| (ended.status, ended.row_count)), [(status::OK, 0); 2]);
}

#[test]
fn a_batch_is_one_request_with_a_status_per_record() {
    let place = Place::new();
    let ends = open(place.load()).play_one([
        Do::open(),
        Do::insert("b", &[A]),
        Do::insert_batch(&["a", "b", "a", "c"], &[A]),
        Do::scan("", 10),
    ]);
    use status::{DUPLICATE, OK};
    assert_eq!(ends[2].row_status, [OK, DUPLICATE, DUPLICATE, OK]);
    assert_eq!(ends[3].keys(), ["a", "b", "c"]);
}

#[test]
fn seven_clients_with_batches_leave_every_record_in_the_file() {
    let place = Place::new();
    let keys: Vec<String> = (0..1003).map(|number| format!("user{number}")).collect();
    let clients = keys.chunks(1003_usize.div_ceil(7)).map(|keys| {
        let batches = keys.chunks(100).map(|keys| {
            let keys: Vec<_> = keys.iter().map(String::as_str).collect();
            Do::insert_batch(&keys, &[A, B])
        });
        [Do::open()].into_iter().chain(batches).chain([Do::end()]).collect()
    });
    let ended = open(place.load()).play(clients.collect());
    assert!(ended.iter().flatten().all(|ended| ended.status == status::OK));
    assert_eq!(records_in(&place.path), 1003);
    assert!(open(place.run()).detail.contains(", 1003 records, "));
}

#[test]
fn a_second_load_reports_duplicates_and_a_fresh_one_starts_empty() {
    let place = Place::new();
    let load = || [Do::open(), Do::insert("k", &[A]), Do::end()];
    open(place.load()).play_one([Do::open(), Do::insert("old", &[A]), Do::end()]);
    open(place.load()).play_one(load());
    assert_eq!(open(place.load()).play_one(load())[1].status, status::DUPLICATE);
    let fresh = open(Open { fresh: true, ..place.load() });
    assert_eq!(fresh.play_one(load())[1].status, status::OK);
    drop(fresh);
    assert_eq!(records_in(&place.path), 1);
}

#[test]
fn another_table_is_another_table() {
    let place = Place::new();
    open(place.load()).play_one([Do::open(), Do::insert("k", &[A]), Do::end()]);
    let other = Open { table: "other", ..place.load() };
    open(other.clone()).play_one([Do::open(), Do::insert("k", &[A]), Do::end()]);
    open(Open { fresh: true, ..other });
    assert_eq!(records_in(&place.path), 1);
}

#[test]
fn sessions_that_do_not_end_lose_nothing_when_the_binding_is_closed() {
    let place = Place::new();
    open(place.load()).play_one([Do::open(), Do::insert("k", &[A])]);
    assert_eq!(records_in(&place.path), 1);
}

#[test]
fn a_run_without_data_says_what_to_do() {
    let place = Place::new();
    let (absent, detail) = refusal(place.run());
    assert_eq!(absent, status::NOT_FOUND);
    let expected =
        format!("there is no database at {}; load it first, or set redb.path", place.path.display());
    assert_eq!(detail, expected);
    assert!(!place.path.exists());

    open(place.load());
    let (no_table, detail) = refusal(Open { table: "other", ..place.run() });
    assert_eq!(no_table, status::NOT_FOUND);
    assert!(detail.starts_with("there is no table other in "), "{detail}");
    assert_eq!(open(place.run()).play_one([Do::open(), Do::read("k")])[1].status, status::NOT_FOUND);
}

#[test]
fn a_file_in_use_is_named() {
    let place = Place::new();
    let _open = open(place.load());
    let (status, detail) = refusal(place.load());
    assert_eq!(status, status::SERVICE_UNAVAILABLE);
    let expected = format!("{} is in use by another process", place.path.display());
    assert!(detail.starts_with(&expected), "{detail}");
}

#[test]
fn paths_that_cannot_be_are_named() {
    let place = Place::new();
    let folder = place.path.parent().unwrap();
    let cases = [
        (folder.to_owned(), status::BAD_REQUEST, "is a folder"),
        (folder.join("none/test.redb"), status::BAD_REQUEST, "does not exist"),
    ];
    for (path, expected, words) in cases {
        let (status, detail) = refusal(at(&path));
        assert_eq!(status, expected, "{detail}");
        assert!(detail.contains(words) && detail.contains(path.to_str().unwrap()), "{detail}");
    }
    fs::write(&place.path, "no database").unwrap();
    let (status, detail) = refusal(at(&place.path));
    assert_eq!(status, status::UNEXPECTED_STATE, "{detail}");
    assert!(detail.contains("is not a redb database"), "{detail}");
    let (status, _) = refusal(at(&place.path.join("below/a/file")));
    assert_eq!(status, status::BAD_REQUEST);
}

#[test]
fn files_of_other_programs_and_of_other_formats_are_left_alone() {
    let place = Place::new();
    open(place.load());
    write_format(&place.path, 2);
    let (status, detail) = refusal(Open { fresh: true, ..place.load() });
    assert_eq!(status, status::UNEXPECTED_STATE);
    assert!(detail.contains("format 2, and this plugin knows format 1"), "{detail}");

    let other = Place::new();
    let database = Database::create(&other.path).unwrap();
    let writing = database.begin_write().unwrap();
    writing.open_table(RECORDS).unwrap();
    writing.commit().unwrap();
    drop(database);
    let (status, detail) = refusal(other.load());
    assert_eq!(status, status::UNEXPECTED_STATE);
    assert!(detail.contains("another program"), "{detail}");
}

#[test]
fn the_readme_names_every_property() {
    let readme = include_str!("../README.md");
    let [manifest] = Plugin::blocking::<Redb>().manifests() else { panic!("one binding") };
    for property in manifest.properties.as_slice() {
        let name = std::str::from_utf8(property.name.as_slice()).unwrap();
        assert!(readme.contains(&format!("`{name}`")), "{name}");
    }
}

fn records_in(path: &Path) -> u64 {
    let database = Database::open(path).unwrap();
    let reading = database.begin_read().unwrap();
    reading.open_table(RECORDS).unwrap().len().unwrap()
}

fn write_format(path: &Path, format: u64) {
    let database = Database::open(path).unwrap();
    let writing = database.begin_write().unwrap();
    writing.open_table(ABOUT).unwrap().insert("row format", format).unwrap();
    writing.commit().unwrap();
}
