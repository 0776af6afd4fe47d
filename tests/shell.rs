//! The shell parser: programs, spans, wrappers, here-documents, broken and hostile text.
//!
//! The program lists were written by hand from bash's grammar and the wrapper list of definitions.md §3.

use std::time::{Duration, Instant};

use ethogram::shell::{
    CodeSource, Command, Connector, Context, Language, MAX_DEPTH, MAX_SEGMENTS, Options, RedirectionOperator,
    Segment, WrapperKind, looks_like_prose, parse,
};
use proptest::prelude::*;

use crate::support;

fn read(text: &str) -> Command {
    parse(text, &Options::default())
}

fn programs(text: &str) -> Vec<String> {
    read(text).programs().map(str::to_owned).collect()
}

fn only(text: &str) -> Segment {
    let mut segments = read(text).segments;
    assert_eq!(segments.len(), 1, "{text}");
    segments.remove(0)
}

fn named<'c>(command: &'c Command, program: &str) -> &'c Segment {
    command.segments.iter().find(|segment| segment.program == program).expect(program)
}

fn texts(segment: &Segment) -> Vec<&str> {
    segment.arguments.iter().map(|word| word.text.as_str()).collect()
}

fn kinds(segment: &Segment) -> Vec<WrapperKind> {
    segment.wrappers.iter().map(|wrapper| wrapper.kind).collect()
}

