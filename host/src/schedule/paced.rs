//! The timetable of one client.

use super::arrivals::{SharedArrivals, exponential};
use super::{Arrival, Pacing, Policy, Process};
use crate::base::rng::StreamRng;
use std::sync::Arc;

/// Arrivals that are overdue by less than this are never dropped: a thread that slept until its arrival wakes
/// up late by some tens of microseconds, and that is not a stall.
const NEVER_DROPPED_NS: f64 = 1e6;
/// Client `i`'s private arrivals are drawn from this stream plus `i`.
const RNG_STREAM_BASE: u64 = 1 << 62;

/// When an operation is due, and when it may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// Time from which its response time counts.
    pub due_ns: u64,
    /// Not to be sent before this; later than `due_ns` only where a backlog is spread.
    pub send_ns: u64,
}

/// What pacing did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Arrivals that were due before a client was free for them.
    pub late: u64,
    /// Arrivals that were left out (`throttle.policy=drop`).
    pub dropped: u64,
    /// Overdue arrivals that were held back (`throttle.policy=spread`).
    pub held_back: u64,
}

impl Tally {
    /// Adds another client's.
    pub fn add(&mut self, other: Tally) {
        self.late += other.late;
        self.dropped += other.dropped;
        self.held_back += other.held_back;
    }
}

/// The timetable of one client. Closed loops have none.
#[derive(Debug)]
pub struct Schedule {
    source: Source,
    policy: Policy,
    /// Mean distance of this client's operations.
    own_interval_ns: f64,
    last_send_ns: u64,
    tally: Tally,
}

#[derive(Debug)]
enum Source {
    /// Arrival k of client i of N is due at start + (k N + i) / rate.
    Even {
        start_ns: u64,
        index: u64,
        position: u64,
        clients: u64,
        interval_ns: f64,
    },
    Poisson {
        start_ns: u64,
        offset_ns: f64,
        rng: StreamRng,
    },
    Shared(Arc<SharedArrivals>),
}

impl Schedule {
    /// The timetable of client `index` of `clients`, or `None` for a closed loop.
    pub fn of_client(
        pacing: &Pacing,
        index: u64,
        clients: u64,
        seed: u64,
        shared: Option<&Arc<SharedArrivals>>,
    ) -> Option<Schedule> {
        if !pacing.is_paced() {
            return None;
        }
        let interval_ns = pacing.interval_ns();
        let source = match (pacing.arrival, pacing.process, shared) {
            (Arrival::Shared, _, Some(shared)) => Source::Shared(Arc::clone(shared)),
            (_, Process::Poisson, _) => Source::Poisson {
                start_ns: 0,
                offset_ns: 0.0,
                rng: StreamRng::new(seed, RNG_STREAM_BASE + index),
            },
            (_, Process::Even, _) => {
                Source::Even { start_ns: 0, index, position: index, clients, interval_ns }
            }
        };
        Some(Schedule {
            source,
            policy: pacing.policy,
            own_interval_ns: interval_ns * clients as f64,
            last_send_ns: 0,
            tally: Tally::default(),
        })
    }

    /// Sets the zero of the timetable: the time at which all clients are open.
    pub fn start(&mut self, at_ns: u64) {
        match &mut self.source {
            Source::Even { start_ns, index, position, .. } => {
                *start_ns = at_ns;
                *position = *index;
            }
            Source::Poisson { start_ns, offset_ns, rng } => {
                *start_ns = at_ns;
                *offset_ns = exponential(rng, self.own_interval_ns);
            }
            // Started once, by whoever opens the gate.
            Source::Shared(_) => {}
        }
    }

    /// Takes the client's next arrival. `now_ns` is when the client became free.
    pub fn take(&mut self, now_ns: u64) -> Due {
        let not_before_ns = match self.policy {
            Policy::Drop => now_ns.saturating_sub(self.own_interval_ns.max(NEVER_DROPPED_NS) as u64),
            Policy::CatchUp | Policy::Spread => 0,
        };
        let due_ns = self.next_due(not_before_ns);
        let mut send_ns = due_ns;
        self.tally.late += u64::from(due_ns < now_ns);
        if self.policy == Policy::Spread && due_ns <= now_ns {
            let earliest_ns = self.last_send_ns + (self.own_interval_ns / 2.0) as u64;
            if earliest_ns > now_ns {
                self.tally.held_back += 1;
                send_ns = earliest_ns;
            }
        }
        self.last_send_ns = send_ns.max(now_ns);
        Due { due_ns, send_ns }
    }

    fn next_due(&mut self, not_before_ns: u64) -> u64 {
        match &mut self.source {
            Source::Even { start_ns, position, clients, interval_ns, .. } => {
                let mut due_ns = *start_ns + (*position as f64 * *interval_ns) as u64;
                if due_ns < not_before_ns {
                    let own_interval_ns = *clients as f64 * *interval_ns;
                    let skipped = ((not_before_ns - due_ns) as f64 / own_interval_ns).ceil() as u64;
                    self.tally.dropped += skipped;
                    *position += skipped * *clients;
                    due_ns = *start_ns + (*position as f64 * *interval_ns) as u64;
                }
                *position += *clients;
                due_ns
            }
            Source::Poisson { start_ns, offset_ns, rng } => loop {
                let due_ns = *start_ns + *offset_ns as u64;
                *offset_ns += exponential(rng, self.own_interval_ns);
                if due_ns >= not_before_ns {
                    return due_ns;
                }
                self.tally.dropped += 1;
            },
            Source::Shared(arrivals) => {
                let (due_ns, dropped) = arrivals.take(not_before_ns);
                self.tally.dropped += dropped;
                due_ns
            }
        }
    }

