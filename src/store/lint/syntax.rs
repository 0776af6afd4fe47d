//! Questions to the syntax tree of a statement.

use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr,
    Select, SelectItem, TableFactor, Value, visit_expressions,
};

/// Aggregates that polars-sql and DuckDB both have.
pub(super) const AGGREGATES: [&str; 14] = [
    "array_agg",
    "avg",
    "count",
    "first",
    "last",
    "max",
    "median",
    "min",
    "stddev",
    "stddev_samp",
    "sum",
    "var_samp",
    "variance",
    "string_agg",
];
/// Aggregates whose result is a fraction.
pub(super) const MOMENTS: [&str; 7] =
    ["avg", "median", "stddev", "stddev_samp", "var", "var_samp", "variance"];

/// Columns of two relations: `a.k = b.k`. Of an unqualified name the side is not known; it is taken to be right.
pub(super) fn of_two_sides(left: &Expr, right: &Expr) -> bool {
    match (left, right) {
        (Expr::CompoundIdentifier(left), Expr::CompoundIdentifier(right)) => {
            left.first().map(|part| part.value.to_lowercase())
                != right.first().map(|part| part.value.to_lowercase())
        }
        _ => is_column(left) && is_column(right),
    }
}

pub(super) fn is_column(expression: &Expr) -> bool {
    matches!(expression, Expr::Identifier(_) | Expr::CompoundIdentifier(_))
}

pub(super) fn column_name(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Identifier(name) => Some(&name.value),
        Expr::CompoundIdentifier(names) => names.last().map(|name| name.value.as_str()),
        _ => None,
    }
}

pub(super) fn name_of(function: &Function) -> String {
    function.name.to_string().to_lowercase()
}

pub(super) fn arguments(function: &Function) -> Vec<&Expr> {
    let FunctionArguments::List(list) = &function.args else { return Vec::new() };
    let plain = |argument| match argument {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref expression)) => Some(expression),
        _ => None,
    };
    list.args.iter().filter_map(plain).collect()
}

pub(super) fn has(expression: &Expr, test: &dyn Fn(&Expr) -> bool) -> bool {
    visit_expressions(
        expression,
        |e| if test(e) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) },
    )
    .is_break()
}

pub(super) fn is_aggregate(expression: &Expr) -> bool {
    matches!(expression, Expr::Function(f) if f.over.is_none() && AGGREGATES.contains(&name_of(f).as_str()))
}

pub(super) fn is_call_of(expression: &Expr, names: &[&str]) -> bool {
    match expression {
        Expr::Nested(inner) => is_call_of(inner, names),
        Expr::Function(function) => names.contains(&name_of(function).as_str()),
        _ => false,
    }
}

pub(super) fn is_number(expression: &Expr) -> bool {
    matches!(expression, Expr::Value(value) if matches!(value.value, Value::Number(..)))
}

pub(super) fn is_constant_case(expression: &Expr) -> bool {
    matches!(expression, Expr::Case { operand: None, conditions, .. }
        if conditions.iter().any(|when| !has(&when.condition, &is_column)))
}

pub(super) fn is_small_case(expression: &Expr) -> bool {
    matches!(expression, Expr::Case { conditions, else_result, .. }
        if conditions.iter().all(|when| is_number(&when.result)) && else_result.iter().all(|e| is_number(e)))
}

pub(super) fn is_whole(kind: &DataType) -> bool {
    matches!(
        kind,
        DataType::BigInt(_)
            | DataType::Int(_)
            | DataType::Integer(_)
            | DataType::SmallInt(_)
            | DataType::TinyInt(_)
            | DataType::Int2(_)
            | DataType::Int4(_)
            | DataType::Int8(_)
            | DataType::Int64
    )
}

/// What is plainly a fraction: a quotient, a number with a point, a mean, a double.
pub(super) fn is_fraction(expression: &Expr) -> bool {
    match expression {
        Expr::Nested(inner) => is_fraction(inner),
        Expr::BinaryOp { op: BinaryOperator::Divide, .. } => true,
        Expr::BinaryOp { left, right, .. } => is_fraction(left) || is_fraction(right),
        Expr::Value(value) => matches!(&value.value, Value::Number(text, _) if text.contains('.')),
        Expr::Cast { data_type, .. } => {
            matches!(
                data_type,
                DataType::Double(_) | DataType::DoublePrecision | DataType::Float(_) | DataType::Real
            )
        }
        Expr::Function(_) => is_call_of(expression, &MOMENTS),
        _ => false,
    }
}

pub(super) fn is_grouped(select: &Select) -> bool {
    match &select.group_by {
        GroupByExpr::All(_) => true,
        GroupByExpr::Expressions(expressions, _) => !expressions.is_empty(),
    }
}

pub(super) fn projected(select: &Select) -> impl Iterator<Item = &Expr> {
    select.projection.iter().filter_map(|item| match item {
        SelectItem::UnnamedExpr(expression) | SelectItem::ExprWithAlias { expr: expression, .. } => {
            Some(expression)
        }
        _ => None,
    })
}

pub(super) fn expressions_of(select: &Select) -> impl Iterator<Item = &Expr> {
    projected(select).chain(&select.qualify).chain(&select.having)
}

/// Visits an expression and what lies in it, but no subquery: that is a SELECT of its own.
pub(super) fn visit_own<'e>(expression: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit(expression);
    let inner: Vec<&Expr> = match expression {
        Expr::Nested(inner)
        | Expr::UnaryOp { expr: inner, .. }
        | Expr::Cast { expr: inner, .. }
        | Expr::IsNull(inner)
        | Expr::IsNotNull(inner) => vec![inner],
        Expr::BinaryOp { left, right, .. } => vec![left, right],
        Expr::Between { expr, low, high, .. } => vec![expr, low, high],
        Expr::Function(function) => arguments(function),
        Expr::Case { conditions, else_result, .. } => {
            let whens = conditions.iter().flat_map(|when| [&when.condition, &when.result]);
            whens.chain(else_result.as_deref()).collect()
        }
        _ => Vec::new(),
    };
    inner.into_iter().for_each(|expression| visit_own(expression, visit));
}

pub(super) fn tables_of(select: &Select) -> Vec<String> {
    let named = |factor: &TableFactor| match factor {
        TableFactor::Table { name, .. } => Some(name.to_string().to_lowercase()),
        _ => None,
    };
    select
        .from
        .iter()
        .flat_map(|table| {
            std::iter::once(&table.relation).chain(table.joins.iter().map(|join| &join.relation))
        })
        .filter_map(named)
        .collect()
}
