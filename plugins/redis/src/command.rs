//! Commands as bytes, ready to be sent.

use std::ops::Range;

/// The commands of one operation, one after the other in the form in which they are sent.
#[derive(Default)]
pub(crate) struct Commands {
    bytes: Vec<u8>,
    list: Vec<Place>,
}

/// Where a command lies in the bytes.
struct Place {
    start: usize,
    /// The key that decides which node of a cluster is meant.
    key: Range<usize>,
}

impl Commands {
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.list.clear();
    }

    /// Starts a command of `arguments` words besides its name; they have to follow.
    pub(crate) fn start(&mut self, name: &str, arguments: usize) -> &mut Commands {
        self.list.push(Place { start: self.bytes.len(), key: 0..0 });
        self.number(b'*', arguments + 1);
        self.word(name)
    }

    /// Adds the word that is the command's key.
    pub(crate) fn key(&mut self, key: impl AsRef<[u8]>) -> &mut Commands {
        let key = key.as_ref();
        self.word(key);
        let end = self.bytes.len() - 2;
        if let Some(place) = self.list.last_mut() {
            place.key = end - key.len()..end;
        }
        self
    }

    /// Adds a word.
    #[inline]
    pub(crate) fn word(&mut self, word: impl AsRef<[u8]>) -> &mut Commands {
        let word = word.as_ref();
        self.number(b'$', word.len());
        self.bytes.extend_from_slice(word);
        self.bytes.extend_from_slice(b"\r\n");
        self
    }

    /// Adds a number as a word.
    pub(crate) fn integer(&mut self, number: impl itoa::Integer) -> &mut Commands {
        let mut digits = itoa::Buffer::new();
        self.word(digits.format(number))
    }

    #[inline]
    fn number(&mut self, kind: u8, number: usize) {
        self.bytes.push(kind);
        let mut digits = itoa::Buffer::new();
        self.bytes.extend_from_slice(digits.format(number).as_bytes());
        self.bytes.extend_from_slice(b"\r\n");
    }

    /// Number of commands.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// All commands.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// One command.
    pub(crate) fn command(&self, index: usize) -> &[u8] {
        let start = self.list.get(index).map_or(self.bytes.len(), |place| place.start);
        let end = self.list.get(index + 1).map_or(self.bytes.len(), |place| place.start);
        &self.bytes[start..end]
    }

    /// The key of a command; empty if it has none.
    pub(crate) fn key_of(&self, index: usize) -> &[u8] {
        self.list.get(index).map_or(&[], |place| &self.bytes[place.key.clone()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_counted_words_and_remember_their_keys() {
        let mut commands = Commands::default();
        commands.start("HGETALL", 1).key("user1");
        commands.start("ZADD", 3).key("_indices").integer(-7).word("ü");
        assert_eq!(commands.len(), 2);
        assert_eq!(commands.command(0), b"*2\r\n$7\r\nHGETALL\r\n$5\r\nuser1\r\n");
        let second = "*4\r\n$4\r\nZADD\r\n$8\r\n_indices\r\n$2\r\n-7\r\n$2\r\nü\r\n";
        assert_eq!(commands.command(1), second.as_bytes());
        assert_eq!((commands.key_of(0), commands.key_of(1)), (&b"user1"[..], &b"_indices"[..]));
        assert_eq!(commands.command(2), b"");
    }
}
