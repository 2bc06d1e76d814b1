//! A queue of alarms, at most one per slot, that allocates nothing once it has room for all slots.

/// Where a slot that has no alarm is in the heap.
const NOWHERE: u32 = u32::MAX;

/// A binary heap of slots ordered by the time of their alarm, with the place of each slot, so that an alarm
/// is moved in logarithmic time.
#[derive(Default)]
pub(crate) struct AlarmHeap {
    heap: Vec<u32>,
    place: Vec<u32>,
    at_ns: Vec<u64>,
}

impl AlarmHeap {
    /// Makes room for slots `0..slots`.
    pub(crate) fn reserve(&mut self, slots: usize) {
        if slots > self.place.len() {
            self.place.resize(slots, NOWHERE);
            self.at_ns.resize(slots, 0);
            self.heap.reserve(slots - self.heap.len());
        }
    }

    /// Sets or moves the alarm of a slot.
    pub(crate) fn set(&mut self, slot: u32, at_ns: u64) {
        self.at_ns[slot as usize] = at_ns;
        let place = match self.place[slot as usize] {
            NOWHERE => {
                self.heap.push(slot);
                self.heap.len() - 1
            }
            place => place as usize,
        };
        self.settle(place);
    }

    /// Takes the alarm of a slot away, if it has one.
    pub(crate) fn remove(&mut self, slot: u32) {
        let place = self.place[slot as usize];
        if place == NOWHERE {
            return;
        }
        self.place[slot as usize] = NOWHERE;
        let place = place as usize;
        self.heap.swap_remove(place);
        if place < self.heap.len() {
            self.settle(place);
        }
    }

    /// The time of the first alarm.
    pub(crate) fn first_ns(&self) -> Option<u64> {
        self.heap.first().map(|&slot| self.at_ns[slot as usize])
    }

    /// Takes away the first alarm if it is due, and says whose it is.
    pub(crate) fn pop_due(&mut self, now_ns: u64) -> Option<u32> {
        let &slot = self.heap.first()?;
        if self.at_ns[slot as usize] > now_ns {
            return None;
        }
        self.remove(slot);
        Some(slot)
    }

    /// Moves the slot at a place up or down to where it belongs.
    fn settle(&mut self, mut place: usize) {
        let slot = self.heap[place];
        let at_ns = self.at_ns[slot as usize];
        while place > 0 {
            let parent = (place - 1) / 2;
            if self.time_at(parent) <= at_ns {
                break;
            }
            self.put(place, self.heap[parent]);
            place = parent;
        }
        loop {
            let mut child = 2 * place + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.time_at(child + 1) < self.time_at(child) {
                child += 1;
            }
            if self.time_at(child) >= at_ns {
                break;
            }
            self.put(place, self.heap[child]);
            place = child;
        }
        self.put(place, slot);
    }

    fn time_at(&self, place: usize) -> u64 {
        self.at_ns[self.heap[place] as usize]
    }

    fn put(&mut self, place: usize, slot: u32) {
        self.heap[place] = slot;
        self.place[slot as usize] = place as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alarms_come_in_order_of_time_however_they_were_set_moved_and_removed() {
        const SLOTS: u32 = 200;
        let mut heap = AlarmHeap::default();
        heap.reserve(SLOTS as usize);
        let mut expected = [None; SLOTS as usize];
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let slot = (random >> 33) as u32 % SLOTS;
            let at_ns = (random >> 20) % 1_000;
            match random >> 62 {
                0 => {
                    heap.remove(slot);
                    expected[slot as usize] = None;
                }
                1 => {
                    let first = expected.iter().flatten().min().copied();
                    assert_eq!(heap.first_ns(), first);
                    let due = heap.pop_due(at_ns);
                    assert_eq!(due.is_some(), first.is_some_and(|first| first <= at_ns));
                    if let Some(due) = due {
                        assert_eq!(expected[due as usize].take(), first);
                    }
                }
                _ => {
                    heap.set(slot, at_ns);
                    expected[slot as usize] = Some(at_ns);
                }
            }
        }
        let mut rest: Vec<u64> = expected.iter().flatten().copied().collect();
        rest.sort_unstable();
        let mut popped = Vec::new();
        while let Some(first) = heap.first_ns() {
            popped.push(first);
            assert!(heap.pop_due(u64::MAX).is_some());
        }
        assert_eq!(popped, rest);
    }
}
