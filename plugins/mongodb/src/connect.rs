//! Before the first operation: options of the driver, ping, the collection emptied if the run starts fresh.

use crate::failure::{failure, without};
use crate::settings::Config;
use crate::store::Store;
use mongodb::bson::{RawDocumentBuf, doc};
use mongodb::options::{
    Acknowledgment, ClientOptions, ReadPreference, SelectionCriteria, ServerMonitoringMode,
};
use mongodb::{Client, Database};
use std::time::Duration;
use ycsb_plugin_api::capability::{
    DELETE, DETECTS_DUPLICATES, INSERT, INSERT_BATCH, INSERT_OVERWRITES, PROJECTION, READ, SCAN,
    SCAN_ORDERED, UPDATE,
};
use ycsb_plugin_api::{Env, Failure, Host, Settings};

/// What every configuration can do.
pub(crate) const ALWAYS: u64 =
    READ | SCAN | UPDATE | INSERT | DELETE | INSERT_BATCH | SCAN_ORDERED | PROJECTION;

/// What is left of the deadline for the answer, after the driver has given up.
const MARGIN: Duration = Duration::from_millis(200);

/// What connecting found out. Holds the password, inside the options.
pub(crate) struct Connected {
    options: ClientOptions,
    secrets: Vec<String>,
    database: String,
    table: String,
    upsert: bool,
    /// A single server: its pool can be filled in advance without filling those of servers that are never asked.
    single_server: bool,
    /// Longest time of an operation.
    pub(crate) operation_limit: Option<Duration>,
    /// One line for people.
    pub(crate) detail: String,
    /// What this configuration can do.
    pub(crate) capabilities: u64,
}

/// The part of [`Env`] that connecting needs, free of borrows that would end at a suspension point.
struct Circumstances {
    host: Host,
    fresh: bool,
    table: String,
    clients: u32,
    time_left: Option<Duration>,
}

/// Connects, pings, and empties the collection if the run starts fresh. The client used for it is given up again: its
/// patience is that of `open`.
///
/// # Errors
/// BAD_REQUEST for settings that contradict each other, otherwise why there is no connection.
pub(crate) async fn connect(settings: &Settings<'_>, env: &Env<'_>) -> Result<Connected, Failure> {
    let config = Config::read(settings)?;
    let circumstances = Circumstances {
        host: env.host(),
        fresh: env.fresh(),
        table: env.table().to_owned(),
        clients: u32::try_from(env.clients()).unwrap_or(u32::MAX),
        time_left: env.deadline().time_left(),
    };
    let secrets = config.url.secrets();
    let connecting = connect_with(config, circumstances);
    connecting.await.map_err(|failure| without(failure, &secrets))
}

async fn connect_with(config: Config, env: Circumstances) -> Result<Connected, Failure> {
    for note in &config.notes {
        env.host.info(note);
    }
    let mut options = match env.time_left {
        None => ClientOptions::parse(config.url.text()).await,
        // A name that has to be looked up first can take as long as the resolver likes.
        Some(left) => {
            match tokio::time::timeout(left.saturating_sub(MARGIN), ClientOptions::parse(config.url.text()))
                .await
            {
                Ok(parsed) => parsed,
                Err(_) => {
                    return Err(Failure::timeout(format!("looking up {} took too long", config.url.hosts())));
                }
            }
        }
    }
    .map_err(|error| failure(&error).context("mongodb.url"))?;
    complete(&mut options, env.clients);

    let client = Client::with_options(patient(&options, env.time_left)).map_err(|error| failure(&error))?;
    let database = client.database(&config.database);
    check_access(&database, &env).await.map_err(|failure| hinted(failure, &config))?;
    let version = version_of(&database).await;
    let single_server = options.hosts.len() == 1 && !is_replica_set(&database).await;
    client.shutdown().immediate(true).await;

    let semantics = if config.upsert { INSERT_OVERWRITES } else { DETECTS_DUPLICATES };
    let detail = format!(
        "MongoDB{version} at {}, database {}, collection {}, {}",
        config.url.hosts(),
        config.database,
        env.table,
        concerns(&options)
    );
    Ok(Connected {
        secrets: config.url.secrets(),
        database: config.database,
        table: env.table,
        upsert: config.upsert,
        single_server,
        operation_limit: config.operation_limit,
        detail,
        capabilities: ALWAYS | semantics,
        options,
    })
}

/// What neither the URL nor the driver decides as a benchmark needs it.
fn complete(options: &mut ClientOptions, clients: u32) {
    // The driver's own limit is 10, and clients would wait for each other.
    options.max_pool_size = Some(options.max_pool_size.filter(|size| *size > 0).unwrap_or(clients));
    options.app_name.get_or_insert_with(|| "ycsb-host".to_owned());
    // A second connection per server that measures round trips is of use to drivers with streamed heartbeats only.
    options.server_monitoring_mode.get_or_insert(ServerMonitoringMode::Poll);
}

