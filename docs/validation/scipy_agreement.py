#!/usr/bin/env python3
"""Compares the statistics of ethogram with SciPy, statsmodels, lifelines and krippendorff on random inputs.

    pip install scipy statsmodels lifelines krippendorff
    python docs/validation/scipy_agreement.py [--inputs 1000] [--seed 20261201] > docs/validation/scipy_agreement.md

Every function that has a counterpart is called on so many random inputs. The inputs go as one JSON object a line to
the test `stats::answers`, which calls the functions and writes their answers; nothing of the engine is repeated here.
A value that the library leaves undefined (NaN) is compared with null. Exit code 1 when any value differs by more than
its tolerance.
"""
import argparse
import itertools
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

import krippendorff
import lifelines
import numpy as np
import scipy
import scipy.stats as st
import statsmodels
import statsmodels.api as sm
from statsmodels.stats import contingency_tables, inter_rater, multitest, proportion

warnings.filterwarnings("ignore")
ROOT = pathlib.Path(__file__).resolve().parents[2]


def two_by_two(rng, most=120):
    n0, n1 = (int(n) for n in rng.integers(1, most, 2))
    return {"k0": int(rng.integers(0, n0 + 1)), "n0": n0, "k1": int(rng.integers(0, n1 + 1)), "n1": n1}


def table_of(a):
    """Trained arm first, so that "greater" means that the trained arm does better."""
    return [[a["k1"], a["n1"] - a["k1"]], [a["k0"], a["n0"] - a["k0"]]]


def one_rate(rng):
    n = int(rng.integers(1, 800))
    edge = rng.random()
    k = 0 if edge < 0.05 else n if edge < 0.1 else int(rng.integers(0, n + 1))
    return {"k": k, "n": n, "conf": float(rng.choice([0.9, 0.95, 0.99]))}


def wilson(a):
    return list(proportion.proportion_confint(a["k"], a["n"], 1 - a["conf"], "wilson"))


def clopper_pearson(a):
    ci = st.binomtest(a["k"], a["n"]).proportion_ci(a["conf"], "exact")
    return [ci.low, ci.high]


def jeffreys(a):
    low, high = proportion.proportion_confint(a["k"], a["n"], 1 - a["conf"], "jeffreys")
    # statsmodels knows no rule for the ends; Brown, Cai and DasGupta set them to 0 and 1.
    return [0.0 if a["k"] == 0 else low, 1.0 if a["k"] == a["n"] else high]


def groups(rng, least=2):
    return {"groups": [
        [float(x) for x in (rng.random(int(rng.integers(1, 9))) < rng.beta(0.5, 0.7))]
        for _ in range(int(rng.integers(least, 40)))
    ], "conf": 0.95}


def clustered_se(a):
    sizes = [len(group) for group in a["groups"]]
    y = np.concatenate(a["groups"])
    label = np.repeat(np.arange(len(sizes)), sizes)
    fit = sm.OLS(y, np.ones(len(y))).fit(cov_type="cluster", cov_kwds={"groups": label, "use_correction": False}, use_t=True)
    many = len(sizes)
    cr0 = float(fit.bse[0])
    cr1 = cr0 * math.sqrt(many / (many - 1))
    half = st.t.ppf(0.975, many - 1) * cr1
    ci = None if cr1 < 1e-12 else [float(y.mean()) - half, float(y.mean()) + half]
    return {"mean": float(y.mean()), "se_cr0": cr0, "se_cr1": cr1, "ci": ci}


def icc1(a):
    sizes = np.array([len(group) for group in a["groups"]])
    total, many = sizes.sum(), len(sizes)
    n0 = (total - (sizes**2).sum() / total) / (many - 1)
    flat = np.concatenate(a["groups"])
    if flat.std() == 0 or (sizes == 1).all():
        return None
    f = st.f_oneway(*a["groups"]).statistic
    return {"icc": 1.0 if math.isinf(f) else float((f - 1) / (f - 1 + n0)), "n0": float(n0)}


def differences(rng, least=2, most=60):
    kind = rng.integers(0, 3)
    n = int(rng.integers(least, most))
    if kind == 0:
        return [float(x) for x in rng.integers(-3, 4, n)]
    if kind == 1:
        return [float(x) / 8 for x in rng.integers(-8, 9, n)]
    return [float(x) for x in rng.normal(0.3, 1.0, n)]


