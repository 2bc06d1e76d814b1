//! URLs as Java's driver and libpq write them.

use crate::SslMode;
use crate::target::{Credentials, Target};
use percent_encoding::percent_decode_str;
use std::path::PathBuf;
use std::time::Duration;
use ycsb_plugin_api::{Failure, Host};
use ycsb_plugin_common::Endpoint;

const DEFAULT_PORT: u16 = 5432;

/// Options of Java's driver that change nothing here.
const WITHOUT_EFFECT: &[&str] = &[
    "reWriteBatchedInserts",
    "prepareThreshold",
    "preparedStatementCacheQueries",
    "preparedStatementCacheSizeMiB",
    "binaryTransfer",
    "defaultRowFetchSize",
    "tcpKeepAlive",
];

/// Reads one URL, or several that are separated by `;`. Values in a URL win over `credentials`. Options without
/// effect are named once.
///
/// # Errors
/// BAD_REQUEST, with the property that the URL came from; the URL itself may hold a password and is not shown.
pub fn parse_urls(
    property: &'static str,
    text: &str,
    credentials: &Credentials,
    host: Host,
) -> Result<Vec<Target>, Failure> {
    let mut ignored = Vec::new();
    let urls = text.split(';').map(str::trim).filter(|url| !url.is_empty());
    let targets = urls
        .map(|url| parse_url(url, credentials, &mut ignored))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|reason| Failure::bad_request(format!("{property}: {reason}")))?;
    if targets.is_empty() {
        return Err(Failure::bad_request(format!(
            "{property} is empty; give jdbc:postgresql://HOST:PORT/DATABASE"
        )));
    }
    ignored.sort_unstable();
    ignored.dedup();
    if !ignored.is_empty() {
        host.info(format!("{property}: accepted without effect: {}", ignored.join(", ")));
    }
    Ok(targets)
}

/// Refuses a URL or a driver class of another database.
///
/// # Errors
/// BAD_REQUEST, naming the engine.
pub fn reject_other_engines(url: &str, driver: Option<&str>) -> Result<(), Failure> {
    if let Some(engine) = url.strip_prefix("jdbc:").and_then(|rest| rest.split(':').next())
        && engine != "postgresql"
    {
        return Err(Failure::bad_request(format!(
            "the URL is for {engine}; this binding speaks to PostgreSQL alone: give jdbc:postgresql://..."
        )));
    }
    match driver.map(str::trim) {
        None | Some("") => Ok(()),
        Some(driver) if driver.to_ascii_lowercase().contains("postgres") => Ok(()),
        Some(driver) => Err(Failure::bad_request(format!(
            "db.driver={driver} belongs to another database; this binding speaks to PostgreSQL alone: remove it"
        ))),
    }
}

fn parse_url<'a>(
    url: &'a str,
    credentials: &Credentials,
    ignored: &mut Vec<&'a str>,
) -> Result<Target, String> {
    let (rest, query) = url.split_once('?').unwrap_or((url, ""));
    let mut target = Target::with(credentials.clone());
    let (authority, database) = if let Some(rest) = rest.strip_prefix("jdbc:postgresql:") {
        match rest.strip_prefix("//") {
            Some(rest) => rest.split_once('/').unwrap_or((rest, "")),
            // Only the database, on this machine.
            None => ("", rest.strip_prefix('/').unwrap_or(rest)),
        }
    } else if let Some(rest) = rest.strip_prefix("postgres://").or_else(|| rest.strip_prefix("postgresql://"))
    {
        rest.split_once('/').unwrap_or((rest, ""))
    } else {
        return Err("not a PostgreSQL URL; give jdbc:postgresql://HOST:PORT/DATABASE".to_owned());
    };
    let (user_info, hosts) = match authority.rsplit_once('@') {
        Some((user_info, hosts)) => (Some(user_info), hosts),
        None => (None, authority),
    };
    if let Some(user_info) = user_info {
        let (user, password) = user_info.split_once(':').unwrap_or((user_info, ""));
        set_unless_empty(&mut target.credentials.user, decoded(user)?);
        set_unless_empty(&mut target.credentials.password, decoded(password)?);
    }
    target.endpoints = endpoints(hosts)?;
    target.database = Some(decoded(database)?).filter(|name| !name.is_empty());
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        set_option(&mut target, name, decoded(value)?, ignored)?;
    }
    Ok(target)
}

