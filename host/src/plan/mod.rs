//! Layer 4: collects all declarations, audits what was given, makes the run plan.
