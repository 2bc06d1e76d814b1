//! Which record an operation works on.

use super::digest::Digest;
use super::records::{Records, refused};
use crate::base::fnv::fnv64;
use crate::base::rng::StreamRng;
use crate::config::{ConfigError, Declaration, Settings};
use crate::generator::{
    AcknowledgedCounter, Exponential, Hotspot, Latest, LatestView, Scrambled, Sequential, Spread, Uniform,
    Zipfian,
};

/// Distribution of the records that operations work on.
pub const REQUESTDISTRIBUTION: Declaration = Declaration::one_of(
    "requestdistribution",
    "uniform|sequential|zipfian|latest|hotspot|exponential|true_zipfian",
)
.default("uniform")
.run_only()
.help(
    "Which records operations choose. zipfian is YCSB's: hot records scattered by a hash, with a skew that is \
     the same for any number of records and weaker than its name (3.9 % on the hottest of 1,000). true_zipfian \
     is a zipfian over the loaded records (12.9 % on the hottest of 1,000), with zipfian.constant for its skew.",
);
/// Hot part of the records.
pub const HOTSPOTDATAFRACTION: Declaration = Declaration::number("hotspotdatafraction")
    .default("0.2")
    .range("0..1")
    .run_only()
    .help("Fraction of the records that are hot, with requestdistribution=hotspot.");
/// Share of operations on the hot part.
pub const HOTSPOTOPNFRACTION: Declaration = Declaration::number("hotspotopnfraction")
    .default("0.8")
    .range("0..1")
    .run_only()
    .help("Fraction of the operations that work on hot records, with requestdistribution=hotspot.");
/// Percentile of the exponential distribution.
pub const EXPONENTIAL_PERCENTILE: Declaration = Declaration::number("exponential.percentile")
    .default("95")
    .range("0..100")
    .run_only()
    .help("Percentage of operations on the newest exponential.frac of the records, with requestdistribution=exponential.");
/// Part of the records that the percentile refers to.
pub const EXPONENTIAL_FRAC: Declaration =
    Declaration::number("exponential.frac").default("0.8571428571").range("0..").run_only().help(
        "Fraction of the records, the newest, that gets exponential.percentile percent of the operations.",
    );
/// Skew of the true zipfian.
pub const ZIPFIAN_CONSTANT: Declaration = Declaration::number("zipfian.constant")
    .default("0.99")
    .range("0.01..0.9999")
    .run_only()
    .help("Skew of requestdistribution=true_zipfian: the share of the i-th hottest record is proportional to i to the minus this.");

/// Redraws before a record is taken evenly from those that exist. Reached only where expected inserts make
/// up nearly all of the range that YCSB draws from.
const MAX_REDRAWS: u32 = 100;

/// A distribution with its parameters, before the records are known for certain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RequestDistribution {
    /// All loaded records alike.
    Uniform,
    /// One after the other, over all clients.
    Sequential,
    /// YCSB's scrambled zipfian, over the loaded records and as many more as inserts are expected, and one.
    Zipfian {
        /// Expected inserts.
        expected_inserts: u64,
    },
    /// Near the newest record.
    Latest,
    /// A hot part at the start.
    Hotspot {
        /// Part of the records.
        data_fraction: f64,
        /// Part of the operations.
        operation_fraction: f64,
    },
    /// Near the newest record, exponentially.
    Exponential {
        /// Percentage below the fraction.
        percentile: f64,
        /// Fraction of the records.
        fraction: f64,
    },
    /// A zipfian over the loaded records, spread by a permutation.
    TrueZipfian {
        /// The skew.
        theta: f64,
    },
}