fn endpoints(hosts: &str) -> Result<Vec<Endpoint>, String> {
    if hosts.is_empty() {
        return Ok(vec![Endpoint::tcp("localhost", DEFAULT_PORT)]);
    }
    hosts.split(',').map(|host| endpoint(host.trim())).collect()
}

fn endpoint(text: &str) -> Result<Endpoint, String> {
    let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, rest)) => (host, rest.strip_prefix(':')),
        None => match text.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (text, None),
        },
    };
    let port = match port {
        None | Some("") => DEFAULT_PORT,
        Some(port) => port.parse().map_err(|_| format!("{port:?} is no port"))?,
    };
    let host = decoded(host)?;
    Ok(Endpoint::tcp(if host.is_empty() { "localhost".to_owned() } else { host }, port))
}

fn set_option<'a>(
    target: &mut Target,
    name: &'a str,
    value: String,
    ignored: &mut Vec<&'a str>,
) -> Result<(), String> {
    let seconds = || {
        let seconds: u64 =
            value.parse().map_err(|_| format!("{name}={value} is no whole number of seconds"))?;
        Ok::<_, String>((seconds > 0).then(|| Duration::from_secs(seconds)))
    };
    match name {
        "user" => set_unless_empty(&mut target.credentials.user, value),
        "password" => set_unless_empty(&mut target.credentials.password, value),
        "sslmode" => target.sslmode = value.parse()?,
        "ssl" if value.is_empty() || value.eq_ignore_ascii_case("true") => {
            target.sslmode = SslMode::VerifyFull
        }
        "ssl" => {}
        "sslrootcert" => target.root_certificate = Some(PathBuf::from(value)),
        "sslcert" => target.client_certificate = Some(PathBuf::from(value)),
        "sslkey" => target.client_key = Some(PathBuf::from(value)),
        "connectTimeout" | "connect_timeout" => target.connect_timeout = seconds()?,
        "loginTimeout" => target.login_timeout = seconds()?,
        "socketTimeout" => target.socket_timeout = seconds()?,
        "ApplicationName" | "application_name" => target.application_name = value,
        "currentSchema" => target.search_path = Some(value),
        "targetServerType" if value == "any" => ignored.push("targetServerType=any"),
        _ if WITHOUT_EFFECT.contains(&name) => ignored.push(name),
        _ => return Err(format!("option {name:?} of the URL is not known here; remove it")),
    }
    Ok(())
}

fn set_unless_empty(slot: &mut String, value: String) {
    if !value.is_empty() {
        *slot = value;
    }
}