/// The same options, with the patience of `open`.
fn patient(options: &ClientOptions, left: Option<Duration>) -> ClientOptions {
    let mut options = options.clone();
    if let Some(left) = left {
        let limit = left.saturating_sub(MARGIN).max(Duration::from_millis(1));
        let shorter = |given: Option<Duration>| Some(given.map_or(limit, |given| given.min(limit)));
        options.server_selection_timeout = shorter(options.server_selection_timeout);
        options.connect_timeout = shorter(options.connect_timeout.or(Some(Duration::from_secs(10))));
    }
    options.max_pool_size = Some(1);
    options.min_pool_size = None;
    options
}

fn hinted(failure: Failure, config: &Config) -> Failure {
    let text = failure.text().to_owned();
    let login = config.url.login().is_some();
    if failure.status() == ycsb_plugin_api::abi::status::FORBIDDEN {
        let next = match login {
            true => {
                "check user, password and authSource (mongodb.username, mongodb.password, mongodb.authdb)"
            }
            false => "the server asks who you are; set mongodb.username and mongodb.password",
        };
        return failure.detail(format!("{text}; {next}"));
    }
    if text.contains("invalid peer certificate") {
        return failure
            .detail(format!("{text}; see mongodb.tls_ca_file, the PEM file of the authorities to trust"));
    }
    failure
}

/// A server answers pings whoever asks; a read of a record that nobody has shows whether the login may do more.
async fn check_access(database: &Database, env: &Circumstances) -> Result<(), Failure> {
    let told = |error: mongodb::error::Error| failure(&error);
    database.run_command(doc! {"ping": 1}).await.map_err(told)?;
    database.collection::<RawDocumentBuf>(&env.table).find_one(doc! {"_id": ""}).await.map_err(told)?;
    if env.fresh {
        drop_collection(database, &env.table).await?;
    }
    Ok(())
}

/// Some servers fail when the collection is not there.
async fn drop_collection(database: &Database, table: &str) -> Result<(), Failure> {
    let there = database
        .list_collection_names()
        .filter(doc! {"name": table})
        .await
        .map_err(|error| failure(&error))?;
    if there.iter().any(|name| name == table) {
        let dropped = database.collection::<mongodb::bson::Document>(table).drop().await;
        dropped.map_err(|error| failure(&error).context(format!("dropping collection {table}")))?;
    }
    Ok(())
}

/// ` 7.0.1`, or nothing if the server does not say.
async fn version_of(database: &Database) -> String {
    let info = database.run_command(doc! {"buildInfo": 1}).await.unwrap_or_default();
    info.get_str("version").map(|version| format!(" {version}")).unwrap_or_default()
}

async fn is_replica_set(database: &Database) -> bool {
    let hello = database.run_command(doc! {"hello": 1}).await.unwrap_or_default();
    hello.contains_key("setName")
}

/// Write concern and read preference, for people: two runs that differ here cannot be compared.
fn concerns(options: &ClientOptions) -> String {
    let concern = options.write_concern.as_ref();
    let w = match concern.and_then(|concern| concern.w.as_ref()) {
        Some(Acknowledgment::Nodes(nodes)) => format!("w={nodes}"),
        Some(Acknowledgment::Majority) => "w=majority".to_owned(),
        Some(Acknowledgment::Custom(tag)) => format!("w={tag}"),
        _ => "w as the server decides".to_owned(),
    };
    let journal = match concern.and_then(|concern| concern.journal) {
        Some(journal) => format!(", journal={journal}"),
        None => String::new(),
    };
    let preference = match &options.selection_criteria {
        Some(SelectionCriteria::ReadPreference(preference)) => match preference {
            ReadPreference::Primary => "primary",
            ReadPreference::Secondary { .. } => "secondary",
            ReadPreference::PrimaryPreferred { .. } => "primaryPreferred",
            ReadPreference::SecondaryPreferred { .. } => "secondaryPreferred",
            ReadPreference::Nearest { .. } => "nearest",
            _ => "other",
        },
        _ => "primary",
    };
    format!("{w}{journal}, reads from {preference}")
}

impl Connected {
    /// Most connections that the URL allows, or one per client.
    pub(crate) fn connections(&self) -> u32 {
        self.options.max_pool_size.unwrap_or(1)
    }

    /// A client with so many connections, all of them open, on the current runtime.
    ///
    /// # Errors
    /// What happened.
    pub(crate) async fn client(&self, connections: u32) -> Result<(Client, Store), Failure> {
        let mut options = self.options.clone();
        options.max_pool_size = Some(connections);
        options.min_pool_size = match options.min_pool_size {
            Some(least) => Some(least.min(connections)),
            None => self.single_server.then_some(connections),
        };
        options.max_connecting.get_or_insert(connections.min(64));
        let opened = async {
            let client = Client::with_options(options).map_err(|error| failure(&error))?;
            let store = Store::new(&client, &self.database, &self.table, self.upsert);
            store.ping().await?;
            client.warm_connection_pool().await;
            Ok((client, store))
        };
        opened.await.map_err(|failure| without(failure, &self.secrets))
    }
}
