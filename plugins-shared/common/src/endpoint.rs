//! Where a server listens.

use std::fmt;
use std::path::PathBuf;

/// Where a server listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// A host name or address, and a port.
    Tcp {
        /// Name or address, an IPv6 address without brackets.
        host: String,
        /// Port.
        port: u16,
    },
    /// A Unix socket.
    Unix(PathBuf),
}

impl Endpoint {
    /// A TCP endpoint.
    pub fn tcp(host: impl Into<String>, port: u16) -> Endpoint {
        Endpoint::Tcp { host: host.into(), port }
    }

    /// The name that the server's certificate has to hold for.
    pub fn host(&self) -> &str {
        match self {
            Endpoint::Tcp { host, .. } => host,
            Endpoint::Unix(_) => "localhost",
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Endpoint::Tcp { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Endpoint::Tcp { host, port } => write!(f, "{host}:{port}"),
            Endpoint::Unix(path) => write!(f, "{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_reads_as_a_user_would_type_it() {
        assert_eq!(Endpoint::tcp("db.example", 6379).to_string(), "db.example:6379");
        assert_eq!(Endpoint::tcp("::1", 6379).to_string(), "[::1]:6379");
        assert_eq!(Endpoint::Unix("/run/redis.sock".into()).to_string(), "/run/redis.sock");
    }
}
