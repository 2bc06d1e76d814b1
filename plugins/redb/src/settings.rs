//! The properties, and where the file is if nobody says.

use std::env;
use std::path::PathBuf;
use ycsb_plugin_api::{Failure, Property, Settings};

/// Every property, declared once.
pub(crate) const PROPERTIES: &[Property] = &[
    Property::file("redb.path").help(
        "The database file. Without it ycsb-host/usertable.redb in the user's data folder, $XDG_DATA_HOME \
         or ~/.local/share; the folder is made if need be.",
    ),
    Property::one_of("redb.durability", &["none", "batch", "immediate"]).default("none").help(
        "When writes reach the disk: none at the end of the phase, batch after every redb.batch.writes \
         writes, immediate before each write is acknowledged. A process that is killed loses what came \
         since.",
    ),
    Property::integer("redb.batch.writes")
        .default("1000")
        .allowed("1..4294967295")
        .help("Writes from one durable commit to the next with redb.durability=batch."),
    Property::bytes("redb.cache")
        .default("128MiB")
        .allowed("1MiB..")
        .help("Memory for pages, clean and dirty, that redb may take."),
];

/// When writes reach the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhenDurable {
    /// When the phase ends.
    AtEnd,
    /// When so many writes are not on the disk.
    AfterWrites(u64),
    /// Before a write is acknowledged.
    AtOnce,
}

/// What `open` was told.
pub(crate) struct Options {
    pub(crate) path: PathBuf,
    /// Nobody named the path: its folder is made if need be.
    pub(crate) default_path: bool,
    pub(crate) durable: WhenDurable,
    pub(crate) cache_bytes: usize,
}

impl Options {
    /// Reads the settings.
    pub(crate) fn read(settings: &Settings<'_>) -> Result<Options, Failure> {
        let given: Option<PathBuf> = settings.find("redb.path")?;
        let default_path = given.is_none();
        let path = match given {
            Some(path) => path,
            None => default_path_of(&|name| env::var_os(name).map(PathBuf::from))?,
        };
        Ok(Options {
            // The report names a place that means the same from every folder.
            path: std::path::absolute(&path).unwrap_or(path),
            default_path,
            durable: match settings.get("redb.durability")? {
                "immediate" => WhenDurable::AtOnce,
                "batch" => WhenDurable::AfterWrites(settings.get("redb.batch.writes")?),
                _ => WhenDurable::AtEnd,
            },
            cache_bytes: settings.get("redb.cache")?,
        })
    }
}

/// The file in the user's data folder; relative folders do not count, as the base directory specification
/// says.
fn default_path_of(variable: &dyn Fn(&str) -> Option<PathBuf>) -> Result<PathBuf, Failure> {
    let absolute = |name| variable(name).filter(|path| path.is_absolute());
    let folder = absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")));
    let folder = folder.ok_or_else(|| {
        Failure::bad_request("neither XDG_DATA_HOME nor HOME names a folder for the database; set redb.path")
    })?;
    Ok(folder.join("ycsb-host/usertable.redb"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(data_home: Option<&str>, home: Option<&str>) -> Result<PathBuf, Failure> {
        default_path_of(&|name| match name {
            "XDG_DATA_HOME" => data_home.map(PathBuf::from),
            _ => home.map(PathBuf::from),
        })
    }

    #[test]
    fn the_default_file_is_in_the_users_data_folder() {
        let of = |data_home, home| path(data_home, home).unwrap();
        let (named, usual) = ("/data/ycsb-host/usertable.redb", "/u/.local/share/ycsb-host/usertable.redb");
        assert_eq!(of(Some("/data"), Some("/u")), PathBuf::from(named));
        assert_eq!(of(None, Some("/u")), PathBuf::from(usual));
        assert_eq!(of(Some("relative"), Some("/u")), PathBuf::from(usual));
    }

    #[test]
    fn without_a_data_folder_the_path_has_to_be_given() {
        assert!(path(Some(""), None).unwrap_err().text().contains("set redb.path"));
    }
}
