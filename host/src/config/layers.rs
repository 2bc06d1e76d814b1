//! Who overrides whom: presets, then property files in order, then arguments in order.
//!
//! YCSB's rule: all arguments override all files wherever they stand on the line, and in each of the two the
//! later occurrence wins, whatever its spelling (`-threads 2 -p threadcount=3` gives 3). Below both stand the
//! presets of the chosen binding name.

use super::redact::{is_secret_name, shown_value};
use super::settings::{ConfigError, Given, Origin, Settings};
use super::{Declaration, Kind, Vocabulary, properties};
use std::collections::BTreeMap;

/// Something worth knowing that stops nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// One sentence, beginning with the place.
    pub text: String,
    /// Said only where somebody asks (`explain`), because nothing is wrong.
    pub quiet: bool,
}

impl Note {
    /// A note that is shown before a run.
    pub fn loud(text: String) -> Self {
        Note { text, quiet: false }
    }

    /// A note that only `explain` shows.
    pub fn quiet(text: String) -> Self {
        Note { text, quiet: true }
    }
}

/// What was given, before names are resolved: the lowest precedence first.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    presets: Vec<Given>,
    files: Vec<Vec<Given>>,
    arguments: Vec<Given>,
}

/// How names and references are resolved when the sources are merged.
pub struct Resolution<'a> {
    /// The known names.
    pub vocabulary: &'a Vocabulary,
    /// Looks up an environment variable, for `env:NAME`.
    pub environment: &'a dyn Fn(&str) -> Option<String>,
}

impl Sources {
    /// Adds a property file above the files added before.
    ///
    /// # Errors
    /// A file that cannot be read or breaks the grammar.
    pub fn add_file(&mut self, path: &str) -> Result<(), ConfigError> {
        self.files.push(properties::read_file(path)?);
        Ok(())
    }

    /// Adds an argument above everything added before. `origin` is how it was typed, without its value:
    /// `-threads`, `-p`.
    pub fn add_argument(&mut self, name: &str, value: &str, origin: &str) {
        self.arguments.push(Given {
            spelling: name.to_owned(),
            value: value.to_owned(),
            origin: Origin::Argument(origin.to_owned()),
        });
    }

    /// Adds a preset of a binding name, below everything that was given.
    pub fn add_preset(&mut self, name: &str, value: &str, binding: &str) {
        self.presets.push(Given {
            spelling: name.to_owned(),
            value: value.to_owned(),
            origin: Origin::Preset(binding.to_owned()),
        });
    }

    /// What was given for a spelling and counts, aliases aside.
    pub fn last(&self, spelling: &str) -> Option<&Given> {
        self.layers().rev().find_map(|layer| layer.iter().rev().find(|given| given.spelling == spelling))
    }

    /// Everything that was given, the lowest precedence first.
    pub fn iter(&self) -> impl Iterator<Item = &Given> {
        self.layers().flatten()
    }

    fn layers(&self) -> impl DoubleEndedIterator<Item = &[Given]> {
        let presets = std::iter::once(self.presets.as_slice());
        presets.chain(self.files.iter().map(Vec::as_slice)).chain(std::iter::once(self.arguments.as_slice()))
    }

    /// Merges everything into settings under the declared names, with notes on names given twice.
    ///
    /// # Errors
    /// A secret given as `env:NAME` or `file:PATH` that cannot be found.
    pub fn merge(&self, resolution: &Resolution<'_>) -> Result<(Settings, Vec<Note>), ConfigError> {
        let mut settings = Settings::default();
        let mut notes = Vec::new();
        for layer in self.layers() {
            for (name, values) in by_name(layer, resolution.vocabulary) {
                notes.extend(twice_given(name, &values, resolution.vocabulary));
                for given in values {
                    settings.set(name, given.clone());
                }
            }
        }
        for (name, given) in settings.iter_mut() {
            if let Some(secret) = referred(resolution, name, given)? {
                given.value = secret;
            }
        }
        Ok((settings, notes))
    }
}

/// The values of one layer by their names, in the order in which they override one another: other spellings
/// first, the exact name last.
fn by_name<'a>(layer: &'a [Given], vocabulary: &Vocabulary) -> BTreeMap<&'a str, Vec<&'a Given>> {
    let mut grouped: BTreeMap<&str, Vec<&Given>> = BTreeMap::new();
    for given in layer {
        grouped.entry(vocabulary.canonical(&given.spelling)).or_default().push(given);
    }
    for (name, values) in &mut grouped {
        values.sort_by_key(|given| given.spelling == *name);
    }
    grouped
}

fn twice_given(name: &str, values: &[&Given], vocabulary: &Vocabulary) -> Option<Note> {
    let [overridden @ .., counts] = values else { return None };
    let worth_saying = overridden.iter().any(|given| {
        // Two lines of one file are a slip even if they agree; repeated arguments are habit.
        given.value != counts.value || matches!(counts.origin, Origin::File { .. })
    });
    if !worth_saying {
        return None;
    }
    let places: Vec<String> = overridden.iter().map(|given| given.origin.to_string()).collect();
    let shown = shown_value(name, vocabulary.find(name), &counts.value);
    Some(Note::loud(format!(
        "{}: {name}=\"{shown}\" counts; it was given before by {}",
        counts.origin,
        places.join(", ")
    )))
}

