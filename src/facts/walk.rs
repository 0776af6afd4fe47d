//! One walk over a trajectory, turn by turn and call by call, that fills `Facts`.
//!
//! Owns   the order in which the parts see a call, and what they hand on: files, the open file, silent edits that
//!        wait for a look, earlier outcomes of a test command.
//! Never  judges; linear in the text of the trajectory.

use std::collections::BTreeMap;

use super::edits::{Draft, Effect, Ledger};
use super::evidence::{self, Result, Shown};
use super::fact::{
    CallFact, Context, EditEvidence, EditReason, ExecutionKind, ExplorationKind, Facts, Place, Role,
    SegmentFact,
};
use super::files::Files;
use super::later::{Pending, Waiting};
use super::project::Project;
use super::scope::Scope;
use super::{
    code_edits, editor_edits, effects, masking, network, reads, roles, root, scaffold, shell_edits, survival,
    test_runs,
};
use crate::data::submissions::{SubmissionKind, submissions};
use crate::model::{Call, CallKind, CommandSet, ObservationState, Operation, Quality, TaskKind, Trajectory};
use crate::shell::{self, Command, Segment};

/// Everything that one trajectory did.
pub fn compute(trajectory: &Trajectory, context: &Context) -> Facts {
    let mut walk = Walk::new(trajectory, context);
    for turn in 0..trajectory.turns.len() {
        walk.turn(turn);
    }
    walk.finish()
}

/// What is known so far.
pub(super) struct Walk<'t> {
    pub trajectory: &'t Trajectory,
    pub context: &'t Context,
    pub project: Project,
    pub files: Files,
    pub facts: Facts,
    pub tests: test_runs::Earlier<'t>,
    /// Addresses of git remotes that were added here.
    pub remotes: BTreeMap<String, String>,
    /// Texts that hand in when a command prints them.
    markers: Vec<&'static str>,
    /// The file that the editor has open.
    pub opened: Option<String>,
    /// The window that the editor showed last.
    window: Option<&'t str>,
    /// Silent edits that wait for a look.
    pub waiting: Waiting,
    /// A few lines of the new text of an edit, to find it again in the final patch.
    lines: BTreeMap<usize, Vec<String>>,
    diff_before: Option<blake3::Hash>,
    action_calls: BTreeMap<u64, Vec<usize>>,
}

/// What the parts may know of one call.
#[derive(Clone, Copy)]
pub(super) struct Seen<'t> {
    pub turn: usize,
    pub index: usize,
    pub call: &'t Call,
    pub result: Result<'t>,
}

