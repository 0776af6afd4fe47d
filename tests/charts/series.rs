//! Small series of our own, made by hand; the numbers are no results. The first of each chart is the usual case, the
//! others are those that break drawings: one arm, many arms, long names, few runs, nothing at all, hostile names.

use ethogram::model::series::{
    ArmLabel, Caption, Ecdf, EcdfAxis, EcdfCurve, EcdfPoint, Estimate, Ethogram, EthogramGroup, EthogramPair,
    Forest, ForestRow, FunnelSeries, FunnelStage, PassBars, PassCurve, PassCurves, PassGroup, PositionPanel,
    Positions, Role, Series, TerminationBars, TerminationRow,
};
use ethogram::model::tag::TagName;

/// A name that a transcript may hold: markup, quotes, control and direction signs, and much of it.
pub const HOSTILE: &str = "</text><script>alert(\"1\")</script>&amp;\u{0}\u{1b}[31m\u{202e}'\n]]>\u{fffe}\u{7} \
                           a-name-that-does-not-end-a-name-that-does-not-end-a-name-that-does-not-end";

/// Name of the file and the series.
pub fn all() -> Vec<(&'static str, Series)> {
    let mut all = Vec::new();
    all.extend(pass_bars().into_iter().map(|(name, series)| (name, Series::PassBars(series))));
    all.extend(pass_curves().into_iter().map(|(name, series)| (name, Series::PassCurves(series))));
    all.extend(forests().into_iter().map(|(name, series)| (name, Series::Forest(series))));
    all.extend(funnels().into_iter().map(|(name, series)| (name, Series::Funnel(series))));
    all.extend(positions().into_iter().map(|(name, series)| (name, Series::Positions(series))));
    all.extend(terminations().into_iter().map(|(name, series)| (name, Series::Termination(series))));
    all.extend(ethograms().into_iter().map(|(name, series)| (name, Series::Ethogram(series))));
    all.extend(ecdfs().into_iter().map(|(name, series)| (name, Series::Ecdf(series))));
    all
}

fn arm(name: &str, role: Role) -> ArmLabel {
    ArmLabel { arm: name.to_owned(), role }
}

fn caption(title: &str, subtitle: &str, foot: &str) -> Caption {
    Caption { title: title.to_owned(), subtitle: subtitle.to_owned(), foot: foot.to_owned() }
}

/// k of n with a Wilson interval.
fn share(num: i64, n: i64) -> Estimate {
    if n == 0 {
        return Estimate { value: None, interval: None, num: Some(0), n: 0 };
    }
    let (k, m, z) = (num as f64, n as f64, 1.959964);
    let p = k / m;
    let middle = (p + z * z / (2.0 * m)) / (1.0 + z * z / m);
    let half = z / (1.0 + z * z / m) * (p * (1.0 - p) / m + z * z / (4.0 * m * m)).sqrt();
    let interval = Some(((middle - half).max(0.0), (middle + half).min(1.0)));
    Estimate { value: Some(p), interval, num: Some(num), n }
}

fn mean(value: f64, half: f64, n: i64) -> Estimate {
    Estimate { value: Some(value), interval: Some((value - half, value + half)), num: None, n }
}

fn pair(name: &str, base: (Role, i64, i64), trained: (i64, i64), gain: Option<(f64, f64)>) -> PassGroup {
    let name_of = |role| if role == Role::Trained { "RL-trained" } else { "base" };
    PassGroup {
        name: name.to_owned(),
        delta: gain.map(|(delta, _)| delta),
        p: gain.map(|(_, p)| p),
        bars: vec![
            (arm(name_of(base.0), base.0), share(base.1, base.2)),
            (arm("RL-trained", Role::Trained), share(trained.0, trained.1)),
        ],
    }
}

const FOOT: &str = "unit = instance, one run each · p: Boschloo, two-sided, unpaired (totals only), not adjusted · \
                    Terminal-Bench 3: 8 trained runs unscored, excluded";

