//! Connecting anew in the middle of a run.

use std::time::Duration;
use tokio::time::{Instant, sleep};
use ycsb_plugin_api::Failure;
use ycsb_plugin_api::abi::status;

const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// How long a lost connection is tried anew where no time-out is set.
const RECONNECT: Duration = Duration::from_secs(10);

/// For how long, and with which pauses, attempts are repeated while the server is down or starting.
///
/// A server that restarts would otherwise be met with thousands of refused operations in the second that it
/// needs, and a load would be through before it is back. The wait belongs to the operation that makes it.
pub(crate) struct Patience {
    limit: Duration,
    began: Instant,
    pause: Duration,
}

impl Patience {
    pub(crate) fn of(limit: Option<Duration>) -> Patience {
        Patience { limit: limit.unwrap_or(RECONNECT), began: Instant::now(), pause: FIRST_PAUSE }
    }

    /// Waits before the next attempt.
    ///
    /// # Errors
    /// The failure, if waiting cannot mend it or has gone on for long enough.
    pub(crate) async fn after(&mut self, failure: Failure) -> Result<(), Failure> {
        let may_pass = matches!(failure.status(), status::SERVICE_UNAVAILABLE | status::OVERLOADED);
        if !may_pass || self.began.elapsed() + self.pause >= self.limit {
            return Err(failure);
        }
        sleep(self.pause).await;
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        Ok(())
    }
}
