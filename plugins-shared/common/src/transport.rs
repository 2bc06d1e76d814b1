//! Sockets of both kinds, with and without TLS, under one type.

use crate::Endpoint;
use rustls::{ClientConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

pub(crate) enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Socket {
    /// Connects to the first address of the endpoint that answers, each within `limit`.
    pub(crate) fn connect(endpoint: &Endpoint, limit: Option<Duration>) -> io::Result<Socket> {
        let (host, port) = match endpoint {
            Endpoint::Unix(path) => return UnixStream::connect(path).map(Socket::Unix),
            Endpoint::Tcp { host, port } => (host.as_str(), *port),
        };
        let mut failure = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
        for address in addresses(host, port, limit)? {
            let connected = match limit {
                Some(limit) => TcpStream::connect_timeout(&address, limit.max(Duration::from_millis(1))),
                None => TcpStream::connect(address),
            };
            match connected {
                Ok(stream) => {
                    stream.set_nodelay(true)?;
                    return Ok(Socket::Tcp(stream));
                }
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    fn set_timeout(&self, time: Duration) -> io::Result<()> {
        match self {
            Socket::Tcp(stream) => {
                stream.set_read_timeout(Some(time))?;
                stream.set_write_timeout(Some(time))
            }
            Socket::Unix(stream) => {
                stream.set_read_timeout(Some(time))?;
                stream.set_write_timeout(Some(time))
            }
        }
    }
}

impl Socket {
    fn is_quiet(&self) -> bool {
        let nonblocking = |on| match self {
            Socket::Tcp(stream) => stream.set_nonblocking(on),
            Socket::Unix(stream) => stream.set_nonblocking(on),
        };
        let peeked = nonblocking(true).and_then(|()| match self {
            Socket::Tcp(stream) => stream.peek(&mut [0]),
            // Its side of the standard library cannot peek: the next read will tell.
            Socket::Unix(_) => Err(io::ErrorKind::WouldBlock.into()),
        });
        let waits = peeked.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock);
        nonblocking(false).is_ok() && waits
    }
}

impl Read for Socket {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Socket::Tcp(stream) => stream.read(buffer),
            Socket::Unix(stream) => stream.read(buffer),
        }
    }
}

impl Write for Socket {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Socket::Tcp(stream) => stream.write(bytes),
            Socket::Unix(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The addresses of a host, looked up within `limit`.
fn addresses(host: &str, port: u16, limit: Option<Duration>) -> io::Result<Vec<SocketAddr>> {
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(vec![(address, port).into()]);
    }
    let host = host.to_owned();
    let look_up = move || (host, port).to_socket_addrs().map(Iterator::collect);
    match limit {
        Some(limit) => within(limit, look_up),
        None => look_up(),
    }
}

/// What a call returns, or TimedOut. The system looks a name up for as long as it likes and cannot be told to stop, so
/// the call has a thread of its own, which is left behind.
fn within<T: Send + 'static>(
    limit: Duration,
    call: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let (done, result) = mpsc::sync_channel(1);
    thread::Builder::new().name("look-up".to_owned()).spawn(move || done.send(call()))?;
    result.recv_timeout(limit).unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

pub(crate) enum Transport {
    Plain(Socket),
    Tls(Box<StreamOwned<ClientConnection, Socket>>),
}

impl Transport {
    /// Sets how long a read or write may block.
    pub(crate) fn set_timeout(&self, time: Duration) -> io::Result<()> {
        match self {
            Transport::Plain(socket) => socket.set_timeout(time),
            Transport::Tls(stream) => stream.sock.set_timeout(time),
        }
    }

    /// Whether a read would have to wait. Bytes that TLS has taken in but not handed over do not count.
    pub(crate) fn is_quiet(&self) -> bool {
        match self {
            Transport::Plain(socket) => socket.is_quiet(),
            Transport::Tls(stream) => stream.sock.is_quiet(),
        }
    }

    /// Says goodbye in TLS; the socket itself closes when dropped.
    pub(crate) fn close(&mut self) {
        if let Transport::Tls(stream) = self {
            stream.conn.send_close_notify();
            let _ = stream.flush();
        }
    }
}

impl Read for Transport {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Transport::Plain(socket) => socket.read(buffer),
            Transport::Tls(stream) => stream.read(buffer),
        }
    }
}

impl Write for Transport {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Transport::Plain(socket) => socket.write(bytes),
            Transport::Tls(stream) => stream.write(bytes),
        }
    }

    #[inline]
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Transport::Plain(_) => Ok(()),
            Transport::Tls(stream) => stream.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_server_that_keeps_silent_costs_the_limit() {
        let (answer, never) = mpsc::channel::<()>();
        let looked_up = within(Duration::from_millis(20), move || Ok(never.recv().is_ok()));
        assert_eq!(looked_up.unwrap_err().kind(), io::ErrorKind::TimedOut);
        drop(answer);
    }

    #[test]
    fn addresses_are_taken_as_they_are_and_names_are_looked_up() {
        for limit in [None, Some(Duration::from_secs(60))] {
            assert_eq!(addresses("::1", 5, limit).unwrap(), ["[::1]:5".parse().unwrap()]);
            let local = addresses("localhost", 5, limit).unwrap();
            assert!(local.iter().all(|address| address.ip().is_loopback() && address.port() == 5));
            assert!(!local.is_empty() && addresses("no-such-host.invalid", 5, limit).is_err());
        }
    }
}
