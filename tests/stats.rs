//! Tests of `stats`: reference vectors, the seed papers, pure cases, identities, hand-calculated values, calibration.

mod answers;
mod calibration;
mod cases;
pub mod dispatch;
mod identities;
mod papers;
mod vectors;
