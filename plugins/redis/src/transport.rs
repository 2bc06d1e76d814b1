//! Sockets of both kinds, with and without TLS, under one type.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpStream, UnixStream};
use tokio_rustls::client::TlsStream;
use ycsb_plugin_common::Endpoint;

/// Where bytes go and come from.
pub(crate) enum Transport {
    Tcp(TcpStream),
    Unix(UnixStream),
    Tls(Box<TlsStream<TcpStream>>),
}

macro_rules! each {
    ($self:expr, $stream:ident => $call:expr) => {
        match $self {
            Transport::Tcp($stream) => $call,
            Transport::Unix($stream) => $call,
            Transport::Tls($stream) => $call,
        }
    };
}

impl Transport {
    /// Connects to the first address of the endpoint that answers.
    pub(crate) async fn connect(endpoint: &Endpoint) -> io::Result<Transport> {
        match endpoint {
            Endpoint::Unix(path) => UnixStream::connect(path).await.map(Transport::Unix),
            Endpoint::Tcp { host, port } => {
                let stream = TcpStream::connect((host.as_str(), *port)).await?;
                stream.set_nodelay(true)?;
                Ok(Transport::Tcp(stream))
            }
        }
    }

    /// How many bytes came; 0 at the end. Asks the system only once it has said that something came.
    #[inline]
    pub(crate) fn poll_read(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let mut buffer = ReadBuf::new(buffer);
        let read = each!(self, stream => Pin::new(stream).poll_read(context, &mut buffer));
        read.map_ok(|()| buffer.filled().len())
    }

    /// How many bytes were taken.
    #[inline]
    pub(crate) fn poll_write(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        each!(self, stream => Pin::new(stream).poll_write(context, bytes))
    }

    /// Sends what TLS holds back; plain sockets hold back nothing.
    #[inline]
    pub(crate) fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Transport::Tcp(_) | Transport::Unix(_) => Poll::Ready(Ok(())),
            Transport::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    /// Says goodbye in TLS, and that no more will be sent.
    pub(crate) fn poll_shutdown(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        each!(self, stream => Pin::new(stream).poll_shutdown(context))
    }
}
