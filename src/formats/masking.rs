//! Secrets never leave a reader: keys, tokens, passwords in addresses and private keys become `<secret:KIND:hash8>`. The hash
//! lets two places with the same secret be told as such; it does not give it back.
//!
//! One pattern made of all kinds is the hot test (`rust.md` §6): nearly every text has no match and is left as it is.

use crate::data::pattern::ascii;
use crate::model::{Operation, Trajectory};
use memchr::memmem;
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Kinds by how their secrets begin; the first that fits is the kind.
const KINDS: [(&str, &str); 17] = [
    ("AIza", "google_key"),
    ("AKIA", "aws_key"),
    ("ASIA", "aws_key"),
    ("Bearer ", "bearer_token"),
    ("bearer ", "bearer_token"),
    ("eyJ", "web_token"),
    ("gh", "github_token"),
    ("github_pat_", "github_token"),
    ("glpat-", "gitlab_token"),
    ("hf_", "hugging_face_token"),
    ("npm_", "npm_token"),
    ("pypi-", "pypi_token"),
    ("rk_live_", "stripe_key"),
    ("sk-ant-", "anthropic_key"),
    ("sk-", "api_key"),
    ("sk_live_", "stripe_key"),
    ("xox", "slack_token"),
];

/// Every alternative begins with a literal, which keeps the search at the speed of memory.
static SECRET: LazyLock<Regex> = LazyLock::new(|| {
    let kinds = [
        r"\bA(?:KIA|SIA)[0-9A-Z]{16}\b",
        r"\bAIza[0-9A-Za-z_-]{35}",
        r"\b(?:Bearer|bearer) [A-Za-z0-9._~+/-]{20,}=*",
        r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
        r"\bgh[oprsu]_[A-Za-z0-9]{36,255}",
        r"\bgithub_pat_[A-Za-z0-9_]{22,255}",
        r"\bglpat-[0-9A-Za-z_-]{20,}",
        r"\bhf_[A-Za-z0-9]{30,}",
        r"\bnpm_[A-Za-z0-9]{36}",
        r"\bpypi-[A-Za-z0-9_-]{50,}",
        r"\b[rs]k_live_[0-9a-zA-Z]{20,}",
        r"\bsk-[A-Za-z0-9_-]{20,}",
        r"\bxox[abprs]-[A-Za-z0-9-]{10,}",
    ];
    ascii(&kinds.join("|"))
});

/// A private key. Apart from the others: a search for its dashes would stop at every rule of a test's output.
static PRIVATE_KEY: LazyLock<Regex> =
    LazyLock::new(|| ascii(r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.*?)-----END [A-Z ]*PRIVATE KEY-----"));

/// A text without these holds neither.
static KEY_MARK: LazyLock<memmem::Finder> = LazyLock::new(|| memmem::Finder::new("PRIVATE KEY-----"));
static SCHEME_MARK: LazyLock<memmem::Finder> = LazyLock::new(|| memmem::Finder::new("://"));

/// A password in an address: `scheme://name:password@host`.
static PASSWORD: LazyLock<Regex> =
    LazyLock::new(|| ascii(r"(://[^/\s:@'\x22<>]+:)([^/\s@'\x22<>]{3,})(@[A-Za-z0-9\[])"));

/// Masks all texts of a trajectory; gives how many secrets of each kind there were.
pub fn mask(run: &mut Trajectory) -> BTreeMap<&'static str, u64> {
    let mut found = BTreeMap::new();
    for text in [&mut run.system, &mut run.task, &mut run.patch].into_iter().flatten() {
        mask_text(text, &mut found);
    }
    for turn in &mut run.turns {
        mask_text(&mut turn.text, &mut found);
        turn.reasoning.iter_mut().for_each(|text| mask_text(text, &mut found));
        for call in &mut turn.calls {
            mask_text(&mut call.input, &mut found);
            call.observation.iter_mut().for_each(|text| mask_text(text, &mut found));
            call.operation.iter_mut().for_each(|operation| mask_operation(operation, &mut found));
        }
    }
    found
}

fn mask_operation(operation: &mut Operation, found: &mut BTreeMap<&'static str, u64>) {
    let texts: [Option<&mut String>; 2] = match operation {
        Operation::Create { text, .. } => [text.as_mut(), None],
        Operation::Replace { old, new, .. } => [old.as_mut(), new.as_mut()],
        Operation::Insert { new, .. } => [new.as_mut(), None],
        Operation::Search { pattern, .. } => [pattern.as_mut(), None],
        Operation::Web { target } => [target.as_mut(), None],
        _ => [None, None],
    };
    texts.into_iter().flatten().for_each(|text| mask_text(text, found));
}

fn mask_text(text: &mut String, found: &mut BTreeMap<&'static str, u64>) {
    if SECRET.is_match(text) {
        replace(text, &SECRET, |secret| {
            let secret = &secret[0];
            if is_name(secret) { secret.to_owned() } else { replacement(kind(secret), secret, found) }
        });
    }
    if KEY_MARK.find(text.as_bytes()).is_some() {
        replace(text, &PRIVATE_KEY, |secret| replacement("private_key", &secret[0], found));
    }
    if has_password(text) {
        replace(text, &PASSWORD, |parts| {
            format!("{}{}{}", &parts[1], replacement("url_password", &parts[2], found), &parts[3])
        });
    }
}

fn replace(text: &mut String, pattern: &Regex, with: impl FnMut(&Captures<'_>) -> String) {
    if let Cow::Owned(masked) = pattern.replace_all(text, with) {
        *text = masked;
    }
}

fn replacement(kind: &'static str, secret: &str, found: &mut BTreeMap<&'static str, u64>) -> String {
    *found.entry(kind).or_default() += 1;
    let hash = blake3::hash(secret.as_bytes()).to_hex();
    format!("<secret:{kind}:{}>", &hash[..8])
}

fn kind(secret: &str) -> &'static str {
    KINDS.iter().find(|(start, _)| secret.starts_with(start)).map_or("key", |(_, kind)| kind)
}

/// Long names in code and prose begin as keys do (`sk-learn-…`, `Bearer authentication…`): a key has a digit in it.
fn is_name(secret: &str) -> bool {
    let may_be_name = ["sk-", "Bearer ", "bearer ", "xox"].iter().any(|start| secret.starts_with(start));
    may_be_name && !secret.bytes().any(|byte| byte.is_ascii_digit())
}

/// An address with an `@` before its path: the pattern proper is slow, and most texts have none.
fn has_password(text: &str) -> bool {
    let bytes = text.as_bytes();
    SCHEME_MARK.find_iter(bytes).any(|place| {
        let rest = &bytes[place + 3..];
        let end = rest.iter().take(512).position(|byte| byte.is_ascii_whitespace() || *byte == b'/');
        let authority = &rest[..end.unwrap_or(rest.len().min(512))];
        memchr::memchr(b'@', authority).is_some_and(|at| authority[..at].contains(&b':'))
    })
}
