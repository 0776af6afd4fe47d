//! Where bytes come from.
