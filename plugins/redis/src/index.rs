//! The sorted sets that scans go by.

use crate::command::Commands;
use crate::settings::ScanOrder;
use ycsb_plugin_common::java_hash;

/// YCSB's index: every key, scored by Java's hash of it.
pub(crate) const BY_HASH: &str = "_indices";
/// Our second index: every key with the score 0, which Redis then keeps in the order of their bytes.
pub(crate) const BY_KEY: &str = "_indices_lex";

/// Enters keys into the index or indexes.
pub(crate) fn enter<'a>(
    commands: &mut Commands,
    order: ScanOrder,
    keys: impl ExactSizeIterator<Item = &'a str> + Clone,
) {
    commands.start("ZADD", 1 + 2 * keys.len()).key(BY_HASH);
    for key in keys.clone() {
        commands.integer(java_hash(key)).word(key);
    }
    if order == ScanOrder::Key {
        commands.start("ZADD", 1 + 2 * keys.len()).key(BY_KEY);
        for key in keys {
            commands.integer(0).word(key);
        }
    }
}

/// Takes a key out of the index or indexes.
pub(crate) fn remove(commands: &mut Commands, order: ScanOrder, key: &str) {
    commands.start("ZREM", 2).key(BY_HASH).word(key);
    if order == ScanOrder::Key {
        commands.start("ZREM", 2).key(BY_KEY).word(key);
    }
}

/// How far a scan has come in the index.
pub(crate) struct Walk {
    order: ScanOrder,
    /// The key from which on members are asked for.
    from: String,
    /// Whether that key has been seen. By key it is then left out; by hash there may be others with its score.
    seen: bool,
    /// By hash: members with the score of `from` that have been seen.
    same_score: usize,
}

impl Walk {
    pub(crate) fn from(order: ScanOrder, key: &str) -> Walk {
        Walk { order, from: key.to_owned(), seen: false, same_score: 0 }
    }

    /// Asks for the next members.
    pub(crate) fn ask(&self, commands: &mut Commands, count: usize) {
        match self.order {
            ScanOrder::Hash => commands
                .start("ZRANGEBYSCORE", 6)
                .key(BY_HASH)
                .integer(java_hash(&self.from))
                .word("+inf")
                .word("LIMIT")
                .integer(self.same_score)
                .integer(count),
            ScanOrder::Key => commands
                .start("ZRANGEBYLEX", 6)
                .key(BY_KEY)
                .word(format!("{}{}", if self.seen { '(' } else { '[' }, self.from))
                .word("+")
                .word("LIMIT")
                .integer(0)
                .integer(count),
        };
    }

    /// Goes on behind these members.
    pub(crate) fn pass(&mut self, members: &[String]) {
        let Some(last) = members.last() else { return };
        let score = java_hash(last);
        let tied = members.iter().rev().take_while(|member| java_hash(member) == score).count();
        let all_tied = tied == members.len() && java_hash(&self.from) == score;
        self.same_score = if all_tied { self.same_score + tied } else { tied };
        self.from.clone_from(last);
        self.seen = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_that_java_gave() {
        let golden = include_str!("../tests/golden/redis_index_scores.csv");
        for line in golden.lines().skip(1) {
            let mut cells = line.split(',');
            let (key, score) = (cells.next().unwrap(), cells.next().unwrap());
            assert_eq!(java_hash(key).to_string(), score, "{key}");
        }
        assert_eq!(golden.lines().count(), 21);
    }

    fn asked(walk: &Walk) -> String {
        let mut commands = Commands::default();
        walk.ask(&mut commands, 10);
        let text = String::from_utf8(commands.bytes().to_vec()).unwrap();
        text.split("\r\n").filter(|line| !line.starts_with(['$', '*'])).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_walk_by_hash_goes_on_behind_the_members_with_the_last_score() {
        let mut walk = Walk::from(ScanOrder::Hash, "userAa");
        assert_eq!(asked(&walk), "ZRANGEBYSCORE _indices -836031157 +inf LIMIT 0 10 ");
        walk.pass(&["userAa".into()]);
        assert_eq!(asked(&walk), "ZRANGEBYSCORE _indices -836031157 +inf LIMIT 1 10 ");
        walk.pass(&["userBB".into()]);
        assert_eq!(asked(&walk), "ZRANGEBYSCORE _indices -836031157 +inf LIMIT 2 10 ");
        walk.pass(&["user0".into(), "user1".into()]);
        assert_eq!(asked(&walk), "ZRANGEBYSCORE _indices 111578566 +inf LIMIT 1 10 ");
        walk.pass(&[]);
        assert_eq!(asked(&walk), "ZRANGEBYSCORE _indices 111578566 +inf LIMIT 1 10 ");
    }

    #[test]
    fn a_walk_by_key_goes_on_behind_the_last_key() {
        let mut walk = Walk::from(ScanOrder::Key, "user0");
        assert_eq!(asked(&walk), "ZRANGEBYLEX _indices_lex [user0 + LIMIT 0 10 ");
        walk.pass(&["user0".into(), "user1".into()]);
        assert_eq!(asked(&walk), "ZRANGEBYLEX _indices_lex (user1 + LIMIT 0 10 ");
    }
}
