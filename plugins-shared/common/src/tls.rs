//! TLS from PEM files.

use crate::Verify;
use crate::transport::Socket;
use crate::verify::{AnyCertificate, AnyName};
use rustls::client::WebPkiServerVerifier;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use ycsb_plugin_api::Failure;

/// A file, and the property or option that named it, for messages.
#[derive(Clone, Debug)]
pub struct PemFile {
    /// Where it is.
    pub path: PathBuf,
    /// What named it.
    pub given_by: &'static str,
}

/// The certificate with which a client shows who it is, and its key.
#[derive(Clone, Debug)]
pub struct ClientIdentity {
    /// Certificate chain, PEM.
    pub certificate: PemFile,
    /// Private key, PEM or DER.
    pub key: PemFile,
}

/// How to speak TLS with a server.
#[derive(Clone, Debug)]
pub struct Tls(Arc<ClientConfig>);

impl Tls {
    /// Reads the files. Without `authorities` those of the system are trusted.
    ///
    /// # Errors
    /// BAD_REQUEST for a file that is absent or holds something else; UNEXPECTED_STATE for a system without
    /// authorities.
    pub fn new(
        verify: Verify,
        authorities: Option<&PemFile>,
        identity: Option<&ClientIdentity>,
    ) -> Result<Tls, Failure> {
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()?;
        let chain = |provider| -> Result<Arc<WebPkiServerVerifier>, Failure> {
            let roots = Arc::new(trusted(authorities)?);
            Ok(WebPkiServerVerifier::builder_with_provider(roots, provider).build()?)
        };
        let builder = match verify {
            Verify::Full => builder.with_webpki_verifier(chain(provider)?),
            Verify::Chain => {
                builder.dangerous().with_custom_certificate_verifier(Arc::new(AnyName(chain(provider)?)))
            }
            Verify::Nothing => {
                builder.dangerous().with_custom_certificate_verifier(Arc::new(AnyCertificate(provider)))
            }
        };
        let config = match identity {
            None => builder.with_no_client_auth(),
            Some(ClientIdentity { certificate, key }) => builder
                .with_client_auth_cert(certificates(certificate)?, private_key(key)?)
                .map_err(|error| {
                    Failure::bad_request(format!(
                        "{} and {} do not fit together: {error}",
                        certificate.path.display(),
                        key.path.display()
                    ))
                })?,
        };
        Ok(Tls(Arc::new(config)))
    }

    /// The settings, for a connection that speaks TLS by itself.
    pub fn config(&self) -> &Arc<ClientConfig> {
        &self.0
    }

    pub(crate) fn over(
        &self,
        socket: Socket,
        host: &str,
    ) -> Result<StreamOwned<ClientConnection, Socket>, Failure> {
        let name = ServerName::try_from(host.to_owned())
            .map_err(|_| Failure::bad_request(format!("TLS needs a host name or address, not {host:?}")))?;
        Ok(StreamOwned::new(ClientConnection::new(Arc::clone(&self.0), name)?, socket))
    }
}

fn trusted(authorities: Option<&PemFile>) -> Result<RootCertStore, Failure> {
    let mut store = RootCertStore::empty();
    match authorities {
        Some(file) => {
            for certificate in certificates(file)? {
                store.add(certificate).map_err(|error| unusable(file, "authority", &error))?;
            }
        }
        None => {
            let found = rustls_native_certs::load_native_certs();
            store.add_parsable_certificates(found.certs);
            if store.is_empty() {
                return Err(Failure::unexpected_state(
                    "the system has no certificate authorities; name a PEM file with the server's authority",
                ));
            }
        }
    }
    Ok(store)
}

fn certificates(file: &PemFile) -> Result<Vec<CertificateDer<'static>>, Failure> {
    let text = contents(file)?;
    let found = CertificateDer::pem_slice_iter(&text).collect::<Result<Vec<_>, _>>();
    match found {
        Ok(found) if !found.is_empty() => Ok(found),
        Ok(_) => Err(unusable(file, "certificate", &"it holds no PEM certificate")),
        Err(error) => Err(unusable(file, "certificate", &error)),
    }
}

fn private_key(file: &PemFile) -> Result<PrivateKeyDer<'static>, Failure> {
    let text = contents(file)?;
    match PrivateKeyDer::from_pem_slice(&text) {
        Ok(key) => Ok(key),
        // Java's driver takes keys in DER.
        Err(_) => PrivateKeyDer::try_from(text).map_err(|error| unusable(file, "private key", &error)),
    }
}

fn contents(file: &PemFile) -> Result<Vec<u8>, Failure> {
    fs::read(&file.path).map_err(|error| {
        Failure::bad_request(format!("{}={}: cannot be read: {error}", file.given_by, file.path.display()))
    })
}

fn unusable(file: &PemFile, what: &str, error: &dyn std::fmt::Display) -> Failure {
    Failure::bad_request(format!("{}={}: no usable {what}: {error}", file.given_by, file.path.display()))
}
