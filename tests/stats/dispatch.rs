//! One dispatcher from the name and the JSON arguments of a vector to the function and its result as JSON. Vectors,
//! fixtures and the cases of `command: stats` all go through it.

use ethogram::stats::{self, Adjustment, CONF, Interval, MeansDesign, Stratum, Zeros};
use serde_json::{Value, json};

/// What a call comes to: a value, or the news that the function lives elsewhere.
pub enum Call {
    /// The result; null = undefined, "inf" = infinite.
    Done(Value),
    /// There is no such function in `stats`.
    Unknown,
}

/// The functions of the vectors that are not in `stats`, each with where it is. Empty = all are built.
pub const ELSEWHERE: &[(&str, &str)] = &[];

/// Calls one function of the vectors.
pub fn call(name: &str, args: &Value) -> Call {
    let a = Args(args);
    Call::Done(match name {
        "bca_from_replicates" => bca(&a),
        "boschloo" => tails(stats::boschloo(a.count("k0"), a.count("n0"), a.count("k1"), a.count("n1"))),
        "breslow_day" => breslow_day(&a),
        "clopper_pearson" => interval(stats::clopper_pearson(a.count("k"), a.count("n"), a.conf())),
        "cluster_bootstrap_mean" => bootstrap(&a),
        "clustered_se" => clustered_se(&a),
        "cmh" => cmh(&a),
        "cmh_exact" => tails(Some(stats::cmh_exact(&a.strata()))),
        "cohens_h" => number(stats::cohens_h(a.real("p0"), a.real("p1"))),
        "cohens_kappa" => kappa(&a),
        "fisher" => tails(stats::fisher(a.count("k0"), a.count("n0"), a.count("k1"), a.count("n1"))),
        "gated_reward" => {
            let passed: Vec<bool> = a.reals("pass_to_pass").iter().map(|x| *x != 0.0).collect();
            number(stats::gated_reward(&passed, &a.reals("fail_to_pass")))
        }
        "gwet_ac1" => number(stats::gwet_ac1(&a.table())),
        "headroom_closed" => number(stats::headroom_closed(a.real("p0"), a.real("p1"))),
        "hodges_lehmann_paired" => number(stats::hodges_lehmann_paired(&a.reals("d"))),
        "homogeneous_expectation" => {
            let e = stats::homogeneous_expectation(a.count("instances"), a.count("n"), a.real("p"));
            json!({"intersection": e.intersection, "union": e.union})
        }
        "icc1" => icc1(&a),
        "intersection_union" => {
            let all = stats::intersection_union(&a.pairs("nc"), a.count("n"));
            json!({"intersection": all.intersection, "union": all.union, "used": all.used,
                   "left_out": all.left_out})
        }
        "jeffreys" => interval(stats::jeffreys(a.count("k"), a.count("n"), a.conf())),
        "kaplan_meier" => kaplan_meier(&a),
        "krippendorff_alpha_nominal" => number(stats::krippendorff_alpha_nominal(&a.labels())),
        "log_odds_dirichlet" => log_odds(&a),
        "mann_whitney" => mann_whitney(&a),
        "mcnemar" => mcnemar(&a),
        "mcnemar_bounds" => mcnemar_bounds(&a),
        "mdd_mcnemar" => number(stats::mdd_mcnemar(
            a.count("pairs"),
            a.real("discordance"),
            a.real("alpha"),
            a.real("power"),
        )),
        "mdd_paired_means" => mdd_paired_means(&a),
        "mh_risk_difference" => risk_difference(&a),
        "n_mcnemar" => json!(stats::n_mcnemar(
            a.real("difference"),
            a.real("discordance"),
            a.real("alpha"),
            a.real("power")
        )),
        "newcombe_independent" => difference(stats::newcombe_independent(
            a.count("k0"),
            a.count("n0"),
            a.count("k1"),
            a.count("n1"),
            a.conf(),
        )),
        "newcombe_paired" => difference(stats::newcombe_paired(
            a.count("both"),
            a.count("only_base"),
            a.count("only_trained"),
            a.count("neither"),
            a.conf(),
        )),
        "p_adjust" => p_adjust(&a),
        "paired_mean_ci" => paired_mean(&a),
        "pass_at_k" => number(stats::pass_at_k(a.count("n"), a.count("c"), a.count("k"))),
        "pass_at_k_mean" => mean_over(stats::pass_at_k_mean(&a.pairs("nc"), a.count("k"))),
        "pass_hat_k" => number(stats::pass_hat_k(a.count("n"), a.count("c"), a.count("k"))),
        "pass_hat_k_mean" => mean_over(stats::pass_hat_k_mean(&a.pairs("nc"), a.count("k"))),
        "percent_2dp" => json!(stats::percent(a.count("k"), a.count("n")).map(|x| format!("{x:.2}"))),
        "power_mcnemar_exact" => number(stats::power_mcnemar_exact(
            a.count("pairs"),
            a.real("p_only_base"),
            a.real("p_only_trained"),
            a.real("alpha"),
        )),
        "quantile" => number(stats::quantile(&a.reals("x"), a.real("q"))),
        "rank_correlation" => rank_correlation(&a),
        "relative_change" => number(stats::relative_change(a.real("base"), a.real("trained"))),
        "resample_indices" => {
            let (n, count) = (a.count("n") as usize, a.count("count") as usize);
            json!(stats::resample_indices(a.count("seed"), a.count("replicate"), n, count))
        }
        "rogan_gladen" => rogan_gladen(&a),
        "rogan_gladen_estimated" => rogan_gladen_estimated(&a),
        "se_bounds" => match stats::se_bounds(a.count("k"), a.count("instances"), a.count("runs")) {
            None => Value::Null,
            Some(b) => json!({"runs_independent": b.runs_independent, "runs_identical": b.runs_identical}),
        },
        "signflip_exact" => number(stats::signflip_exact(&a.reals("d"))),
        "signflip_mc" => number(stats::signflip_mc(&a.reals("d"), a.count("replicates"), a.count("seed"))),
        "silent_group" => json!(stats::silent_group(a.real("q"), a.count("g"))),
        "splitmix64" => {
            let mut random = stats::SplitMix64::new(a.count("seed"));
            let words = (0..a.count("count")).map(|_| format!("{:016x}", random.next_u64()));
            json!(words.collect::<Vec<_>>())
        }
        "unscored_bounds" => {
            let b = stats::unscored_bounds(a.count("k"), a.count("scored"), a.count("unscored"));
            json!({"excluded": b.excluded, "as_fail": b.as_fail, "as_pass": b.as_pass})
        }
        "wilcoxon_signed_rank" => signed_rank(&a),
        "wilson" => interval(stats::wilson(a.count("k"), a.count("n"), a.conf())),
        "wilson_clustered" => match stats::wilson_clustered(&a.groups(), a.conf()) {
            None => Value::Null,
            Some(w) => json!({"p": w.p, "n_eff": w.n_eff, "ci": limits(w.ci)}),
        },
        _ => return Call::Unknown,
    })
}

