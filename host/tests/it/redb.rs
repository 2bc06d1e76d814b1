//! The embedded database: what is loaded is there, every operation is accounted for, and whoever cannot go on
//! says why.

use crate::support::{Place, Ran, workload};
use crate::transcript::Transcript;
use std::fs::File;

const STOCK: [&str; 6] = ["workloada", "workloadb", "workloadc", "workloadd", "workloade", "workloadf"];

/// Runs `load` or `run` on `test.redb` in the place.
fn redb(place: &Place, phase: &str, file: &str, more: &str) -> Ran {
    let path = place.path("test.redb");
    let mut words = vec![phase.to_owned(), "redb".to_owned(), "-P".to_owned(), workload(file)];
    words.extend(["-p".to_owned(), format!("redb.path={}", path.display())]);
    words.extend(more.split_whitespace().map(str::to_owned));
    place.ycsb(words)
}

fn sound(ran: &Ran) -> Transcript {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    Transcript::of(&ran.stdout)
}

/// The statuses of an operation and how often each was returned.
fn returns<'a>(ran: &'a Transcript, name: &str) -> Vec<(&'a str, u64)> {
    let blocks = ran.blocks.iter().filter(|block| block.name == name);
    let counts = blocks.flat_map(|block| &block.counts);
    counts.filter_map(|(label, count)| Some((label.strip_prefix("Return=")?, *count))).collect()
}

#[test]
fn all_stock_workloads_load_and_run_with_every_operation_accounted_for() {
    for file in STOCK {
        let place = Place::new();
        let loaded = sound(&redb(&place, "load", file, ""));
        assert_eq!(returns(&loaded, "INSERT"), [("OK", 1000)], "{file}");

        let ran = sound(&redb(&place, "run", file, "-threads 4"));
        let operations = ["READ", "UPDATE", "INSERT", "SCAN"];
        let done: u64 = operations.iter().flat_map(|name| returns(&ran, name)).map(|(_, count)| count).sum();
        // A read-modify-write is a read and an update.
        assert_eq!(done - ran.count("READ-MODIFY-WRITE", "Operations"), 1000, "{file}: {ran:?}");
        for name in operations {
            assert!(returns(&ran, name).iter().all(|(status, _)| *status == "OK"), "{file}: {ran:?}");
        }
    }
}

#[test]
fn seven_clients_with_batches_leave_exactly_the_records_of_the_load() {
    let place = Place::new();
    let more = "-threads 7 -p batchsize=100 -p recordcount=1003";
    let loaded = sound(&redb(&place, "load", "workloada", more));
    assert_eq!(returns(&loaded, "INSERT"), [("OK", 1003)]);
    assert_eq!(loaded.count("INSERT", "Operations"), 1003);
    // A scan from the first key on finds all of them and no more.
    let scan = "-p recordcount=1003 -p scanproportion=1 -p readproportion=0 -p updateproportion=0 \
                -p operationcount=1";
    let ran = redb(&place, "run", "workloada", scan);
    assert!(ran.stderr.contains(", 1003 records, "), "{ran:?}");
    sound(&ran);
}

#[test]
fn a_second_load_reports_duplicates_and_names_the_remedy() {
    let place = Place::new();
    sound(&redb(&place, "load", "workloada", ""));
    let again = redb(&place, "load", "workloada", "-p core_workload_insertion_keep_going_on_error=true");
    assert_eq!(again.code, Some(1), "{again:?}");
    assert_eq!(returns(&Transcript::of(&again.stdout), "INSERT"), [("ERROR", 1000)]);
    assert!(again.stderr.contains("dropdata=true"), "{again:?}");
    let fresh = sound(&redb(&place, "load", "workloada", "-p dropdata=true"));
    assert_eq!(returns(&fresh, "INSERT"), [("OK", 1000)]);
}

#[test]
fn a_run_without_data_is_refused_with_the_path() {
    let place = Place::new();
    let absent = redb(&place, "run", "workloada", "");
    assert_eq!(absent.code, Some(3), "{absent:?}");
    assert!(absent.stderr.contains("there is no database at "), "{absent:?}");
    assert!(absent.stderr.contains("test.redb; load it first"), "{absent:?}");

    sound(&redb(&place, "load", "workloada", "-p recordcount=5"));
    let no_table = redb(&place, "run", "workloada", "-p table=other");
    assert_eq!(no_table.code, Some(3), "{no_table:?}");
    assert!(no_table.stderr.contains("there is no table other in "), "{no_table:?}");
}

#[test]
fn a_run_on_an_empty_table_is_not_sound() {
    let place = Place::new();
    sound(&redb(&place, "load", "workloada", "-p recordcount=1"));
    let emptied = "-p recordcount=1 -p operationcount=1 -p readproportion=0 -p updateproportion=0 \
                   -p deleteproportion=1";
    sound(&redb(&place, "run", "workloada", emptied));
    let ran = redb(&place, "run", "workloada", "-p readproportion=1 -p updateproportion=0");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(returns(&Transcript::of(&ran.stdout), "READ"), [("NOT_FOUND", 1000)]);
}

#[test]
fn a_file_that_another_process_has_locked_is_named() {
    let place = Place::new();
    sound(&redb(&place, "load", "workloada", "-p recordcount=5"));
    let locked = File::options().read(true).write(true).open(place.path("test.redb")).unwrap();
    locked.lock().unwrap();
    let ran = redb(&place, "run", "workloada", "");
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("test.redb is in use by another process"), "{ran:?}");
}

#[test]
fn a_path_that_is_a_folder_is_a_mistake_in_the_settings() {
    let place = Place::new();
    std::fs::create_dir(place.path("test.redb")).unwrap();
    let ran = redb(&place, "load", "workloada", "");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("test.redb is a folder"), "{ran:?}");
}
