//! The list of servers: its syntax, whose turn it is, and which of them are down.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use ycsb_plugin_api::Failure;
use ycsb_plugin_common::Endpoint;

const DEFAULT_PORT: u16 = 9200;

/// Reads `es.hosts.list`: the servers, and whether to speak TLS with them.
///
/// # Errors
/// BAD_REQUEST for what is no list of hosts, and for schemes that contradict each other or `es.security.ssl`.
pub(crate) fn parse(list: &str, given_tls: Option<bool>) -> Result<(Vec<Endpoint>, bool), Failure> {
    let mut hosts = Vec::new();
    let mut tls = given_tls;
    for part in list.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let refuse = |why: &str| {
            Err(Failure::bad_request(format!(
                "es.hosts.list: {why} in {part:?}; write host:port, [v6]:port or scheme://host:port, separated by commas"
            )))
        };
        let (scheme_tls, rest) = match part.split_once("://") {
            None => (None, part),
            Some(("http", rest)) => (Some(false), rest),
            Some(("https", rest)) => (Some(true), rest),
            Some(_) => return refuse("a scheme other than http and https"),
        };
        match (scheme_tls, tls) {
            (Some(scheme), Some(on)) if scheme != on && given_tls.is_some() => {
                return Err(Failure::bad_request(format!(
                    "es.hosts.list: {part:?} contradicts es.security.ssl={on}; remove one of them"
                )));
            }
            (Some(scheme), Some(on)) if scheme != on => return refuse("another scheme than before"),
            (Some(scheme), _) => tls = Some(scheme),
            (None, _) => {}
        }
        let rest = rest.trim_end_matches('/');
        if rest.contains('@') {
            // The part may hold a password: it is not repeated.
            return Err(Failure::bad_request(
                "es.hosts.list: no user or password there; use es.credentials.user and es.credentials.password",
            ));
        }
        if rest.contains(['/', '?', '#']) || rest.contains(char::is_whitespace) {
            return refuse("more than host and port");
        }
        match split_port(rest) {
            Some((name, port)) if !name.is_empty() => hosts.push(Endpoint::tcp(name, port)),
            _ => return refuse("no host and port"),
        }
    }
    if hosts.is_empty() {
        return Err(Failure::bad_request(
            "es.hosts.list is empty; give host:port, several separated by commas",
        ));
    }
    Ok((hosts, tls.unwrap_or(false)))
}

fn split_port(text: &str) -> Option<(&str, u16)> {
    if let Some(rest) = text.strip_prefix('[') {
        let (name, port) = rest.split_once(']')?;
        return match port.strip_prefix(':') {
            Some(port) => Some((name, port.parse().ok()?)),
            None => port.is_empty().then_some((name, DEFAULT_PORT)),
        };
    }
    match text.split_once(':') {
        Some((_, port)) if port.contains(':') => Some((text, DEFAULT_PORT)),
        Some((name, port)) => Some((name, port.parse().ok()?)),
        None => Some((text, DEFAULT_PORT)),
    }
}

/// Which servers are down. Shared by all sessions and read without a lock.
pub(crate) struct Health {
    origin: Instant,
    states: Vec<HostState>,
}

#[derive(Default)]
struct HostState {
    /// Milliseconds since `origin` until which the server is left out; 0 = it is up.
    down_until_ms: AtomicU64,
    failures: AtomicU32,
}

/// A server that failed is left out for a second, then for two, four ... up to this long.
const LONGEST_ABSENCE: Duration = Duration::from_secs(30);

impl Health {
    pub(crate) fn new(hosts: usize) -> Health {
        Health { origin: Instant::now(), states: (0..hosts).map(|_| HostState::default()).collect() }
    }

    /// The server to use when it is the turn of `turn`: the first from there on that is up, or the one that has been
    /// left out the longest.
    pub(crate) fn choose(&self, turn: usize) -> usize {
        let count = self.states.len();
        let mut now_ms = None;
        let mut least = (u64::MAX, turn % count);
        for host in (0..count).map(|step| (turn + step) % count) {
            let until_ms = self.states[host].down_until_ms.load(Relaxed);
            if until_ms == 0 || until_ms <= *now_ms.get_or_insert_with(|| self.now_ms()) {
                return host;
            }
            least = least.min((until_ms, host));
        }
        least.1
    }

    /// The server answered.
    #[inline]
    pub(crate) fn up(&self, host: usize) {
        let state = &self.states[host];
        if state.down_until_ms.load(Relaxed) != 0 {
            state.failures.store(0, Relaxed);
            state.down_until_ms.store(0, Relaxed);
        }
    }

    /// The server could not be reached, or broke the connection.
    pub(crate) fn down(&self, host: usize) {
        let state = &self.states[host];
        let now_ms = self.now_ms();
        // Many sessions see the same failure; one of them prolongs the absence.
        if state.down_until_ms.load(Relaxed) > now_ms {
            return;
        }
        let failures = state.failures.fetch_add(1, Relaxed).min(5);
        let absence = Duration::from_secs(1 << failures).min(LONGEST_ABSENCE);
        state.down_until_ms.store(now_ms + absence.as_millis() as u64, Relaxed);
    }

    fn now_ms(&self) -> u64 {
        self.origin.elapsed().as_millis() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(list: &str, tls: Option<bool>) -> String {
        match parse(list, tls) {
            Ok((hosts, tls)) => {
                let hosts: Vec<_> = hosts.iter().map(Endpoint::to_string).collect();
                format!("{} tls={tls}", hosts.join(" "))
            }
            Err(failure) => failure.text().to_owned(),
        }
    }

    #[test]
    fn hosts_are_read_with_and_without_scheme_port_and_brackets() {
        assert_eq!(
            parsed("a:1, b ,[::1]:92,::2,[fe80::1]", None),
            "a:1 b:9200 [::1]:92 [::2]:9200 [fe80::1]:9200 tls=false"
        );
        assert_eq!(parsed("https://a:443/,https://b", None), "a:443 b:9200 tls=true");
        assert_eq!(parsed("a", Some(true)), "a:9200 tls=true");
    }

    #[test]
    fn contradictions_and_malformed_hosts_are_refused() {
        assert!(parsed("http://a", Some(true)).contains("contradicts es.security.ssl=true"));
        assert!(parsed("http://a,https://b", None).contains("another scheme"));
        assert!(parsed("ftp://a", None).contains("a scheme other than"));
        assert!(parsed("a:port", None).contains("no host and port"));
        assert!(parsed("a:1/path", None).contains("more than host and port"));
        assert!(parsed(" , ", None).contains("is empty"));
    }

    #[test]
    fn a_password_in_the_list_is_refused_and_not_repeated() {
        let text = parsed("https://elastic:hunter2@a:1", None);
        assert!(text.contains("es.credentials.password") && !text.contains("hunter2"), "{text}");
    }

    #[test]
    fn a_failed_host_is_left_out_until_it_answers() {
        let health = Health::new(3);
        assert_eq!([0, 1, 2, 3].map(|turn| health.choose(turn)), [0, 1, 2, 0]);
        health.down(1);
        assert_eq!([0, 1, 2].map(|turn| health.choose(turn)), [0, 2, 2]);
        health.up(1);
        assert_eq!(health.choose(1), 1);
    }

    #[test]
    fn when_all_are_down_one_is_tried_all_the_same() {
        let health = Health::new(2);
        health.down(0);
        health.down(1);
        assert_eq!(health.choose(1), 0);
    }
}
