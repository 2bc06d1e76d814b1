//! Handles, and the two ways in which text and bytes are passed.

use abi_stable::StableAbi;
use abi_stable::std_types::{RSlice, RStr};
use core::ffi::c_void;

/// An opaque pointer that belongs to the side that made it. Never dereferenced by the other side.
#[repr(transparent)]
#[derive(StableAbi, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handle(pub *mut c_void);

impl Handle {
    /// The handle of nothing, as in a failed `open`.
    pub const NULL: Handle = Handle(core::ptr::null_mut());

    /// Whether this is [`Handle::NULL`].
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }
}

/// The bytes of a slice that came over the border, where NULL with length 0 means empty.
///
/// A plugin that is not written in Rust passes NULL for "no bytes"; turning that into a Rust slice as it
/// stands would be undefined behaviour, so both sides read foreign bytes through this function.
pub fn bytes_of<'a>(bytes: RSlice<'a, u8>) -> &'a [u8] {
    if bytes.is_empty() { &[] } else { bytes.as_slice() }
}

/// Text that a plugin handed over as bytes; `None` if it is not UTF-8.
pub fn text_of<'a>(bytes: RSlice<'a, u8>) -> Option<&'a str> {
    core::str::from_utf8(bytes_of(bytes)).ok()
}

/// Borrows bytes for the border.
pub fn as_bytes(bytes: &[u8]) -> RSlice<'_, u8> {
    RSlice::from_slice(bytes)
}

/// Borrows text for the border.
pub fn as_text(text: &str) -> RStr<'_> {
    RStr::from_str(text)
}
