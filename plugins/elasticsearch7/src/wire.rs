//! A byte stream to one server, plain or TLS, that waits no longer than an operation may.

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use ycsb_plugin_api::{Deadline, Failure};

/// How often a wait looks at the interrupt flag. The socket's own time-out is this long, so that waiting costs no
/// system call beyond the read itself.
const TICK: Duration = Duration::from_millis(100);

/// Longest wait for a connection: a lost packet is sent again after one second.
const CONNECT_LIMIT: Duration = Duration::from_secs(3);

/// How long an operation may wait.
#[derive(Clone, Copy)]
pub(crate) struct Patience<'a> {
    pub(crate) deadline: Deadline,
    pub(crate) interrupted: &'a AtomicBool,
}

impl Patience<'_> {
    /// How long the next system call may wait.
    fn next_wait(self) -> Result<Duration, Trouble> {
        if self.interrupted.load(Relaxed) {
            return Err(Trouble::Interrupted);
        }
        match self.deadline.time_left() {
            Some(Duration::ZERO) => Err(Trouble::Deadline),
            Some(left) => Ok(left.clamp(Duration::from_millis(1), TICK)),
            None => Ok(TICK),
        }
    }
}

/// Why bytes could not be sent or received.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The deadline passed.
    Deadline,
    /// The run ended.
    Interrupted,
    /// The name means no address.
    Unknown(io::Error),
    /// The connection.
    Io(io::Error),
    /// The server speaks something else than HTTP.
    Protocol(&'static str),
}

impl Trouble {
    /// The failure of an operation that met this trouble with `host`.
    #[cold]
    pub(crate) fn into_failure(self, host: &str) -> Failure {
        match self {
            Trouble::Deadline => Failure::timeout(format!("{host}: no answer before the deadline")),
            Trouble::Interrupted => Failure::timeout(format!("{host}: no answer before the run ended")),
            Trouble::Unknown(error) => Failure::unavailable(format!("{host}: {error}")),
            Trouble::Io(error) => {
                let failure = Failure::from_io(&error);
                let text = match error.get_ref().is_some_and(|inner| inner.is::<rustls::Error>()) {
                    true => format!(
                        "{host}: TLS: {error}; see es.security.ssl.path, the PEM file of the authorities to trust"
                    ),
                    false => format!("{host}: {error}"),
                };
                failure.detail(text)
            }
            Trouble::Protocol(what) => Failure::error(format!("{host}: {what}")),
        }
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Io(error)
    }
}

enum Stream {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
}

/// The stream, and how long its socket waits.
pub(crate) struct Wire {
    stream: Stream,
    wait: Duration,
}