/// Command line, programs in order.
const WELL_FORMED: &[(&str, &[&str])] = &[
    // Lists and pipelines.
    ("ls", &["ls"]),
    ("pwd; ls -la; git status", &["pwd", "ls", "git"]),
    ("cd src && make || echo broken", &["cd", "make", "echo"]),
    ("cat a.txt | sort | uniq -c | sort -rn | head -3", &["cat", "sort", "uniq", "sort", "head"]),
    ("make |& tee log", &["make", "tee"]),
    ("cd a &&\n  ls |\n  wc -l", &["cd", "ls", "wc"]),
    ("sleep 5 & wait", &["sleep", "wait"]),
    ("ls # cat b; rm c", &["ls"]),
    ("# only a remark\nls", &["ls"]),
    ("echo a#b c", &["echo"]),
    ("git commit -m \"fix: a; b && c | d\"", &["git"]),
    ("grep -rn \\\n  --include='*.py' \\\n  needle src", &["grep"]),
    ("! grep -q x f && echo none", &["grep", "echo"]),
    ("", &[]),
    ("\n\n", &[]),
    // Redirections.
    ("echo hi > out.txt 2>&1", &["echo"]),
    ("pytest -q &> log; tail -5 log", &["pytest", "tail"]),
    ("> empty.txt", &[]),
    ("cat < in > out", &["cat"]),
    ("2>/dev/null ls", &["ls"]),
    ("make >&2 && echo done", &["make", "echo"]),
    ("exec 3<> /dev/tcp/localhost/80", &["exec"]),
    // Quotes and expansions.
    ("\"git\" 'log' --one\"line\"", &["git"]),
    ("\\ls -la", &["ls"]),
    ("echo \"a 'b' c\" 'd \"e\" f'", &["echo"]),
    ("echo $'it\\'s' && ls", &["echo", "ls"]),
    ("echo \"$(date) and $(whoami)\"", &["echo", "date", "whoami"]),
    ("echo `git rev-parse HEAD` done", &["echo", "git"]),
    ("x=$(git log -1 --format=%H) && echo $x", &["git", "echo"]),
    ("echo $(dirname $(which python))", &["echo", "dirname", "which"]),
    ("echo ${x:-$(hostname)} ${#x} ${x//a/b}", &["echo", "hostname"]),
    ("echo $((1 + 2)) $(( $(nproc) * 2 ))", &["echo", "nproc"]),
    ("echo \"${a[@]}\" \"$#\" $? $$", &["echo"]),
    ("diff <(sort a) <(sort b)", &["diff", "sort", "sort"]),
    ("tee >(gzip > a.gz) < a", &["tee", "gzip"]),
    ("echo \"cost: 5$\"; ls", &["echo", "ls"]),
    ("rm -rf !(keep|also)", &["rm"]),
    ("touch {a,b}.txt f_{1..3}", &["touch"]),
    // Assignments and arrays.
    ("A=1 B='x y'", &[]),
    ("A=1 B=2 env | sort", &["env", "sort"]),
    ("list=(a \"b c\" $(ls)); echo ${list[0]}", &["ls", "echo"]),
    ("declare -A m=([a]=1 [b]=2)", &["declare"]),
    ("m[a]=3 && n+=1", &[]),
    // Compounds.
    (
        "if grep -q a f; then cat f; elif test -d d; then ls d; else pwd; fi",
        &["grep", "cat", "test", "ls", "pwd"],
    ),
    ("for f in *.py; do python -m py_compile $f; done", &["python"]),
    ("for f in a b\ndo\n  wc -l $f\ndone | sort", &["wc", "sort"]),
    ("for ((i=0; i<3; i++)); do date; done", &["date"]),
    ("while true; do sleep 1; done", &["true", "sleep"]),
    ("until curl -s localhost; do sleep 1; done", &["curl", "sleep"]),
    ("find . -name '*.c' | while read f; do wc $f; done", &["find", "read", "wc"]),
    ("case $1 in\n  a|b) ls ;;\n  *)\n    pwd\n    ;;\nesac; date", &["ls", "pwd", "date"]),
    ("case x in (x) ls;; esac", &["ls"]),
    ("(cd a; ls) && { pwd; date; }", &["cd", "ls", "pwd", "date"]),
    ("((x = 1 + 2)); echo $x", &["((", "echo"]),
    ("((echo a); echo b)", &["echo", "echo"]),
    ("[[ -f a && ( $x == y* || $z =~ ^(a|b)$ ) ]] && ls", &["[[", "ls"]),
    ("f() { ls; }; f", &["ls", "f"]),
    ("function g {\n  date\n}\ng", &["date", "g"]),
    ("run () (cd /tmp && pwd)", &["cd", "pwd"]),
    ("time make", &["make"]),
    ("time { ls; pwd; }", &["ls", "pwd"]),
    // Here-documents.
    ("cat > a.py <<'EOF'\nrm -rf /; $(x)\nEOF", &["cat"]),
    ("cat <<EOF\n$(date) `whoami`\nEOF\nls", &["cat", "date", "whoami", "ls"]),
    ("cat <<\\END > f\n$(no)\nEND", &["cat"]),
    ("cat <<-EOF | wc -l\n\tone\n\tEOF\npwd", &["cat", "wc", "pwd"]),
    ("diff /dev/fd/3 - 3<<A <<B\na\nA\nb\nB\nls", &["diff", "ls"]),
    ("cat <<A; cat <<B\none\nA\ntwo\nB\nls", &["cat", "cat", "ls"]),
    ("git commit -m \"$(cat <<'EOF'\nfix: don't (really)\nEOF\n)\" && git push", &["git", "cat", "git"]),
    ("x=$(cat <<EOF\nbody\nEOF)\nls", &["cat", "ls"]),
    ("python - <<'PY' && ls\nimport os\nos.remove('x')\nPY\npwd", &["python", "ls", "pwd"]),
    ("grep x <<< \"$(ls)\"", &["grep", "ls"]),
    ("while read l; do echo $l; done <<EOF\na\nEOF\ndate", &["read", "echo", "date"]),
    ("if true; then\ncat > f <<EOF\nfi\nEOF\nfi\nls", &["true", "cat", "ls"]),
    // Wrappers seen through.
    ("sudo -u root -E apt-get install -y git", &["apt-get"]),
    ("env -i -u X A=1 B=2 python x.py", &["python"]),
    ("timeout -k 5 60 pytest -x", &["pytest"]),
    ("timeout --signal=KILL 2m ./tests/runtests.py admin", &["runtests.py"]),
    ("nohup nice -n 10 stdbuf -oL make -j4 > log 2>&1 &", &["make"]),
    ("command git log; builtin cd x; exec ls", &["git", "cd", "ls"]),
    ("command -v node || type node", &["command", "type"]),
    ("find . -name '*.py' -print0 | xargs -0 -n 1 -I{} grep -l foo {}", &["find", "grep"]),
    ("ls | xargs", &["ls", "xargs"]),
    ("find . -type f -exec sed -i 's/a/b/' {} + -o -exec rm {} \\;", &["find", "sed", "rm"]),
    ("conda run -n testbed --no-capture-output python -m pytest", &["python"]),
    ("poetry run pytest; pipenv run pytest; uv run --with x pytest", &["pytest", "pytest", "pytest"]),
    ("uv run -m pytest tests", &["python"]),
    ("npx -y jest@29 src/a.test.js", &["jest"]),
    ("bash -lc 'cd /repo && rg -n foo'", &["bash", "cd", "rg"]),
    ("sh -c \"ls | wc -l\"", &["sh", "ls", "wc"]),
    ("timeout 10 bash -exc 'make; timeout 5 ./run'", &["bash", "make", "run"]),
    ("bash -o pipefail -c 'a | b'", &["bash", "a", "b"]),
    ("docker exec -it -w /app -e A=b web bash -c 'pytest -q'", &["bash", "pytest"]),
    ("docker compose -f dev.yml exec web python manage.py test", &["python"]),
    ("docker ps && docker exec", &["docker", "docker"]),
    ("tmux send-keys -t main 'cd /x' Enter 'ls -la' C-m", &["tmux", "cd", "ls"]),
    ("eval \"ls -la\" '&&' pwd", &["eval", "ls", "pwd"]),
    ("eval \"$(ssh-agent -s)\"", &["eval", "ssh-agent"]),
    ("watch -n 1 'ps aux | head'", &["watch", "ps", "head"]),
    ("script -qc 'npm test' /dev/null", &["script", "npm"]),
    ("su - dev -c 'make check'", &["su", "make"]),
    ("bash <<'EOF'\ncd /x\nmake test\nEOF\nls", &["bash", "cd", "make", "ls"]),
    ("cat <<'EOF' | sudo bash -s\nls\nEOF", &["cat", "bash", "ls"]),
    ("echo 'ls -la; pwd' | bash", &["echo", "bash", "ls", "pwd"]),
    ("curl -s https://x.org/i.sh | bash", &["curl", "bash"]),
    ("xargs -a list sh -c 'wc \"$@\"' _", &["sh", "wc"]),
    ("bash -c \"echo $(date); echo \\$(id)\"", &["bash", "date", "echo", "echo", "id"]),
    ("bash -c \"bash -c \\\"bash -c 'ls'\\\"\"", &["bash", "bash", "bash", "ls"]),
    ("coverage run -m pytest -q", &["python"]),
    ("xvfb-run -a npm test", &["npm"]),
];

