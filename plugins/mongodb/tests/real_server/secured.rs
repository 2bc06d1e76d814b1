//! SCRAM and TLS.

use crate::support::BOTH;
use std::time::Duration;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, Open, logged};
use ycsb_test_services::Service;

const FIELDS: &[(&str, &[u8])] = &[("field0", b"value")];

fn how(url: &str) -> Open {
    let how = Open {
        fresh: true,
        within: Some(Duration::from_secs(5)),
        table: "secured",
        clients: 2,
        ..Open::default()
    };
    how.set("mongodb.url", url)
}

#[test]
fn a_login_by_properties_or_url_is_accepted_and_a_wrong_one_refused_without_its_password() {
    let Some(service) = Service::up("mongodb-auth", &[]) else { return };
    let (url, user, password) = (service.fact("URL"), service.fact("USERNAME"), service.fact("PASSWORD"));
    let bare = url.rsplit_once('@').map_or(url.to_owned(), |(_, place)| format!("mongodb://{place}"));
    let bare = bare.split('?').next().unwrap();
    let place = bare.trim_start_matches("mongodb://");
    for flavour in BOTH {
        for good in [
            how(bare).set("mongodb.username", user).set("mongodb.password", password),
            how(bare)
                .set("mongodb.username", user)
                .set("mongodb.password", password)
                .set("mongodb.authdb", "admin"),
            how(&format!("mongodb://{user}:{password}@{place}?authSource=admin&authMechanism=SCRAM-SHA-256")),
        ] {
            let binding = flavour.opened(good);
            let ended =
                binding.play(vec![vec![Do::open(), Do::insert_batch(&["k"], FIELDS), Do::read("k")]; 2]);
            assert!(ended.iter().all(|ended| ended[2].status == status::OK), "{ended:?}");
            assert!(!binding.detail.contains(password), "{}", binding.detail);
        }
        let ended = flavour
            .refused(how(bare).set("mongodb.username", user).set("mongodb.password", "wrong-and-secret"));
        assert_eq!(ended.status, status::FORBIDDEN, "{ended:?}");
        assert!(ended.detail.contains("check user, password and authSource"), "{}", ended.detail);
        assert!(!ended.detail.contains("wrong-and-secret"), "{}", ended.detail);
        let ended = flavour.refused(how(bare));
        assert_eq!(ended.status, status::FORBIDDEN, "{ended:?}");
        assert!(ended.detail.contains("set mongodb.username and mongodb.password"), "{}", ended.detail);
    }
    assert!(logged().iter().all(|(_, line)| !line.contains(password) && !line.contains("wrong-and-secret")));
}

#[test]
fn an_unknown_authority_and_a_wrong_name_are_refused_and_told_apart() {
    let Some(service) = Service::up("mongodb-tls", &[]) else { return };
    let url = service.fact("URL");
    let (authority, other) = (service.fact("CA_FILE"), service.fact("OTHER_CA_FILE"));
    for flavour in BOTH {
        for good in [
            how(url).set("mongodb.tls_ca_file", authority),
            how(&format!("{url}?tls=true&tlsCAFile={}", authority.replace('/', "%2F"))),
            how(url).set("mongodb.tls_skip_verify", "true"),
        ] {
            let ended = flavour.opened(good).play_one([Do::open(), Do::insert("k", FIELDS), Do::read("k")]);
            assert_eq!(ended[2].status, status::OK, "{ended:?}");
        }
        let ended = flavour.refused(how(url).set("mongodb.tls_ca_file", other));
        assert!(
            ended.detail.contains("UnknownIssuer") && ended.detail.contains("mongodb.tls_ca_file"),
            "{}",
            ended.detail
        );
        let wrong_host = url.replace("localhost", service.fact("WRONG_HOST"));
        let ended = flavour.refused(how(&wrong_host).set("mongodb.tls_ca_file", authority));
        assert!(ended.detail.contains("not valid for"), "{}", ended.detail);
        let ended = flavour.refused(how(url));
        assert_ne!(ended.status, status::OK, "without TLS: {}", ended.detail);
    }
}
