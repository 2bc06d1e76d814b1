//! One request, sent to the server whose turn it is, and to the next if that one cannot be reached.

use crate::hosts::{Health, HostAddress};
use crate::http::{Broken, Connection};
use crate::settings::Config;
use crate::tls;
use crate::wire::{Patience, Trouble, Wire};
use base64::Engine;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use ycsb_plugin_api::{Deadline, Failure};

/// What all sessions share.
pub(crate) struct Shared {
    hosts: Vec<Host>,
    health: Health,
    tls: Option<Arc<ClientConfig>>,
    interrupted: AtomicBool,
    /// Whether requests carry a user and password.
    pub(crate) authenticates: bool,
}

struct Host {
    address: HostAddress,
    text: String,
    server_name: Option<ServerName<'static>>,
    /// What follows the path of every request: the version and the headers that are always the same.
    common_head: Vec<u8>,
}

/// While no server can be reached, a session waits before it reports the failure: at first this long, then twice as
/// long each time, so that an outage is not counted millions of times.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

impl Shared {
    /// # Errors
    /// BAD_REQUEST if the trust store cannot be used or a host is no name for TLS.
    pub(crate) fn new(config: &Config) -> Result<Shared, Failure> {
        let tls = config.tls.as_ref().map(tls::config).transpose()?;
        let authorization = match &config.credentials {
            Some((user, password)) => {
                let pair = base64::engine::general_purpose::STANDARD.encode(format!("{user}:{password}"));
                format!("authorization: Basic {pair}\r\n")
            }
            None => String::new(),
        };
        let host = |address: &HostAddress| {
            let text = address.authority();
            let server_name = match &tls {
                Some(_) => Some(ServerName::try_from(address.name.clone()).map_err(|_| {
                    Failure::bad_request(format!("es.hosts.list: {:?} is no host name for TLS", address.name))
                })?),
                None => None,
            };
            let common_head = format!(" HTTP/1.1\r\nhost: {text}\r\n{authorization}").into_bytes();
            Ok(Host { address: address.clone(), text, server_name, common_head })
        };
        Ok(Shared {
            hosts: config.hosts.iter().map(host).collect::<Result<_, Failure>>()?,
            health: Health::new(config.hosts.len()),
            tls,
            interrupted: AtomicBool::new(false),
            authenticates: config.credentials.is_some(),
        })
    }

    /// Number of servers.
    pub(crate) fn host_count(&self) -> usize {
        self.hosts.len()
    }

    /// `host:port` of a server.
    pub(crate) fn host_text(&self, host: usize) -> &str {
        &self.hosts[host].text
    }

    /// Ends all waits soon.
    pub(crate) fn interrupt(&self) {
        self.interrupted.store(true, Relaxed);
    }

    fn connect(&self, host: usize, patience: Patience<'_>) -> Result<Connection, Trouble> {
        let Host { address, server_name, .. } = &self.hosts[host];
        let tls = self.tls.as_ref().zip(server_name.as_ref());
        Ok(Connection::new(Wire::connect(&address.name, address.port, tls, patience)?))
    }
}

/// A request.
pub(crate) struct Request<'a> {
    /// `GET`, `PUT`, `POST` or `DELETE`.
    pub(crate) method: &'static str,
    /// Path and query, percent-encoded.
    pub(crate) target: &'a [u8],
    /// JSON, or nothing.
    pub(crate) body: &'a [u8],
    /// Whether sending it twice does and answers the same as sending it once.
    pub(crate) repeatable: bool,
}

/// A response.
pub(crate) struct Response<'a> {
    /// HTTP status.
    pub(crate) status: u16,
    /// The body.
    pub(crate) body: &'a [u8],
}

/// A session's connections, at most one per server.
pub(crate) struct Exchange {
    shared: Arc<Shared>,
    connections: Vec<Option<Connection>>,
    turn: usize,
    out: Vec<u8>,
    pause: Duration,
}

impl Exchange {
    /// `turn` says which server comes first.
    pub(crate) fn new(shared: Arc<Shared>, turn: usize) -> Exchange {
        let connections = shared.hosts.iter().map(|_| None).collect();
        Exchange { shared, connections, turn, out: Vec::new(), pause: FIRST_PAUSE }
    }

