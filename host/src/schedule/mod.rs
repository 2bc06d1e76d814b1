//! Layer 3: when the next operation of a client is due.
