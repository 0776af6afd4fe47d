//! Statistics: numbers in, numbers out (`statistics.md`).