/// The secret that `env:NAME` or `file:PATH` stands for.
fn referred(resolution: &Resolution<'_>, name: &str, given: &Given) -> Result<Option<String>, ConfigError> {
    let declaration = resolution.vocabulary.find(name);
    if !may_refer(name, declaration) {
        return Ok(None);
    }
    let refuse = |reason: String| {
        Err(ConfigError(format!("{}: {}=\"{}\": {reason}", given.origin, given.spelling, given.value)))
    };
    if let Some(variable) = given.value.strip_prefix("env:") {
        return match (resolution.environment)(variable) {
            Some(secret) => Ok(Some(secret)),
            None => refuse(format!("the environment variable {variable} is not set; export it first")),
        };
    }
    let url = declaration.is_some_and(|declaration| declaration.kind == Kind::Url);
    match given.value.strip_prefix("file:") {
        Some(path) if !(url && path.starts_with("//")) => match std::fs::read_to_string(path) {
            Ok(text) => Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned())),
            Err(error) => {
                refuse(format!("the file cannot be read ({error}); name a file that holds the secret"))
            }
        },
        _ => Ok(None),
    }
}

fn may_refer(name: &str, declaration: Option<&Declaration>) -> bool {
    is_secret_name(name) || declaration.is_some_and(|one| one.secret || one.kind == Kind::Url)
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREADS: Declaration = Declaration::integer("threadcount").default("1").help("Clients.");
    const DELAYED: Declaration =
        Declaration::number("delayedseries").aliases(&["delayedSeries"]).default("0.1").help("Share.");
    const PASSWORD: Declaration = Declaration::text("redis.password").secret().help("Password.");

    fn vocabulary() -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        vocabulary.add([&THREADS, &DELAYED, &PASSWORD]);
        vocabulary
    }

    fn merged(sources: &Sources) -> Result<(Settings, Vec<Note>), ConfigError> {
        let environment = |name: &str| (name == "REDIS_PW").then(|| "hunter2".to_owned());
        sources.merge(&Resolution { vocabulary: &vocabulary(), environment: &environment })
    }

    fn file(sources: &mut Sources, path: &str, entries: &[(&str, &str)]) {
        let given = |(at, (name, value)): (usize, &(&str, &str))| Given {
            spelling: (*name).to_owned(),
            value: (*value).to_owned(),
            origin: Origin::File { path: path.to_owned(), line: at + 1 },
        };
        sources.files.push(entries.iter().enumerate().map(given).collect());
    }

    #[test]
    fn arguments_override_files_and_later_files_override_earlier_ones() {
        let mut sources = Sources::default();
        sources.add_argument("recordcount", "3", "-p");
        sources.add_preset("table", "preset", "x");
        file(&mut sources, "one", &[("recordcount", "5"), ("table", "a"), ("operationcount", "5")]);
        file(&mut sources, "two", &[("recordcount", "7"), ("table", "b")]);
        let (settings, notes) = merged(&sources).expect("settings");
        let value = |name: &str| settings.given(name).map(|given| given.value.as_str());
        assert_eq!(value("recordcount"), Some("3"));
        assert_eq!(value("table"), Some("b"));
        assert_eq!(value("operationcount"), Some("5"));
        let overridden: Vec<String> = settings
            .overridden("recordcount")
            .map(|given| format!("{} {}", given.value, given.origin))
            .collect();
        assert_eq!(overridden, ["7 two:1", "5 one:1"]);
        assert_eq!(notes, []);
        assert_eq!(sources.last("table").map(|given| given.value.as_str()), Some("b"));
    }

    #[test]
    fn flags_and_properties_of_one_name_override_each_other_by_position() {
        let mut sources = Sources::default();
        sources.add_argument("threadcount", "2", "-threads");
        sources.add_argument("threadcount", "3", "-p");
        let (settings, notes) = merged(&sources).expect("settings");
        assert_eq!(settings.u64(&THREADS), Ok(3));
        assert_eq!(
            notes[0].text,
            "argument -p: threadcount=\"3\" counts; it was given before by argument -threads"
        );
    }

    #[test]
    fn a_name_twice_in_one_file_is_noted_and_the_last_counts() {
        let mut sources = Sources::default();
        file(&mut sources, "w", &[("recordcount", "5"), ("recordcount", "6")]);
        let (settings, notes) = merged(&sources).expect("settings");
        assert_eq!(settings.given("recordcount").map(|given| given.value.as_str()), Some("6"));
        assert_eq!(notes[0].text, "w:2: recordcount=\"6\" counts; it was given before by w:1");
    }

    #[test]
    fn the_exact_name_wins_over_another_spelling_in_the_same_file_only() {
        let mut sources = Sources::default();
        file(&mut sources, "w", &[("delayedseries", "0.2"), ("delayedSeries", "0.3")]);
        assert_eq!(merged(&sources).expect("settings").0.number(&DELAYED), Ok(0.2));
        sources.add_argument("delayedSeries", "0.4", "-p");
        assert_eq!(merged(&sources).expect("settings").0.number(&DELAYED), Ok(0.4));
    }

    #[test]
    fn secrets_come_from_the_environment_or_a_file() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("pw");
        std::fs::write(&path, "from-file\n").expect("written");
        for (value, expected) in [
            ("env:REDIS_PW", "hunter2"),
            (&format!("file:{}", path.display()), "from-file"),
            ("plain", "plain"),
        ] {
            let mut sources = Sources::default();
            sources.add_argument("redis.password", value, "-p");
            assert_eq!(merged(&sources).expect(value).0.text(&PASSWORD).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn a_secret_that_cannot_be_found_stops_the_run_unless_it_is_overridden() {
        let mut sources = Sources::default();
        sources.add_argument("redis.password", "env:NOWHERE", "-p");
        let error = merged(&sources).expect_err("refused").0;
        assert!(error.contains("NOWHERE is not set"), "{error}");
        sources.add_argument("redis.password", "x", "-p");
        assert!(merged(&sources).is_ok());
        let mut table = Sources::default();
        table.add_argument("table", "env:NOWHERE", "-p");
        assert!(merged(&table).is_ok());
    }
}
