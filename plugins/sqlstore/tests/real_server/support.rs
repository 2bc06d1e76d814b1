//! A table of its own for each test.

use postgres::NoTls;
use std::sync::atomic::{AtomicU32, Ordering};
use ycsb_plugin_api::testing::{Ended, Open, OpenBinding, Plugin};
use ycsb_sqlstore::Sqlstore;
use ycsb_test_services::Service;

/// A schema of its own, and both clients.
pub(crate) struct Place {
    server: Service,
    pub(crate) schema: String,
    /// The client that is not ours.
    pub(crate) plain: postgres::Client,
}

static NEXT: AtomicU32 = AtomicU32::new(0);

impl Place {
    /// `None` where the server cannot be installed.
    pub(crate) fn fresh() -> Option<Place> {
        let server = Service::up("postgresql", &[])?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let schema = format!("store{}_{number}", std::process::id());
        let mut plain = plain(&server);
        plain.batch_execute(&format!("CREATE SCHEMA {schema}; SET search_path = {schema}")).unwrap();
        Some(Place { server, schema, plain })
    }

    pub(crate) fn server(&self) -> &Service {
        &self.server
    }

    /// How to open the binding on this schema.
    pub(crate) fn how(&self) -> Open {
        at(&self.server).set("store.table", &format!("{}.Store", self.schema))
    }

    /// The first column of the first row, as text.
    pub(crate) fn ask(&mut self, sql: &str) -> String {
        self.plain.query_one(sql, &[]).unwrap().get(0)
    }

    /// The packed row of a record of `usertable`.
    pub(crate) fn stored(&mut self, key: &str) -> Vec<u8> {
        let get = "SELECT value FROM store WHERE keyspace = 'usertable' AND key = $1";
        self.plain.query_one(get, &[&key]).unwrap().get(0)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = self.plain.batch_execute(&format!("DROP SCHEMA IF EXISTS {} CASCADE", self.schema));
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
        .set("voltdb.url", server.fact("URL"))
        .set("voltdb.user", server.fact("USERNAME"))
        .set("voltdb.password", server.fact("PASSWORD"))
}

/// Without some properties.
pub(crate) fn without(mut how: Open, name: &str) -> Open {
    how.settings.retain(|(given, _)| given != name);
    how
}

pub(crate) fn open(how: Open) -> OpenBinding {
    Plugin::blocking::<Sqlstore>().open(how).unwrap_or_else(|ended| panic!("{ended:?}"))
}

pub(crate) fn refused(how: Open) -> Ended {
    match Plugin::blocking::<Sqlstore>().open(how) {
        Ok(binding) => panic!("opened: {}", binding.detail),
        Err(ended) => *ended,
    }
}

pub(crate) fn says(ended: &Ended, expected_status: u32, words: &str) {
    assert_eq!(ended.status, expected_status, "{}", ended.detail);
    assert!(ended.detail.contains(words), "{:?} lacks {words:?}", ended.detail);
}
