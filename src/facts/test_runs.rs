//! Test runs: commands that learn whether behaviour is right, with what came out (`definitions.md` §3 testing, §4).
//!
//! Owns   the joining of runners, reproduction scripts and inline code with their outcome; the contrast with an
//!        earlier failure of the same command.
//! Never  reads a runner's output itself (`crate::runners`).

use std::collections::BTreeMap;

use super::evidence::{Result, Shown};
use super::fact::{
    ExecutionKind, ExplorationKind, Facts, NotRunReason, Place, Role, TestCounts, TestEvidence, TestKind,
    TestOutcome, TestRunFact,
};
use super::inline::{self, CodeFacts};
use super::key::key;
use super::walk::{Line, Seen, Walk};
use super::{masking, paths, roles, targets, tracebacks};
use crate::model::Trajectory;
use crate::runners::{self, ExitEvidence, Reading, Scope};
use crate::shell::{Language, Segment};

/// What a failing run of each reproduction command showed, for the contrast.
#[derive(Clone, Debug, Default)]
pub(super) struct Earlier<'t> {
    by_command: BTreeMap<u64, &'t str>,
}

/// What was found at a segment.
#[derive(Clone, Debug, Default)]
pub(super) struct Tested {
    /// Its role, where this part decides it.
    pub role: Option<Role>,
    /// What the code that it runs does.
    pub code: Option<CodeFacts>,
    /// The file that holds that code, where it is no inline code.
    pub script: Option<String>,
}

/// Recognises a test run at a segment, and writes it down.
pub(super) fn of_segment<'t>(walk: &mut Walk<'t>, seen: Seen<'t>, line: Line, base: Role) -> Tested {
    let segment = line.segment();
    let may_test = !matches!(base, Role::Exploration(_) | Role::Neutral | Role::Filter | Role::Editing);
    if let Some((runner, invocation)) = may_test.then(|| runners::recognise(segment)).flatten() {
        return by_runner(walk, seen, line, base, runner, invocation);
    }
    if matches!(base, Role::Filter | Role::Setup(_) | Role::Unknown) || segment.seen_through {
        return Tested::default();
    }
    if let Some(code) = &segment.inline_code {
        let facts = inline::read(&code.text, code.language).settled(|module| walk.is_own_module(module));
        return by_inline(walk, seen, line, facts);
    }
    by_script(walk, seen, line, base)
}

fn by_runner<'t>(
    walk: &mut Walk<'t>,
    seen: Seen<'t>,
    line: Line,
    base: Role,
    runner: &'static runners::Runner,
    invocation: runners::Invocation,
) -> Tested {
    let kind = match invocation.scope {
        Scope::Suite => TestKind::Suite,
        Scope::Targeted => TestKind::Targeted,
        Scope::Listing => {
            return Tested { role: Some(Role::Exploration(ExplorationKind::Search)), ..Tested::default() };
        }
    };
    let shown = line.shown();
    let reading = match not_run(line) {
        Some(reading) => reading,
        None => runners::outcome(runner, invocation, seen.result.text, exit(shown, seen)),
    };
    let reading = cut_before_verdict(reading, seen);
    let command = runners::command_key(line.segment(), walk.root());
    write(walk, seen, line, Run { kind, runner: Some(runner.name), command, asserts: true }, reading);
    // `mvn package`, `make check`: the build is part of the test.
    let role = match base {
        Role::Execution(ExecutionKind::Build) if builds_too(line.segment()) => {
            Role::TestingBy(ExecutionKind::Build)
        }
        _ => Role::Testing,
    };
    Tested { role: Some(role), ..Tested::default() }
}

/// Maven and Gradle lines that name a build goal beside the tests.
fn builds_too(segment: &Segment) -> bool {
    let goals = ["compile", "package", "install", "assemble", "build"];
    segment.arguments.iter().any(|word| goals.contains(&word.text.as_str()))
}

