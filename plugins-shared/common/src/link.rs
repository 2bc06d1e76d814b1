//! A connection whose reads and writes keep time limits.

use crate::tls_failure::tls_failure;
use crate::transport::{Socket, Transport};
use crate::{Endpoint, TimeLimits, Tls};
use std::io::{self, ErrorKind, Read, Write};
use std::time::Duration;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::{Deadline, Failure};

/// How long a socket blocks before the limits are looked at. Until then they cost neither a clock reading nor
/// a system call, and deadlines and interrupts are seen at most this late.
const LOOK_AROUND: Duration = Duration::from_millis(100);

/// A connection to a server. After any failure it is in an unknown state: drop it and connect anew, or a late
/// answer would be taken for the next one.
pub struct Link {
    transport: Transport,
    endpoint: Endpoint,
    limits: TimeLimits,
    deadline: Deadline,
    /// What the socket's time-out is set to now.
    blocks_for: Duration,
    /// How long the server has been silent in this operation.
    waited: Duration,
}

impl Link {
    /// Connects without TLS.
    ///
    /// # Errors
    /// SERVICE_UNAVAILABLE if nobody answers there, TIMEOUT when a limit has passed.
    pub fn connect(endpoint: &Endpoint, limits: &TimeLimits, deadline: Deadline) -> Result<Link, Failure> {
        let limit = match (limits.connect, deadline.time_left()) {
            (Some(limit), Some(left)) => Some(limit.min(left)),
            (limit, left) => limit.or(left),
        };
        let socket = Socket::connect(endpoint, limit).map_err(|error| match error.kind() {
            ErrorKind::TimedOut => {
                let limit = limit.unwrap_or_default();
                let property = limits.connect_property;
                Failure::timeout(format!("{endpoint} did not answer within {limit:?} (see {property})"))
            }
            _ => cannot_connect(&error, endpoint),
        })?;
        let mut link = Link {
            transport: Transport::Plain(socket),
            endpoint: endpoint.clone(),
            limits: limits.clone(),
            deadline,
            blocks_for: Duration::ZERO,
            waited: Duration::ZERO,
        };
        link.begin(deadline)?;
        Ok(link)
    }

    /// Goes on in TLS, with the server's certificate checked against the host name of the endpoint.
    ///
    /// # Errors
    /// FORBIDDEN if either side does not trust the other, with the reason.
    pub fn start_tls(self, tls: &Tls) -> Result<Link, Failure> {
        let Link { transport, endpoint, limits, deadline, blocks_for, waited } = self;
        let Transport::Plain(socket) = transport else {
            return Err(Failure::error(format!("{endpoint}: TLS was already started")));
        };
        let stream = tls.over(socket, endpoint.host())?;
        let transport = Transport::Tls(Box::new(stream));
        let mut link = Link { transport, endpoint, limits, deadline, blocks_for, waited };
        while let Transport::Tls(stream) = &mut link.transport
            && stream.conn.is_handshaking()
        {
            match stream.conn.complete_io(&mut stream.sock) {
                Ok(_) => {}
                Err(error) => link.wait_on(error).map_err(|failure| match failure.status() {
                    status::TIMEOUT => failure.context("TLS handshake (does it speak TLS on this port?)"),
                    _ => failure,
                })?,
            }
        }
        Ok(link)
    }

    /// Where the server is.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Changes the limits, from the next operation on.
    pub fn set_limits(&mut self, limits: TimeLimits) {
        self.limits = limits;
    }

    /// Begins an operation with this deadline.
    ///
    /// # Errors
    /// What the system says to a time-out of the socket.
    #[inline]
    pub fn begin(&mut self, deadline: Deadline) -> Result<(), Failure> {
        self.deadline = deadline;
        self.waited = Duration::ZERO;
        let usual = self.limits.silence.map_or(LOOK_AROUND, |limit| limit.min(LOOK_AROUND));
        if self.blocks_for != usual { self.block_for(usual) } else { Ok(()) }
    }

