//! Both bindings through their real tables.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use ycsb_memdb::{MemDb, MemDbAsync};
use ycsb_plugin_api::abi::{capability, outcome_flag, status};
use ycsb_plugin_api::testing::{Do, Ended, Open, OpenBinding, Plugin, statuses};

/// Settings with a store that no other test uses.
fn own_store() -> Open {
    static STORES: AtomicUsize = AtomicUsize::new(0);
    let number = STORES.fetch_add(1, Ordering::Relaxed);
    Open::default().set("mem.store", &format!("test {number}"))
}

/// Opens both bindings with the same settings, each with a store of its own.
fn both(settings: &[(&str, &str)]) -> [OpenBinding; 2] {
    [Plugin::blocking::<MemDb>(), Plugin::tokio::<MemDbAsync>()].map(|plugin| {
        let open = settings.iter().fold(own_store(), |open, (name, value)| open.set(name, value));
        plugin.open(open).expect("opens")
    })
}

/// Keys and, of each row, names and values of its fields.
fn rows(ended: &Ended) -> Vec<(String, Vec<(String, String)>)> {
    let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).unwrap();
    let fields = |row: &ycsb_plugin_api::testing::ReturnedRow| {
        row.fields.iter().map(|(name, value)| (text(name), text(value))).collect()
    };
    ended.rows.iter().map(|row| (text(&row.key), fields(row))).collect()
}

const A: (&str, &[u8]) = ("a", b"1");
const B: (&str, &[u8]) = ("b", b"2");

#[test]
fn updates_merge_and_inserts_detect_duplicates() {
    for binding in both(&[]) {
        let ends = binding.play_one([
            Do::open(),
            Do::read("k"),
            Do::update("k", &[A]),
            Do::delete("k"),
            Do::insert("k", &[A, B]),
            Do::insert("k", &[A]),
            Do::update("k", &[("b", b"three"), ("c", b"4")]),
            Do::read("k"),
            Do::delete("k"),
            Do::read("k"),
            Do::end(),
        ]);
        use status::{DUPLICATE, NOT_FOUND, OK};
        let expected = [OK, NOT_FOUND, NOT_FOUND, NOT_FOUND, OK, DUPLICATE, OK, OK, OK, NOT_FOUND, OK];
        assert_eq!(statuses(&ends), expected);
        let text = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let fields = vec![text("a", "1"), text("b", "three"), text("c", "4")];
        assert_eq!(rows(&ends[7]), [("k".to_owned(), fields)]);
    }
}

#[test]
fn scans_are_ordered_bounded_and_projected() {
    for binding in both(&[]) {
        let ends = binding.play_one([
            Do::open(),
            Do::insert_batch(&["k3", "k1", "k2", "k10"], &[A, B]),
            Do::scan("k10", 2).select(&["b"]),
            Do::scan("k21", 10),
            Do::scan("l", 10),
            Do::scan("", 0),
            Do::read("k1").select(&["b", "none"]),
        ]);
        let b = vec![("b".to_owned(), "2".to_owned())];
        assert_eq!(rows(&ends[2]), [("k10".to_owned(), b.clone()), ("k2".to_owned(), b.clone())]);
        assert_eq!(rows(&ends[3]).len(), 1);
        assert_eq!([&ends[4], &ends[5]].map(|ended| (ended.status, ended.row_count)), [(status::OK, 0); 2]);
        assert_eq!(rows(&ends[6]), [("k1".to_owned(), b)]);
    }
}

#[test]
fn a_batch_tells_how_each_record_ended() {
    for binding in both(&[("mem.fail", "OVERLOADED"), ("mem.every", "4"), ("mem.retrysafe", "true")]) {
        let ends = binding.play_one([
            Do::open(),
            Do::insert("b", &[A]),
            Do::insert_batch(&["a", "b", "c", "d"], &[A]),
        ]);
        use status::{DUPLICATE, OK, OVERLOADED};
        assert_eq!(ends[2].row_status, [OK, DUPLICATE, OVERLOADED, OK]);
        assert_eq!(ends[2].row_count, 2);
    }
}