fn by_inline<'t>(walk: &mut Walk<'t>, seen: Seen<'t>, line: Line, mut facts: CodeFacts) -> Tested {
    let learns = (facts.uses_project
        && !facts.asks_environment
        && (facts.prints || facts.asserts || facts.writes.iter().all(|write| write.is_output)))
        || (facts.asserts
            && facts.writes.iter().all(|write| write.is_output)
            && !facts.asks_environment
            && (!reads_data(&facts) || checks_own_file(walk, line)));
    let role = if facts.shows_source {
        Role::Exploration(ExplorationKind::Read)
    } else if learns {
        let code = line.segment().inline_code.as_ref().map(|code| code.text.clone());
        judge(walk, seen, line, TestKind::Inline, code.as_deref(), facts.asserts);
        facts.writes.retain(|write| !write.is_output);
        Role::Testing
    } else if !facts.writes.is_empty() {
        Role::Editing
    } else if facts.asks_environment {
        Role::Exploration(ExplorationKind::Env)
    } else if facts.reads {
        Role::Exploration(ExplorationKind::Read)
    } else {
        Role::Execution(ExecutionKind::Run)
    };
    Tested { role: Some(role), code: Some(facts), script: None }
}

/// Inline code that reads data and uses no project is looking, not testing.
fn reads_data(facts: &CodeFacts) -> bool {
    facts.reads && !facts.uses_project
}

/// It names a file that this trajectory made: what it asserts is asserted of its own work.
fn checks_own_file(walk: &Walk, line: Line) -> bool {
    let Some(code) = &line.segment().inline_code else { return false };
    walk.files.created.iter().any(|path| walk.files.exists(path) && code.text.contains(path.as_str()))
}

// Scripts.

/// A script, class or program that a segment runs.
struct Script {
    /// Its one name.
    path: String,
    language: Option<Language>,
    /// It runs through the shell, as `./run.sh` or `bash run.sh`.
    is_shell: bool,
}

fn by_script<'t>(walk: &mut Walk<'t>, seen: Seen<'t>, line: Line, base: Role) -> Tested {
    let segment = line.segment();
    let Some(script) = script(walk, line) else { return own_program(walk, seen, line, base) };
    let file = walk.files.get(&script.path);
    let is_own = file.is_some_and(|file| file.created_here);
    let is_named = targets::is_reproduction(paths::name(&script.path));
    if !(is_own || is_named) {
        let is_test = script.language.is_some() && targets::looks_like_test(&script.path);
        return if is_test { test_file(walk, seen, line) } else { test_class(walk, seen, line) };
    }
    let text = file.and_then(|file| file.text.clone());
    if !is_named && text.as_deref().is_some_and(|text| text.trim().is_empty()) {
        // Nothing is run: the file was left empty.
        return Tested { role: Some(Role::Neutral), ..Tested::default() };
    }
    let code = script.language.and_then(|language| walk.files.code(&script.path, language));
    let code = code.map(|code| code.settled(|module| walk.is_own_module(module)));
    if code.as_ref().is_some_and(|code| code.shows_source) {
        return Tested { role: Some(Role::Exploration(ExplorationKind::Read)), code, script: None };
    }
    let tool =
        code.as_ref().is_some_and(|code| is_tool(code, &script) || is_code_mod(walk, line, code, &script));
    if tool {
        let role = if code.as_ref().is_some_and(|code| code.writes.is_empty()) {
            Role::Execution(ExecutionKind::Run)
        } else {
            Role::Editing
        };
        return Tested { role: Some(role), code, script: Some(script.path) };
    }
    let asserts = code.as_ref().is_some_and(|code| code.asserts)
        || script.is_shell && text.as_deref().is_some_and(runners::script::judges);
    judge(walk, seen, line, TestKind::Repro, text.as_deref(), asserts);
    let builds = matches!(base, Role::Execution(ExecutionKind::Build)) && segment.program != "python";
    let role = if builds { Role::TestingBy(ExecutionKind::Build) } else { Role::Testing };
    // A reproduction that writes its own input files is no edit of the workspace.
    let code = code.map(|code| CodeFacts { writes: rewrites(walk, line, &code), ..code });
    Tested { role: Some(role), code, script: Some(script.path) }
}

/// `python tests/test_x.py`: a test file of the project run as a script.
fn test_file<'t>(walk: &mut Walk<'t>, seen: Seen<'t>, line: Line) -> Tested {
    judge(walk, seen, line, TestKind::Targeted, None, false);
    Tested { role: Some(Role::Testing), ..Tested::default() }
}

