//! The binding `goodbadugly`: a simulator of latencies that keeps nothing.

use crate::delay::Delays;
use crate::echo::CAPABILITIES;
use crate::random::Random;
use crate::settings;
use std::sync::Arc;
use std::time::Duration;
use ycsb_plugin_api::{
    Alias, Answer, Binding, Client, Deadline, Delete, Done, Env, Failure, Host, Info, Opened, Read, Rows,
    Scan, Session, Settings, Write,
};

/// The binding `goodbadugly`.
pub struct GoodBadUgly(Arc<Shared>);

struct Shared {
    host: Host,
    /// Borders of the four classes, in microseconds.
    borders_us: [u64; 5],
    delays: Delays,
}

/// One client of `goodbadugly`.
pub struct GoodBadUglySession {
    shared: Arc<Shared>,
    random: Random,
}

impl Binding for GoodBadUgly {
    const INFO: Info = Info::new("goodbadugly")
        .summary("Takes time like a database with good, bad and ugly moments, and keeps nothing")
        .aliases(&[Alias::new("site.ycsb.GoodBadUglyDB")])
        .capabilities(CAPABILITIES)
        .properties(settings::DELAYS);
    type Session = GoodBadUglySession;

    fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<GoodBadUgly>, Failure> {
        let borders_us = settings::delays(settings)?;
        let shared = Shared { host: env.host(), borders_us, delays: Delays::default() };
        let detail = format!("nothing: operations take {} to {} us", borders_us[0], borders_us[4]);
        Ok(Opened::new(GoodBadUgly(Arc::new(shared))).detail(detail))
    }

    fn session(&self, client: &Client<'_>) -> Result<GoodBadUglySession, Failure> {
        Ok(GoodBadUglySession { shared: Arc::clone(&self.0), random: Random::of_client(client.index()) })
    }

    fn interrupt(&self) {
        self.0.delays.interrupt();
    }
}

/// The class that a number below 10,000 draws: 90 %, 9 %, 0.99 %, 0.01 %.
fn class_of(draw: u64) -> usize {
    match draw {
        0..9_000 => 0,
        9_000..9_900 => 1,
        9_900..9_999 => 2,
        _ => 3,
    }
}

impl GoodBadUglySession {
    fn take_time(&mut self, deadline: Deadline) -> Answer {
        let class = class_of(self.random.below(10_000));
        let (from_us, to_us) = (self.shared.borders_us[class], self.shared.borders_us[class + 1]);
        let time = Duration::from_micros(from_us + self.random.below(to_us - from_us));
        if class == 3 {
            self.shared.host.echo("OUCH\n");
            self.shared.delays.take_alone(time, deadline)?;
        } else {
            self.shared.delays.take_together(time, deadline)?;
        }
        Ok(Done::OK)
    }
}

impl Session for GoodBadUglySession {
    fn read(&mut self, op: Read<'_>, _: &mut Rows<'_>) -> Answer {
        self.take_time(op.deadline())
    }

    fn scan(&mut self, op: Scan<'_>, _: &mut Rows<'_>) -> Answer {
        self.take_time(op.deadline())
    }

    fn update(&mut self, op: Write<'_>) -> Answer {
        self.take_time(op.deadline())
    }

    fn insert(&mut self, op: Write<'_>) -> Answer {
        self.take_time(op.deadline())
    }

    fn delete(&mut self, op: Delete<'_>) -> Answer {
        self.take_time(op.deadline())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_classes_are_as_likely_as_they_should_be() {
        let mut counts = [0_u32; 4];
        (0..10_000).for_each(|draw| counts[class_of(draw)] += 1);
        assert_eq!(counts, [9_000, 900, 99, 1]);
    }

    #[test]
    fn draws_reach_every_number_below_the_bound_and_no_other() {
        let mut random = Random::seeded(7);
        let mut seen = [false; 10];
        // Each number is missed with a probability of 0.9^1000.
        (0..1000).for_each(|_| seen[random.below(10) as usize] = true);
        assert_eq!(seen, [true; 10]);
    }
}