fn pass_bars() -> Vec<(&'static str, PassBars)> {
    let words =
        caption("pass@1 by benchmark", "resolved instances, % of scored · line: 95 % Wilson interval", FOOT);
    let six = vec![
        pair("SWE-Bench Pro", (Role::Base, 439, 731), (474, 731), Some((0.0479, 0.061))),
        pair("DeepSWE", (Role::Public, 35, 113), (49, 113), Some((0.1239, 0.056))),
        pair("Terminal-Bench 2.1", (Role::Public, 60, 89), (73, 89), Some((0.1461, 0.029))),
        pair("Terminal-Bench 3", (Role::Base, 1, 74), (8, 66), Some((0.1077, 0.014))),
        pair("Terminal-Bench 4", (Role::Base, 0, 66), (5, 66), Some((0.0758, 0.0451))),
        pair("SWE-Marathon", (Role::Base, 1, 20), (5, 20), Some((0.2, 0.1))),
    ];
    let tiny = vec![
        pair("n = 3", (Role::Base, 1, 3), (2, 3), None),
        pair("n = 12", (Role::Base, 0, 12), (12, 12), Some((1.0, 0.00001))),
        pair("nothing scored", (Role::Base, 0, 0), (0, 40), None),
    ];
    let mut eight: Vec<PassGroup> = six.iter().chain(&six[..2]).cloned().collect();
    for group in &mut eight {
        group.name = format!("{} with a very long name of a benchmark", group.name);
        for (_, estimate) in &mut group.bars {
            (estimate.num, estimate.n) = (Some(1569), 4000);
        }
    }
    let nine = six.iter().chain(&six[..3]).cloned().collect();
    let one_arm = vec![PassGroup {
        name: "SWE-bench Verified".to_owned(),
        delta: None,
        p: None,
        bars: vec![(arm("qwen3-8b", Role::Other), mean(0.342, 0.035, 500))],
    }];
    let hostile = vec![PassGroup {
        name: HOSTILE.to_owned(),
        delta: Some(f64::NAN),
        p: Some(f64::NAN),
        bars: vec![(arm(HOSTILE, Role::Base), share(1, 30)), (arm(HOSTILE, Role::Trained), share(30, 30))],
    }];
    // No measure hands these over; should one ever, the drawing must not hang, panic or print NaN.
    let broken =
        Estimate { value: Some(f64::NAN), interval: Some((f64::NAN, f64::INFINITY)), num: None, n: 12 };
    let broken = vec![PassGroup {
        name: "broken".to_owned(),
        delta: None,
        p: None,
        bars: vec![(arm("a", Role::Base), broken.clone()), (arm("b", Role::Trained), broken)],
    }];
    let bars = |groups| PassBars { caption: words.clone(), groups };
    vec![
        ("pass-bars", bars(six)),
        ("pass-bars-tiny", bars(tiny)),
        ("pass-bars-long", bars(eight)),
        ("pass-bars-nine", bars(nine)),
        ("pass-bars-one", bars(one_arm)),
        ("pass-bars-20-arms", bars(vec![many(20)])),
        ("pass-bars-60-arms", bars(vec![many(60)])),
        ("pass-bars-empty", bars(Vec::new())),
        ("pass-bars-broken", bars(broken)),
        (
            "pass-bars-hostile",
            PassBars { caption: caption(HOSTILE, HOSTILE, &HOSTILE.repeat(3)), groups: hostile },
        ),
    ]
}

fn many(count: i64) -> PassGroup {
    let bars = (0..count).map(|place| {
        let role = match place {
            7 => Role::Base,
            11 => Role::Trained,
            _ => Role::Other,
        };
        let n = if place == 3 { 4 } else { 12 + 37 * (place % 5) };
        let name = format!("SWE-bench-Verified · checkpoint-{:04}-of-a-long-run-v{}", place * 250, place % 3);
        (arm(&name, role), share((place * 7919) % (n + 1), n))
    });
    let bars = bars.chain([(arm("SWE-bench-Verified · no-verdicts", Role::Other), share(0, 0))]).collect();
    PassGroup { name: "SWE-bench Verified".to_owned(), delta: None, p: None, bars }
}