/// `java x.FooTest`: a test class of the project by its name.
fn test_class<'t>(walk: &mut Walk<'t>, seen: Seen<'t>, line: Line) -> Tested {
    let segment = line.segment();
    let is_class = |text: &str| !text.starts_with('-') && (text.ends_with("Test") || text.ends_with("Tests"));
    if segment.program != "java" || !segment.arguments.iter().any(|word| is_class(&word.text)) {
        return Tested::default();
    }
    judge(walk, seen, line, TestKind::Targeted, Some(""), false);
    Tested { role: Some(Role::Testing), ..Tested::default() }
}

/// A script that rewrites files, or only reads data, and neither asserts nor runs the project.
fn is_tool(code: &CodeFacts, script: &Script) -> bool {
    let named = targets::is_reproduction(paths::name(&script.path)) || targets::looks_like_test(&script.path);
    let only_inputs = named && code.writes.iter().all(|write| !write.is_mod);
    let writes = code.writes.iter().any(|write| !write.is_output);
    !(code.uses_project || code.asserts || !writes || only_inputs)
}

/// A script that reads a file which this trajectory did not make and writes it back: that it ends with an error where
/// nothing fitted, or that the text it puts in asserts, is no test.
fn is_code_mod(walk: &Walk, line: Line, code: &CodeFacts, script: &Script) -> bool {
    let name = paths::name(&script.path);
    let is_theirs = |write: &inline::Write| {
        let path = write.path.as_deref().and_then(|path| line.scope.file_of(path, walk.root()));
        write.is_mod && path.is_some_and(|path| !walk.files.created_here(&path))
    };
    let named = name.to_ascii_lowercase().starts_with("repro") || targets::looks_like_test(&script.path);
    !code.uses_project && !named && code.writes.iter().any(is_theirs)
}

/// Writes that modify files which were there before the script: its own input files are none.
fn rewrites(walk: &Walk, line: Line, code: &CodeFacts) -> Vec<inline::Write> {
    let is_original = |write: &&inline::Write| {
        let path = write.path.as_deref().and_then(|path| line.scope.file_of(path, walk.root()));
        !write.is_output
            && path.is_some_and(|path| walk.files.exists(&path) && !walk.files.created_here(&path))
    };
    code.writes.iter().filter(is_original).cloned().collect()
}

fn script(walk: &Walk, line: Line) -> Option<Script> {
    let segment = line.segment();
    let root = walk.root();
    let program = roles::name(segment);
    if let Some(word) = segment.script() {
        let path = line.scope.file(word, root)?;
        return Some(Script {
            path,
            language: roles::language(segment),
            is_shell: roles::language(segment).is_none(),
        });
    }
    if let Some(module) = &segment.module {
        return module_file(walk, line, module);
    }
    match program {
        "java" => java_class(walk, line),
        "mvn" | "mvnw" => maven_class(walk, segment),
        "source" | "." => None,
        "sh" | "bash" | "zsh" | "dash" | "ts-node" | "tsx" | "groovy" | "scala" | "go" | "cargo" | "deno"
        | "Rscript" => {
            let word = segment
                .arguments
                .iter()
                .find(|word| paths::looks_like_path(&word.text) && !word.text.starts_with('-'))?;
            let is_shell = matches!(program, "sh" | "bash" | "zsh" | "dash");
            Some(Script { path: line.scope.file(word, root)?, language: None, is_shell })
        }
        _ if segment.program_path.contains('/') => {
            let path = line.scope.file_of(&segment.program_path, root)?;
            let language = match paths::stem_and_extension(&path).1 {
                "py" => Some(Language::Python),
                "js" => Some(Language::JavaScript),
                "rb" => Some(Language::Ruby),
                "pl" => Some(Language::Perl),
                _ => None,
            };
            is_runnable(walk, &path).then_some(Script { path, language, is_shell: language.is_none() })
        }
        _ => None,
    }
}

/// A program by path is a script where it was written here, or was compiled from a source that was.
fn is_runnable(walk: &Walk, path: &str) -> bool {
    walk.files.created_here(path)
        || !paths::name(path).contains('.') && compiled_from(walk, path).is_some()
        || targets::is_reproduction(paths::name(path))
}

