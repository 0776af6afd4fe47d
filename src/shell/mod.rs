//! A shell command line becomes segments.