fn curve(name: &str, role: Role, points: i64, n: i64, (start, end, all): (f64, f64, f64)) -> PassCurve {
    let value = |k: i64, to: f64| start + (to - start) * (1.0 - (-(k as f64 - 1.0) / 2.0).exp());
    PassCurve {
        arm: arm(name, role),
        any: (1..=points).map(|k| (k, mean(value(k, end), 0.09, n))).collect(),
        all: (1..=points).map(|k| (k, mean(value(k, all), 0.09, n))).collect(),
    }
}

fn pass_curves() -> Vec<(&'static str, PassCurves)> {
    let words = caption(
        "pass@k and pass^k",
        "% of instances · solid any of k, dashed all k",
        "n = 100 instances × 5 runs; 20 × 6 · band: 95 % bootstrap over instances",
    );
    let two = vec![
        curve("course agent", Role::Base, 6, 20, (0.31, 0.69, 0.0)),
        curve("sonnet-4.5", Role::Trained, 5, 100, (0.76, 0.85, 0.64)),
    ];
    let five = (0..5)
        .map(|place| {
            let role = [Role::Base, Role::Trained, Role::Other][(place as usize).min(2)];
            let start = 0.5 + 0.02 * place as f64;
            curve(&format!("checkpoint-with-a-long-name-{place}"), role, 8, 60, (start, 0.8, 0.3))
        })
        .collect();
    let nine = (0..9)
        .map(|place| {
            let role = [Role::Base, Role::Trained, Role::Other][(place as usize).min(2)];
            let start = 0.1 + 0.07 * place as f64;
            curve(&format!("checkpoint-{place}"), role, 16, 500, (start, start + 0.2, start / 3.0))
        })
        .collect();
    let tiny = vec![
        curve("n 3", Role::Base, 4, 3, (0.3, 0.6, 0.1)),
        curve("n 12", Role::Trained, 4, 12, (0.4, 0.7, 0.0)),
        PassCurve { arm: arm("one run each", Role::Other), any: Vec::new(), all: Vec::new() },
    ];
    let mut gap = curve("gap at 3", Role::Trained, 64, 40, (0.2, 0.9, 0.0));
    gap.any[2].1.value = None;
    let curves = |curves| PassCurves { caption: words.clone(), curves };
    vec![
        ("pass-curves", curves(two)),
        ("pass-curves-five", curves(five)),
        ("pass-curves-nine", curves(nine)),
        ("pass-curves-tiny", curves(tiny)),
        ("pass-curves-gap", curves(vec![gap])),
        ("pass-curves-empty", curves(Vec::new())),
    ]
}

/// Runs spread over values by a fixed rule; every seventh value has a run that a limit cut.
fn distribution(name: &str, role: Role, n: i64, value: impl Fn(i64) -> f64) -> EcdfCurve {
    let mut points: Vec<EcdfPoint> = Vec::new();
    for place in 0..n {
        let value = value(place);
        match points.last_mut() {
            Some(last) if last.value == value => last.runs += 1,
            _ => points.push(EcdfPoint { value, runs: 1, cut: i64::from(place % 7 == 6) }),
        }
    }
    let median = (n > 0).then(|| value((n - 1) / 2));
    let words =
        median.filter(|median| median.is_finite()).map_or("–".to_owned(), |median| median.to_string());
    EcdfCurve { arm: arm(name, role), points, median, label: format!("median {words}, n {n}") }
}

