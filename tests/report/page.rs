//! The page: safe with hostile names, one page for both themes, sound as a document, small.

use ethogram::report::{Format, write};
use sha2::{Digest, Sha256};

use super::HOSTILE;
use super::study::{Study, batch, java, many, named_java, repeats, two_pairs};

fn page(study: &Study) -> String {
    let folder = tempfile::tempdir().unwrap();
    write(&study.report(), folder.path(), &[Format::Html]).unwrap();
    std::fs::read_to_string(folder.path().join("index.html")).unwrap()
}

/// Text between two marks.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    text.split(start).nth(1).unwrap().split(end).next().unwrap()
}

fn attributes<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    text.split(&format!(" {name}=\"")).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn the_policy_allows_the_one_script_and_the_one_style_of_the_page() {
    let page = page(java());
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\">");
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    for (tag, directive) in [("script", "script-src"), ("style", "style-src")] {
        let body = between(&page, &format!("<{tag}>"), &format!("</{tag}>"));
        assert_eq!(page.matches(&format!("<{tag}")).count(), 1, "one {tag}");
        let digest = ethogram::data::fonts::base64(&Sha256::digest(body.as_bytes()));
        assert!(policy.contains(&format!("{directive} 'sha256-{digest}'")), "{policy}");
    }
}

#[test]
fn hostile_names_do_nothing() {
    for pair in HOSTILE.windows(2) {
        let study = named_java(pair[0], pair[1], HOSTILE[1], HOSTILE[8]);
        let page = page(&study);
        assert_eq!(page.matches("<script").count(), 1, "only the page's own script");
        assert_eq!(page.matches("</style>").count(), 1);
        assert!(!page.contains("<img"), "no element of data");
        assert!(!page.contains(['\u{1b}', '\u{202e}', '\u{7}']), "controls are visible");
        for handler in [" onerror=\"", " onload=\"", " onclick=\"", " style=\"", " href=\"http", " src=\""] {
            assert!(!page.contains(handler), "{handler}");
        }
        assert!(
            page.contains("{{script}}&amp;amp;&lt;/style&gt;"),
            "what data writes is never a place of the template"
        );
        for address in attributes(&page, "href") {
            assert!(address.starts_with('#'), "{address}");
        }
    }
}

#[test]
fn nothing_is_fetched() {
    let page = page(java());
    let without_names = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!without_names.contains("http:") && !without_names.contains("https:"));
    assert!(!page.contains("@import") && !page.contains("<link") && !page.contains("<iframe"));
}

#[test]
fn the_document_is_sound() {
    for study in [java(), &repeats(30, 3), &two_pairs(), &batch()] {
        let page = page(study);
        assert_eq!(page.matches("<h1").count(), 1, "one h1");
        let body = page.split("<main").nth(1).unwrap();
        for head in body.split("<th").skip(1).filter(|rest| rest.starts_with([' ', '>'])) {
            assert!(head.starts_with(" scope=\""), "a head without a scope: {}", &head[..60.min(head.len())]);
        }
        let mut ids = attributes(&page, "id");
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all, "each id once");
        for address in attributes(&page, "href") {
            assert!(ids.contains(&&address[1..]), "{address} leads nowhere");
        }
        for name in ["table", "section", "tr", "td", "th", "svg", "ul", "li", "dl", "details", "figure", "p"]
        {
            let opened =
                page.matches(&format!("<{name}>")).count() + page.matches(&format!("<{name} ")).count();
            assert_eq!(opened, page.matches(&format!("</{name}>")).count(), "{name}");
        }
    }
}

#[test]
fn the_page_holds_the_numbers_of_the_study() {
    let page = page(java());
    let verdict = between(&page, "<h1 class=\"verdict\">", "</h1>");
    assert!(verdict.starts_with(
        "deepseek-chat-v2 solves <b>9 of 84</b> where gpt-4o-2024-05-13 solves <b>6</b> (<b>+3.6 points</b>"
    ));
    for (class, count, word) in [
        ("both", 3, "both"),
        ("trained", 6, "only trained"),
        ("base", 3, "only base"),
        ("neither", 72, "neither"),
        ("gap", 5, "unscored"),
        ("gap", 2, "no partner"),
    ] {
        let step = (count * 24 / 72).max(1);
        let cell = format!("<li class=\"{class} w{step}\"><b>{count}</b> <span>{word}</span></li>");
        assert!(page.contains(&cell), "{cell}");
    }
    assert!(page.contains("aria-label=\"Δ +3.6 points, interval [−4.3, 11.8], adjusted p 0.51\""));
    assert!(page.contains("5 not listed"), "unscored by reason");
}

#[test]
fn several_comparisons_have_a_section_each() {
    let page = page(&two_pairs());
    assert_eq!(page.matches("class=\"verdict\"").count(), 2);
    for anchor in ["behaviours-1", "behaviours-2", "funnel-2", "pairs-2"] {
        assert_eq!(page.matches(&format!("<section id=\"{anchor}\">")).count(), 1, "{anchor}");
    }
    assert!(page.contains("What changed <span class=\"scope\">base → rl</span>"));
}

#[test]
fn a_batch_without_verdicts_says_so() {
    let page = page(&batch());
    let verdict = between(&page, "<h1 class=\"verdict\">", "</h1>");
    assert_eq!(
        verdict,
        "No verdicts were found for <b>12</b> runs; nothing is compared, since no base and trained arm are named."
    );
    assert!(page.contains("<dt>verdicts</dt><dd>none found: looked in runs/only</dd>"));
}

#[test]
fn several_runs_show_three_by_three() {
    let study = repeats(40, 4);
    let page = page(&study);
    assert!(page.contains("<table class=\"matrix\">"));
    for row in study.answer.comparisons[0].solved {
        for count in row {
            assert!(page.contains(&format!("\"><b>{count}</b></td>")));
        }
    }
}

#[test]
fn four_thousand_instances_a_side_stay_below_a_megabyte_and_a_half() {
    let page = page(&many(4000));
    assert!(page.len() < 1_500_000, "{} bytes", page.len());
}

/// Pages to look at: `cargo test --test main report::page::look -- --ignored`, then open them below `target/look`.
#[test]
#[ignore = "writes pages for a person to look at"]
fn look() {
    let root = crate::support::repository().join("target/look");
    let studies = [
        ("java", java()),
        ("repeats", &repeats(60, 4)),
        ("hostile", &named_java(HOSTILE[1], HOSTILE[5], HOSTILE[0], HOSTILE[8])),
        ("many", &many(4000)),
        ("two", &two_pairs()),
        ("batch", &batch()),
    ];
    for (name, study) in studies {
        write(&study.report(), &root.join(name), &Format::ALL).unwrap();
    }
}
