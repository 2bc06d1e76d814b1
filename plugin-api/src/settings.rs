//! The values of the declared properties.

use crate::Failure;
use std::path::PathBuf;
use std::time::Duration;
use ycsb_plugin_abi::{Pair, text_of};

/// The values of the declared properties, during `open`.
///
/// Exactly the properties that [`Info::properties`](crate::Info::properties) declares: defaults filled in,
/// aliases resolved, values checked. Relations between properties are for `open` to check, with
/// [`Failure::bad_request`].
///
/// ```
/// use std::time::Duration;
/// use ycsb_plugin_api::{Failure, Settings};
///
/// fn read(settings: &Settings<'_>) -> Result<(String, Duration, Option<u32>), Failure> {
///     Ok((settings.get("db.host")?, settings.get("db.timeout")?, settings.find("db.pool")?))
/// }
///
/// // The host hands durations over as nanoseconds.
/// let given = [("db.host", "localhost"), ("db.timeout", "2000000000")];
/// let (host, timeout, pool) = read(&Settings::of(&given)).unwrap();
/// assert_eq!((host.as_str(), timeout, pool), ("localhost", Duration::from_secs(2), None));
/// ```
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    pairs: Pairs<'a>,
}

#[derive(Clone, Copy)]
enum Pairs<'a> {
    Host(&'a [Pair<'a>]),
    Given(&'a [(&'a str, &'a str)]),
}

impl<'a> Settings<'a> {
    pub(crate) fn from_host(pairs: &'a [Pair<'a>]) -> Settings<'a> {
        Settings { pairs: Pairs::Host(pairs) }
    }

    /// Settings as the host would hand them over, for the tests of a plugin: durations as nanoseconds, sizes
    /// as bytes.
    pub const fn of(pairs: &'a [(&'a str, &'a str)]) -> Settings<'a> {
        Settings { pairs: Pairs::Given(pairs) }
    }

    /// The value of a property that is required or has a default.
    ///
    /// # Errors
    /// BAD_REQUEST if the property has no value, or none of the type that is asked for.
    pub fn get<T: Setting<'a>>(&self, name: &str) -> Result<T, Failure> {
        self.find(name)?
            .ok_or_else(|| Failure::bad_request(format!("property {name:?} has no value; set it")))
    }

    /// The value of a property that may be absent.
    ///
    /// # Errors
    /// BAD_REQUEST if the value is not of the type that is asked for.
    pub fn find<T: Setting<'a>>(&self, name: &str) -> Result<Option<T>, Failure> {
        let Some((_, text)) = self.iter().find(|(given, _)| *given == name) else { return Ok(None) };
        match T::from_text(text) {
            Some(value) => Ok(Some(value)),
            None => {
                Err(Failure::bad_request(format!("the value of property {name:?} is not {}", T::EXPECTED)))
            }
        }
    }

    /// The properties that start with a declared prefix: what follows the prefix, and the value.
    pub fn with_prefix(&self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.iter().filter_map(move |(name, value)| Some((name.strip_prefix(prefix)?, value)))
    }

    /// All names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let (host, given) = match self.pairs {
            Pairs::Host(pairs) => (pairs, &[][..]),
            Pairs::Given(pairs) => (&[][..], pairs),
        };
        // The host sends UTF-8 only; a pair that is not cannot have been asked for.
        let host = host.iter().filter_map(|pair| Some((text_of(pair.name)?, text_of(pair.value)?)));
        host.chain(given.iter().copied())
    }
}

/// A type that a property's value can be read as.
pub trait Setting<'a>: Sized {
    /// What is expected, for messages: `a whole number`.
    const EXPECTED: &'static str;

    /// Reads the text of the host. `None` if it cannot be read as this type.
    fn from_text(text: &'a str) -> Option<Self>;
}

impl<'a> Setting<'a> for &'a str {
    const EXPECTED: &'static str = "text";
    fn from_text(text: &'a str) -> Option<Self> {
        Some(text)
    }
}