    /// What all sessions share.
    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Connects to the first server, so that no operation has to.
    ///
    /// # Errors
    /// What happened, if no server can be reached.
    pub(crate) fn warm(&mut self) -> Result<(), Failure> {
        let shared = Arc::clone(&self.shared);
        let patience = Patience { deadline: Deadline::at_ns(0), interrupted: &shared.interrupted };
        let mut last = None;
        for _ in 0..shared.hosts.len() {
            let host = shared.health.choose(self.turn);
            match shared.connect(host, patience) {
                Ok(connection) => {
                    self.connections[host] = Some(connection);
                    return Ok(());
                }
                Err(trouble) => {
                    shared.health.down(host);
                    last = Some(trouble.into_failure(&shared.hosts[host].text));
                    self.turn = host + 1;
                }
            }
        }
        last.map_or(Ok(()), Err)
    }

    /// Sends a request to the server whose turn it is, and on to the next one as long as that is safe.
    ///
    /// # Errors
    /// SERVICE_UNAVAILABLE if no server can be reached, TIMEOUT at the deadline. Every HTTP status is a response.
    pub(crate) fn send(
        &mut self,
        request: &Request<'_>,
        deadline: Deadline,
    ) -> Result<Response<'_>, Failure> {
        let shared = Arc::clone(&self.shared);
        let patience = Patience { deadline, interrupted: &shared.interrupted };
        let mut attempts_left = shared.hosts.len();
        loop {
            let host = shared.health.choose(self.turn);
            self.turn = host + 1;
            let (trouble, again) = match self.send_to(host, request, patience) {
                Ok(status) => {
                    shared.health.up(host);
                    self.pause = FIRST_PAUSE;
                    let body = self.connections[host].as_ref().map_or(&[][..], Connection::body);
                    return Ok(Response { status, body });
                }
                Err(failed) => failed,
            };
            if again && attempts_left > 0 && !matches!(trouble, Trouble::Deadline | Trouble::Interrupted) {
                attempts_left -= 1;
                continue;
            }
            if again && attempts_left == 0 {
                self.rest(patience);
            }
            return Err(trouble.into_failure(&shared.hosts[host].text));
        }
    }

    /// Sends a request to a certain server.
    ///
    /// # Errors
    /// What happened.
    pub(crate) fn send_only_to(
        &mut self,
        host: usize,
        request: &Request<'_>,
        deadline: Deadline,
    ) -> Result<Response<'_>, Failure> {
        let shared = Arc::clone(&self.shared);
        let patience = Patience { deadline, interrupted: &shared.interrupted };
        match self.send_to(host, request, patience) {
            Ok(status) => {
                let body = self.connections[host].as_ref().map_or(&[][..], Connection::body);
                Ok(Response { status, body })
            }
            Err((trouble, _)) => Err(trouble.into_failure(&shared.hosts[host].text)),
        }
    }

    /// One attempt with one server. The error says whether another attempt is safe.
    fn send_to(
        &mut self,
        host: usize,
        request: &Request<'_>,
        patience: Patience<'_>,
    ) -> Result<u16, (Trouble, bool)> {
        let slot = &mut self.connections[host];
        if slot.as_ref().is_some_and(|connection| !connection.is_usable()) {
            *slot = None;
        }
        let connection = match slot {
            Some(connection) => connection,
            None => match self.shared.connect(host, patience) {
                Ok(connection) => slot.insert(connection),
                Err(trouble) => {
                    self.shared.health.down(host);
                    return Err((trouble, true));
                }
            },
        };
        write_request(&mut self.out, &self.shared.hosts[host].common_head, request);
        connection.exchange(&self.out, patience).map_err(|Broken { trouble, hung_up }| {
            *slot = None;
            // A server that only closed an idle connection is not down; if it is, connecting anew will show.
            if !hung_up {
                self.shared.health.down(host);
            }
            (trouble, request.repeatable)
        })
    }

    /// Waits a little, because no server can be reached.
    #[cold]
    fn rest(&mut self, patience: Patience<'_>) {
        let left = patience.deadline.time_left().unwrap_or(LONGEST_PAUSE);
        if !patience.interrupted.load(Relaxed) {
            std::thread::sleep(self.pause.min(left));
        }
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
    }
}

fn write_request(out: &mut Vec<u8>, common_head: &[u8], request: &Request<'_>) {
    out.clear();
    out.extend_from_slice(request.method.as_bytes());
    out.push(b' ');
    out.extend_from_slice(request.target);
    out.extend_from_slice(common_head);
    if !request.body.is_empty() {
        out.extend_from_slice(b"content-type: application/json\r\ncontent-length: ");
        out.extend_from_slice(request.body.len().to_string().as_bytes());
        out.extend_from_slice(b"\r\n");
    } else if request.method != "GET" && request.method != "DELETE" {
        out.extend_from_slice(b"content-length: 0\r\n");
    }
    out.extend_from_slice(b"\r\n");
    out.extend_from_slice(request.body);
}