fn ecdfs() -> Vec<(&'static str, Ecdf)> {
    let turns = |factor: f64| move |place: i64| (factor * (5.0 + place as f64).powf(1.2)).round();
    let rates =
        |place: i64| [0.0, 0.0, 0.0, 0.25, 0.5, 0.75, 0.8, 6.0 / 7.0, 1.0][(place / 9).min(8) as usize];
    let near = |name, role, n, label: &str| EcdfCurve {
        label: label.to_owned(),
        ..distribution(name, role, n, rates)
    };
    let close = |curves| Ecdf {
        caption: caption(
            "How close failed runs came",
            "% of failed runs, cumulative; from 0.8 on: near misses",
            "base: n = 83 failed runs with tests, 83 instances, 70/83 kept every P2P",
        ),
        axis: EcdfAxis::Share { from: 0.8 },
        axis_name: "target pass rate (F2P passed / total)".to_owned(),
        curves,
    };
    let long = |curves| Ecdf {
        caption: caption(
            "How long runs are",
            "% of runs, cumulative",
            "unit: run with a log, resolved or not; tick: runs that a limit cut; dot: median",
        ),
        axis: EcdfAxis::Log,
        axis_name: "model turns, log scale".to_owned(),
        curves,
    };
    let roles = |place: usize| [Role::Base, Role::Trained, Role::Other][place.min(2)];
    let arms = |count: usize| {
        (0..count)
            .map(|place| {
                let name = format!("checkpoint-with-a-long-name-{place}");
                distribution(&name, roles(place), 60 + place as i64, turns(0.3 + 0.2 * place as f64))
            })
            .collect::<Vec<EcdfCurve>>()
    };
    vec![
        (
            "ecdf",
            close(vec![
                near("base", Role::Base, 83, "near 23/83"),
                near("rl", Role::Trained, 64, "near 10/64"),
            ]),
        ),
        (
            "ecdf-small",
            long(vec![
                distribution("sweagent-lm-32b", Role::Base, 332, turns(0.1)),
                distribution("claude-4-sonnet", Role::Trained, 64, turns(0.5)),
            ]),
        ),
        ("ecdf-five", long(arms(5))),
        ("ecdf-nine", long(arms(9))),
        (
            "ecdf-tiny",
            long(vec![
                distribution("n 3", Role::Base, 3, turns(1.0)),
                distribution("n 12", Role::Trained, 12, turns(1.0)),
                distribution("none", Role::Other, 0, turns(1.0)),
            ]),
        ),
        ("ecdf-one-value", long(vec![distribution("one", Role::Base, 30, |_| 1.0)])),
        ("ecdf-broken", long(vec![distribution("broken", Role::Base, 30, |_| f64::NAN)])),
        ("ecdf-hostile", close(vec![near(HOSTILE, Role::Base, 30, HOSTILE)])),
        ("ecdf-empty", close(Vec::new())),
    ]
}

type Look<'a> = (&'a str, &'a str, Option<TagName>);

fn row(
    (name, code, tag): Look,
    values: [f64; 2],
    half: f64,
    p: Option<f64>,
    gained_lost: (i64, i64),
) -> ForestRow {
    let delta = values[1] - values[0];
    ForestRow {
        name: name.to_owned(),
        code: code.to_owned(),
        tag,
        values: values.map(Some),
        delta: Estimate {
            value: Some(delta),
            interval: Some((delta - half, delta + half)),
            num: None,
            n: 89,
        },
        p_adjusted: p,
        gained_lost,
    }
}