impl RequestDistribution {
    /// Reads the distribution; `insert_proportion` as given, not normalised.
    ///
    /// # Errors
    /// An unknown distribution, a parameter out of range, a skew for a distribution that has none.
    pub fn from_settings(
        settings: &Settings,
        operations: Option<u64>,
        insert_proportion: f64,
    ) -> Result<Self, ConfigError> {
        let name = settings.one_of(&REQUESTDISTRIBUTION)?;
        if name != "true_zipfian" && settings.is_given(&ZIPFIAN_CONSTANT) {
            let reason = format!(
                "has no effect with requestdistribution={name}; choose requestdistribution=true_zipfian \
                 (YCSB's zipfian has a fixed skew of 0.99)"
            );
            return Err(refused(settings, &ZIPFIAN_CONSTANT, &reason));
        }
        Ok(match name {
            "sequential" => RequestDistribution::Sequential,
            "zipfian" => {
                let expected = operations.unwrap_or(0) as f64 * insert_proportion * 2.0;
                RequestDistribution::Zipfian { expected_inserts: expected.min(f64::from(i32::MAX)) as u64 }
            }
            "latest" => RequestDistribution::Latest,
            "hotspot" => RequestDistribution::Hotspot {
                data_fraction: settings.number(&HOTSPOTDATAFRACTION)?,
                operation_fraction: settings.number(&HOTSPOTOPNFRACTION)?,
            },
            "exponential" => RequestDistribution::Exponential {
                percentile: strictly_between(settings, &EXPONENTIAL_PERCENTILE, 100.0)?,
                fraction: strictly_between(settings, &EXPONENTIAL_FRAC, f64::INFINITY)?,
            },
            "true_zipfian" => RequestDistribution::TrueZipfian { theta: settings.number(&ZIPFIAN_CONSTANT)? },
            _ => RequestDistribution::Uniform,
        })
    }
}

fn strictly_between(settings: &Settings, declaration: &Declaration, high: f64) -> Result<f64, ConfigError> {
    let number = settings.number(declaration)?;
    if number > 0.0 && number < high {
        return Ok(number);
    }
    let reason = if high.is_finite() {
        format!("must be above 0 and below {high}")
    } else {
        "must be above 0".to_owned()
    };
    Err(refused(settings, declaration, &reason))
}

/// Chooses records; shared by the clients of a process.
///
/// Records are known by their place in [`Records::number_at`]'s order, which has no gaps.
#[derive(Debug)]
pub struct KeyChooser {
    shape: Shape,
    inserts: AcknowledgedCounter,
}

#[derive(Debug)]
enum Shape {
    Uniform(Uniform),
    Sequential(Sequential),
    Zipfian { start: i64, scrambled: Scrambled },
    Latest(Latest),
    Hotspot(Hotspot),
    Exponential(Exponential),
    TrueZipfian { start: i64, ranks: Zipfian, spread: Spread },
}

/// A draw before it is known whether its record exists.
#[derive(Clone, Copy, Debug, Default)]
struct Candidate {
    /// What the digest takes.
    drawn: u64,
    /// Place of the record, where it does not depend on the newest one.
    place: i64,
}

/// Candidates that a client draws at once: while one is worked out the processor begins the next.
const DRAWN_AHEAD: usize = 16;

/// What a client keeps for its own draws.
#[derive(Clone, Debug)]
pub struct ChooserView {
    latest: Option<LatestView>,
    draws: StreamRng,
    /// Draws that replace rejected ones come from here, so that timing never changes the draws that follow.
    redraws: StreamRng,
    ahead: [Candidate; DRAWN_AHEAD],
    /// Candidates that were used; all of them at the start.
    used: usize,
}

impl KeyChooser {
    /// For records of which all up to the place `newest` exist.
    pub fn new(distribution: RequestDistribution, records: &Records, newest: i64) -> Self {
        let (start, last) = (records.start, records.start + records.chosen - 1);
        let chosen = records.chosen as u64;
        let shape = match distribution {
            RequestDistribution::Uniform => Shape::Uniform(Uniform::new(start, last)),
            RequestDistribution::Sequential => Shape::Sequential(Sequential::new(start, chosen)),
            RequestDistribution::Zipfian { expected_inserts } => {
                Shape::Zipfian { start, scrambled: Scrambled::new(chosen + expected_inserts + 1) }
            }
            RequestDistribution::Latest => Shape::Latest(Latest::new(newest.max(1) as u64)),
            RequestDistribution::Hotspot { data_fraction, operation_fraction } => {
                Shape::Hotspot(Hotspot::new(start, last, data_fraction, operation_fraction))
            }
            RequestDistribution::Exponential { percentile, fraction } => {
                Shape::Exponential(Exponential::new(percentile, records.count as f64 * fraction))
            }
            RequestDistribution::TrueZipfian { theta } => {
                Shape::TrueZipfian { start, ranks: Zipfian::new(chosen, theta), spread: Spread::new(chosen) }
            }
        };
        KeyChooser { shape, inserts: AcknowledgedCounter::new(newest + 1) }
    }

