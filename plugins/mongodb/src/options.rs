//! What becomes of the options of `mongodb.url`: YCSB's driver ignores what it does not know, this one refuses it, so old
//! URLs are gone through before.

use crate::url::Url;
use std::time::Duration;
use ycsb_plugin_api::Failure;

/// What the driver takes as it is, as it is usually written.
const KNOWN: &[&str] = &[
    "appName",
    "authMechanism",
    "authMechanismProperties",
    "authSource",
    "connectTimeoutMS",
    "directConnection",
    "heartbeatFrequencyMS",
    "journal",
    "loadBalanced",
    "localThresholdMS",
    "maxConnecting",
    "maxIdleTimeMS",
    "maxPoolSize",
    "maxStalenessSeconds",
    "minPoolSize",
    "readConcernLevel",
    "readPreference",
    "readPreferenceTags",
    "replicaSet",
    "retryReads",
    "retryWrites",
    "serverMonitoringMode",
    "serverSelectionTimeoutMS",
    "srvMaxHosts",
    "srvServiceName",
    "ssl",
    "tls",
    "tlsAllowInvalidCertificates",
    "tlsCAFile",
    "tlsCertificateKeyFile",
    "tlsInsecure",
    "w",
    "wTimeoutMS",
];

/// What was found out while going through the options.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Treated {
    /// `socketTimeoutMS`: a limit on every operation.
    pub(crate) operation_limit: Option<Duration>,
    /// One line for each thing that people should know.
    pub(crate) notes: Vec<String>,
}

/// The deprecated properties, and the options that they stand for. An option of the URL always wins.
pub(crate) fn add_deprecated(
    url: &mut Url,
    notes: &mut Vec<String>,
    max_connections: Option<&str>,
    write_concern: Option<&str>,
    read_preference: Option<&str>,
) {
    let word = |value: Option<&str>| {
        value.map(str::to_lowercase).filter(|value| !value.is_empty() && value != "n/a")
    };
    let add = |url: &mut Url, name: &str, value: &str| {
        if url.option(name).is_none() {
            url.add(name, value);
        }
    };
    if let Some(count) = word(max_connections) {
        add(url, "maxPoolSize", &count);
    }
    if let Some(given) = word(write_concern) {
        match given.as_str() {
            "errors_ignored" | "unacknowledged" => add(url, "w", "0"),
            "acknowledged" => add(url, "w", "1"),
            "journaled" => add(url, "journal", "true"),
            "replica_acknowledged" => add(url, "w", "2"),
            "majority" => add(url, "w", "majority"),
            _ => notes.push(format!(
                "mongodb.writeConcern: {given:?} is none of errors_ignored, unacknowledged, acknowledged, journaled, \
                 replica_acknowledged and majority, and is ignored as in YCSB; better set w= in mongodb.url"
            )),
        }
    }
    if let Some(given) = word(read_preference) {
        match given.as_str() {
            "primary" | "secondary" | "nearest" => add(url, "readPreference", &given),
            "primary_preferred" => add(url, "readPreference", "primaryPreferred"),
            "secondary_preferred" => add(url, "readPreference", "secondaryPreferred"),
            _ => notes.push(format!(
                "mongodb.readPreference: {given:?} is none of primary, primary_preferred, secondary, secondary_preferred and \
                 nearest, and is ignored as in YCSB; better set readPreference= in mongodb.url"
            )),
        }
    }
}