def paired_mean_ci(a):
    d = np.array(a["d"])
    if d.std() == 0:
        return {"mean": float(d.mean()), "t": None, "p": None, "ci": None}
    test = st.ttest_1samp(d, 0.0)
    ci = test.confidence_interval(0.95)
    return {"mean": float(d.mean()), "t": float(test.statistic), "p": float(test.pvalue), "ci": [float(ci.low), float(ci.high)]}


def newcombe_independent(a):
    low, high = proportion.confint_proportions_2indep(a["k1"], a["n1"], a["k0"], a["n0"], method="newcomb", compare="diff")
    return [a["k1"] / a["n1"] - a["k0"] / a["n0"], low, high]


def fisher(a):
    return {
        "two_sided": st.fisher_exact(table_of(a)).pvalue,
        "greater": st.fisher_exact(table_of(a), "greater").pvalue,
        "less": st.fisher_exact(table_of(a), "less").pvalue,
    }


def boschloo(a):
    # SciPy takes columns as the two samples.
    columns = np.array(table_of(a)).T
    return {side: st.boschloo_exact(columns, alternative=word, n=64).pvalue
            for side, word in (("two_sided", "two-sided"), ("greater", "greater"), ("less", "less"))}


def mcnemar(a):
    b, c = a["only_base"], a["only_trained"]
    if b + c == 0:
        return {"exact": 1.0}
    plain = contingency_tables.mcnemar([[5, b], [c, 7]], exact=False, correction=False)
    cc = contingency_tables.mcnemar([[5, b], [c, 7]], exact=False, correction=True)
    # With equal counts statsmodels lets the correction overshoot zero, where R leaves it out.
    corrected = {"chi2_cc_p": float(cc.pvalue)} if b != c else {}
    return corrected | {"exact": st.binomtest(b, b + c).pvalue, "chi2": float(plain.statistic), "chi2_p": float(plain.pvalue)}


def strata(rng):
    rows = []
    for _ in range(int(rng.integers(2, 9))):
        n0, n1 = (int(n) for n in rng.integers(4, 120, 2))
        rows.append([int(rng.integers(1, n0)), n0, int(rng.integers(1, n1)), n1])
    return {"strata": rows, "conf": 0.95}


def stratified(a):
    return contingency_tables.StratifiedTable(
        [np.array([[k1, n1 - k1], [k0, n0 - k0]], float) for k0, n0, k1, n1 in a["strata"]]
    )


def cmh(a):
    tables = stratified(a)
    plain, cc = tables.test_null_odds(correction=False), tables.test_null_odds(correction=True)
    low, high = tables.oddsratio_pooled_confint()
    expected = sum(n1 * (k0 + k1) / (n0 + n1) for k0, n0, k1, n1 in a["strata"])
    moved = abs(sum(row[2] for row in a["strata"]) - expected)
    # Below half a success statsmodels lets the correction overshoot zero; there is nothing to compare.
    corrected = {"chi2_cc": float(cc.statistic), "p_cc": float(cc.pvalue)} if moved >= 0.5 else {}
    return corrected | {"chi2": float(plain.statistic), "p": float(plain.pvalue),
            "odds_ratio": float(tables.oddsratio_pooled), "ci": [float(low), float(high)]}


def breslow_day(a):
    plain, tarone = stratified(a).test_equal_odds(adjust=False), stratified(a).test_equal_odds(adjust=True)
    return {"chi2": float(plain.statistic), "p": float(plain.pvalue), "chi2_tarone": float(tarone.statistic),
            "p_tarone": float(tarone.pvalue)}


def cmh_exact(a):
    """The sum of hypergeometric counts by convolution of SciPy's masses."""
    mass, seen, least = np.array([1.0]), 0, 0
    for k0, n0, k1, n1 in a["strata"]:
        support = np.arange(max(0, k0 + k1 - n0), min(n1, k0 + k1) + 1)
        mass = np.convolve(mass, st.hypergeom.pmf(support, n0 + n1, k0 + k1, n1))
        seen, least = seen + k1, least + support[0]
    at = seen - least
    greater, less = float(mass[at:].sum()), float(mass[: at + 1].sum())
    return {"two_sided": float(mass[mass <= mass[at] * (1 + 1e-7)].sum()), "greater": greater, "less": less}