fn compiled_from(walk: &Walk, path: &str) -> Option<String> {
    ["c", "cpp", "cc", "rs", "go"]
        .iter()
        .map(|extension| format!("{path}.{extension}"))
        .find(|source| walk.files.created_here(source))
}

/// `java ReproduceBug` runs what was compiled from `ReproduceBug.java`.
fn java_class(walk: &Walk, line: Line) -> Option<Script> {
    let segment = line.segment();
    let mut skip = false;
    let class = segment.arguments.iter().find(|word| {
        let is_value = std::mem::take(&mut skip);
        skip = matches!(
            word.text.as_str(),
            "-cp" | "-classpath" | "--class-path" | "-p" | "--module-path" | "-jar"
        );
        !is_value && !word.text.starts_with('-')
    })?;
    class_source(walk, &class.text)
}

fn maven_class(walk: &Walk, segment: &Segment) -> Option<Script> {
    let class = segment.arguments.iter().find_map(|word| word.text.strip_prefix("-Dexec.mainClass="))?;
    class_source(walk, class.trim_matches(['"', '\'']))
}

/// The source of a class: a file made here that bears its name (case is folded, since agents misspell) or holds the
/// class, else the name alone.
fn class_source(walk: &Walk, class: &str) -> Option<Script> {
    let name = class.trim_end_matches(".java").rsplit(['.', '/']).next()?;
    let wanted = format!("{name}.java").to_ascii_lowercase().replace('_', "");
    let header = format!("class {name}");
    let sources = || walk.files.created.iter().rev().filter(|path| path.ends_with(".java"));
    let by_name = sources().find(|path| paths::name(path).to_ascii_lowercase().replace('_', "") == wanted);
    let holds = |path: &&String| {
        let text = walk.files.get(path).and_then(|file| file.text.as_deref());
        text.is_some_and(|text| text.contains(&header))
    };
    let made = by_name.or_else(|| sources().find(holds));
    let path = made.cloned().unwrap_or_else(|| format!("{name}.java"));
    Some(Script { path, language: None, is_shell: false })
}

/// `python -m pkg.module`: the file of a module that was made here, or of a test.
fn module_file(walk: &Walk, line: Line, module: &str) -> Option<Script> {
    let path = module.replace('.', "/");
    let candidates = [format!("{path}.py"), format!("{path}/__main__.py")];
    let files = candidates.iter().filter_map(|path| line.scope.file_of(path, walk.root()));
    let is_ours = |path: &String| {
        walk.files.created_here(path) || targets::looks_like_test(path) || targets::is_reproduction(path)
    };
    let path = files.into_iter().find(is_ours)?;
    Some(Script { path, language: Some(Language::Python), is_shell: false })
}

/// The project's own command over a file that was written here: it learns whether behaviour is right.
fn own_program<'t>(walk: &mut Walk<'t>, seen: Seen<'t>, line: Line, base: Role) -> Tested {
    let segment = line.segment();
    if !matches!(base, Role::Execution(_)) || !walk.project.is_program(roles::name(segment)) {
        return Tested::default();
    }
    let root = walk.root();
    let over_own = segment.effective_arguments().iter().any(|word| {
        let path = line.scope.file(word, root);
        path.is_some_and(|path| {
            walk.files.created_here(&path)
                || walk.files.paths_in(&path).any(|inside| walk.files.created_here(inside)) && path != "."
        })
    });
    if !over_own {
        return Tested { role: Some(Role::Execution(ExecutionKind::Run)), ..Tested::default() };
    }
    // Its words are the project's, not a verdict of the run's own.
    judge(walk, seen, line, TestKind::Repro, Some(""), false);
    Tested { role: Some(Role::Testing), ..Tested::default() }
}

// Outcomes.

fn judge<'t>(
    walk: &mut Walk<'t>,
    seen: Seen<'t>,
    line: Line,
    kind: TestKind,
    script: Option<&str>,
    asserts: bool,
) {
    let task = walk.trajectory.task.as_deref();
    let reading = match not_run(line) {
        Some(reading) => reading,
        None => {
            let reading = runners::script::read(seen.result.text, exit(line.shown(), seen), script, task);
            cut_before_verdict(reading, seen)
        }
    };
    let command = runners::command_key(line.segment(), walk.root());
    let reading = walk.tests.contrasted(command, reading, exit(line.shown(), seen), seen.result);
    write(walk, seen, line, Run { kind, runner: None, command, asserts }, reading);
}

