//! Layer 3: recorders, histograms, series, machine facts.
