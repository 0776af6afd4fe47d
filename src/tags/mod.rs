//! Tag families.
