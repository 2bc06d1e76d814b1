//! Operations as an author sees them: borrowed views that end with the operation.

use crate::Deadline;
use crate::abi::abi_stable::std_types::RStr;
use crate::abi::{Field, Row as AbiRow};
use crate::border::{OpRef, name_and_value, slice_of};

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<'a>(pub(crate) OpRef<'a>);

        impl<'a> $name<'a> {
            /// The table.
            #[inline]
            pub fn table(self) -> &'a str {
                self.0.table()
            }

            /// The key.
            #[inline]
            pub fn key(self) -> &'a str {
                self.0.key()
            }

            /// When the answer stops being of use.
            #[inline]
            pub fn deadline(self) -> Deadline {
                Deadline::at_ns(self.0.deadline_ns())
            }
        }
    )+};
}

operations! {
    /// Read one record.
    Read,
    /// Read records in key order from [`Scan::key`] on.
    Scan,
    /// Update: change the named fields, keep the others. Insert: this is the whole record.
    Write,
    /// Remove one record.
    Delete,
}

impl<'a> Read<'a> {
    /// The fields that are wanted.
    #[inline]
    pub fn select(self) -> Select<'a> {
        Select(self.0.select())
    }
}

impl<'a> Scan<'a> {
    /// The fields that are wanted.
    #[inline]
    pub fn select(self) -> Select<'a> {
        Select(self.0.select())
    }

    /// The largest number of rows wanted.
    #[inline]
    pub fn limit(self) -> usize {
        usize::try_from(self.0.limit()).unwrap_or(usize::MAX)
    }
}

impl<'a> Write<'a> {
    /// The fields to write.
    #[inline]
    pub fn values(self) -> Values<'a> {
        Values(self.0.fields())
    }
}

/// The fields that a read or scan wants.
#[derive(Clone, Copy)]
pub struct Select<'a>(&'a [RStr<'a>]);

impl<'a> Select<'a> {
    /// Whether every field of the record is wanted.
    #[inline]
    pub fn is_all(self) -> bool {
        self.0.is_empty()
    }

    /// Whether a field of this name is wanted.
    #[inline]
    pub fn wants(self, name: &str) -> bool {
        self.is_all() || self.0.iter().any(|wanted| wanted.as_str() == name)
    }

    /// The names, none if [all](Select::is_all) are wanted.
    pub fn iter(self) -> impl ExactSizeIterator<Item = &'a str> {
        self.0.iter().map(|name| name.as_str())
    }

    /// How many names there are; 0 if [all](Select::is_all) are wanted.
    #[expect(clippy::len_without_is_empty, reason = "an empty list means all fields: `is_all`")]
    pub fn len(self) -> usize {
        self.0.len()
    }
}

/// Fields to write: names and values.
#[derive(Clone, Copy)]
pub struct Values<'a>(&'a [Field<'a>]);

impl<'a> Values<'a> {
    /// Each name with its value, which may be any bytes, in the order of the workload.
    #[inline]
    pub fn iter(self) -> impl ExactSizeIterator<Item = (&'a str, &'a [u8])> {
        self.0.iter().map(name_and_value)
    }

    /// The value of a field.
    pub fn get(self, name: &str) -> Option<&'a [u8]> {
        self.iter().find(|(given, _)| *given == name).map(|(_, value)| value)
    }

    /// Number of fields.
    #[inline]
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Whether there are no fields.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}

/// A record of a [`Batch`](crate::Batch).
#[derive(Clone, Copy)]
pub struct Record<'a>(pub(crate) &'a AbiRow<'a>);

impl<'a> Record<'a> {
    /// The key.
    #[inline]
    pub fn key(self) -> &'a str {
        self.0.key.as_str()
    }

    /// All fields of the record.
    #[inline]
    pub fn values(self) -> Values<'a> {
        Values(slice_of(self.0.fields))
    }
}
