//! Tests of `number` and `charts`: texts of numbers, the checked figures of the palette, golden drawings.

mod number;
mod palette;
