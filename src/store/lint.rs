//! Refuses SQL that polars-sql 0.55 answers with wrong rows and no error (rust.md §1.2, §1.5), in our queries and in
//! a user's, and says what to write instead. It reads the same syntax tree that polars-sql reads.
//!
//! It cannot see ties in the order of a running sum, nulls that a CTE lets through to the order of a window, the
//! names that `SELECT *` of a join gives, or sums beyond 2^63.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, CastKind, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments,
    GroupByExpr, JoinConstraint, JoinOperator, NamedWindowExpr, OrderByExpr, Query, Select, SelectItem,
    Statement, TableFactor, UnaryOperator, Value, Visit, Visitor, WindowType, visit_expressions,
    visit_relations,
};
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::Parser;

use super::error::StoreError;

/// What the lint knows of the tables.
pub(super) trait Tables {
    /// True for the name of a table or view.
    fn is_table(&self, name: &str) -> bool;
    /// True for a column of that table that may be null.
    fn may_be_null(&self, table: &str, column: &str) -> bool;
}

/// Names of the relations that a statement reads, CTEs among them; an error where it must not run.
pub(super) fn check(sql: &str, tables: &dyn Tables) -> Result<BTreeSet<String>, StoreError> {
    let statements = Parser::parse_sql(&GenericDialect {}, sql)
        .map_err(|error| StoreError::Sql { why: error.to_string() })?;
    let [Statement::Query(query)] = statements.as_slice() else {
        let why = "it takes one SELECT; SQL changes nothing in a store".to_owned();
        return Err(StoreError::Sql { why });
    };
    let mut found = Found { tables, small: small_names(query), remedies: BTreeSet::new() };
    let _ = query.visit(&mut found);
    if !found.remedies.is_empty() {
        return Err(StoreError::Unsafe { remedies: found.remedies.into_iter().collect() });
    }
    let mut names = BTreeSet::new();
    let _: ControlFlow<()> = visit_relations(query, |name| {
        names.insert(name.to_string().to_lowercase());
        ControlFlow::Continue(())
    });
    Ok(names)
}

const CONSTANT: &str = "an aggregate of a constant gives that constant once a group: write COUNT(*)";
const SMALL_NUMBERS: &str = "COUNT, lengths and row numbers have 32 bits and no sign here: write CAST(COUNT(*) AS \
                             BIGINT) before you reckon with them";
const SMALL_SUM: &str = "numbers in CASE have 32 bits and their sum wraps: write CAST(1 AS BIGINT)";
const ON_COLUMNS: &str = "ON may only compare a column of one side with a column of the other: filter or compute in \
                          a CTE on either side";
const OUTER_INEQUALITY: &str = "an outer join on an inequality loses unmatched rows: join inner first, then LEFT JOIN \
                                its keys";
const OUTER_USING: &str =
    "FULL or RIGHT JOIN with USING or NATURAL gives null keys: write ON and COALESCE(a.k, b.k)";
const IS_TRUE: &str = "IS [NOT] TRUE or FALSE keeps null: write COALESCE(f, FALSE) or NOT COALESCE(f, FALSE)";
const MODULO: &str = "% of a negative number differs by engine: write a - b * FLOOR(a / b), or use numbers from 0 on \
                      outside SQL";
const ROUND: &str = "ROUND rounds halves to even here: round what you read, or write FLOOR";
const CAST_ROUNDS: &str =
    "CAST of a fraction to a whole number differs by engine: write CAST(FLOOR(x) AS BIGINT)";
const WINDOW_NULLS: &str =
    "nulls stand first in the order of a window here, whatever it says: filter them in a CTE before";
const WINDOW_RUNNING: &str =
    "a running AVG, MEDIAN or STDDEV is that of the whole partition here: write SUM() OVER / COUNT() OVER";
const WINDOW_AGGREGATE: &str =
    "a window over an aggregate, or beside GROUP BY, is wrong here: aggregate in a CTE first";

const AGGREGATES: [&str; 14] = [
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
const MOMENTS: [&str; 7] = ["avg", "median", "stddev", "stddev_samp", "var", "var_samp", "variance"];
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

struct Found<'a> {
    tables: &'a dyn Tables,
    /// Names under which a SELECT hands on a number of 32 bits.
    small: BTreeSet<String>,
    remedies: BTreeSet<String>,
}

