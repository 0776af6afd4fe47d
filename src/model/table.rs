//! Tables before formatting: columns with unit, rows of cells. A measure makes them, `number` turns a cell into
//! text, a report writes them (Markdown, CSV, JSON, HTML).

/// Why a cell holds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    /// The denominator is 0: not applicable.
    NotApplicable,
    /// Undefined for these data (one instance, no variance, no pair).
    Undefined,
    /// No verdicts.
    Unscored,
    /// No log.
    NoLog,
    /// The other arm has no such instance.
    NoPartner,
    /// Nobody looked.
    NotSearched,
}

impl Missing {
    /// The word in JSON and in notes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Missing::NotApplicable => "not applicable",
            Missing::Undefined => "undefined",
            Missing::Unscored => "unscored",
            Missing::NoLog => "no log",
            Missing::NoPartner => "no partner",
            Missing::NotSearched => "not searched",
        }
    }
}

/// One value of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A name or a sentence.
    Text(String),
    /// A whole number.
    Count(i64),
    /// A share of counts, printed in per cent.
    Share {
        /// Numerator.
        num: i64,
        /// Denominator.
        den: i64,
    },
    /// A mean of shares (macro), printed in per cent; value in 0…1.
    Mean {
        /// Mean in 0…1.
        value: f64,
        /// Units that it is a mean over.
        n: i64,
    },
    /// A share in 0…1 that somebody printed and whose counts are not known, printed in per cent.
    Rate(f64),
    /// A difference of shares, printed in points with a sign; value in −1…1.
    Delta(f64),
    /// A plain quantity (median of turns, tokens).
    Quantity(f64),
    /// A ratio or a correlation, printed with two decimals.
    Ratio(f64),
    /// A difference of quantities, printed with a sign.
    Shift(f64),
    /// A p-value.
    P(f64),
    /// An interval of shares or of differences of shares (in 0…1 or −1…1), printed in per cent or points.
    Interval {
        /// Lower limit.
        low: f64,
        /// Upper limit.
        high: f64,
    },
    /// An interval of quantities.
    Range {
        /// Lower limit.
        low: f64,
        /// Upper limit.
        high: f64,
    },
    /// An interval of ratios.
    RatioRange {
        /// Lower limit.
        low: f64,
        /// Upper limit.
        high: f64,
    },
    /// Nothing, and why.
    Missing(Missing),
}

/// How a column is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// One column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Stable name in CSV and JSON (`pass_at_1`).
    pub name: String,
    /// Head that a person reads (`pass@1`).
    pub head: String,
    /// Unit (`%`, `points`, `instances`), empty for none.
    pub unit: String,
    /// How it is set.
    pub align: Align,
}

/// One row: cells in the order of the columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Stable id of the row within its table (`active_testing`), for links and `query --cell`.
    pub id: String,
    /// Cells.
    pub cells: Vec<Cell>,
    /// Bold: adjusted p below 0.05.
    pub strong: bool,
    /// Group that the row stands under, empty for none.
    pub group: String,
    /// Notes below the row as text (the instance pairs with the largest difference).
    pub notes: Vec<String>,
}

/// A table before formatting.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Stable code (`T5`).
    pub code: String,
    /// Id within a study: the code, and for tables of a pair its arms (`T5.base-rl`).
    pub id: String,
    /// Title: what it shows.
    pub title: String,
    /// Subtitle: unit and scope.
    pub subtitle: String,
    /// Columns.
    pub columns: Vec<Column>,
    /// Rows.
    pub rows: Vec<Row>,
    /// The generated foot (`statistics.md` §1), one sentence or `key=value` group an entry.
    pub foot: Vec<String>,
    /// Decimals of per cents and points.
    pub decimals: usize,
}
