//! Whom to trust.

use crate::settings::Trust;
use std::path::Path;
use ycsb_plugin_api::Failure;
use ycsb_plugin_common::{PemFile, Tls, Verify};

const PROPERTY: &str = "es.security.ssl.path";

/// How to speak TLS.
///
/// # Errors
/// BAD_REQUEST for a file that is no PEM file of certificates.
pub(crate) fn tls(trust: &Trust) -> Result<Tls, Failure> {
    match trust {
        Trust::Nothing => Tls::new(Verify::Nothing, None, None),
        Trust::System => Tls::new(Verify::Full, None, None),
        Trust::File(path) => {
            refuse_key_store(path)?;
            Tls::new(Verify::Full, Some(&PemFile { path: path.clone(), given_by: PROPERTY }), None)
        }
    }
}

/// The fork takes Java's key stores; people have the line in their files.
fn refuse_key_store(path: &Path) -> Result<(), Failure> {
    let refuse = |what: &str, conversion: &str| {
        let path = path.display();
        Err(Failure::bad_request(format!("{PROPERTY}={path} is {what}, not PEM; convert it: {conversion}")))
    };
    match std::fs::read(path).unwrap_or_default().as_slice() {
        [0xfe, 0xed, 0xfe, 0xed, ..] => {
            refuse("a Java key store", "keytool -exportcert -rfc -keystore FILE -alias NAME > ca.pem")
        }
        [0x30, 0x80..=0x84, ..] => {
            refuse("DER, probably PKCS#12", "openssl pkcs12 -in FILE -nokeys -out ca.pem")
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str, content: &[u8]) -> String {
        let path = std::env::temp_dir().join(format!("ycsb-es7-{}-{name}", std::process::id()));
        std::fs::write(&path, content).unwrap();
        let failure = tls(&Trust::File(path.clone())).err();
        std::fs::remove_file(path).unwrap();
        failure.map_or_else(String::new, |failure| failure.text().to_owned())
    }

    #[test]
    fn other_kinds_of_key_stores_are_explained() {
        assert!(refused("p12", b"\x30\x82\x10\x00rest").contains("openssl pkcs12 -in FILE"));
        assert!(refused("jks", b"\xfe\xed\xfe\xed\0\0").contains("keytool -exportcert"));
        assert!(refused("empty", b"").contains("es.security.ssl.path="));
    }

    #[test]
    fn a_missing_file_is_named() {
        let failure = tls(&Trust::File("/no/such/ca.pem".into())).err().unwrap();
        assert!(failure.text().contains("es.security.ssl.path=/no/such/ca.pem: cannot be read"), "{failure}");
    }
}
