//! The properties of the binding, and what they say.

use std::path::PathBuf;
use std::time::Duration;
use ycsb_plugin_api::{Env, Failure, Property, Settings};
use ycsb_plugin_common::{ClientIdentity, Endpoint, PemFile, Tls, Verify};

pub(crate) const PROPERTIES: &[Property] = &[
    Property::text("redis.host").default("127.0.0.1").help("Host name or address of the server; of a cluster: of any of its nodes."),
    Property::integer("redis.port").default("6379").allowed("1..65535").help("Port of the server."),
    Property::text("redis.password").secret().help("Password to log in with; empty = none."),
    Property::text("redis.username").help("User to log in as, with redis.password; without it the server's default user."),
    Property::bool("redis.cluster").default("false").help("Whether the server is a Redis cluster."),
    Property::integer("redis.timeout")
        .default("2000")
        .allowed("0..")
        .help("Milliseconds to wait for a connection and for each answer; 0 = as long as it takes."),
    Property::integer("redis.db").default("0").allowed("0..").help("Number of the database; a cluster has only 0."),
    Property::file("redis.socket").help("Unix socket of the server, instead of redis.host and redis.port."),
    Property::bool("redis.tls")
        .default("false")
        .help("Whether to speak TLS; on by itself when redis.tls_ca or redis.tls_cert is given."),
    Property::file("redis.tls_ca").help("PEM file of the authorities to trust; without it those of the system."),
    Property::file("redis.tls_cert").help("PEM file of the client's certificate, with redis.tls_key."),
    Property::file("redis.tls_key").help("PEM file of the client's private key, with redis.tls_cert."),
    Property::bool("redis.tls_insecure_skip_verify")
        .default("false")
        .help("Takes any certificate of the server: neither its authority nor its host name is checked."),
    Property::bool("redis.strictupdate")
        .default("false")
        .help("Whether an update of a missing record is NOT_FOUND; otherwise it creates one, as in YCSB."),
    Property::one_of("redis.scanorder", &["hash", "key"])
        .default("hash")
        .help("Order of scans: by the hash of the key, as in YCSB, or by key, which keeps a second index (set it for load and run)."),
    Property::integer("redis.runtime.threads")
        .default("0")
        .allowed("0..")
        .help("Threads that serve the clients; 0 = one for every 25 clients, but at most half of the processors."),
    Property::of_host("batchsize", &["redis.batchsize"]),
];

/// The order in which scans return records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScanOrder {
    /// By Java's hash of the key, then by key.
    Hash,
    /// By key.
    Key,
}

/// What the properties say.
pub(crate) struct RedisSettings {
    pub(crate) endpoint: Endpoint,
    pub(crate) cluster: bool,
    pub(crate) tls: Option<Tls>,
    pub(crate) username: Option<String>,
    pub(crate) password: Option<String>,
    pub(crate) database: u32,
    pub(crate) strict_update: bool,
    pub(crate) scan_order: ScanOrder,
    /// For a connection, and for the server to go on with its answer.
    pub(crate) timeout: Option<Duration>,
}

