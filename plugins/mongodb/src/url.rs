//! The text of `mongodb.url`, taken apart and put together again.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use ycsb_plugin_api::Failure;

/// Everything but what RFC 3986 calls unreserved.
const PART: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A connection string. Its parts are kept as they were written, percent-encoded.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Url {
    scheme: &'static str,
    /// `user` or `user:password`.
    userinfo: Option<String>,
    hosts: String,
    path: String,
    options: Vec<(String, String)>,
}

impl Url {
    /// # Errors
    /// BAD_REQUEST, without repeating what could be a part of a password.
    pub(crate) fn parse(text: &str) -> Result<Url, Failure> {
        let (scheme, rest) = match text.split_once("://") {
            Some(("mongodb", rest)) => ("mongodb", rest),
            Some(("mongodb+srv", rest)) => ("mongodb+srv", rest),
            _ => {
                return Err(Failure::bad_request(
                    "mongodb.url has to start with mongodb:// or mongodb+srv://, as in mongodb://localhost:27017/ycsb?w=1",
                ));
            }
        };
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (userinfo, place) = match place.rsplit_once('@') {
            Some((userinfo, place)) => (Some(userinfo.to_owned()), place),
            None if query.contains('@') => {
                return Err(Failure::bad_request(
                    "mongodb.url: a user or password with '?' has to be percent-encoded (%3F), or use mongodb.username and \
                     mongodb.password",
                ));
            }
            None => (None, place),
        };
        let (hosts, path) = place.split_once('/').unwrap_or((place, ""));
        if hosts.is_empty() {
            return Err(Failure::bad_request("mongodb.url names no host"));
        }
        let mut options = Vec::new();
        for pair in query.split(['&', ';']).filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some((name, value)) => options.push((name.to_owned(), value.to_owned())),
                None => {
                    return Err(Failure::bad_request(format!(
                        "mongodb.url: option {pair:?} has no value; write name=value"
                    )));
                }
            }
        }
        Ok(Url { scheme, userinfo, hosts: hosts.to_owned(), path: path.to_owned(), options })
    }

    /// The text, with a slash before the question mark.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{}://", self.scheme);
        if let Some(userinfo) = &self.userinfo {
            text.push_str(userinfo);
            text.push('@');
        }
        text.push_str(&self.hosts);
        text.push('/');
        text.push_str(&self.path);
        for (index, (name, value)) in self.options.iter().enumerate() {
            text.push(if index == 0 { '?' } else { '&' });
            text.push_str(name);
            text.push('=');
            text.push_str(value);
        }
        text
    }

    /// The hosts, as written.
    pub(crate) fn hosts(&self) -> &str {
        &self.hosts
    }

    /// The path decoded, up to the first dot: YCSB's driver takes `db.collection`.
    pub(crate) fn database(&self) -> String {
        let decoded = percent_decode_str(&self.path).decode_utf8_lossy();
        decoded.split('.').next().unwrap_or_default().to_owned()
    }

    /// Cuts the path as [`database`](Url::database) does.
    pub(crate) fn cut_path(&mut self) {
        self.path = encoded(&self.database());
    }

    /// All options, in order.
    pub(crate) fn options(&self) -> &[(String, String)] {
        &self.options
    }

    /// Replaces the options.
    pub(crate) fn set_options(&mut self, options: Vec<(String, String)>) {
        self.options = options;
    }

    /// The value of an option, whatever the case of its name; the last one counts, as for YCSB's driver.
    pub(crate) fn option(&self, name: &str) -> Option<&str> {
        self.options
            .iter()
            .rev()
            .find(|(given, _)| given.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The value of an option, decoded.
    pub(crate) fn decoded_option(&self, name: &str) -> Option<String> {
        self.option(name).map(|value| percent_decode_str(value).decode_utf8_lossy().into_owned())
    }

    /// Adds an option; the value is encoded here.
    pub(crate) fn add(&mut self, name: &str, value: &str) {
        self.options.push((name.to_owned(), encoded(value)));
    }

    /// User and password, decoded.
    pub(crate) fn login(&self) -> Option<(String, Option<String>)> {
        let decode = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let userinfo = self.userinfo.as_deref().filter(|userinfo| !userinfo.is_empty())?;
        Some(match userinfo.split_once(':') {
            Some((user, password)) => (decode(user), Some(decode(password))),
            None => (decode(userinfo), None),
        })
    }

    /// Sets user and password.
    pub(crate) fn set_login(&mut self, user: &str, password: &str) {
        self.userinfo = Some(format!("{}:{}", encoded(user), encoded(password)));
    }

    /// Every form in which the password could turn up in a message.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let raw = self
            .userinfo
            .as_deref()
            .and_then(|userinfo| userinfo.split_once(':'))
            .map(|(_, raw)| raw.to_owned());
        let decoded = self.login().and_then(|(_, password)| password);
        raw.into_iter().chain(decoded).filter(|secret| !secret.is_empty()).collect()
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, PART).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_taken_apart_and_put_together_with_its_slash() {
        for (text, expected) in [
            ("mongodb://h:27017", "mongodb://h:27017/"),
            ("mongodb://h:27017?w=1", "mongodb://h:27017/?w=1"),
            ("mongodb://a,b:2/db?w=1;journal=true", "mongodb://a,b:2/db?w=1&journal=true"),
            ("mongodb+srv://u:p%40@c.example/db", "mongodb+srv://u:p%40@c.example/db"),
        ] {
            assert_eq!(Url::parse(text).ok().unwrap().text(), expected);
        }
    }

    #[test]
    fn a_path_with_a_collection_is_cut_at_the_dot() {
        let mut url = Url::parse("mongodb://h/db%31.coll?w=1").ok().unwrap();
        assert_eq!(url.database(), "db1");
        url.cut_path();
        assert_eq!(url.text(), "mongodb://h/db1?w=1");
    }

    #[test]
    fn options_are_found_in_any_case_and_the_last_one_counts() {
        let url = Url::parse("mongodb://h/?maxpoolsize=1&maxPoolSize=250").ok().unwrap();
        assert_eq!(url.option("MAXPOOLSIZE"), Some("250"));
        assert_eq!(url.option("w"), None);
    }

    #[test]
    fn a_user_is_decoded_and_encoded() {
        let mut url = Url::parse("mongodb://u%3A:p%40w@h/").ok().unwrap();
        assert_eq!(url.login(), Some(("u:".into(), Some("p@w".into()))));
        assert_eq!(url.secrets(), ["p%40w", "p@w"]);
        url.set_login("me", "a/b@c");
        assert_eq!(url.text(), "mongodb://me:a%2Fb%40c@h/");
    }

    #[test]
    fn what_is_no_url_is_refused_without_repeating_it() {
        for text in ["http://u:hunter2@h", "hunter2", "mongodb://u:hunter2?x@h/db", "mongodb://"] {
            let failure = Url::parse(text).err().unwrap();
            assert!(!failure.text().contains("hunter2"), "{failure}");
        }
    }
}
