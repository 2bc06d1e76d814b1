//! Typed words before they mean anything: which are flags, which are values, which stand alone.
//!
//! YCSB spells its flags with one hyphen (`-threads 8`), which to clap is a cluster of short flags. So every
//! word is recognised here against the table of flags and rewritten to the one form that clap reads in one
//! way: `--threads=8`.

use super::UsageError;
use super::flags::{self, Effect, FLAGS, Flag};
use crate::config::nearest;

/// One typed word, or two where a value follows its flag.
#[derive(Clone, Copy, Debug)]
pub(super) enum Word<'a> {
    /// A flag with its value, if it takes one.
    Flag(&'static Flag, Option<&'a str>),
    /// A word that stands alone.
    Plain(&'a str),
}

/// Tells flags, values and plain words apart.
///
/// # Errors
/// A flag that does not exist, lacks its value or has one that it does not take; a dash that is no hyphen.
pub(super) fn recognise(typed: &[String]) -> Result<Vec<Word<'_>>, UsageError> {
    let mut words = Vec::new();
    let mut rest = typed.iter();
    while let Some(word) = rest.next() {
        if word == "--" {
            words.extend(rest.by_ref().map(|word| Word::Plain(word)));
            break;
        }
        refuse_long_dash(word)?;
        let Some((flag, inline)) = as_flag(word)? else {
            words.push(Word::Plain(word));
            continue;
        };
        let value = match (flag.takes_value(), inline) {
            (false, None) => None,
            (false, Some(_)) => {
                return Err(UsageError(format!(
                    "-{0} takes no value, but one was given behind \"=\"; write -{0}",
                    flag.name
                )));
            }
            (true, Some(value)) => Some(value),
            (true, None) => Some(value_of(flag, rest.next())?),
        };
        match value {
            // Refused before any stray word is: behind "-p NAME VALUE" the word may be a password.
            Some(value) if flag.effect == Effect::NameAndValue && !value.contains('=') => {
                return Err(UsageError(format!(
                    "-p {value}: has no \"=\"; write -p {value}=VALUE, as in -p recordcount=1000"
                )));
            }
            _ => words.push(Word::Flag(flag, value)),
        }
    }
    Ok(words)
}

fn as_flag(word: &str) -> Result<Option<(&'static Flag, Option<&str>)>, UsageError> {
    let Some(body) = word.strip_prefix("--").or_else(|| word.strip_prefix('-')) else { return Ok(None) };
    if body.is_empty() || looks_like_number(word) {
        return Ok(None);
    }
    let (name, inline) = match body.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (body, None),
    };
    match flags::find(name) {
        Some(flag) => Ok(Some((flag, inline))),
        None => Err(unknown_flag(name)),
    }
}

fn unknown_flag(name: &str) -> UsageError {
    let names = FLAGS.iter().flat_map(|flag| flag.aliases.iter().chain([&flag.name])).copied();
    let hint = match nearest(name, names).first() {
        Some(near) => format!("did you mean -{near}?"),
        None => "--help lists all flags".to_owned(),
    };
    UsageError(format!("unknown flag -{name}; {hint}"))
}

fn value_of<'a>(flag: &Flag, next: Option<&'a String>) -> Result<&'a str, UsageError> {
    let missing =
        |what: String| UsageError(format!("-{0} needs a value{what}; write -{0} {1}", flag.name, flag.value));
    match next {
        None => Err(missing(String::new())),
        Some(value) => {
            refuse_long_dash(value)?;
            let another_flag = value.starts_with('-') && value.len() > 1 && !looks_like_number(value);
            if another_flag && !flag.any_value {
                return Err(missing(format!(", but {value} follows")));
            }
            Ok(value)
        }
    }
}

fn looks_like_number(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|digits| digits.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
}

/// Text processors turn hyphens into dashes; what was pasted looks right and is not.
fn refuse_long_dash(word: &str) -> Result<(), UsageError> {
    let Some(dash) = word.chars().next().filter(|c| matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}')) else {
        return Ok(());
    };
    let name = word.trim_start_matches(|c| matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}'));
    let character = match dash {
        '\u{2013}' => "an en dash",
        '\u{2014}' => "an em dash",
        _ => "a dash",
    };
    Err(UsageError(format!(
        "\"{word}\" begins with {character} (U+{:04X}) that only looks like a hyphen; type -{name}",
        u32::from(dash)
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    fn shown(words: &[&str]) -> Result<Vec<String>, UsageError> {
        let typed = typed(words);
        let words = recognise(&typed)?;
        Ok(words
            .iter()
            .map(|word| match word {
                Word::Flag(flag, Some(value)) => format!("{}={value}", flag.name),
                Word::Flag(flag, None) => flag.name.to_owned(),
                Word::Plain(word) => format!("<{word}>"),
            })
            .collect())
    }

    #[test]
    fn flags_are_recognised_with_one_hyphen_two_and_an_equals_sign() {
        for words in [&["-threads", "8"][..], &["--threads", "8"], &["-threads=8"], &["--threads=8"]] {
            assert_eq!(shown(words), Ok(vec!["threads=8".to_owned()]));
        }
        assert_eq!(
            shown(&[
                "load",
                "redb",
                "-P",
                "w",
                "-p",
                "a=-1=b",
                "-s",
                "-target",
                "-1",
                "-jvm-args",
                "-Xmx1g",
                "-help"
            ]),
            Ok(["<load>", "<redb>", "P=w", "p=a=-1=b", "s", "target=-1", "jvm-args=-Xmx1g", "h"]
                .map(str::to_owned)
                .to_vec())
        );
    }

    #[test]
    fn after_two_hyphens_words_stand_alone() {
        assert_eq!(shown(&["--", "-threads"]), Ok(vec!["<-threads>".to_owned()]));
    }

    #[test]
    fn mistakes_are_named_with_the_next_step() {
        for (words, part) in [
            (&["-thread", "8"][..], "unknown flag -thread; did you mean -threads?"),
            (&["-foo"], "unknown flag -foo; --help lists all flags"),
            (&["-threads8"], "unknown flag -threads8; did you mean -threads?"),
            (&["-threads"], "-threads needs a value; write -threads N"),
            (&["-threads", "-s"], "-threads needs a value, but -s follows"),
            (&["-s=1"], "-s takes no value"),
            (&["\u{2013}threads", "8"], "en dash (U+2013) that only looks like a hyphen; type -threads"),
            (&["-threads", "\u{2013}8"], "type -8"),
        ] {
            let error = shown(words).expect_err(part).0;
            assert!(error.contains(part), "{error}");
        }
    }
}
