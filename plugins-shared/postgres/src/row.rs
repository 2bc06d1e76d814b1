//! A row that came back, in place.

use postgres_protocol::message::backend::DataRowBody;
use ycsb_plugin_api::Failure;

/// The columns of a row, one after the other; a NULL is `None`.
pub struct Row<'a> {
    rest: &'a [u8],
}

impl<'a> Row<'a> {
    pub(crate) fn of(body: &'a DataRowBody) -> Row<'a> {
        Row { rest: body.buffer() }
    }

    /// A row that was kept with [`to_vec`](Row::to_vec).
    pub fn kept(bytes: &'a [u8]) -> Row<'a> {
        Row { rest: bytes }
    }

    /// The columns that have not been taken, to be kept beyond the answer.
    pub fn to_vec(&self) -> Vec<u8> {
        self.rest.to_vec()
    }

    /// The next column.
    ///
    /// # Errors
    /// ERROR if there is none, or if the row cannot be read.
    #[inline]
    pub fn column(&mut self) -> Result<Option<&'a [u8]>, Failure> {
        let (length, rest) = self.rest.split_first_chunk().ok_or_else(unreadable)?;
        self.rest = rest;
        let Ok(length) = usize::try_from(i32::from_be_bytes(*length)) else { return Ok(None) };
        let (value, rest) = self.rest.split_at_checked(length).ok_or_else(unreadable)?;
        self.rest = rest;
        Ok(Some(value))
    }

    /// The next column as text; a NULL is empty.
    ///
    /// # Errors
    /// As [`column`](Row::column), and for what is not UTF-8.
    pub fn text(&mut self) -> Result<&'a str, Failure> {
        Ok(std::str::from_utf8(self.column()?.unwrap_or_default())?)
    }

    /// The next column, one that cannot be NULL.
    ///
    /// # Errors
    /// As [`column`](Row::column), and for a NULL.
    #[inline]
    pub fn bytes(&mut self) -> Result<&'a [u8], Failure> {
        self.column()?.ok_or_else(unreadable)
    }
}

#[cold]
fn unreadable() -> Failure {
    Failure::error("a row of the server's answer cannot be read")
}
