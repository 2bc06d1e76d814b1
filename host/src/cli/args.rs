//! From words to an invocation: clap reads the rewritten words, flags become property settings in the order in
//! which they stand.

use super::commands::{self, Execute};
use super::flags::{Effect, FLAGS, Flag};
use super::words::{Word, recognise};
use super::{Invocation, Request, UsageError};
use crate::config::{ConfigError, Sources, nearest};
use clap::{Arg, ArgAction, ArgMatches};

/// What the plain words ask for.
struct Asked<'a> {
    execute: Execute,
    /// The phase word, if one was typed.
    phase: Option<&'static str>,
    binding: Option<&'a str>,
}

/// Reads the words of a benchmark command, without the program's name.
///
/// # Errors
/// Any mistake in the words themselves; property files that cannot be read.
pub(super) fn parse_benchmark(typed: &[String]) -> Result<Request, UsageError> {
    let words = recognise(typed)?;
    for word in &words {
        match word {
            Word::Flag(Flag { effect: Effect::Help, .. }, _) => return Ok(Request::Help(class_path(&words))),
            Word::Flag(Flag { effect: Effect::Version, .. }, _) => return Ok(Request::Version),
            _ => {}
        }
    }
    let matches = clap_command()
        .try_get_matches_from(rewritten(&words))
        .map_err(|error| UsageError(error.to_string().trim().replace('\n', " ")))?;
    let plain: Vec<&str> =
        matches.get_many::<String>("words").into_iter().flatten().map(String::as_str).collect();
    let asked = asked(&plain)?;
    let mut sources = Sources::default();
    // YCSB's launcher puts the binding first and the phase last: a later -db overrides the word, nothing
    // overrides the phase.
    if let Some(binding) = asked.binding {
        sources.add_argument("db", binding, binding);
    }
    let mut notes = Vec::new();
    for (flag, value) in in_typed_order(&matches) {
        apply(flag, value, &mut sources, &mut notes)?;
    }
    match asked.phase {
        Some("load") => sources.add_argument("dotransactions", "false", "load"),
        Some("run") => sources.add_argument("dotransactions", "true", "run"),
        _ => {}
    }
    let class_path = class_path(&words);
    let typed = typed.to_vec();
    Ok(Request::Benchmark(Invocation { execute: asked.execute, typed, sources, class_path, notes }))
}

fn class_path(words: &[Word<'_>]) -> Vec<String> {
    words
        .iter()
        .filter_map(|word| match word {
            Word::Flag(Flag { effect: Effect::ClassPath, .. }, Some(value)) => Some((*value).to_owned()),
            _ => None,
        })
        .collect()
}

fn clap_command() -> clap::Command {
    let flags = FLAGS.iter().map(|flag| {
        let arg = Arg::new(flag.name).long(flag.name).action(ArgAction::Append);
        match flag.takes_value() {
            true => arg.num_args(1).require_equals(true),
            false => arg.num_args(0).default_missing_value(""),
        }
    });
    let words = Arg::new("words").num_args(0..).action(ArgAction::Append);
    clap::Command::new("ycsb-host")
        .no_binary_name(true)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args(flags)
        .arg(words)
}

fn rewritten(words: &[Word<'_>]) -> Vec<String> {
    let flags = words.iter().filter_map(|word| match word {
        Word::Flag(flag, Some(value)) => Some(format!("--{}={value}", flag.name)),
        Word::Flag(flag, None) => Some(format!("--{}", flag.name)),
        Word::Plain(_) => None,
    });
    let plain = words.iter().filter_map(|word| match word {
        Word::Plain(word) => Some((*word).to_owned()),
        Word::Flag(..) => None,
    });
    flags.chain(["--".to_owned()]).chain(plain).collect()
}

fn in_typed_order(matches: &ArgMatches) -> Vec<(&'static Flag, &str)> {
    let mut ordered = Vec::new();
    for flag in FLAGS {
        let values = matches.get_many::<String>(flag.name).into_iter().flatten();
        let places = matches.indices_of(flag.name).into_iter().flatten();
        ordered.extend(places.zip(values).map(|(place, value)| (place, flag, value.as_str())));
    }
    ordered.sort_by_key(|(place, _, _)| *place);
    ordered.into_iter().map(|(_, flag, value)| (flag, value)).collect()
}

fn apply(flag: &Flag, value: &str, sources: &mut Sources, notes: &mut Vec<String>) -> Result<(), UsageError> {
    let origin = format!("-{}", flag.name);
    match flag.effect {
        Effect::Property(name) => sources.add_argument(name, value, &origin),
        Effect::Fixed(name, value) => sources.add_argument(name, value, &origin),
        Effect::NameAndValue => {
            let (name, value) = value.split_once('=').unwrap_or((value, ""));
            sources.add_argument(name, value, &origin);
        }
        Effect::File => sources.add_file(value).map_err(|ConfigError(text)| UsageError(text))?,
        Effect::Ignored => {
            notes.push(format!("{origin} is ignored: there is no virtual machine to pass it to"));
        }
        Effect::ClassPath | Effect::Help | Effect::Version => {}
    }
    Ok(())
}

fn asked<'a>(plain: &[&'a str]) -> Result<Asked<'a>, UsageError> {
    let mut rest = plain.iter().copied().peekable();
    let command = match rest.next_if(|word| commands::benchmark(word).is_some()) {
        Some(word) => word,
        None => match rest.next() {
            Some(word) => return Err(stray_first(word)),
            None => "run",
        },
    };
    let execute = commands::benchmark(command).unwrap_or(commands::CLIENT);
    let phase_word = |word: &str| ["load", "run"].into_iter().find(|phase| *phase == word);
    // The bare client form takes the phase from its flags; the other commands may name it after theirs.
    let phase = match (phase_word(command), plain.is_empty()) {
        (Some(phase), false) => Some(phase),
        (Some(_), true) => None,
        (None, _) => rest.next_if(|word| phase_word(word).is_some()).and_then(phase_word),
    };
    let binding = rest.next();
    match binding.filter(|word| word.contains('=')).or(rest.next()) {
        Some(word) => Err(stray(word)),
        None => Ok(Asked { execute, phase, binding }),
    }
}

