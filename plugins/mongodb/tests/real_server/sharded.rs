//! Several `mongos` of a sharded cluster.
//!
//! The servers that can be had here are no clusters, so the routers are relays in front of one: they answer as it does,
//! but call themselves `mongos` when a driver asks who they are.

use crate::support::{BOTH, Flavour, Server};
use mongodb::bson::Document;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, OpenBinding};
use ycsb_test_services::Service;

const FIELDS: &[(&str, &[u8])] = &[("field0", b"value")];
/// Reads of one client. The driver draws a router for each: that all go to one of two has a chance of 2^-59.
const READS: usize = 60;
/// Where the document starts in an answer (`OP_REPLY` and `OP_MSG` of the wire protocol).
const IN_REPLY: (i32, usize) = (1, 36);
const IN_MESSAGE: (i32, usize) = (2013, 21);

/// A relay that calls itself a router.
#[derive(Clone)]
struct Router {
    address: String,
    finds: Arc<AtomicUsize>,
    gone: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Router {
    fn before(server: &str) -> Router {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let router = Router {
            address: listener.local_addr().expect("an address").to_string(),
            finds: Arc::default(),
            gone: Arc::default(),
            open: Arc::default(),
        };
        let (accepting, server) = (router.clone(), server.to_owned());
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if !accepting.gone.load(Ordering::SeqCst) {
                    accepting.relay(client, TcpStream::connect(&server).expect("the server"));
                }
            }
        });
        router
    }

    fn relay(&self, client: TcpStream, server: TcpStream) {
        let again = |stream: &TcpStream| stream.try_clone().expect("a descriptor");
        self.open.lock().unwrap().extend([again(&client), again(&server)]);
        let (to_client, from_server, finds) = (again(&client), again(&server), Arc::clone(&self.finds));
        std::thread::spawn(move || {
            pass_on(client, server, |message| {
                let asks = message.windows(6).any(|bytes| bytes == b"\x02find\0");
                finds.fetch_add(usize::from(asks), Ordering::SeqCst);
                message
            });
        });
        std::thread::spawn(move || pass_on(from_server, to_client, as_router));
    }

    /// Closes everything and takes no more connections.
    fn leave(&self) {
        self.gone.store(true, Ordering::SeqCst);
        for stream in self.open.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    fn finds(&self) -> usize {
        self.finds.load(Ordering::SeqCst)
    }
}

/// Whole messages, each of which begins with its length.
fn pass_on(mut from: TcpStream, mut to: TcpStream, change: impl Fn(Vec<u8>) -> Vec<u8>) {
    let mut length = [0; 4];
    while from.read_exact(&mut length).is_ok() {
        let mut message = length.to_vec();
        message.resize(u32::from_le_bytes(length) as usize, 0);
        if from.read_exact(&mut message[4..]).is_err() || to.write_all(&change(message)).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

/// The answer of a `mongos` to the question who it is; any other answer as it is.
fn as_router(message: Vec<u8>) -> Vec<u8> {
    let code = i32::from_le_bytes(message[12..16].try_into().expect("four bytes"));
    let Some((_, start)) = [IN_REPLY, IN_MESSAGE].into_iter().find(|(known, _)| *known == code) else {
        return message;
    };
    match Document::from_reader(&message[start..]) {
        Ok(mut answer) if answer.contains_key("maxWireVersion") => {
            answer.insert("msg", "isdbgrid");
            let mut changed = message[..start].to_vec();
            answer.to_writer(&mut changed).expect("a document");
            let length = u32::try_from(changed.len()).expect("a short answer");
            changed[..4].copy_from_slice(&length.to_le_bytes());
            changed
        }
        _ => message,
    }
}

fn read_again_and_again(binding: &OpenBinding, key: &str) -> Vec<u32> {
    let reads = (0..READS).map(|_| Do::read(key).within(Duration::from_secs(10)));
    let ended = binding.play_one(std::iter::once(Do::open()).chain(reads));
    ended[1..].iter().map(|ended| ended.status).collect()
}

fn routers_share_and_replace_one_another(flavour: Flavour, server: &Server, address: &str) {
    let routers = [Router::before(address), Router::before(address)];
    let mut how = server.load("sharded");
    how.settings.clear();
    let url = format!("mongodb://{},{}/ycsb?w=1", routers[0].address, routers[1].address);
    let binding = flavour.opened(how.set("mongodb.url", &url));
    let inserted = binding.play_one([Do::open(), Do::insert("k", FIELDS)]);
    assert_eq!(inserted[1].status, status::OK, "{flavour:?} {inserted:?}");

    assert_eq!(read_again_and_again(&binding, "k"), [status::OK; READS], "{flavour:?}");
    let found = routers.each_ref().map(Router::finds);
    assert!(found.iter().all(|finds| *finds > 0), "{flavour:?}: both routers are asked: {found:?}");

    routers[0].leave();
    let statuses = read_again_and_again(&binding, "k");
    let failed = statuses.iter().filter(|one| **one != status::OK).count();
    assert!(failed <= 2, "{flavour:?}: the connections of one router at most: {statuses:?}");
    assert_eq!(statuses[READS / 2..], [status::OK; READS / 2], "{flavour:?}: the other router goes on");
    assert!(routers[1].finds() >= found[1] + READS / 2, "{flavour:?}");
}

#[test]
fn several_routers_share_the_operations_and_one_that_leaves_is_replaced() {
    let Some(service) = Service::up("mongodb", &[]) else { return };
    let address = format!("{}:{}", service.fact("HOST"), service.fact("PORT"));
    for flavour in BOTH {
        routers_share_and_replace_one_another(flavour, &Server::of(&service), &address);
    }
}