    /// What pacing did so far.
    pub fn tally(&self) -> Tally {
        self.tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pacing(rate_per_sec: f64, process: Process, policy: Policy) -> Pacing {
        Pacing { rate_per_sec, arrival: Arrival::Client, process, policy }
    }

    fn client(pacing: &Pacing, index: u64, clients: u64) -> Schedule {
        let mut schedule = Schedule::of_client(pacing, index, clients, 1, None).unwrap();
        schedule.start(1_000);
        schedule
    }

    #[test]
    fn client_i_of_n_is_due_at_k_times_n_plus_i_intervals() {
        let even = pacing(1000.0, Process::Even, Policy::CatchUp);
        let mut third = client(&even, 2, 4);
        let due: Vec<_> = (0..3).map(|_| third.take(0).due_ns).collect();
        assert_eq!(due, [2_001_000, 6_001_000, 10_001_000]);
    }

    #[test]
    fn a_tenth_of_an_operation_per_second_is_due_every_ten_seconds() {
        let mut slow = client(&pacing(0.1, Process::Even, Policy::CatchUp), 0, 1);
        assert_eq!((slow.take(0).due_ns, slow.take(0).due_ns), (1_000, 10_000_001_000));
    }

    #[test]
    fn catching_up_sends_everything_that_is_overdue_at_once() {
        let mut schedule = client(&pacing(1000.0, Process::Even, Policy::CatchUp), 0, 1);
        let after_stall_ns = 1_000 + 5_500_000;
        let sent: Vec<_> =
            (0..7).map(|_| schedule.take(after_stall_ns).send_ns.max(after_stall_ns)).collect();
        assert_eq!(sent[..6], [after_stall_ns; 6]);
        assert_eq!(sent[6], 6_001_000);
        assert_eq!(schedule.tally(), Tally { late: 6, dropped: 0, held_back: 0 });
    }

    #[test]
    fn spreading_sends_what_is_overdue_at_twice_the_rate() {
        let mut schedule = client(&pacing(1000.0, Process::Even, Policy::Spread), 0, 1);
        let mut now_ns = 1_000 + 4_000_000;
        let mut sent = Vec::new();
        for _ in 0..8 {
            let due = schedule.take(now_ns);
            now_ns = now_ns.max(due.send_ns);
            sent.push((now_ns - 1_000) / 1_000);
        }
        assert_eq!(sent, [4_000, 4_500, 5_000, 5_500, 6_000, 6_500, 7_000, 7_500].map(|us: u64| us));
        assert_eq!(schedule.tally().held_back, 7);
    }

    #[test]
    fn dropping_leaves_out_and_counts_what_is_overdue_by_more_than_an_interval() {
        let mut schedule = client(&pacing(100.0, Process::Even, Policy::Drop), 0, 1);
        assert_eq!(schedule.take(1_000).due_ns, 1_000);
        // 65 ms later: due at 10, 20, ... 50 ms are more than 10 ms overdue, 60 ms is not.
        assert_eq!(schedule.take(65_001_000).due_ns, 60_001_000);
        assert_eq!(schedule.tally(), Tally { late: 1, dropped: 5, held_back: 0 });
        assert_eq!(schedule.take(65_001_000).due_ns, 70_001_000);
    }

    /// Mean of n exponential distances: standard error mean / sqrt(n). Six of them are exceeded with
    /// probability 2e-9. The share of distances below the mean is 1 - 1/e.
    #[test]
    fn poisson_arrivals_have_exponential_distances() {
        let n = 200_000;
        let poisson = pacing(10_000.0, Process::Poisson, Policy::CatchUp);
        let shared = Arc::new(SharedArrivals::new(&Pacing { arrival: Arrival::Shared, ..poisson }, 7));
        shared.start(0);
        let open = Pacing { arrival: Arrival::Shared, ..poisson };
        let of_all = Schedule::of_client(&open, 0, 8, 7, Some(&shared)).unwrap();
        for (mut schedule, mean_ns) in [(client(&poisson, 3, 8), 800_000.0), (of_all, 100_000.0)] {
            let due: Vec<_> = (0..=n).map(|_| schedule.take(0).due_ns).collect();
            let distances: Vec<_> = due.windows(2).map(|pair| (pair[1] - pair[0]) as f64).collect();
            let mean = distances.iter().sum::<f64>() / n as f64;
            let standard_error = mean_ns / (n as f64).sqrt();
            assert!((mean - mean_ns).abs() < 6.0 * standard_error, "{mean}");
            let below = distances.iter().filter(|d| **d < mean_ns).count() as f64 / n as f64;
            let expected = 1.0 - (-1.0f64).exp();
            let standard_error = (expected * (1.0 - expected) / n as f64).sqrt();
            assert!((below - expected).abs() < 6.0 * standard_error, "{below}");
        }
    }

    #[test]
    fn shared_arrivals_are_each_given_out_once_in_order() {
        let open = Pacing { arrival: Arrival::Shared, ..pacing(1000.0, Process::Even, Policy::CatchUp) };
        let shared = Arc::new(SharedArrivals::new(&open, 1));
        shared.start(500);
        let mut clients: Vec<_> =
            (0..3).map(|i| Schedule::of_client(&open, i, 3, 1, Some(&shared)).unwrap()).collect();
        let due: Vec<_> = [2, 0, 0, 1].map(|i| clients[i].take(0).due_ns).into();
        assert_eq!(due, [500, 1_000_500, 2_000_500, 3_000_500]);
    }
}