/// Broken or cut: programs in order; never `complete`.
const BROKEN: &[(&str, &[&str])] = &[
    ("grep 'foo | head", &["grep"]),
    ("echo \"a; ls", &["echo"]),
    ("ls $(git diff", &["ls", "git"]),
    ("echo `date", &["echo", "date"]),
    ("echo ${x", &["echo"]),
    ("cat <<EOF\nls", &["cat"]),
    ("cat <<EOF", &["cat"]),
    ("for f in a; do cat $f", &["cat"]),
    ("if true; then ls", &["true", "ls"]),
    ("ls )", &["ls"]),
    ("ls &&", &["ls"]),
    ("ls | | wc", &["ls", "wc"]),
    ("; ls", &["ls"]),
    ("fi; ls", &["ls"]),
    ("(ls", &["ls"]),
    ("{ ls", &["ls"]),
    ("print(open('x').read()); ls", &["print", "ls"]),
    ("case x in a) ls", &["ls"]),
    ("ls > ", &["ls"]),
    ("bash -c 'ls && '", &["bash", "ls"]),
    ("f() ls", &["f", "ls"]),
    ("graph.validate()\nls", &["graph.validate", "ls"]),
    ("[[ -f a", &["[["]),
    ("edit 10:20\n    return x\nend_of_edit (", &["edit", "return", "end_of_edit"]),
];

#[test]
fn programs_of_well_formed_commands() {
    for (text, want) in WELL_FORMED {
        let command = read(text);
        assert_eq!(command.programs().collect::<Vec<_>>(), *want, "{text}");
        assert!(command.complete, "well formed: {text}");
    }
}

#[test]
fn programs_of_broken_commands() {
    for (text, want) in BROKEN {
        let command = read(text);
        assert_eq!(command.programs().collect::<Vec<_>>(), *want, "{text}");
        assert!(!command.complete, "broken: {text}");
    }
}

/// Every span shows what was typed there, also through nested quoting.
#[test]
fn spans_show_what_was_typed() {
    for (text, _) in WELL_FORMED.iter().chain(BROKEN) {
        for segment in read(text).segments {
            let shown = segment.inner_text(text);
            assert!(shown.contains(&segment.program) || segment.program == "python", "{text}: {shown:?}");
            for word in &segment.arguments {
                let typed = text.get(word.span.clone()).expect("span lies between characters");
                assert!(word.quoted || word.text == typed || typed.contains('\\'), "{text}: {typed:?}");
            }
            for target in segment.redirections.iter().map(|redirection| &redirection.target) {
                let typed = text.get(target.span.clone()).expect("span lies between characters");
                assert!(target.quoted || target.text == typed, "{text}: {typed:?}");
            }
        }
    }
    let text = "cd /a && bash -c \"ls \\\"x y\\\" é && grep é f\" | head";
    let command = read(text);
    let shown: Vec<&str> = command.segments.iter().map(|segment| segment.inner_text(text)).collect();
    assert_eq!(
        shown,
        ["cd /a", "bash -c \"ls \\\"x y\\\" é && grep é f\"", "ls \\\"x y\\\" é", "grep é f", "head"]
    );
}

