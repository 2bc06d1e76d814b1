//! Which record an operation works on.

use super::digest::Digest;
use super::inserts::Inserts;
use super::records::Records;
use super::request_distribution::RequestDistribution;
use crate::base::fnv::fnv64;
use crate::base::rng::StreamRng;
use crate::generator::{
    Exponential, Hotspot, Latest, LatestView, Scrambled, Sequential, Spread, Uniform, Zipfian,
};

/// Redraws before a record is taken evenly from those that exist. Reached only where expected inserts make
/// up nearly all of the range that YCSB draws from.
const MAX_REDRAWS: u32 = 100;

/// Chooses records; shared by the clients of a process.
///
/// Records are known by their place in [`Records::number_at`]'s order, which has no gaps.
#[derive(Debug)]
pub struct KeyChooser {
    shape: Shape,
    inserts: Inserts,
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
        KeyChooser { shape, inserts: Inserts::new(newest + 1) }
    }

    /// What a client draws with: a stream for its draws and another one for those that replace rejected ones.
    pub fn view(&self, draws: StreamRng, redraws: StreamRng) -> ChooserView {
        let latest = match &self.shape {
            Shape::Latest(latest) => Some(latest.view()),
            _ => None,
        };
        ChooserView { latest, draws, redraws, ahead: Default::default(), used: DRAWN_AHEAD }
    }

    /// The places that inserts take, and which of them can be read.
    pub fn inserts(&self) -> &Inserts {
        &self.inserts
    }

    /// Draws the place of a record that exists. The digest takes the draw before that is looked at.
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
        let place = self.settle(&mut view.latest, candidate);
        if self.inserts.exists(place) { place } else { self.redraw(view) }
    }

    #[inline(never)]
    fn draw_ahead(&self, view: &mut ChooserView) {
        let ChooserView { draws, ahead, used, .. } = view;
        self.fill(draws, ahead);
        *used = 0;
    }

    #[inline(always)]
    fn fill(&self, rng: &mut StreamRng, candidates: &mut [Candidate]) {
        match &self.shape {
            Shape::Uniform(uniform) => fill(candidates, || uniform.draw(rng) as u64, |drawn| drawn as i64),
            Shape::Hotspot(hotspot) => fill(candidates, || hotspot.draw(rng) as u64, |drawn| drawn as i64),
            Shape::Zipfian { start, scrambled } => {
                fill(candidates, || scrambled.draw_rank(rng), |rank| start + scrambled.item(rank) as i64);
            }
            Shape::TrueZipfian { start, ranks, spread } => {
                fill(candidates, || ranks.draw(rng), |rank| start + spread.item(rank) as i64);
            }
            Shape::Latest(_) => fill(candidates, || rng.next_f64().to_bits(), |_| 0),
            Shape::Exponential(exponential) => fill(candidates, || exponential.draw(rng).to_bits(), |_| 0),
            Shape::Sequential(sequence) => fill(candidates, || sequence.take() as u64, |drawn| drawn as i64),
        }
    }

    /// The place of a candidate, now that it is wanted.
    #[inline]
    fn settle(&self, view: &mut Option<LatestView>, candidate: Candidate) -> i64 {
        match (&self.shape, view) {
            (Shape::Latest(latest), Some(view)) => {
                let newest = self.inserts.newest();
                if newest < 1 {
                    return newest;
                }
                let u = f64::from_bits(candidate.drawn);
                let (distance, items) = latest.distance(view, newest as u64, u);
                items as i64 - distance as i64
            }
            // The cast keeps an infinite distance below all places.
            (Shape::Exponential(_), _) => self.inserts.newest() - f64::from_bits(candidate.drawn) as i64,
            _ => candidate.place,
        }
    }

    #[cold]
    fn redraw(&self, view: &mut ChooserView) -> i64 {
        let mut candidate = [Candidate::default()];
        for _ in 0..MAX_REDRAWS {
            self.fill(&mut view.redraws, &mut candidate);
            let place = self.settle(&mut view.latest, candidate[0]);
            if self.inserts.exists(place) {
                return place;
            }
        }
        let newest = self.inserts.newest().max(0);
        match &self.shape {
            // The skew stays, on other records.
            Shape::Zipfian { start, .. } => {
                start + (fnv64(candidate[0].drawn as i64) as u64 % (newest - start + 1).max(1) as u64) as i64
            }
            _ => view.redraws.below(newest as u64 + 1) as i64,
        }
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
            (0..300).for_each(|_| grown.inserts().ended(grown.inserts().take(), true));
            let ((few, few_digest), (many, many_digest)) = (draws(&before, 5000), draws(&grown, 5000));
            assert_eq!(few_digest, many_digest, "{distribution}");
            assert!(few.iter().all(|place| (0..100).contains(place)), "{distribution}");
            assert!(many.iter().all(|place| (0..400).contains(place)), "{distribution}");
            assert!(many.iter().any(|&place| place >= 350), "{distribution}");
        }
    }

    #[test]
    fn records_whose_insert_failed_are_not_drawn() {
        for distribution in ["zipfian", "latest", "exponential"] {
            let given =
                [("requestdistribution", distribution), ("recordcount", "100"), ("operationcount", "500")];
            let chooser = chooser(&given);
            for _ in 0..300 {
                let place = chooser.inserts().take();
                chooser.inserts().ended(place, place % 3 != 0);
            }
            let (places, _) = draws(&chooser, 20_000);
            assert!(places.iter().all(|&place| place < 100 || place % 3 != 0), "{distribution}");
            assert!(places.iter().any(|&place| place >= 350), "{distribution}");
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
}
