//! Several databases that share the keys among them.

use ycsb_plugin_api::Failure;
use ycsb_plugin_common::java_hash;
use ycsb_plugin_postgres::{Row, Session};

/// The database that a key lies in: as in YCSB's jdbc binding, the absolute value of Java's hash of the key,
/// modulo their number. Where Java's is negative its shard is 0 or none at all.
#[inline]
pub(crate) fn shard_of(key: &str, shards: usize) -> usize {
    match shards {
        1 => 0,
        shards => java_hash(key).unsigned_abs() as usize % shards,
    }
}

/// A row that waits for its turn.
struct Kept {
    key: Vec<u8>,
    /// The columns after the key.
    fields: Vec<u8>,
}

/// Lets every database scan at once and hands over the `limit` rows with the lowest keys, in their order. `ask`
/// queues the statement.
pub(crate) fn merged_scan(
    sessions: &mut [Session],
    limit: usize,
    mut ask: impl FnMut(&mut Session) -> Result<(), Failure>,
    mut on_row: impl FnMut(&[u8], Row<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut answer = Ok(());
    let asked: Vec<bool> = sessions
        .iter_mut()
        .map(|session| {
            let sent = ask(session).and_then(|()| session.send());
            let asked = sent.is_ok();
            answer = std::mem::replace(&mut answer, Ok(())).and(sent);
            asked
        })
        .collect();
    let mut kept = Vec::new();
    // Every answer is taken, also after one that failed: the next operation's must not come behind it.
    for (session, _) in sessions.iter_mut().zip(asked).filter(|(_, asked)| *asked) {
        let mut rows = Vec::new();
        let taken = session.take(|mut row| {
            let key = row.bytes()?.to_vec();
            rows.push(Kept { key, fields: row.to_vec() });
            Ok(())
        });
        answer = answer.and(taken.map(drop));
        kept.append(&mut rows);
    }
    answer?;
    kept.sort_by(|one, other| one.key.cmp(&other.key));
    kept.iter().take(limit).try_for_each(|row| on_row(&row.key, Row::kept(&row.fields)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_lies_where_java_put_it() {
        assert_eq!(shard_of("user0", 1), 0);
        // Java's hashes: 111578565 and -594971599.
        assert_eq!(shard_of("user0", 2), 1);
        assert_eq!(shard_of("user6284781860667377211", 4), 594_971_599 % 4);
        // The lowest integer, which has no absolute value in Java.
        assert_eq!(shard_of("polygenelubricants", 2), 0);
        assert_eq!(shard_of("polygenelubricants", 3), (1_usize << 31) % 3);
    }
}
