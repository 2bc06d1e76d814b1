//! Typed values: a setting read through its declaration, or the declared default.
//!
//! Numbers, booleans, durations and words are trimmed first; text is taken verbatim.

use super::Declaration;
use super::parse::{
    Parse, parse_bool, parse_byte_count, parse_duration, parse_i64, parse_number, parse_one_of, parse_text,
    parse_u64,
};
use super::settings::{ConfigError, Given, Origin, Settings, refuse};

impl Settings {
    /// Whether a value was given, as opposed to the default.
    pub fn is_given(&self, declaration: &Declaration) -> bool {
        self.given(declaration.name).is_some()
    }

    /// A whole number of 64 bits within the declared range.
    ///
    /// # Errors
    /// A value that is no whole number or out of range; no value and no default.
    pub fn i64(&self, declaration: &Declaration) -> Result<i64, ConfigError> {
        self.present(declaration, parse_i64)
    }

    /// A whole number of 64 bits that is not negative, within the declared range.
    ///
    /// # Errors
    /// As [`i64`](Self::i64).
    pub fn u64(&self, declaration: &Declaration) -> Result<u64, ConfigError> {
        self.present(declaration, parse_u64)
    }

    /// A finite number within the declared range.
    ///
    /// # Errors
    /// A value that is no finite number or out of range; no value and no default.
    pub fn number(&self, declaration: &Declaration) -> Result<f64, ConfigError> {
        self.present(declaration, parse_number)
    }

    /// `true` or `false`, in any case.
    ///
    /// # Errors
    /// Any other word; no value and no default.
    pub fn bool(&self, declaration: &Declaration) -> Result<bool, ConfigError> {
        self.present(declaration, parse_bool)
    }

    /// A duration in nanoseconds within the declared range.
    ///
    /// # Errors
    /// A value that is no duration or out of range; no value and no default.
    pub fn duration_ns(&self, declaration: &Declaration) -> Result<u64, ConfigError> {
        self.present(declaration, parse_duration)
    }

    /// A number of bytes within the declared range.
    ///
    /// # Errors
    /// A value that is no byte count or out of range; no value and no default.
    pub fn bytes(&self, declaration: &Declaration) -> Result<u64, ConfigError> {
        self.present(declaration, parse_byte_count)
    }

    /// One of the declared words, as the declaration spells it.
    ///
    /// # Errors
    /// Any other word; no value and no default.
    pub fn one_of(&self, declaration: &Declaration) -> Result<&'static str, ConfigError> {
        self.present(declaration, parse_one_of)
    }

    /// A text, verbatim.
    ///
    /// # Errors
    /// No value and no default.
    pub fn text(&self, declaration: &Declaration) -> Result<String, ConfigError> {
        self.present(declaration, parse_text)
    }

    /// As [`i64`](Self::i64); `None` if there is neither a value nor a default.
    ///
    /// # Errors
    /// A value that is no whole number or out of range.
    pub fn optional_i64(&self, declaration: &Declaration) -> Result<Option<i64>, ConfigError> {
        self.optional(declaration, parse_i64)
    }

    /// As [`u64`](Self::u64); `None` if there is neither a value nor a default.
    ///
    /// # Errors
    /// A value that is no whole number or out of range.
    pub fn optional_u64(&self, declaration: &Declaration) -> Result<Option<u64>, ConfigError> {
        self.optional(declaration, parse_u64)
    }

    /// As [`number`](Self::number); `None` if there is neither a value nor a default.
    ///
    /// # Errors
    /// A value that is no finite number or out of range.
    pub fn optional_number(&self, declaration: &Declaration) -> Result<Option<f64>, ConfigError> {
        self.optional(declaration, parse_number)
    }

    /// As [`bool`](Self::bool); `None` if there is neither a value nor a default.
    ///
    /// # Errors
    /// Any word but `true` and `false`.
    pub fn optional_bool(&self, declaration: &Declaration) -> Result<Option<bool>, ConfigError> {
        self.optional(declaration, parse_bool)
    }

    /// As [`duration_ns`](Self::duration_ns); `None` if there is neither a value nor a default.
    ///
    /// # Errors
    /// A value that is no duration or out of range.
    pub fn optional_duration_ns(&self, declaration: &Declaration) -> Result<Option<u64>, ConfigError> {
        self.optional(declaration, parse_duration)
    }

    /// As [`bytes`](Self::bytes); `None` if there is neither a value nor a default.
    ///
    /// # Errors
    /// A value that is no byte count or out of range.
    pub fn optional_bytes(&self, declaration: &Declaration) -> Result<Option<u64>, ConfigError> {
        self.optional(declaration, parse_byte_count)
    }

    /// As [`one_of`](Self::one_of); `None` if there is neither a value nor a default.
    ///
    /// # Errors
    /// A word that is not declared.
    pub fn optional_one_of(&self, declaration: &Declaration) -> Result<Option<&'static str>, ConfigError> {
        self.optional(declaration, parse_one_of)
    }

    /// A text, verbatim; `None` if there is neither a value nor a default.
    pub fn optional_text(&self, declaration: &Declaration) -> Option<String> {
        self.given(declaration.name)
            .map(|given| given.value.clone())
            .or_else(|| declaration.default.map(str::to_owned))
    }

    fn present<T>(&self, declaration: &Declaration, parse: Parse<T>) -> Result<T, ConfigError> {
        self.optional(declaration, parse)?.ok_or_else(|| missing(declaration))
    }

    fn optional<T>(&self, declaration: &Declaration, parse: Parse<T>) -> Result<Option<T>, ConfigError> {
        let defaulted;
        let given = match (self.given(declaration.name), declaration.default) {
            (Some(given), _) => given,
            (None, Some(default)) => {
                defaulted = Given {
                    spelling: declaration.name.to_owned(),
                    value: default.to_owned(),
                    origin: Origin::Default,
                };
                &defaulted
            }
            (None, None) => return Ok(None),
        };
        parse(declaration, &given.value).map(Some).map_err(|reason| refuse(declaration, given, &reason))
    }
}

