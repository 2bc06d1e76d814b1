//! The store on a disk that can be full and that forgets what was not synced.

use crate::failure::Failed;
use crate::settings::WhenDurable;
use crate::snapshot::Snapshot;
use crate::store::Store;
use redb::{BackendError, Database, ReadableTable, ReadableTableMetadata, StorageBackend};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use ycsb_plugin_api::Failure;
use ycsb_plugin_api::abi::status;

const TABLE: &str = "usertable";
const VALUE: [u8; 1000] = [b'v'; 1000];
const NO_SPACE: i32 = 28;

/// A disk in memory.
#[derive(Clone, Debug, Default)]
struct Disk {
    bytes: Arc<Mutex<Vec<u8>>>,
    /// What survives a crash.
    synced: Arc<Mutex<Vec<u8>>>,
    /// Writes beyond it fail; 0 = no limit.
    capacity: Arc<AtomicU64>,
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.bytes.lock().unwrap().len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let bytes = self.bytes.lock().unwrap();
        let from = offset as usize;
        out.copy_from_slice(bytes.get(from..from + out.len()).ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.bytes.lock().unwrap().resize(length as usize, 0);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        self.bytes.lock().unwrap().clone_into(&mut self.synced.lock().unwrap());
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let end = offset + data.len() as u64;
        let capacity = self.capacity.load(Ordering::Relaxed);
        if capacity != 0 && end > capacity {
            return Err(io::Error::from_raw_os_error(NO_SPACE));
        }
        let mut bytes = self.bytes.lock().unwrap();
        bytes
            .get_mut(offset as usize..end as usize)
            .ok_or(io::ErrorKind::UnexpectedEof)?
            .copy_from_slice(data);
        Ok(())
    }

    fn try_lock_range(&self, _: std::ops::Bound<u64>, _: std::ops::Bound<u64>) -> Result<bool, BackendError> {
        Err(BackendError::Unsupported)
    }
}

impl Disk {
    fn store(&self, durable: WhenDurable) -> Store {
        let mut builder = Database::builder();
        builder.set_cache_size(1 << 20);
        let database = builder.create_with_backend(self.clone()).unwrap();
        Store::new(database, PathBuf::from("/disk/file"), durable)
    }

    /// The disk as it is after the process was killed and the machine lost power.
    fn after_crash(&self) -> Disk {
        let left = Disk::default();
        self.synced.lock().unwrap().clone_into(&mut left.bytes.lock().unwrap());
        left
    }
}

fn insert(store: &Store, key: &str) -> Result<(), Failure> {
    store.write(TABLE, |records| {
        records.insert(key, &VALUE[..])?;
        Ok(1)
    })
}

/// As a session reads: through the open transaction if it has writes, otherwise from a snapshot.
fn holds(store: &Store, snapshot: &mut Snapshot, key: &str) -> Result<bool, Failure> {
    if store.state().has_open_writes()
        && let Some(found) = store.read_open(TABLE, |records| Ok(records.get(key)?.is_some()))?
    {
        return Ok(found);
    }
    let Some(records) = snapshot.of(store, TABLE)? else { return Ok(false) };
    records.get(key).map(|found| found.is_some()).map_err(|error| store.failed(Failed::from(error)))
}

fn count(store: &Store) -> u64 {
    Snapshot::default().of(store, TABLE).unwrap().map_or(0, |records| records.len().unwrap())
}

#[test]
fn what_is_acknowledged_is_seen_by_every_session_at_once() {
    for durable in [WhenDurable::AtEnd, WhenDurable::AfterWrites(7), WhenDurable::AtOnce] {
        let store = Disk::default().store(durable);
        let acknowledged = AtomicU64::new(0);
        let writes = 400;
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut snapshot = Snapshot::default();
                    let mut seen = 0;
                    while seen < writes {
                        seen = acknowledged.load(Ordering::Acquire);
                        if seen > 0 {
                            assert!(holds(&store, &mut snapshot, &format!("k{seen}")).unwrap(), "k{seen}");
                        }
                    }
                });
            }
            for number in 1..=writes {
                insert(&store, &format!("k{number}")).unwrap();
                acknowledged.store(number, Ordering::Release);
            }
        });
        store.publish().unwrap();
        assert_eq!(count(&store), writes);
    }
}