#[test]
fn words_lose_quotes_and_keep_expansions() {
    let segment = only("echo 'a b' \"c $d\" e\\ f $'x\\ty\\u00e9' *.py {a,b} {} '$g' a\"b\"c");
    assert_eq!(texts(&segment), ["a b", "c $d", "e f", "x\tyé", "*.py", "{a,b}", "{}", "$g", "abc"]);
    let expands: Vec<bool> = segment.arguments.iter().map(|word| word.expands).collect();
    assert_eq!(expands, [false, true, false, false, true, true, false, false, false]);
    let quoted: Vec<bool> = segment.arguments.iter().map(|word| word.quoted).collect();
    assert_eq!(quoted, [true, true, true, true, false, false, false, true, true]);
}

#[test]
fn program_path_module_and_assignments() {
    let segment = only("PYTHONPATH=/x A='b c' /usr/bin/python3 -u -W ignore -m pytest -q tests");
    assert_eq!((segment.program.as_str(), segment.program_path.as_str()), ("python3", "/usr/bin/python3"));
    assert_eq!(segment.module.as_deref(), Some("pytest"));
    assert_eq!(segment.effective_program(), "pytest");
    assert_eq!(
        segment.effective_arguments().iter().map(|word| word.text.as_str()).collect::<Vec<_>>(),
        ["-q", "tests"]
    );
    assert_eq!(
        segment.assignments,
        [("PYTHONPATH".to_owned(), "/x".to_owned()), ("A".to_owned(), "b c".to_owned())]
    );
    assert!(only("A=1").is_assignment_only());
    assert!(!only("> f").is_assignment_only());
    assert_eq!(only("./x.py -m y").module, None);
    assert_eq!(only("python x.py -m y").module, None);
}

#[test]
fn connectors_pipelines_and_background() {
    let command = read("a && b || c; d | e & f\ng");
    let connectors: Vec<Connector> = command.segments.iter().map(|segment| segment.connector).collect();
    use Connector::{And, Background, Or, Pipe, Sequence, Start};
    assert_eq!(connectors, [Start, And, Or, Sequence, Pipe, Background, Sequence]);
    let positions: Vec<usize> = command.segments.iter().map(|segment| segment.pipe_position).collect();
    assert_eq!(positions, [0, 0, 0, 0, 1, 0, 0]);
    let background: Vec<bool> = command.segments.iter().map(|segment| segment.background).collect();
    assert_eq!(background, [false, false, false, true, true, false, false]);
    assert_eq!(command.segments[3].pipeline, command.segments[4].pipeline);
    assert_ne!(command.segments[2].pipeline, command.segments[3].pipeline);
    let looped =
        read("cd x && for f in a; do b; c; done && if d; then e; fi && { g; } | while h; do i; done");
    let connectors: Vec<Connector> = looped.segments.iter().map(|segment| segment.connector).collect();
    assert_eq!(connectors, [Start, And, Sequence, And, Sequence, And, Pipe, Sequence]);
    assert_eq!(command.feeder(4).expect("d feeds e").program, "d");
    assert!(command.feeder(3).is_none());
}

#[test]
fn contexts_depths_and_parents() {
    let command = read(
        "a; (b); if c; then d; fi; while e; do f; done; g() { h; }; i $(j) <(k); { l; }; case x in x) m;; esac; sh -c n",
    );
    let found: Vec<(&str, Context, usize)> = command
        .segments
        .iter()
        .map(|segment| (segment.program.as_str(), segment.context, segment.depth))
        .collect();
    assert_eq!(
        found,
        [
            ("a", Context::TopLevel, 0),
            ("b", Context::Subshell, 1),
            ("c", Context::Condition, 1),
            ("d", Context::Branch, 1),
            ("e", Context::Condition, 1),
            ("f", Context::LoopBody, 1),
            ("h", Context::FunctionBody, 1),
            ("i", Context::TopLevel, 0),
            ("j", Context::CommandSubstitution, 1),
            ("k", Context::ProcessSubstitution, 1),
            ("l", Context::TopLevel, 1),
            ("m", Context::Branch, 1),
            ("sh", Context::TopLevel, 0),
            ("n", Context::Nested, 1),
        ]
    );
    assert_eq!(command.segments[8].parent, Some(7));
    assert_eq!(command.segments[13].parent, Some(12));
    assert!(command.segments[12].seen_through);
}

