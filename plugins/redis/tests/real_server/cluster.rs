//! A cluster of three: placement, pipelines over nodes, moved slots.

use crate::support::{at, open, refused};
use redis::Commands;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, Open, statuses};
use ycsb_test_services::Service;

/// Its data are one database for all tests here.
pub(crate) static ALONE: Mutex<()> = Mutex::new(());

/// A key of the lowest hash that there is.
const FIRST: &str = "polygenelubricants";

fn cluster(server: &Service) -> Open {
    at(server).set("redis.cluster", "true")
}

fn node(server: &Service, number: usize) -> redis::Connection {
    plain(server, &format!("PORT_{number}"))
}

fn plain(server: &Service, port: &str) -> redis::Connection {
    let url = format!("redis://{}:{}", server.fact("HOST"), server.fact(port));
    redis::Client::open(url).unwrap().get_connection().unwrap()
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let patience = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < patience, "{what}");
        std::thread::yield_now();
    }
}

fn empty(server: &Service) -> Open {
    for number in 1..=3 {
        redis::cmd("FLUSHALL").exec(&mut node(server, number)).unwrap();
    }
    cluster(server)
}

fn some_keys(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("user{number}")).collect()
}

#[test]
fn records_lie_on_all_nodes_and_the_index_on_one() {
    let Some(server) = Service::up("redis-cluster", &[]) else { return };
    let _alone = ALONE.lock();
    let binding = open(empty(&server));
    let names = some_keys(100);
    binding.play_opened(names.iter().map(|key| Do::insert(key, &[("a", key.as_bytes())])));
    let sizes: Vec<usize> =
        (1..=3).map(|number| redis::cmd("DBSIZE").query(&mut node(&server, number)).unwrap()).collect();
    assert_eq!(sizes.iter().sum::<usize>(), 101);
    assert!(sizes.iter().all(|size| *size > 10), "{sizes:?}");
    for key in &names {
        let end = binding.play_opened([Do::read(key)]).remove(0);
        assert_eq!(end.rows[0].field("a"), Some(key.as_bytes()));
    }
    let scan = binding.play_opened([Do::scan(FIRST, 1_000)]).remove(0);
    let fields_fit = |row: &ycsb_plugin_api::testing::ReturnedRow| row.field("a") == Some(&row.key[..]);
    assert!(scan.rows.iter().all(fields_fit), "rows and keys are not mixed up between nodes");
    assert_eq!(scan.rows.len(), 100);
    let ends = binding.play_opened([Do::delete("user1"), Do::read("user1"), Do::delete("user1")]);
    assert_eq!(statuses(&ends), [status::OK, status::NOT_FOUND, status::NOT_FOUND]);
    assert!(binding.detail.contains("cluster of 127.0.0.1:"), "{}", binding.detail);
}

#[test]
fn a_batch_goes_to_all_nodes_and_dropping_clears_all() {
    let Some(server) = Service::up("redis-cluster", &[]) else { return };
    let _alone = ALONE.lock();
    let how = empty(&server).set("redis.scanorder", "key").set("redis.strictupdate", "true");
    let names = some_keys(1_003);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let ends = open(how.clone()).play_opened([
        Do::insert_batch(&names, &[("a", b"1")]),
        Do::update("user1002", &[("a", b"2")]),
        Do::update("user1003", &[("a", b"2")]),
        Do::scan("user1000", 4),
    ]);
    assert_eq!(statuses(&ends), [status::OK, status::OK, status::NOT_FOUND, status::OK]);
    assert_eq!(ends[3].keys(), ["user1000", "user1001", "user1002", "user101"]);
    let mut fresh = how;
    fresh.fresh = true;
    open(fresh);
    for number in 1..=3 {
        assert_eq!(redis::cmd("DBSIZE").query::<usize>(&mut node(&server, number)).unwrap(), 0);
    }
}

/// The node that all nodes hold for the owner of the key's slot; waits until they agree.
fn owner(server: &Service, key: &str) -> usize {
    let until = Instant::now() + Duration::from_secs(20);
    while Instant::now() < until {
        let views: Vec<String> = (1..=3)
            .map(|number| match node(server, number).hlen::<_, u64>(key) {
                Ok(_) => format!("{}:{}", server.fact("HOST"), server.fact(&format!("PORT_{number}"))),
                Err(error) => error.redirect_node().expect("a redirection").0.to_owned(),
            })
            .collect();
        let port_of = |number: usize| server.fact(&format!("PORT_{number}"));
        let agreed = views.iter().all(|view| *view == views[0]);
        if let Some(owner) = (1..=3).find(|number| agreed && views[0].ends_with(port_of(*number))) {
            return owner;
        }
        std::thread::yield_now();
    }
    panic!("the nodes do not agree who owns the slot of {key}");
}

