//! The properties of the binding, and what they say.

use ycsb_plugin_api::{Env, Failure, Hosts, Property, Settings};
use ycsb_plugin_common::{Endpoint, Interrupt};
use ycsb_plugin_postgres::{Connector, Credentials, QualifiedName, Target, parse_urls, reject_other_engines};

const POSTGRESQL_PORT: u16 = 5432;
const VOLTDB_PORT: u16 = 21_212;
const DEFAULT_SERVERS: &str = "localhost";

pub(crate) const PROPERTIES: &[Property] = &[
    Property::url("voltdb.url")
        .help("jdbc:postgresql://HOST[:PORT][,HOST...]/DATABASE[?OPTION=VALUE&...], instead of voltdb.servers."),
    Property::hosts("voltdb.servers")
        .default(DEFAULT_SERVERS)
        .help("PostgreSQL servers as HOST[:PORT], port 5432, tried in turn."),
    Property::text("voltdb.user")
        .default("")
        .help("Role to log in as, unless the URL names one; empty = the operating system's user."),
    Property::text("voltdb.password").secret().default("").help("Its password, unless the URL has one."),
    Property::text("voltdb.database").help("Database, unless the URL names one; none = that of the user's name."),
    Property::integer("voltdb.ratelimit")
        .allowed("1..2147483647")
        .help("Transactions per second of each session at most; none = no limit. The wait counts as latency."),
    Property::text("voltdb.scanall")
        .default("no")
        .no_effect()
        .help("Has no effect: one ordered statement serves both kinds of scan."),
    Property::text("store.table").default("store").help("Name of the table, perhaps with its schema."),
    Property::bool("store.create")
        .default("true")
        .load_only()
        .help("Whether a load creates the table and its merge function if they are absent."),
    Property::bool("store.strictinsert")
        .default("false")
        .help("Whether an insert of an existing key is DUPLICATE; otherwise it merges, as in VoltDB's binding."),
    Property::integer("store.maxvalue")
        .default("0")
        .allowed("0..2147483647")
        .help("Bytes of a packed record at most, checked before loading and by the table; 0 = no limit, VoltDB has 2056."),
];

/// What the properties say.
pub(crate) struct StoreSettings {
    pub(crate) connector: Connector,
    pub(crate) table: QualifiedName,
    pub(crate) create: bool,
    pub(crate) strict_insert: bool,
    /// 0 = none.
    pub(crate) max_value_bytes: u64,
    /// Transactions per second and session.
    pub(crate) rate_limit: Option<u32>,
    pub(crate) interrupt: Interrupt,
}

impl StoreSettings {
    /// # Errors
    /// BAD_REQUEST for properties that contradict each other, VoltDB's own port, unknown options and files that
    /// cannot be used.
    pub(crate) fn read(settings: &Settings<'_>, env: &Env<'_>) -> Result<StoreSettings, Failure> {
        let interrupt = Interrupt::default();
        let mut target = target(settings, env)?;
        target.interrupt = interrupt.clone();
        if let Some(endpoint) = target.endpoints.iter().find(|endpoint| is_voltdb(endpoint)) {
            return Err(Failure::bad_request(format!(
                "{endpoint} is the port of VoltDB, whose protocol is not spoken here: this binding keeps VoltDB's \
                 table in PostgreSQL; name a PostgreSQL server"
            )));
        }
        Ok(StoreSettings {
            connector: Connector::to(target)?,
            table: QualifiedName::of(settings.get("store.table")?),
            create: settings.get("store.create")?,
            strict_insert: settings.get("store.strictinsert")?,
            max_value_bytes: settings.get("store.maxvalue")?,
            rate_limit: settings.find("voltdb.ratelimit")?,
            interrupt,
        })
    }
}

fn is_voltdb(endpoint: &Endpoint) -> bool {
    matches!(endpoint, Endpoint::Tcp { port: VOLTDB_PORT, .. })
}

fn target(settings: &Settings<'_>, env: &Env<'_>) -> Result<Target, Failure> {
    let credentials =
        Credentials { user: settings.get("voltdb.user")?, password: settings.get("voltdb.password")? };
    let servers: &str = settings.get("voltdb.servers")?;
    let hosts: Hosts<'_> = settings.get("voltdb.servers")?;
    let endpoints: Vec<Endpoint> =
        hosts.iter(POSTGRESQL_PORT).map(|(host, port)| Endpoint::tcp(host, port)).collect();
    let database = settings.find::<String>("voltdb.database")?.filter(|name| !name.is_empty());
    let mut target = match settings.find::<&str>("voltdb.url")?.filter(|url| !url.is_empty()) {
        None => Target { endpoints, ..Target::with(credentials) },
        Some(url) => {
            reject_other_engines(url, None)?;
            let mut targets = parse_urls("voltdb.url", url, &credentials, env.host())?;
            let target = targets.swap_remove(0);
            if !targets.is_empty() {
                return Err(Failure::bad_request(
                    "voltdb.url names several databases; the store lies in one",
                ));
            }
            if servers.trim() != DEFAULT_SERVERS && target.endpoints != endpoints {
                return Err(Failure::bad_request(format!(
                    "voltdb.servers={servers} and voltdb.url name different servers; remove one of them"
                )));
            }
            target
        }
    };
    target.database = target.database.or(database);
    Ok(target)
}