impl Wire {
    /// Connects, tries every address of the name.
    pub(crate) fn connect(
        name: &str,
        port: u16,
        tls: Option<(&Arc<ClientConfig>, &ServerName<'static>)>,
        patience: Patience<'_>,
    ) -> Result<Wire, Trouble> {
        let mut last = None;
        for address in (name, port).to_socket_addrs().map_err(Trouble::Unknown)? {
            patience.next_wait()?;
            let limit = patience.deadline.time_left().map_or(CONNECT_LIMIT, |left| left.min(CONNECT_LIMIT));
            match TcpStream::connect_timeout(&address, limit.max(Duration::from_millis(1))) {
                Ok(socket) => return Wire::over(socket, tls, patience),
                Err(error) => last = Some(error),
            }
        }
        let none = || io::Error::new(ErrorKind::AddrNotAvailable, "the name has no address");
        Err(Trouble::Io(last.unwrap_or_else(none)))
    }

    fn over(
        socket: TcpStream,
        tls: Option<(&Arc<ClientConfig>, &ServerName<'static>)>,
        patience: Patience<'_>,
    ) -> Result<Wire, Trouble> {
        socket.set_nodelay(true)?;
        let stream = match tls {
            None => Stream::Plain(socket),
            Some((config, name)) => {
                let connection = ClientConnection::new(Arc::clone(config), name.clone())
                    .map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
                Stream::Tls(Box::new(StreamOwned::new(connection, socket)))
            }
        };
        let mut wire = Wire { stream, wait: Duration::ZERO };
        wire.set_wait(TICK)?;
        wire.handshake(patience)?;
        Ok(wire)
    }

    /// A refused certificate shows here, and not as the failure of the first request.
    fn handshake(&mut self, patience: Patience<'_>) -> Result<(), Trouble> {
        self.begin(patience)?;
        loop {
            let Stream::Tls(stream) = &mut self.stream else { return Ok(()) };
            if !stream.conn.is_handshaking() {
                return Ok(());
            }
            match stream.conn.complete_io(&mut stream.sock) {
                Ok(_) => {}
                Err(error) => self.wait_on(error, patience)?,
            }
        }
    }

    fn socket(&self) -> &TcpStream {
        match &self.stream {
            Stream::Plain(socket) => socket,
            Stream::Tls(stream) => &stream.sock,
        }
    }

    fn set_wait(&mut self, wait: Duration) -> io::Result<()> {
        if self.wait != wait {
            self.socket().set_read_timeout(Some(wait))?;
            self.socket().set_write_timeout(Some(wait))?;
            self.wait = wait;
        }
        Ok(())
    }

    /// Before an operation: the socket must not wait beyond its deadline.
    pub(crate) fn begin(&mut self, patience: Patience<'_>) -> Result<(), Trouble> {
        Ok(self.set_wait(patience.next_wait()?)?)
    }

    /// Whether the other side has closed the connection, or sent what nobody asked for, while nothing was under way.
    pub(crate) fn is_stale(&self) -> bool {
        let socket = self.socket();
        let peeked = socket.set_nonblocking(true).and_then(|()| socket.peek(&mut [0]));
        let quiet = matches!(peeked, Err(error) if error.kind() == ErrorKind::WouldBlock);
        socket.set_nonblocking(false).is_err() || !quiet
    }

    pub(crate) fn write_all(&mut self, mut bytes: &[u8], patience: Patience<'_>) -> Result<(), Trouble> {
        while !bytes.is_empty() {
            let written = match &mut self.stream {
                Stream::Plain(socket) => socket.write(bytes),
                Stream::Tls(stream) => stream.write(bytes),
            };
            match written {
                Ok(0) => return Err(Trouble::Io(ErrorKind::WriteZero.into())),
                Ok(count) => bytes = &bytes[count..],
                Err(error) => self.wait_on(error, patience)?,
            }
        }
        while let Stream::Tls(stream) = &mut self.stream {
            match stream.flush() {
                Ok(()) => break,
                Err(error) => self.wait_on(error, patience)?,
            }
        }
        Ok(())
    }

    /// Reads at least one byte; 0 means that the other side has closed the connection.
    pub(crate) fn read(&mut self, buffer: &mut [u8], patience: Patience<'_>) -> Result<usize, Trouble> {
        loop {
            let read = match &mut self.stream {
                Stream::Plain(socket) => socket.read(buffer),
                Stream::Tls(stream) => stream.read(buffer),
            };
            match read {
                Ok(count) => return Ok(count),
                // TLS without a goodbye: what was promised by length is checked by the reader.
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(0),
                Err(error) => self.wait_on(error, patience)?,
            }
        }
    }

    /// After an error: go on waiting if it only says that the socket's time-out passed.
    #[cold]
    fn wait_on(&mut self, error: io::Error, patience: Patience<'_>) -> Result<(), Trouble> {
        match error.kind() {
            ErrorKind::Interrupted => Ok(()),
            ErrorKind::WouldBlock | ErrorKind::TimedOut => Ok(self.set_wait(patience.next_wait()?)?),
            _ => Err(Trouble::Io(error)),
        }
    }
}