struct Args<'a>(&'a Value);

impl Args<'_> {
    fn get(&self, name: &str) -> &Value {
        self.0.get(name).unwrap_or_else(|| panic!("argument {name} is missing in {}", self.0))
    }

    fn count(&self, name: &str) -> u64 {
        self.get(name).as_u64().unwrap_or_else(|| panic!("{name} is no count in {}", self.0))
    }

    fn real(&self, name: &str) -> f64 {
        self.get(name).as_f64().unwrap_or_else(|| panic!("{name} is no number in {}", self.0))
    }

    fn conf(&self) -> f64 {
        self.0.get("conf").and_then(Value::as_f64).unwrap_or(CONF)
    }

    fn list(&self, name: &str) -> &[Value] {
        self.get(name).as_array().unwrap_or_else(|| panic!("{name} is no list in {}", self.0))
    }

    fn reals(&self, name: &str) -> Vec<f64> {
        self.list(name).iter().map(|x| x.as_f64().unwrap()).collect()
    }

    fn pairs(&self, name: &str) -> Vec<(u64, u64)> {
        self.list(name).iter().map(|x| (x[0].as_u64().unwrap(), x[1].as_u64().unwrap())).collect()
    }

    fn groups(&self) -> Vec<Vec<f64>> {
        let row = |x: &Value| x.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
        self.list("groups").iter().map(row).collect()
    }

    fn table(&self) -> Vec<Vec<u64>> {
        let row = |x: &Value| x.as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect();
        self.list("table").iter().map(row).collect()
    }

    fn labels(&self) -> Vec<Vec<Option<u64>>> {
        let row = |x: &Value| x.as_array().unwrap().iter().map(Value::as_u64).collect();
        self.list("raters").iter().map(row).collect()
    }

    fn strata(&self) -> Vec<Stratum> {
        let stratum = |x: &Value| {
            let [k0, n0, k1, n1] = [0, 1, 2, 3].map(|i: usize| x[i].as_u64().unwrap());
            Stratum { k0, n0, k1, n1 }
        };
        self.list("strata").iter().map(stratum).collect()
    }
}

