//! The project that a task is about: its repository, and what counts as importing or running it.

use crate::model::Trajectory;

/// Modules of Python's standard library that agents import.
const STANDARD: &[&str] = &[
    "__future__",
    "abc",
    "argparse",
    "array",
    "ast",
    "asyncio",
    "atexit",
    "base64",
    "binascii",
    "bisect",
    "builtins",
    "bz2",
    "calendar",
    "cmath",
    "cmd",
    "code",
    "codecs",
    "collections",
    "colorsys",
    "concurrent",
    "configparser",
    "contextlib",
    "contextvars",
    "copy",
    "copyreg",
    "csv",
    "ctypes",
    "curses",
    "dataclasses",
    "datetime",
    "dbm",
    "decimal",
    "difflib",
    "dis",
    "distutils",
    "doctest",
    "email",
    "enum",
    "errno",
    "faulthandler",
    "fcntl",
    "filecmp",
    "fileinput",
    "fnmatch",
    "fractions",
    "ftplib",
    "functools",
    "gc",
    "getopt",
    "getpass",
    "gettext",
    "glob",
    "graphlib",
    "grp",
    "gzip",
    "hashlib",
    "heapq",
    "hmac",
    "html",
    "http",
    "imaplib",
    "imp",
    "importlib",
    "inspect",
    "io",
    "ipaddress",
    "itertools",
    "json",
    "keyword",
    "linecache",
    "locale",
    "logging",
    "lzma",
    "marshal",
    "math",
    "mimetypes",
    "mmap",
    "multiprocessing",
    "numbers",
    "operator",
    "os",
    "pathlib",
    "pdb",
    "pickle",
    "pickletools",
    "pkgutil",
    "platform",
    "plistlib",
    "posixpath",
    "pprint",
    "profile",
    "pstats",
    "pty",
    "pwd",
    "py_compile",
    "pyclbr",
    "pydoc",
    "queue",
    "quopri",
    "random",
    "re",
    "readline",
    "reprlib",
    "resource",
    "runpy",
    "sched",
    "secrets",
    "select",
    "selectors",
    "shelve",
    "shlex",
    "shutil",
    "signal",
    "site",
    "smtplib",
    "socket",
    "socketserver",
    "sqlite3",
    "sre_compile",
    "sre_constants",
    "sre_parse",
    "ssl",
    "stat",
    "statistics",
    "string",
    "stringprep",
    "struct",
    "subprocess",
    "symtable",
    "sys",
    "sysconfig",
    "tarfile",
    "tempfile",
    "textwrap",
    "threading",
    "time",
    "timeit",
    "tkinter",
    "token",
    "tokenize",
    "trace",
    "traceback",
    "tracemalloc",
    "tty",
    "types",
    "typing",
    "unicodedata",
    "unittest",
    "urllib",
    "uuid",
    "venv",
    "warnings",
    "wave",
    "weakref",
    "webbrowser",
    "winreg",
    "xml",
    "xmlrpc",
    "zipapp",
    "zipfile",
    "zipimport",
    "zlib",
    "zoneinfo",
];

/// Tools and libraries that a script may use without being about them, unless the repository bears the name.
const TOOLS: &[&str] = &[
    "PIL",
    "attr",
    "bs4",
    "chardet",
    "click",
    "colorama",
    "cv2",
    "dateutil",
    "dotenv",
    "httpx",
    "jinja2",
    "lxml",
    "matplotlib",
    "mock",
    "nose",
    "numpy",
    "packaging",
    "pandas",
    "pip",
    "pkg_resources",
    "psutil",
    "pyarrow",
    "pytest",
    "pytz",
    "requests",
    "scipy",
    "setuptools",
    "six",
    "tabulate",
    "toml",
    "torch",
    "tqdm",
    "typing_extensions",
    "wheel",
    "yaml",
];

/// The project of a trajectory.
#[derive(Clone, Debug, Default)]
pub(super) struct Project {
    /// `owner/name`.
    pub repository: Option<String>,
    /// Names by which its package may go, lower case, without `-` and `_`.
    packages: Vec<String>,
}

impl Project {
    /// What the task's instance, the log's id or the root of the repository tell.
    pub fn of(trajectory: &Trajectory, repository: Option<&str>, root: Option<&str>) -> Project {
        let from_id = trajectory.instance_id.as_deref().and_then(repository_of);
        let from_root = root.map(super::paths::name).and_then(owner_and_name);
        let repository = repository.map(str::to_owned).or(from_id).or(from_root);
        let name = repository.as_deref().and_then(|repository| repository.rsplit('/').next());
        let mut packages: Vec<String> = name.map(folded).into_iter().collect();
        if let Some(other) = name.and_then(alias) {
            packages.push(other.to_owned());
        }
        Project { repository, packages }
    }

    /// Whether importing this module is importing the project, or something that is there for it alone.
    pub fn is_module(&self, module: &str) -> bool {
        if self.packages.iter().any(|package| *package == folded(module)) {
            return true;
        }
        STANDARD.binary_search(&module).is_err() && TOOLS.binary_search(&module).is_err()
    }

    /// Whether an address names the project's repository.
    pub fn is_named_in(&self, address: &str) -> bool {
        let Some(repository) = self.repository.as_deref() else { return false };
        let (address, repository) = (address.to_ascii_lowercase(), repository.to_ascii_lowercase());
        address.match_indices(&repository).any(|(at, _)| {
            let after = address[at + repository.len()..].chars().next();
            !after.is_some_and(|c| c.is_alphanumeric() || c == '-' || c == '_')
        })
    }

    /// Whether a program is the project's own command: `sphinx-build` of sphinx, `flask` of flask.
    pub fn is_program(&self, program: &str) -> bool {
        let program = folded(program);
        self.packages.iter().any(|package| {
            !package.is_empty()
                && (program == *package || package.len() > 3 && program.starts_with(package.as_str()))
        })
    }
}

/// The repository that an instance id names: `owner__name-N` → `owner/name`.
pub fn repository_of(id: &str) -> Option<String> {
    let id = id.strip_prefix("instance_").unwrap_or(id);
    let (stem, number) = id.rsplit_once('-')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_alphanumeric());
    owner_and_name(if is_number { stem } else { id })
}

fn owner_and_name(text: &str) -> Option<String> {
    let (owner, name) = text.split_once("__")?;
    (!owner.is_empty() && !name.is_empty()).then(|| format!("{owner}/{name}"))
}

fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_ascii_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
}

/// Packages whose name is not their repository's.
fn alias(name: &str) -> Option<&'static str> {
    Some(match name {
        "scikit-learn" => "sklearn",
        "scikit-image" => "skimage",
        "pillow" | "Pillow" => "pil",
        "beautifulsoup4" => "bs4",
        "pyyaml" => "yaml",
        "python-dateutil" => "dateutil",
        "opencv-python" => "cv2",
        "attrs" => "attr",
        _ => return None,
    })
}
