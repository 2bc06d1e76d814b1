//! Sockets of both kinds, with and without TLS, under one type.

use crate::Endpoint;
use rustls::{ClientConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
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
        for address in (host, port).to_socket_addrs()? {
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