#[test]
fn wrappers_are_kept_outermost_first() {
    let command = read("sudo timeout 1.5m bash -c 'cd x && env A=1 pytest'");
    let pytest = named(&command, "pytest");
    use WrapperKind::{Env, Shell, Sudo, Timeout};
    assert_eq!(kinds(pytest), [Sudo, Timeout, Shell, Env]);
    assert_eq!(pytest.timeout_seconds(), Some(90.0));
    assert_eq!(pytest.assignments, [("A".to_owned(), "1".to_owned())]);
    let command = read("docker exec -i --user root box ls");
    assert_eq!(named(&command, "ls").wrappers[0].operand.as_deref(), Some("box"));
    assert_eq!(named(&read("timeout 5x ls"), "ls").timeout_seconds(), None);
    assert!(named(&read("find . -exec cat {} +"), "cat").is_wrapped_by(WrapperKind::FindExec));
    for bare in ["sudo -l", "env", "nice", "timeout 5", "command -v x", "xargs", "uv sync", "docker ps"] {
        assert!(only(bare).wrappers.is_empty(), "{bare}");
    }
}

#[test]
fn redirections_say_what_is_written() {
    let segment = only("cmd < in > out >> log 2> err 2>&1 &> both >&2 > /dev/null 3>&- >& all >| force");
    let written: Vec<(&str, bool)> =
        segment.written_files().map(|(word, appends)| (word.text.as_str(), appends)).collect();
    assert_eq!(
        written,
        [("out", false), ("log", true), ("err", false), ("both", false), ("all", false), ("force", false)]
    );
    assert_eq!(segment.redirections[0].operator, RedirectionOperator::Read);
    assert_eq!(segment.redirections[3].fd, Some(2));
    assert!(segment.redirections[3].is_standard_error());
    assert_eq!(segment.redirections[4].operator, RedirectionOperator::DuplicateOutput);
    let command = read("for f in a; do cat $f; done > all.txt");
    let carrier = command.segments.last().expect("the loop's redirection");
    assert_eq!(carrier.program, "");
    assert_eq!(carrier.written_files().next().expect("a file").0.text, "all.txt");
    assert_eq!(texts(&only("echo a2>b")), ["a2"]);
    assert_eq!(texts(&only("echo a 2>b")), ["a"]);
}

#[test]
fn heredocs_have_body_and_span() {
    let text = "cat > a.py <<'EOF'\nprint(1)\nEOF\nls";
    let command = read(text);
    let heredoc = command.segments[0].heredoc.as_ref().expect("a here-document");
    assert_eq!((heredoc.tag.as_str(), heredoc.quoted, heredoc.closed), ("EOF", true, true));
    assert_eq!(heredoc.body, "print(1)\n");
    assert_eq!(&text[heredoc.span.clone()], "print(1)\n");
    assert_eq!(command.segments[0].inner_text(text), "cat > a.py <<'EOF'");
    let stripped = only("cat <<-E\n\ta\n\t\tb\n\tE");
    assert_eq!(stripped.heredoc.expect("a here-document").body, "a\nb\n");
    let open = read("cat > f <<EOF\nline\n");
    assert!(!open.complete && !open.segments[0].heredoc.as_ref().expect("a here-document").closed);
    assert_eq!(open.segments[0].heredoc.as_ref().expect("a here-document").body, "line\n");
    let windows = only("cat <<EOF\r\na\r\nEOF\r\n");
    assert_eq!(windows.heredoc.expect("a here-document").body, "a\r\n");
}

