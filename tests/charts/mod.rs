//! Tests of `number` and `charts`: texts of numbers, the checked figures of the palette, golden drawings.

mod drawing;
mod number;
mod palette;
mod series;
