//! What the cases ask for in words.
