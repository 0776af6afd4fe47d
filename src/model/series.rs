//! What a chart draws: labels, values, intervals, unit, n. A measure makes it; a chart only lays it out.

use super::tag::TagName;

/// What one chart draws, of whatever shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Series {
    /// Cumulative shares of runs: how close failed ones came, how long they are.
    Ecdf(Ecdf),
    /// Every pair turn by turn.
    Ethogram(Ethogram),
    /// Forest plot of Δ.
    Forest(Forest),
    /// Funnel with decomposition.
    Funnel(FunnelSeries),
    /// pass@1 by benchmark.
    PassBars(PassBars),
    /// pass@k and pass^k by k.
    PassCurves(PassCurves),
    /// Tags by relative position.
    Positions(Positions),
    /// Termination by arm.
    Termination(TerminationBars),
}

/// Role of an arm, which decides its ink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The arm before training.
    Base,
    /// The arm after training.
    Trained,
    /// Any other arm.
    Other,
    /// A public score of the base system, without runs of one's own: hatched.
    Public,
}

/// A value with its interval and n. Shares are in 0…1.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Value; `None` where undefined.
    pub value: Option<f64>,
    /// 95 % interval.
    pub interval: Option<(f64, f64)>,
    /// Numerator where the value is a share of counts.
    pub num: Option<i64>,
    /// Denominator, or the number of units.
    pub n: i64,
}

/// An arm with its role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArmLabel {
    /// Name.
    pub arm: String,
    /// Role.
    pub role: Role,
}

/// Title, unit and foot that every chart names.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Caption {
    /// What is shown.
    pub title: String,
    /// Unit, n and interval.
    pub subtitle: String,
    /// How sure: unit of inference, n, runs, test, what was left out.
    pub foot: String,
}

/// pass@1 by benchmark and arm.
#[derive(Clone, Debug, PartialEq)]
pub struct PassBars {
    /// Caption.
    pub caption: Caption,
    /// One group a benchmark.
    pub groups: Vec<PassGroup>,
}

/// One benchmark of the pass@1 bars.
#[derive(Clone, Debug, PartialEq)]
pub struct PassGroup {
    /// Benchmark.
    pub name: String,
    /// Δ and p of the pair, where there is one.
    pub delta: Option<f64>,
    /// p of the pair.
    pub p: Option<f64>,
    /// Arms in order.
    pub bars: Vec<(ArmLabel, Estimate)>,
}

/// pass@k and pass^k by k.
#[derive(Clone, Debug, PartialEq)]
pub struct PassCurves {
    /// Caption.
    pub caption: Caption,
    /// One an arm.
    pub curves: Vec<PassCurve>,
}

/// Curves of one arm.
#[derive(Clone, Debug, PartialEq)]
pub struct PassCurve {
    /// Arm.
    pub arm: ArmLabel,
    /// k, any of k with interval.
    pub any: Vec<(i64, Estimate)>,
    /// k, all of k.
    pub all: Vec<(i64, Estimate)>,
}

/// Empirical distributions of runs, an arm a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Ecdf {
    /// Caption.
    pub caption: Caption,
    /// Scale of the values.
    pub axis: EcdfAxis,
    /// Words of that axis.
    pub axis_name: String,
    /// Arms in order.
    pub curves: Vec<EcdfCurve>,
}

/// Scale of the values of an empirical distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EcdfAxis {
    /// Shares in 0…1, with a band from a threshold on.
    Share {
        /// Where the band begins.
        from: f64,
    },
    /// Sizes, logarithmic.
    Log,
}

/// One arm's distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct EcdfCurve {
    /// Arm.
    pub arm: ArmLabel,
    /// Runs by value, values ascending.
    pub points: Vec<EcdfPoint>,
    /// Median.
    pub median: Option<f64>,
    /// What stands below the arm's name (`median 21, n 332`).
    pub label: String,
}

/// Runs of one value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EcdfPoint {
    /// Value.
    pub value: f64,
    /// Runs that have it.
    pub runs: i64,
    /// Of these, runs that a limit cut.
    pub cut: i64,
}