fn decoded(text: &str) -> Result<String, String> {
    let text = percent_decode_str(text).decode_utf8().map_err(|_| "the URL is not UTF-8".to_owned())?;
    Ok(text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(url: &str) -> Result<Target, String> {
        let credentials = Credentials { user: "property".into(), password: "property".into() };
        parse_url(url, &credentials, &mut Vec::new())
    }

    fn place(url: &str) -> (Vec<String>, Option<String>) {
        let target = parse(url).unwrap();
        (target.endpoints.iter().map(ToString::to_string).collect(), target.database)
    }

    #[test]
    fn every_form_of_java_and_libpq_is_read() {
        let local = || vec!["localhost:5432".to_owned()];
        assert_eq!(place("jdbc:postgresql:ycsb"), (local(), Some("ycsb".into())));
        assert_eq!(place("jdbc:postgresql:/"), (local(), None));
        assert_eq!(place("jdbc:postgresql://db/"), (vec!["db:5432".into()], None));
        assert_eq!(place("jdbc:postgresql://db"), (vec!["db:5432".into()], None));
        let several = vec!["a:5432".into(), "b:5433".into(), "[::1]:5434".into()];
        assert_eq!(
            place("jdbc:postgresql://a,b:5433,[::1]:5434/y%20csb?ssl=true"),
            (several, Some("y csb".into()))
        );
        assert_eq!(place("postgres://me:x@db:1/ycsb"), (vec!["db:1".into()], Some("ycsb".into())));
        assert_eq!(place("postgresql://db/ycsb"), (vec!["db:5432".into()], Some("ycsb".into())));
    }

    #[test]
    fn what_the_url_says_wins_over_the_properties() {
        let target = parse("jdbc:postgresql://db/ycsb?user=u%40x&password=p%26q").unwrap();
        assert_eq!((target.credentials.user.as_str(), target.credentials.password.as_str()), ("u@x", "p&q"));
        let target = parse("postgresql://u:p@db/ycsb").unwrap();
        assert_eq!((target.credentials.user.as_str(), target.credentials.password.as_str()), ("u", "p"));
        let target = parse("jdbc:postgresql://db/ycsb").unwrap();
        assert_eq!(target.credentials.user, "property");
    }

    #[test]
    fn options_are_read() {
        let target = parse(
            "jdbc:postgresql://db/ycsb?sslmode=verify-ca&sslrootcert=/ca.pem&sslcert=/c.pem&sslkey=/k.pem\
             &connectTimeout=3&loginTimeout=4&socketTimeout=5&ApplicationName=bench&currentSchema=s",
        )
        .unwrap();
        assert_eq!(target.sslmode, SslMode::VerifyCa);
        assert_eq!(target.root_certificate, Some("/ca.pem".into()));
        assert_eq!(
            (target.client_certificate, target.client_key),
            (Some("/c.pem".into()), Some("/k.pem".into()))
        );
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(
            (target.connect_timeout, target.login_timeout, target.socket_timeout),
            (seconds(3), seconds(4), seconds(5))
        );
        assert_eq!((target.application_name.as_str(), target.search_path), ("bench", Some("s".into())));
        assert_eq!(parse("jdbc:postgresql://db/?ssl=true").unwrap().sslmode, SslMode::VerifyFull);
        assert_eq!(parse("jdbc:postgresql://db/?socketTimeout=0").unwrap().socket_timeout, None);
    }

    #[test]
    fn options_without_effect_are_collected_and_unknown_ones_refused() {
        let mut ignored = Vec::new();
        let url = "jdbc:postgresql://db/?reWriteBatchedInserts=true&prepareThreshold=1&targetServerType=any";
        parse_url(url, &Credentials::default(), &mut ignored).unwrap();
        assert_eq!(ignored, ["reWriteBatchedInserts", "prepareThreshold", "targetServerType=any"]);
        for (url, words) in [
            ("jdbc:postgresql://db/?targetServerType=primary", "\"targetServerType\""),
            ("jdbc:postgresql://db/?gssEncMode=x", "option \"gssEncMode\" of the URL is not known here"),
            ("jdbc:postgresql://db:port/", "\"port\" is no port"),
            ("jdbc:postgresql://db/?sslmode=full", "verify-full"),
            ("jdbc:postgresql://db/?socketTimeout=1s", "no whole number of seconds"),
            ("mysql://db/", "not a PostgreSQL URL"),
        ] {
            let refused = parse(url).unwrap_err();
            assert!(refused.contains(words), "{refused}");
        }
    }

    #[test]
    fn other_engines_are_named() {
        assert!(reject_other_engines("jdbc:postgresql://db/x", Some("org.postgresql.Driver")).is_ok());
        assert!(reject_other_engines("postgres://db/x", Some(" ")).is_ok());
        let url = reject_other_engines("jdbc:mysql://db/x", None).unwrap_err();
        assert!(url.text().starts_with("the URL is for mysql"), "{url}");
        let driver =
            reject_other_engines("jdbc:postgresql://db/x", Some("com.mysql.jdbc.Driver")).unwrap_err();
        assert!(driver.text().starts_with("db.driver=com.mysql.jdbc.Driver belongs to another database"));
    }
}