def cohens_h(a):
    return float(proportion.proportion_effectsize(a["p1"], a["p0"]))


def flips(d):
    # The test statistic of SciPy sees whole batches of signs; the rounding keeps equal sums equal.
    return float(st.permutation_test((np.array(d),), lambda x, axis: np.round(np.abs(x.sum(axis=axis)), 9),
                                     permutation_type="samples", n_resamples=np.inf, alternative="greater", vectorized=True).pvalue)


def signflip_exact(a):
    return flips(a["d"])


def wilcoxon_signed_rank(a):
    d = np.array(a["d"])
    moved = d[d != 0]
    if len(moved) == 0:
        return None
    want = {"n_used": int(len(moved))}
    normal = st.wilcoxon(d, zero_method=a["zeros"], correction=False, method="asymptotic")
    want["p_normal"] = float(normal.pvalue)
    want["z"] = float(abs(normal.zstatistic))
    if len(set(np.abs(moved))) == len(moved) and len(moved) == len(d):
        exact = st.wilcoxon(d, zero_method=a["zeros"], method="exact")
        want["p_exact"] = float(exact.pvalue)
        want["w_plus"] = float(st.wilcoxon(d, alternative="greater", method="exact").statistic)
    elif len(moved) <= 12:
        ranks = st.rankdata(np.abs(moved)) if a["zeros"] == "wilcox" else st.rankdata(np.abs(d))[d != 0]
        signed = ranks * np.sign(moved)
        ups = np.array([(np.array(s) * ranks)[np.array(s) > 0].sum() for s in itertools.product((-1, 1), repeat=len(ranks))])
        seen = signed[signed > 0].sum()
        want["p_exact"] = min(1.0, 2 * min(float((ups >= seen - 1e-9).mean()), float((ups <= seen + 1e-9).mean())))
    return want


def hodges_lehmann_paired(a):
    d = a["d"]
    return float(np.median([(x + y) / 2 for x, y in itertools.combinations_with_replacement(d, 2)]))


def mann_whitney(a):
    base, trained = a["base"], a["trained"]
    test = st.mannwhitneyu(trained, base, method="asymptotic", use_continuity=True)
    want = {"u_trained": float(test.statistic), "p_superiority": float(test.statistic) / len(base) / len(trained),
            "cliffs_delta": 2 * float(test.statistic) / len(base) / len(trained) - 1,
            "hl_shift": float(np.median([y - x for x in base for y in trained]))}
    want["p_normal_cc"] = None if math.isnan(test.pvalue) else float(test.pvalue)
    everything = base + trained
    want["p_exact"] = (
        float(st.mannwhitneyu(trained, base, method="exact").pvalue) if len(set(everything)) == len(everything) else None
    )
    return want


def rank_correlation(a):
    x, y = a["x"], a["y"]
    if len(set(x)) == 1 or len(set(y)) == 1:
        return None
    # SciPy's asymptotic p divides by zero for two pairs; its coefficient is the same by either method.
    rho, tau = st.spearmanr(x, y), st.kendalltau(x, y, method="asymptotic" if len(x) > 2 else "auto")
    want = {"rho": float(rho.statistic), "tau_b": float(tau.statistic)}
    if len(x) > 9:
        want |= {"rho_p_t": float(rho.pvalue), "tau_p_normal": float(tau.pvalue)}
    elif len(x) <= 6:
        orders = list(itertools.permutations(y))
        of = lambda statistic, seen: float(np.mean([abs(statistic(x, list(o)).statistic) >= abs(seen) - 1e-9 for o in orders]))
        want |= {"rho_p_exact": of(st.spearmanr, rho.statistic), "tau_p_exact": of(st.kendalltau, tau.statistic)}
    return want


def p_adjust(a):
    known = [p for p in a["p"] if p is not None]
    if not known:
        return [None] * len(a["p"])
    method = {"holm": "holm", "bonferroni": "bonferroni", "bh": "fdr_bh", "by": "fdr_by"}[a["method"]]
    adjusted = iter(multitest.multipletests(known, method=method)[1])
    return [None if p is None else float(next(adjusted)) for p in a["p"]]


def cohens_kappa(a):
    table = np.array(a["table"], float)
    if table.sum() == 0:
        return None
    found = inter_rater.cohens_kappa(table)
    if math.isnan(found.kappa):
        return {"kappa": None}
    return {"kappa": float(found.kappa), "agreement": float(np.trace(table) / table.sum()),
            "ci": [float(found.kappa_low), float(found.kappa_upp)]}


