//! What redb's errors mean to the host.

use redb::Error;
use std::io;
use std::path::Path;
use ycsb_plugin_api::Failure;

/// Why an operation did not happen.
pub(crate) enum Failed {
    /// Nothing is wrong with the store.
    Refused(Failure),
    /// The store itself failed.
    Store(Error),
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Failed {
        Failed::Refused(failure)
    }
}

macro_rules! store_errors {
    ($($error:ident),+ $(,)?) => {$(
        impl From<redb::$error> for Failed {
            fn from(error: redb::$error) -> Failed {
                match Error::from(error) {
                    Error::ValueTooLarge(bytes) => Failed::Refused(Failure::bad_request(format!(
                        "a record of {bytes} bytes is more than redb takes"
                    ))),
                    error => Failed::Store(error),
                }
            }
        }
    )+};
}

store_errors!(CommitError, SetDurabilityError, StorageError, TableError, TransactionError);

/// What an error in the middle of a phase means.
pub(crate) fn of_operation(error: &Error) -> Failure {
    match error {
        Error::Io(error) => Failure::from_io(error),
        Error::Corrupted(_) | Error::LockPoisoned(_) => Failure::error(error),
        Error::PreviousIo | Error::DatabaseClosed => Failure::unavailable(error),
        _ => Failure::error(error),
    }
}

/// What an error of opening the file means, and what to do.
pub(crate) fn of_open(error: &Error, path: &Path) -> Failure {
    let path = path.display();
    match error {
        Error::DatabaseAlreadyOpen | Error::LockProtocolMismatch => Failure::unavailable(format!(
            "{path} is in use by another process, and redb serves one at a time; wait until it ends or choose \
             another redb.path"
        )),
        Error::UpgradeRequired(format) => Failure::unexpected_state(format!(
            "{path} has redb's old file format {format}; remove it and load again, or choose another redb.path"
        )),
        Error::Corrupted(_) | Error::RepairAborted => {
            Failure::unexpected_state(format!("{path} is damaged ({error}); remove it and load again"))
        }
        Error::Io(error) => of_open_io(error, &path.to_string()),
        _ => Failure::error(format!("{path}: {error}")),
    }
}

fn of_open_io(error: &io::Error, path: &str) -> Failure {
    use io::ErrorKind::*;
    match error.kind() {
        InvalidData => Failure::unexpected_state(format!(
            "{path} is not a redb database ({error}); choose another redb.path"
        )),
        PermissionDenied | ReadOnlyFilesystem => {
            Failure::forbidden(format!("{path} cannot be written ({error}); choose another redb.path"))
        }
        IsADirectory => Failure::bad_request(format!("redb.path {path} is a folder; name a file in it")),
        NotFound | NotADirectory => Failure::bad_request(format!(
            "the folder of redb.path {path} does not exist ({error}); make it or choose another redb.path"
        )),
        _ => Failure::from_io(error).context(path),
    }
}
