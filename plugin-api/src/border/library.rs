//! The root of a library: its manifests, `open` and `close`.

use super::blocking;
use super::fence::{fence, fence_and_log, install_hook, remember_host};
use super::manifest::Manifests;
use super::views::slice_of;
use crate::abi::abi_stable::library::{
    __call_root_module_loader as call_root_loader, CheckTypeLayout, LibHeader, RootModuleResult,
};
use crate::abi::abi_stable::prefix_type::PrefixTypeTrait;
use crate::abi::abi_stable::std_types::{RSlice, RStr};
use crate::abi::{
    self, ABI_MINOR, Extension, Handle, HostApi, Manifest, OpenArgs, Outcome, Root, RootRef, Status, flavour,
    status,
};
use crate::{Binding, Env, Failure, Info, Settings};
use std::ptr::null;

/// One exported binding.
pub struct Export {
    info: Info,
    flavour: u32,
    crate_version: &'static str,
    open: OpenBinding,
}

/// Opens a binding and fills in its handle and its table.
pub(super) type OpenBinding = fn(&Settings<'_>, &Env<'_>, &mut abi::Opened) -> Result<Opening, Failure>;

/// What `open` says besides the handle and the table.
pub(super) struct Opening {
    pub(super) detail: String,
    pub(super) capabilities: Option<u64>,
}

impl Export {
    /// A blocking binding of a crate with this version.
    pub const fn blocking<B: Binding>(crate_version: &'static str) -> Export {
        Export { info: B::INFO, flavour: flavour::BLOCKING, crate_version, open: blocking::open::<B> }
    }

    /// An async binding of a crate with this version.
    #[cfg(feature = "tokio")]
    pub const fn tokio<B: crate::AsyncBinding>(crate_version: &'static str) -> Export {
        Export { info: B::INFO, flavour: flavour::PULL, crate_version, open: super::pull::open::<B> }
    }

    pub(super) const fn info(&self) -> &Info {
        &self.info
    }

    pub(super) const fn flavour(&self) -> u32 {
        self.flavour
    }

    pub(super) const fn crate_version(&self) -> &'static str {
        self.crate_version
    }
}

/// What the export macro says of a library.
pub trait Library: 'static {
    /// The bindings, in the order of the manifests.
    const EXPORTS: &'static [Export];

    /// Where the manifests are kept.
    fn manifests() -> &'static Manifests;
}

/// The header that the host looks for.
pub const fn header<L: Library>() -> LibHeader {
    extern "C" fn constructor<L: Library>() -> RootModuleResult {
        call_root_loader(root::<L>)
    }
    // SAFETY: the constructor returns a `RootRef`, made by `root`.
    unsafe { LibHeader::from_constructor::<RootRef>(constructor::<L>, CheckTypeLayout::Yes) }
}

/// The root table of a library.
pub fn root<L: Library>() -> RootRef {
    Root { abi_minor: ABI_MINOR, manifests: manifests::<L>, open: open::<L>, close, extension }
        .leak_into_prefix()
}

extern "C" fn manifests<L: Library>() -> RSlice<'static, Manifest> {
    install_hook();
    RSlice::from_slice(fence(|| L::manifests().of(L::EXPORTS)).unwrap_or(&[]))
}

extern "C" fn open<L: Library>(
    host: &'static HostApi,
    args: &OpenArgs<'_>,
    opened: &mut abi::Opened,
    outcome: &mut Outcome,
) -> Status {
    install_hook();
    remember_host(host);
    *opened = abi::Opened { binding: Handle::NULL, capabilities: 0, blocking: None, pull: None };
    let result = fence(|| {
        let export = L::EXPORTS.get(args.binding as usize).ok_or_else(|| {
            Failure::not_implemented().detail(format!("this library has no binding {}", args.binding))
        })?;
        let settings = Settings::from_host(slice_of(args.settings));
        let opening = (export.open)(&settings, &Env::new(args, host), opened)?;
        Ok((opening.detail, opening.capabilities.unwrap_or(export.info.capabilities)))
    });
    match result {
        Ok(Ok((detail, capabilities))) => {
            opened.capabilities = capabilities;
            outcome.set_detail(&detail);
            status::OK
        }
        Ok(Err(failure)) => Failure::record(failure, outcome),
        Err(panicked) => panicked.record(outcome),
    }
}

extern "C" fn close(binding: Handle) {
    if binding.is_null() {
        return;
    }
    let head = binding.0.cast::<BindingHead>();
    // SAFETY: the host passes a handle that `open` gave out, and passes it once; each of them leads to a
    // struct that starts with a `BindingHead`.
    let close = unsafe { (*head).close };
    // SAFETY: `close` belongs to that very struct. A panic in it has no one to be told to but the log.
    fence_and_log(|| unsafe { close(binding) });
}

extern "C" fn extension(_name: RStr<'_>) -> Extension {
    Extension { layout: null(), table: null() }
}

/// What every binding behind a handle starts with, so that one `close` serves bindings of all types.
#[repr(C)]
pub(super) struct BindingHead {
    /// Takes the handle's memory back.
    pub(super) close: unsafe fn(Handle),
}
