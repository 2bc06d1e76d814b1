//! Skewed towards the newest item, while new items keep coming.

use super::zeta::{zeta, zeta_grown};
use super::zipfian::{Constants, THETA};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering, fence};

/// Distances from the newest item: zipfian over as many items as there are.
///
/// The arithmetic is YCSB's (tests/golden/latest_after_growth.csv). When items are added, zeta follows but
/// the slope is computed with the number of items at the start, so that a growing range departs a little from a
/// zipfian; the item 0 is as good as never drawn. Shared by all clients without locks: whoever first sees a
/// larger range extends zeta, the others draw from the range that was published last.
#[derive(Debug)]
pub struct Latest {
    /// Number of items at the start.
    items: u64,
    /// Constants but for those that grow.
    start: Constants,
    /// 1 - (2 / items)^(1 - theta) with the number of items at the start.
    slope: f64,
    published: Published,
    extending: AtomicBool,
}

/// Number of items and its zeta, read together: an odd version means that they are being written.
#[derive(Debug, Default)]
struct Published {
    version: AtomicU64,
    items: AtomicU64,
    zeta_bits: AtomicU64,
}

/// A client's copy of what was published, with the slope that follows from it.
#[derive(Clone, Debug)]
pub struct LatestView {
    items: u64,
    constants: Constants,
}

impl Latest {
    /// For `items` items, at least one.
    pub fn new(items: u64) -> Self {
        assert!(items > 0, "latest over no items");
        let start = Constants::new(items, THETA, zeta(items, THETA));
        let published = Published::default();
        published.write(items, start.zeta_n);
        Latest {
            items,
            start,
            slope: 1.0 - (2.0 / items as f64).powf(1.0 - THETA),
            published,
            extending: AtomicBool::new(false),
        }
    }

    /// The view from which a client starts.
    pub fn view(&self) -> LatestView {
        let (items, zeta_n) = self.published.read().unwrap_or((self.items, self.start.zeta_n));
        self.view_of(items, zeta_n)
    }

    /// The distance from the newest item for `u` in [0, 1), where `items` is how many there are now. Answers with
    /// the number of items that it was drawn for, too: less than `items` while another client extends zeta.
    #[inline]
    pub fn distance(&self, view: &mut LatestView, items: u64, u: f64) -> (u64, u64) {
        if items != view.items {
            self.follow(view, items);
        }
        (view.constants.rank(view.items, u), view.items)
    }

    fn follow(&self, view: &mut LatestView, items: u64) {
        // Nobody waits: a client that meets a publication in the making draws from the range that it knows.
        let Some((mut known, mut zeta_n)) = self.published.read() else { return };
        if known < items && !self.extending.swap(true, Ordering::Acquire) {
            if let Some(now) = self.published.read() {
                (known, zeta_n) = now;
            }
            if known < items {
                zeta_n = zeta_grown(known, zeta_n, items, THETA);
                known = items;
                self.published.write(known, zeta_n);
            }
            self.extending.store(false, Ordering::Release);
        }
        *view = self.view_of(known.min(items), zeta_n);
    }

    fn view_of(&self, items: u64, zeta_n: f64) -> LatestView {
        let mut constants = self.start;
        if zeta_n != self.start.zeta_n {
            constants.zeta_n = zeta_n;
            constants.eta = self.slope / (1.0 - self.start.zeta_2 / zeta_n);
        }
        LatestView { items, constants }
    }
}

impl LatestView {
    /// The constants for the present number of items.
    pub fn constants(&self) -> &Constants {
        &self.constants
    }
}

impl Published {
    /// `None` while they are being written.
    fn read(&self) -> Option<(u64, f64)> {
        let before = self.version.load(Ordering::Acquire);
        let items = self.items.load(Ordering::Relaxed);
        let zeta_bits = self.zeta_bits.load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        let whole = before.is_multiple_of(2) && self.version.load(Ordering::Relaxed) == before;
        whole.then(|| (items, f64::from_bits(zeta_bits)))
    }

    /// Only one thread writes at a time.
    fn write(&self, items: u64, zeta_n: f64) {
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version + 1, Ordering::Relaxed);
        fence(Ordering::Release);
        self.items.store(items, Ordering::Relaxed);
        self.zeta_bits.store(zeta_n.to_bits(), Ordering::Relaxed);
        self.version.store(version + 2, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_that_follow_the_same_growth_draw_the_same() {
        let latest = Latest::new(999);
        let (mut first, mut second) = (latest.view(), latest.view());
        for items in [999, 1000, 1500, 1999] {
            for u in [0.01, 0.2, 0.5, 0.9, 0.999_999] {
                let drawn = latest.distance(&mut first, items, u);
                assert_eq!(drawn, latest.distance(&mut second, items, u));
                assert_eq!(drawn.1, items);
                assert!(drawn.0 < items);
            }
        }
    }

    #[test]
    fn a_client_that_lags_keeps_within_the_smaller_range() {
        let latest = Latest::new(10);
        let (mut ahead, mut behind) = (latest.view(), latest.view());
        latest.distance(&mut ahead, 1000, 0.5);
        for step in 0..1000 {
            let (distance, items) = latest.distance(&mut behind, 12, f64::from(step) / 1000.0);
            assert_eq!(items, 12);
            assert!(distance < 12);
        }
    }

    #[test]
    fn readers_never_see_half_of_a_publication() {
        let published = Published::default();
        std::thread::scope(|scope| {
            scope.spawn(|| (0..100_000).for_each(|items| published.write(items, items as f64)));
            for _ in 0..2 {
                scope.spawn(|| {
                    for (items, zeta_n) in (0..100_000).filter_map(|_| published.read()) {
                        assert_eq!(items as f64, zeta_n);
                    }
                });
            }
        });
        assert_eq!(published.read(), Some((99_999, 99_999.0)));
    }
}