    /// What a client draws with: a stream for its draws and another one for those that replace rejected ones.
    pub fn view(&self, draws: StreamRng, redraws: StreamRng) -> ChooserView {
        let latest = match &self.shape {
            Shape::Latest(latest) => Some(latest.view()),
            _ => None,
        };
        ChooserView { latest, draws, redraws, ahead: Default::default(), used: DRAWN_AHEAD }
    }

    /// The places that inserts take, and which of them are acknowledged.
    pub fn inserts(&self) -> &AcknowledgedCounter {
        &self.inserts
    }

    /// Draws the place of an acknowledged record. The digest takes the draw before that is looked at.
    #[inline]
    pub fn draw(&self, view: &mut ChooserView, digest: &mut Digest) -> i64 {
        if let Shape::Sequential(sequence) = &self.shape {
            return sequence.take();
        }
        if view.used == DRAWN_AHEAD {
            self.draw_ahead(view);
        }
        let candidate = view.ahead[view.used];
        view.used += 1;
        digest.add(candidate.drawn);
        match &self.shape {
            Shape::Zipfian { start, scrambled } if candidate.place > self.inserts.acknowledged() => {
                self.redraw_zipfian(view, *start, scrambled)
            }
            Shape::Latest(latest) => self.settle_latest(view, latest, f64::from_bits(candidate.drawn)),
            Shape::Exponential(exponential) => {
                self.settle_exponential(view, exponential, f64::from_bits(candidate.drawn))
            }
            _ => candidate.place,
        }
    }

    #[inline(never)]
    fn draw_ahead(&self, view: &mut ChooserView) {
        let ChooserView { draws: rng, ahead, used, .. } = view;
        *used = 0;
        match &self.shape {
            Shape::Uniform(uniform) => fill(ahead, || uniform.draw(rng) as u64, |drawn| drawn as i64),
            Shape::Hotspot(hotspot) => fill(ahead, || hotspot.draw(rng) as u64, |drawn| drawn as i64),
            Shape::Zipfian { start, scrambled } => {
                fill(ahead, || scrambled.draw_rank(rng), |rank| start + scrambled.item(rank) as i64);
            }
            Shape::TrueZipfian { start, ranks, spread } => {
                fill(ahead, || ranks.draw(rng), |rank| start + spread.item(rank) as i64);
            }
            Shape::Latest(_) => fill(ahead, || rng.next_f64().to_bits(), |_| 0),
            Shape::Exponential(exponential) => fill(ahead, || exponential.draw(rng).to_bits(), |_| 0),
            Shape::Sequential(_) => {}
        }
    }

    fn redraw_zipfian(&self, view: &mut ChooserView, start: i64, scrambled: &Scrambled) -> i64 {
        let newest = self.inserts.acknowledged();
        let mut rank = 0;
        for _ in 0..MAX_REDRAWS {
            rank = scrambled.draw_rank(&mut view.redraws);
            let place = start + scrambled.item(rank) as i64;
            if place <= newest {
                return place;
            }
        }
        start + (fnv64(rank as i64) as u64 % (newest - start + 1).max(1) as u64) as i64
    }

    fn settle_latest(&self, view: &mut ChooserView, latest: &Latest, u: f64) -> i64 {
        let newest = self.inserts.acknowledged();
        match &mut view.latest {
            Some(view) if newest > 0 => {
                let (distance, items) = latest.distance(view, newest as u64, u);
                items as i64 - distance as i64
            }
            _ => newest.max(0),
        }
    }

    fn settle_exponential(&self, view: &mut ChooserView, exponential: &Exponential, distance: f64) -> i64 {
        let newest = self.inserts.acknowledged();
        let mut distance = distance;
        for _ in 0..MAX_REDRAWS {
            if distance < newest as f64 + 1.0 {
                return newest - distance as i64;
            }
            distance = exponential.draw(&mut view.redraws);
        }
        view.redraws.below((newest + 1) as u64) as i64
    }
}

