//! Numbers that polars-sql holds in 32 bits: COUNT, lengths, row numbers, numbers written out. They wrap in silence,
//! also under the names by which later SELECTs know them.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sqlparser::ast::{Expr, Query, Select, SelectItem, UnaryOperator, Value, Visit, Visitor};

use super::syntax::{arguments, column_name, name_of};

const SMALL: [&str; 9] = [
    "char_length",
    "count",
    "dense_rank",
    "length",
    "octet_length",
    "rank",
    "row_number",
    "strpos",
    "bit_length",
];

/// Functions whose result has the type of their arguments.
const PASSING: [&str; 9] = ["abs", "coalesce", "greatest", "ifnull", "least", "max", "min", "nullif", "sum"];

/// A number that polars holds in 32 bits.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Small {
    /// Written out.
    Number(f64),
    /// Counted, or of a column that was.
    Column,
}

impl Small {
    pub(super) fn of(expression: &Expr, names: &BTreeSet<String>) -> Option<Small> {
        match expression {
            Expr::Nested(inner) => Small::of(inner, names),
            Expr::Value(value) => match &value.value {
                Value::Number(text, _) => text.parse().ok().map(Small::Number),
                _ => None,
            },
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match Small::of(expr, names)? {
                Small::Number(number) => Some(Small::Number(-number)),
                Small::Column => Some(Small::Column),
            },
            Expr::Function(function) => {
                let name = name_of(function);
                let passes = PASSING.contains(&name.as_str())
                    && arguments(function).iter().all(|argument| Small::of(argument, names).is_some());
                (passes || SMALL.contains(&name.as_str())).then_some(Small::Column)
            }
            _ => column_name(expression)
                .is_some_and(|name| names.contains(&name.to_lowercase()))
                .then_some(Small::Column),
        }
    }

    pub(super) fn is_negative(self) -> bool {
        matches!(self, Small::Number(number) if number < 0.0)
    }

    /// Large enough that a product with a count may pass 2^32, or below 0.
    pub(super) fn is_large(self) -> bool {
        matches!(self, Small::Number(number) if !(0.0..=1000.0).contains(&number)) || self == Small::Column
    }
}

/// Names that a SELECT of the statement gives to numbers of 32 bits, through any chain of renaming.
pub(super) fn small_names(query: &Query) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    loop {
        let mut aliases = Aliases { known: &names, new: BTreeSet::new() };
        let _ = query.visit(&mut aliases);
        let new = aliases.new;
        if new.is_subset(&names) {
            return names;
        }
        names.extend(new);
    }
}

struct Aliases<'a> {
    known: &'a BTreeSet<String>,
    new: BTreeSet<String>,
}

impl Visitor for Aliases<'_> {
    type Break = ();

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        for item in &select.projection {
            if let SelectItem::ExprWithAlias { expr, alias } = item
                && Small::of(expr, self.known) == Some(Small::Column)
            {
                self.new.insert(alias.value.to_lowercase());
            }
        }
        ControlFlow::Continue(())
    }
}