impl RedisSettings {
    /// # Errors
    /// BAD_REQUEST for properties that contradict each other, and for files that cannot be used.
    pub(crate) fn read(settings: &Settings<'_>) -> Result<RedisSettings, Failure> {
        let text = |name: &str| -> Result<Option<String>, Failure> {
            Ok(settings.find::<String>(name)?.filter(|value| !value.is_empty()))
        };
        let cluster: bool = settings.get("redis.cluster")?;
        let database: u32 = settings.get("redis.db")?;
        let socket = text("redis.socket")?.map(PathBuf::from);
        let (username, password) = (text("redis.username")?, text("redis.password")?);
        let tls = tls(settings)?;
        if username.is_some() && password.is_none() {
            return Err(Failure::bad_request("redis.username needs redis.password; set both"));
        }
        if cluster && database != 0 {
            return Err(Failure::bad_request(format!(
                "redis.db={database} with redis.cluster=true: a cluster has only database 0; remove one of them"
            )));
        }
        if let Some(path) = &socket
            && (cluster || tls.is_some())
        {
            return Err(Failure::bad_request(format!(
                "redis.socket={} goes with neither redis.cluster=true nor TLS; remove one of them",
                path.display()
            )));
        }
        let endpoint = match socket {
            Some(path) => Endpoint::Unix(path),
            None => Endpoint::tcp(settings.get::<&str>("redis.host")?, settings.get("redis.port")?),
        };
        let timeout = match settings.get::<u64>("redis.timeout")? {
            0 => None,
            milliseconds => Some(Duration::from_millis(milliseconds)),
        };
        Ok(RedisSettings {
            endpoint,
            cluster,
            tls,
            username,
            password,
            database,
            strict_update: settings.get("redis.strictupdate")?,
            scan_order: match settings.get::<&str>("redis.scanorder")? {
                "key" => ScanOrder::Key,
                _ => ScanOrder::Hash,
            },
            timeout,
        })
    }

    /// What says where the server is, for messages.
    pub(crate) fn endpoint_properties(&self) -> &'static str {
        match self.endpoint {
            Endpoint::Tcp { .. } => "redis.host, redis.port",
            Endpoint::Unix(_) => "redis.socket",
        }
    }
}

/// A thread that serves many clients is woken once for several answers, where one per client is woken for each.
/// One keeps up with a server that uses one processor; a cluster, or a server with threads for its connections, has
/// many clients and gets more.
pub(crate) fn runtime_threads(settings: &Settings<'_>, env: &Env<'_>) -> Result<usize, Failure> {
    let wanted = settings.get("redis.runtime.threads")?;
    let processors = std::thread::available_parallelism().map_or(1, |number| number.get());
    Ok(threads_for(wanted, env.clients(), processors))
}

fn threads_for(wanted: usize, clients: usize, processors: usize) -> usize {
    const CLIENTS_PER_THREAD: usize = 25;
    match wanted {
        0 => clients.div_ceil(CLIENTS_PER_THREAD).min(processors / 2).max(1),
        // More than clients would only sleep.
        wanted => wanted.min(clients),
    }
}

fn tls(settings: &Settings<'_>) -> Result<Option<Tls>, Failure> {
    let file = |name: &'static str| -> Result<Option<PemFile>, Failure> {
        let path = settings.find::<PathBuf>(name)?.filter(|path| !path.as_os_str().is_empty());
        Ok(path.map(|path| PemFile { path, given_by: name }))
    };
    let authorities = file("redis.tls_ca")?;
    let identity = match (file("redis.tls_cert")?, file("redis.tls_key")?) {
        (Some(certificate), Some(key)) => Some(ClientIdentity { certificate, key }),
        (None, None) => None,
        _ => return Err(Failure::bad_request("redis.tls_cert and redis.tls_key need each other; set both")),
    };
    let skip_verify: bool = settings.get("redis.tls_insecure_skip_verify")?;
    let wanted = settings.get::<bool>("redis.tls")? || authorities.is_some() || identity.is_some();
    if !wanted {
        return if skip_verify {
            Err(Failure::bad_request("redis.tls_insecure_skip_verify=true without TLS; add redis.tls=true"))
        } else {
            Ok(None)
        };
    }
    let verify = if skip_verify { Verify::Nothing } else { Verify::Full };
    Tls::new(verify, authorities.as_ref(), identity.as_ref()).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_grow_with_clients_up_to_half_of_the_processors() {
        for (wanted, clients, processors, expected) in [
            (0, 1, 64, 1),
            (0, 25, 64, 1),
            (0, 26, 64, 2),
            (0, 200, 2, 1),
            (0, 200, 1, 1),
            (0, 200, 8, 4),
            (0, 200, 64, 8),
            (0, 10_000, 64, 32),
            (3, 200, 2, 3),
            (16, 4, 64, 4),
        ] {
            assert_eq!(threads_for(wanted, clients, processors), expected, "{wanted} {clients} {processors}");
        }
    }
}
