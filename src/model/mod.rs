//! Plain data that every layer may use.