/// Checks a value that was given against its declaration, whatever its kind.
///
/// # Errors
/// The same as reading it.
pub fn check(declaration: &Declaration, given: &Given) -> Result<(), ConfigError> {
    use super::Kind;
    let value = given.value.as_str();
    match declaration.kind {
        Kind::Integer => parse_i64(declaration, value).map(drop),
        Kind::Number => parse_number(declaration, value).map(drop),
        Kind::Bool => parse_bool(declaration, value).map(drop),
        Kind::Duration => parse_duration(declaration, value).map(drop),
        Kind::Bytes => parse_byte_count(declaration, value).map(drop),
        Kind::OneOf => parse_one_of(declaration, value).map(drop),
        Kind::Text | Kind::Url | Kind::File | Kind::Hosts => Ok(()),
    }
    .map_err(|reason| refuse(declaration, given, &reason))
}

/// The error for a property that has to be given and was not.
pub fn missing(declaration: &Declaration) -> ConfigError {
    ConfigError(format!(
        "missing property \"{0}\": {1} Give it as -p {0}=VALUE or in a file named by -P",
        declaration.name, declaration.help
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: Declaration = Declaration::integer("count").default("1").range("1..").help("A count.");
    const SHARE: Declaration = Declaration::number("share").default("0.5").range("0..1").help("A share.");
    const FLAG: Declaration = Declaration::bool("flag").default("false").help("A flag.");
    const WAIT: Declaration = Declaration::duration("wait").default("10s").range("1ms..1h").help("A wait.");
    const SIZE: Declaration = Declaration::bytes("size").default("1KiB").range("1..1GiB").help("A size.");
    const WORD: Declaration =
        Declaration::one_of("word", "uniform|zipfian").default("uniform").help("A word.");
    const NAME: Declaration = Declaration::text("name").help("A name.");

    fn with(name: &str, value: &str) -> Settings {
        let mut settings = Settings::default();
        let origin = Origin::File { path: "w".to_owned(), line: 3 };
        settings.set(name, Given { spelling: name.to_owned(), value: value.to_owned(), origin });
        settings
    }

    fn refusal<T: std::fmt::Debug>(result: Result<T, ConfigError>) -> String {
        result.expect_err("a refusal").0
    }

    #[test]
    fn without_a_value_the_default_counts() {
        let none = Settings::default();
        assert_eq!(none.u64(&COUNT), Ok(1));
        assert_eq!(none.number(&SHARE), Ok(0.5));
        assert_eq!(none.bool(&FLAG), Ok(false));
        assert_eq!(none.duration_ns(&WAIT), Ok(10_000_000_000));
        assert_eq!(none.bytes(&SIZE), Ok(1024));
        assert_eq!(none.one_of(&WORD), Ok("uniform"));
        assert_eq!(none.optional_text(&NAME), None);
        assert!(refusal(none.text(&NAME)).contains("missing property \"name\""));
    }

    #[test]
    fn numbers_and_words_are_trimmed_and_text_is_not() {
        assert_eq!(with("count", " 5 ").i64(&COUNT), Ok(5));
        assert_eq!(with("share", " 1.0 ").number(&SHARE), Ok(1.0));
        assert_eq!(with("share", "0.25f").number(&SHARE), Ok(0.25));
        assert_eq!(with("flag", "TRUE ").bool(&FLAG), Ok(true));
        assert_eq!(with("word", "zipfian ").one_of(&WORD), Ok("zipfian"));
        assert_eq!(with("name", " x ").text(&NAME), Ok(" x ".to_owned()));
    }

    #[test]
    fn a_refusal_names_place_subject_value_and_reason() {
        assert_eq!(
            refusal(with("count", "0").u64(&COUNT)),
            "w:3: count=\"0\" must be 1 or more; correct it there, or leave it out for the default 1"
        );
        for (value, part) in [
            ("5 //five", "write 5"),
            ("5 # five", "write 5"),
            ("x", "is not a whole number"),
            ("", "is empty"),
            ("1.5", "without a fraction"),
            ("1e6", "whole number: 1000000"),
            ("99999999999999999999", "64 bits"),
        ] {
            let text = refusal(with("count", value).u64(&COUNT));
            assert!(text.contains(part), "{value}: {text}");
        }
        for (value, part) in [
            ("NaN", "finite"),
            ("Infinity", "finite"),
            ("1e999", "finite"),
            ("1.1", "between 0 and 1"),
            ("0,5", "0.5"),
        ] {
            let text = refusal(with("share", value).number(&SHARE));
            assert!(text.contains(part), "{value}: {text}");
        }
        assert!(refusal(with("flag", "yes").bool(&FLAG)).contains("must be true or false"));
        assert!(refusal(with("wait", "10").duration_ns(&WAIT)).contains("needs a unit"));
        assert!(refusal(with("wait", "2h").duration_ns(&WAIT)).contains("between 1ms and 1h"));
        assert!(refusal(with("size", "2GiB").bytes(&SIZE)).contains("between 1 and 1GiB"));
    }

    #[test]
    fn a_wrong_word_names_the_allowed_and_the_nearest() {
        let text = refusal(with("word", "zipfain").one_of(&WORD));
        assert!(text.contains("must be one of uniform, zipfian (did you mean \"zipfian\"?)"), "{text}");
    }
}
