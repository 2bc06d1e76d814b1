//! A table of its own for each test.

use postgres::NoTls;
use std::sync::atomic::{AtomicU32, Ordering};
use ycsb_plugin_api::testing::{Ended, Open, OpenBinding, Plugin};
use ycsb_postgresql::Postgresql;
use ycsb_test_services::Service;

/// A table of the plain server that does not exist yet, and both clients.
pub(crate) struct Place {
    server: Service,
    pub(crate) table: &'static str,
    /// The client that is not ours.
    pub(crate) plain: postgres::Client,
}

static NEXT: AtomicU32 = AtomicU32::new(0);

/// Both layouts, for what holds for both.
pub(crate) const LAYOUTS: [&str; 2] = ["columns", "jsonb"];

impl Place {
    /// `None` where the server cannot be installed.
    pub(crate) fn fresh() -> Option<Place> {
        let server = Service::up("postgresql", &[])?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let table = format!("t{}_{number}", std::process::id()).leak();
        Some(Place { plain: plain(&server), server, table })
    }

    /// How to open the binding on this table.
    pub(crate) fn how(&self) -> Open {
        Open { table: self.table, ..at(&self.server) }
    }

    pub(crate) fn layout(&self, layout: &str) -> Open {
        self.how().set("postgresql.layout", layout)
    }

    pub(crate) fn server(&self) -> &Service {
        &self.server
    }

    /// The first column of the first row, as text.
    pub(crate) fn ask(&mut self, sql: &str) -> String {
        self.plain.query_one(&sql.replace("@T", self.table), &[]).unwrap().get(0)
    }

    pub(crate) fn execute(&mut self, sql: &str) {
        self.plain.batch_execute(&sql.replace("@T", self.table)).unwrap();
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = self.plain.batch_execute(&format!("DROP TABLE IF EXISTS {}", self.table));
    }
}

pub(crate) fn plain(server: &Service) -> postgres::Client {
    postgres::Config::new()
        .host(server.fact("HOST"))
        .port(server.fact("PORT").parse().unwrap())
        .user(server.fact("USERNAME"))
        .password(server.fact("PASSWORD"))
        .dbname(server.fact("DATABASE"))
        .connect(NoTls)
        .unwrap()
}

pub(crate) fn at(server: &Service) -> Open {
    Open::default()
        .set("postgresql.url", server.fact("URL"))
        .set("postgresql.user", server.fact("USERNAME"))
        .set("postgresql.password", server.fact("PASSWORD"))
}

/// Another value of a property.
pub(crate) fn with(mut how: Open, name: &str, value: &str) -> Open {
    how.settings.retain(|(given, _)| given != name);
    how.set(name, value)
}

pub(crate) fn open(how: Open) -> OpenBinding {
    Plugin::blocking::<Postgresql>().open(how).unwrap_or_else(|ended| panic!("{ended:?}"))
}

pub(crate) fn refused(how: Open) -> Ended {
    match Plugin::blocking::<Postgresql>().open(how) {
        Ok(binding) => panic!("opened: {}", binding.detail),
        Err(ended) => *ended,
    }
}

/// A record with all ten fields.
pub(crate) fn record(value: &[u8]) -> Vec<(&'static str, &[u8])> {
    const NAMES: [&str; 10] =
        ["field0", "field1", "field2", "field3", "field4", "field5", "field6", "field7", "field8", "field9"];
    NAMES.iter().map(|name| (*name, value)).collect()
}

pub(crate) fn says(ended: &Ended, expected_status: u32, words: &str, secrets: &[&str]) {
    assert_eq!(ended.status, expected_status, "{}", ended.detail);
    assert!(ended.detail.contains(words), "{:?} lacks {words:?}", ended.detail);
    for secret in secrets {
        assert!(!ended.detail.contains(secret), "{} shows a secret", ended.detail);
    }
}
