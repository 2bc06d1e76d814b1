//! The properties of both bindings, and what they amount to.

use crate::options::{add_deprecated, treat};
use crate::url::Url;
use std::path::PathBuf;
use std::time::Duration;
use ycsb_plugin_api::{Failure, Property, Settings};

const DEFAULT_URL: &str = "mongodb://localhost:27017/ycsb?w=1";
const DEFAULT_DATABASE: &str = "ycsb";

/// Every property that the bindings read or accept.
pub(crate) const PROPERTIES: &[Property] = &[
    Property::url("mongodb.url")
        .default(DEFAULT_URL)
        .help("Connection string, with all options of the driver; the path names the database."),
    Property::text("mongodb.database").help("Database, instead of the one in the path of mongodb.url; neither = ycsb."),
    Property::text("mongodb.username").help("User, instead of the one in mongodb.url; needs mongodb.password."),
    Property::text("mongodb.password").secret().help("Password of mongodb.username."),
    Property::text("mongodb.authdb")
        .help("Database that knows the user, as authSource; with mongodb.username admin unless given."),
    Property::file("mongodb.tls_ca_file").help("PEM file of the certificate authorities to trust; turns TLS on."),
    Property::bool("mongodb.tls_skip_verify")
        .default("false")
        .help("Speak TLS, but check neither the certificate nor the host name."),
    Property::bool("mongodb.upsert").default("false").help("Inserts replace a record that exists."),
    Property::of_host("batchsize", &["mongodb.batchsize"]).help("Records per insert command."),
    Property::text("mongodb.maxconnections")
        .deprecated()
        .help("Adds maxPoolSize to mongodb.url unless it is there; n/a = unset. Use the option."),
    Property::text("mongodb.writeConcern").deprecated().help(
        "Adds w or journal to mongodb.url unless it is there: acknowledged, journaled, replica_acknowledged, majority; n/a = \
         unset. Use the options.",
    ),
    Property::text("mongodb.readPreference").deprecated().help(
        "Adds readPreference to mongodb.url unless it is there: primary, primary_preferred, secondary, secondary_preferred, \
         nearest; n/a = unset. Use the option.",
    ),
    Property::text("mongodb.threadsAllowedToBlockForConnectionMultiplier")
        .no_effect()
        .help("Current drivers have no such limit; each client has a connection."),
];

/// The properties, checked against each other. The URL holds the password.
pub(crate) struct Config {
    pub(crate) url: Url,
    pub(crate) database: String,
    pub(crate) upsert: bool,
    /// Longest time of an operation.
    pub(crate) operation_limit: Option<Duration>,
    /// What people should be told.
    pub(crate) notes: Vec<String>,
}

impl Config {
    /// Reads the settings.
    ///
    /// # Errors
    /// BAD_REQUEST for settings that contradict each other and for URL options that nobody knows.
    pub(crate) fn read(settings: &Settings<'_>) -> Result<Config, Failure> {
        let given: &str = settings.get("mongodb.url")?;
        let write_concern = settings.find("mongodb.writeConcern")?;
        // The default URL says w=1; who says nothing of the URL but names a write concern means that one.
        let text = match (given, write_concern) {
            (DEFAULT_URL, Some(_)) => "mongodb://localhost:27017/ycsb",
            (given, _) => given,
        };
        let mut url = Url::parse(text)?;
        let mut notes = Vec::new();
        add_deprecated(
            &mut url,
            &mut notes,
            settings.find("mongodb.maxconnections")?,
            write_concern,
            settings.find("mongodb.readPreference")?,
        );
        let treated = treat(&mut url)?;
        notes.extend(treated.notes);
        url.cut_path();
        let database = database(&url.database(), settings.find("mongodb.database")?)?;
        set_login(&mut url, settings)?;
        set_tls(&mut url, settings)?;
        Ok(Config {
            url,
            database,
            upsert: settings.get("mongodb.upsert")?,
            operation_limit: treated.operation_limit,
            notes,
        })
    }
}

/// The database, from the path of the URL and from the property. A path of `admin` is a habit that concerns
/// authentication only.
fn database(path: &str, property: Option<&str>) -> Result<String, Failure> {
    match (path, property) {
        (_, Some("")) => {
            Err(Failure::bad_request("mongodb.database is empty; name the database or remove it"))
        }
        ("" | "admin", Some(name)) => Ok(name.to_owned()),
        (path, Some(name)) if path != name => Err(Failure::bad_request(format!(
            "mongodb.database={name} contradicts the path of mongodb.url, {path:?}; remove one of them"
        ))),
        ("" | "admin", None) => Ok(DEFAULT_DATABASE.to_owned()),
        (path, _) => Ok(path.to_owned()),
    }
}

fn set_login(url: &mut Url, settings: &Settings<'_>) -> Result<(), Failure> {
    let (user, password): (Option<&str>, Option<&str>) =
        (settings.find("mongodb.username")?, settings.find("mongodb.password")?);
    let auth_database: Option<&str> = settings.find("mongodb.authdb")?;
    match (auth_database, url.decoded_option("authSource")) {
        (Some(property), Some(option)) if property != option => {
            return Err(Failure::bad_request(format!(
                "mongodb.authdb={property} contradicts authSource={option} in mongodb.url; remove one of them"
            )));
        }
        (Some(property), None) => url.add("authSource", property),
        (None, None) if user.is_some() => url.add("authSource", "admin"),
        _ => {}
    }
    match (user, password) {
        (None, None) => Ok(()),
        (Some(user), Some(password)) => {
            if url.login().is_some_and(|(name, secret)| {
                name != user || secret.as_deref().is_some_and(|s| s != password)
            }) {
                return Err(Failure::bad_request(
                    "mongodb.username and mongodb.password differ from the user in mongodb.url; remove one of them",
                ));
            }
            url.set_login(user, password);
            Ok(())
        }
        (Some(_), None) => Err(Failure::bad_request("mongodb.username needs mongodb.password")),
        (None, Some(_)) => Err(Failure::bad_request("mongodb.password needs mongodb.username")),
    }
}

