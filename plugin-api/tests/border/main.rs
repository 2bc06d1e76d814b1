//! The border as a host sees it: bindings of both flavours are driven through their tables.

mod batches;
mod deadlines;
mod lifecycle;
mod manifests;
mod panics;
mod probe;
mod rows;
