//! Refuses SQL that polars-sql 0.55 answers with wrong rows and no error (rust.md §1.2, §1.5), in our queries and
//! a user's alike, and says what to write instead. What is read is the tree that polars-sql reads.
//!
//! It cannot see ties in the order of a running sum, nulls that a CTE lets through to the order of a window, the
//! names that `SELECT *` of a join gives, or sums beyond 2^63.

mod small_numbers;
mod syntax;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, CastKind, Expr, Function, JoinConstraint, JoinOperator, NamedWindowExpr, OrderByExpr,
    Query, Select, Statement, UnaryOperator, Visit, Visitor, WindowType, visit_relations,
};
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::Parser;

use self::small_numbers::{Small, small_names};
use self::syntax::{
    AGGREGATES, MOMENTS, arguments, column_name, expressions_of, has, is_aggregate, is_column,
    is_constant_case, is_fraction, is_grouped, is_small_case, is_whole, name_of, of_two_sides, tables_of,
    visit_own,
};
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
            Expr::UnaryOp { op: UnaryOperator::Minus, expr }
                if Small::of(expr, &self.small) == Some(Small::Column) =>
            {
                self.say(SMALL_NUMBERS);
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
