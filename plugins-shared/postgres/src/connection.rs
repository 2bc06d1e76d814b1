//! A connection to one server: messages out, messages in.

use bytes::BytesMut;
use postgres_protocol::message::backend::Message;
use ycsb_plugin_api::{Deadline, Failure};
use ycsb_plugin_common::{Link, TimeLimits};

/// Enough for a few rows of YCSB's usual size.
const READ_BYTES: usize = 16 * 1024;

/// Buffers that a large operation has blown up beyond this are not kept.
const KEPT_BYTES: usize = 1 << 20;

/// A connection to one server. After any failure it has to be dropped.
pub(crate) struct Connection {
    link: Link,
    /// Messages to send.
    pub(crate) out: BytesMut,
    /// Messages that came, as far as they have not been taken.
    received: BytesMut,
    /// Where the system puts what comes, in one piece whatever state `received` is in.
    landing: Box<[u8]>,
    /// As in `15.18`; known after log-in.
    pub(crate) server_version: String,
    /// Which statements of the session the server knows.
    prepared: Vec<bool>,
}

impl Connection {
    pub(crate) fn over(link: Link) -> Connection {
        Connection {
            link,
            out: BytesMut::with_capacity(READ_BYTES),
            received: BytesMut::with_capacity(READ_BYTES),
            landing: vec![0; READ_BYTES].into_boxed_slice(),
            server_version: String::new(),
            prepared: Vec::new(),
        }
    }

    /// Begins an operation with this deadline.
    #[inline]
    pub(crate) fn begin(&mut self, deadline: Deadline) -> Result<(), Failure> {
        self.link.begin(deadline)
    }

    /// Changes the limits, from those of logging in to those of operations.
    pub(crate) fn set_limits(&mut self, limits: TimeLimits) {
        self.link.set_limits(limits);
    }

    /// Whether the server knows a statement of the session.
    #[inline]
    pub(crate) fn is_prepared(&self, statement: usize) -> bool {
        self.prepared.get(statement).is_some_and(|prepared| *prepared)
    }

    /// Remembers whether the server knows a statement.
    pub(crate) fn set_prepared(&mut self, statement: usize, prepared: bool) {
        if self.prepared.len() <= statement {
            self.prepared.resize(statement + 1, false);
        }
        self.prepared[statement] = prepared;
    }

    /// Sends the messages.
    #[inline]
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        let sent = self.link.write_all(&self.out);
        self.out.clear();
        sent
    }

    /// Waits for the next message that belongs to the conversation.
    #[inline]
    pub(crate) fn receive(&mut self) -> Result<Message, Failure> {
        loop {
            let message = Message::parse(&mut self.received).map_err(|error| self.unreadable(&error))?;
            match message {
                Some(Message::NoticeResponse(_) | Message::NotificationResponse(_)) => {}
                Some(Message::ParameterStatus(status)) => {
                    if status.name().is_ok_and(|name| name == "server_version") {
                        let version = status.value().unwrap_or("").split(' ').next().unwrap_or("");
                        self.server_version = version.to_owned();
                    }
                }
                Some(message) => return Ok(message),
                None => {
                    let count = self.link.read(&mut self.landing)?;
                    self.received.extend_from_slice(&self.landing[..count]);
                }
            }
        }
    }

    /// Lets go of memory that only a very large operation needed.
    #[inline]
    pub(crate) fn settle(&mut self) {
        if self.out.capacity() > KEPT_BYTES {
            self.out = BytesMut::with_capacity(READ_BYTES);
        }
        if self.received.capacity() > KEPT_BYTES && self.received.is_empty() {
            self.received = BytesMut::with_capacity(READ_BYTES);
        }
    }

    #[cold]
    fn unreadable(&self, error: &std::io::Error) -> Failure {
        let endpoint = self.link.endpoint();
        Failure::error(format!("what answers at {endpoint} does not speak PostgreSQL's protocol: {error}"))
    }

    /// Says goodbye.
    pub(crate) fn close(mut self) {
        postgres_protocol::message::frontend::terminate(&mut self.out);
        // The connection ends either way.
        let _ = self.flush();
        self.link.close();
    }
}
