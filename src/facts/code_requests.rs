//! What Python code asks of the network: call sites of clients, sockets and data set loaders (`shortcuts.md` §1).
//!
//! Never counts a request under a test double, nor an address that is only built, parsed or named.

use std::ops::Range;

use super::code_paths::{list_literals, paths};
use super::inline::{Fetch, python_imports};
use super::source::{Source, Value};

/// Call sites of clients; nothing where the code puts a double in their place.
pub(super) fn python_requests(source: &Source) -> Vec<Fetch> {
    const DOUBLES: [&str; 5] = ["patch(", "responses.", "monkeypatch", "Mock", "requests_mock"];
    if DOUBLES.iter().any(|double| source.code.contains(double)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for client in ["requests", "httpx"].into_iter().filter(|client| source.code.contains(client)) {
        for method in ["get", "post", "put", "delete", "head", "patch", "options", "request", "stream"] {
            let name = format!("{client}.{method}");
            let index = usize::from(matches!(method, "request" | "stream"));
            request_calls(source, &name, index, &mut found);
        }
        for session in sessions(source, client) {
            for method in ["get", "post", "put", "delete", "head", "patch"] {
                request_calls(source, &format!("{session}.{method}"), 0, &mut found);
            }
        }
    }
    for name in [
        "urllib.request.urlopen",
        "request.urlopen",
        "urlopen",
        "urllib.request.urlretrieve",
        "urlretrieve",
        "http.client.HTTPSConnection",
        "http.client.HTTPConnection",
        "HTTPSConnection",
        "HTTPConnection",
        "socket.create_connection",
        "socket.gethostbyname",
        "socket.getaddrinfo",
    ] {
        request_calls(source, name, 0, &mut found);
    }
    if source.code.contains("socket") {
        for at in source.calls(".connect") {
            let literal = source
                .arguments(at)
                .into_iter()
                .next()
                .and_then(|range| list_literals(source, range).into_iter().next());
            found.extend(literal.map(Fetch::Address));
        }
    }
    found.extend(data_sets(source));
    found
}

/// Names that hold a session of a client.
fn sessions<'a>(source: &'a Source, client: &str) -> Vec<&'a str> {
    let makers = [
        format!("{client}.Session("),
        format!("{client}.session("),
        format!("{client}.Client("),
        format!("{client}.AsyncClient("),
    ];
    let mut found = Vec::new();
    for line in source.code.lines().filter(|line| makers.iter().any(|maker| line.contains(maker.as_str()))) {
        let name = match line.split_once(" as ") {
            Some((_, name)) => name.trim().trim_end_matches(':'),
            None => line.split('=').next().unwrap_or("").trim(),
        };
        if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            found.push(name);
        }
    }
    found
}

fn request_calls(source: &Source, name: &str, index: usize, found: &mut Vec<Fetch>) {
    for at in source.calls(name) {
        let arguments = source.arguments(at);
        let named =
            arguments.iter().find(|range| source.code[(*range).clone()].trim_start().starts_with("url"));
        let Some(range) = arguments.get(index).or(named).cloned() else { continue };
        let range = match source.code[range.clone()].find('=') {
            Some(equals) if source.code[range.clone()].trim_start().starts_with("url") => {
                range.start + equals + 1..range.end
            }
            _ => range,
        };
        let query = query_of(source, &arguments);
        let mut unknown = 0;
        let mut addressed = |text: String| found.push(Fetch::Address(format!("{text}{query}")));
        match source.value(range.clone()) {
            // A host that is known before the first part that is filled in.
            Value::Begins(text) if text.split("://").nth(1).is_some_and(|rest| rest.contains('/')) => {
                addressed(text)
            }
            Value::Other => {
                let mut literals = list_literals(source, range).into_iter();
                match literals.find(|text| text.contains("://") || text.contains('.')) {
                    Some(text) => addressed(text),
                    None => unknown += 1,
                }
            }
            _ => {
                for path in paths(source, range, 0) {
                    match path {
                        Some(text) => addressed(text),
                        None => unknown += 1,
                    }
                }
            }
        }
        found.extend((0..unknown).map(|_| Fetch::Unknown));
    }
}

/// `params={'q': 'repo:owner/name'}` as it would stand in the address.
fn query_of(source: &Source, arguments: &[Range<usize>]) -> String {
    let params =
        arguments.iter().find(|range| source.code[(*range).clone()].trim_start().starts_with("params"));
    params.map_or(String::new(), |range| format!("?{}", list_literals(source, range.clone()).join("&")))
}

/// `load_dataset` and `from_pretrained` of their own libraries; sample loaders of others.
fn data_sets(source: &Source) -> Vec<Fetch> {
    let offline = ["local_files_only=True", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE"];
    if offline.iter().any(|flag| source.code.contains(flag) || source.text.contains(&format!("{flag}'"))) {
        return Vec::new();
    }
    let imports = python_imports(source);
    let is_hub = imports.iter().any(|module| {
        matches!(
            *module,
            "datasets" | "transformers" | "huggingface_hub" | "sentence_transformers" | "diffusers"
        )
    });
    let mut found = Vec::new();
    for name in ["load_dataset", ".from_pretrained", "hf_hub_download", "snapshot_download"] {
        for at in source.calls(name) {
            let first = source.arguments(at).into_iter().next().map(|range| source.value(range));
            let is_path = matches!(&first, Some(Value::Literal(text)) if text.starts_with(['/', '.']));
            if is_hub && !is_path {
                found.push(Fetch::DataSet);
            }
        }
    }
    for name in [
        "sns.load_dataset",
        "seaborn.load_dataset",
        "fetch_openml",
        "fetch_california_housing",
        "fetch_20newsgroups",
    ] {
        found.extend(source.calls(name).map(|_| Fetch::Sample));
    }
    found
}
