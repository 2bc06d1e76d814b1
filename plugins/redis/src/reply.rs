//! Answers, read in place from the bytes that came.

/// An answer. All text is borrowed from the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply<'a> {
    /// `+OK`.
    Status(&'a [u8]),
    /// `-ERR ...`.
    Error(&'a [u8]),
    /// `:1`.
    Integer(i64),
    /// `$3 abc`.
    Bulk(&'a [u8]),
    /// Nothing at that place.
    Nil,
    /// `*2 ...`.
    Array(Items<'a>),
}

/// The elements of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Items<'a> {
    rest: &'a [u8],
    left: usize,
}

impl Items<'_> {
    /// How many are left.
    pub(crate) fn len(&self) -> usize {
        self.left
    }
}

/// The bytes are no answer of Redis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

/// How far an answer has been looked through. Nested arrays need no stack: an array adds its elements to those
/// that are still to come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// Where the next element starts.
    pub(crate) at: usize,
    elements: usize,
}

/// Whether all of an answer is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// It ends at [`Extent::at`].
    Complete,
    /// It needs at least so many bytes.
    Needs(usize),
}

impl Extent {
    /// Of an answer that starts here.
    pub(crate) fn starting_at(at: usize) -> Extent {
        Extent { at, elements: 1 }
    }

    /// Looks on.
    pub(crate) fn advance(&mut self, bytes: &[u8]) -> Result<Progress, Malformed> {
        while self.elements > 0 {
            let Some(&kind) = bytes.get(self.at) else { return Ok(Progress::Needs(self.at + 1)) };
            let end = match kind {
                b'$' | b'*' => {
                    let Some((count, end)) = number(bytes, self.at + 1)? else {
                        return Ok(Progress::Needs(bytes.len() + 1));
                    };
                    match (kind, usize::try_from(count)) {
                        (_, Err(_)) => end,
                        (b'$', Ok(length)) => {
                            end.checked_add(length).and_then(|end| end.checked_add(2)).ok_or(Malformed)?
                        }
                        (_, Ok(count)) => {
                            self.elements = self.elements.checked_add(count).ok_or(Malformed)?;
                            end
                        }
                    }
                }
                b'+' | b'-' | b':' => match line_end(bytes, self.at) {
                    Some(end) => end,
                    None => return Ok(Progress::Needs(bytes.len() + 1)),
                },
                _ => return Err(Malformed),
            };
            if end > bytes.len() {
                // The header is read again when the rest is there; only whole elements are passed.
                return Ok(Progress::Needs(end));
            }
            self.at = end;
            self.elements -= 1;
        }
        Ok(Progress::Complete)
    }
}

