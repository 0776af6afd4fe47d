//! Studies of which totals are known, or verdicts by instance, and no log (`interface.md`, study file, exit codes).

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::{copy, first_study};
use crate::support::{Ran, ethogram, repository, table};

/// A folder with the totals of the RL paper.
fn transfer_study() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&repository().join("fixtures/studies/rl-transfer"), folder.path());
    folder
}

/// A folder with a study file of arms `base` and `rl` without logs, and a file of counts.
fn study_of(counts: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let study = "name = \"t\"\naggregates = \"counts.csv\"\n[[arm]]\nname = \"base\"\nrole = \"base\"\n\
                 [[arm]]\nname = \"rl\"\nrole = \"trained\"\n";
    fs::write(folder.path().join("study.toml"), study).unwrap();
    fs::write(folder.path().join("counts.csv"), counts).unwrap();
    folder
}

fn run(folder: &Path) -> Ran {
    ethogram(folder, &["study", "study.toml", "--out", "out"])
}

fn aggregates(folder: &Path) -> Vec<Value> {
    table(&folder.join("out/store"), "aggregates")
}

fn json(folder: &Path, table: &str) -> Value {
    let path = folder.join(format!("out/report/tables/{table}.json"));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn row<'a>(table: &'a Value, id: &str) -> &'a Value {
    table["rows"].as_array().unwrap().iter().find(|row| row["row"] == id).unwrap_or_else(|| panic!("no {id}"))
}

#[test]
fn totals_alone_make_a_report() {
    let folder = transfer_study();
    let ran = run(folder.path());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(!ran.stderr.contains("no verdicts"), "{}", ran.stderr);
    let t1 = json(folder.path(), "T1");
    // Wilson of 439/731, by hand from the formula.
    let pro = row(&t1, "swe-bench-pro.base");
    assert!((pro["interval"]["low"].as_f64().unwrap() - 0.5646).abs() < 5e-5, "{pro}");
    let three = row(&t1, "terminal-bench-3.rl");
    assert_eq!((&three["runs"], &three["scored"]), (&74.into(), &66.into()));
    assert_eq!((&three["as_failures"]["den"], &three["as_successes"]["num"]), (&74.into(), &16.into()));
    // A public score stands beside the internal run, marked, and without an interval that nobody knows.
    let public = row(&t1, "deepswe.base.public");
    assert_eq!(public["arm"], "base (public)");
    assert_eq!(public["interval"]["missing"], "undefined");
    assert_eq!(row(&t1, "deepswe.base")["resolved"], 30);
    let chart = fs::read_to_string(folder.path().join("out/report/charts/pass_bars.svg")).unwrap();
    assert!(chart.contains("public score"), "the public baseline is hatched and named in the key");
}

#[test]
fn a_paired_test_on_totals_is_refused() {
    let folder = transfer_study();
    run(folder.path());
    for arguments in [&["compare", "out/store"][..], &["report", "out/store", "T5"]] {
        let ran = ethogram(folder.path(), arguments);
        assert_eq!(ran.code, 3, "{arguments:?}: {}", ran.stdout);
        assert!(ran.stderr.contains("only totals are known of `base` and `rl`"), "{}", ran.stderr);
    }
}