#[test]
fn every_nth_call_fails_across_all_sessions() {
    for binding in both(&[("mem.fail", "SERVICE_UNAVAILABLE"), ("mem.every", "5"), ("mem.failop", "READ")]) {
        let ended = binding.play(vec![
            std::iter::once(Do::open())
                .chain((0..50).map(|_| Do::read("none")))
                .chain([Do::insert("k", &[A]), Do::end()])
                .collect();
            4
        ]);
        let failed = ended.iter().flatten().filter(|ended| ended.status == status::SERVICE_UNAVAILABLE);
        assert_eq!(failed.count(), 40);
    }
}

#[test]
fn retry_safety_is_told() {
    for binding in both(&[("mem.fail", "ERROR"), ("mem.retrysafe", "true")]) {
        let ends = binding.play_one([Do::open(), Do::read("k")]);
        assert_eq!(ends[1].flags, outcome_flag::RETRY_SAFE);
        assert_eq!(ends[1].detail, "scripted by mem.fail");
    }
}

#[test]
fn a_thrown_call_kills_the_session_and_a_new_one_goes_on() {
    for binding in both(&[("mem.fail", "THROW"), ("mem.every", "2")]) {
        let ends = binding.play_one([
            Do::open(),
            Do::insert("k", &[A]),
            Do::read("k"),
            Do::read("k"),
            Do::open(),
            Do::read("k"),
        ]);
        use status::{OK, PANIC};
        assert_eq!(statuses(&ends), [OK, OK, PANIC, PANIC, OK, OK]);
        assert!(ends[2].detail.contains("binding exploded"), "{}", ends[2].detail);
    }
}

#[test]
fn opening_sessions_and_ending_fail_on_demand() {
    for (word, expected) in [("BAD_REQUEST", status::BAD_REQUEST), ("NOT_FOUND", status::NOT_FOUND)] {
        let refused = Plugin::blocking::<MemDb>().open(own_store().set("mem.openfail", word));
        assert_eq!(refused.err().unwrap().status, expected);
    }
    for binding in both(&[("mem.initfail", "true"), ("mem.initfail.client", "1")]) {
        let ends = binding.play(vec![vec![Do::open()]; 2]);
        assert_eq!([ends[0][0].status, ends[1][0].status], [status::OK, status::ERROR]);
        assert_eq!(ends[1][0].detail, "init of client 1 refused (mem.initfail)");
    }
    for binding in both(&[("mem.cleanupfail", "true")]) {
        let ends = binding.play_one([Do::open(), Do::end()]);
        assert_eq!(
            (ends[1].status, ends[1].detail.as_str()),
            (status::ERROR, "cleanup refused (mem.cleanupfail)")
        );
    }
}

#[test]
fn a_delay_is_taken_and_cut_off_by_the_deadline() {
    for binding in both(&[("mem.delay", "30ms"), ("mem.delay.every", "2")]) {
        let ends = binding.play_one([
            Do::open(),
            Do::insert("k", &[A]),
            Do::read("k"),
            Do::read("k"),
            Do::read("k").within(Duration::from_millis(1)),
        ]);
        assert_eq!(statuses(&ends[1..4]), [status::OK; 3]);
        assert!(ends[2].took >= Duration::from_millis(30), "{:?}", ends[2].took);
        assert_eq!(ends[4].status, status::TIMEOUT);
    }
}

#[test]
fn a_call_that_hangs_ends_when_the_run_is_stopped() {
    for binding in both(&[("mem.hang.at", "1"), ("mem.hang.kind", "suspend")]) {
        std::thread::scope(|scope| {
            let client = scope.spawn(|| binding.play_one([Do::open(), Do::read("k")]));
            while !client.is_finished() {
                binding.stop();
                std::thread::yield_now();
            }
            let ends = client.join().unwrap();
            // An async operation is dropped, so that nothing is known of its end.
            assert!(ends.get(1).is_none_or(|ended| ended.status != status::OK));
        });
    }
}