def krippendorff_alpha_nominal(a):
    data = np.array([[np.nan if x is None else x for x in rater] for rater in a["raters"]], float)
    try:
        return float(krippendorff.alpha(reliability_data=data, level_of_measurement="nominal"))
    except (ValueError, AssertionError):
        return None


def kaplan_meier(a):
    fit = lifelines.KaplanMeierFitter().fit(a["time"], a["event"])
    curve = [[float(t), float(fit.survival_function_at_times(t).iloc[0])] for t in sorted({t for t, e in zip(a["time"], a["event"]) if e})]
    median = next((t for t, s in curve if s <= 0.5 + 1e-12), None)
    return {"curve": curve, "median": median, "n": len(a["time"]), "events": int(sum(a["event"]))}


def quantile(a):
    return float(np.quantile(a["x"], a["q"], method="linear"))


def pass_at_k(a):
    n, c, k = a["n"], a["c"], a["k"]
    # At least one of k drawn without replacement among n of which c are good.
    return float(st.hypergeom.sf(0, n, c, k)) if c else 0.0


def pass_hat_k(a):
    return float(st.hypergeom.pmf(a["k"], a["n"], a["c"], a["k"])) if a["c"] >= a["k"] else 0.0


def power_mcnemar_exact(a):
    m, p10, p01 = a["pairs"], a["p_only_base"], a["p_only_trained"]
    rest = p10 + p01
    power = 0.0
    for d in range(1, m + 1):
        share = st.binom.pmf(d, m, rest)
        if share < 1e-18:
            continue
        c = np.arange(d + 1)
        p = np.minimum(1.0, 2 * np.minimum(st.binom.cdf(c, d, 0.5), st.binom.sf(c - 1, d, 0.5)))
        power += share * st.binom.pmf(c, d, p01 / rest)[p <= a["alpha"]].sum()
    return float(power)


def homogeneous_expectation(a):
    m, n, p = a["instances"], a["n"], a["p"]
    return {"intersection": float(m * st.binom.pmf(n, n, p)), "union": float(m * st.binom.sf(0, n, p))}


def silent_group(a):
    return float(st.binom.pmf(0, a["g"], a["q"]) + st.binom.pmf(a["g"], a["g"], a["q"]))


def ints(rng, low, high):
    return int(rng.integers(low, high))


def draw_ranks(rng):
    n = ints(rng, 2, 30) if rng.random() < 0.7 else ints(rng, 2, 7)
    top = ints(rng, 2, 50)
    return {"x": [float(x) for x in rng.integers(0, top, n)], "y": [float(x) for x in rng.integers(0, top, n)]}


def draw_samples(rng):
    ties = rng.random() < 0.5
    one = lambda n: [float(x) for x in (rng.integers(0, 9, n) if ties else rng.normal(0, 1, n))]
    return {"base": one(ints(rng, 1, 25)), "trained": one(ints(rng, 1, 25))}


def draw_ps(rng):
    n = ints(rng, 1, 25)
    return {"p": [None if rng.random() < 0.1 else float(rng.random() ** 3) for _ in range(n)],
            "method": str(rng.choice(["holm", "bonferroni", "bh", "by"]))}


def draw_raters(rng):
    many = ints(rng, 2, 5)
    items = ints(rng, 2, 30)
    return {"raters": [[None if rng.random() < 0.15 else ints(rng, 0, 4) for _ in range(items)] for _ in range(many)]}


def draw_survival(rng):
    n = ints(rng, 1, 40)
    return {"time": [float(x) for x in rng.integers(1, 20, n)], "event": [int(x) for x in rng.random(n) < 0.7]}


def draw_pass(rng):
    n = ints(rng, 1, 300)
    return {"n": n, "c": ints(rng, 0, n + 1), "k": ints(rng, 1, n + 1)}


def draw_table(rng):
    q = ints(rng, 2, 6)
    return {"table": [[ints(rng, 1, 40) if i == j else ints(rng, 0, 15) for j in range(q)] for i in range(q)], "conf": 0.95}


def whole(rng):
    """Differences whose sums are exact: whole numbers or eighths."""
    n = ints(rng, 2, 13)
    return {"d": [float(x) / (8 if rng.random() < 0.5 else 1) for x in rng.integers(-6, 7, n)]}


