//! A plugin that says lengths and numbers that cannot be. It is written on the tables themselves: with the
//! author's crate nobody can say them.

use abi_stable::export_root_module;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::std_types::{RSlice, RStr};
use std::ptr::{null, without_provenance_mut};
use ycsb_plugin_abi::{
    as_bytes, capability, flavour, kind, status, Blocking, Extension, Handle, HostApi, Manifest, Op,
    OpenArgs, Opened, Outcome, Root, RootRef, SessionArgs, Status, ABI_MINOR,
};

const CAPABILITIES: u64 = capability::READ
    | capability::SCAN
    | capability::UPDATE
    | capability::INSERT
    | capability::INSERT_BATCH
    | capability::KEEPS_NOTHING;

const fn text(text: &'static str) -> RSlice<'static, u8> {
    RSlice::from_slice(text.as_bytes())
}

static MANIFESTS: [Manifest; 1] = [Manifest {
    name: text("faulty-lengths"),
    version: text(env!("CARGO_PKG_VERSION")),
    summary: text("Lengths and numbers that cannot be"),
    flavour: flavour::BLOCKING,
    capabilities: CAPABILITIES,
    aliases: RSlice::EMPTY,
    properties: RSlice::EMPTY,
    statuses: RSlice::EMPTY,
    compiler: text("unknown"),
    api_version: text("none"),
}];

static TABLE: Blocking = Blocking { session, execute, release, interrupt };

extern "C" fn manifests() -> RSlice<'static, Manifest> {
    RSlice::from_slice(&MANIFESTS)
}

/// A handle that leads nowhere: nothing is kept.
fn nowhere() -> Handle {
    Handle(without_provenance_mut(8))
}

extern "C" fn open(
    _: &'static HostApi,
    _: &OpenArgs<'_>,
    opened: &mut Opened,
    outcome: &mut Outcome,
) -> Status {
    *opened = Opened { binding: nowhere(), capabilities: u64::MAX, blocking: Some(&TABLE), pull: None };
    outcome.detail.fill(b'd');
    outcome.detail_len = u32::MAX;
    status::OK
}

extern "C" fn session(_: Handle, _: &SessionArgs<'_>, session: &mut Handle, _: &mut Outcome) -> Status {
    *session = nowhere();
    status::OK
}

extern "C" fn execute(_: Handle, op: &Op<'_>, outcome: &mut Outcome) -> Status {
    match op.kind {
        kind::READ => {
            // Fields before any row, a name that is not UTF-8, and more rows than there can be.
            (op.sink.field)(op.sink.ctx, as_bytes(b"\xff\xfe"), as_bytes(&[0; 100_000]));
            (0..1_000).for_each(|_| (op.sink.row)(op.sink.ctx, RSlice::EMPTY));
            outcome.detail.fill(0xff);
            outcome.detail[..20].copy_from_slice(b"a length beyond it: ");
            outcome.detail_len = u32::MAX;
            status::ERROR
        }
        kind::UPDATE => {
            *outcome = Outcome {
                flags: u32::MAX,
                detail_len: 241,
                backend_code: i64::MIN,
                rows: u64::MAX,
                server_ns: u64::MAX,
                detail: [b'u'; 240],
            };
            status::NONE
        }
        // The statuses of a batch's rows stay as the host filled them in.
        kind::SCAN | kind::INSERT_BATCH => {
            outcome.rows = u64::MAX;
            status::OK
        }
        _ => status::OK,
    }
}

extern "C" fn release(_: Handle) {}

extern "C" fn interrupt(_: Handle) {}

extern "C" fn close(_: Handle) {}

extern "C" fn extension(_: RStr<'_>) -> Extension {
    Extension { layout: null(), table: null() }
}

/// What the host looks for.
#[export_root_module]
pub fn root() -> RootRef {
    Root { abi_minor: ABI_MINOR, manifests, open, close, extension }.leak_into_prefix()
}
