//! Passwords, users, TLS, sockets: what opens, and what the message says when it does not.

use crate::support::{Database, at, open, refused};
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, Ended, Open, statuses};
use ycsb_test_services::Service;

fn tls(server: &Service) -> Open {
    at(server).set("redis.tls_ca", server.fact("CA_FILE")).set("redis.password", server.fact("PASSWORD"))
}

/// Another value of a property.
fn with(mut how: Open, name: &str, value: &str) -> Open {
    how.settings.retain(|(given, _)| given != name);
    how.set(name, value)
}

fn without(mut how: Open, name: &str) -> Open {
    how.settings.retain(|(given, _)| given != name);
    how
}

fn works(how: Open) -> String {
    let binding = open(how);
    let ends = binding.play_opened([Do::insert("k", &[("a", &[b'v'; 100_000])]), Do::read("k"), Do::end()]);
    assert_eq!(statuses(&ends), [status::OK; 3]);
    assert_eq!(ends[1].rows[0].field("a").map(<[u8]>::len), Some(100_000));
    binding.detail.clone()
}

fn says(ended: &Ended, expected_status: u32, words: &str, secrets: &[&str]) {
    assert_eq!(ended.status, expected_status, "{}", ended.detail);
    assert!(ended.detail.contains(words), "{:?} lacks {words:?}", ended.detail);
    for secret in secrets {
        assert!(!ended.detail.contains(secret), "{} shows a secret", ended.detail);
    }
}

#[test]
fn tls_with_a_password_or_a_named_user() {
    let Some(server) = Service::up("redis-tls", &[]) else { return };
    assert!(works(tls(&server)).contains(", TLS;"));
    let user = with(tls(&server), "redis.username", server.fact("USERNAME"));
    works(with(user, "redis.password", server.fact("USER_PASSWORD")));
}

#[test]
fn who_is_not_trusted_is_named_and_why() {
    let Some(server) = Service::up("redis-tls", &[]) else { return };
    let unknown = with(tls(&server), "redis.tls_ca", server.fact("OTHER_CA_FILE"));
    says(&refused(unknown.clone()), status::FORBIDDEN, "unknown CA", &[]);
    let wrong_name = with(tls(&server), "redis.host", server.fact("WRONG_HOST"));
    says(&refused(wrong_name.clone()), status::FORBIDDEN, "wrong host name", &[]);
    for not_trusted in [unknown, wrong_name] {
        works(
            without(not_trusted, "redis.tls_ca")
                .set("redis.tls", "true")
                .set("redis.tls_insecure_skip_verify", "true"),
        );
    }
    // The test's authority is none of the system's.
    let system = without(tls(&server), "redis.tls_ca").set("redis.tls", "true");
    let ended = refused(system);
    assert!(
        ended.detail.contains("unknown CA") || ended.detail.contains("has no certificate authorities"),
        "{}",
        ended.detail
    );
}

#[test]
fn a_wrong_password_is_said_and_never_shown() {
    let Some(server) = Service::up("redis-tls", &[]) else { return };
    let wrong = with(tls(&server), "redis.password", "hunter2");
    says(
        &refused(wrong.clone()),
        status::FORBIDDEN,
        "refused the password (redis.password): WRONGPASS",
        &["hunter2"],
    );
    let user = with(wrong, "redis.username", "nobody");
    says(&refused(user), status::FORBIDDEN, "refused user \"nobody\" (redis.username)", &["hunter2"]);
    let none = without(tls(&server), "redis.password");
    says(&refused(none), status::FORBIDDEN, "asks for a password; set redis.password", &[]);
    let empty = with(tls(&server), "redis.password", "");
    says(&refused(empty), status::FORBIDDEN, "asks for a password; set redis.password", &[]);
}

#[test]
fn a_password_that_nobody_asked_for_is_refused() {
    let Some(database) = Database::empty() else { return };
    let how = database.how().set("redis.password", "hunter2");
    says(&refused(how), status::FORBIDDEN, "asks for no password; remove redis.password", &["hunter2"]);
}

#[test]
fn a_server_that_wants_a_client_certificate_gets_it() {
    let Some(server) = Service::up("redis-mutual-tls", &[]) else { return };
    let certificate = tls(&server).set("redis.tls_cert", server.fact("CLIENT_CERT_FILE"));
    works(certificate.clone().set("redis.tls_key", server.fact("CLIENT_KEY_FILE")));
    says(&refused(tls(&server)), status::FORBIDDEN, "client certificate", &[]);
    says(&refused(certificate), status::BAD_REQUEST, "redis.tls_cert and redis.tls_key need each other", &[]);
}

#[test]
fn files_that_cannot_be_used_are_named_with_their_property() {
    let Some(server) = Service::up("redis-tls", &[]) else { return };
    let absent = with(tls(&server), "redis.tls_ca", "/nowhere/ca.pem");
    says(&refused(absent), status::BAD_REQUEST, "redis.tls_ca=/nowhere/ca.pem: cannot be read", &[]);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let other = with(tls(&server), "redis.tls_ca", script);
    says(&refused(other), status::BAD_REQUEST, "it holds no PEM certificate", &[]);
}

#[test]
fn tls_and_plain_text_do_not_mix() {
    let Some(plain) = Service::up("redis@plugin", &["databases=200"]) else { return };
    let Some(server) = Service::up("redis-tls", &[]) else { return };
    let to_plain = at(&plain).set("redis.tls", "true").set("redis.tls_insecure_skip_verify", "true");
    says(
        &refused(to_plain.set("redis.timeout", "300")),
        status::TIMEOUT,
        "does it speak TLS on this port?",
        &[],
    );
    let to_tls = at(&server).set("redis.password", server.fact("PASSWORD"));
    says(&refused(to_tls), status::SERVICE_UNAVAILABLE, "if the server speaks TLS set redis.tls=true", &[]);
}

#[test]
fn a_unix_socket_serves_too() {
    let Some(database) = Database::empty() else { return };
    let socket = database.server().fact("SOCKET");
    let how = database.how().set("redis.socket", socket);
    assert!(works(how.clone()).contains(socket));
    let both = how.clone().set("redis.cluster", "true");
    let (_, number) = how.settings.iter().find(|(name, _)| name == "redis.db").unwrap().clone();
    let both = with(both, "redis.db", "0");
    says(&refused(both), status::BAD_REQUEST, "goes with neither redis.cluster=true nor TLS", &[]);
    says(
        &refused(with(how, "redis.socket", "/nowhere.sock")),
        status::SERVICE_UNAVAILABLE,
        "/nowhere.sock",
        &[],
    );
    assert_ne!(number, "");
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    let how = Open::default();
    let cluster = how.clone().set("redis.cluster", "true").set("redis.db", "1");
    says(&refused(cluster), status::BAD_REQUEST, "a cluster has only database 0", &[]);
    let user = how.clone().set("redis.username", "me");
    says(&refused(user), status::BAD_REQUEST, "redis.username needs redis.password", &[]);
    let skip = how.set("redis.tls_insecure_skip_verify", "true");
    says(&refused(skip), status::BAD_REQUEST, "add redis.tls=true", &[]);
}

#[test]
fn a_database_that_the_server_does_not_have_is_named() {
    let Some(database) = Database::empty() else { return };
    let how = with(database.how(), "redis.db", "4000");
    says(&refused(how), status::ERROR, "redis.db=4000", &[]);
}