#[test]
fn a_row_that_is_not_understood_is_refused_with_its_line() {
    let head = "arm,benchmark,measure,k,num,den,value,unscored,source,headline\n";
    for (line, why) in [
        ("bas,a,resolved,,1,2,,,internal,", "`bas` is no arm of the study; did you mean `base`?"),
        ("base,a,resolve,,1,2,,,internal,", "`resolve` is no measure; did you mean `resolved`?"),
        ("base,,resolved,,1,2,,,internal,", "`benchmark` is empty"),
        ("base,a,resolved,,3,2,,,internal,", "3/2 is no share"),
        ("base,a,resolved,,3,,,,internal,", "stand together"),
        ("base,a,resolved,,,,,,internal,", "none of num and den, value, delta"),
        ("base,a,resolved,,1.5,2,,,internal,", "`num` is `1.5`, no whole number"),
        ("base,a,resolved,,-1,2,,,internal,", "`num` is `-1`, no whole number"),
        ("base,a,resolved,,,,101,,internal,", "from 0 to 100"),
        ("base,a,resolved,,,,nan,,internal,", "`value` is `nan`, no finite number"),
        ("base,a,resolved,,1,2,,,,", "`source` is empty"),
        ("base,a,resolved,8,1,2,,,internal,", "`resolved` has no `k`"),
        ("base,a,pass@k,,1,2,,,internal,", "`pass@k` needs its `k`"),
        ("base,a,steps_median,,1,2,,,internal,", "`steps_median` is no share"),
        ("base,a,resolved,,1,2,,,internal,maybe", "neither true nor false"),
        ("base,a,resolved,,1,2,,,internal,false", "must be the headline"),
        ("base,a,resolved,,1,2", "6 fields where the head has 10"),
    ] {
        let good = "rl,a,resolved,,1,2,,0,internal,\nbase,b,resolved,,1,2,,0,internal,\n\n";
        let folder = study_of(&format!("{head}{good}{line}\n"));
        let ran = run(folder.path());
        assert_eq!(ran.code, 1, "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(why) && ran.stderr.contains("(line 5)"), "{line}: {}", ran.stderr);
        let left_out = fs::read_to_string(folder.path().join("out/report/left_out.csv")).unwrap();
        assert!(left_out.contains("counts.csv") && left_out.contains("line 5"), "{left_out}");
        assert_eq!(aggregates(folder.path()).len(), 2, "{line}");
    }
}

#[test]
fn one_of_several_sources_is_the_headline() {
    let head = "arm,benchmark,measure,num,den,source,headline\nrl,a,resolved,1,2,internal,\n\
                base,b,resolved,1,2,internal,\n";
    for (lines, why, kept) in [
        ("base,a,resolved,1,2,internal,\nbase,a,resolved,1,2,public,", "none of them is the headline", 2),
        ("base,a,resolved,1,2,internal,true\nbase,a,resolved,1,2,public,true", "has two headlines", 3),
        (
            "base,a,resolved,1,2,public,true\nbase,a,resolved,1,2,internal,\nbase,a,resolved,1,2,public,",
            "stands twice",
            4,
        ),
    ] {
        let folder = study_of(&format!("{head}{lines}\n"));
        let ran = run(folder.path());
        assert_eq!(ran.code, 1, "{lines}: {}", ran.stderr);
        assert!(ran.stderr.contains(why), "{lines}: {}", ran.stderr);
        assert_eq!(aggregates(folder.path()).len(), kept, "{lines}");
    }
}

#[test]
fn a_head_that_is_not_understood_ends_the_command() {
    for (head, why) in [
        ("arm,benchmark,mesure,num,den,source", "`mesure` is no column; did you mean `measure`?"),
        ("arm,arm,measure,source", "stands twice in its head"),
        ("arm,benchmark,measure,num,den", "lacks the column `source`"),
        ("", "lacks the column `arm`"),
    ] {
        let folder = study_of(head);
        let ran = run(folder.path());
        assert_eq!(ran.code, 2, "{head}: {}", ran.stderr);
        assert!(ran.stderr.contains(why) && ran.stderr.contains("counts.csv"), "{}", ran.stderr);
        assert!(!folder.path().join("out/store/manifest.json").exists(), "nothing is left behind");
    }
}

#[test]
fn an_arm_of_which_nothing_is_known_is_refused() {
    let folder = study_of("arm,benchmark,measure,num,den,source\nrl,a,resolved,1,2,internal\n");
    let ran = run(folder.path());
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("nothing was found for arm `base` in `counts.csv`"), "{}", ran.stderr);
    // A row that was refused is why.
    let folder = study_of("arm,benchmark,measure,num,den,source\nbase,a,resolved,3,2,internal\n");
    let ran = run(folder.path());
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("line 2: 3/2 is no share"), "{}", ran.stderr);
}

#[test]
fn totals_that_change_are_read_again_and_stay_where_an_arm_is_added() {
    let folder = study_of(
        "arm,benchmark,measure,num,den,source\nbase,a,resolved,1,2,internal\nrl,a,resolved,2,2,internal\n",
    );
    assert_eq!(run(folder.path()).code, 0);
    let manifest = || fs::read(folder.path().join("out/store/manifest.json")).unwrap();
    let before = manifest();
    assert_eq!(run(folder.path()).code, 0);
    assert!(before == manifest(), "nothing changed, nothing is written");
    let counts =
        "arm,benchmark,measure,num,den,source\nbase,a,resolved,0,2,internal\nrl,a,resolved,2,2,internal\n";
    fs::write(folder.path().join("counts.csv"), counts).unwrap();
    assert_eq!(run(folder.path()).code, 0);
    assert_eq!(aggregates(folder.path())[0]["num"], 0);
    let logs = first_study();
    let path = logs.path().join("base");
    let added =
        ethogram(folder.path(), &["ingest", path.to_str().unwrap(), "--store", "out/store", "--arm", "logs"]);
    assert_eq!(added.code, 0, "{}", added.stderr);
    assert_eq!(aggregates(folder.path()).len(), 2);
    let arms: Vec<Value> =
        table(&folder.path().join("out/store"), "arms").iter().map(|arm| arm["arm"].clone()).collect();
    assert_eq!(arms, ["base", "rl", "logs"]);
    let benchmarks = table(&folder.path().join("out/store"), "benchmarks");
    assert!(benchmarks.iter().any(|row| row["benchmark"] == "a"), "{benchmarks:?}");
}

