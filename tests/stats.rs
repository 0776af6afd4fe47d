//! Tests of `stats`: reference vectors, pure cases, identities and hand-calculated values.

mod cases;
pub mod dispatch;
mod identities;
mod vectors;