/// The value of a stray word stays out of the message: it may be a password.
fn stray(word: &str) -> UsageError {
    UsageError(match word.split_once('=') {
        Some((name, _)) => format!("stray word \"{name}=...\"; did you mean -p {name}=...?"),
        None if std::path::Path::new(word).is_file() => {
            format!("stray word \"{word}\"; did you mean -P {word}?")
        }
        None => format!("stray word \"{word}\"; every value follows a flag, as in -p NAME=VALUE"),
    })
}

fn stray_first(word: &str) -> UsageError {
    if word.contains('=') || std::path::Path::new(word).is_file() {
        return stray(word);
    }
    let names = commands::names();
    let hint = match nearest(word, names.iter().copied()).first() {
        Some(near) => format!("did you mean {near}?"),
        None => format!("there are {}", names.join(", ")),
    };
    UsageError(format!("unknown command \"{word}\"; {hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invocation(line: &str) -> Invocation {
        let typed: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        match parse_benchmark(&typed) {
            Ok(Request::Benchmark(invocation)) => invocation,
            Ok(_) => panic!("{line}: another request"),
            Err(error) => panic!("{line}: {error}"),
        }
    }

    fn value(invocation: &Invocation, name: &str) -> Option<String> {
        invocation.sources.last(name).map(|given| given.value.clone())
    }

    fn refusal(line: &str) -> String {
        let typed: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        match parse_benchmark(&typed) {
            Ok(_) => panic!("{line}: accepted"),
            Err(error) => error.0,
        }
    }

    #[test]
    fn flags_set_properties_in_the_order_in_which_they_stand() {
        let client = invocation("-threads 2 -p threadcount=3 -target 50 -s -l x -db noop -load -t");
        for (name, expected) in [
            ("threadcount", "3"),
            ("target", "50"),
            ("status", "true"),
            ("label", "x"),
            ("db", "noop"),
            ("dotransactions", "true"),
        ] {
            assert_eq!(value(&client, name).as_deref(), Some(expected), "{name}");
        }
        assert_eq!(value(&invocation("-t -load"), "dotransactions").as_deref(), Some("false"));
        assert_eq!(value(&invocation("-p threadcount=3 -threads 2"), "threadcount").as_deref(), Some("2"));
    }

    #[test]
    fn the_command_decides_the_phase_and_a_later_db_the_binding() {
        for line in ["load redb -t", "-s load redb", "-t load -s redb", "load -db redb"] {
            let load = invocation(line);
            assert_eq!(value(&load, "dotransactions").as_deref(), Some("false"), "{line}");
            assert_eq!(value(&load, "db").as_deref(), Some("redb"), "{line}");
        }
        assert_eq!(value(&invocation("run redb -db noop -load"), "db").as_deref(), Some("noop"));
        assert_eq!(value(&invocation("run redb -load"), "dotransactions").as_deref(), Some("true"));
        assert_eq!(value(&invocation("explain load redb"), "dotransactions").as_deref(), Some("false"));
        assert_eq!(value(&invocation("explain redb"), "db").as_deref(), Some("redb"));
        assert_eq!(value(&invocation("explain redb"), "dotransactions"), None);
    }

    #[test]
    fn a_property_is_split_at_the_first_equals_sign_and_taken_verbatim() {
        let typed = ["-p", "a= b=c ", "-p", "=x"].map(str::to_owned);
        let Ok(Request::Benchmark(client)) = parse_benchmark(&typed) else { panic!("refused") };
        assert_eq!(value(&client, "a").as_deref(), Some(" b=c "));
        assert_eq!(value(&client, "").as_deref(), Some("x"));
    }

    #[test]
    fn arguments_of_a_virtual_machine_are_ignored_with_a_remark() {
        let run = invocation("run noop -jvm-args=-Xmx1g -cp /plugins:/more");
        assert_eq!(run.notes.len(), 1);
        assert_eq!(run.class_path, ["/plugins:/more"]);
    }

    #[test]
    fn stray_words_are_told_what_they_may_have_been() {
        assert!(refusal("lod redb").contains("did you mean load?"));
        assert!(refusal("run redb recordcount=5").contains("did you mean -p recordcount=...?"));
        assert!(refusal("recordcount=5").contains("did you mean -p recordcount=...?"));
        assert!(refusal("run redb stray").contains("stray word \"stray\""));
        assert!(refusal("-p recordcount").contains("has no \"=\""));
    }
}