def draw_signed(rng):
    return {"d": differences(rng, 1), "zeros": str(rng.choice(["wilcox", "pratt"]))}


# name: (draw, reference, counterpart, absolute, relative). Only the values that the reference gives are compared.
FUNCTIONS = {
    "boschloo": (lambda r: two_by_two(r, 40), boschloo, "scipy boschloo_exact(n=64)", 3e-5, 1e-4),
    "breslow_day": (strata, breslow_day, "statsmodels StratifiedTable.test_equal_odds", 1e-7, 1e-6),
    "clopper_pearson": (one_rate, clopper_pearson, "scipy binomtest.proportion_ci", 1e-8, 0),
    "clustered_se": (groups, clustered_se, "statsmodels OLS cov_type=cluster, scipy t", 1e-9, 1e-9),
    "cmh": (strata, cmh, "statsmodels StratifiedTable", 1e-9, 1e-7),
    "cmh_exact": (strata, cmh_exact, "scipy hypergeom, convolved", 1e-9, 1e-6),
    "cohens_h": (lambda r: {"p0": float(r.random()), "p1": float(r.random())}, cohens_h, "statsmodels proportion_effectsize", 1e-12, 0),
    "cohens_kappa": (draw_table, cohens_kappa, "statsmodels cohens_kappa", 1e-8, 1e-8),
    "fisher": (two_by_two, fisher, "scipy fisher_exact", 1e-8, 1e-6),
    "hodges_lehmann_paired": (lambda r: {"d": differences(r)}, hodges_lehmann_paired, "numpy median of Walsh means", 1e-12, 1e-12),
    "homogeneous_expectation": (lambda r: {"instances": ints(r, 1, 900), "n": ints(r, 1, 20), "p": float(r.random())},
                                homogeneous_expectation, "scipy binom", 1e-9, 1e-9),
    "icc1": (groups, icc1, "scipy f_oneway", 1e-9, 1e-7),
    "jeffreys": (one_rate, jeffreys, "statsmodels proportion_confint, ends by rule", 1e-8, 0),
    "kaplan_meier": (draw_survival, kaplan_meier, "lifelines KaplanMeierFitter", 1e-10, 0),
    "krippendorff_alpha_nominal": (draw_raters, krippendorff_alpha_nominal, "krippendorff.alpha", 1e-9, 1e-9),
    "mann_whitney": (draw_samples, mann_whitney, "scipy mannwhitneyu", 1e-9, 1e-8),
    "mcnemar": (lambda r: {"only_base": ints(r, 0, 200), "only_trained": ints(r, 0, 200)}, mcnemar,
                "scipy binomtest, statsmodels mcnemar", 1e-10, 1e-8),
    "newcombe_independent": (lambda r: two_by_two(r, 800) | {"conf": 0.95}, newcombe_independent,
                             "statsmodels confint_proportions_2indep(newcomb)", 1e-9, 0),
    "p_adjust": (draw_ps, p_adjust, "statsmodels multipletests", 1e-12, 1e-10),
    "paired_mean_ci": (lambda r: {"d": differences(r), "conf": 0.95}, paired_mean_ci, "scipy ttest_1samp", 1e-9, 1e-9),
    "pass_at_k": (draw_pass, pass_at_k, "scipy hypergeom", 1e-11, 0),
    "pass_hat_k": (draw_pass, pass_hat_k, "scipy hypergeom", 1e-9, 0),
    "power_mcnemar_exact": (lambda r: {"pairs": ints(r, 5, 120), "p_only_base": float(r.uniform(0.01, 0.4)),
                                       "p_only_trained": float(r.uniform(0.01, 0.4)), "alpha": 0.05},
                            power_mcnemar_exact, "scipy binom, enumerated", 1e-7, 0),
    "quantile": (lambda r: {"x": [float(x) for x in r.normal(0, 9, ints(r, 1, 50))], "q": float(r.random())}, quantile,
                 "numpy quantile (type 7)", 1e-12, 1e-12),
    "rank_correlation": (draw_ranks, rank_correlation, "scipy spearmanr, kendalltau; all permutations up to n = 6", 1e-8, 1e-6),
    "signflip_exact": (whole, signflip_exact, "scipy permutation_test(samples), exact", 1e-12, 0),
    "silent_group": (lambda r: {"q": float(r.random()), "g": ints(r, 1, 64)}, silent_group, "scipy binom", 1e-12, 0),
    "wilcoxon_signed_rank": (draw_signed, wilcoxon_signed_rank, "scipy wilcoxon; all signs up to 12 where tied", 1e-9, 1e-7),
    "wilson": (one_rate, wilson, "statsmodels proportion_confint", 1e-10, 0),
}


