//! The totals of the ASAP paper: stages, ablations and rank correlations print as the paper and the vectors say.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{ethogram, repository, shared};

fn tables(folder: &Path) -> String {
    let ran = ethogram(
        folder,
        &["study", repository().join("fixtures/studies/asap/study.toml").to_str().unwrap(), "--out", "out"],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let mut files: Vec<_> = fs::read_dir(folder.join("out/report/tables"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect();
    files.sort();
    files.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// `1508` as tables print it.
fn grouped(k: i64) -> String {
    if k < 1000 { k.to_string() } else { format!("{},{:03}", k / 1000, k % 1000) }
}

#[test]
fn shares_and_gains_print_as_the_paper_does() {
    let Some(path) = shared("vectors/papers/asap.json") else { return };
    let folder = tempfile::tempdir().unwrap();
    let said = tables(folder.path());
    let checks: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut walked = 0;
    for check in checks["checks"].as_array().unwrap() {
        let (id, printed) = (check["id"].as_str().unwrap(), check["printed"].as_str().unwrap());
        let wanted = match check["fn"].as_str().unwrap() {
            // Behaviours and the network stand in tables of their own.
            "percent_2dp" if !id.contains("applicable") && !id.starts_with("network") => {
                let count = |name: &str| grouped(check["args"][name].as_i64().unwrap());
                format!("{printed} ({}/{})", count("k"), count("n"))
            }
            "gain_of_counts" if id.starts_with("within_stage") => format!("+{printed} |"),
            _ => continue,
        };
        assert!(said.contains(&wanted), "{id}: {wanted}");
        walked += 1;
    }
    assert_eq!(walked, 34, "30 shares and 4 gains");
}

#[test]
fn correlations_have_exact_p() {
    let folder = tempfile::tempdir().unwrap();
    tables(folder.path());
    let table = fs::read_to_string(folder.path().join("out/report/tables/T7.json")).unwrap();
    let table: Value = serde_json::from_str(&table).unwrap();
    let close = |row: &Value, name: &str, want: f64| {
        assert!((row[name].as_f64().unwrap() - want).abs() < 1e-9, "{name} {want}: {row}");
    };
    let of = |systems: i64| {
        table["rows"].as_array().unwrap().iter().find(|row| row["systems"] == systems).unwrap()
    };
    // ρ = 1 − 6·4/210 and τ = 11/15 with 2 discordant pairs; 24 and 40 of 720 orders are as extreme.
    for (name, want) in
        [("rho", 31.0 / 35.0), ("tau_b", 11.0 / 15.0), ("rho_p", 24.0 / 720.0), ("tau_p", 40.0 / 720.0)]
    {
        close(of(6), name, want);
    }
    // Two of 24 orders of four are as extreme as the same order.
    close(of(4), "rho_p", 2.0 / 24.0);
    assert_eq!(of(4)["note"], "cannot reach 0.05");
}