#[test]
fn inline_code_of_interpreters() {
    use CodeSource::{HereString, Heredoc, Option as Opt, Pipe};
    use Language::{JavaScript, Perl, Php, Python, Ruby};
    let cases: &[(&str, Language, CodeSource, &str)] = &[
        ("python -c 'print(1)'", Python, Opt, "print(1)"),
        ("python3.11 -u -W ignore -c \"print(\\\"x\\\")\" a", Python, Opt, "print(\"x\")"),
        ("timeout 5 python -Bc 'x'", Python, Opt, "x"),
        ("python - a b <<EOF\nx = 1\nEOF", Python, Heredoc, "x = 1\n"),
        ("python <<'EOF'\n$(no)\nEOF", Python, Heredoc, "$(no)\n"),
        ("python <<< 'x'", Python, HereString, "x"),
        ("echo 'print(1)' | python3", Python, Pipe, "print(1)"),
        ("printf 'a=1\\nprint(a)\\n' | python -", Python, Pipe, "a=1\nprint(a)\n"),
        ("cat <<'EOF' | python\nx\nEOF", Python, Pipe, "x\n"),
        ("python manage.py shell -c 'import a'", Python, Opt, "import a"),
        ("python manage.py shell <<EOF\nimport a\nEOF", Python, Heredoc, "import a\n"),
        ("node -e 'console.log(1)'", JavaScript, Opt, "console.log(1)"),
        ("node --eval='1'", JavaScript, Opt, "1"),
        ("node -pe '1+1'", JavaScript, Opt, "1+1"),
        ("perl -pi -e 's/a/b/' f", Perl, Opt, "s/a/b/"),
        ("perl -0777 -i.bak -ne 'print' f", Perl, Opt, "print"),
        ("ruby -rjson -e 'p 1'", Ruby, Opt, "p 1"),
        ("php -r 'echo 1;'", Php, Opt, "echo 1;"),
    ];
    for (text, language, source, code) in cases {
        let command = read(text);
        let inline = command.segments.iter().find_map(|segment| segment.inline_code.as_ref()).expect(text);
        assert_eq!(
            (inline.language, inline.source, inline.text.as_str()),
            (*language, *source, *code),
            "{text}"
        );
        assert!(text[inline.span.clone()].contains(&code[..1]), "{text}");
    }
    for none in [
        "python x.py <<EOF\nc\nEOF",
        "python -m x <<EOF\nc\nEOF",
        "python x.py -c y",
        "cat x | python -m json.tool",
    ] {
        assert!(read(none).segments.iter().all(|segment| segment.inline_code.is_none()), "{none}");
    }
}

#[test]
fn scripts_and_subcommands() {
    let script = |text: &str| only(text).script().map(|word| word.text.clone());
    assert_eq!(script("python -u repro.py --fast").as_deref(), Some("repro.py"));
    assert_eq!(script("bash -ex run.sh").as_deref(), Some("run.sh"));
    assert_eq!(script("node -r ts-node/register a.ts").as_deref(), Some("a.ts"));
    for none in ["python -m pytest", "python -", "bash", "ls x.py"] {
        assert_eq!(script(none), None, "{none}");
    }
    let subcommand = |text: &str| only(text).subcommand().map(str::to_owned);
    for (text, want) in [
        ("git -C /x --no-pager -c a=b log -p", "log"),
        ("pip install -e .", "install"),
        ("python -m pip install x", "install"),
        ("mvn -q -pl core -Dtest=A test", "test"),
        ("./gradlew --no-daemon :a:test --tests X", ":a:test"),
        ("go test ./...", "test"),
        ("cargo +nightly test", "test"),
        ("npm --prefix web run build", "run"),
        ("make -C src -j 4 CC=gcc check", "check"),
        ("make -j check", "check"),
        ("ninja -C build test", "test"),
        ("pip3.11 install x", "install"),
        ("python -W error::pip -m pip download x", "download"),
        ("make -C src -j4 CC=gcc check", "check"),
        ("python manage.py test app", "test"),
        ("./manage.py migrate", "migrate"),
        ("docker -H tcp://x ps", "ps"),
        ("apt-get -o A=b install x", "install"),
    ] {
        assert_eq!(subcommand(text).as_deref(), Some(want), "{text}");
    }
    for none in ["git", "git --version", "ls -la x", "make", "tox -e py39 -- tests"] {
        assert_eq!(subcommand(none), None, "{none}");
    }
    let arguments: Vec<String> =
        only("git -C x log -p a").subcommand_arguments().iter().map(|word| word.text.clone()).collect();
    assert_eq!(arguments, ["-p", "a"]);
}