/// Funnel of two arms with the decomposition of Δ resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct FunnelSeries {
    /// Caption.
    pub caption: Caption,
    /// Base and trained.
    pub arms: [ArmLabel; 2],
    /// Scored runs with a log, by arm: the whole of every share below.
    pub runs: [i64; 2],
    /// Stages in order, then `off_path` is apart.
    pub stages: Vec<FunnelStage>,
    /// Share of runs that are resolved though they lack a stage, by arm.
    pub off_path: [f64; 2],
    /// Shapley term by stage, then `off_path`; sums to Δ resolved.
    pub shapley: Vec<(String, f64)>,
    /// Δ resolved.
    pub delta: f64,
}

/// One stage of the funnel.
#[derive(Clone, Debug, PartialEq)]
pub struct FunnelStage {
    /// Name (`edited source`).
    pub name: String,
    /// Share of runs that reached it, by arm, in 0…1 of all.
    pub reached: [f64; 2],
    /// Share of those that reached it and were cut off at their end, by arm.
    pub cut_off: [f64; 2],
}

/// Forest plot of Δ.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    /// Caption.
    pub caption: Caption,
    /// Base and trained.
    pub arms: [ArmLabel; 2],
    /// Rows; the first is resolved, with a rule below.
    pub rows: Vec<ForestRow>,
}

/// One row of the forest plot.
#[derive(Clone, Debug, PartialEq)]
pub struct ForestRow {
    /// Behaviour in words.
    pub name: String,
    /// Its code.
    pub code: String,
    /// Tag whose colour it bears.
    pub tag: Option<TagName>,
    /// Base and trained, in 0…1.
    pub values: [Option<f64>; 2],
    /// Δ with interval.
    pub delta: Estimate,
    /// Adjusted p.
    pub p_adjusted: Option<f64>,
    /// Instances that gained and lost.
    pub gained_lost: (i64, i64),
}

/// Tags by relative position, 20 bins.
#[derive(Clone, Debug, PartialEq)]
pub struct Positions {
    /// Caption.
    pub caption: Caption,
    /// One panel an arm.
    pub panels: Vec<PositionPanel>,
}

/// One arm of the positions chart.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionPanel {
    /// Arm.
    pub arm: ArmLabel,
    /// Runs.
    pub runs: i64,
    /// Primary tag (`None` = untagged) and its share of turns in each of the 20 bins.
    pub layers: Vec<(Option<TagName>, Vec<f64>)>,
}

/// Termination by arm.
#[derive(Clone, Debug, PartialEq)]
pub struct TerminationBars {
    /// Caption.
    pub caption: Caption,
    /// Arms in order.
    pub rows: Vec<TerminationRow>,
}

/// One arm of the termination chart: counts of runs.
#[derive(Clone, Debug, PartialEq)]
pub struct TerminationRow {
    /// Arm.
    pub arm: ArmLabel,
    /// Runs with a log.
    pub n: i64,
    /// Ended by itself.
    pub submitted: i64,
    /// Cut by a limit, of these with the diff taken unasked.
    pub limit: (i64, i64),
    /// The agent failed.
    pub agent_failure: i64,
    /// Infrastructure.
    pub infrastructure: i64,
    /// Unknown.
    pub unknown: i64,
}

/// The ethogram: every pair turn by turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Ethogram {
    /// Caption.
    pub caption: Caption,
    /// Base and trained.
    pub arms: [ArmLabel; 2],
    /// Groups by pair cell, in order (both, only trained, only base, neither, unscored).
    pub groups: Vec<EthogramGroup>,
}

/// Pairs of one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct EthogramGroup {
    /// Name of the cell.
    pub name: String,
    /// Number of pairs in the cell, drawn or not.
    pub total: i64,
    /// Drawn pairs: instance and, per arm, the primary tag of every model turn (`None` inside = untagged).
    pub pairs: Vec<EthogramPair>,
}

/// One pair of the ethogram.
#[derive(Clone, Debug, PartialEq)]
pub struct EthogramPair {
    /// Instance.
    pub instance_id: String,
    /// Base run, turn by turn; `None` where there is no log.
    pub base: Option<Vec<Option<TagName>>>,
    /// Trained run.
    pub trained: Option<Vec<Option<TagName>>>,
}
