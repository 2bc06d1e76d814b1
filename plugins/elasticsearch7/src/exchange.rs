//! One request, sent to the server whose turn it is, and to the next if that one cannot be reached.

use crate::hosts::Health;
use crate::http::{Broken, Connection};
use crate::settings::Config;
use crate::trust;
use base64::Engine;
use std::sync::Arc;
use std::time::Duration;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::{Deadline, Failure};
use ycsb_plugin_common::{Endpoint, Interrupt, Link, TimeLimits, Tls};

/// What all sessions share.
pub(crate) struct Shared {
    hosts: Vec<Host>,
    health: Health,
    tls: Option<Tls>,
    limits: TimeLimits,
    /// Whether requests carry a user and password.
    pub(crate) authenticates: bool,
}

struct Host {
    endpoint: Endpoint,
    /// What follows the path of every request: the version and the headers that are always the same.
    common_head: Vec<u8>,
}

/// Longest wait for a connection: a lost packet is sent again after one second.
const CONNECT_LIMIT: Duration = Duration::from_secs(3);

/// While no server can be reached, a session waits before it reports the failure: at first this long, then twice as
/// long each time, so that an outage is not counted millions of times.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

impl Shared {
    /// # Errors
    /// BAD_REQUEST if the trust store cannot be used.
    pub(crate) fn new(config: &Config) -> Result<Shared, Failure> {
        let authorization = match &config.credentials {
            Some((user, password)) => {
                let pair = base64::engine::general_purpose::STANDARD.encode(format!("{user}:{password}"));
                format!("authorization: Basic {pair}\r\n")
            }
            None => String::new(),
        };
        let host = |endpoint: &Endpoint| {
            let common_head = format!(" HTTP/1.1\r\nhost: {endpoint}\r\n{authorization}").into_bytes();
            Host { endpoint: endpoint.clone(), common_head }
        };
        Ok(Shared {
            hosts: config.hosts.iter().map(host).collect(),
            health: Health::new(config.hosts.len()),
            tls: config.tls.as_ref().map(trust::tls).transpose()?,
            limits: TimeLimits {
                connect: Some(CONNECT_LIMIT),
                silence: None,
                connect_property: "es.hosts.list",
                silence_property: "es.hosts.list",
                interrupt: Interrupt::default(),
            },
            authenticates: config.credentials.is_some(),
        })
    }

    /// Number of servers.
    pub(crate) fn host_count(&self) -> usize {
        self.hosts.len()
    }

    /// Where a server is.
    pub(crate) fn endpoint(&self, host: usize) -> &Endpoint {
        &self.hosts[host].endpoint
    }

    /// Whether connections are encrypted.
    pub(crate) fn speaks_tls(&self) -> bool {
        self.tls.is_some()
    }

    /// Ends all waits soon.
    pub(crate) fn interrupt(&self) {
        self.limits.interrupt.raise();
    }

    fn connect(&self, host: usize, deadline: Deadline) -> Result<Connection, Failure> {
        let link = Link::connect(&self.hosts[host].endpoint, &self.limits, deadline)?;
        let link = match &self.tls {
            Some(tls) => link.start_tls(tls)?,
            None => link,
        };
        Ok(Connection::new(link))
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
        let mut last = None;
        for _ in 0..shared.hosts.len() {
            let host = shared.health.choose(self.turn);
            match shared.connect(host, Deadline::at_ns(0)) {
                Ok(connection) => {
                    self.connections[host] = Some(connection);
                    return Ok(());
                }
                Err(failure) => {
                    shared.health.down(host);
                    last = Some(failure);
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
        let mut attempts_left = shared.hosts.len();
        loop {
            let host = shared.health.choose(self.turn);
            self.turn = host + 1;
            let (failure, again) = match self.send_to(host, request, deadline) {
                Ok(status) => {
                    shared.health.up(host);
                    self.pause = FIRST_PAUSE;
                    let body = self.connections[host].as_ref().map_or(&[][..], Connection::body);
                    return Ok(Response { status, body });
                }
                Err(failed) => failed,
            };
            if again && attempts_left > 0 && failure.status() != status::TIMEOUT {
                attempts_left -= 1;
                continue;
            }
            if again && attempts_left == 0 {
                self.rest(deadline);
            }
            return Err(failure);
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
        let status = self.send_to(host, request, deadline).map_err(|(failure, _)| failure)?;
        let body = self.connections[host].as_ref().map_or(&[][..], Connection::body);
        Ok(Response { status, body })
    }

    /// One attempt with one server. The error says whether another attempt is safe.
    fn send_to(
        &mut self,
        host: usize,
        request: &Request<'_>,
        deadline: Deadline,
    ) -> Result<u16, (Failure, bool)> {
        let slot = &mut self.connections[host];
        if slot.as_ref().is_some_and(|connection| !connection.is_usable()) {
            *slot = None;
        }
        let connection = match slot {
            Some(connection) => connection,
            None => match self.shared.connect(host, deadline) {
                Ok(connection) => slot.insert(connection),
                Err(failure) => {
                    self.shared.health.down(host);
                    return Err((failure, true));
                }
            },
        };
        write_request(&mut self.out, &self.shared.hosts[host].common_head, request);
        connection.exchange(&self.out, deadline).map_err(|Broken { failure, hung_up }| {
            *slot = None;
            // A server that only closed an idle connection is not down; if it is, connecting anew will show.
            if !hung_up {
                self.shared.health.down(host);
            }
            (failure, request.repeatable)
        })
    }

    /// Waits a little, because no server can be reached.
    #[cold]
    fn rest(&mut self, deadline: Deadline) {
        let left = deadline.time_left().unwrap_or(LONGEST_PAUSE);
        if !self.shared.limits.interrupt.is_raised() {
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