impl<'t> Walk<'t> {
    fn new(trajectory: &'t Trajectory, context: &'t Context) -> Walk<'t> {
        let repository_root = root::find(trajectory);
        let project = Project::of(trajectory, context.repository.as_deref(), repository_root.as_deref());
        Walk {
            trajectory,
            context,
            project,
            files: Files::default(),
            facts: Facts {
                calls: Vec::new(),
                segments: Vec::new(),
                reads: Vec::new(),
                edits: Vec::new(),
                test_runs: Vec::new(),
                network: Vec::new(),
                created: Vec::new(),
                repository_root,
                patch_state: trajectory.patch_state,
            },
            tests: test_runs::Earlier::default(),
            remotes: BTreeMap::new(),
            markers: markers(&trajectory.scaffold),
            opened: None,
            window: None,
            waiting: Waiting::default(),
            lines: BTreeMap::new(),
            diff_before: None,
            action_calls: BTreeMap::new(),
        }
    }

    /// Whether importing this module is importing the project. A terminal task is about no package that was installed,
    /// but about what lies in its workspace.
    pub fn is_own_module(&self, module: &str) -> bool {
        let may_be = self.context.benchmark.kind != TaskKind::Terminal || self.files.holds_module(module);
        may_be && self.project.is_module(module)
    }

    pub fn root(&self) -> Option<&str> {
        self.facts.repository_root.as_deref()
    }

    fn turn(&mut self, turn: usize) {
        let trajectory = self.trajectory;
        let one = &trajectory.turns[turn];
        let edits_before = self.facts.edits.len();
        for (index, call) in one.calls.iter().enumerate() {
            let text =
                call.observation.as_deref().filter(|_| call.observation_state != ObservationState::Missing);
            let result = Result {
                exit: call.exit_code,
                text,
                is_cut: call.observation_state == ObservationState::Cut,
                timed_out: call.timed_out,
            };
            self.call(Seen { turn, index, call, result });
        }
        if let Some(after) = one.diff_after {
            if let Some(before) = self.diff_before.filter(|_| self.facts.edits.len() > edits_before) {
                self.waiting.see_digest(edits_before, before != after, &mut self.facts.edits);
            }
            self.diff_before = Some(after);
        }
    }

    fn call(&mut self, seen: Seen<'t>) {
        let first = self.facts.segments.len();
        let is_shell = seen.call.kind == CallKind::Shell;
        let shell_key = if is_shell { self.shell(seen) } else { None };
        let role = if is_shell { None } else { Some(self.tool(seen)) };
        if self.trajectory.commands == CommandSet::SweAgent {
            self.window = seen.result.text.and_then(reads::window_text).or(self.window);
        }
        let fact = CallFact {
            turn: seen.turn,
            call: seen.index,
            kind: seen.call.kind,
            segments: first..self.facts.segments.len(),
            operation: seen.call.operation.clone().filter(|_| !is_shell),
            role,
            action_key: shell_key.unwrap_or_else(|| masking::action_key(seen.call, None)),
            observation_key: None,
            exit_code: seen.call.exit_code,
            failed: super::failures::failed(seen.call, seen.result),
            is_poll: false,
        };
        self.action_calls.entry(fact.action_key).or_default().push(self.facts.calls.len());
        self.facts.calls.push(fact);
    }

    // A shell line.

    /// Reads a command line, segment by segment; its action key.
    fn shell(&mut self, seen: Seen<'t>) -> Option<u64> {
        let input = seen.call.input.as_str();
        if seen.call.quality == Quality::Unparsable || input.trim().is_empty() {
            return None;
        }
        let is_sweagent = self.trajectory.commands == CommandSet::SweAgent;
        let blocks = if is_sweagent { scaffold::BLOCKS } else { &[] };
        let whole = is_sweagent.then(|| scaffold::whole_command(input)).flatten();
        let options = shell::Options { block_commands: blocks };
        let command = shell::parse(whole.unwrap_or(input), &options);
        let is_prose = shell::looks_like_prose(input);
        // Of a line that the shell could not read, the parts tell what was tried.
        let is_broken = !command.complete && !is_prose && seen.result.text.is_some_and(evidence::is_broken);
        let parts = is_broken.then(|| shell::pieces(whole.unwrap_or(input), &options)).flatten();
        let (command, is_broken) = match parts {
            Some(parts) => (parts, true),
            None => (command, false),
        };
        // A plain shell knows no form of its own: who rejects a call is the harness, before anything of it runs.
        let is_plain = self.trajectory.commands == CommandSet::Plain;
        let is_refused = is_broken || is_plain && !is_prose && seen.call.quality == Quality::Parsable;
        let shown = evidence::of_segments(&command, seen.result, is_refused);
        let mut scope = Scope::new(seen.call.cwd.as_deref(), self.root());
        let mut roles: Vec<Role> = Vec::with_capacity(command.segments.len());
        let mut operations: Vec<Option<Operation>> = Vec::with_capacity(command.segments.len());
        for (index, segment) in command.segments.iter().enumerate() {
            let span =
                if whole.is_some() { (0, input.len()) } else { (segment.span.start, segment.span.end) };
            let line = Line { command: &command, index, shown: &shown, roles: &roles, scope: &scope, span };
            let operation = scaffold::operation(segment, self.trajectory.commands);
            let role = match &operation {
                _ if is_prose => Role::Unknown,
                Some(operation) => self.operation(seen, operation, Some(line)),
                None => self.segment(seen, line),
            };
            roles.push(role);
            operations.push(operation);
            scope.after(segment, shown[index].failed != Some(true));
        }
        hand_in(&command, input, &self.markers, &mut roles);
        quiet_queries(&command, &mut roles);
        let action_key = masking::action_key(seen.call, Some(&command));
        let all = command.segments.into_iter().zip(operations).zip(roles).zip(shown);
        for (index, (((parsed, operation), role), shown)) in all.enumerate() {
            self.facts.segments.push(SegmentFact {
                place: Place { turn: seen.turn, call: seen.index, segment: Some(index) },
                program: roles::name(&parsed).to_owned(),
                subcommand: parsed.subcommand().map(str::to_owned),
                operation,
                role,
                ran: shown.ran,
                span: if whole.is_some() { (0, input.len()) } else { (parsed.span.start, parsed.span.end) },
                parsed,
            });
        }
        Some(action_key)
    }

    fn segment(&mut self, seen: Seen<'t>, line: Line) -> Role {
        let segment = line.segment();
        // A name that no table knows, and that nothing shows to have run, is no command.
        let base = roles::role(segment, line.shown().ran == Some(false));
        let head = line.head_role().unwrap_or(base);
        let tested = test_runs::of_segment(self, seen, line, base);
        let role = tested.role.unwrap_or(base);
        let edited = self.shell_edits(seen, line, Roles { base, role, head }, &tested);
        self.shell_reads(seen, line, base);
        network::of_segment(self, seen, line, tested.code.as_ref());
        self.look_back(seen, line);
        self.note_folders(line);
        let role = self.reviewed(seen, line, role);
        let gives_way = matches!(
            role,
            Role::Exploration(_)
                | Role::Neutral
                | Role::Filter
                | Role::Execution(ExecutionKind::Run)
                | Role::Unknown
        );
        if edited && gives_way { Role::Editing } else { role }
    }

    /// Drafts of the segment's own program and redirections, and of the code that it runs.
    fn shell_edits(&mut self, seen: Seen, line: Line, roles: Roles, tested: &test_runs::Tested) -> bool {
        let segment = line.segment();
        let drafts = shell_edits::drafts(&shell_edits::Around {
            command: line.command,
            index: line.index,
            scope: line.scope,
            root: self.root(),
            files: &self.files,
            observation: seen.result.text.unwrap_or(""),
            head_role: roles.head,
            role: roles.role,
            base: roles.base,
        });
        let mut any = false;
        let is_last = line.index + 1 == line.command.segments.len();
        for draft in drafts {
            let effect = effects::of_shell(&draft, segment, line.shown(), seen.result, is_last);
            self.enter(seen, Some(line), draft, effect);
            any = true;
        }
        let Some(code) = &tested.code else { return any };
        let by_code = code_edits::drafts(code, |path| line.scope.file_of(path, self.root()));
        let mut written: Vec<Option<String>> = Vec::new();
        for (draft, at) in by_code {
            // Several writes of one file in one script are one edit of it.
            if draft.path.is_some() && written.contains(&draft.path) {
                continue;
            }
            written.push(draft.path.clone());
            let mut effect =
                code_edits::effect(&draft, at, tested.script.as_deref(), line.shown(), seen.result);
            let misses = seen.result.text.is_some_and(|text| code_edits::says_no_match(code, text));
            if misses && draft.is_silent && effect.effective == Some(true) {
                effect = Effect::refused(EditReason::NoMatch);
            }
            self.enter(seen, Some(line), draft, effect);
            any = true;
        }
        any
    }

    // A scaffold's command, or a structured tool.

    fn tool(&mut self, seen: Seen<'t>) -> Role {
        match &seen.call.operation {
            Some(operation) => self.operation(seen, operation, None),
            None => Role::Unknown,
        }
    }

    fn operation(&mut self, seen: Seen<'t>, operation: &Operation, line: Option<Line>) -> Role {
        match operation {
            Operation::View { path, lines } => self.view(seen, path.as_deref(), *lines, line),
            Operation::Search { path, .. } => {
                self.searched(seen, path.as_deref(), line);
                Role::Exploration(ExplorationKind::Search)
            }
            Operation::Web { .. } => {
                network::of_tool(
                    self,
                    seen,
                    operation,
                    line.map(|line| line.index),
                    line.map(|line| line.span),
                );
                Role::Exploration(ExplorationKind::Web)
            }
            Operation::Submit => Role::Submission,
            Operation::Exit => Role::Exit,
            Operation::Plan => Role::Planning,
            Operation::Delegate => Role::Delegation,
            Operation::HandOver => Role::HandOver,
            Operation::EndRole => Role::EndRole,
            Operation::Neutral => Role::Neutral,
            _ => {
                self.editor(seen, operation, line);
                Role::Editing
            }
        }
    }

    pub fn named(&self, seen: Seen, line: Option<Line>, path: &str) -> Option<String> {
        match line {
            Some(line) => line.scope.file_of(path, self.root()),
            None => Scope::new(seen.call.cwd.as_deref(), self.root()).file_of(path, self.root()),
        }
    }

    pub fn open_file(&self, seen: Seen, line: Option<Line>) -> Option<String> {
        let logged = seen.call.open_file.as_deref().and_then(|path| self.named(seen, line, path));
        // A line may open a file and edit it: what this call opened comes first.
        match line {
            Some(line) if line.index > 0 => self.opened.clone().or(logged),
            _ => logged.or_else(|| self.opened.clone()),
        }
    }

    fn editor(&mut self, seen: Seen, operation: &Operation, line: Option<Line>) {
        // The window that the editor shows names the file that it edits.
        let window = seen.result.text.and_then(reads::window_file);
        let open =
            window.and_then(|path| self.named(seen, line, path)).or_else(|| self.open_file(seen, line));
        let lines = line.and_then(|line| scaffold::line_range(line.segment()));
        let Some(draft) =
            editor_edits::draft(operation, lines, open.as_deref(), |path| self.named(seen, line, path))
        else {
            return;
        };
        let ran = line.and_then(|line| line.shown().ran).filter(|ran| !ran);
        let effect = editor_edits::effect(&draft, seen.result.text, seen.call.is_error, ran);
        let stays = || self.repeats(&draft) || self.window_stays(&draft, seen.result.text);
        let effect = if effect.effective == Some(true) && stays() { Effect::unchanged() } else { effect };
        if matches!(operation, Operation::Create { .. }) && effect.effective != Some(false) {
            self.opened = draft.path.clone();
        }
        self.enter(seen, line, draft, effect);
    }

    /// The same lines of the same file replaced by the same number of equal lines, with no other edit of it since.
    fn repeats(&self, draft: &Draft) -> bool {
        let (Some((first, last)), Some(new)) = (draft.lines, draft.new.as_deref()) else { return false };
        let same_length = new.trim_end_matches('\n').lines().count() == (last + 1).saturating_sub(first);
        let before = self
            .facts
            .edits
            .iter()
            .rev()
            .find(|edit| edit.path == draft.path && edit.effective != Some(false));
        same_length && before.is_some_and(|before| before.text_key == draft.text_key(before.kind))
    }

    /// The editor shows the same window as before: the lines that were replaced were the same.
    fn window_stays(&self, draft: &Draft, text: Option<&str>) -> bool {
        // A longer text may go on below the window.
        const SHOWN: usize = 40;
        let is_shown = draft.new.as_deref().is_some_and(|new| new.lines().count() <= SHOWN);
        let Some(before) = self.window.filter(|_| draft.lines.is_some() && is_shown) else { return false };
        text.and_then(reads::window_text).is_some_and(|window| window == before)
    }

    fn enter(&mut self, seen: Seen, line: Option<Line>, draft: Draft, effect: Effect) {
        let index = self.facts.edits.len();
        let may_miss = draft.is_silent;
        let new = draft.new.as_deref().unwrap_or("");
        if self.trajectory.patch.is_some() && effect.effective != Some(false) && !new.is_empty() {
            self.lines.insert(
                index,
                new.lines()
                    .map(str::trim)
                    .filter(|line| line.len() >= 4)
                    .take(12)
                    .map(str::to_owned)
                    .collect(),
            );
        }
        let waits = effect.effective == Some(true) && effect.evidence == EditEvidence::Silent;
        let (old, line_to_know) = match draft.substitution.as_ref().filter(|_| waits) {
            Some((old, new)) => (Some(old.clone()), Some(new.clone()).filter(|new| new.len() >= 6)),
            None if waits => (None, editor_edits::telling_line(new).map(str::to_owned)),
            None => (None, None),
        };
        let place = Place { turn: seen.turn, call: seen.index, segment: line.map(|line| line.index) };
        let span = line.map_or((0, seen.call.input.len()), |line| line.span);
        let mut ledger = Ledger {
            files: &mut self.files,
            edits: &mut self.facts.edits,
            root_known: self.facts.repository_root.is_some(),
            source_paths: &self.context.source_paths,
            task: self.context.benchmark.kind,
        };
        ledger.enter(place, span, draft, effect);
        if waits {
            self.waiting.push(Pending { edit: index, line: line_to_know, old, may_miss });
        }
    }

    // The end.

    fn finish(mut self) -> Facts {
        self.settle_targets();
        test_runs::settle_results(&mut self.facts, self.trajectory);
        super::polls::settle(&mut self.facts, self.trajectory, &self.action_calls);
        survival::settle(&mut self.facts, self.trajectory, &self.lines);
        self.facts.created = std::mem::take(&mut self.files.created);
        self.facts
    }

    /// What was made and deleted again here was scratch all along.
    fn settle_targets(&mut self) {
        for edit in &mut self.facts.edits {
            let Some(path) = edit.path.as_deref() else { continue };
            let Some(file) = self.files.get(path).filter(|file| file.deleted_here && !file.exists) else {
                continue;
            };
            edit.target = Some(super::targets::class(
                path,
                super::targets::Known {
                    created_here: file.created_here,
                    own_folder: self.files.in_own_folder(path),
                    deleted_here: true,
                    root_known: self.facts.repository_root.is_some(),
                    source_paths: &self.context.source_paths,
                    task: self.context.benchmark.kind,
                },
            ));
        }
    }
}

