//! When TLS is spoken, and what is checked of the server.

use std::str::FromStr;

/// `sslmode` as PostgreSQL's clients name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SslMode {
    /// Never.
    Disable,
    /// Only where the server refuses to go on without.
    Allow,
    /// Where the server offers it.
    Prefer,
    /// Always, with whomever; with authorities as [`VerifyCa`](SslMode::VerifyCa).
    Require,
    /// Always, with a server that a known authority vouches for.
    VerifyCa,
    /// Always, with a server whose certificate also holds for its host name.
    VerifyFull,
}

impl FromStr for SslMode {
    type Err = String;

    fn from_str(text: &str) -> Result<SslMode, String> {
        Ok(match text {
            "disable" => SslMode::Disable,
            "allow" => SslMode::Allow,
            "prefer" => SslMode::Prefer,
            "require" => SslMode::Require,
            "verify-ca" => SslMode::VerifyCa,
            "verify-full" => SslMode::VerifyFull,
            _ => {
                return Err(format!(
                    "sslmode={text}: give disable, allow, prefer, require, verify-ca or verify-full"
                ));
            }
        })
    }
}
