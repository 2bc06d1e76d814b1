//! The properties of the binding, and what they amount to.

use crate::hosts;
use std::path::{Path, PathBuf};
use ycsb_plugin_api::{Env, Failure, Property, Settings};
use ycsb_plugin_common::Endpoint;

/// Every property that the binding reads or accepts.
pub(crate) const PROPERTIES: &[Property] = &[
    Property::text("es.hosts.list").default("localhost:9200").help(
        "Servers, separated by commas: host, host:port, [v6]:port or scheme://host:port; requests go to them in turn.",
    ),
    Property::text("es.index.name").default("es.ycsb").help("Index that holds the records; the table has no effect."),
    Property::text("es.index.key").default("key").help("Document field that holds a copy of the record's key."),
    Property::integer("es.number_of_shards").default("1").allowed("1..1024").help("Shards of an index that is created."),
    Property::integer("es.number_of_replicas")
        .default("0")
        .allowed("0..100")
        .help("Replicas of an index that is created."),
    Property::one_of("es.mapping", &["stored", "dynamic"])
        .default("stored")
        .help("Mapping of an index that is created: stored keeps values without analysing them, dynamic leaves it to the server."),
    Property::one_of("es.insert.op", &["index", "create"])
        .default("index")
        .help("What an insert of an existing key does: index overwrites, create answers DUPLICATE."),
    Property::one_of("es.refresh", &["false", "true", "wait_for", "fork"])
        .default("false")
        .help("Refresh policy of writes; fork: updates wait for the next refresh, nothing else does."),
    Property::bool("es.security.ssl").help("Speak TLS; on by itself when es.hosts.list says https."),
    Property::file("es.security.ssl.path")
        .help("PEM file of the certificate authorities to trust; without it the system's."),
    Property::bool("es.security.ssl.insecure")
        .default("false")
        .help("Check neither the certificate nor the host name."),
    Property::bool("es.authentication").default("false").help("Send the user and password (HTTP basic)."),
    Property::text("es.credentials.user").default("elastic").secret().help("User of es.authentication."),
    Property::text("es.credentials.password").default("changeme").secret().help("Password of es.authentication."),
    Property::of_host("batchsize", &["es.batchsize"]).help("Records per _bulk request."),
    Property::of_host("dropdata", &["es.newdb", "es.new_index"]).help("Delete and recreate the index before a load."),
    Property::text("es.cluster.name").no_effect().help("Never had an effect in YCSB's binding either."),
    Property::text("es.remote").no_effect().help("Of the bindings before version 7; there is no embedded server."),
    Property::text("path.home").no_effect().help("Of the bindings before version 7; there is no embedded server."),
    Property::text("es.setting.").prefix().no_effect().help("Settings of the transport client of version 5."),
];

/// Where the fork looks for a trust store when none is given; people have the line in their files.
const FORK_TRUST_STORE: &str = "/root/certificates.p12";

/// The properties, checked against each other.
pub(crate) struct Config {
    pub(crate) hosts: Vec<Endpoint>,
    pub(crate) index: String,
    pub(crate) key_field: String,
    pub(crate) shards: u32,
    pub(crate) replicas: u32,
    pub(crate) mapping: Mapping,
    pub(crate) insert_op: InsertOp,
    pub(crate) refresh: Refresh,
    /// How to trust the servers; `None` without TLS.
    pub(crate) tls: Option<Trust>,
    /// User and password.
    pub(crate) credentials: Option<(String, String)>,
}

/// What an index that is created looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mapping {
    /// The key is a keyword, every other string is stored without an index.
    Stored,
    /// No mapping: the server analyses every string.
    Dynamic,
}

/// What an insert does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InsertOp {
    /// Overwrites.
    Index,
    /// Refuses an existing key.
    Create,
}

/// When writes become visible to scans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refresh {
    /// At the server's next refresh.
    Later,
    /// At once: every write refreshes.
    Now,
    /// At the server's next refresh, which every write waits for.
    Awaited,
    /// As the fork of YCSB: updates wait.
    Fork,
}

impl Refresh {
    /// The word of the property.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Refresh::Later => "false",
            Refresh::Now => "true",
            Refresh::Awaited => "wait_for",
            Refresh::Fork => "fork",
        }
    }

    /// The parameter of an update.
    pub(crate) fn of_update(self) -> Option<&'static str> {
        match self {
            Refresh::Fork => Some("refresh=wait_for"),
            other => other.of_write(),
        }
    }

    /// The parameter of every other write.
    pub(crate) fn of_write(self) -> Option<&'static str> {
        match self {
            Refresh::Later | Refresh::Fork => None,
            Refresh::Now => Some("refresh=true"),
            Refresh::Awaited => Some("refresh=wait_for"),
        }
    }
}

/// How to trust a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// The system's certificate authorities.
    System,
    /// Those of a PEM file.
    File(PathBuf),
    /// Everybody.
    Nothing,
}

impl Config {
    /// Reads the settings.
    ///
    /// # Errors
    /// BAD_REQUEST for settings that contradict each other or the workload.
    pub(crate) fn read(settings: &Settings<'_>, env: &Env<'_>) -> Result<Config, Failure> {
        let config = Config::of(settings)?;
        if env.fields().iter().any(|field| field == config.key_field) {
            return Err(Failure::bad_request(format!(
                "es.index.key: {:?} is also a field of the workload, and a document cannot hold both; choose another name",
                config.key_field
            )));
        }
        if config.key_field.contains('.') && config.index == "es.ycsb" {
            env.host().info(format!(
                "es.index.key={} names the document field of the key; in the bindings for Elasticsearch 1 and 5 it named \
                 the index, which is es.index.name here",
                config.key_field
            ));
        }
        if config.refresh == Refresh::Fork {
            env.host()
                .warn("es.refresh=fork: every update waits for the server's next refresh, up to a second");
        }
        Ok(config)
    }

