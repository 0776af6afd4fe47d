//! What a command line is once it is read: plain data, with the questions that later layers ask of it.
//!
//! Never judges (no tag is decided here) and never looks at the text again, except to show a segment's own bytes.

use std::ops::Range;

/// A whole command line of one call.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// The simple commands in the order in which they are written; what stands inside a substitution, a nested
    /// `bash -c` or a here-document that a shell reads follows the command that holds it.
    pub segments: Vec<Segment>,
    /// False when the text is cut or broken somewhere: an open quote, a here-document without end, a stray `)`.
    pub complete: bool,
}

/// One simple command.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// Base name of the program after wrappers are seen through, without quotes; empty for a bare assignment or
    /// redirection; `[[` and `((` for the two kinds of test that are syntax.
    pub program: String,
    /// The program as it was typed, with its path.
    pub program_path: String,
    /// The module of `python -m MODULE`.
    pub module: Option<String>,
    /// Everything after the program.
    pub arguments: Vec<Word>,
    /// `NAME=value` before the program, those of `env` and `sudo` included.
    pub assignments: Vec<(String, String)>,
    /// What the program was started through, outermost first.
    pub wrappers: Vec<Wrapper>,
    /// Redirections in the order in which they are written.
    pub redirections: Vec<Redirection>,
    /// The here-document that is this command's standard input (the last, where there are several), or the block of
    /// a scaffold's own block command.
    pub heredoc: Option<Heredoc>,
    /// Program text that an interpreter is given on the command line or on its standard input.
    pub inline_code: Option<InlineCode>,
    /// Bytes of this simple command in the input, prefix assignments and redirections included, bodies excluded.
    pub span: Range<usize>,
    /// 0 for the first of its pipeline.
    pub pipe_position: usize,
    /// Which pipeline of the command line this is.
    pub pipeline: usize,
    /// How it follows the segment before it.
    pub connector: Connector,
    /// Whether its list was sent to the background with `&`.
    pub background: bool,
    /// Number of compounds, substitutions and nested command lines around it.
    pub depth: usize,
    /// The innermost of these that matters to whether and where it runs.
    pub context: Context,
    /// The segment in whose words, here-document or command string this one stands.
    pub parent: Option<usize>,
    /// True for a carrier (`bash -c`, `eval`, `find -exec`, `tmux send-keys`, `bash <<EOF`) whose own commands
    /// follow as segments of context `Nested`: these are what was run.
    pub seen_through: bool,
}

/// One word of a command.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Word {
    /// The word without its quotes; what the shell would expand stands as it was typed.
    pub text: String,
    /// Its bytes in the input, quotes included.
    pub span: Range<usize>,
    /// Whether any part was quoted or escaped.
    pub quoted: bool,
    /// Whether the shell would change it: a variable, a substitution, a glob, braces.
    pub expands: bool,
}

/// A program that starts another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrapper {
    /// Which wrapper.
    pub kind: WrapperKind,
    /// The limit of `timeout`.
    pub seconds: Option<f64>,
    /// What it was told to use: the container of `docker exec`, the lock file of `flock`.
    pub operand: Option<String>,
}

/// The wrappers that are seen through (definitions.md §3), and their near relatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each variant is the program of that name")]
pub enum WrapperKind {
    Builtin,
    BundleExec,
    Chroot,
    Chrt,
    CommandBuiltin,
    CondaRun,
    Coverage,
    DockerExec,
    Env,
    Eval,
    Exec,
    FindExec,
    Flock,
    HatchRun,
    Ionice,
    Nice,
    Nohup,
    NpmExec,
    Npx,
    PdmRun,
    PipenvRun,
    PixiRun,
    PoetryRun,
    RyeRun,
    Script,
    Setsid,
    Shell,
    Stdbuf,
    Su,
    Sudo,
    Taskset,
    Time,
    Timeout,
    TmuxSendKeys,
    ToolProgram,
    Unbuffer,
    UvRun,
    Watch,
    Xargs,
    XvfbRun,
}

/// One redirection.
#[derive(Clone, Debug, PartialEq)]
pub struct Redirection {
    /// Which operator.
    pub operator: RedirectionOperator,
    /// The file descriptor where one was written.
    pub fd: Option<u32>,
    /// The file, the descriptor, the string of `<<<` or the tag of `<<`.
    pub target: Word,
}