/// In two passes, so that neither waits for the other.
#[inline(always)]
fn fill(ahead: &mut [Candidate], mut draw: impl FnMut() -> u64, place: impl Fn(u64) -> i64) {
    ahead.iter_mut().for_each(|candidate| candidate.drawn = draw());
    ahead.iter_mut().for_each(|candidate| candidate.place = place(candidate.drawn));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::Phase;
    use crate::workload::testing::settings;

    fn chooser(given: &[(&str, &str)]) -> KeyChooser {
        let settings = settings(given);
        let records = Records::from_settings(&settings, Phase::Run).expect("records");
        let distribution =
            RequestDistribution::from_settings(&settings, records.operations, 0.5).expect("a distribution");
        KeyChooser::new(distribution, &records, records.first_run_insert - 1)
    }

    fn draws(chooser: &KeyChooser, count: usize) -> (Vec<i64>, Digest) {
        let mut digest = Digest::default();
        let mut view = chooser.view(StreamRng::new(1, 0), StreamRng::new(1, 1));
        let places = (0..count).map(|_| chooser.draw(&mut view, &mut digest)).collect();
        (places, digest)
    }

    #[test]
    fn only_acknowledged_records_are_drawn_and_the_digest_does_not_see_it() {
        for distribution in ["zipfian", "latest", "exponential"] {
            let given =
                [("requestdistribution", distribution), ("recordcount", "100"), ("operationcount", "500")];
            let (before, grown) = (chooser(&given), chooser(&given));
            (0..300).for_each(|_| grown.inserts().acknowledge(grown.inserts().take()));
            let ((few, few_digest), (many, many_digest)) = (draws(&before, 5000), draws(&grown, 5000));
            assert_eq!(few_digest, many_digest, "{distribution}");
            assert!(few.iter().all(|place| (0..100).contains(place)), "{distribution}");
            assert!(many.iter().all(|place| (0..400).contains(place)), "{distribution}");
            assert!(many.iter().any(|&place| place >= 350), "{distribution}");
        }
    }

    #[test]
    fn a_range_that_is_nearly_all_expected_inserts_still_draws() {
        let given =
            [("requestdistribution", "zipfian"), ("recordcount", "3"), ("operationcount", "1000000000")];
        let (places, _) = draws(&chooser(&given), 1000);
        assert!((0..3).all(|record| places.contains(&record)));
    }

    #[test]
    fn a_single_record_can_be_drawn_by_every_distribution() {
        for distribution in
            ["uniform", "sequential", "zipfian", "latest", "hotspot", "exponential", "true_zipfian"]
        {
            let given = [("requestdistribution", distribution), ("recordcount", "1")];
            assert!(draws(&chooser(&given), 1000).0.iter().all(|&place| place == 0), "{distribution}");
        }
    }

    #[test]
    fn a_true_zipfian_gives_the_hottest_record_its_share() {
        let given = [("requestdistribution", "true_zipfian"), ("recordcount", "1000")];
        let (places, _) = draws(&chooser(&given), 1_000_000);
        let mut counts = vec![0u32; 1000];
        places.iter().for_each(|&place| counts[place as usize] += 1);
        // 1 / zeta(1000) = 0.129384, standard error 0.00034: five of them are missed with a probability of 6e-7.
        let hottest = f64::from(counts[0]) / 1e6;
        assert!((hottest - 0.129384).abs() < 0.0017, "{hottest}");
        assert_eq!(counts.iter().max(), Some(&counts[0]));
    }

    #[test]
    fn parameters_that_make_no_distribution_are_refused() {
        for (given, part) in [
            ([("requestdistribution", "zipfain"), ("recordcount", "1")], "did you mean \"zipfian\""),
            ([("requestdistribution", "hotspot"), ("hotspotopnfraction", "1.5")], "between 0 and 1"),
            ([("requestdistribution", "exponential"), ("exponential.percentile", "100")], "below 100"),
            ([("requestdistribution", "exponential"), ("exponential.frac", "0")], "above 0"),
            ([("requestdistribution", "zipfian"), ("zipfian.constant", "0.5")], "true_zipfian"),
        ] {
            let refusal =
                RequestDistribution::from_settings(&settings(&given), None, 0.0).expect_err("a refusal");
            assert!(refusal.0.contains(part), "{refusal}");
        }
    }
}
