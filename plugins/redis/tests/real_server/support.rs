//! A database of its own for each test.

use redis::Commands;
use std::sync::atomic::{AtomicU32, Ordering};
use ycsb_plugin_api::testing::{Ended, Open, OpenBinding, Plugin};
use ycsb_redis::Redis;
use ycsb_test_services::Service;

/// An empty database of the plain server, and both clients.
pub(crate) struct Database {
    server: Service,
    number: u32,
    /// The client that is not ours.
    pub(crate) plain: redis::Connection,
}

static NEXT: AtomicU32 = AtomicU32::new(0);

impl Database {
    /// `None` where the server cannot be installed.
    pub(crate) fn empty() -> Option<Database> {
        let server = Service::up("redis@plugin", &["databases=200"])?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let url = format!("redis://{}:{}/{number}", server.fact("HOST"), server.fact("PORT"));
        let mut plain = redis::Client::open(url).unwrap().get_connection().unwrap();
        redis::cmd("FLUSHDB").exec(&mut plain).unwrap();
        Some(Database { server, number, plain })
    }

    /// How to open the binding on this database.
    pub(crate) fn how(&self) -> Open {
        at(&self.server).set("redis.db", &self.number.to_string())
    }

    pub(crate) fn open(&self) -> OpenBinding {
        open(self.how())
    }

    /// Its number.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    pub(crate) fn server(&self) -> &Service {
        &self.server
    }

    /// The members of a sorted set with their scores.
    pub(crate) fn members(&mut self, set: &str) -> Vec<(String, f64)> {
        self.plain.zrange_withscores(set, 0, -1).unwrap()
    }
}

pub(crate) fn at(server: &Service) -> Open {
    Open::default().set("redis.host", server.fact("HOST")).set("redis.port", server.fact("PORT"))
}

pub(crate) fn open(how: Open) -> OpenBinding {
    Plugin::tokio::<Redis>().open(how).unwrap_or_else(|ended| panic!("{ended:?}"))
}

pub(crate) fn refused(how: Open) -> Ended {
    match Plugin::tokio::<Redis>().open(how) {
        Ok(binding) => panic!("opened: {}", binding.detail),
        Err(ended) => *ended,
    }
}
