//! A shell command line becomes segments.

/// One simple command.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {}