#[test]
fn a_hanging_task_is_dropped_at_its_deadline() {
    let open = own_store().set("mem.hang.at", "1");
    let binding = Plugin::tokio::<MemDbAsync>().open(open).expect("opens");
    let ends =
        binding.play_one([Do::open(), Do::read("k").within(Duration::from_millis(5)), Do::insert("k", &[A])]);
    assert_eq!(statuses(&ends), [status::OK, status::TIMEOUT, status::OK]);
}

#[test]
fn a_prefilled_table_has_data_without_a_load() {
    for plugin in [Plugin::blocking::<MemDb>(), Plugin::tokio::<MemDbAsync>()] {
        let mut open = own_store().set("mem.prefill", "true").set("mem.insertorder", "ordered");
        (open.run, open.expected_records) = (true, 12);
        let binding = plugin.open(open).expect("opens");
        assert!(binding.detail.ends_with("table usertable, 12 records"), "{}", binding.detail);
        let ends = binding.play_one([Do::open(), Do::scan("user0", 100), Do::read("user11")]);
        assert_eq!(ends[1].row_count, 12);
        assert_eq!(ends[2].rows[0].field("field3").map(<[u8]>::len), Some(100));
    }
    let unknown = Plugin::blocking::<MemDb>().open(own_store().set("mem.prefill", "true")).err().unwrap();
    assert_eq!(unknown.status, status::BAD_REQUEST);
}

#[test]
fn corrupted_reads_return_a_wrong_byte() {
    for binding in both(&[("mem.corrupt.every", "2")]) {
        let ends = binding.play_one([Do::open(), Do::insert("k", &[A]), Do::read("k"), Do::read("k")]);
        assert_eq!(ends[2].rows[0].field("a"), Some(&b"1"[..]));
        assert_eq!(ends[3].rows[0].field("a"), Some(&b"0"[..]));
    }
}

#[test]
fn one_process_loads_and_another_runs_through_a_file() {
    for plugin in [Plugin::blocking::<MemDb>(), Plugin::tokio::<MemDbAsync>()] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let open = |run, fresh| {
            let mut open = Open::default().set("mem.file", path.to_str().unwrap());
            (open.run, open.fresh) = (run, fresh);
            plugin.open(open)
        };
        let absent = open(true, false).err().unwrap();
        assert_eq!(absent.status, status::NOT_FOUND);
        assert!(absent.detail.contains("load it first"), "{}", absent.detail);

        let load = vec![
            vec![Do::open(), Do::insert("k1", &[A]), Do::end()],
            vec![Do::open(), Do::insert("k2", &[A]), Do::end()],
        ];
        open(false, false).expect("opens").play(load.clone());
        let ends = open(true, false).expect("opens").play_one([Do::open(), Do::scan("", 10), Do::end()]);
        assert_eq!(ends[1].row_count, 2);

        let again = open(false, false).expect("opens").play(load.clone());
        assert!(again.iter().all(|ends| ends[1].status == status::DUPLICATE));
        let fresh = open(false, true).expect("opens").play(load);
        assert!(fresh.iter().all(|ends| ends[1].status == status::OK));
    }
}

#[test]
fn what_the_binding_cannot_do_is_left_out_of_its_capabilities() {
    for binding in both(&[("mem.without", "SCAN, INSERT_BATCH")]) {
        let missing = capability::SCAN | capability::SCAN_ORDERED | capability::INSERT_BATCH;
        assert_eq!(binding.capabilities & missing, 0);
        assert_eq!(binding.capabilities & capability::READ, capability::READ);
    }
    let unknown = Plugin::blocking::<MemDb>().open(own_store().set("mem.without", "SCAM")).err().unwrap();
    assert_eq!(unknown.status, status::BAD_REQUEST);
    assert!(unknown.detail.contains("\"SCAM\""), "{}", unknown.detail);
}