    /// Sends bytes.
    ///
    /// # Errors
    /// SERVICE_UNAVAILABLE if the connection is lost, TIMEOUT when a limit has passed.
    #[inline]
    pub fn write_all(&mut self, mut bytes: &[u8]) -> Result<(), Failure> {
        while !bytes.is_empty() {
            match self.transport.write(bytes) {
                Ok(0) => return Err(self.closed()),
                Ok(written) => bytes = &bytes[written..],
                Err(error) => self.wait_on(error)?,
            }
        }
        while let Err(error) = self.transport.flush() {
            self.wait_on(error)?;
        }
        Ok(())
    }

    /// Waits for bytes and returns how many came, at least one.
    ///
    /// # Errors
    /// SERVICE_UNAVAILABLE if the connection is lost, TIMEOUT when a limit has passed.
    #[inline]
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Failure> {
        loop {
            match self.transport.read(buffer) {
                Ok(0) => return Err(self.closed()),
                Ok(count) => return Ok(count),
                Err(error) => self.wait_on(error)?,
            }
        }
    }

    /// Whether nothing has come from the server that nobody asked for, and it has not closed the connection. Of use
    /// after a pause, before a request that must not be sent in vain.
    pub fn is_quiet(&self) -> bool {
        self.transport.is_quiet()
    }

    /// Says goodbye in TLS.
    pub fn close(mut self) {
        self.transport.close();
    }

    #[cold]
    fn closed(&self) -> Failure {
        Failure::unavailable(format!("{} closed the connection", self.endpoint))
    }

    /// Returns if the call is to be repeated.
    #[cold]
    fn wait_on(&mut self, error: io::Error) -> Result<(), Failure> {
        match error.kind() {
            ErrorKind::Interrupted => Ok(()),
            ErrorKind::WouldBlock | ErrorKind::TimedOut => self.wait_longer(),
            _ => Err(tls_failure(&error, &self.endpoint).unwrap_or_else(|| {
                Failure::from_io(&error).context(format!("connection to {} lost", self.endpoint))
            })),
        }
    }

    fn wait_longer(&mut self) -> Result<(), Failure> {
        self.waited += self.blocks_for;
        if self.limits.interrupt.is_raised() {
            return Err(Failure::timeout(format!("no answer from {} when the run ended", self.endpoint)));
        }
        let left = self.deadline.time_left();
        if left.is_some_and(|left| left.is_zero()) {
            return Err(Failure::timeout(format!("no answer from {} by the deadline", self.endpoint)));
        }
        let mut next = left.map_or(LOOK_AROUND, |left| left.min(LOOK_AROUND));
        if let Some(limit) = self.limits.silence {
            let rest = limit.saturating_sub(self.waited);
            if rest.is_zero() {
                let property = self.limits.silence_property;
                return Err(Failure::timeout(format!(
                    "no answer from {} within {limit:?} (see {property})",
                    self.endpoint
                )));
            }
            next = next.min(rest);
        }
        if next != self.blocks_for { self.block_for(next) } else { Ok(()) }
    }

    #[cold]
    fn block_for(&mut self, time: Duration) -> Result<(), Failure> {
        // The system takes no time-out of less than a microsecond.
        let time = time.max(Duration::from_millis(1));
        self.transport
            .set_timeout(time)
            .map_err(|error| Failure::from_io(&error).context(format!("{}: time-out", self.endpoint)))?;
        self.blocks_for = time;
        Ok(())
    }
}

/// Why there is no connection to an endpoint.
pub fn cannot_connect(error: &io::Error, endpoint: &Endpoint) -> Failure {
    let failure = match error.kind() {
        // The system's own limit for a connection.
        ErrorKind::TimedOut => Failure::timeout(error),
        _ => Failure::from_io(error),
    };
    // A name that does not resolve, a socket file that is absent.
    let other = failure.status() == status::ERROR;
    let failure = if other { Failure::unavailable(error) } else { failure };
    failure.context(format!("cannot connect to {endpoint}"))
}