/// Moves the slot of a key to another node, record by record as `redis-cli` would, with a visit in the middle.
fn move_slot(server: &Service, key: &str, in_the_middle: impl FnOnce()) {
    let slot: u16 = redis::cmd("CLUSTER").arg("KEYSLOT").arg(key).query(&mut node(server, 1)).unwrap();
    let from = owner(server, key);
    let to = from % 3 + 1;
    let id = |number| redis::cmd("CLUSTER").arg("MYID").query::<String>(&mut node(server, number)).unwrap();
    let (from_id, to_id) = (id(from), id(to));
    let set = |number, how: &str, id: &str| {
        let mut command = redis::cmd("CLUSTER");
        command.arg("SETSLOT").arg(slot).arg(how).arg(id).exec(&mut node(server, number)).unwrap();
    };
    set(to, "IMPORTING", &from_id);
    set(from, "MIGRATING", &to_id);
    let migrate = || {
        let mut command = redis::cmd("CLUSTER");
        command.arg("GETKEYSINSLOT").arg(slot).arg(100);
        for key in command.query::<Vec<String>>(&mut node(server, from)).unwrap() {
            let mut command = redis::cmd("MIGRATE");
            command
                .arg(server.fact("HOST"))
                .arg(server.fact(&format!("PORT_{to}")))
                .arg(key)
                .arg(0)
                .arg(5_000);
            command.exec(&mut node(server, from)).unwrap();
        }
    };
    migrate();
    in_the_middle();
    // What was written meanwhile.
    migrate();
    for number in [to, from, to % 3 + 1] {
        set(number, "NODE", &to_id);
    }
    assert_eq!(owner(server, key), to);
}

#[test]
fn operations_follow_a_slot_that_is_on_its_way() {
    let Some(server) = Service::up("redis-cluster", &[]) else { return };
    let _alone = ALONE.lock();
    let binding = open(empty(&server));
    let names = some_keys(50);
    binding.play_opened(names.iter().map(|key| Do::insert(key, &[("a", key.as_bytes())])));
    let all = binding.play_opened([Do::scan(FIRST, 1_000)])[0].keys();
    move_slot(&server, "user7", || {
        let visit = [
            Do::read("user7"),
            Do::update("user7", &[("b", b"2")]),
            Do::insert("{user7}new", &[("a", b"1")]),
            Do::read("{user7}new"),
            Do::delete("{user7}new"),
            Do::scan(FIRST, 1_000),
        ];
        let ends = binding.play_opened(visit);
        assert_eq!(statuses(&ends), [status::OK; 6]);
        assert_eq!(ends[5].keys(), all, "rows of a node that was asked later stay in their place");
    });
    let end = binding.play_opened([Do::read("user7")]).remove(0);
    assert_eq!(end.rows[0].field("b"), Some(&b"2"[..]));
}

#[test]
fn a_session_survives_a_slot_that_moves_under_it() {
    let Some(server) = Service::up("redis-cluster", &[]) else { return };
    let _alone = ALONE.lock();
    let binding = open(empty(&server));
    let mover = server.clone();
    let steps = [
        Do::insert("user7", &[("a", b"1")]),
        Do::call(move || move_slot(&mover, "user7", || ())),
        Do::update("user7", &[("a", b"2")]),
        Do::insert_batch(&["{user7}new", "elsewhere"], &[("a", b"1")]),
        Do::read("user7"),
        Do::scan(FIRST, 10),
    ];
    let ends = binding.play_opened(steps);
    assert!(ends.iter().all(|end| matches!(end.status, status::OK | status::NONE)), "{ends:?}");
    assert_eq!(ends[4].rows[0].field("a"), Some(&b"2"[..]));
    assert_eq!(ends[5].row_count, 3);
}

