//! A plugin for ycsb-host: records in an ordered map in memory, kept in a file if one is named.
#![forbid(unsafe_code)]

mod session;
mod settings;
mod snapshot;
mod store;

use session::TemplateSession;
use settings::TemplateSettings;
use std::sync::Arc;
use store::Store;
use ycsb_plugin_api::capability::{
    DELETE, DETECTS_DUPLICATES, INSERT, INSERT_BATCH, PROJECTION, READ, SCAN, SCAN_ORDERED, UPDATE,
};
use ycsb_plugin_api::{Binding, Client, Env, Failure, Info, Opened, Phase, Settings, export_plugin};

/// What `open` makes: the store that all sessions share.
pub struct Template {
    store: Arc<Store>,
    settings: Arc<TemplateSettings>,
}

impl Binding for Template {
    const INFO: Info = Info::new("template")
        .summary("Records in memory, kept in a file if one is named: a plugin to start from")
        .capabilities(
            READ | SCAN
                | UPDATE
                | INSERT
                | DELETE
                | INSERT_BATCH
                | SCAN_ORDERED
                | PROJECTION
                | DETECTS_DUPLICATES,
        )
        .properties(settings::PROPERTIES);
    type Session = TemplateSession;

    fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<Template>, Failure> {
        let settings = TemplateSettings::read(settings)?;
        let tables = match (&settings.file, env.phase()) {
            (Some(file), Phase::Run) => snapshot::load(file)?.ok_or_else(|| {
                Failure::not_found().detail(format!("{} does not exist; run the load first", file.display()))
            })?,
            (Some(file), Phase::Load) if !env.fresh() => snapshot::load(file)?.unwrap_or_default(),
            _ => store::Tables::default(),
        };
        let store = Store::new(tables);
        let detail = match &settings.file {
            Some(file) => {
                format!("{} records of {:?}, kept in {}", store.len(env.table()), env.table(), file.display())
            }
            None => format!("table {:?} in memory, gone at the end", env.table()),
        };
        Ok(Opened::new(Template { store: Arc::new(store), settings: Arc::new(settings) }).detail(detail))
    }

    fn session(&self, _: &Client<'_>) -> Result<TemplateSession, Failure> {
        Ok(TemplateSession::new(Arc::clone(&self.store), Arc::clone(&self.settings)))
    }
}

export_plugin!(blocking Template);
