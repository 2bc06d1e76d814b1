//! What a failed handshake means, and what to do.

use crate::Endpoint;
use rustls::{AlertDescription, CertificateError, Error};
use std::io;
use ycsb_plugin_api::Failure;

/// What an error of a connection says about TLS; `None` if it is not one of TLS.
pub fn tls_failure(error: &io::Error, endpoint: &Endpoint) -> Option<Failure> {
    let error = error.get_ref()?.downcast_ref::<Error>()?;
    Some(match error {
        Error::InvalidCertificate(reason) => {
            Failure::forbidden(format!("{endpoint}: {}", distrust(reason, endpoint.host())))
        }
        Error::AlertReceived(alert) => Failure::forbidden(format!("{endpoint}: {}", refusal(*alert))),
        Error::InvalidMessage(_) => {
            Failure::unavailable(format!("{endpoint} does not speak TLS on this port ({error})"))
        }
        _ => Failure::unavailable(format!("{endpoint}: TLS: {error}")),
    })
}

fn distrust(reason: &CertificateError, host: &str) -> String {
    match reason {
        CertificateError::UnknownIssuer => {
            "unknown CA: the server's certificate is not signed by a trusted authority; name the PEM file of \
             its authority"
                .to_owned()
        }
        CertificateError::NotValidForName => wrong_name(host, &[]),
        CertificateError::NotValidForNameContext { presented, .. } => wrong_name(host, presented),
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            format!("the server's certificate has expired ({reason})")
        }
        _ => format!("the server's certificate is not accepted: {reason}"),
    }
}

fn wrong_name(host: &str, presented: &[String]) -> String {
    let holds_for = match presented {
        [] => String::new(),
        names => format!(" but for {}", names.join(", ")),
    };
    format!(
        "wrong host name: the server's certificate does not hold for {host}{holds_for}; connect by the name in \
         the certificate"
    )
}

fn refusal(alert: AlertDescription) -> String {
    match alert {
        AlertDescription::CertificateRequired => {
            "the server asks for a client certificate; name a certificate and its key".to_owned()
        }
        AlertDescription::UnknownCA
        | AlertDescription::BadCertificate
        | AlertDescription::CertificateUnknown
        | AlertDescription::CertificateExpired
        | AlertDescription::CertificateRevoked => {
            format!("the server does not accept our client certificate ({alert:?})")
        }
        // Older OpenSSL says this when a client certificate is missing.
        AlertDescription::HandshakeFailure => {
            "the server refused the TLS handshake (no common settings, or a client certificate is missing)"
                .to_owned()
        }
        _ => format!("the server ended TLS with {alert:?}"),
    }
}
