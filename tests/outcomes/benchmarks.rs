//! Which benchmark an arm runs on (`interface.md`, Benchmark).

use ethogram::data::benchmarks::{BenchmarkSource, UNNAMED, benchmarks, kind_of_ids, settle_benchmark};
use ethogram::model::TaskKind;

#[test]
fn every_row_reads_and_is_unique() {
    let names: Vec<&str> = benchmarks().map(|row| row.name.as_str()).collect();
    let unique: std::collections::BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(names.len(), unique.len());
    for row in benchmarks() {
        assert_eq!(row.name, row.name.to_lowercase(), "names are looked up in lower case");
        assert!(
            ["none", "no-network", "packages-allowed", "network-allowed", "search-task"]
                .contains(&row.policy.as_str())
        );
    }
}

#[test]
fn the_named_one_wins() {
    let settled = settle_benchmark(Some("SWE-bench_Verified"), &["apache__dubbo-1"]);
    assert_eq!(settled.benchmark.name, "swe-bench-verified");
    assert_eq!((settled.source, settled.benchmark.n), (BenchmarkSource::Named, Some(500)));
    assert!(settled.is_kind_told);
    let settled = settle_benchmark(Some("acme-bench"), &[]);
    let own = settled.benchmark;
    assert_eq!((own.name.as_str(), own.family.as_str()), ("acme-bench", "acme-bench"));
    assert_eq!(own.policy, "none");
    // Its logs tell what kind of task it is.
    assert!(!settled.is_kind_told);
}

#[test]
fn ids_tell_a_benchmark_only_where_one_fits() {
    let java = settle_benchmark(None, &["apache__dubbo-10638", "fasterxml__jackson-core-1"]);
    assert_eq!((java.benchmark.name.as_str(), java.source), ("swe-bench-java", BenchmarkSource::Ids));
    let pro = settle_benchmark(
        None,
        &[
            "instance_element-hq__element-web-b7fea97bb68c6628a644580076f840109132f074-vnan",
            "instance_navidrome__navidrome-7073d18b54da7e53274d11c9e2baef1242e8769e",
        ],
    );
    assert_eq!(pro.benchmark.name, "swe-bench-pro");
    // Verified, Lite and the full set share their ids.
    let several = settle_benchmark(None, &["django__django-11099", "sympy__sympy-1"]);
    assert_eq!((several.benchmark.name.as_str(), several.source), (UNNAMED, BenchmarkSource::None));
    assert_eq!(several.fitting, ["swe-bench", "swe-bench-lite", "swe-bench-verified"]);
    assert_eq!((several.benchmark.kind, several.benchmark.policy.as_str()), (TaskKind::Repo, "none"));
    assert!(several.is_kind_told);
    // gson belongs to two benchmarks.
    assert_eq!(
        settle_benchmark(None, &["google__gson-1"]).fitting,
        ["swe-bench-multilingual", "swe-bench-java"]
    );
    let mixed = settle_benchmark(None, &["django__django-11099", "acme__widget-1"]);
    assert_eq!((mixed.benchmark.name.as_str(), mixed.is_kind_told), (UNNAMED, false));
    let nothing = settle_benchmark(None, &[]);
    assert_eq!((nothing.benchmark.name.as_str(), nothing.benchmark.kind), (UNNAMED, TaskKind::Repo));
    assert!(!nothing.is_kind_told);
    // One log of a mixed arm: its own id tells.
    assert_eq!(kind_of_ids(&["django__django-11099"]), Some(TaskKind::Repo));
    assert_eq!(kind_of_ids(&["acme__widget-1"]), None);
}

#[test]
fn terminal_bench_3_and_4_are_one_family() {
    let family = |name: &str| settle_benchmark(Some(name), &[]).benchmark.family;
    assert_eq!(family("terminal-bench-3"), family("Terminal-Bench 4"));
    assert_ne!(family("terminal-bench-2.1"), family("terminal-bench-3"));
}
