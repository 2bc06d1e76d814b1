//! Where the rows of a read or scan go.

use crate::border::SinkRef;

/// Takes the rows that a read or scan returns.
///
/// A read names its fields with [`field`](Rows::field) alone; a scan starts each row with
/// [`row`](Rows::row). Hand over every row that the database returned: whether the host looks at the values
/// is no business of the plugin, and the host counts the rows of a scan.
pub struct Rows<'a> {
    sink: SinkRef<'a>,
    /// Whether the host looks at values.
    wanted: bool,
    /// The key of a read, whose only row starts by itself.
    implied_key: Option<&'a str>,
    count: u64,
}

impl<'a> Rows<'a> {
    #[inline]
    pub(crate) fn of_read(sink: SinkRef<'a>, key: &'a str) -> Rows<'a> {
        Rows { sink, wanted: sink.wants_values(), implied_key: Some(key), count: 0 }
    }

    #[inline]
    pub(crate) fn of_scan(sink: SinkRef<'a>) -> Rows<'a> {
        Rows { sink, wanted: sink.wants_values(), implied_key: None, count: 0 }
    }

    /// Starts a row of a scan, with its key; empty if the store does not return it. A read needs no call.
    #[inline]
    pub fn row(&mut self, key: impl AsRef<[u8]>) {
        self.count += 1;
        if self.wanted {
            self.implied_key = None;
            self.sink.row(key.as_ref());
        }
    }

    /// Adds a field to the row: its name and its value.
    #[inline]
    pub fn field(&mut self, name: impl AsRef<[u8]>, value: impl AsRef<[u8]>) {
        if self.wanted {
            self.start_implied_row();
            self.sink.field(name.as_ref(), value.as_ref());
        }
    }

    /// How many rows were started.
    #[inline]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// A read that found a record without wanted fields still returns a row.
    #[inline]
    pub(crate) fn finish_read(&mut self) {
        if self.wanted {
            self.start_implied_row();
        }
    }

    #[inline]
    fn start_implied_row(&mut self) {
        if let Some(key) = self.implied_key.take() {
            self.row(key);
        }
    }
}
