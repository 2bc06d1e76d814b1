//! What the tests share: how to open the bindings, and a plain client of the driver's typed interface.

use mongodb::bson::{Document, doc};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use ycsb_mongodb::{Mongo, MongoAsync};
use ycsb_plugin_api::testing::{Ended, Open, OpenBinding, Plugin};
use ycsb_test_services::Service;

/// Which binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flavour {
    Blocking,
    Async,
}

pub(crate) const BOTH: [Flavour; 2] = [Flavour::Blocking, Flavour::Async];

impl Flavour {
    fn plugin(self) -> Plugin {
        match self {
            Flavour::Blocking => Plugin::blocking::<Mongo>(),
            Flavour::Async => Plugin::tokio::<MongoAsync>(),
        }
    }

    /// Opens the binding.
    pub(crate) fn opened(self, how: Open) -> OpenBinding {
        self.plugin().open(how).unwrap_or_else(|ended| panic!("{self:?}: {ended:?}"))
    }

    /// How opening fails.
    pub(crate) fn refused(self, how: Open) -> Ended {
        match self.plugin().open(how) {
            Ok(_) => panic!("{self:?}: opened"),
            Err(ended) => *ended,
        }
    }
}

/// Runs a test with both bindings on every server that can be had.
pub(crate) fn everywhere(test: impl Fn(Flavour, &Server)) {
    for name in ["mongodb", "mongodb-fast"] {
        if let Some(service) = Service::up(name, &[]) {
            let server = Server::of(&service);
            BOTH.into_iter().for_each(|flavour| test(flavour, &server));
        }
    }
}

/// A server by its address.
pub(crate) struct Server {
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn of(service: &Service) -> Server {
        Server { url: service.fact("URL").to_owned() }
    }

    /// How to open a binding on a collection, from empty.
    pub(crate) fn load(&self, table: &'static str) -> Open {
        let how =
            Open { fresh: true, within: Some(Duration::from_secs(30)), table, clients: 4, ..Open::default() };
        how.set("mongodb.url", &format!("{}?w=1", self.url))
    }

    /// The same for the run phase.
    pub(crate) fn run(&self, table: &'static str) -> Open {
        Open { run: true, fresh: false, ..self.load(table) }
    }

    /// A plain client.
    pub(crate) fn plain(&self) -> PlainClient {
        PlainClient::of(&self.url)
    }
}

/// The driver as its documentation shows it.
pub(crate) struct PlainClient {
    runtime: Runtime,
    client: mongodb::Client,
}

impl PlainClient {
    pub(crate) fn of(url: &str) -> PlainClient {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let client = runtime.block_on(mongodb::Client::with_uri_str(url)).expect("a client");
        PlainClient { runtime, client }
    }

    /// All documents of a collection, in key order.
    pub(crate) fn documents(&self, database: &str, table: &str) -> Vec<Document> {
        self.runtime.block_on(async {
            let collection = self.client.database(database).collection::<Document>(table);
            let mut cursor = collection.find(doc! {}).sort(doc! {"_id": 1}).await.expect("a query");
            let mut documents = Vec::new();
            while cursor.advance().await.expect("a document") {
                documents.push(cursor.deserialize_current().expect("a document"));
            }
            documents
        })
    }

    /// Deletes a database.
    pub(crate) fn drop_database(&self, database: &str) {
        self.runtime.block_on(async { self.client.database(database).drop().await.expect("dropped") });
    }

    /// Writes documents.
    pub(crate) fn write(&self, database: &str, table: &str, documents: Vec<Document>) {
        self.runtime.block_on(async {
            let collection = self.client.database(database).collection::<Document>(table);
            collection.insert_many(documents).await.expect("written");
        });
    }
}
