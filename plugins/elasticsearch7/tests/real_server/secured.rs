//! TLS and passwords: a real node behind haproxy.

use crate::support::{Server, opened, refused};
use std::time::Duration;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, Open, logged, statuses};
use ycsb_test_services::Service;

fn secured() -> Option<(Service, Server)> {
    let service = Service::up("elasticsearch-haproxy", &[])?;
    let server = Server {
        hosts: format!("localhost:{}", service.fact("PORT")),
        url: service.fact("BACKEND_URL").to_owned(),
    };
    Some((service, server))
}

fn with_login(how: Open, service: &Service) -> Open {
    how.set("es.authentication", "true")
        .set("es.credentials.user", service.fact("USERNAME"))
        .set("es.credentials.password", service.fact("PASSWORD"))
}

#[test]
fn operations_go_through_tls_and_a_password() {
    let Some((service, server)) = secured() else { return };
    for how in [
        server
            .load("secured")
            .set("es.security.ssl", "true")
            .set("es.security.ssl.path", service.fact("CA_FILE")),
        Open { fresh: true, within: Some(Duration::from_secs(30)), ..Open::default() }
            .set("es.index.name", "secured")
            .set("es.hosts.list", &format!("https://{}", server.hosts))
            .set("es.security.ssl.path", service.fact("CA_FILE")),
    ] {
        let binding = opened(with_login(how, &service));
        let large = vec![b'x'; 1_000_000];
        let ended = binding.play_one([
            Do::open(),
            Do::insert("a/b c", &[("field0", &large)]),
            Do::read("a/b c"),
            Do::insert_batch(&["b", "c"], &[("field0", b"x")]),
            Do::delete("a/b c"),
        ]);
        assert_eq!(statuses(&ended), [status::OK; 5], "{ended:?}");
        assert_eq!(ended[2].rows[0].field("field0"), Some(&large[..]));
    }
    let insecure =
        server.load("secured").set("es.security.ssl", "true").set("es.security.ssl.insecure", "true");
    let ended =
        opened(with_login(insecure, &service)).play_one([Do::open(), Do::insert("k", &[("field0", b"x")])]);
    assert_eq!(ended[1].status, status::OK);
}

#[test]
fn an_unknown_authority_a_wrong_name_and_a_wrong_password_are_told_apart() {
    let Some((service, server)) = secured() else { return };
    let tls = |hosts: &str, ca: &str| {
        let how = Open { within: Some(Duration::from_secs(10)), ..Open::default() };
        with_login(
            how.set("es.hosts.list", hosts).set("es.security.ssl", "true").set("es.security.ssl.path", ca),
            &service,
        )
    };
    let ended = refused(tls(&server.hosts, service.fact("OTHER_CA_FILE")));
    assert!(
        ended.status == status::FORBIDDEN && ended.detail.ends_with("see es.security.ssl.path"),
        "{}",
        ended.detail
    );

    let wrong_host = format!("{}:{}", service.fact("WRONG_HOST"), service.fact("PORT"));
    let ended = refused(tls(&wrong_host, service.fact("CA_FILE")));
    assert!(ended.detail.contains("wrong host name"), "{}", ended.detail);

    let mut wrong_password = tls(&server.hosts, service.fact("CA_FILE"));
    wrong_password.settings.retain(|(name, _)| name != "es.credentials.password");
    let ended = refused(wrong_password.set("es.credentials.password", "wrong-and-secret"));
    assert_eq!(ended.status, status::FORBIDDEN);
    assert!(
        ended.detail.contains("check es.credentials.user and es.credentials.password"),
        "{}",
        ended.detail
    );
    assert!(!ended.detail.contains("wrong-and-secret"));

    let mut no_login = tls(&server.hosts, service.fact("CA_FILE"));
    no_login.settings.retain(|(name, _)| name != "es.authentication");
    let ended = refused(no_login);
    assert_eq!(ended.status, status::FORBIDDEN);
    assert!(ended.detail.contains("set es.authentication=true"), "{}", ended.detail);

    let ended = refused(server.load("secured"));
    assert!(ended.detail.contains("set es.security.ssl=true"), "{}", ended.detail);
    let secret = service.fact("PASSWORD");
    assert!(logged().iter().all(|(_, line)| !line.contains(secret) && !line.contains("wrong-and-secret")));
}
