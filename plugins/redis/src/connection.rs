//! A connection to one server: bytes out, answers in.

use crate::link::Link;
use crate::reply::{Extent, Malformed, Progress, Reply};
use ycsb_plugin_api::Failure;

/// Enough for a record of YCSB's usual size, three times; it grows with what comes.
const FIRST_BUFFER_BYTES: usize = 4 * 1024;

/// A connection to one server. After any failure it has to be dropped.
pub(crate) struct Connection {
    link: Link,
    buffer: Vec<u8>,
    /// Where the next answer starts.
    start: usize,
    /// Where what was received ends.
    end: usize,
    /// Answers that are still to come.
    owed: usize,
}

impl Connection {
    pub(crate) fn over(link: Link) -> Connection {
        Connection { link, buffer: vec![0; FIRST_BUFFER_BYTES], start: 0, end: 0, owed: 0 }
    }

    /// Whether an operation was dropped before all its answers had come, so that the next answer would not be
    /// the next operation's.
    pub(crate) fn is_behind(&self) -> bool {
        self.owed > 0
    }

    /// Sends commands, each of which will have an answer.
    #[inline]
    pub(crate) async fn send(&mut self, bytes: &[u8], commands: usize) -> Result<(), Failure> {
        self.owed += commands;
        self.link.write_all(bytes).await
    }

    /// Waits for the next answer.
    #[inline]
    pub(crate) async fn receive(&mut self) -> Result<Reply<'_>, Failure> {
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
                    self.end += self.link.read(&mut self.buffer[self.end..]).await?;
                }
                Err(Malformed) => return Err(self.no_redis()),
            }
        }
        let answer = self.start..extent.at;
        self.start = extent.at;
        self.owed = self.owed.saturating_sub(1);
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

    pub(crate) async fn close(self) {
        self.link.close().await;
    }
}