    fn of(settings: &Settings<'_>) -> Result<Config, Failure> {
        let given_tls: Option<bool> = settings.find("es.security.ssl")?;
        let (hosts, tls) = hosts::parse(settings.get("es.hosts.list")?, given_tls)?;
        let trust = match (
            settings.get("es.security.ssl.insecure")?,
            settings.find::<PathBuf>("es.security.ssl.path")?,
        ) {
            (true, _) => Trust::Nothing,
            (false, Some(path)) if path != Path::new(FORK_TRUST_STORE) => Trust::File(path),
            (false, _) => Trust::System,
        };
        if !tls && trust != Trust::System {
            return Err(Failure::bad_request(
                "es.security.ssl.path and es.security.ssl.insecure say how to trust a server that speaks TLS, but TLS is \
                 off; set es.security.ssl=true or remove them",
            ));
        }
        let credentials = match settings.get("es.authentication")? {
            true => Some((settings.get("es.credentials.user")?, settings.get("es.credentials.password")?)),
            false => None,
        };
        let index: String = settings.get("es.index.name")?;
        check_index_name(&index)?;
        let key_field: String = settings.get("es.index.key")?;
        if key_field.is_empty() {
            return Err(Failure::bad_request(
                "es.index.key is empty; name the field that holds the record's key",
            ));
        }
        Ok(Config {
            hosts,
            index,
            key_field,
            shards: settings.get("es.number_of_shards")?,
            replicas: settings.get("es.number_of_replicas")?,
            mapping: match settings.get("es.mapping")? {
                "dynamic" => Mapping::Dynamic,
                _ => Mapping::Stored,
            },
            insert_op: match settings.get("es.insert.op")? {
                "create" => InsertOp::Create,
                _ => InsertOp::Index,
            },
            refresh: match settings.get("es.refresh")? {
                "true" => Refresh::Now,
                "wait_for" => Refresh::Awaited,
                "fork" => Refresh::Fork,
                _ => Refresh::Later,
            },
            tls: tls.then_some(trust),
            credentials,
        })
    }

    /// The hosts, for people.
    pub(crate) fn hosts_text(&self) -> String {
        self.hosts.iter().map(Endpoint::to_string).collect::<Vec<_>>().join(",")
    }
}

/// Names that the server takes for several indexes, or for something else than an index.
fn check_index_name(index: &str) -> Result<(), Failure> {
    let strange = |c: char| c.is_uppercase() || c.is_whitespace() || "\\/*?\"<>|,#:".contains(c);
    if index.is_empty()
        || index.starts_with(['_', '-', '+'])
        || index.chars().any(strange)
        || matches!(index, "." | "..")
    {
        return Err(Failure::bad_request(format!(
            "es.index.name: {index:?} is no name of an index; use lower-case letters, digits, '.', '-' and '_'"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULTS: &[(&str, &str)] = &[
        ("es.hosts.list", "localhost:9200"),
        ("es.index.name", "es.ycsb"),
        ("es.index.key", "key"),
        ("es.number_of_shards", "1"),
        ("es.number_of_replicas", "0"),
        ("es.mapping", "stored"),
        ("es.insert.op", "index"),
        ("es.refresh", "false"),
        ("es.security.ssl.insecure", "false"),
        ("es.authentication", "false"),
        ("es.credentials.user", "elastic"),
        ("es.credentials.password", "changeme"),
    ];

    fn config(given: &[(&'static str, &'static str)]) -> Result<Config, Failure> {
        let mut pairs = given.to_vec();
        pairs.extend(DEFAULTS.iter().filter(|(name, _)| given.iter().all(|(other, _)| other != name)));
        Config::of(&Settings::of(&pairs))
    }

    #[test]
    fn the_defaults_are_those_of_the_fork_on_a_reachable_address() {
        let config = config(&[]).unwrap();
        assert_eq!(config.hosts_text(), "localhost:9200");
        assert_eq!((config.index.as_str(), config.key_field.as_str()), ("es.ycsb", "key"));
        assert!(config.tls.is_none() && config.credentials.is_none());
    }

    #[test]
    fn the_default_trust_store_of_the_fork_means_the_roots_of_the_system() {
        let given = [("es.security.ssl", "true"), ("es.security.ssl.path", FORK_TRUST_STORE)];
        assert_eq!(config(&given).unwrap().tls, Some(Trust::System));
        let given = [("es.security.ssl", "true"), ("es.security.ssl.path", "/ca.pem")];
        assert_eq!(config(&given).unwrap().tls, Some(Trust::File(PathBuf::from("/ca.pem"))));
    }

    #[test]
    fn a_trust_store_without_tls_is_refused() {
        let failure = config(&[("es.security.ssl.path", "/ca.pem")]).err().unwrap();
        assert!(failure.text().contains("set es.security.ssl=true"), "{failure}");
    }

    #[test]
    fn names_that_mean_several_indexes_are_refused() {
        for name in ["a,b", "a*", "_all", "Upper", "", "-a", "a/b"] {
            assert!(check_index_name(name).is_err(), "{name}");
        }
        for name in ["es.ycsb", "usertable", "a-b_c.1"] {
            assert!(check_index_name(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn the_refresh_policy_of_the_fork_concerns_updates_alone() {
        assert_eq!((Refresh::Fork.of_update(), Refresh::Fork.of_write()), (Some("refresh=wait_for"), None));
        assert_eq!(Refresh::Now.of_update(), Some("refresh=true"));
        assert_eq!(Refresh::Later.of_update(), None);
    }
}