fn set_tls(url: &mut Url, settings: &Settings<'_>) -> Result<(), Failure> {
    let file: Option<PathBuf> = settings.find("mongodb.tls_ca_file")?;
    let skip_verify: bool = settings.get("mongodb.tls_skip_verify")?;
    if file.is_none() && !skip_verify {
        return Ok(());
    }
    if [url.option("tls"), url.option("ssl")].contains(&Some("false")) {
        return Err(Failure::bad_request(
            "mongodb.tls_ca_file and mongodb.tls_skip_verify turn TLS on, but mongodb.url says tls=false; remove one of them",
        ));
    }
    if url.option("tls").is_none() && url.option("ssl").is_none() {
        url.add("tls", "true");
    }
    if skip_verify && url.option("tlsInsecure").is_none() {
        url.add("tlsInsecure", "true");
    }
    if let Some(file) = file {
        if std::fs::File::open(&file).is_err() {
            return Err(Failure::bad_request(format!(
                "mongodb.tls_ca_file: {} cannot be read",
                file.display()
            )));
        }
        let text = file.to_string_lossy();
        match url.decoded_option("tlsCAFile") {
            None => url.add("tlsCAFile", &text),
            Some(option) if option == text => {}
            Some(_) => {
                return Err(Failure::bad_request(
                    "mongodb.tls_ca_file differs from tlsCAFile in mongodb.url; remove one of them",
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(given: &[(&'static str, &'static str)]) -> Result<Config, String> {
        let defaults =
            [("mongodb.url", DEFAULT_URL), ("mongodb.tls_skip_verify", "false"), ("mongodb.upsert", "false")];
        let mut pairs = given.to_vec();
        pairs.extend(defaults.iter().filter(|(name, _)| given.iter().all(|(other, _)| other != name)));
        Config::read(&Settings::of(&pairs)).map_err(|failure| failure.text().to_owned())
    }

    fn url(given: &[(&'static str, &'static str)]) -> String {
        config(given).unwrap().url.text()
    }

    fn refused(given: &[(&'static str, &'static str)]) -> String {
        config(given).err().unwrap()
    }

    #[test]
    fn the_database_is_that_of_the_path_or_the_property_and_never_silently_another() {
        let database = |url: &'static str, property: Option<&'static str>| {
            let mut given = vec![("mongodb.url", url)];
            given.extend(property.map(|name| ("mongodb.database", name)));
            config(&given).map(|config| config.database)
        };
        assert_eq!(database("mongodb://h/db", None).unwrap(), "db");
        assert_eq!(database("mongodb://h/db.coll", None).unwrap(), "db");
        assert_eq!(database("mongodb://h/", None).unwrap(), "ycsb");
        assert_eq!(database("mongodb://h/admin", None).unwrap(), "ycsb");
        assert_eq!(database("mongodb://h/admin", Some("x")).unwrap(), "x");
        assert_eq!(database("mongodb://h", Some("admin")).unwrap(), "admin");
        assert_eq!(database("mongodb://h/db", Some("db")).unwrap(), "db");
        assert!(database("mongodb://h/db", Some("x")).unwrap_err().contains("contradicts the path"));
    }

    #[test]
    fn a_write_concern_property_replaces_that_of_the_default_url_only() {
        assert_eq!(url(&[]), DEFAULT_URL);
        assert_eq!(url(&[("mongodb.writeConcern", "majority")]), "mongodb://localhost:27017/ycsb?w=majority");
        let given = [("mongodb.url", "mongodb://h/?w=1"), ("mongodb.writeConcern", "majority")];
        assert_eq!(url(&given), "mongodb://h/?w=1");
    }

    #[test]
    fn a_login_given_by_properties_goes_to_admin_unless_told_otherwise() {
        let login =
            [("mongodb.url", "mongodb://h/db"), ("mongodb.username", "me"), ("mongodb.password", "a@b")];
        assert_eq!(url(&login), "mongodb://me:a%40b@h/db?authSource=admin");
        let elsewhere = [login[0], login[1], login[2], ("mongodb.authdb", "users")];
        assert_eq!(url(&elsewhere), "mongodb://me:a%40b@h/db?authSource=users");
        assert!(refused(&login[..2]).contains("needs mongodb.password"));
        let other = [("mongodb.url", "mongodb://you:hunter2@h/"), login[1], login[2]];
        let text = refused(&other);
        assert!(text.contains("differ from the user") && !text.contains("hunter2"), "{text}");
        let source =
            [("mongodb.url", "mongodb://h/?authSource=a"), login[1], login[2], ("mongodb.authdb", "b")];
        assert!(refused(&source).contains("contradicts authSource"));
    }

    #[test]
    fn an_authority_turns_tls_on_and_must_not_contradict_the_url() {
        let here = ("mongodb.tls_ca_file", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        let text = url(&[("mongodb.url", "mongodb://h/"), here]);
        assert!(text.starts_with("mongodb://h/?tls=true&tlsCAFile=%2F"), "{text}");
        assert!(refused(&[("mongodb.url", "mongodb://h/?tls=false"), here]).contains("tls=false"));
        assert!(refused(&[("mongodb.tls_ca_file", "/no/such.pem")]).contains("/no/such.pem cannot be read"));
        assert_eq!(
            url(&[("mongodb.url", "mongodb://h/"), ("mongodb.tls_skip_verify", "true")]),
            "mongodb://h/?tls=true&tlsInsecure=true"
        );
    }
}
