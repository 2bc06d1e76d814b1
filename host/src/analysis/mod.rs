//! Layer 7: opinions on results.