#[test]
fn block_commands_of_a_scaffold() {
    let options = Options { block_commands: &[("edit", "end_of_edit"), ("insert", "end_of_insert")] };
    let text = "edit 10:20\n    return x && y | z\nend_of_edit\nls";
    let command = parse(text, &options);
    assert_eq!(command.programs().collect::<Vec<_>>(), ["edit", "ls"]);
    assert!(command.complete);
    assert_eq!(texts(&command.segments[0]), ["10:20"]);
    let block = command.segments[0].heredoc.as_ref().expect("a block");
    assert_eq!(block.body, "    return x && y | z\n");
    assert_eq!(&text[block.span.clone()], block.body);
    assert_eq!(command.segments[0].inner_text(text), "edit 10:20");
    let cut = parse("edit 1:2\nreturn 'x", &options);
    assert!(!cut.complete);
    assert_eq!(cut.segments[0].heredoc.as_ref().expect("a block").body, "return 'x");
    assert_eq!(programs("edit 1:2\nls"), ["edit", "ls"]);
}

#[test]
fn prose_is_not_a_command() {
    for prose in [
        "Let's look at the file: cat foo.py",
        "The tests pass now, so I will submit.",
        "I need to find where this is defined.",
        "Now we should run the tests",
        "let's see what is in there",
        "First, I'll check the repository structure.",
        "It seems that the function is never called",
        "DISCUSSION\nFirst, we need to find the file that defines it.",
        "THOUGHT: I patched it, so let's run the tests.\n\npytest -q",
        "`positions` comes from the extents of the selector.",
        "(I assume that it is called further down)",
    ] {
        assert!(looks_like_prose(prose), "{prose}");
    }
    for command in [
        "ls -la",
        "Rscript -e 'is it in the list'",
        "Xvfb :99 &",
        "find . -name 'The thing is in a box'",
        "git commit -m 'This is a fix for the bug'",
        "Make -j4",
        "PYTHONPATH=. python x.py",
        "R CMD check .",
        "# The comment is for a reader\nls",
        "",
        "echo This is not a sentence to the shell",
        "Foo",
        "DISCUSSION\nls -la",
        "`which python` -c 'is it in the list'",
        "(cd src && make)",
        "THOUGHT=1 make",
    ] {
        assert!(!looks_like_prose(command), "{command}");
    }
}

/// `bash -n` reads without running: it must call complete and broken what we do. It looks into no nested command
/// line, takes the end of the text for the end of a here-document, and says more on standard error than by its code.
#[test]
fn bash_agrees_on_what_is_broken() {
    for (text, _) in
        WELL_FORMED.iter().chain(BROKEN).filter(|(text, _)| !text.contains("bash -c") && !text.is_empty())
    {
        let Ok(output) =
            std::process::Command::new("bash").args(["-O", "extglob", "-n", "-c", text]).output()
        else {
            println!("skipped: there is no bash here");
            return;
        };
        let said = String::from_utf8_lossy(&output.stderr);
        let is_closed_inside = text.contains("\nEOF)");
        let accepts = output.status.success() && (said.is_empty() || is_closed_inside);
        assert_eq!(read(text).complete, accepts, "{text}: {said}");
    }
}

