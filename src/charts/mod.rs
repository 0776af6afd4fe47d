//! Charts: a series becomes SVG and PNG, one file a chart. The only users of plotters and resvg. They lay out and never
//! compute: every share, interval and test comes with the series.
//!
//! Implements look.md §1 to §7.

pub mod canvas;
pub mod ecdf;
pub mod ethogram;
pub mod forest;
pub mod frame;
pub mod funnel;
pub mod palette;
pub mod pass_bars;
pub mod pass_curves;
mod pass_dots;
pub mod positions;
pub mod svg;
pub mod termination;

pub use svg::Svg;

use crate::model::series::Series;

/// How a chart is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Style {
    /// For a paper: title, subtitle and foot leave the drawing and become its caption.
    pub paper: bool,
}

/// A kind of chart.
pub struct Chart {
    /// Name of its files.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// Draws a series of its own shape, and no other.
    pub draw: fn(&Series, &Style) -> Option<Svg>,
}

/// All charts, by name.
pub const CHARTS: &[Chart] = &[
    ecdf::CHART,
    ethogram::CHART,
    forest::CHART,
    funnel::CHART,
    pass_bars::CHART,
    pass_curves::CHART,
    positions::CHART,
    termination::CHART,
];

/// The chart of a series and its drawing.
pub fn draw(series: &Series, style: &Style) -> (&'static Chart, Svg) {
    let found = CHARTS.iter().find_map(|chart| Some((chart, (chart.draw)(series, style)?)));
    found.expect("every shape of series has a chart")
}
