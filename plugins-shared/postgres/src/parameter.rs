//! Values of a statement, in PostgreSQL's binary format.

use bytes::{BufMut, BytesMut};

/// A value of a statement. Text, `varchar` and `bytea` are the same in binary: their bytes.
#[derive(Clone, Copy)]
pub enum Parameter<'a> {
    /// `text`, `varchar` or `bytea`.
    Bytes(&'a [u8]),
    /// `bigint`.
    Integer(i64),
    /// `jsonb`, as JSON text.
    Json(&'a [u8]),
    /// A one-dimensional array.
    Array(Array<'a>),
}

/// A one-dimensional array without NULLs.
#[derive(Clone, Copy)]
pub struct Array<'a> {
    kind: u32,
    elements: &'a [&'a [u8]],
}

impl<'a> Array<'a> {
    /// `text[]`.
    pub fn of_text(elements: &'a [&'a [u8]]) -> Array<'a> {
        Array { kind: 25, elements }
    }

    /// `bytea[]`.
    pub fn of_bytes(elements: &'a [&'a [u8]]) -> Array<'a> {
        Array { kind: 17, elements }
    }
}

impl Parameter<'_> {
    pub(crate) fn write(self, out: &mut BytesMut) {
        match self {
            Parameter::Bytes(bytes) => out.put_slice(bytes),
            Parameter::Integer(number) => out.put_i64(number),
            Parameter::Json(text) => {
                // The version of the format.
                out.put_u8(1);
                out.put_slice(text);
            }
            Parameter::Array(Array { kind, elements }) => {
                out.put_i32(i32::from(!elements.is_empty()));
                out.put_i32(0);
                out.put_u32(kind);
                if !elements.is_empty() {
                    out.put_i32(length(elements.len()));
                    out.put_i32(1);
                }
                for element in elements {
                    out.put_i32(length(element.len()));
                    out.put_slice(element);
                }
            }
        }
    }
}

/// Longer ones do not fit into a message either, whose length is checked when it is complete.
fn length(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}
