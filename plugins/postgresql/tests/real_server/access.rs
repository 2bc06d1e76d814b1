//! URLs, users, passwords, TLS: what opens, and what the message says when it does not.

use crate::support::{Place, at, open, refused, says, with};
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, Open, logged, statuses};
use ycsb_test_services::Service;

/// Reads and writes something larger than a TLS record.
fn works(how: Open) -> String {
    let table: &str = format!("access_{}_{:?}", std::process::id(), std::thread::current().id())
        .replace(|letter: char| !letter.is_ascii_alphanumeric(), "_")
        .leak();
    let binding = open(Open { table, fresh: true, ..how });
    let ends =
        binding.play_opened([Do::insert("k", &[("field0", &[b'v'; 100_000])]), Do::read("k"), Do::end()]);
    assert_eq!(statuses(&ends), [status::OK; 3]);
    assert_eq!(ends[1].rows[0].field("field0").map(<[u8]>::len), Some(100_000));
    binding.detail.clone()
}

fn url(server: &Service, host: &str, options: &str) -> String {
    format!("jdbc:postgresql://{host}:{}/ycsb?{options}", server.fact("PORT"))
}

fn tls(server: &Service, host: &str, options: &str) -> Open {
    with(at(server), "postgresql.url", &url(server, host, options))
}

#[test]
fn scram_and_md5_passwords_log_in_and_wrong_ones_are_never_shown() {
    let Some(place) = Place::fresh() else { return };
    let server = place.server();
    let detail = works(place.how());
    let version = server.fact("VERSION").trim_start_matches("postgresql ").to_owned();
    assert!(detail.starts_with(&format!("PostgreSQL {version} at 127.0.0.1:")), "{detail}");
    assert!(
        detail.contains("/ycsb, table \"access_") && detail.ends_with(", a column per field"),
        "{detail}"
    );
    let md5 = with(at(server), "postgresql.user", server.fact("MD5_USERNAME"));
    works(with(md5.clone(), "postgresql.password", server.fact("MD5_PASSWORD")));
    let right = server.fact("PASSWORD");
    for how in [at(server), md5] {
        let wrong = refused(with(how.clone(), "postgresql.password", "hunter2"));
        says(&wrong, status::FORBIDDEN, "password authentication failed for user", &["hunter2", right]);
        let none = refused(with(how, "postgresql.password", ""));
        says(&none, status::FORBIDDEN, "asks for the password of user \"ycsb", &[right]);
    }
    let nobody = refused(with(at(server), "postgresql.user", "nobody"));
    says(&nobody, status::FORBIDDEN, "\"nobody\"", &[right]);
}

#[test]
fn what_the_url_says_wins_over_the_properties() {
    let Some(place) = Place::fresh() else { return };
    let server = place.server();
    let in_query = format!("user={}&password={}", server.fact("USERNAME"), server.fact("PASSWORD"));
    works(with(
        with(tls(server, "127.0.0.1", &in_query), "postgresql.user", "nobody"),
        "postgresql.password",
        "x",
    ));
    let user_info = format!("{}:{}@127.0.0.1", server.fact("USERNAME"), server.fact("PASSWORD"));
    let libpq = url(server, &user_info, "").replace("jdbc:", "");
    let how = with(with(at(server), "postgresql.url", &libpq), "postgresql.user", "nobody");
    assert!(!works(how).contains(server.fact("PASSWORD")));
    let wrong = refused(tls(server, "127.0.0.1", "user=ycsb&password=hunter2"));
    says(&wrong, status::FORBIDDEN, "password authentication failed", &["hunter2"]);
}

#[test]
fn without_a_user_the_systems_is_meant() {
    let Some(place) = Place::fresh() else { return };
    let ended = refused(with(with(place.how(), "postgresql.user", ""), "postgresql.password", "x"));
    let user = std::process::Command::new("id").arg("-un").output().unwrap().stdout;
    says(&ended, status::FORBIDDEN, &format!("\"{}\"", String::from_utf8_lossy(&user).trim()), &[]);
}

#[test]
fn several_hosts_are_tried_in_turn() {
    let Some(place) = Place::fresh() else { return };
    let server = place.server();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let detail = works(tls(server, &format!("127.0.0.1:{port},127.0.0.1"), ""));
    assert!(detail.contains(&format!(" at 127.0.0.1:{}/", server.fact("PORT"))), "{detail}");
}

#[test]
fn a_database_that_is_absent_is_named() {
    let Some(place) = Place::fresh() else { return };
    let url = place.server().fact("URL").replace("/ycsb", "/nowhere");
    let ended = refused(with(place.how(), "postgresql.url", &url));
    says(&ended, status::ERROR, "database \"nowhere\" does not exist", &[]);
}

