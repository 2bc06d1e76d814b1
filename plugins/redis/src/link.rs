//! A connection whose waits end: at the time limit here, at an operation's deadline by being dropped.

use crate::transport::Transport;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep_until, timeout};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use ycsb_plugin_api::Failure;
use ycsb_plugin_common::{Endpoint, Tls, cannot_connect, tls_failure};

/// The property that limits waits, for messages.
const PROPERTY: &str = "redis.timeout";

/// A connection to a server. After any failure it is in an unknown state: drop it and connect anew, or a late
/// answer would be taken for the next one.
pub(crate) struct Link {
    transport: Transport,
    endpoint: Endpoint,
    /// How long the server may be silent.
    limit: Option<Duration>,
    /// Wakes the task when that may have passed. It is set anew only when it has gone off, so that a wait that
    /// ends in time costs no visit to the runtime's timer.
    alarm: Option<Pin<Box<Sleep>>>,
    /// Since when the server has been silent; `None` until somebody waits.
    silent_since: Option<Instant>,
}

impl Link {
    /// Connects, with TLS if that is wanted.
    ///
    /// # Errors
    /// SERVICE_UNAVAILABLE if nobody answers there, TIMEOUT when the limit has passed, FORBIDDEN if either side does
    /// not trust the other.
    pub(crate) async fn connect(
        endpoint: &Endpoint,
        limit: Option<Duration>,
        tls: Option<&Tls>,
    ) -> Result<Link, Failure> {
        let connected = within(limit, Transport::connect(endpoint)).await.map_err(|limit| {
            Failure::timeout(format!("{endpoint} did not answer within {limit:?} (see {PROPERTY})"))
        })?;
        let mut transport = connected.map_err(|error| cannot_connect(&error, endpoint))?;
        if let Some(tls) = tls {
            transport = start_tls(transport, endpoint, limit, tls).await?;
        }
        Ok(Link { transport, endpoint: endpoint.clone(), limit, alarm: None, silent_since: None })
    }

    /// Where the server is.
    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Sends bytes.
    ///
    /// # Errors
    /// SERVICE_UNAVAILABLE if the connection is lost, TIMEOUT when the limit has passed.
    #[inline]
    pub(crate) async fn write_all(&mut self, mut bytes: &[u8]) -> Result<(), Failure> {
        self.silent_since = None;
        poll_fn(|context| {
            while !bytes.is_empty() {
                match self.transport.poll_write(context, bytes) {
                    Poll::Ready(Ok(0)) => return Poll::Ready(Err(self.closed())),
                    Poll::Ready(Ok(written)) => bytes = &bytes[written..],
                    Poll::Ready(Err(error)) => return Poll::Ready(Err(self.lost(&error))),
                    Poll::Pending => return self.poll_limit(context).map(Err),
                }
            }
            match self.transport.poll_flush(context) {
                Poll::Ready(flushed) => Poll::Ready(flushed.map_err(|error| self.lost(&error))),
                Poll::Pending => self.poll_limit(context).map(Err),
            }
        })
        .await
    }

    /// Waits for bytes and returns how many came, at least one.
    ///
    /// # Errors
    /// SERVICE_UNAVAILABLE if the connection is lost, TIMEOUT when the limit has passed.
    #[inline]
    pub(crate) async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Failure> {
        poll_fn(|context| match self.transport.poll_read(context, buffer) {
            Poll::Ready(Ok(0)) => Poll::Ready(Err(self.closed())),
            Poll::Ready(Ok(count)) => {
                self.silent_since = None;
                Poll::Ready(Ok(count))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(self.lost(&error))),
            Poll::Pending => self.poll_limit(context).map(Err),
        })
        .await
    }

    /// Ready with a TIMEOUT when the server has been silent for too long.
    fn poll_limit(&mut self, context: &mut Context<'_>) -> Poll<Failure> {
        let Some(limit) = self.limit else { return Poll::Pending };
        let due = *self.silent_since.get_or_insert_with(Instant::now) + limit;
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep_until(due)));
        loop {
            ready!(alarm.as_mut().poll(context));
            if Instant::now() >= due {
                return Poll::Ready(Failure::timeout(format!(
                    "no answer from {} within {limit:?} (see {PROPERTY})",
                    self.endpoint
                )));
            }
            alarm.as_mut().reset(due);
        }
    }

    /// Says goodbye in TLS. What the socket does not take at once is not said.
    pub(crate) async fn close(mut self) {
        poll_fn(|context| {
            let _ = self.transport.poll_shutdown(context);
            Poll::Ready(())
        })
        .await;
    }

    #[cold]
    fn closed(&self) -> Failure {
        Failure::unavailable(format!("{} closed the connection", self.endpoint))
    }

    #[cold]
    fn lost(&self, error: &io::Error) -> Failure {
        tls_failure(error, &self.endpoint).unwrap_or_else(|| {
            Failure::from_io(error).context(format!("connection to {} lost", self.endpoint))
        })
    }
}

/// What the future returns, or the limit if that has passed.
async fn within<F: Future>(limit: Option<Duration>, future: F) -> Result<F::Output, Duration> {
    match limit {
        Some(limit) => timeout(limit, future).await.map_err(|_| limit),
        None => Ok(future.await),
    }
}

async fn start_tls(
    transport: Transport,
    endpoint: &Endpoint,
    limit: Option<Duration>,
    tls: &Tls,
) -> Result<Transport, Failure> {
    let Transport::Tcp(stream) = transport else {
        return Err(Failure::bad_request(format!("TLS does not go over the socket {endpoint}")));
    };
    let host = endpoint.host();
    let name = ServerName::try_from(host.to_owned())
        .map_err(|_| Failure::bad_request(format!("TLS needs a host name or address, not {host:?}")))?;
    let handshake = TlsConnector::from(Arc::clone(tls.config())).connect(name, stream);
    let stream = within(limit, handshake).await.map_err(|limit| {
        Failure::timeout(format!("no answer from {endpoint} within {limit:?} (see {PROPERTY})"))
            .context("TLS handshake (does it speak TLS on this port?)")
    })?;
    match stream {
        Ok(stream) => Ok(Transport::Tls(Box::new(stream))),
        Err(error) => Err(tls_failure(&error, endpoint)
            .unwrap_or_else(|| Failure::from_io(&error).context(format!("connection to {endpoint} lost")))),
    }
}