def pairs_of(want, got, path=""):
    """Every leaf that the reference gives, beside the engine's."""
    if isinstance(want, dict) and isinstance(got, dict):
        for key, value in want.items():
            yield from pairs_of(value, got.get(key), f"{path}.{key}")
    elif isinstance(want, (list, tuple)) and isinstance(got, (list, tuple)) and len(want) == len(got):
        for place, (w, g) in enumerate(zip(want, got)):
            yield from pairs_of(w, g, f"{path}[{place}]")
    else:
        yield path, want, got


def distance(want, got):
    missing = lambda x: x is None or (isinstance(x, float) and math.isnan(x))
    if missing(want) or missing(got):
        return 0.0 if missing(want) and missing(got) else math.inf
    if not isinstance(got, (int, float)) or not isinstance(want, (int, float, np.floating, np.integer)):
        return 0.0 if want == got or (got == "inf" and math.isinf(float(want))) else math.inf
    return abs(float(want) - float(got))


def answers(calls):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "calls.jsonl"
        path.write_text("".join(json.dumps(call) + "\n" for call in calls))
        command = ["cargo", "test", "-q", "--no-default-features", "--test", "main", "--", "--ignored", "--exact",
                   "stats::answers::the_calls_of_a_file_are_answered"]
        subprocess.run(command, cwd=ROOT, env=os.environ | {"ETHOGRAM_CALLS": str(path)}, check=True, stdout=sys.stderr)
        return [json.loads(line) for line in path.with_suffix(".answers").read_text().splitlines()]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--inputs", type=int, default=1000)
    options.add_argument("--seed", type=int, default=20261201)
    given = options.parse_args()
    calls = []
    for place, (name, (draw, *_)) in enumerate(FUNCTIONS.items()):
        rng = np.random.default_rng([given.seed, place])
        calls += [{"fn": name, "args": draw(rng)} for _ in range(given.inputs)]
    found = iter(answers(calls))
    print("# Agreement with SciPy and statsmodels\n")
    print(f"Written by `docs/validation/scipy_agreement.py --inputs {given.inputs} --seed {given.seed}`; scipy {scipy.__version__}, "
          f"statsmodels {statsmodels.__version__}, lifelines {lifelines.__version__}, numpy {np.__version__}.\n")
    print("A value agrees where |ours - theirs| is at most the absolute tolerance plus the relative one times |theirs|; undefined "
          "must meet undefined.\n")
    print("| function | counterpart | inputs | values | differ | largest difference | tolerance |")
    print("|---|---|---|---|---|---|---|")
    failed = []
    for name, (_, reference, counterpart, absolute, relative) in FUNCTIONS.items():
        values, differ, largest = 0, 0, 0.0
        for call in (call for call in calls if call["fn"] == name):
            got = next(found)
            for path, want, have in pairs_of(reference(call["args"]), got):
                values += 1
                # The sign of z follows the direction of the test, which SciPy gives for the smaller sum.
                have = abs(have) if path == ".z" and have is not None else have
                off = distance(want, have)
                scale = abs(float(want)) if isinstance(want, (int, float, np.floating)) and not math.isinf(float(want)) else 0.0
                largest = max(largest, off)
                if off > absolute + relative * (0.0 if math.isnan(scale) else scale):
                    differ += 1
                    failed.append(f"{name}{path} {json.dumps(call['args'])}: theirs {want}, ours {have}")
        print(f"| `{name}` | {counterpart} | {given.inputs:,} | {values:,} | {differ} | {largest:.1e} | {absolute:g} + {relative:g} rel |", flush=True)
    print("\nThe functions of `src/stats` without a counterpart in these libraries (Newcombe's paired interval, the clustered Wilson "
          "interval, Mantel-Haenszel's risk difference, Rogan-Gladen, Gwet's AC1, log-odds, BCa, bounds and least differences) are held "
          "by their reference vectors alone.")
    for line in failed[:60]:
        print(line, file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
