//! Columns of tables.

use crate::model::table::{Align, Column};

/// A column of names.
pub fn words(name: &str, head: &str) -> Column {
    Column { name: name.to_owned(), head: head.to_owned(), unit: String::new(), align: Align::Left }
}

/// A column of numbers.
pub fn numbers(name: impl Into<String>, head: impl Into<String>, unit: &str) -> Column {
    Column { name: name.into(), head: head.into(), unit: unit.to_owned(), align: Align::Right }
}