/// The hand-labelled commands of the design pages, by the first name that was typed. Their labels leave out `[[` and
/// what stands inside `bash -c`, and three broken ones need prose and XML to be stripped first.
#[test]
fn labelled_commands_of_the_design() {
    let Some(path) = support::shared("design/rust_examples/shell_cases.jsonl") else { return };
    let cases = std::fs::read_to_string(path).unwrap();
    let mut wrong = Vec::new();
    for line in cases.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = case["cmd"].as_str().unwrap();
        let want: Vec<&str> =
            case["names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        let command = read(text);
        let got: Vec<&str> = command
            .segments
            .iter()
            .filter(|segment| segment.context != Context::Nested && segment.program != "[[")
            .map(|segment| {
                segment.wrappers.first().map_or(segment.program.as_str(), |wrapper| wrapper.kind.program())
            })
            .filter(|name| !name.is_empty())
            .collect();
        if got != want {
            wrong.push(text.to_owned());
        }
        if case["broken"] == false {
            assert!(command.complete, "{text}");
        }
    }
    let stripped_first =
        |text: &&String| text.starts_with('<') || text.starts_with("Let's") || text.contains("'it's fine'");
    assert_eq!(wrong.iter().filter(|text| !stripped_first(text)).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(cases.lines().count(), 48);
}

/// A megabyte of the worst text that we could think of, each well under a second in the dev profile.
#[test]
fn hostile_text_costs_linear_time() {
    let units = [
        "$(",
        "`",
        "\"",
        "'",
        "<<a",
        "<<a\n",
        "((",
        "$((",
        "${",
        "\"$(",
        "a=(",
        "<(",
        "{",
        "(",
        ")",
        "}",
        ";",
        "&&",
        "|",
        "if ",
        "case a in ",
        "for x in ",
        "done;",
        "fi;",
        "f()",
        "[[ ",
        "eval ",
        "sudo ",
        "xargs ",
        "bash -c \"",
        "find -exec ",
        "find . -exec sh -c x \\; ",
        "a;",
        "$(a)",
        "`a`",
        "a\\",
        "!(",
        "\\\n",
        "#",
        "2>&1 ",
        "cat <<a | bash\n",
        "echo a | ",
        "echo 'b' | bash | ",
        "time ",
        "\"${a:-\"",
        "{a,",
        "a[",
        "tmux send-keys ",
        "env a=b ",
        "$'\\",
        "é$(",
        "python - <<a\n",
    ];
    for unit in units {
        let text = unit.repeat((1 << 20) / unit.len());
        let start = Instant::now();
        let command = read(&text);
        let elapsed = start.elapsed();
        assert!(elapsed < Duration::from_millis(3000), "{unit:?} took {elapsed:?}");
        assert!(command.segments.len() <= MAX_SEGMENTS + 1, "{unit:?}: {}", command.segments.len());
        assert!(command.segments.iter().all(|segment| segment.depth <= MAX_DEPTH + 1), "{unit:?}");
    }
}

/// Every invariant that later layers rely on.
fn check_invariants(text: &str) {
    let options = Options { block_commands: &[("edit", "end_of_edit")] };
    for options in [Options::default(), options] {
        let command = parse(text, &options);
        for (index, segment) in command.segments.iter().enumerate() {
            assert!(text.get(segment.span.clone()).is_some(), "{text:?}");
            assert!(segment.parent.is_none_or(|parent| parent < index), "{text:?}");
            for word in &segment.arguments {
                assert!(text.get(word.span.clone()).is_some(), "{text:?}");
            }
            if let Some(heredoc) = &segment.heredoc {
                assert!(text.get(heredoc.span.clone()).is_some(), "{text:?}");
            }
            if let Some(code) = &segment.inline_code {
                assert!(text.get(code.span.clone()).is_some(), "{text:?}");
            }
            segment.subcommand();
            segment.script();
            segment.effective_arguments();
        }
        looks_like_prose(text);
    }
}

#[test]
fn every_truncation_is_read() {
    for (text, _) in WELL_FORMED.iter().chain(BROKEN) {
        for (cut, _) in text.char_indices() {
            check_invariants(&text[..cut]);
            check_invariants(&text[cut..]);
        }
    }
}

/// A text that is read a second time, in which a quote within an open substitution takes back what was read of it.
#[test]
fn an_open_substitution_in_typed_keys_is_read() {
    check_invariants("tmux send-keys $(for a in é$'$(");
}

proptest! {
    #[test]
    fn any_text_is_read(text in any::<String>()) {
        check_invariants(&text);
    }

    #[test]
    fn any_mixture_of_syntax_is_read(parts in prop::collection::vec(prop::sample::select(vec![
        "$(", ")", "`", "\"", "'", "\\", "<<E", "\nE\n", "\n", " ", "((", "))", "${", "}", "{ ", "; ", "| ", "&& ", "& ",
        "if ", "then ", "fi ", "do ", "done ", "for a in ", "case a in ", ";; ", "esac ", "f() ", "[[ ", "]] ", "bash -c ",
        "eval ", "find . -exec ", "\\; ", "xargs ", "python - ", "<(", "> ", "2>&1 ", "a=", "(", "é", "$'", "# ", "edit ",
        "end_of_edit", "echo ", "tmux send-keys ", "Enter ", "<<-'E' ", "<<< ", "\t", "\r\n", "x", "!",
    ]), 0..40)) {
        check_invariants(&parts.concat());
    }

    /// Joining commands with an operator gives the programs of both.
    #[test]
    fn lists_are_the_sum_of_their_parts(picks in prop::collection::vec((0..WELL_FORMED.len(), 0..3_usize), 1..5)) {
        let mut text = String::new();
        let mut want = Vec::new();
        for (index, operator) in picks {
            let (command, names) = WELL_FORMED[index];
            if command.trim().is_empty() || command.contains("<<") || command.contains('#') || command.ends_with('&') {
                continue;
            }
            text.push_str(command);
            text.push_str([" ; ", "\n", " & "][operator]);
            want.extend(names.iter().copied());
        }
        let command = read(&text);
        prop_assert_eq!(command.programs().collect::<Vec<_>>(), want);
        prop_assert!(command.complete);
    }
}