/// Verdicts by instance pair without a log.
#[test]
fn verdicts_alone_are_paired() {
    let folder = tempfile::tempdir().unwrap();
    let arm = |name: &str, role: &str| {
        format!(
            "[[arm]]\nname = \"{name}\"\nrole = \"{role}\"\noutcomes = \"outcomes.csv\"\nbenchmark = \"DeepSWE\"\n"
        )
    };
    fs::write(folder.path().join("study.toml"), arm("base", "base") + &arm("rl", "trained")).unwrap();
    let mut rows = String::from("arm,instance_id,run,resolved\n");
    for instance in 0..8 {
        rows.push_str(&format!("base,i{instance},0,{}\nrl,i{instance},0,{}\n", instance > 6, instance > 0));
    }
    fs::write(folder.path().join("outcomes.csv"), rows).unwrap();
    let ran = run(folder.path());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    // 0 against 6 discordant pairs: 2 · 2⁻⁶.
    let t5 = json(folder.path(), "T5.base-rl");
    assert!((row(&t5, "resolved")["p"].as_f64().unwrap() - 0.03125).abs() < 1e-12);
    assert_eq!(row(&json(folder.path(), "T1"), "deepswe.rl")["resolved"], 7);
}

#[test]
fn series_factors_and_external_scores_are_stored() {
    let folder = study_of(
        "arm,benchmark,measure,num,den,source\nbase,a,resolved,1,2,internal\nrl,a,resolved,2,2,internal\n",
    );
    let study = folder.path().join("study.toml");
    let more = "factors = { format = \"xml\", prefix = 3 }\n\
                [[series]]\nname = \"s\"\nexternal = \"scores.csv\"\n\
                points = [{ arm = \"base\", stage = \"1\", x = 0.5 }, { arm = \"rl\", stage = \"2\" }]\n\
                [compare]\npairs = \"series\"\n\
                [transfer]\ncollected_until = 2026-05-01\nharnesses_seen = [\"h\"]\n";
    fs::write(&study, fs::read_to_string(&study).unwrap() + more).unwrap();
    fs::write(folder.path().join("scores.csv"), "arm,measure,value\nbase,mmlu,71.5\nrl,mmlu,x\n").unwrap();
    let ran = run(folder.path());
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("scores.csv") && ran.stderr.contains("(line 3)"), "{}", ran.stderr);
    let store = folder.path().join("out/store");
    let factors: Vec<(Value, Value)> =
        table(&store, "factors").iter().map(|row| (row["factor"].clone(), row["level"].clone())).collect();
    assert_eq!(factors, [("format".into(), "xml".into()), ("prefix".into(), "3".into())]);
    let series = table(&store, "series");
    assert_eq!(
        (&series[0]["arm"], &series[0]["x"], &series[1]["stage"]),
        (&"base".into(), &0.5.into(), &"2".into())
    );
    assert_eq!(table(&store, "external")[0]["value"], 71.5);
    assert_eq!(table(&store, "arm_pairs")[0]["trained_arm"], "rl");
}

#[test]
fn words_of_the_study_file_that_name_nothing_are_refused() {
    for (more, why) in [
        ("[[series]]\nname = \"s\"\npoints = [{ arm = \"bas\" }]\n", "did you mean `base`?"),
        ("[[series]]\nname = \"s\"\npoints = [{ arm = \"base\", stag = \"1\" }]\n", "did you mean `stage`?"),
        ("[transfer]\nharness_seen = []\n", "did you mean `harnesses_seen`?"),
        ("[transfer]\nfamily_member = { terminal-bench = \"deepswe\" }\n", "belongs to the family `deepswe`"),
        ("[compare]\npairs = \"serie\"\n", "write \"series\" or a list of pairs"),
    ] {
        let folder = study_of("");
        let study = folder.path().join("study.toml");
        fs::write(&study, fs::read_to_string(&study).unwrap() + more).unwrap();
        let ran = run(folder.path());
        assert_eq!(ran.code, 2, "{more}: {}", ran.stderr);
        assert!(ran.stderr.contains(why), "{more}: {}", ran.stderr);
    }
}

