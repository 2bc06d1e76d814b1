//! Loads a library and fetches its checked root.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use ycsb_plugin_abi::abi_stable::library::{AbiHeaderRef, LibraryError, ROOT_MODULE_LOADER_NAME_WITH_NUL};
use ycsb_plugin_abi::abi_stable::std_types::RSlice;
use ycsb_plugin_abi::{ABI_VERSION, Manifest, RootRef};

/// A manifest as it came over the border.
pub(in crate::binding) type ManifestView = Manifest;
/// Bytes in static memory of a plugin.
pub(in crate::binding) type StaticBytes = RSlice<'static, u8>;

/// Why a library has no usable root.
pub(in crate::binding) enum RootError {
    Loader(String),
    NoSymbol,
    Interface { theirs: String, ours: String },
    Layout(String),
    Panicked,
}

/// Loads the library and checks symbol, interface version and layout, in this order.
pub(in crate::binding) fn root_of(path: &Path) -> Result<RootRef, RootError> {
    // A bare file name would make the dynamic loader search its own path instead of this folder.
    let absolute = std::path::absolute(path).map_err(|e| RootError::Loader(e.to_string()))?;
    let flags = libloading::os::unix::RTLD_NOW | libloading::os::unix::RTLD_LOCAL;
    // SAFETY: loading a plugin runs its constructors; the manual says that loading is running its code. The
    // file was checked to be a whole shared library for this machine.
    let library = unsafe { libloading::os::unix::Library::open(Some(absolute), flags) }
        .map_err(|error| RootError::Loader(chain(&error)))?;
    // Never unloaded: threads and thread-locals of a plugin outlive any safe point.
    let library = Box::leak(Box::new(library));
    let name = ROOT_MODULE_LOADER_NAME_WITH_NUL.as_bytes();
    // SAFETY: a library that has this symbol was made with abi_stable: the symbol's address is that of its
    // static header, which begins with a magic text and version that `upgrade` checks before anything else
    // is read. A header reference is that address.
    let header: AbiHeaderRef =
        *unsafe { library.get::<AbiHeaderRef>(name) }.map_err(|_| RootError::NoSymbol)?;
    let checked = catch_unwind(AssertUnwindSafe(|| {
        let header = header.upgrade().map_err(layout_error)?;
        let theirs = header.version_strings().version.as_str();
        if major(theirs) != major(ABI_VERSION) {
            return Err(RootError::Interface { theirs: major(theirs), ours: major(ABI_VERSION) });
        }
        header.init_root_module::<RootRef>().map_err(layout_error)
    }));
    checked.unwrap_or(Err(RootError::Panicked))
}

/// The number that has to be equal: the first that is not zero, with the zeros before it.
fn major(version: &str) -> String {
    let mut parts = version.split('.');
    match (parts.next(), parts.next()) {
        (Some("0"), Some(minor)) => format!("0.{minor}"),
        (Some(major), _) => major.to_owned(),
        (None, _) => String::new(),
    }
}

/// The checker's text runs over pages; what counts follows the last `Error:`.
fn layout_error(error: LibraryError) -> RootError {
    let text = error.to_string();
    let tail = text.rsplit("Error:").next().unwrap_or(&text);
    RootError::Layout(tail.split_whitespace().take(60).collect::<Vec<_>>().join(" "))
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let more = inner.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        source = inner.source();
    }
    text
}

/// The manifests of a library.
pub(in crate::binding) fn manifests(root: RootRef) -> &'static [Manifest] {
    static_slice(root.manifests()())
}

/// A slice of a plugin's static memory; NULL with length 0 is empty.
pub(in crate::binding) fn static_slice<T>(slice: RSlice<'static, T>) -> &'static [T] {
    if slice.is_empty() { &[] } else { slice.as_slice() }
}

/// Text in a plugin's static memory, if it is UTF-8.
pub(in crate::binding) fn static_text(bytes: StaticBytes) -> Option<&'static str> {
    std::str::from_utf8(static_slice(bytes)).ok()
}