fn forests() -> Vec<(&'static str, Forest)> {
    use TagName::{Editing, Exploration, Loop, Network, Recovery, Setup, Submission, Testing};
    let rows = vec![
        row(("resolved", "resolved", None), [0.071, 0.107], 0.077, Some(0.508), (6, 3)),
        row(("active testing", "active_testing", Some(Testing)), [0.539, 0.135], 0.122, Some(1e-9), (5, 41)),
        row(
            ("explicit submission", "explicit_submission", Some(Submission)),
            [0.18, 0.674],
            0.115,
            Some(1e-12),
            (47, 3),
        ),
        row(("repetitive loop", "repetitive_loop", Some(Loop)), [0.0, 0.157], 0.082, Some(0.0004), (14, 0)),
        row(("network attempt", "network_attempt", Some(Network)), [0.0, 0.022], 0.05, Some(0.55), (2, 0)),
        row(("empty patch", "empty_patch", Some(Editing)), [0.079, 0.079], 0.077, Some(1.0), (5, 5)),
        row(("any edit", "any_edit", Some(Editing)), [0.966, 0.933], 0.068, Some(0.55), (2, 5)),
        row(("explored", "explored", Some(Exploration)), [1.0, 0.944], 0.06, Some(0.09), (0, 5)),
        row(("setup", "setup", Some(Setup)), [0.112, 0.034], 0.078, Some(0.09), (2, 9)),
        row(("re-edit after test", "reedit", Some(Recovery)), [0.169, 0.022], 0.084, Some(0.0021), (1, 14)),
        row(("abnormal end", "abnormal_end", None), [0.82, 0.326], 0.116, Some(1e-12), (3, 47)),
    ];
    let words = caption(
        "What changed: deepseek-chat-v2 against gpt-4o",
        "share of runs, %, paired on instances",
        "n = 89 instance pairs, one run each · exact McNemar, Newcombe paired interval · BH over 11; resolved: raw p",
    );
    let arms = [arm("gpt-4o", Role::Base), arm("deepseek-chat-v2", Role::Trained)];
    let forest = |rows| Forest { caption: words.clone(), arms: arms.clone(), rows };
    let mut tiny = rows[..6].to_vec();
    for (row, n) in tiny.iter_mut().zip([12, 3, 0, 89, 19, 20]) {
        row.delta.n = n;
    }
    tiny[2].delta = Estimate { value: None, interval: None, num: None, n: 0 };
    (tiny[2].values, tiny[2].p_adjusted) = ([None, Some(0.5)], None);
    let zero = rows[..3].iter().cloned().map(|mut row| {
        row.values = [Some(0.0); 2];
        row.delta.value = Some(0.0);
        row.delta.interval = Some((0.0, 0.0));
        (row.p_adjusted, row.gained_lost) = (Some(1.0), (0, 0));
        row
    });
    let forty = (0..40).map(|place| {
        let share = 0.02 * f64::from(place);
        let mut row = row(
            ("a behaviour", "b", Some(TagName::ALL[place as usize % 11])),
            [0.5, share],
            0.2,
            None,
            (1, 2),
        );
        row.name =
            format!("behaviour number {place} whose name says far more than a table can hold in any column");
        row.p_adjusted = (place % 3 != 0).then_some(share.max(0.001) / 2.0);
        (row.delta.n, row.gained_lost) = (1000 + i64::from(place), (1234, 2345));
        row
    });
    let mut hostile = forest(rows[..4].to_vec());
    (hostile.arms[1].arm, hostile.rows[1].name, hostile.rows[1].code) =
        (HOSTILE.to_owned(), HOSTILE.to_owned(), HOSTILE.to_owned());
    vec![
        ("forest", forest(rows.clone())),
        ("forest-tiny", forest(tiny)),
        ("forest-zero", forest(zero.collect())),
        ("forest-40", forest(forty.collect())),
        ("forest-no-pairs", forest(Vec::new())),
        ("forest-hostile", hostile),
    ]
}

fn funnel(stages: &[(&str, [f64; 2], [f64; 2])], shapley: &[(&str, f64)], delta: f64) -> FunnelSeries {
    FunnelSeries {
        caption: caption(
            "Where runs stop, and what each stage contributes",
            "scored runs with a log, weighted so that shares are means over instances",
            "unit = run · each stage requires the one before",
        ),
        arms: [arm("gpt-4o", Role::Base), arm("deepseek-chat-v2", Role::Trained)],
        runs: [89, 89],
        stages: stages
            .iter()
            .map(|(name, reached, cut_off)| FunnelStage {
                name: (*name).to_owned(),
                reached: *reached,
                cut_off: *cut_off,
            })
            .collect(),
        off_path: [0.0; 2],
        shapley: shapley.iter().map(|(name, term)| ((*name).to_owned(), *term)).collect(),
        delta,
    }
}

fn funnels() -> Vec<(&'static str, FunnelSeries)> {
    let usual = funnel(
        &[
            ("acted", [1.0, 1.0], [0.82, 0.32]),
            ("explored", [1.0, 0.944], [0.82, 0.30]),
            ("edited source", [0.966, 0.876], [0.81, 0.27]),
            ("non-empty patch", [0.921, 0.865], [0.80, 0.26]),
            ("applied", [0.674, 0.663], [0.7, 0.2]),
            ("resolved", [0.022, 0.09], [0.5, 0.0]),
        ],
        &[
            ("acted", 0.0),
            ("explored", -0.003),
            ("edited source", -0.002),
            ("non-empty patch", 0.002),
            ("applied", 0.001),
            ("resolved", 0.07),
            ("off_path", 0.0),
        ],
        0.068,
    );
    let mut lost = funnel(
        &[
            ("acted", [1.0, 0.9], [0.0; 2]),
            ("changed something", [0.8, 0.0], [0.0; 2]),
            ("resolved", [0.4, 0.0], [0.0; 2]),
        ],
        &[("acted", -0.04), ("changed something", -0.36), ("resolved", 0.0), ("off_path", 0.05)],
        -0.35,
    );
    lost.off_path = [0.02, 0.07];
    lost.runs = [12, 3];
    lost.arms[1].arm = HOSTILE.to_owned();
    let zero = funnel(
        &[("acted", [0.0; 2], [0.0; 2]), ("resolved", [0.0; 2], [0.0; 2])],
        &[("acted", 0.0), ("resolved", 0.0), ("off_path", 0.0)],
        0.0,
    );
    vec![
        ("funnel", usual),
        ("funnel-lost", lost),
        ("funnel-zero", zero),
        ("funnel-empty", funnel(&[], &[], 0.0)),
    ]
}