/// A row of a known name changes what it gives; a new one is a benchmark of its own, told by its ids.
#[test]
fn a_study_brings_its_own_benchmarks() {
    let folder = tempfile::tempdir().unwrap();
    let own = "name,family,kind,id_pattern,released,harness\nterminal-bench-3,,,,2026-06-01,terminus-2\n\
               acme-bench,acme,terminal,^acme-[0-9]+$,,\n";
    fs::write(folder.path().join("own.csv"), own).unwrap();
    let study = "benchmarks = \"own.csv\"\n[[arm]]\nname = \"a\"\noutcomes = \"a.csv\"\n[[arm]]\nname = \"b\"\n\
                 outcomes = \"b.csv\"\nbenchmark = \"Terminal-Bench 3\"\n";
    fs::write(folder.path().join("study.toml"), study).unwrap();
    fs::write(folder.path().join("a.csv"), "instance_id,resolved\nacme-1,true\n").unwrap();
    fs::write(folder.path().join("b.csv"), "instance_id,resolved\nx,true\n").unwrap();
    let ran = run(folder.path());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let rows = table(&folder.path().join("out/store"), "benchmarks");
    let found = |name: &str| rows.iter().find(|row| row["benchmark"] == name).unwrap();
    assert_eq!(
        (&found("acme-bench")["family"], &found("acme-bench")["kind"]),
        (&"acme".into(), &"terminal".into())
    );
    let three = found("terminal-bench-3");
    // 1 June 2026 is day 20,605 since 1970.
    assert_eq!(
        (&three["released"], &three["harness"]),
        (&(20_605_i64 * 86_400_000).into(), &"terminus-2".into())
    );
    assert_eq!((&three["n"], &three["version"]), (&74.into(), &"3".into()));
    fs::write(folder.path().join("own.csv"), "name,kind\nx,repos\n").unwrap();
    let ran = run(folder.path());
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("line 2") && ran.stderr.contains("did you mean `repo`?"), "{}", ran.stderr);
}

/// Two benchmarks of verdicts by instance: 5 of 10 and 4 of 6 instances are gained and none is lost, so that the pooled
/// sign-flip has p = 2 · 2⁻⁹ and the gains weigh benchmarks or instances alike.
#[test]
fn paired_benchmarks_are_pooled_by_instance() {
    let folder = tempfile::tempdir().unwrap();
    let mut study = String::new();
    for (arm, role, solved) in [("base", "base", 6), ("rl", "trained", 1)] {
        for (benchmark, instances) in [("a", 10), ("b", 6)] {
            let path = folder.path().join(format!("{benchmark}/{arm}"));
            fs::create_dir_all(&path).unwrap();
            let mut rows = String::from("instance_id,resolved\n");
            for instance in 0..instances {
                rows.push_str(&format!("{benchmark}{instance},{}\n", instance > solved));
            }
            fs::write(path.join("outcomes.csv"), rows).unwrap();
        }
        study.push_str(&format!(
            "[[arm]]\nname = \"{arm}\"\nrole = \"{role}\"\nlogs = [{{ benchmark = \"bench-a\", path = \"a/{arm}\" }}, \
             {{ benchmark = \"bench-b\", path = \"b/{arm}\" }}]\n"
        ));
    }
    fs::write(folder.path().join("study.toml"), study).unwrap();
    let ran = run(folder.path());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let pooled = json(folder.path(), "T9.base-rl.pooled_paired");
    let all = row(&pooled, "all");
    let near = |column: &str, want: f64| {
        let got = all[column].as_f64().unwrap();
        assert!((got - want).abs() < 1e-9, "{column}: {got}, {want}");
    };
    near("p", 2.0 / 512.0);
    near("gain_sets", (0.5 + 4.0 / 6.0) / 2.0);
    near("gain_instances", 9.0 / 16.0);
    // Runs are at hand, so that nothing is called unpaired.
    let main = json(folder.path(), "T9.base-rl");
    assert_eq!(row(&main, "bench-a")["p"].as_f64().map(|p| (p * 1e4).round()), Some(625.0));
    assert!(!main["foot"].to_string().contains("unpaired"), "{}", main["foot"]);
    assert!(!folder.path().join("out/report/tables/T9.base-rl.pooled.json").exists());
}
