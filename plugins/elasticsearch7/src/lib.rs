//! Elasticsearch 7 and OpenSearch: one index, one document per record.
//!
//! The few end points that a benchmark needs are spoken by a small HTTP client of this crate, one connection per session
//! and host; see the README for its figures.
#![forbid(unsafe_code)]

mod body;
mod exchange;
mod hosts;
mod http;
mod index;
mod reply;
mod session;
mod settings;
mod source;
mod trust;

use exchange::{Exchange, Shared};
use settings::{Config, InsertOp};
use std::sync::Arc;
use ycsb_plugin_api::{
    Alias, Binding, Client, Env, Failure, Info, Opened, Settings, capability::*, export_plugin,
};

/// The binding: hosts, index and options that all sessions share.
pub struct Elasticsearch {
    shared: Arc<Shared>,
    requests: Arc<session::Requests>,
}

const ALWAYS: u64 = READ | SCAN | UPDATE | INSERT | DELETE | INSERT_BATCH | SCAN_ORDERED | PROJECTION;

impl Binding for Elasticsearch {
    const INFO: Info = Info::new("elasticsearch7")
        .summary("Elasticsearch 7 and OpenSearch over HTTP")
        .aliases(&[
            Alias::new("site.ycsb.db.elasticsearch7.ElasticsearchRestHighLevelClient"),
            Alias::new("com.yahoo.ycsb.db.elasticsearch7.ElasticsearchRestHighLevelClient"),
        ])
        .capabilities(ALWAYS | INSERT_OVERWRITES | DETECTS_DUPLICATES)
        .properties(settings::PROPERTIES);
    type Session = session::DocumentSession;

    fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<Self>, Failure> {
        let config = Config::read(settings, env)?;
        let shared = Arc::new(Shared::new(&config)?);
        let mut exchange = Exchange::new(Arc::clone(&shared), 0);
        let server = index::ping_all(&mut exchange, env)?;
        let index = index::open(&mut exchange, &config, env)?;
        let semantics = match config.insert_op {
            InsertOp::Index => INSERT_OVERWRITES,
            InsertOp::Create => DETECTS_DUPLICATES,
        };
        let capabilities = match &index.sort_field {
            Some(_) => ALWAYS | semantics,
            None => (ALWAYS | semantics) & !(SCAN | SCAN_ORDERED),
        };
        let detail = format!(
            "{server} at {}, index {}, refresh {}",
            config.hosts_text(),
            config.index,
            config.refresh.name()
        );
        let requests = Arc::new(session::Requests::new(&config, index.sort_field));
        Ok(Opened::new(Elasticsearch { shared, requests }).detail(detail).capabilities(capabilities))
    }

    fn session(&self, client: &Client<'_>) -> Result<session::DocumentSession, Failure> {
        let mut exchange = Exchange::new(Arc::clone(&self.shared), client.index());
        exchange.warm()?;
        Ok(session::DocumentSession::new(exchange, Arc::clone(&self.requests)))
    }

    fn interrupt(&self) {
        self.shared.interrupt();
    }
}

export_plugin!(blocking Elasticsearch);