#[test]
fn a_crash_leaves_what_the_durability_promises() {
    let survivors = |durable, writes: u64, persist: bool| {
        let disk = Disk::default();
        let store = disk.store(durable);
        (0..writes).for_each(|number| insert(&store, &format!("k{number}")).unwrap());
        if persist {
            store.persist().unwrap();
        }
        let left = disk.after_crash();
        drop(store);
        count(&left.store(durable))
    };
    assert_eq!(survivors(WhenDurable::AtEnd, 200, false), 0);
    assert_eq!(survivors(WhenDurable::AtEnd, 200, true), 200);
    assert_eq!(survivors(WhenDurable::AfterWrites(30), 200, false), 180);
    assert_eq!(survivors(WhenDurable::AfterWrites(100), 200, false), 200);
    assert_eq!(survivors(WhenDurable::AtOnce, 20, false), 20);
}

#[test]
fn one_durable_commit_serves_sessions_that_write_at_the_same_time() {
    let disk = Disk::default();
    let store = disk.store(WhenDurable::AtOnce);
    thread::scope(|scope| {
        for client in 0..8 {
            let store = &store;
            scope.spawn(move || {
                (0..25).for_each(|number| insert(store, &format!("k{client}.{number}")).unwrap());
            });
        }
    });
    assert!(store.state().commits() <= 200);
    assert_eq!(count(&disk.after_crash().store(WhenDurable::AtOnce)), 200);
}

#[test]
fn a_refused_write_changes_nothing_and_hinders_nobody() {
    for durable in [WhenDurable::AtEnd, WhenDurable::AtOnce] {
        let store = Disk::default().store(durable);
        insert(&store, "k").unwrap();
        let refused = store.write(TABLE, |_| Err(Failed::Refused(Failure::duplicate())));
        assert_eq!(refused.unwrap_err().status(), status::DUPLICATE);
        insert(&store, "l").unwrap();
        store.publish().unwrap();
        assert_eq!(count(&store), 2);
    }
}

#[test]
fn a_full_disk_is_told_with_its_cause_and_with_what_is_lost() {
    for durable in [WhenDurable::AtEnd, WhenDurable::AtOnce] {
        let disk = Disk::default();
        let store = disk.store(durable);
        disk.capacity.store(2 << 20, Ordering::Relaxed);
        let (acknowledged, failure) = (0..)
            .find_map(|number| insert(&store, &format!("k{number}")).err().map(|failure| (number, failure)))
            .unwrap();
        assert_eq!(failure.status(), status::ERROR);
        assert_eq!(failure.text(), "/disk/file: No space left on device (os error 28)");

        let later = insert(&store, "later").unwrap_err();
        assert_eq!(later.status(), status::SERVICE_UNAVAILABLE);
        assert!(later.text().contains("No space left on device"), "{}", later.text());

        let end = store.persist();
        match durable {
            WhenDurable::AtOnce => {
                assert!(end.is_ok());
                disk.capacity.store(0, Ordering::Relaxed);
                assert_eq!(count(&disk.after_crash().store(durable)), acknowledged);
            }
            _ => {
                let lost = format!("acknowledged writes lost: {acknowledged}: ");
                assert!(end.unwrap_err().text().starts_with(&lost));
            }
        }
    }
}

#[test]
fn a_panic_while_writing_undoes_the_group_and_the_store_goes_on() {
    let store = Disk::default().store(WhenDurable::AtEnd);
    insert(&store, "k").unwrap();
    store.publish().unwrap();
    insert(&store, "l").unwrap();
    let panicked = thread::scope(|scope| {
        scope.spawn(|| store.write(TABLE, |_| panic!("in the middle of a write"))).join()
    });
    assert!(panicked.is_err());
    insert(&store, "m").unwrap();
    let end = store.persist().unwrap_err();
    assert!(end.text().starts_with("acknowledged writes lost: 1: "), "{}", end.text());
    assert_eq!(count(&store), 2);
}