#[test]
fn every_sslmode_does_what_it_says() {
    let Some(server) = Service::up("postgresql-tls", &[]) else { return };
    let (right, other) = (server.fact("CA_FILE"), server.fact("OTHER_CA_FILE"));
    let wrong_host = server.fact("WRONG_HOST");
    works(tls(&server, "localhost", &format!("sslmode=verify-full&sslrootcert={right}")));
    works(tls(&server, wrong_host, &format!("sslmode=verify-ca&sslrootcert={right}")));
    works(tls(&server, wrong_host, "sslmode=require"));
    works(tls(&server, wrong_host, "sslmode=prefer"));
    works(tls(&server, wrong_host, ""));
    works(tls(&server, wrong_host, "sslmode=allow"));
    works(tls(&server, "localhost", &format!("ssl=true&sslrootcert={right}")));

    let refused_with = |host: &str, options: String| refused(tls(&server, host, &options));
    let secret = &[server.fact("PASSWORD")];
    let full = |ca: &str| format!("sslmode=verify-full&sslrootcert={ca}");
    says(&refused_with("localhost", full(other)), status::FORBIDDEN, "unknown CA", secret);
    says(&refused_with(wrong_host, full(right)), status::FORBIDDEN, "wrong host name", secret);
    let chain = format!("sslmode=verify-ca&sslrootcert={other}");
    says(&refused_with(wrong_host, chain), status::FORBIDDEN, "unknown CA", secret);
    let require = format!("sslmode=require&sslrootcert={other}");
    says(&refused_with(wrong_host, require), status::FORBIDDEN, "unknown CA", secret);
    says(&refused_with("localhost", "sslmode=disable".into()), status::FORBIDDEN, "no encryption", secret);
    let wrong = with(tls(&server, "localhost", &full(right)), "postgresql.password", "hunter2");
    says(&refused(wrong), status::FORBIDDEN, "password authentication failed", &["hunter2"]);
    let absent = refused_with("localhost", full("/nowhere/ca.pem"));
    says(&absent, status::BAD_REQUEST, "sslrootcert=/nowhere/ca.pem: cannot be read", secret);
}

#[test]
fn a_client_certificate_logs_in() {
    let Some(server) = Service::up("postgresql-tls", &[]) else { return };
    let files = format!("sslmode=verify-full&sslrootcert={}", server.fact("CA_FILE"));
    let identity =
        format!("&sslcert={}&sslkey={}", server.fact("CLIENT_CERT_FILE"), server.fact("CLIENT_KEY_FILE"));
    let how = |options: &str| {
        let how = with(tls(&server, "localhost", options), "postgresql.user", server.fact("CERT_USERNAME"));
        with(how, "postgresql.password", "")
    };
    works(how(&format!("{files}{identity}")));
    let none = refused(how(&files));
    says(&none, status::FORBIDDEN, "certificate", &[]);
    let half = refused(how(&format!("{files}&sslcert={}", server.fact("CLIENT_CERT_FILE"))));
    says(&half, status::BAD_REQUEST, "sslcert and sslkey need each other", &[]);
}

#[test]
fn a_server_without_tls_is_said_to_be_one() {
    let Some(place) = Place::fresh() else { return };
    let ended = refused(tls(place.server(), "127.0.0.1", "sslmode=require"));
    says(&ended, status::FORBIDDEN, "does not offer TLS", &[]);
    works(tls(place.server(), "127.0.0.1", "sslmode=disable"));
    works(tls(place.server(), "127.0.0.1", "sslmode=allow"));
}

#[test]
fn other_databases_and_unknown_options_are_refused() {
    let how = Open::default();
    let mysql = refused(how.clone().set("postgresql.url", "jdbc:mysql://localhost:3306/ycsb"));
    says(&mysql, status::BAD_REQUEST, "the URL is for mysql; this binding speaks to PostgreSQL alone", &[]);
    let with_url = how.clone().set("postgresql.url", "jdbc:postgresql://127.0.0.1:1/ycsb");
    let driver = refused(with_url.clone().set("db.driver", "com.mysql.jdbc.Driver"));
    says(&driver, status::BAD_REQUEST, "db.driver=com.mysql.jdbc.Driver belongs to another database", &[]);
    let option =
        refused(how.clone().set("postgresql.url", "jdbc:postgresql://h/d?password=hunter2&sslMode=x"));
    says(
        &option,
        status::BAD_REQUEST,
        "postgresql.url: option \"sslMode\" of the URL is not known",
        &["hunter2"],
    );
    let empty = refused(how.set("postgresql.url", ""));
    says(&empty, status::BAD_REQUEST, "postgresql.url is empty", &[]);
}

#[test]
fn what_java_would_do_otherwise_is_noted() {
    let Some(place) = Place::fresh() else { return };
    let url = format!("{}?reWriteBatchedInserts=true&prepareThreshold=3", place.server().fact("URL"));
    let how = with(place.how(), "postgresql.url", &url)
        .set("jdbc.autocommit", "false")
        .set("db.driver", "org.postgresql.Driver");
    open(Open { batch_size: 77, ..how });
    let said = |words: &str| logged().iter().any(|(_, line)| line.contains(words));
    assert!(said("postgresql.url: accepted without effect: prepareThreshold, reWriteBatchedInserts"));
    assert!(said("autocommit=false: every statement or batch is still committed at once"));
    assert!(said("records are inserted 77 at a time"));
}

#[test]
fn with_the_batch_interface_of_java_nothing_is_noted() {
    let Some(place) = Place::fresh() else { return };
    let how = place.how().set("jdbc.batchupdateapi", "true");
    open(Open { batch_size: 78, ..how });
    assert!(!logged().iter().any(|(_, line)| line.contains("records are inserted 78 at a time")));
}
