//! Layer 6: the result document.
