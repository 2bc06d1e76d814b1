//! A list that one thread extends while others read it: nothing moves, nothing is locked.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

const LEVELS: usize = 40;

/// A chunk of slots, allocated when its first slot is needed.
type Chunk<T> = OnceLock<Box<[T]>>;
/// The chunks of one level of the directory.
type Level<T> = OnceLock<Box<[Chunk<T>]>>;

/// An append-only list of slots that are filled through shared references (atomics).
///
/// Level `n` of the directory holds `2^n` chunks, so that a list of any length is found in two steps.
#[derive(Debug)]
pub(super) struct AppendLog<T> {
    len: AtomicUsize,
    chunk_len: usize,
    levels: Box<[Level<T>]>,
}

impl<T: Default> AppendLog<T> {
    /// An empty list that grows by `chunk_len` slots at a time.
    pub(super) fn new(chunk_len: usize) -> Self {
        AppendLog {
            len: AtomicUsize::new(0),
            chunk_len: chunk_len.max(1),
            levels: (0..LEVELS).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Adds a slot that `fill` has filled. Only the one writer may call this.
    pub(super) fn push(&self, fill: impl FnOnce(&T)) {
        let position = self.len.load(Ordering::Relaxed);
        let chunk = position / self.chunk_len + 1;
        let level = chunk.ilog2();
        let directory = self.levels[level as usize]
            .get_or_init(|| (0..1_usize << level).map(|_| OnceLock::new()).collect());
        let slots = directory[chunk - (1 << level)]
            .get_or_init(|| (0..self.chunk_len).map(|_| T::default()).collect());
        fill(&slots[position % self.chunk_len]);
        self.len.store(position + 1, Ordering::Release);
    }

    /// Number of slots.
    pub(super) fn len(&self) -> usize {
        self.len.load(Ordering::Acquire)
    }

    /// The slot at a position below the length.
    pub(super) fn get(&self, position: usize) -> Option<&T> {
        if position >= self.len() {
            return None;
        }
        let chunk = position / self.chunk_len + 1;
        let level = chunk.ilog2();
        let slots = self.levels[level as usize].get()?[chunk - (1 << level)].get()?;
        slots.get(position % self.chunk_len)
    }

    /// The slots that were added so far, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.len()).filter_map(|position| self.get(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn slots_come_back_in_the_order_in_which_they_were_added() {
        let log = AppendLog::<AtomicU64>::new(3);
        for value in 0..1000 {
            log.push(|slot| slot.store(value, Ordering::Relaxed));
        }
        let values: Vec<u64> = log.iter().map(|slot| slot.load(Ordering::Relaxed)).collect();
        assert_eq!(values, (0..1000).collect::<Vec<u64>>());
        assert!(log.get(1000).is_none());
    }

    #[test]
    fn a_reader_sees_whole_slots_while_the_writer_adds() {
        let log = AppendLog::<AtomicU64>::new(16);
        std::thread::scope(|scope| {
            scope.spawn(|| (1..=20_000).for_each(|n| log.push(|slot| slot.store(n, Ordering::Relaxed))));
            loop {
                let seen: Vec<u64> = log.iter().map(|slot| slot.load(Ordering::Relaxed)).collect();
                assert!(seen.iter().zip(1..).all(|(value, expected)| *value == expected));
                if seen.len() == 20_000 {
                    break;
                }
            }
        });
    }
}