fn panel(name: &str, role: Role, runs: i64, late: f64) -> PositionPanel {
    use TagName::{Editing, Execution, Exploration, Submission, Testing};
    let mut layers: Vec<(Option<TagName>, Vec<f64>)> =
        [Some(Submission), Some(Exploration), Some(Testing), Some(Editing), Some(Execution), None]
            .map(|hue| (hue, Vec::new()))
            .into();
    for bin in 0..20 {
        let at = f64::from(bin) / 19.0;
        let exploration = (1.0 - at * 1.1).max(0.05);
        let end = if bin > 16 { late * (at - 0.8) * 4.0 } else { 0.0 };
        let rest = (1.0 - exploration - end).max(0.0);
        let parts = [end, exploration, rest * 0.45, rest * 0.45, rest * 0.06];
        for (layer, part) in layers.iter_mut().zip(parts) {
            layer.1.push(part);
        }
        let sum: f64 = parts.iter().sum();
        layers[5].1.push((1.0 - sum).max(0.0));
    }
    PositionPanel { arm: arm(name, role), runs, layers }
}

fn positions() -> Vec<(&'static str, Positions)> {
    let words = caption(
        "What a run does as it goes on",
        "share of turns by primary tag, %, mean over runs, 20 bins of relative position",
        "unit = run, each run weighs the same · model turns only",
    );
    let of = |panels| Positions { caption: words.clone(), panels };
    let mut blank = panel("all untagged", Role::Trained, 40, 0.0);
    blank.layers = vec![(None, vec![1.0; 20])];
    let mut hostile = panel(HOSTILE, Role::Trained, 7, 0.5);
    hostile.layers[0].1[3] = f64::NAN;
    let seven = (0..7).map(|place| panel(&format!("checkpoint-{place}"), Role::Other, 100, 0.9)).collect();
    vec![
        (
            "positions",
            of(vec![
                panel("sweagent-lm-32b", Role::Base, 332, 0.9),
                panel("claude-4-sonnet", Role::Trained, 64, 0.5),
            ]),
        ),
        ("positions-one", of(vec![panel("gpt-4o", Role::Other, 89, 0.9)])),
        (
            "positions-tiny",
            of(vec![panel("n 3", Role::Base, 3, 0.9), hostile, panel("none", Role::Other, 0, 0.0), blank]),
        ),
        ("positions-seven", of(seven)),
        ("positions-empty", of(Vec::new())),
    ]
}

fn ends(name: &str, role: Role, counts: [i64; 6]) -> TerminationRow {
    let [submitted, limit, auto, agent_failure, infrastructure, unknown] = counts;
    TerminationRow {
        arm: arm(name, role),
        n: submitted + limit + agent_failure + infrastructure + unknown,
        submitted,
        limit: (limit, auto),
        agent_failure,
        infrastructure,
        unknown,
    }
}