impl<'a> Setting<'a> for String {
    const EXPECTED: &'static str = "text";
    fn from_text(text: &'a str) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl<'a> Setting<'a> for PathBuf {
    const EXPECTED: &'static str = "a path";
    fn from_text(text: &'a str) -> Option<Self> {
        Some(PathBuf::from(text))
    }
}

impl<'a> Setting<'a> for bool {
    const EXPECTED: &'static str = "true or false";
    fn from_text(text: &'a str) -> Option<Self> {
        match text {
            _ if text.eq_ignore_ascii_case("true") => Some(true),
            _ if text.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        }
    }
}

/// Of a duration property, which the host hands over in nanoseconds.
impl<'a> Setting<'a> for Duration {
    const EXPECTED: &'static str = "a duration in nanoseconds";
    fn from_text(text: &'a str) -> Option<Self> {
        text.parse().ok().map(Duration::from_nanos)
    }
}

macro_rules! number_settings {
    ($($number:ty = $expected:literal),+ $(,)?) => {$(
        impl<'a> Setting<'a> for $number {
            const EXPECTED: &'static str = $expected;
            fn from_text(text: &'a str) -> Option<Self> {
                text.parse().ok()
            }
        }
    )+};
}

number_settings! {
    u16 = "a whole number from 0 to 65535",
    u32 = "a whole number from 0 to 4294967295",
    u64 = "a whole number of at least 0",
    usize = "a whole number of at least 0",
    i32 = "a whole number",
    i64 = "a whole number",
    f64 = "a number",
}

/// The value of a list of hosts: `a,b:6380,[::1]:6381`.
#[derive(Clone, Copy, Debug)]
pub struct Hosts<'a>(&'a str);

impl<'a> Hosts<'a> {
    /// Each host with its port; `default_port` where none is given. Brackets of an IPv6 address are taken
    /// off.
    pub fn iter(self, default_port: u16) -> impl Iterator<Item = (&'a str, u16)> {
        self.0.split(',').map(str::trim).filter(|host| !host.is_empty()).map(move |host| {
            let (name, port) = split_port(host).unwrap_or((host, None));
            (name, port.unwrap_or(default_port))
        })
    }
}

impl<'a> Setting<'a> for Hosts<'a> {
    const EXPECTED: &'static str = "a list of host[:port], separated by commas";
    fn from_text(text: &'a str) -> Option<Self> {
        let mut hosts = text.split(',').map(str::trim).filter(|host| !host.is_empty()).peekable();
        hosts.peek()?;
        hosts.all(|host| split_port(host).is_some()).then_some(Hosts(text))
    }
}

fn split_port(host: &str) -> Option<(&str, Option<u16>)> {
    if let Some(rest) = host.strip_prefix('[') {
        let (address, port) = rest.split_once(']')?;
        return match port.strip_prefix(':') {
            Some(port) => Some((address, Some(port.parse().ok()?))),
            None if port.is_empty() => Some((address, None)),
            None => None,
        };
    }
    match host.split_once(':') {
        // More than one colon is an IPv6 address without brackets.
        Some((_, port)) if port.contains(':') => Some((host, None)),
        Some((name, port)) => Some((name, Some(port.parse().ok()?))),
        None => Some((host, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIVEN: Settings<'static> = Settings::of(&[
        ("size", "4096"),
        ("wait", "1500000000"),
        ("on", "TRUE"),
        ("opt.a", "1"),
        ("opt.b.c", "2"),
        ("hosts", "a, b:6380,[::1]:6381,::2"),
        ("bad.hosts", "a:port"),
    ]);

    #[test]
    fn values_are_read_by_type() {
        assert_eq!(GIVEN.get::<u64>("size").unwrap(), 4096);
        assert_eq!(GIVEN.get::<Duration>("wait").unwrap(), Duration::from_millis(1500));
        assert!(GIVEN.get::<bool>("on").unwrap());
        assert_eq!(GIVEN.find::<&str>("absent").unwrap(), None);
    }

    #[test]
    fn a_missing_or_wrong_value_names_the_property() {
        let missing = GIVEN.get::<u64>("absent").unwrap_err();
        assert_eq!(missing.text(), "property \"absent\" has no value; set it");
        let wrong = GIVEN.get::<u16>("wait").unwrap_err();
        assert_eq!(wrong.text(), "the value of property \"wait\" is not a whole number from 0 to 65535");
    }

    #[test]
    fn prefixed_properties_come_without_their_prefix() {
        assert_eq!(GIVEN.with_prefix("opt.").collect::<Vec<_>>(), [("a", "1"), ("b.c", "2")]);
    }

    #[test]
    fn hosts_are_split_into_name_and_port() {
        let hosts: Hosts<'_> = GIVEN.get("hosts").unwrap();
        let hosts: Vec<_> = hosts.iter(6379).collect();
        assert_eq!(hosts, [("a", 6379), ("b", 6380), ("::1", 6381), ("::2", 6379)]);
        assert!(GIVEN.get::<Hosts<'_>>("bad.hosts").is_err());
    }
}
