//! The layout of everything that crosses the border, and every number, against the lists that were published.

use std::fmt::Write;
use ycsb_plugin_api::abi::abi_stable::std_types::{RSlice, RStr};
use ycsb_plugin_api::abi::*;

/// Appends size, alignment and the offset of every field.
macro_rules! describe {
    ($list:ident, $name:ty { $($field:ident),* $(,)? }) => {{
        let _ = writeln!(
            $list, "{} size {} align {}",
            stringify!($name), size_of::<$name>(), align_of::<$name>()
        );
        $(let _ = writeln!($list, "  {} at {}", stringify!($field), std::mem::offset_of!($name, $field));)*
    }};
}

#[test]
fn layouts_are_those_of_the_published_list() {
    let mut list = String::new();
    describe!(list, Handle {});
    describe!(list, RStr<'static> {});
    describe!(list, RSlice<'static, u8> {});
    describe!(list, Field<'static> { name, value });
    describe!(list, Row<'static> { key, fields });
    describe!(list, Op<'static> {
        kind, flags, table, key, fields, select, rows, row_status, limit, deadline_ns, sink, extra,
    });
    describe!(list, Sink<'static> { ctx, wants, row, field, lifetime });
    describe!(list, Outcome { flags, detail_len, backend_code, rows, server_ns, detail });
    describe!(list, Property { name, aliases, kind, flags, default, allowed, help });
    describe!(list, Pair<'static> { name, value });
    describe!(list, Preset { alias, settings });
    describe!(list, CustomStatus { name, success, text });
    describe!(
        list,
        Manifest {
            name,
            version,
            summary,
            flavour,
            capabilities,
            aliases,
            properties,
            statuses,
            compiler,
            api_version,
        }
    );
    describe!(list, Extension { layout, table });
    describe!(list, HostApi { abi_minor, log, echo, extension });
    describe!(list, OpenArgs<'static> {
        binding, phase, flags, workers, clients, batch_size, expected_records, largest_value_bytes,
        deadline_ns, settings, table, fields, extra,
    });
    describe!(list, Opened { binding, capabilities, blocking, pull });
    describe!(list, SessionArgs<'static> { index, count, table, fields });
    describe!(list, Blocking { session, execute, release, interrupt });
    describe!(list, Step<'static> { kind, until_ns, session, op, outcome });
    describe!(list, RunArgs<'static> { next, clients });
    describe!(list, Pull { run, cancel });
    describe!(list, Root { abi_minor, manifests, open, close, extension });

    let published = include_str!("layouts.txt");
    assert!(list == published, "the layout of the border differs from tests/layouts.txt. {FROZEN}{list}");
}

/// Appends every number of a module of the vocabulary.
macro_rules! numbers {
    ($list:ident, $group:ident { $($name:ident),* $(,)? }) => {
        $(let _ = writeln!($list, "{}::{} = {}", stringify!($group), stringify!($name), $group::$name);)*
    };
}

/// What to do about a difference.
const FROZEN: &str = "Plugins in the field were built with that list, which belongs to this major version of the \
    interface: undo the change. The interface grows by new numbers, which are added to the list, and by extension \
    tables. If neither will do, it takes a new major version: ABI_VERSION, the version of ycsb-plugin-abi, lists \
    and a kept plugin of its own. It is now:\n";

#[test]
fn numbers_are_those_of_the_published_list() {
    let mut list = String::new();
    let _ = writeln!(list, "interface {}", ABI_VERSION.split('.').next().unwrap_or(""));
    numbers!(list, kind { READ, SCAN, UPDATE, INSERT, DELETE, INSERT_BATCH, FLUSH, END });
    numbers!(
        list,
        status {
            OK,
            BATCHED_OK,
            UNACKNOWLEDGED,
            NOT_FOUND,
            DUPLICATE,
            UNEXPECTED_STATE,
            BAD_REQUEST,
            FORBIDDEN,
            NOT_IMPLEMENTED,
            SERVICE_UNAVAILABLE,
            OVERLOADED,
            TIMEOUT,
            ERROR,
            PANIC,
            CANCELLED,
            CUSTOM,
            NONE,
        }
    );
    numbers!(
        list,
        capability {
            READ,
            SCAN,
            UPDATE,
            INSERT,
            DELETE,
            INSERT_BATCH,
            SCAN_ORDERED,
            PROJECTION,
            UPDATE_CREATES,
            INSERT_OVERWRITES,
            DETECTS_DUPLICATES,
            UNACKNOWLEDGED_WRITES,
            BUFFERS_WRITES,
            SHARED_CONNECTIONS,
            MAY_BLOCK_RUNTIME,
            KEEPS_NOTHING,
        }
    );
    numbers!(list, property_kind { TEXT, INTEGER, NUMBER, BOOL, DURATION, BYTES, ONE_OF, URL, FILE, HOSTS });
    numbers!(
        list,
        property_flag { REQUIRED, SECRET, DEPRECATED, PREFIX, LOAD_ONLY, RUN_ONLY, NO_EFFECT, HAS_DEFAULT }
    );
    numbers!(list, flavour { BLOCKING, PULL });
    numbers!(list, phase { LOAD, RUN });
    numbers!(list, open_flag { FRESH });
    numbers!(list, outcome_flag { RETRY_SAFE });
    numbers!(list, wants { NONE, VALUES });
    numbers!(list, step { OPEN, RUN, WAIT, YIELD, STOP });
    numbers!(list, log_level { ERROR, WARN, INFO, DEBUG });
    let published = include_str!("numbers.txt");
    assert!(list == published, "the numbers of the border differ from tests/numbers.txt. {FROZEN}{list}");
}
