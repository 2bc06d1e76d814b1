//! The order in which Java's hash table lists its entries: YCSB prints measurements and Return lines in it.

/// Java's hash code of a text: the sum of `unit * 31^(length - 1 - position)` over its UTF-16 units, 32 bits.
pub fn java_text_hash(text: &str) -> u32 {
    text.encode_utf16().fold(0, |hash: u32, unit| hash.wrapping_mul(31).wrapping_add(u32::from(unit)))
}

/// The places of `hashes` in the order of a table into which they were put in the order given.
///
/// The table has 16 slots and lists them in ascending order, each in the order of insertion. When the number
/// of entries reaches three quarters of the slots, the table doubles and each slot's list is split in two by
/// one more bit of the hash: the tail in which that bit does not change keeps its order, and what stands
/// before it is moved, one entry after the other, to the front of its new list.
pub fn hash_table_order(hashes: &[u32]) -> Vec<usize> {
    let mut slots: Vec<Vec<usize>> = vec![Vec::new(); 16];
    let spread = |place: usize| hashes[place] ^ (hashes[place] >> 16);
    for place in 0..hashes.len() {
        let slot = spread(place) as usize % slots.len();
        slots[slot].push(place);
        if (place + 1) * 4 >= slots.len() * 3 {
            slots = doubled(&slots, spread);
        }
    }
    slots.concat()
}

fn doubled(slots: &[Vec<usize>], spread: impl Fn(usize) -> u32) -> Vec<Vec<usize>> {
    let mut low_half = Vec::with_capacity(slots.len());
    let mut high_half = Vec::with_capacity(slots.len());
    for list in slots {
        let moves = |place: usize| spread(place) as usize & slots.len() != 0;
        let tail_start = match list.last() {
            Some(&last) => list.iter().rposition(|&place| moves(place) != moves(last)).map_or(0, |at| at + 1),
            None => 0,
        };
        let (head, tail) = list.split_at(tail_start);
        let mut halves = [Vec::new(), Vec::new()];
        if let Some(&last) = tail.last() {
            halves[usize::from(moves(last))].extend_from_slice(tail);
        }
        for &place in head {
            halves[usize::from(moves(place))].insert(0, place);
        }
        let [low, high] = halves;
        low_half.push(low);
        high_half.push(high);
    }
    low_half.append(&mut high_half);
    low_half
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn texts(list: &Value) -> Vec<&str> {
        list.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
    }

    #[test]
    fn measurements_are_listed_in_the_order_of_export_order_json() {
        let golden: Value =
            serde_json::from_str(include_str!("../../tests/golden/export_order.json")).unwrap();
        for case in golden.as_array().unwrap() {
            let names = texts(&case["first_use_order"]);
            let hashes: Vec<u32> = names.iter().map(|name| java_text_hash(name)).collect();
            let ordered: Vec<&str> =
                hash_table_order(&hashes).into_iter().map(|place| names[place]).collect();
            assert_eq!(ordered, texts(&case["export_order"]));
        }
    }
}
