//! Layer 10: commands and flags.