fn markers(scaffold: &str) -> Vec<&'static str> {
    let all = submissions(scaffold).filter(|submission| submission.kind == SubmissionKind::Marker);
    all.map(|submission| submission.action.as_str()).collect()
}

/// The completion echo of a scaffold hands in, and what follows it in the line is the work itself.
fn hand_in(command: &Command, input: &str, markers: &[&str], roles: &mut [Role]) {
    if !markers.iter().any(|marker| input.contains(marker)) {
        return;
    }
    let is_echo = |segment: &Segment| {
        matches!(segment.program.as_str(), "echo" | "printf")
            && segment.written_files().next().is_none()
            && segment.arguments.iter().any(|word| markers.iter().any(|marker| word.text.starts_with(marker)))
    };
    let Some(at) = command.segments.iter().position(is_echo) else { return };
    roles[at] = Role::Submission;
    for role in &mut roles[at + 1..] {
        if matches!(role, Role::Exploration(_)) {
            *role = Role::Neutral;
        }
    }
}

/// `pwd`, `type`, `echo $VAR` are exploration only where nothing else is done.
fn quiet_queries(command: &Command, roles: &mut [Role]) {
    let others = command.segments.iter().zip(roles.iter()).any(|(segment, role)| {
        !roles::counts_only_alone(segment) && !matches!(role, Role::Neutral | Role::Filter | Role::Unknown)
    });
    for (segment, role) in command.segments.iter().zip(roles.iter_mut()) {
        if others
            && roles::counts_only_alone(segment)
            && matches!(role, Role::Exploration(ExplorationKind::Env))
        {
            *role = Role::Neutral;
        }
    }
}