/// What the shell shows of a test that did not run at all.
fn not_run(line: Line) -> Option<Reading> {
    let shown = line.shown();
    let reason = if shown.is_missing {
        NotRunReason::Missing
    } else if line.is_skipped() {
        NotRunReason::Skipped
    } else {
        return None;
    };
    Some(reading(TestOutcome::NotRun, Some(reason), TestEvidence::Text))
}

fn reading(outcome: TestOutcome, reason: Option<NotRunReason>, evidence: TestEvidence) -> Reading {
    Reading { outcome, reason, evidence, counts: TestCounts::default(), error_file: None }
}

fn exit(shown: Shown, seen: Seen) -> ExitEvidence {
    match shown.exit {
        Some(code) => ExitEvidence { code: Some(code), belongs: true },
        None => ExitEvidence { code: seen.result.exit, belongs: false },
    }
}

/// A call that the scaffold stopped before a verdict did not run to its end.
fn cut_before_verdict(reading: Reading, seen: Seen) -> Reading {
    if reading.outcome == TestOutcome::Unknown && seen.result.timed_out {
        return Reading {
            outcome: TestOutcome::NotRun,
            reason: Some(NotRunReason::Timeout),
            evidence: TestEvidence::Text,
            ..reading
        };
    }
    reading
}

impl<'t> Earlier<'t> {
    /// The same reproduction that failed before and now ends without its symptom passes.
    fn contrasted(
        &mut self,
        command: u64,
        mut reading: Reading,
        exit: ExitEvidence,
        result: Result<'t>,
    ) -> Reading {
        let Some(text) = result.text else { return reading };
        match reading.outcome {
            TestOutcome::Fail => {
                self.by_command.insert(command, text);
            }
            TestOutcome::Unknown if !result.is_cut && !result.timed_out => {
                // A traceback that was caught and printed is no normal end.
                let earlier = self.by_command.get(&command).filter(|_| tracebacks::last(text).is_none());
                if earlier.is_some_and(|earlier| runners::script::is_contrast(earlier, text, exit)) {
                    reading.outcome = TestOutcome::Pass;
                    reading.evidence = TestEvidence::Contrast;
                }
            }
            _ => {}
        }
        reading
    }
}

/// How a test was run.
struct Run {
    kind: TestKind,
    runner: Option<&'static str>,
    command: u64,
    asserts: bool,
}

fn write(walk: &mut Walk, seen: Seen, line: Line, run: Run, reading: Reading) {
    let root = walk.root();
    let error_file = reading.error_file.as_deref().and_then(|file| line.scope.file_of(file, root));
    let fact = TestRunFact {
        place: Place { turn: seen.turn, call: seen.index, segment: Some(line.index) },
        kind: run.kind,
        runner: run.runner,
        outcome: reading.outcome,
        reason: reading.reason,
        evidence: reading.evidence,
        counts: reading.counts,
        error_file,
        command_key: run.command,
        result_key: 0,
        asserts: run.asserts,
        span: line.span,
    };
    walk.facts.test_runs.push(fact);
}

/// Fills the keys of results: of the outcome alone, and of the masked text where the same command failed again.
pub(super) fn settle_results(facts: &mut Facts, trajectory: &Trajectory) {
    let is_failing = |run: &TestRunFact| matches!(run.outcome, TestOutcome::Fail | TestOutcome::Error);
    let mut failures: BTreeMap<u64, usize> = BTreeMap::new();
    for run in facts.test_runs.iter().filter(|run| is_failing(run)) {
        *failures.entry(run.command_key).or_default() += 1;
    }
    for run in &mut facts.test_runs {
        let recurs = is_failing(run) && failures.get(&run.command_key).is_some_and(|count| *count > 1);
        let call = &trajectory.turns[run.place.turn].calls[run.place.call];
        let text = call.observation.as_deref().filter(|_| recurs).map(masking::masked);
        run.result_key = key(&[run.outcome.as_str(), text.as_deref().unwrap_or("")]);
    }
}