impl Found<'_> {
    fn say(&mut self, remedy: &str) {
        self.remedies.insert(remedy.to_owned());
    }

    fn join(&mut self, join: &JoinOperator) {
        use JoinOperator::{FullOuter, Inner, Join, Left, LeftOuter, Right, RightOuter};
        let (outer, right, constraint) = match join {
            Join(constraint) | Inner(constraint) => (false, false, constraint),
            Left(constraint) | LeftOuter(constraint) => (true, false, constraint),
            Right(constraint) | RightOuter(constraint) | FullOuter(constraint) => (true, true, constraint),
            _ => return,
        };
        match constraint {
            JoinConstraint::On(condition) => self.condition(condition, outer),
            JoinConstraint::Using(_) | JoinConstraint::Natural if right => self.say(OUTER_USING),
            _ => {}
        }
    }

    fn condition(&mut self, condition: &Expr, outer: bool) {
        match condition {
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                self.condition(left, outer);
                self.condition(right, outer);
            }
            Expr::Nested(inner) => self.condition(inner, outer),
            Expr::BinaryOp { left, op, right } if of_two_sides(left, right) => {
                if outer && *op != BinaryOperator::Eq {
                    self.say(OUTER_INEQUALITY);
                }
            }
            _ => self.say(ON_COLUMNS),
        }
    }

    /// Windows of a SELECT: what they are ordered by, and that nothing is grouped beside them.
    fn windows(&mut self, select: &Select) {
        let mut orders: Vec<&OrderByExpr> = Vec::new();
        let mut windows = 0;
        for expression in expressions_of(select) {
            visit_own(expression, &mut |e| {
                if let Expr::Function(Function { over: Some(over), .. }) = e {
                    windows += 1;
                    if let WindowType::WindowSpec(spec) = over {
                        orders.extend(&spec.order_by);
                    }
                }
            });
        }
        for named in &select.named_window {
            if let NamedWindowExpr::WindowSpec(spec) = &named.1 {
                orders.extend(&spec.order_by);
            }
        }
        if windows > 0 && (is_grouped(select) || select.having.is_some()) {
            self.say(WINDOW_AGGREGATE);
        }
        let tables = tables_of(select);
        for order in orders {
            let nulls_last = order.options.nulls_first == Some(false);
            if nulls_last || column_name(&order.expr).is_some_and(|name| self.may_be_null(&tables, name)) {
                self.say(WINDOW_NULLS);
            }
        }
    }

    fn may_be_null(&self, tables: &[String], column: &str) -> bool {
        tables.iter().any(|table| self.tables.may_be_null(table, column))
    }

    fn function(&mut self, function: &Function) {
        let name = name_of(function);
        if matches!(name.as_str(), "round") {
            self.say(ROUND);
        }
        if name == "mod" {
            self.say(MODULO);
        }
        if let Some(over) = &function.over {
            self.window(function, &name, over);
        }
        if !AGGREGATES.contains(&name.as_str()) {
            return;
        }
        for argument in arguments(function).into_iter().take(1) {
            if !has(argument, &is_column) || has(argument, &is_constant_case) {
                self.say(CONSTANT);
            }
            if name == "sum" && has(argument, &is_small_case) {
                self.say(SMALL_SUM);
            }
        }
    }

    fn window(&mut self, function: &Function, name: &str, over: &WindowType) {
        let mut parts = arguments(function);
        let ordered = match over {
            WindowType::WindowSpec(spec) => {
                parts.extend(&spec.partition_by);
                parts.extend(spec.order_by.iter().map(|order| &order.expr));
                !spec.order_by.is_empty()
            }
            // Its order stands elsewhere; it is taken to have one.
            WindowType::NamedWindow(_) => true,
        };
        if parts.iter().any(|part| has(part, &is_aggregate)) {
            self.say(WINDOW_AGGREGATE);
        }
        if ordered && MOMENTS.contains(&name) {
            self.say(WINDOW_RUNNING);
        }
    }

    /// `left - right` of two numbers of 32 bits without a sign wraps below 0; so do sums with a negative number, and
    /// products beyond 2^32.
    fn arithmetic(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr) {
        let (left, right) = (Small::of(left, &self.small), Small::of(right, &self.small));
        let wraps = match (left, right) {
            (Some(Small::Number(_)), Some(Small::Number(_))) => false,
            (Some(left), Some(right)) => match op {
                BinaryOperator::Minus => true,
                BinaryOperator::Plus => left.is_negative() || right.is_negative(),
                BinaryOperator::Multiply => left.is_large() && right.is_large(),
                _ => false,
            },
            _ => false,
        };
        if wraps {
            self.say(SMALL_NUMBERS);
        }
    }
}

