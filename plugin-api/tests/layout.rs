//! The layout of everything that crosses the border, against the list that was published.

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
    assert!(
        list == published,
        "the layout of the border differs from tests/layouts.txt, which plugins in the field were built \
         with. It is now:\n{list}"
    );
}
