//! Layer 2: find, load, check and call plugins; names and classes.