/// Roles of one segment while it is looked at.
#[derive(Clone, Copy)]
struct Roles {
    /// By the program's name and options alone.
    base: Role,
    /// With what it tests or runs.
    role: Role,
    /// Of the first command of its pipeline.
    head: Role,
}

/// One segment in its line.
#[derive(Clone, Copy)]
pub(super) struct Line<'c> {
    pub command: &'c Command,
    pub index: usize,
    shown: &'c [Shown],
    roles: &'c [Role],
    pub scope: &'c Scope,
    pub span: (usize, usize),
}

impl<'c> Line<'c> {
    pub fn segment(self) -> &'c Segment {
        &self.command.segments[self.index]
    }

    pub fn shown(self) -> Shown {
        self.shown[self.index]
    }

    /// Role of the first command of the pipeline that this segment reads from.
    pub fn head_role(self) -> Option<Role> {
        let segment = self.segment();
        if segment.pipe_position == 0 {
            return None;
        }
        let before = self.command.segments[..self.index].iter().zip(self.roles);
        before
            .filter(|(one, _)| one.pipeline == segment.pipeline)
            .map(|(_, role)| *role)
            .find(|role| *role != Role::Neutral)
    }

    /// The `&&` part before it failed, or its program is missing.
    pub fn is_skipped(self) -> bool {
        self.shown().ran == Some(false) && !self.shown().is_missing
    }
}