#[test]
fn bindings_of_one_process_share_a_store_by_its_name() {
    let open = own_store();
    let blocking = Plugin::blocking::<MemDb>().open(open.clone()).expect("opens");
    blocking.play_one([Do::open(), Do::insert("k", &[A]), Do::end()]);
    let other = Plugin::tokio::<MemDbAsync>().open(open).expect("opens");
    assert_eq!(other.play_one([Do::open(), Do::read("k")])[1].status, status::OK);
}

#[test]
fn the_readme_names_every_property() {
    let readme = include_str!("../README.md");
    let [manifest] = Plugin::blocking::<MemDb>().manifests() else { panic!("one binding") };
    for property in manifest.properties.as_slice() {
        let name = std::str::from_utf8(property.name.as_slice()).unwrap();
        assert!(readme.contains(&format!("`{name}`")), "{name}");
    }
}

/// A point of the series `s` with two tags.
fn point(
    tag: &'static [u8],
    time: &'static [u8; 8],
    value: &'static [u8; 8],
) -> [(&'static str, &'static [u8]); 4] {
    [("A", tag), ("B", b"x"), ("YCSBTS", time), ("YCSBV", value)]
}

#[test]
fn points_of_time_series_are_found_by_tags_and_time_and_written_over() {
    const TIMES: [[u8; 8]; 3] = [60_i64.to_be_bytes(), 120_i64.to_be_bytes(), (-60_i64).to_be_bytes()];
    const VALUES: [[u8; 8]; 2] = [*b"value 00", *b"value 01"];
    for binding in both(&[]) {
        let ends = binding.play_one([
            Do::open(),
            Do::insert("s", &point(b"a", &TIMES[0], &VALUES[0])),
            Do::insert("s", &point(b"a", &TIMES[1], &VALUES[0])),
            Do::insert("s", &point(b"b", &TIMES[2], &VALUES[0])),
            Do::insert("s", &point(b"a", &TIMES[0], &VALUES[1])),
            Do::read("s").select(&["YCSBTS=60", "B=x", "A=a", "YCSBDS=SUM60"]),
            Do::read("s").select(&["YCSBTS=61,180", "B=x", "A=a"]),
            Do::read("s").select(&["YCSBTS=61,119", "B=x", "A=a"]),
            Do::read("s").select(&["YCSBTS=-60,180", "B=x", "A"]),
            Do::read("none").select(&["YCSBTS=60", "B=x", "A=a"]),
            Do::scan("", 10).select(&["YCSBTS=-60,60", "B=x"]),
            Do::update("s", &point(b"b", &TIMES[0], &VALUES[0])),
            Do::read("s").select(&["YCSBTS=60", "B=x", "A=b"]),
            Do::end(),
        ]);
        assert!(statuses(&ends).iter().all(|ended| *ended == status::OK), "{:?}", statuses(&ends));
        let found = |call: usize| -> Vec<(Vec<u8>, i64, Vec<u8>)> {
            let points = ends[call].rows.iter().filter(|row| !row.fields.is_empty());
            let of = |row: &ycsb_plugin_api::testing::ReturnedRow| {
                let value = |at: usize| row.fields[at].1.clone();
                (value(0), i64::from_be_bytes(value(2).try_into().unwrap()), value(3))
            };
            points.map(of).collect()
        };
        let expected = |tag: &[u8], time, value: usize| (tag.to_vec(), time, VALUES[value].to_vec());
        assert_eq!(found(5), [expected(b"a", 60, 1)]);
        assert_eq!(found(6), [expected(b"a", 120, 0)]);
        assert_eq!((found(7), found(9)), (vec![], vec![]));
        assert_eq!(found(8), [expected(b"a", 60, 1)], "the first in order of tags");
        assert_eq!(found(10), [expected(b"a", 60, 1), expected(b"b", -60, 0)]);
        assert_eq!(found(12), [expected(b"b", 60, 0)]);
    }
}
