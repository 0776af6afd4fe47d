//! Files that people read.
