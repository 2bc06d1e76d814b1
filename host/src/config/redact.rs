//! What is never shown: passwords and the like. Every printer goes through here.

use super::{Declaration, Settings};

/// What stands in place of a secret.
pub const HIDDEN: &str = "(secret)";

/// Parts of a name that make its value a secret, whatever the declaration says.
const SECRET_NAME_PARTS: [&str; 5] = ["password", "passwd", "secret", "token", "credentials"];

/// Names of options inside URLs and connection strings whose values are secrets.
const SECRET_OPTIONS: [&str; 7] =
    ["password", "passwd", "pwd", "secret", "token", "credentials", "sslpassword"];

/// Whether the value of a property with this name is never shown.
pub fn is_secret_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    SECRET_NAME_PARTS.iter().any(|part| lower.contains(part))
}

/// The value of a property as it may be shown.
///
/// References to a secret (`env:NAME`, `file:PATH`) are shown, they reveal nothing.
pub fn shown_value(name: &str, declaration: Option<&Declaration>, value: &str) -> String {
    let secret = declaration.is_some_and(|declaration| declaration.secret) || is_secret_name(name);
    if secret && !value.starts_with("env:") && !value.starts_with("file:") {
        return HIDDEN.to_owned();
    }
    without_credentials(value)
}

/// A text with the user part of URLs and the values of password options taken out.
pub fn without_credentials(text: &str) -> String {
    without_secret_options(&without_user_parts(text))
}

/// Hides the secrets of one invocation wherever they turn up: in messages of drivers, notices, result files.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    secrets: Vec<String>,
}

impl Redactor {
    /// Knows the values of all declared secrets and of all names that speak of secrets.
    pub fn new<'a>(settings: &Settings, declarations: impl IntoIterator<Item = &'a Declaration>) -> Self {
        let declared: Vec<&str> =
            declarations.into_iter().filter(|declaration| declaration.secret).map(|one| one.name).collect();
        let mut secrets: Vec<String> = settings
            .iter()
            .filter(|(name, _)| declared.contains(name) || is_secret_name(name))
            .map(|(_, given)| given.value.clone())
            // Shorter texts turn up by chance in every line.
            .filter(|value| value.chars().count() >= 4)
            .collect();
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Redactor { secrets }
    }

    /// The text without any of the secrets and without credentials in URLs.
    pub fn text(&self, text: &str) -> String {
        let hidden = self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, HIDDEN));
        without_credentials(&hidden)
    }
}

/// `scheme://user:password@host` becomes `scheme://(secret)@host`.
fn without_user_parts(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        shown.push_str(before);
        // A password may hold any character, so the user part ends at the last @ that can belong to this URL:
        // before a blank, a quote, or the next URL of a list.
        let space = after.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'')).unwrap_or(after.len());
        let next_url = after[..space].match_indices("://").find_map(|(next, _)| {
            let scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
            let head = after[..next].trim_end_matches(scheme);
            head.ends_with([',', ';', '|']).then_some(head.len())
        });
        let end = next_url.unwrap_or(space);
        match after[..end].rfind('@') {
            Some(user_end) => {
                shown.push_str(HIDDEN);
                rest = &after[user_end..];
            }
            None => rest = after,
        }
    }
    shown + rest
}

/// `password=x` becomes `password=(secret)`, up to the next separator.
fn without_secret_options(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let mut shown = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in lower.match_indices('=') {
        if at < done {
            continue;
        }
        let word = lower[..at]
            .rfind(|c: char| !c.is_ascii_alphanumeric())
            .map_or(0, |cut| cut + lower[cut..].chars().next().map_or(0, char::len_utf8));
        if SECRET_OPTIONS.contains(&&lower[word..at]) {
            let value = &text[at + 1..];
            let end = value
                .find(|c: char| c.is_whitespace() || matches!(c, '&' | ';' | ','))
                .unwrap_or(value.len());
            shown.push_str(&text[done..=at]);
            shown.push_str(HIDDEN);
            done = at + 1 + end;
        }
    }
    shown.push_str(&text[done..]);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Given, Origin};
    use proptest::prelude::*;

    const KEY: Declaration = Declaration::text("es.api_key").secret().help("A key.");

    #[test]
    fn declared_secrets_and_names_that_speak_of_secrets_are_hidden() {
        assert_eq!(shown_value("es.api_key", Some(&KEY), "abc"), HIDDEN);
        for name in ["redis.password", "db.passwd", "x.Token", "google.credentials", "a.secret.key"] {
            assert_eq!(shown_value(name, None, "hunter2"), HIDDEN, "{name}");
        }
        assert_eq!(shown_value("table", None, "usertable"), "usertable");
        assert_eq!(shown_value("redis.password", None, "env:PW"), "env:PW");
    }

    #[test]
    fn credentials_inside_urls_are_hidden() {
        for (text, shown) in [
            ("mongodb://u:p@h:1/db?w=1", "mongodb://(secret)@h:1/db?w=1"),
            ("mongodb://u:p/w@x@h:1/db", "mongodb://(secret)@h:1/db"),
            ("http://u:p@a:1,http://v:q@b:2", "http://(secret)@a:1,http://(secret)@b:2"),
            (
                "jdbc:postgresql://h/t?user=a&password=b&ssl=1",
                "jdbc:postgresql://h/t?user=a&password=(secret)&ssl=1",
            ),
            ("host=h PASSWORD=b port=1", "host=h PASSWORD=(secret) port=1"),
            ("http://localhost:9200", "http://localhost:9200"),
            ("compassword=1 a=b", "compassword=1 a=b"),
        ] {
            assert_eq!(without_credentials(text), shown);
        }
    }

    #[test]
    fn secrets_are_hidden_wherever_they_turn_up() {
        let mut settings = Settings::default();
        for (name, value) in
            [("es.api_key", "k-1234"), ("redis.password", "hunter22"), ("table", "usertable")]
        {
            let origin = Origin::Argument("-p".to_owned());
            settings.set(name, Given { spelling: name.to_owned(), value: value.to_owned(), origin });
        }
        let redactor = Redactor::new(&settings, [&KEY]);
        assert_eq!(
            redactor.text("login with hunter22 at http://u:p@h failed, key k-1234, table usertable"),
            "login with (secret) at http://(secret)@h failed, key (secret), table usertable"
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_redaction_panic(text in "\\PC{0,40}") {
            let _ = without_credentials(&text);
        }

        #[test]
        fn a_password_never_survives_in_a_url(password in "[a-z0-9/@?&=]{6,12}") {
            let shown = without_credentials(&format!("mongodb://me:{password}@host/db"));
            prop_assert_eq!(shown, "mongodb://(secret)@host/db");
        }
    }
}
