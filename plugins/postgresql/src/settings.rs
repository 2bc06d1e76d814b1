//! The properties of the binding, and what they say.

use crate::table::Layout;
use ycsb_plugin_api::{Env, Failure, Property, Settings};
use ycsb_plugin_common::Interrupt;
use ycsb_plugin_postgres::{Connector, Credentials, parse_urls, reject_other_engines};

pub(crate) const PROPERTIES: &[Property] = &[
    Property::url("postgresql.url").aliases(&["db.url", "postgrenosql.url"]).required().help(
        "jdbc:postgresql://HOST[:PORT][,HOST...]/DATABASE[?OPTION=VALUE&...]; several with ';' are shards.",
    ),
    Property::text("postgresql.user")
        .aliases(&["db.user", "postgrenosql.user"])
        .default("")
        .help("Role to log in as, unless the URL names one; empty = the operating system's user."),
    Property::text("postgresql.password")
        .aliases(&["db.passwd", "postgrenosql.passwd"])
        .secret()
        .default("")
        .help("Its password, unless the URL has one."),
    Property::one_of("postgresql.layout", &["columns", "jsonb"])
        .default("columns")
        .help("A column per field, or one JSONB document per record; the name postgrenosql presets jsonb."),
    Property::bool("postgresql.create")
        .default("true")
        .load_only()
        .help("Whether a load creates the table if it is absent."),
    Property::text("db.driver")
        .help("Java's driver class: one of PostgreSQL is ignored, any other is refused."),
    Property::of_host("batchsize", &["db.batchsize"]),
    Property::bool("jdbc.batchupdateapi").default("false").help(
        "A batch is one statement in any case; with false a note says that Java would have sent single rows.",
    ),
    Property::bool("jdbc.autocommit")
        .aliases(&["postgrenosql.autocommit"])
        .default("true")
        .help("Every statement or batch is a transaction of its own; with false a note says so."),
    Property::integer("jdbc.fetchsize")
        .default("-1")
        .allowed("-1..2147483647")
        .help("Rows that the server sends at a time in a scan; 0 or less = all at once."),
];

/// What the properties say.
pub(crate) struct PostgresqlSettings {
    /// One database per shard.
    pub(crate) shards: Vec<Connector>,
    pub(crate) layout: Layout,
    pub(crate) create: bool,
    /// Rows per fetch of a scan; 0 = all.
    pub(crate) fetch_rows: i32,
    pub(crate) interrupt: Interrupt,
}

impl PostgresqlSettings {
    /// # Errors
    /// BAD_REQUEST for URLs of other databases, unknown options and files that cannot be used.
    pub(crate) fn read(settings: &Settings<'_>, env: &Env<'_>) -> Result<PostgresqlSettings, Failure> {
        let url: &str = settings.get("postgresql.url")?;
        reject_other_engines(url, settings.find("db.driver")?)?;
        let credentials = Credentials {
            user: settings.get("postgresql.user")?,
            password: settings.get("postgresql.password")?,
        };
        let interrupt = Interrupt::default();
        let targets = parse_urls("postgresql.url", url, &credentials, env.host())?;
        let shards = targets.into_iter().map(|mut target| {
            target.interrupt = interrupt.clone();
            Connector::to(target)
        });
        note_what_java_would_do(settings, env)?;
        Ok(PostgresqlSettings {
            shards: shards.collect::<Result<_, _>>()?,
            layout: match settings.get::<&str>("postgresql.layout")? {
                "jsonb" => Layout::Jsonb,
                _ => Layout::Columns,
            },
            create: settings.get("postgresql.create")?,
            fetch_rows: settings.get::<i32>("jdbc.fetchsize")?.max(0),
            interrupt,
        })
    }
}

fn note_what_java_would_do(settings: &Settings<'_>, env: &Env<'_>) -> Result<(), Failure> {
    if env.batch_size() > 1 && !settings.get::<bool>("jdbc.batchupdateapi")? {
        let size = env.batch_size();
        env.host().info(format!(
            "records are inserted {size} at a time; YCSB's jdbc binding would have sent single rows without \
             jdbc.batchupdateapi=true"
        ));
    }
    if !settings.get::<bool>("jdbc.autocommit")? {
        env.host().info(
            "autocommit=false: every statement or batch is still committed at once; no transaction stays open \
             between operations",
        );
    }
    Ok(())
}