/// Goes through all options: honours, drops or refuses those that the driver does not take.
///
/// # Errors
/// BAD_REQUEST for unacknowledged writes and for names that nobody knows.
pub(crate) fn treat(url: &mut Url) -> Result<Treated, Failure> {
    let mut treated = Treated::default();
    let mut kept: Vec<(String, String)> = Vec::new();
    let has_journal = url.option("journal").is_some();
    for (name, value) in url.options() {
        let mut drop_it =
            |why: &str| treated.notes.push(format!("mongodb.url: {name}={value} has no effect: {why}"));
        match name.to_ascii_lowercase().as_str() {
            "w" if value == "0" => return Err(unacknowledged()),
            "safe" if value.eq_ignore_ascii_case("false") => return Err(unacknowledged()),
            "safe" => drop_it("writes are acknowledged anyway"),
            "j" if has_journal => drop_it("journal is given too"),
            "j" => keep(&mut kept, "journal", value),
            "waitqueuemultiple" => {
                drop_it("a client waits for a connection as long as its operation may take")
            }
            "waitqueuetimeoutms" => {
                drop_it("a client waits for a connection as long as its operation may take")
            }
            "slaveok" => drop_it("set readPreference=secondaryPreferred instead"),
            "uuidrepresentation" => drop_it("no UUIDs are sent"),
            "compressors" | "zlibcompressionlevel" => drop_it("this build compresses nothing"),
            "sockettimeoutms" => treated.operation_limit = operation_limit(value)?,
            "tlscertificatekeyfilepassword" => {
                return Err(Failure::bad_request(
                    "mongodb.url: tlsCertificateKeyFilePassword is not supported; give a key file without a password",
                ));
            }
            "readpreferencetags" => kept.push((name.clone(), value.clone())),
            lower => match KNOWN.iter().find(|known| known.eq_ignore_ascii_case(lower)) {
                Some(known) => keep(&mut kept, known, value),
                None => return Err(unknown(name)),
            },
        }
    }
    url.set_options(kept);
    Ok(treated)
}

/// The last of several options of one name counts, in the place of the first.
fn keep(kept: &mut Vec<(String, String)>, name: &str, value: &str) {
    match kept.iter_mut().find(|(given, _)| given.eq_ignore_ascii_case(name)) {
        Some((_, old)) => value.clone_into(old),
        None => kept.push((name.to_owned(), value.to_owned())),
    }
}

fn operation_limit(value: &str) -> Result<Option<Duration>, Failure> {
    match value.parse::<u64>() {
        Ok(0) => Ok(None),
        Ok(limit_ms) => Ok(Some(Duration::from_millis(limit_ms))),
        Err(_) => Err(Failure::bad_request(format!(
            "mongodb.url: socketTimeoutMS={value} is no number of milliseconds"
        ))),
    }
}

fn unacknowledged() -> Failure {
    Failure::bad_request(
        "unacknowledged writes (w=0, safe=false, or mongodb.writeConcern=unacknowledged or errors_ignored) are not \
         supported by MongoDB's driver; use w=1",
    )
}

