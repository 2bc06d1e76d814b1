//! A connection to one server: bytes out, answers in.

use crate::reply::{Extent, Malformed, Progress, Reply};
use ycsb_plugin_api::{Deadline, Failure};
use ycsb_plugin_common::{Link, Tls};

/// Enough for a record of YCSB's usual size, ten times.
const FIRST_BUFFER_BYTES: usize = 16 * 1024;

/// A connection to one server. After any failure it has to be dropped.
pub(crate) struct Connection {
    link: Link,
    buffer: Vec<u8>,
    /// Where the next answer starts.
    start: usize,
    /// Where what was received ends.
    end: usize,
}

impl Connection {
    pub(crate) fn over(link: Link) -> Connection {
        Connection { link, buffer: vec![0; FIRST_BUFFER_BYTES], start: 0, end: 0 }
    }

    pub(crate) fn start_tls(self, tls: &Tls) -> Result<Connection, Failure> {
        Ok(Connection { link: self.link.start_tls(tls)?, ..self })
    }

    /// Begins an operation with this deadline and sends its commands.
    #[inline]
    pub(crate) fn send(&mut self, commands: &[u8], deadline: Deadline) -> Result<(), Failure> {
        self.link.begin(deadline)?;
        self.link.write_all(commands)
    }

    /// Waits for the next answer.
    #[inline]
    pub(crate) fn receive(&mut self) -> Result<Reply<'_>, Failure> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        let mut extent = Extent::starting_at(self.start);
        loop {
            match extent.advance(&self.buffer[..self.end]) {
                Ok(Progress::Complete) => break,
                Ok(Progress::Needs(length)) => {
                    if self.end == self.buffer.len() {
                        extent.at -= self.start;
                        self.make_room(length);
                    }
                    self.end += self.link.read(&mut self.buffer[self.end..])?;
                }
                Err(Malformed) => return Err(self.no_redis()),
            }
        }
        let answer = self.start..extent.at;
        self.start = extent.at;
        Reply::of(&self.buffer[answer]).map_err(|Malformed| Failure::error("an answer cannot be read"))
    }

    /// Moves what was received to the front, and doubles the buffer if there is still no room for `length`.
    /// Never more than that at once: the length is what the other side claims.
    #[cold]
    fn make_room(&mut self, length: usize) {
        let length = length - self.start;
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if length > self.buffer.len() || self.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
    }

    #[cold]
    fn no_redis(&self) -> Failure {
        let endpoint = self.link.endpoint();
        Failure::error(format!("what answers at {endpoint} does not speak the protocol of Redis"))
    }

    pub(crate) fn close(self) {
        self.link.close();
    }
}
