//! Layer 8: views of a run in progress.