impl<'a> Reply<'a> {
    /// Reads an answer that is known to be complete.
    pub(crate) fn of(bytes: &'a [u8]) -> Result<Reply<'a>, Malformed> {
        // At the outermost level nobody asks where an array ends.
        let reply = match bytes.first() {
            Some(b'*') => array(bytes).map(|(reply, _)| reply),
            _ => split(bytes).map(|(reply, _)| reply),
        };
        reply.ok_or(Malformed)
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Reply<'a>;

    #[inline]
    fn next(&mut self) -> Option<Reply<'a>> {
        self.left = self.left.checked_sub(1)?;
        let (reply, rest) = split(self.rest)?;
        self.rest = rest;
        Some(reply)
    }
}

/// An answer and what follows it.
#[inline]
fn split(bytes: &[u8]) -> Option<(Reply<'_>, &[u8])> {
    let text = |end: usize| bytes.get(1..end - 2);
    match bytes.first()? {
        b'$' => {
            let (length, start) = number(bytes, 1).ok()??;
            let Ok(length) = usize::try_from(length) else { return Some((Reply::Nil, &bytes[start..])) };
            let value = bytes.get(start..start.checked_add(length)?)?;
            Some((Reply::Bulk(value), bytes.get(start + length + 2..)?))
        }
        b'*' => {
            let (reply, start) = array(bytes)?;
            let Reply::Array(_) = reply else { return Some((reply, &bytes[start..])) };
            let mut extent = Extent::starting_at(0);
            match extent.advance(bytes) {
                Ok(Progress::Complete) => Some((reply, &bytes[extent.at..])),
                _ => None,
            }
        }
        b'+' => line_end(bytes, 0).and_then(|end| Some((Reply::Status(text(end)?), &bytes[end..]))),
        b'-' => line_end(bytes, 0).and_then(|end| Some((Reply::Error(text(end)?), &bytes[end..]))),
        b':' => {
            let (number, end) = number(bytes, 1).ok()??;
            Some((Reply::Integer(number), &bytes[end..]))
        }
        _ => None,
    }
}

/// An array and where its first element starts.
#[inline]
fn array(bytes: &[u8]) -> Option<(Reply<'_>, usize)> {
    let (count, start) = number(bytes, 1).ok()??;
    let reply = match usize::try_from(count) {
        Ok(left) => Reply::Array(Items { rest: &bytes[start..], left }),
        Err(_) => Reply::Nil,
    };
    Some((reply, start))
}

/// The number up to the line's end, and where the next line starts; `None` if the line is not complete.
#[inline]
fn number(bytes: &[u8], at: usize) -> Result<Option<(i64, usize)>, Malformed> {
    let negative = bytes.get(at) == Some(&b'-');
    let mut position = at + usize::from(negative);
    let mut value = 0_i64;
    loop {
        match bytes.get(position) {
            Some(digit @ b'0'..=b'9') => {
                let digit = i64::from(digit - b'0');
                value = value.checked_mul(10).and_then(|value| value.checked_add(digit)).ok_or(Malformed)?;
            }
            Some(b'\r') => break,
            Some(_) => return Err(Malformed),
            None => return Ok(None),
        }
        position += 1;
    }
    if bytes.len() < position + 2 {
        return Ok(None);
    }
    Ok(Some((if negative { -value } else { value }, position + 2)))
}

/// Where the line after this one starts.
fn line_end(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.windows(2).position(|pair| pair == b"\r\n").map(|position| at + position + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete(bytes: &[u8]) -> Result<Progress, Malformed> {
        Extent::starting_at(0).advance(bytes)
    }

    #[test]
    fn an_answer_is_complete_only_with_its_last_byte() {
        for answer in [
            &b"+OK\r\n"[..],
            b"-ERR no\r\n",
            b":-12\r\n",
            b"$-1\r\n",
            b"*-1\r\n",
            b"*0\r\n",
            b"$0\r\n\r\n",
            b"*2\r\n$1\r\na\r\n$2\r\n\r\n\r\n",
            b"*2\r\n*2\r\n:1\r\n*1\r\n+x\r\n$1\r\nb\r\n",
        ] {
            // One state for all prefixes, as a slow connection would deliver them.
            let mut extent = Extent::starting_at(0);
            for length in 0..answer.len() {
                let progress = extent.advance(&answer[..length]);
                assert!(matches!(progress, Ok(Progress::Needs(needed)) if needed > length), "{progress:?}");
            }
            assert_eq!(extent.advance(answer), Ok(Progress::Complete));
            assert_eq!(extent.at, answer.len());
            assert!(Reply::of(answer).is_ok());
        }
    }

    #[test]
    fn the_next_answer_stays_where_it_is() {
        let mut extent = Extent::starting_at(5);
        assert_eq!(extent.advance(b"+OK\r\n$1\r\nx\r\n+OK\r\n"), Ok(Progress::Complete));
        assert_eq!(extent.at, 12);
    }

    #[test]
    fn a_long_value_says_how_much_it_needs() {
        assert_eq!(complete(b"$1000000\r\nabc"), Ok(Progress::Needs(1_000_012)));
    }

    #[test]
    fn nested_arrays_are_walked() {
        let Ok(Reply::Array(mut items)) = Reply::of(b"*3\r\n*2\r\n:1\r\n$1\r\na\r\n$-1\r\n+s\r\n") else {
            panic!("an array");
        };
        let Some(Reply::Array(inner)) = items.next() else { panic!("an inner array") };
        assert_eq!(inner.collect::<Vec<_>>(), [Reply::Integer(1), Reply::Bulk(b"a")]);
        assert_eq!(items.len(), 2);
        assert_eq!(items.collect::<Vec<_>>(), [Reply::Nil, Reply::Status(b"s")]);
    }

    #[test]
    fn what_is_not_redis_is_refused() {
        for bytes in
            [&b"HTTP/1.1 400"[..], b"\x15\x03\x01", b"$x\r\n", b"$99999999999999999999\r\n", b":1a\r\n"]
        {
            assert!(complete(bytes).is_err() || Reply::of(bytes).is_err(), "{bytes:?}");
        }
    }
}
