//! Relays in front of a server, which watch what passes. They can be slow, and call themselves routers of a sharded
//! cluster.

use mongodb::bson::Document;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Where the document starts in an answer (`OP_REPLY` and `OP_MSG` of the wire protocol).
const IN_REPLY: (i32, usize) = (1, 36);
const IN_MESSAGE: (i32, usize) = (2013, 21);

/// What a relay does to what passes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    /// Answers are those of a `mongos` to the question who it is.
    pub(crate) is_router: bool,
    /// How long a new connection takes to become usable.
    pub(crate) connecting: Duration,
    /// How long each answer is on its way.
    pub(crate) answering: Duration,
}

/// A relay.
#[derive(Clone)]
pub(crate) struct Relay {
    pub(crate) address: String,
    manner: Manner,
    finds: Arc<AtomicUsize>,
    asking: Arc<AtomicUsize>,
    most_asking: Arc<AtomicUsize>,
    gone: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Relay {
    /// In front of the server at an address.
    pub(crate) fn before(server: &str, manner: Manner) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let relay = Relay {
            address: listener.local_addr().expect("an address").to_string(),
            manner,
            finds: Arc::default(),
            asking: Arc::default(),
            most_asking: Arc::default(),
            gone: Arc::default(),
            open: Arc::default(),
        };
        let (accepting, server) = (relay.clone(), server.to_owned());
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if !accepting.gone.load(Ordering::SeqCst) {
                    accepting.relay(client, TcpStream::connect(&server).expect("the server"));
                }
            }
        });
        relay
    }

    fn relay(&self, client: TcpStream, server: TcpStream) {
        let again = |stream: &TcpStream| stream.try_clone().expect("a descriptor");
        self.open.lock().unwrap().extend([again(&client), again(&server)]);
        let (to_client, from_server) = (again(&client), again(&server));
        let relay = self.clone();
        std::thread::spawn(move || {
            std::thread::sleep(relay.manner.connecting);
            let mut asks = false;
            pass_on(client, server, |message| {
                if message.windows(6).any(|bytes| bytes == b"\x02find\0") {
                    relay.finds.fetch_add(1, Ordering::SeqCst);
                    if !std::mem::replace(&mut asks, true) {
                        let asking = relay.asking.fetch_add(1, Ordering::SeqCst) + 1;
                        relay.most_asking.fetch_max(asking, Ordering::SeqCst);
                    }
                }
                message
            });
            relay.asking.fetch_sub(usize::from(asks), Ordering::SeqCst);
        });
        let Manner { is_router, answering, .. } = self.manner;
        std::thread::spawn(move || {
            pass_on(from_server, to_client, |message| {
                std::thread::sleep(answering);
                if is_router { as_router(message) } else { message }
            });
        });
    }

    /// Closes everything and takes no more connections.
    pub(crate) fn leave(&self) {
        self.gone.store(true, Ordering::SeqCst);
        for stream in self.open.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Queries that came through.
    pub(crate) fn finds(&self) -> usize {
        self.finds.load(Ordering::SeqCst)
    }

    /// Most connections at a time that queries came through.
    pub(crate) fn most_asking(&self) -> usize {
        self.most_asking.load(Ordering::SeqCst)
    }
}

/// Whole messages, each of which begins with its length.
fn pass_on(mut from: TcpStream, mut to: TcpStream, mut change: impl FnMut(Vec<u8>) -> Vec<u8>) {
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
