//! One statement per item, many of them in a round trip.

use crate::Session;
use ycsb_plugin_api::Failure;
use ycsb_plugin_api::abi::status;

/// Statements that are sent before their answers are taken. A server that cannot get rid of its answers takes no
/// more statements, so there must not be more answers than the sockets hold.
const PIPELINE: usize = 100;

impl Session {
    /// Runs a statement per item, each a transaction of its own, and says how each ended: how many rows it
    /// changed. `queue` queues the statement of an item.
    pub fn one_by_one<T>(
        &mut self,
        items: &[T],
        mut queue: impl FnMut(&mut Session, &T) -> Result<(), Failure>,
        mut ended: impl FnMut(&T, Result<u64, Failure>),
    ) {
        for portion in items.chunks(PIPELINE) {
            let mut queued = Vec::with_capacity(portion.len());
            for item in portion {
                match queue(self, item) {
                    Ok(()) => queued.push(item),
                    Err(refused) => ended(item, Err(refused)),
                }
            }
            let sent = self.send();
            for item in queued {
                let answer = match &sent {
                    Ok(()) => self.take(|_| Ok(())),
                    Err(lost) => Err(again(lost)),
                };
                ended(item, answer);
            }
        }
    }
}

/// The same failure for another record.
pub fn again(failure: &Failure) -> Failure {
    match failure.status() {
        status::TIMEOUT => Failure::timeout(failure),
        status::OVERLOADED => Failure::overloaded(failure),
        status::FORBIDDEN => Failure::forbidden(failure),
        status::SERVICE_UNAVAILABLE => Failure::unavailable(failure),
        _ => Failure::error(failure),
    }
}
