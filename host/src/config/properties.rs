//! The grammar of `.properties` files: ISO-8859-1 bytes in, names and values with their line numbers out.
//!
//! The same texts as `java.util.Properties` reads (`host/tests/golden/properties_syntax.json`), with one
//! addition: a byte-order mark is refused, because it would silently become a part of the first name.

use super::settings::{ConfigError, Given, Origin};
use std::fs::File;
use std::io::Read;

/// Longest property file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// One name and value of a property file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Line on which the entry starts, from 1.
    pub line: usize,
    /// Name, may be empty.
    pub name: String,
    /// Value, verbatim: trailing blanks are part of it.
    pub value: String,
}

/// A text that breaks the grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct SyntaxError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong and what to do.
    pub reason: String,
}

/// Reads a property file.
///
/// # Errors
/// A file that is missing, unreadable, a folder, larger than 16 MiB, or that breaks the grammar.
pub fn read_file(path: &str) -> Result<Vec<Given>, ConfigError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| {
        if file.metadata()?.is_dir() {
            return Err(std::io::ErrorKind::IsADirectory.into());
        }
        file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)
    });
    if let Err(error) = read {
        return Err(cannot_open(path, &error));
    }
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(ConfigError(format!(
            "property file {path}: is larger than 16 MiB; is it a property file?"
        )));
    }
    let entries =
        parse(&bytes).map_err(|error| ConfigError(format!("{path}:{}: {}", error.line, error.reason)))?;
    Ok(entries
        .into_iter()
        .map(|entry| Given {
            spelling: entry.name,
            value: entry.value,
            origin: Origin::File { path: path.to_owned(), line: entry.line },
        })
        .collect())
}

fn cannot_open(path: &str, error: &std::io::Error) -> ConfigError {
    use std::io::ErrorKind;
    let reason = match error.kind() {
        ErrorKind::NotFound => match path.split_once('=') {
            Some((name, _)) if !name.is_empty() => {
                format!("there is no such file; -P names a file, for one property write -p {name}=...")
            }
            _ => "there is no such file; give -P the path of a property file".to_owned(),
        },
        ErrorKind::IsADirectory => "is a folder; give -P a file in it".to_owned(),
        ErrorKind::PermissionDenied => "may not be read by this user; change its permissions".to_owned(),
        _ => format!("cannot be read: {error}; give -P the path of a property file"),
    };
    // What was meant for -p may hold a password.
    let shown = match path.split_once('=') {
        Some((name, _)) if error.kind() == ErrorKind::NotFound => format!("{name}=..."),
        _ => path.to_owned(),
    };
    ConfigError(format!("property file {shown}: {reason}"))
}

/// Reads the text of a property file. Duplicates are kept, in order.
///
/// # Errors
/// A malformed `\u` escape, or a byte-order mark.
pub fn parse(bytes: &[u8]) -> Result<Vec<Entry>, SyntaxError> {
    refuse_byte_order_mark(bytes)?;
    let mut entries = Vec::new();
    let mut lines = LogicalLines { bytes, at: 0, line: 0 };
    while let Some((line, text)) = lines.next() {
        let (name_end, value_start) = split(&text);
        let unescaped = |part: &[u8]| unescape(part).map_err(|reason| SyntaxError { line, reason });
        entries.push(Entry {
            line,
            name: unescaped(&text[..name_end])?,
            value: unescaped(&text[value_start..])?,
        });
    }
    Ok(entries)
}

fn refuse_byte_order_mark(bytes: &[u8]) -> Result<(), SyntaxError> {
    let encoding = match bytes {
        [0xEF, 0xBB, 0xBF, ..] => "UTF-8",
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] => "UTF-16",
        _ => return Ok(()),
    };
    let reason = format!(
        "the file begins with a {encoding} byte-order mark, which would become part of the first name; \
         save it without one, as ASCII or ISO-8859-1"
    );
    Err(SyntaxError { line: 1, reason })
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0C)
}

/// Joins natural lines that end with a continuation, and leaves out comments and blank lines.
struct LogicalLines<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Natural lines begun so far.
    line: usize,
}

impl<'a> LogicalLines<'a> {
    /// The next logical line, without leading blanks and continuations, and the number of its first line.
    fn next(&mut self) -> Option<(usize, Vec<u8>)> {
        loop {
            let natural = self.natural()?;
            let first_line = self.line;
            let start = natural.iter().position(|byte| !is_blank(*byte)).unwrap_or(natural.len());
            if matches!(natural.get(start), None | Some(b'#' | b'!')) {
                continue;
            }
            let mut text = natural[start..].to_vec();
            while ends_with_continuation(&text) {
                text.pop();
                let Some(more) = self.natural() else { break };
                let start = more.iter().position(|byte| !is_blank(*byte)).unwrap_or(more.len());
                text.extend_from_slice(&more[start..]);
            }
            // A line of nothing but a continuation has neither name nor value.
            if !text.is_empty() {
                return Some((first_line, text));
            }
        }
    }

    fn natural(&mut self) -> Option<&'a [u8]> {
        if self.at >= self.bytes.len() {
            return None;
        }
        self.line += 1;
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        let ending = if rest[end..].starts_with(b"\r\n") { 2 } else { 1 };
        self.at += end + ending;
        Some(&rest[..end])
    }
}