/// The redirection operators of bash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectionOperator {
    /// `>` and `>|`
    Write,
    /// `>>`
    Append,
    /// `<`
    Read,
    /// `<>`
    ReadWrite,
    /// `<<` and `<<-`
    Heredoc,
    /// `<<<`
    HereString,
    /// `>&` with a descriptor
    DuplicateOutput,
    /// `<&`
    DuplicateInput,
    /// `&>`, and `>&` with a file
    WriteBoth,
    /// `&>>`
    AppendBoth,
}

/// The body of a here-document.
#[derive(Clone, Debug, PartialEq)]
pub struct Heredoc {
    /// The word that ends it.
    pub tag: String,
    /// Whether the tag was quoted, so that nothing in the body is expanded.
    pub quoted: bool,
    /// The body as the command reads it, apart from expansions (tabs of `<<-` taken away).
    pub body: String,
    /// Bytes of the body in the input, the end line excluded.
    pub span: Range<usize>,
    /// Whether its end was found.
    pub closed: bool,
}

/// Program text inside a command line.
#[derive(Clone, Debug, PartialEq)]
pub struct InlineCode {
    /// The language of the interpreter.
    pub language: Language,
    /// The code, without the shell's quotes.
    pub text: String,
    /// Its bytes in the input, quotes included.
    pub span: Range<usize>,
    /// How the interpreter gets it.
    pub source: CodeSource,
}

/// How an interpreter gets its inline code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeSource {
    /// `-c`, `-e`, `-r`
    Option,
    /// `<<EOF`
    Heredoc,
    /// `<<<`
    HereString,
    /// `echo … |`, `cat <<EOF |`
    Pipe,
}

/// Languages whose code is found inside command lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each variant is the language of that name")]
pub enum Language {
    JavaScript,
    Julia,
    Lua,
    Perl,
    Php,
    Python,
    R,
    Ruby,
}

/// How a segment follows the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Connector {
    /// Nothing stands before it in its list.
    #[default]
    Start,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `;`, a newline, or a keyword such as `then`
    Sequence,
    /// `|` or `|&`
    Pipe,
    /// The one before was sent to the background with `&`.
    Background,
}

/// The innermost construct around a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Context {
    /// None; braces alone count as none.
    #[default]
    TopLevel,
    /// `( … )`
    Subshell,
    /// `$( … )` or backticks
    CommandSubstitution,
    /// `<( … )` or `>( … )`
    ProcessSubstitution,
    /// Between `do` and `done`.
    LoopBody,
    /// Between `if`, `elif`, `while`, `until` and its `then` or `do`.
    Condition,
    /// After `then` or `else`, or in an arm of `case`: it may not have run.
    Branch,
    /// The body of a function, which runs only where it is called.
    FunctionBody,
    /// A command line that another command runs: `bash -c`, `eval`, `xargs`, `find -exec`, `bash <<EOF`, keystrokes.
    Nested,
}

impl Command {
    /// The programs in order, bare assignments and redirections left out.
    pub fn programs(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().map(|segment| segment.program.as_str()).filter(|program| !program.is_empty())
    }

    /// The segment whose output the given one reads through a pipe.
    pub fn feeder(&self, index: usize) -> Option<&Segment> {
        let reader = self.segments.get(index)?;
        let position = reader.pipe_position.checked_sub(1)?;
        self.segments[..index]
            .iter()
            .rev()
            .find(|segment| segment.pipeline == reader.pipeline && segment.pipe_position == position)
    }
}

impl Segment {
    /// The program that counts: the module of `python -m MODULE`, else the program.
    pub fn effective_program(&self) -> &str {
        self.module.as_deref().unwrap_or(&self.program)
    }

    /// The bytes of this command in the text that was parsed.
    pub fn inner_text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.span.clone()).unwrap_or("")
    }

    /// Whether it only sets variables.
    pub fn is_assignment_only(&self) -> bool {
        self.program.is_empty() && !self.assignments.is_empty()
    }

    /// Whether it was started through this wrapper.
    pub fn is_wrapped_by(&self, kind: WrapperKind) -> bool {
        self.wrappers.iter().any(|wrapper| wrapper.kind == kind)
    }

    /// The shortest `timeout` around it.
    pub fn timeout_seconds(&self) -> Option<f64> {
        self.wrappers.iter().filter_map(|wrapper| wrapper.seconds).reduce(f64::min)
    }

    /// Whether one of its arguments is exactly this text.
    pub fn has_argument(&self, text: &str) -> bool {
        self.arguments.iter().any(|word| word.text == text)
    }

    /// The files that its redirections write, with whether they are appended to.
    pub fn written_files(&self) -> impl Iterator<Item = (&Word, bool)> {
        self.redirections
            .iter()
            .filter(|redirection| redirection.writes_file())
            .map(|redirection| (&redirection.target, redirection.operator.appends()))
    }
}

