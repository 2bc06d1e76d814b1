//! Layer 5: runs a plan.
