//! Statistics: numbers in, numbers out (`statistics.md` §0–§6). One file a family of functions.
//!
//! Never here: text (the rounding of a percentage to digits is `number`'s), clocks, files, choices of a test. An
//! undefined result is `None`, never 0 or NaN; an infinite ratio is `f64::INFINITY`. Every difference is trained
//! minus base, and index 0 is the base.

mod agreement;
mod boschloo;
mod breslow_day;
mod clustered;
mod cmh;
mod distributions;
mod effect;
mod fisher;
mod kaplan_meier;
mod log_odds;
mod mann_whitney;
mod mcnemar;
mod moments;
mod newcombe;
mod p_adjust;
mod paired_mean;
mod pass_at_k;
mod power;
mod proportion;
mod quantile;
mod rank_correlation;
mod ranks;
mod resample;
mod rogan_gladen;
mod signed_rank;
mod signflip;
mod subset_sums;

pub use agreement::{Kappa, cohens_kappa, gwet_ac1, krippendorff_alpha_nominal};
pub use boschloo::boschloo;
pub use breslow_day::{BreslowDay, breslow_day};
pub use clustered::{ClusteredMean, ClusteredWilson, Icc, clustered_se, icc1, wilson_clustered};
pub use cmh::{Cmh, RiskDifference, Stratum, cmh, cmh_exact, mh_risk_difference};
pub use effect::{cohens_h, gated_reward, headroom_closed, percent, relative_change, silent_group};
pub use fisher::{Tails, fisher};
pub use kaplan_meier::{Survival, kaplan_meier};
pub use log_odds::{LogOdds, log_odds_dirichlet};
pub use mann_whitney::{MannWhitney, mann_whitney};
pub use mcnemar::{McNemar, McNemarBounds, mcnemar, mcnemar_bounds};
pub use moments::mean;
pub use newcombe::{Difference, newcombe_independent, newcombe_paired};
pub use p_adjust::{Adjustment, p_adjust};
pub use paired_mean::{PairedMean, paired_mean_ci};
pub use pass_at_k::{
    AllAny, ExpectedAllAny, MeanOverInstances, homogeneous_expectation, intersection_union, pass_at_k,
    pass_at_k_mean, pass_hat_k, pass_hat_k_mean,
};
pub use power::{MeansDesign, mdd_mcnemar, mdd_paired_means, n_mcnemar, power_mcnemar_exact};
pub use proportion::{
    SeBounds, UnscoredBounds, clopper_pearson, jeffreys, se_bounds, unscored_bounds, wilson,
};
pub use quantile::{median, quantile};
pub use rank_correlation::{RankCorrelation, rank_correlation};
pub use resample::{
    Bca, Bootstrap, Share, SplitMix64, bca_from_replicates, bootstrap_means, cluster_bootstrap,
    cluster_bootstrap_mean, cluster_bootstrap_median, cluster_bootstrap_median_change,
    cluster_bootstrap_ratio, cluster_bootstrap_ratio_difference, resample_indices,
};
pub use rogan_gladen::{CorrectedRate, CorrectedRateEstimated, rogan_gladen, rogan_gladen_estimated};
pub use signed_rank::{
    SignedRank, Zeros, hodges_lehmann_interval, hodges_lehmann_paired, wilcoxon_signed_rank,
};
pub use signflip::{SignFlip, SignFlipMethod, signflip, signflip_exact, signflip_mc};

/// The confidence level of every printed interval unless a study says otherwise.
pub const CONF: f64 = 0.95;

/// Two limits, `low <= high`, in the unit of the estimate they belong to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

impl Interval {
    /// The interval from `centre - half` to `centre + half`.
    fn around(centre: f64, half: f64) -> Self {
        Interval { low: centre - half, high: centre + half }
    }
}