impl Visitor for Found<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
            let name = cte.alias.name.value.to_lowercase();
            if self.tables.is_table(&name) {
                self.say(&format!(
                    "`{name}` is a table of the store and hides a CTE of that name: rename the CTE"
                ));
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        for table in &select.from {
            table.joins.iter().for_each(|join| self.join(&join.join_operator));
        }
        self.windows(select);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        use BinaryOperator::{Minus, Modulo, Multiply, Plus};
        match expression {
            Expr::IsTrue(_) | Expr::IsNotTrue(_) | Expr::IsFalse(_) | Expr::IsNotFalse(_) => {
                self.say(IS_TRUE)
            }
            Expr::BinaryOp { op: Modulo, .. } => self.say(MODULO),
            Expr::BinaryOp { left, op: op @ (Plus | Minus | Multiply), right } => {
                self.arithmetic(left, op, right)
            }
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => {
                if Small::of(expr, &self.small) == Some(Small::Column) {
                    self.say(SMALL_NUMBERS);
                }
            }
            Expr::Cast { kind: CastKind::Cast | CastKind::DoubleColon, expr, data_type, .. }
                if is_whole(data_type) && is_fraction(expr) =>
            {
                self.say(CAST_ROUNDS);
            }
            Expr::Function(function) => self.function(function),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// Columns of two relations: `a.k = b.k`. Of an unqualified name the side is not known; it is taken to be right.
fn of_two_sides(left: &Expr, right: &Expr) -> bool {
    match (left, right) {
        (Expr::CompoundIdentifier(left), Expr::CompoundIdentifier(right)) => {
            left.first().map(|part| part.value.to_lowercase())
                != right.first().map(|part| part.value.to_lowercase())
        }
        _ => is_column(left) && is_column(right),
    }
}

fn is_column(expression: &Expr) -> bool {
    matches!(expression, Expr::Identifier(_) | Expr::CompoundIdentifier(_))
}

fn column_name(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Identifier(name) => Some(&name.value),
        Expr::CompoundIdentifier(names) => names.last().map(|name| name.value.as_str()),
        _ => None,
    }
}

fn name_of(function: &Function) -> String {
    function.name.to_string().to_lowercase()
}

fn arguments(function: &Function) -> Vec<&Expr> {
    let FunctionArguments::List(list) = &function.args else { return Vec::new() };
    let plain = |argument| match argument {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref expression)) => Some(expression),
        _ => None,
    };
    list.args.iter().filter_map(plain).collect()
}

fn has(expression: &Expr, test: &dyn Fn(&Expr) -> bool) -> bool {
    visit_expressions(
        expression,
        |e| if test(e) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) },
    )
    .is_break()
}

fn is_aggregate(expression: &Expr) -> bool {
    matches!(expression, Expr::Function(f) if f.over.is_none() && AGGREGATES.contains(&name_of(f).as_str()))
}

fn is_call_of(expression: &Expr, names: &[&str]) -> bool {
    match expression {
        Expr::Nested(inner) => is_call_of(inner, names),
        Expr::Function(function) => names.contains(&name_of(function).as_str()),
        _ => false,
    }
}

fn is_number(expression: &Expr) -> bool {
    matches!(expression, Expr::Value(value) if matches!(value.value, Value::Number(..)))
}

/// A number that polars holds in 32 bits.
#[derive(Clone, Copy, PartialEq)]
enum Small {
    /// Written out.
    Number(f64),
    /// Counted, or of a column that was.
    Column,
}

impl Small {
    fn of(expression: &Expr, names: &BTreeSet<String>) -> Option<Small> {
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

    fn is_negative(self) -> bool {
        matches!(self, Small::Number(number) if number < 0.0)
    }

    /// Large enough that a product with a count may pass 2^32, or below 0.
    fn is_large(self) -> bool {
        matches!(self, Small::Number(number) if !(0.0..=1000.0).contains(&number)) || self == Small::Column
    }
}

/// Names that a SELECT of the statement gives to numbers of 32 bits, through any chain of renaming.
fn small_names(query: &Query) -> BTreeSet<String> {
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

fn is_constant_case(expression: &Expr) -> bool {
    matches!(expression, Expr::Case { operand: None, conditions, .. }
        if conditions.iter().any(|when| !has(&when.condition, &is_column)))
}

fn is_small_case(expression: &Expr) -> bool {
    matches!(expression, Expr::Case { conditions, else_result, .. }
        if conditions.iter().all(|when| is_number(&when.result)) && else_result.iter().all(|e| is_number(e)))
}

fn is_whole(kind: &DataType) -> bool {
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
fn is_fraction(expression: &Expr) -> bool {
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

fn is_grouped(select: &Select) -> bool {
    match &select.group_by {
        GroupByExpr::All(_) => true,
        GroupByExpr::Expressions(expressions, _) => !expressions.is_empty(),
    }
}

fn projected(select: &Select) -> impl Iterator<Item = &Expr> {
    select.projection.iter().filter_map(|item| match item {
        SelectItem::UnnamedExpr(expression) | SelectItem::ExprWithAlias { expr: expression, .. } => {
            Some(expression)
        }
        _ => None,
    })
}

fn expressions_of(select: &Select) -> impl Iterator<Item = &Expr> {
    projected(select).chain(&select.qualify).chain(&select.having)
}

/// Visits an expression and what lies in it, but no subquery: that is a SELECT of its own.
fn visit_own<'e>(expression: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
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

fn tables_of(select: &Select) -> Vec<String> {
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
