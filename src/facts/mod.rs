//! What one trajectory did.
