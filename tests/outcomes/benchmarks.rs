//! Which benchmark an arm runs on (`interface.md`, Benchmark).

use ethogram::data::benchmarks::{BenchmarkSource, UNNAMED, benchmarks, settle_benchmark};
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
    let settled = settle_benchmark(Some("SWE-bench_Verified"), &["apache__dubbo-1"], None);
    assert_eq!(settled.benchmark.name, "swe-bench-verified");
    assert_eq!((settled.source, settled.benchmark.n), (BenchmarkSource::Named, Some(500)));
    let own = settle_benchmark(Some("acme-bench"), &[], Some(TaskKind::Terminal)).benchmark;
    assert_eq!(
        (own.name.as_str(), own.family.as_str(), own.kind),
        ("acme-bench", "acme-bench", TaskKind::Terminal)
    );
    assert_eq!(own.policy, "none");
}

#[test]
fn ids_tell_a_benchmark_only_where_one_fits() {
    let java = settle_benchmark(None, &["apache__dubbo-10638", "fasterxml__jackson-core-1"], None);
    assert_eq!((java.benchmark.name.as_str(), java.source), ("swe-bench-java", BenchmarkSource::Ids));
    let pro = settle_benchmark(
        None,
        &[
            "instance_element-hq__element-web-b7fea97bb68c6628a644580076f840109132f074-vnan",
            "instance_navidrome__navidrome-7073d18b54da7e53274d11c9e2baef1242e8769e",
        ],
        None,
    );
    assert_eq!(pro.benchmark.name, "swe-bench-pro");
    // Verified, Lite and the full set share their ids.
    let several = settle_benchmark(None, &["django__django-11099", "sympy__sympy-1"], Some(TaskKind::Chat));
    assert_eq!((several.benchmark.name.as_str(), several.source), (UNNAMED, BenchmarkSource::None));
    assert_eq!(several.fitting, ["swe-bench", "swe-bench-lite", "swe-bench-verified"]);
    assert_eq!((several.benchmark.kind, several.benchmark.policy.as_str()), (TaskKind::Repo, "none"));
    // gson belongs to two benchmarks.
    assert_eq!(
        settle_benchmark(None, &["google__gson-1"], None).fitting,
        ["swe-bench-multilingual", "swe-bench-java"]
    );
    let mixed = settle_benchmark(None, &["django__django-11099", "acme__widget-1"], Some(TaskKind::Search));
    assert_eq!((mixed.benchmark.name.as_str(), mixed.benchmark.kind), (UNNAMED, TaskKind::Search));
    let nothing = settle_benchmark(None, &[], None);
    assert_eq!((nothing.benchmark.name.as_str(), nothing.benchmark.kind), (UNNAMED, TaskKind::Repo));
}

#[test]
fn terminal_bench_3_and_4_are_one_family() {
    let family = |name: &str| settle_benchmark(Some(name), &[], None).benchmark.family;
    assert_eq!(family("terminal-bench-3"), family("Terminal-Bench 4"));
    assert_ne!(family("terminal-bench-2.1"), family("terminal-bench-3"));
}