impl Redirection {
    /// Whether it writes a file that stays: no descriptor and no device.
    pub fn writes_file(&self) -> bool {
        use RedirectionOperator::{Append, AppendBoth, ReadWrite, Write, WriteBoth};
        let writes = matches!(self.operator, Write | Append | WriteBoth | AppendBoth | ReadWrite);
        let target = self.target.text.as_str();
        let is_process = target.starts_with(">(") || target.starts_with("<(");
        writes && !target.is_empty() && !is_process && !target.starts_with("/dev/")
    }

    /// Whether it acts on standard error alone.
    pub fn is_standard_error(&self) -> bool {
        self.fd == Some(2)
    }
}

impl RedirectionOperator {
    /// Whether what was in the file stays.
    pub fn appends(self) -> bool {
        matches!(self, RedirectionOperator::Append | RedirectionOperator::AppendBoth)
    }
}

impl Language {
    /// The language of an interpreter's name: `python3.11`, `node`, `perl` …
    pub fn of_program(name: &str) -> Option<Language> {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
        match stem {
            "python" | "pypy" | "ipython" => Some(Language::Python),
            "node" | "nodejs" | "bun" | "deno" => Some(Language::JavaScript),
            "perl" => Some(Language::Perl),
            "ruby" => Some(Language::Ruby),
            "php" => Some(Language::Php),
            "R" | "Rscript" => Some(Language::R),
            "lua" | "luajit" => Some(Language::Lua),
            "julia" => Some(Language::Julia),
            _ => None,
        }
    }

    /// Its name in print.
    pub fn as_str(self) -> &'static str {
        match self {
            Language::JavaScript => "javascript",
            Language::Julia => "julia",
            Language::Lua => "lua",
            Language::Perl => "perl",
            Language::Php => "php",
            Language::Python => "python",
            Language::R => "r",
            Language::Ruby => "ruby",
        }
    }
}

impl WrapperKind {
    /// The name of its program.
    pub fn program(self) -> &'static str {
        match self {
            WrapperKind::Builtin => "builtin",
            WrapperKind::BundleExec => "bundle",
            WrapperKind::Chroot => "chroot",
            WrapperKind::Chrt => "chrt",
            WrapperKind::CommandBuiltin => "command",
            WrapperKind::CondaRun => "conda",
            WrapperKind::Coverage => "coverage",
            WrapperKind::DockerExec => "docker",
            WrapperKind::Env => "env",
            WrapperKind::Eval => "eval",
            WrapperKind::Exec => "exec",
            WrapperKind::FindExec => "find",
            WrapperKind::Flock => "flock",
            WrapperKind::HatchRun => "hatch",
            WrapperKind::Ionice => "ionice",
            WrapperKind::Nice => "nice",
            WrapperKind::Nohup => "nohup",
            WrapperKind::NpmExec => "npm",
            WrapperKind::Npx => "npx",
            WrapperKind::PdmRun => "pdm",
            WrapperKind::PipenvRun => "pipenv",
            WrapperKind::PixiRun => "pixi",
            WrapperKind::PoetryRun => "poetry",
            WrapperKind::RyeRun => "rye",
            WrapperKind::Script => "script",
            WrapperKind::Setsid => "setsid",
            WrapperKind::Shell => "bash",
            WrapperKind::Stdbuf => "stdbuf",
            WrapperKind::Su => "su",
            WrapperKind::Sudo => "sudo",
            WrapperKind::Taskset => "taskset",
            WrapperKind::Time => "time",
            WrapperKind::Timeout => "timeout",
            WrapperKind::TmuxSendKeys => "tmux",
            WrapperKind::ToolProgram => "node",
            WrapperKind::Unbuffer => "unbuffer",
            WrapperKind::UvRun => "uv",
            WrapperKind::Watch => "watch",
            WrapperKind::Xargs => "xargs",
            WrapperKind::XvfbRun => "xvfb-run",
        }
    }
}