fn ends_with_continuation(text: &[u8]) -> bool {
    text.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// End of the name and start of the value.
fn split(text: &[u8]) -> (usize, usize) {
    let mut escaped = false;
    let name_end = text
        .iter()
        .position(|byte| {
            let ends = !escaped && (is_blank(*byte) || matches!(byte, b'=' | b':'));
            escaped = *byte == b'\\' && !escaped;
            ends
        })
        .unwrap_or(text.len());
    let skip_blanks = |from: usize| from + text[from..].iter().take_while(|byte| is_blank(**byte)).count();
    let mut value_start = skip_blanks(name_end);
    if matches!(text.get(value_start), Some(b'=' | b':')) {
        value_start = skip_blanks(value_start + 1);
    }
    (name_end, value_start)
}

fn unescape(text: &[u8]) -> Result<String, String> {
    // UTF-16 units first: a pair of \u escapes makes one character.
    let mut units: Vec<u16> = Vec::with_capacity(text.len());
    let mut rest = text.iter();
    while let Some(byte) = rest.next() {
        if *byte != b'\\' {
            units.push(u16::from(*byte));
            continue;
        }
        match rest.next() {
            None => {}
            Some(b't') => units.push(0x09),
            Some(b'n') => units.push(0x0A),
            Some(b'r') => units.push(0x0D),
            Some(b'f') => units.push(0x0C),
            Some(b'u') => {
                let digits: Vec<u8> = rest.by_ref().take(4).copied().collect();
                units.push(four_hex_digits(&digits).ok_or_else(|| {
                    format!(
                        "malformed escape \\u{}; it takes exactly four hexadecimal digits, as in \\u00e9",
                        String::from_utf8_lossy(&digits).escape_debug()
                    )
                })?);
            }
            Some(other) => units.push(u16::from(*other)),
        }
    }
    Ok(String::from_utf16_lossy(&units))
}

fn four_hex_digits(digits: &[u8]) -> Option<u16> {
    if digits.len() != 4 {
        return None;
    }
    digits.iter().try_fold(0_u16, |value, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(value << 4 | digit as u16)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_golden_text_reads_as_java_reads_it() {
        let golden = include_str!("../../tests/golden/properties_syntax.json");
        let cases: Vec<serde_json::Value> = serde_json::from_str(golden).expect("golden file");
        assert_eq!(cases.len(), 29);
        for case in cases {
            let input = case["input"].as_str().expect("input");
            let bytes: Vec<u8> =
                input.chars().map(|c| u8::try_from(u32::from(c)).expect("ISO-8859-1")).collect();
            let read = parse(&bytes);
            match case["properties"].as_object() {
                Some(expected) => {
                    let read: BTreeMap<String, String> =
                        read.expect(input).into_iter().map(|entry| (entry.name, entry.value)).collect();
                    let expected: BTreeMap<String, String> = expected
                        .iter()
                        .map(|(name, value)| (name.clone(), value.as_str().expect("text").to_owned()))
                        .collect();
                    assert_eq!(read, expected, "{input:?}");
                }
                None => assert!(read.is_err(), "{input:?}"),
            }
        }
    }

    #[test]
    fn entries_know_the_line_on_which_they_start() {
        let entries = parse(b"# one\n\na=1\\\n  2\r\nb=3\rc=4").expect("entries");
        let seen: Vec<(usize, &str, &str)> =
            entries.iter().map(|entry| (entry.line, entry.name.as_str(), entry.value.as_str())).collect();
        assert_eq!(seen, [(3, "a", "12"), (5, "b", "3"), (6, "c", "4")]);
    }

    #[test]
    fn a_pair_of_escapes_makes_one_character() {
        assert_eq!(parse(b"a=\\uD83D\\uDE00").expect("entries")[0].value, "\u{1F600}");
    }

    #[test]
    fn a_byte_order_mark_is_refused() {
        for bytes in [&b"\xEF\xBB\xBFa=1"[..], b"\xFF\xFEa\0", b"\xFE\xFF\0a"] {
            let error = parse(bytes).expect_err("refused");
            assert!(error.reason.contains("byte-order mark"), "{error}");
        }
    }

    #[test]
    fn files_that_cannot_be_read_say_why() {
        let folder = tempfile::tempdir().expect("folder");
        let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
        let refusal = |path: &str| read_file(path).expect_err(path).0;
        assert!(refusal(&path("missing")).contains("there is no such file"));
        assert!(refusal(&path("")).contains("is a folder"));
        assert!(refusal("recordcount=5").contains("write -p recordcount=..."));
        std::fs::write(path("bad"), "a=1\nb=\\u00\n").expect("written");
        let text = refusal(&path("bad"));
        assert!(text.contains("bad:2: malformed escape \\u00;"), "{text}");
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_parser_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes);
        }

        #[test]
        fn no_text_of_the_grammar_makes_the_parser_panic(text in "[ab=:#!\\\\u0 \t\r\n\u{c}]{0,60}") {
            let entries = parse(text.as_bytes());
            if let Ok(entries) = entries {
                let lines = text.split(['\n', '\r']).count();
                prop_assert!(entries.iter().all(|entry| (1..=lines).contains(&entry.line)));
            }
        }

        #[test]
        fn escaped_names_and_values_come_back(name in "[ -~]{1,20}", value in "[ -~]{0,20}") {
            let escaped = |text: &str| text.chars().flat_map(|c| ['\\', 'u'].into_iter()
                .chain(format!("{:04x}", u32::from(c)).chars().collect::<Vec<_>>())).collect::<String>();
            let text = format!("{}={}", escaped(&name), escaped(&value));
            let entries = parse(text.as_bytes()).expect("entries");
            prop_assert_eq!(&entries[..], &[Entry { line: 1, name, value }]);
        }
    }
}
