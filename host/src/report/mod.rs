//! Layer 8: views of results.