/// A number or null; infinity has no JSON number and becomes "inf".
fn number(x: Option<f64>) -> Value {
    match x {
        Some(x) if x.is_infinite() => json!(if x > 0.0 { "inf" } else { "-inf" }),
        Some(x) if x.is_nan() => json!("NaN: a defect"),
        other => json!(other),
    }
}

fn limits(ci: Interval) -> Value {
    json!([ci.low, ci.high])
}

fn interval(ci: Option<Interval>) -> Value {
    ci.map_or(Value::Null, limits)
}

fn tails(t: Option<stats::Tails>) -> Value {
    match t {
        None => Value::Null,
        Some(t) => json!({"two_sided": t.two_sided, "greater": t.greater, "less": t.less}),
    }
}

fn difference(d: Option<stats::Difference>) -> Value {
    d.map_or(Value::Null, |d| json!([d.value, d.ci.low, d.ci.high]))
}

fn mean_over(m: stats::MeanOverInstances) -> Value {
    json!({"value": m.value, "used": m.used, "left_out": m.left_out})
}

fn bca(a: &Args) -> Value {
    let found = stats::bca_from_replicates(
        a.real("estimate"),
        &a.reals("replicates"),
        &a.reals("jackknife"),
        a.conf(),
    );
    found.map_or(Value::Null, |b| json!({"z0": b.z0, "a": b.a, "ci": limits(b.ci)}))
}

fn bootstrap(a: &Args) -> Value {
    let (d, replicates, seed) = (a.reals("d"), a.count("replicates") as usize, a.count("seed"));
    let first: Vec<f64> = stats::bootstrap_means(&d, replicates, seed).into_iter().take(3).collect();
    match stats::cluster_bootstrap_mean(&d, replicates, seed, a.conf()) {
        None => Value::Null,
        Some(b) => json!({"estimate": b.estimate, "first3": first, "percentile": limits(b.percentile),
                          "bca": interval(b.bca), "se": b.se}),
    }
}

fn breslow_day(a: &Args) -> Value {
    match stats::breslow_day(&a.strata()) {
        None => Value::Null,
        Some(b) => json!({"chi2": b.chi2, "chi2_tarone": b.chi2_tarone, "df": b.df, "p": b.p,
                          "p_tarone": b.p_tarone}),
    }
}

fn clustered_se(a: &Args) -> Value {
    match stats::clustered_se(&a.groups(), a.conf()) {
        None => Value::Null,
        Some(c) => json!({"mean": c.mean, "se_naive": c.se_naive, "se_cr0": c.se_cr0, "se_cr1": c.se_cr1,
                          "ci": interval(c.ci), "mean_of_instance_means": c.mean_of_instance_means,
                          "se_instance_means": c.se_instance_means, "deff": c.deff}),
    }
}

fn cmh(a: &Args) -> Value {
    let c = stats::cmh(&a.strata(), a.conf());
    json!({"delta": c.delta, "informative_strata": c.informative_strata, "chi2": c.chi2, "p": c.p,
           "chi2_cc": c.chi2_cc, "p_cc": c.p_cc, "odds_ratio": number(c.odds_ratio), "ci": interval(c.ci)})
}

fn icc1(a: &Args) -> Value {
    match stats::icc1(&a.groups()) {
        None => Value::Null,
        Some(i) => json!({"icc": i.icc, "n0": i.n0, "deff": i.deff, "n_eff": i.n_eff}),
    }
}

fn kappa(a: &Args) -> Value {
    match stats::cohens_kappa(&a.table(), a.conf()) {
        None => Value::Null,
        Some(k) => json!({"kappa": k.kappa, "agreement": k.agreement, "ci": interval(k.ci)}),
    }
}

fn kaplan_meier(a: &Args) -> Value {
    let event: Vec<bool> = a.reals("event").iter().map(|x| *x != 0.0).collect();
    match stats::kaplan_meier(&a.reals("time"), &event) {
        None => Value::Null,
        Some(s) => json!({"median": s.median, "curve": s.curve, "events": s.events, "n": s.n}),
    }
}

fn log_odds(a: &Args) -> Value {
    let found = stats::log_odds_dirichlet(&a.reals("base"), &a.reals("trained"), &a.reals("prior"));
    found.into_iter().map(|w| w.map_or(Value::Null, |w| json!([w.delta, w.sd, w.z]))).collect()
}

fn mann_whitney(a: &Args) -> Value {
    match stats::mann_whitney(&a.reals("base"), &a.reals("trained")) {
        None => Value::Null,
        Some(m) => json!({"u_trained": m.u_trained, "p_superiority": m.p_superiority,
                          "cliffs_delta": m.cliffs_delta, "p_exact": m.p_exact,
                          "p_normal_cc": m.p_normal_cc, "hl_shift": m.hl_shift}),
    }
}