#[test]
fn a_cluster_and_a_single_server_are_not_taken_for_each_other() {
    let Some(server) = Service::up("redis-cluster", &[]) else { return };
    let ended = refused(at(&server));
    assert_eq!(ended.status, status::BAD_REQUEST);
    assert!(ended.detail.contains("is a node of a cluster; set redis.cluster=true"), "{}", ended.detail);
    let Some(plain) = Service::up("redis@plugin", &["databases=200"]) else { return };
    let ended = refused(cluster(&plain));
    assert_eq!(ended.status, status::BAD_REQUEST);
    assert!(ended.detail.contains("is no cluster; remove redis.cluster=true"), "{}", ended.detail);
}

/// Makes a server the replica of a node.
fn join(server: &Service, primary: usize, replica: &mut redis::Connection) {
    let id: String = redis::cmd("CLUSTER").arg("MYID").query(&mut node(server, primary)).unwrap();
    let mut meet = redis::cmd("CLUSTER");
    meet.arg("MEET").arg(server.fact("HOST")).arg(server.fact(&format!("PORT_{primary}")));
    meet.exec(replica).unwrap();
    until("the replica knows its primary", || {
        redis::cmd("CLUSTER").arg("REPLICATE").arg(&id).exec(replica).is_ok()
    });
    until("the replica is up to date", || {
        let facts: String = redis::cmd("INFO").arg("replication").query(replica).unwrap();
        facts.contains("master_link_status:up")
    });
}

#[test]
fn when_a_node_dies_its_replica_takes_over_and_the_session_goes_on() {
    let Some(server) = Service::up("redis-cluster@failover", &[]) else { return };
    let cluster_node = ["cluster-enabled=yes", "cluster-config-file=nodes.conf", "cluster-node-timeout=3000"];
    let Some(standby) = Service::up("redis@failover-standby", &cluster_node) else { return };
    let primary = owner(&server, "user7");
    join(&server, primary, &mut plain(&standby, "PORT"));
    let binding = open(cluster(&server).set("redis.timeout", "60000"));
    let (killed, taken_over) = (server.clone(), standby.clone());
    let ends = binding.play_opened([
        Do::insert("user7", &[("a", b"1")]),
        Do::call(move || {
            let mut doomed = node(&killed, primary);
            let copies: usize = redis::cmd("WAIT").arg(1).arg(60_000).query(&mut doomed).unwrap();
            assert_eq!(copies, 1);
            killed.signal("kill", &format!("n{primary}"));
        }),
        Do::update("user7", &[("a", b"2")]),
        // Waits until somebody holds the slot; the new node may still have to hear that the cluster is whole.
        Do::read("user7"),
        Do::call(move || {
            let mut heir = plain(&taken_over, "PORT");
            until("the replica has taken over", || {
                let state: String = redis::cmd("CLUSTER").arg("INFO").query(&mut heir).unwrap();
                state.contains("cluster_state:ok") && heir.hlen::<_, u64>("user7").is_ok()
            });
        }),
        Do::read("user7"),
        Do::insert("user7", &[("a", b"3")]),
    ]);
    let lost = status::SERVICE_UNAVAILABLE;
    assert_eq!(ends[2].status, lost, "{}", ends[2].detail);
    assert!([status::OK, lost].contains(&ends[3].status), "{}", ends[3].detail);
    assert_eq!(ends[5].rows[0].field("a"), Some(&b"1"[..]), "{}", ends[5].detail);
    assert_eq!(ends[6].status, status::OK, "{}", ends[6].detail);
    drop(binding);
    server.down();
    standby.down();
}

#[test]
fn a_cluster_with_a_password_is_logged_in_to_on_every_node() {
    let Some(server) = Service::up("redis-cluster@secured", &[]) else { return };
    for number in 1..=3 {
        let mut set = redis::cmd("CONFIG");
        set.arg("SET").arg("requirepass").arg("open-sesame").exec(&mut node(&server, number)).unwrap();
    }
    let names = some_keys(100);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let binding = open(cluster(&server).set("redis.password", "open-sesame"));
    let ends = binding.play_opened([Do::insert_batch(&names, &[("a", b"1")]), Do::scan(FIRST, 1_000)]);
    assert_eq!((ends[0].status, ends[1].row_count), (status::OK, 100));
    drop(binding);
    for wrong in [cluster(&server), cluster(&server).set("redis.password", "hunter2")] {
        let ended = refused(wrong);
        assert_eq!(ended.status, status::FORBIDDEN, "{}", ended.detail);
        assert!(
            !ended.detail.contains("hunter2") && !ended.detail.contains("open-sesame"),
            "{}",
            ended.detail
        );
    }
    server.down();
}
