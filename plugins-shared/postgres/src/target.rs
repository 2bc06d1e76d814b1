//! One database to talk to: where, as whom, and how.

use crate::SslMode;
use crate::system_user::system_user;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;
use ycsb_plugin_api::Failure;
use ycsb_plugin_common::{ClientIdentity, Endpoint, Interrupt, PemFile, TimeLimits, Tls, Verify};

/// Who logs in. Empty texts are none.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Credentials {
    /// Name of the role.
    pub user: String,
    /// Its password.
    pub password: String,
}

/// Without the password.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("user", &self.user).finish_non_exhaustive()
    }
}

/// Where a database is, who logs in, and what is asked of the connection.
#[derive(Clone, Debug)]
pub struct Target {
    /// Servers that are tried in turn.
    pub endpoints: Vec<Endpoint>,
    /// Name of the database; none = that of the user.
    pub database: Option<String>,
    /// Who logs in.
    pub credentials: Credentials,
    /// When TLS is spoken.
    pub sslmode: SslMode,
    /// PEM file of the authorities to trust.
    pub root_certificate: Option<PathBuf>,
    /// PEM file of the client's certificate.
    pub client_certificate: Option<PathBuf>,
    /// Its private key.
    pub client_key: Option<PathBuf>,
    /// Longest wait for a connection.
    pub connect_timeout: Option<Duration>,
    /// Longest wait for each answer while logging in.
    pub login_timeout: Option<Duration>,
    /// Longest wait for each answer afterwards.
    pub socket_timeout: Option<Duration>,
    /// What the server lists the connection as.
    pub application_name: String,
    /// Schemas to look for tables in.
    pub search_path: Option<String>,
    /// The end of the run.
    pub interrupt: Interrupt,
}

impl Target {
    /// A server of this machine, with the defaults of Java's driver.
    pub fn with(credentials: Credentials) -> Target {
        Target {
            endpoints: vec![Endpoint::tcp("localhost", 5432)],
            database: None,
            credentials,
            sslmode: SslMode::Prefer,
            root_certificate: None,
            client_certificate: None,
            client_key: None,
            connect_timeout: Some(Duration::from_secs(10)),
            login_timeout: None,
            socket_timeout: None,
            application_name: "ycsb-host".to_owned(),
            search_path: None,
            interrupt: Interrupt::default(),
        }
    }

    /// Who logs in: the given user or that of the operating system.
    pub(crate) fn user(&self) -> Result<String, Failure> {
        match self.credentials.user.as_str() {
            "" => system_user()
                .ok_or_else(|| Failure::bad_request("no user is given, and the system names none")),
            user => Ok(user.to_owned()),
        }
    }

    /// The limits of a connection that is `logging_in`, or is in use.
    pub(crate) fn limits(&self, logging_in: bool) -> TimeLimits {
        let both = |one: Option<Duration>, other: Option<Duration>| match (one, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        TimeLimits {
            connect: both(self.connect_timeout, self.login_timeout),
            silence: if logging_in {
                both(self.login_timeout, self.connect_timeout)
            } else {
                self.socket_timeout
            },
            connect_property: "connectTimeout and loginTimeout in the URL",
            silence_property: if logging_in {
                "connectTimeout and loginTimeout in the URL"
            } else {
                "socketTimeout in the URL"
            },
            interrupt: self.interrupt.clone(),
        }
    }

    /// How TLS is spoken; `None` if it never is.
    pub(crate) fn tls(&self) -> Result<Option<Tls>, Failure> {
        let file = |path: &Option<PathBuf>, given_by| {
            path.as_ref().map(|path| PemFile { path: path.clone(), given_by })
        };
        let authorities = file(&self.root_certificate, "sslrootcert").or_else(usual_authorities);
        let verify = match self.sslmode {
            SslMode::Disable => return Ok(None),
            SslMode::VerifyFull => Verify::Full,
            SslMode::VerifyCa => Verify::Chain,
            // As libpq: who names an authority wants it asked.
            SslMode::Require if self.root_certificate.is_some() => Verify::Chain,
            SslMode::Require | SslMode::Prefer | SslMode::Allow => Verify::Nothing,
        };
        let identity = match (file(&self.client_certificate, "sslcert"), file(&self.client_key, "sslkey")) {
            (Some(certificate), Some(key)) => Some(ClientIdentity { certificate, key }),
            (None, None) => None,
            _ => return Err(Failure::bad_request("sslcert and sslkey need each other; give both")),
        };
        Tls::new(verify, authorities.as_ref(), identity.as_ref()).map(Some)
    }
}

/// Where PostgreSQL's clients look when they are told nothing.
fn usual_authorities() -> Option<PemFile> {
    let path = std::env::home_dir()?.join(".postgresql/root.crt");
    path.exists().then_some(PemFile { path, given_by: "sslrootcert" })
}