fn mcnemar(a: &Args) -> Value {
    let m = stats::mcnemar(a.count("only_base"), a.count("only_trained"));
    json!({"exact": m.exact, "mid_p": m.mid_p, "chi2": m.chi2, "chi2_p": m.chi2_p, "chi2_cc_p": m.chi2_cc_p,
           "odds_ratio": number(m.odds_ratio)})
}

fn mcnemar_bounds(a: &Args) -> Value {
    match stats::mcnemar_bounds(a.count("k0"), a.count("k1"), a.count("n")) {
        None => Value::Null,
        Some(b) => json!({"p_min": b.p_min, "p_max": b.p_max, "discordant_min": b.discordant_min,
                          "discordant_max": b.discordant_max}),
    }
}

fn mdd_paired_means(a: &Args) -> Value {
    let design = MeansDesign {
        instances: a.count("instances"),
        var_effect: a.real("var_effect"),
        var_within_base: a.real("var_within_base"),
        var_within_trained: a.real("var_within_trained"),
        runs_base: a.count("runs_base"),
        runs_trained: a.count("runs_trained"),
    };
    number(stats::mdd_paired_means(&design, a.real("alpha"), a.real("power")))
}

fn p_adjust(a: &Args) -> Value {
    let p: Vec<Option<f64>> = a.list("p").iter().map(Value::as_f64).collect();
    let method = match a.get("method").as_str() {
        Some("holm") => Adjustment::Holm,
        Some("bonferroni") => Adjustment::Bonferroni,
        Some("bh") => Adjustment::Bh,
        Some("by") => Adjustment::By,
        other => panic!("no such adjustment: {other:?}"),
    };
    json!(stats::p_adjust(&p, method))
}

fn paired_mean(a: &Args) -> Value {
    match stats::paired_mean_ci(&a.reals("d"), a.conf()) {
        None => Value::Null,
        Some(m) => json!({"mean": m.mean, "se": m.se, "t": m.t, "p": m.p, "ci": interval(m.ci)}),
    }
}

fn rank_correlation(a: &Args) -> Value {
    match stats::rank_correlation(&a.reals("x"), &a.reals("y")) {
        None => Value::Null,
        Some(r) if r.exact => json!({"rho": r.rho, "tau_b": r.tau_b, "rho_p_exact": r.rho_p,
                                     "tau_p_exact": r.tau_p}),
        Some(r) => json!({"rho": r.rho, "tau_b": r.tau_b, "rho_p_t": r.rho_p, "tau_p_normal": r.tau_p}),
    }
}

fn risk_difference(a: &Args) -> Value {
    match stats::mh_risk_difference(&a.strata(), a.conf()) {
        None => Value::Null,
        Some(r) => json!({"rd": r.rd, "se": r.se, "ci": interval(r.ci)}),
    }
}

fn rogan_gladen(a: &Args) -> Value {
    match stats::rogan_gladen(a.count("k"), a.count("n"), a.real("se"), a.real("sp"), a.conf()) {
        None => Value::Null,
        Some(r) => json!({"raw": r.raw, "estimate": r.estimate, "ci": limits(r.ci)}),
    }
}

fn rogan_gladen_estimated(a: &Args) -> Value {
    let [k, n, tp, n_pos, tn, n_neg] = ["k", "n", "tp", "n_pos", "tn", "n_neg"].map(|name| a.count(name));
    match stats::rogan_gladen_estimated(k, n, tp, n_pos, tn, n_neg, a.conf()) {
        None => Value::Null,
        Some(r) => json!({"raw": r.raw, "estimate": r.estimate, "se": r.se, "ci_delta": limits(r.ci_delta),
                          "ci_lang_reiczigel": limits(r.ci_lang_reiczigel)}),
    }
}

fn signed_rank(a: &Args) -> Value {
    let zeros = match a.get("zeros").as_str() {
        Some("wilcox") => Zeros::Wilcox,
        Some("pratt") => Zeros::Pratt,
        other => panic!("no such rule for zeros: {other:?}"),
    };
    match stats::wilcoxon_signed_rank(&a.reals("d"), zeros) {
        None => Value::Null,
        Some(w) => json!({"w_plus": w.w_plus, "w_minus": w.w_minus, "n_used": w.n_used, "p_exact": w.p_exact,
                          "z": w.z, "p_normal": w.p_normal, "rank_biserial": w.rank_biserial}),
    }
}
