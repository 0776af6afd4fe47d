//! Inputs and what was left out: files by arm and kind with a digest over them, and every problem up to a number.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::Report;
use super::super::escape::Html;
use super::super::json::role;
use super::{Section, plain};
use crate::number;
use crate::store::Noted;

/// Problems that the page names; all stand in `left_out.csv`.
const NAMED: usize = 50;

/// Files by arm and what they were read as.
pub fn inputs(report: &Report) -> Section {
    let inputs = report.inputs;
    let mut kinds: BTreeMap<(&str, &str), (i64, u64, blake3::Hasher)> = BTreeMap::new();
    for file in &inputs.contents.inputs {
        let (files, bytes, digest) = kinds.entry((&file.arm, &file.read_as)).or_default();
        *files += 1;
        *bytes += file.bytes;
        digest.update(file.digest.as_bytes());
    }
    let mut body = String::from(
        "<p class=\"note\">Every file with its own digest, all settings and seeds: <code>study.json</code>.</p>\n<div \
         class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Inputs\">\n<table>\n<caption \
         class=\"unseen\">Inputs</caption>\n<thead><tr><th scope=\"col\">arm</th><th scope=\"col\">role</th><th \
         scope=\"col\">read as</th><th scope=\"col\" class=\"number\">files</th><th scope=\"col\" \
         class=\"number\">bytes</th><th scope=\"col\">digest of digests</th></tr></thead>\n<tbody>\n",
    );
    // Arms in the study's order, then what belongs to none.
    let order =
        |arm: &str| report.question.arms.iter().position(|found| found.name == arm).unwrap_or(usize::MAX);
    let mut kinds: Vec<_> = kinds.iter().collect();
    kinds.sort_by_key(|((arm, _), _)| order(arm));
    for ((arm, kind), (files, bytes, digest)) in kinds {
        let found = report.question.arm(arm).and_then(|found| role(found.role)).unwrap_or(number::DASH);
        let _ = writeln!(
            body,
            "<tr><th scope=\"row\">{}</th><td>{found}</td><td>{}</td><td class=\"number\">{}</td><td \
             class=\"number\">{}</td><td><code>{}</code></td></tr>",
            Html(arm),
            Html(kind),
            number::count(*files),
            number::count(i64::try_from(*bytes).unwrap_or(i64::MAX)),
            &digest.finalize().to_hex()[..16]
        );
    }
    body.push_str("</tbody>\n</table>\n</div>\n<dl class=\"methods\">\n");
    for arm in &inputs.arms {
        let list =
            |words: &[String]| if words.is_empty() { number::DASH.to_owned() } else { words.join(", ") };
        let _ = writeln!(
            body,
            "<dt>{}</dt><dd>logs <code>{}</code>; outcomes <code>{}</code></dd>",
            Html(&arm.name),
            Html(&list(&arm.logs)),
            Html(&list(&arm.outcomes))
        );
    }
    let rules: Vec<String> =
        inputs.contents.rules.iter().map(|(family, version)| format!("{family} {version}")).collect();
    if !rules.is_empty() {
        let _ = writeln!(body, "<dt>versions of rules</dt><dd>{}</dd>", Html(&rules.join(", ")));
    }
    body.push_str("</dl>\n");
    plain("inputs", "Inputs", body)
}

/// What was refused, repaired and noted, where there is anything.
pub fn left_out(report: &Report) -> Option<Section> {
    let inputs = report.inputs;
    let mut problems: Vec<&Noted> = inputs.contents.problems.iter().collect();
    if problems.is_empty() && inputs.unclaimed.is_empty() {
        return None;
    }
    // What was refused is read first.
    let place = |problem: &&Noted| match problem.weight.as_str() {
        "refused" => 0,
        "repaired" => 1,
        _ => 2,
    };
    problems.sort_by_key(place);
    let mut body = format!(
        "<p class=\"note\">{} refused, {} repaired, {} notes; all of them: <code>left_out.csv</code>.</p>\n",
        number::count(inputs.problems("refused") as i64),
        number::count(inputs.problems("repaired") as i64),
        number::count(inputs.problems("note") as i64)
    );
    if !problems.is_empty() {
        body.push_str(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Left out\">\n<table>\n<caption \
             class=\"unseen\">Left out</caption>\n<thead><tr><th scope=\"col\">file</th><th scope=\"col\">place</th><th \
             scope=\"col\">weight</th><th scope=\"col\">what</th></tr></thead>\n<tbody>\n",
        );
        for problem in problems.iter().take(NAMED) {
            let _ = writeln!(
                body,
                "<tr><th scope=\"row\"><code>{}</code></th><td>{}</td><td>{}</td><td>{}</td></tr>",
                Html(&problem.file),
                Html(if problem.place.is_empty() { number::DASH } else { &problem.place }),
                Html(&problem.weight),
                Html(&problem.what)
            );
        }
        body.push_str("</tbody>\n</table>\n</div>\n");
        let hidden = problems.len().saturating_sub(NAMED);
        if hidden > 0 {
            let _ = writeln!(body, "<p class=\"foot\">{} more.</p>", number::count(hidden as i64));
        }
    }
    let unclaimed: Vec<String> = inputs
        .unclaimed
        .iter()
        .map(|kind| {
            let name = if kind.extension.is_empty() {
                "without extension".to_owned()
            } else {
                format!(".{}", kind.extension)
            };
            format!("{} {name} ({})", number::count(kind.files), kind.arm)
        })
        .collect();
    if !unclaimed.is_empty() {
        let _ = writeln!(
            body,
            "<p class=\"foot\">Files that no format claims: {}.</p>",
            Html(&unclaimed.join(", "))
        );
    }
    Some(plain("left-out", "Left out", body))
}
