//! Whom to trust: the TLS configuration.

use crate::settings::Trust;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::path::Path;
use std::sync::Arc;
use ycsb_plugin_api::Failure;

/// The configuration of all connections.
///
/// # Errors
/// BAD_REQUEST for a file that is no PEM file of certificates.
pub(crate) fn config(trust: &Trust) -> Result<Arc<ClientConfig>, Failure> {
    let provider = Arc::new(ring::default_provider());
    let verifier: Arc<dyn ServerCertVerifier> = match trust {
        Trust::Nothing => Arc::new(Anybody(provider.signature_verification_algorithms)),
        Trust::System => verifier(system_roots()?, &provider)?,
        Trust::File(path) => verifier(roots_of(path)?, &provider)?,
    };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    Ok(Arc::new(config))
}

fn verifier(
    roots: RootCertStore,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<dyn ServerCertVerifier>, Failure> {
    Ok(WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider)).build()?)
}

fn system_roots() -> Result<RootCertStore, Failure> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    match roots.is_empty() {
        true => Err(Failure::error(
            "this system has no certificate authorities; name those to trust with es.security.ssl.path",
        )),
        false => Ok(roots),
    }
}

fn roots_of(path: &Path) -> Result<RootCertStore, Failure> {
    let refuse = |why: &str| Failure::bad_request(format!("es.security.ssl.path: {} {why}", path.display()));
    let bytes = std::fs::read(path).map_err(|error| refuse(&format!("cannot be read: {error}")))?;
    match bytes.as_slice() {
        [0xfe, 0xed, 0xfe, 0xed, ..] => {
            return Err(refuse(
                "is a Java key store; convert it: keytool -exportcert -rfc -keystore FILE -alias NAME > ca.pem",
            ));
        }
        [0x30, 0x80..=0x84, ..] => {
            return Err(refuse(
                "is not PEM but DER, probably PKCS#12; convert it: openssl pkcs12 -in FILE -nokeys -out ca.pem",
            ));
        }
        _ => {}
    }
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&bytes) {
        let certificate = certificate.map_err(|error| refuse(&format!("is no PEM file: {error}")))?;
        roots
            .add(certificate)
            .map_err(|error| refuse(&format!("holds a certificate that is no authority: {error}")))?;
    }
    match roots.is_empty() {
        true => Err(refuse("holds no certificate; give a PEM file (-----BEGIN CERTIFICATE-----)")),
        false => Ok(roots),
    }
}

/// Believes every certificate: `es.security.ssl.insecure=true`. The handshake's signatures are checked all the same.
#[derive(Debug)]
struct Anybody(WebPkiSupportedAlgorithms);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls12_signature(message, certificate, signed, &self.0)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls13_signature(message, certificate, signed, &self.0)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str, content: &[u8]) -> String {
        let path = std::env::temp_dir().join(format!("ycsb-es7-{}-{name}", std::process::id()));
        std::fs::write(&path, content).unwrap();
        let failure = config(&Trust::File(path.clone())).err();
        std::fs::remove_file(path).unwrap();
        failure.map_or_else(String::new, |failure| failure.text().to_owned())
    }

    #[test]
    fn other_kinds_of_key_stores_are_explained() {
        assert!(refused("p12", b"\x30\x82\x10\x00rest").contains("openssl pkcs12 -in FILE"));
        assert!(refused("jks", b"\xfe\xed\xfe\xed\0\0").contains("keytool -exportcert"));
        assert!(refused("empty", b"").contains("holds no certificate"));
    }

    #[test]
    fn a_missing_file_is_named() {
        let failure = config(&Trust::File("/no/such/ca.pem".into())).err().unwrap();
        assert!(
            failure.text().starts_with("es.security.ssl.path: /no/such/ca.pem cannot be read"),
            "{failure}"
        );
    }
}