fn unknown(name: &str) -> Failure {
    let lower = name.to_ascii_lowercase();
    let also = ["socketTimeoutMS", "compressors", "uuidRepresentation"];
    let nearest = KNOWN
        .iter()
        .chain(&also)
        .map(|known| (strsim::osa_distance(&known.to_ascii_lowercase(), &lower), *known))
        .min()
        .filter(|(distance, known)| *distance <= known.len() / 3);
    let hint = nearest.map(|(_, known)| format!(" (did you mean {known:?}?)")).unwrap_or_default();
    Failure::bad_request(format!("mongodb.url: unknown option {name:?}{hint}; correct or remove it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn treated(text: &str) -> Result<(String, Treated), String> {
        let mut url = Url::parse(text).ok().unwrap();
        treat(&mut url).map(|treated| (url.text(), treated)).map_err(|failure| failure.text().to_owned())
    }

    #[test]
    fn what_old_urls_contain_is_dropped_with_a_note() {
        let text = "mongodb://h/?waitQueueMultiple=3&slaveOk=true&safe=true&uuidRepresentation=standard&waitQueueTimeoutMS=5\
                    &compressors=zlib&zlibCompressionLevel=3&w=1";
        let (url, treated) = treated(text).unwrap();
        assert_eq!(url, "mongodb://h/?w=1");
        assert_eq!(treated.notes.len(), 7);
        assert!(
            treated.notes[0].starts_with("mongodb.url: waitQueueMultiple=3 has no effect"),
            "{treated:?}"
        );
    }

    #[test]
    fn j_becomes_journal_unless_that_is_there() {
        assert_eq!(treated("mongodb://h/?j=true").unwrap().0, "mongodb://h/?journal=true");
        assert_eq!(treated("mongodb://h/?journal=false&j=true").unwrap().0, "mongodb://h/?journal=false");
        assert_eq!(treated("mongodb://h/?j=true&journal=false").unwrap().0, "mongodb://h/?journal=false");
    }

    #[test]
    fn of_an_option_given_twice_the_last_one_counts_but_for_tags() {
        assert_eq!(
            treated("mongodb://h/?maxpoolsize=1&w=1&maxPoolSize=9").unwrap().0,
            "mongodb://h/?maxPoolSize=9&w=1"
        );
        let tags = "mongodb://h/?readPreferenceTags=dc:ny&readPreferenceTags=dc:sf";
        assert_eq!(treated(tags).unwrap().0, tags);
    }

    #[test]
    fn the_socket_timeout_limits_operations() {
        let (url, treated) = treated("mongodb://h/?socketTimeoutMS=1500").unwrap();
        assert_eq!(
            (url.as_str(), treated.operation_limit),
            ("mongodb://h/", Some(Duration::from_millis(1500)))
        );
        assert_eq!(self::treated("mongodb://h/?socketTimeoutMS=0").unwrap().1.operation_limit, None);
        assert!(self::treated("mongodb://h/?socketTimeoutMS=1s").is_err());
    }

    #[test]
    fn unacknowledged_writes_are_refused_with_a_way_on() {
        for text in ["mongodb://h/?w=0", "mongodb://h/?safe=false"] {
            assert!(treated(text).unwrap_err().ends_with("use w=1"));
        }
    }

    #[test]
    fn an_unknown_option_is_refused_with_the_nearest_known_one() {
        assert!(
            treated("mongodb://h/?retryWrite=true").unwrap_err().contains("did you mean \"retryWrites\"?")
        );
        assert!(
            treated("mongodb://h/?socketTimeout=1")
                .unwrap_err()
                .contains("did you mean \"socketTimeoutMS\"?")
        );
        assert!(!treated("mongodb://h/?zzzzzzzz=1").unwrap_err().contains("did you mean"));
    }

    /// Effective options of a URL in the sense of this driver, names in lower case, sorted.
    fn effective(mut url: Url) -> Result<Vec<(String, String)>, String> {
        treat(&mut url).map_err(|failure| failure.text().to_owned())?;
        let mut options: Vec<_> =
            url.options().iter().map(|(name, value)| (name.to_ascii_lowercase(), value.clone())).collect();
        options.sort();
        Ok(options)
    }

    #[test]
    fn the_deprecated_properties_give_the_options_that_ycsb_makes_of_them() {
        // Where YCSB searches the text of the whole URL instead of its options, this crate does not follow.
        let other = [
            ("mongodb://h:27017/?maxpoolsize=1", "mongodb://h:27017/?maxpoolsize=1"),
            ("mongodb://u:pw=1@h:27017/", "mongodb://u:pw=1@h:27017/?w=majority"),
        ];
        let rows = include_str!("../tests/golden/mongodb_url_options.csv").lines().skip(1);
        let mut checked = 0;
        for row in rows {
            let [given, property, value, resulting]: [&str; 4] =
                row.split(',').collect::<Vec<_>>().try_into().unwrap();
            let resulting = other.iter().find(|(url, _)| *url == given).map_or(resulting, |(_, ours)| ours);
            let mut url = Url::parse(given).ok().unwrap();
            let [mut connections, mut concern, mut preference] = [None; 3];
            match property {
                "mongodb.maxconnections" => connections = Some(value),
                "mongodb.writeConcern" => concern = Some(value),
                "mongodb.readPreference" => preference = Some(value),
                "all four set" => {
                    let [first, _, third, fourth]: [&str; 4] =
                        value.split('|').collect::<Vec<_>>().try_into().unwrap();
                    (connections, concern, preference) = (Some(first), Some(third), Some(fourth));
                }
                _ => assert!(
                    matches!(property, "" | "mongodb.threadsAllowedToBlockForConnectionMultiplier"),
                    "{row}"
                ),
            }
            add_deprecated(&mut url, &mut Vec::new(), connections, concern, preference);
            assert_eq!(effective(url), effective(Url::parse(resulting).ok().unwrap()), "{row}");
            checked += 1;
        }
        assert_eq!(checked, 28);
    }

    #[test]
    fn an_unrecognised_word_is_ignored_as_in_ycsb_but_said() {
        let mut url = Url::parse("mongodb://h/").ok().unwrap();
        let mut notes = Vec::new();
        add_deprecated(&mut url, &mut notes, Some(""), Some("fsynced"), Some("secondaryPreferred"));
        assert_eq!((url.text().as_str(), notes.len()), ("mongodb://h/", 2));
    }
}