fn terminations() -> Vec<(&'static str, TerminationBars)> {
    let words = caption(
        "How runs end",
        "share of runs by termination class, %",
        "unit = run · numbers below 4.5 % are in T14 · one table for all scaffolds, raw status kept",
    );
    let of = |rows| TerminationBars { caption: words.clone(), rows };
    let usual = vec![
        ends("gpt-4o", Role::Base, [16, 69, 66, 0, 0, 4]),
        ends("deepseek-chat-v2", Role::Trained, [62, 29, 22, 0, 0, 0]),
        ends("deepseek-coder-v2", Role::Other, [69, 21, 16, 1, 0, 0]),
        ends("sweagent-lm-32b", Role::Other, [295, 34, 16, 0, 3, 0]),
        ends("claude-4-sonnet", Role::Other, [63, 1, 1, 0, 0, 0]),
        ends("gemini-3-pro", Role::Other, [500, 0, 0, 0, 0, 0]),
    ];
    let tiny = vec![
        ends("one run", Role::Base, [1, 0, 0, 0, 0, 0]),
        ends("three runs", Role::Trained, [1, 1, 1, 1, 0, 0]),
        ends("no log", Role::Other, [0; 6]),
        ends(HOSTILE, Role::Other, [3, 5, 5, 4, 5, 6]),
    ];
    let many = (0..20).map(|place| {
        ends(
            &format!("checkpoint-{place:03}-of-the-long-run"),
            Role::Other,
            [place * 9, 40, place, 3, 2, 190 - place * 9],
        )
    });
    vec![
        ("termination", of(usual)),
        ("termination-tiny", of(tiny)),
        ("termination-20-arms", of(many.collect())),
        ("termination-empty", of(Vec::new())),
    ]
}

/// A run whose tags follow from a seed: the look matters, not the order.
fn run(seed: usize, turns: usize) -> Vec<Option<TagName>> {
    use TagName::{Editing, Execution, Exploration, Network, Setup, Submission, Testing};
    let pick = [
        Some(Exploration),
        Some(Exploration),
        Some(Editing),
        Some(Execution),
        Some(Exploration),
        Some(Testing),
        Some(Editing),
        Some(Exploration),
        None,
        Some(Setup),
    ];
    let mut run: Vec<_> = (0..turns)
        .map(|turn| {
            let place = (seed * 31 + turn * 7 + turn * turn * seed) % 97;
            if place == 13 { Some(Network) } else { pick[(place / 3 + turn / 4) % pick.len()] }
        })
        .collect();
    if let Some(last) = run.last_mut() {
        *last = if seed.is_multiple_of(4) { None } else { Some(Submission) };
    }
    run
}

fn group(name: &str, total: i64, drawn: usize, longest: usize) -> EthogramGroup {
    let pairs = (0..drawn).map(|place| EthogramPair {
        instance_id: format!("{name}-{place:04}"),
        base: Some(run(place + drawn, 8 + (place * 7) % 11)),
        trained: Some(run(place * 3 + 1, 4 + (place * longest) / drawn.max(1))),
    });
    EthogramGroup { name: name.to_owned(), total, pairs: pairs.collect() }
}

fn ethograms() -> Vec<(&'static str, Ethogram)> {
    let of = |groups| Ethogram {
        caption: caption(
            "Every run, turn by turn",
            "one row an instance, one cell a turn, colour = primary tag; rows grouped by pair outcome",
            "n = 89 pairs",
        ),
        arms: [arm("gpt-4o", Role::Base), arm("deepseek-chat-v2", Role::Trained)],
        groups,
    };
    let usual = vec![
        group("both", 3, 3, 22),
        group("only trained", 6, 6, 11),
        group("only base", 3, 3, 7),
        group("neither", 72, 72, 28),
        group("unscored", 5, 5, 34),
    ];
    let mut small = vec![group("both", 1, 1, 5), group("only trained", 1, 1, 9), group("neither", 1, 1, 2)];
    small[1].pairs[0].base = None;
    small[2].pairs[0].trained = Some(Vec::new());
    let sampled = vec![
        group("both", 400, 40, 90),
        group("only trained", 40, 20, 200),
        group("only base", 1, 1, 400),
        group("neither", 3000, 139, 250),
    ];
    let mut hostile = of(vec![group(HOSTILE, 2, 2, 700)]);
    hostile.arms[0].arm = HOSTILE.to_owned();
    vec![
        ("ethogram", of(usual)),
        ("ethogram-small", of(small)),
        ("ethogram-sampled", of(sampled)),
        ("ethogram-empty", of(vec![group("both", 0, 0, 0)])),
        ("ethogram-hostile", hostile),
    ]
}
