//! Secrets leave no reader. The secrets here are made up, and put together at run time, so that none stands in this file.

use super::read;

fn log(observation: &str) -> String {
    let observation = serde_json::to_string(observation).unwrap();
    format!(
        r#"{{"trajectory":[{{"action":"env","observation":{observation},"response":"r","state":"{{}}"}}],"info":{{}}}}"#
    )
}

fn seen(observation: &str) -> (String, Vec<(&'static str, u64)>) {
    let mut read = read(log(observation).as_bytes());
    let call = read.trajectories.remove(0).turns.remove(0).calls.remove(0);
    (call.observation.unwrap(), read.masked.into_iter().collect())
}

#[test]
fn each_kind_of_secret_is_masked_with_its_kind_and_a_hash() {
    let letters = |n: usize| "aB3dE5fG7h".repeat(8)[..n].to_owned();
    let upper = |n: usize| "AB3DE5FG7H".repeat(8)[..n].to_owned();
    let rule = "-".repeat(5);
    let secrets = [
        ("aws_key", format!("AKIA{}", upper(16))),
        ("google_key", format!("AIza{}", letters(35))),
        ("github_token", format!("ghp_{}", letters(36))),
        ("github_token", format!("github_pat_{}", letters(40))),
        ("gitlab_token", format!("glpat-{}", letters(20))),
        ("hugging_face_token", format!("hf_{}", letters(34))),
        ("npm_token", format!("npm_{}", letters(36))),
        ("pypi_token", format!("pypi-{}", letters(60))),
        ("stripe_key", format!("sk_live_{}", letters(24))),
        ("anthropic_key", format!("sk-ant-{}", letters(40))),
        ("api_key", format!("sk-{}", letters(48))),
        ("slack_token", format!("xoxb-{}", letters(24))),
        ("bearer_token", format!("Bearer {}", letters(40))),
        ("web_token", format!("eyJ{}.eyJ{}.{}", letters(20), letters(20), letters(20))),
        (
            "private_key",
            format!("{rule}BEGIN RSA PRIVATE KEY{rule}\n{}\n{rule}END RSA PRIVATE KEY{rule}", letters(60)),
        ),
    ];
    for (kind, secret) in secrets {
        let (text, masked) = seen(&format!("export X=\"{secret}\"; ls"));
        assert!(!text.contains(&secret), "{kind}");
        let start = format!("export X=\"<secret:{kind}:");
        assert!(text.starts_with(&start) && text.ends_with(">\"; ls"), "{text}");
        assert_eq!(text.len(), start.len() + 8 + 6, "{text}");
        assert_eq!(masked, [(kind, 1)]);
    }
}

#[test]
fn a_password_in_an_address_is_masked_and_the_host_stays() {
    let (text, masked) = seen("git clone https://me:s3cret@github.com/a/b && curl http://localhost:80/@x");
    assert!(text.starts_with("git clone https://me:<secret:url_password:"), "{text}");
    assert!(text.ends_with(">@github.com/a/b && curl http://localhost:80/@x"), "{text}");
    assert_eq!(masked, [("url_password", 1)]);
}

#[test]
fn the_same_secret_has_the_same_mark() {
    let secret = format!("hf_{}", "aB3dE5fG7h".repeat(4));
    let (text, masked) = seen(&format!("{secret} {secret}"));
    let (left, right) = text.split_once(' ').unwrap();
    assert_eq!(left, right);
    assert_eq!(masked, [("hugging_face_token", 2)]);
}

#[test]
fn names_and_code_that_look_alike_are_left_alone() {
    for text in [
        "pip install sk-learn-contrib-with-a-very-long-name",
        "the task-2023-01-01-aaaaaaaaaaaaaaaaaaaaaaaa",
        "hf_hub_download(repo_id='x')",
        "Bearer authentication-is-described-below",
        "ghp_short",
        "xs = [xoxo]",
        "git@github.com:a/b.git and http://example.org/a:b@c",
    ] {
        assert_eq!(seen(text), (text.to_owned(), Vec::new()));
    }
}
