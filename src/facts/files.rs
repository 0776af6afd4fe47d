//! Files of one trajectory: what is known of each while its turns are read in order.
//!
//! Owns   what was made, edited, deleted, moved and read here, and the text of the scripts and patches written here,
//!        so that running them later can be understood.
//! Never  looks at a disk: a file that was never named is not known.

use std::collections::{BTreeMap, BTreeSet};

use super::inline::{self, CodeFacts};
use super::paths::{glob_fits, is_glob, is_within, stem_and_extension};
use crate::shell::Language;

/// One file.
#[derive(Clone, Debug, Default)]
pub(super) struct File {
    /// This trajectory made it.
    pub created_here: bool,
    /// It is there now, as far as is known.
    pub exists: bool,
    /// It was effectively edited here, by whatever role.
    pub edited: bool,
    /// It was deleted here after it was made here.
    pub deleted_here: bool,
    /// Its text, where it is a script or a patch that was written here whole.
    pub text: Option<String>,
    /// What that text does, where it was run before.
    code: Option<(Language, CodeFacts)>,
    /// Indices of its edits in `Facts::edits`.
    pub edits: Vec<usize>,
}

/// All files that were named.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    by_path: BTreeMap<String, File>,
    /// Folders that were made here.
    folders: BTreeSet<String>,
    /// Paths in the order in which they were made.
    pub created: Vec<String>,
}

impl Files {
    /// A file that was named before.
    pub fn get(&self, path: &str) -> Option<&File> {
        self.by_path.get(path)
    }

    /// A file, known from now on.
    pub fn entry(&mut self, path: &str) -> &mut File {
        if !self.by_path.contains_key(path) {
            self.by_path.insert(path.to_owned(), File::default());
        }
        self.by_path.get_mut(path).expect("it was put in above")
    }

    /// Whether a file is known to be there.
    pub fn exists(&self, path: &str) -> bool {
        self.get(path).is_some_and(|file| file.exists)
    }

    /// Whether this trajectory made a file, or a folder above it.
    pub fn created_here(&self, path: &str) -> bool {
        self.get(path).is_some_and(|file| file.created_here) || self.in_own_folder(path)
    }

    /// Whether a path is a folder that was made here, or lies in one.
    pub fn in_own_folder(&self, path: &str) -> bool {
        !self.folders.is_empty()
            && (self.folders.contains(path)
                || path.match_indices('/').any(|(slash, _)| self.folders.contains(&path[..slash])))
    }

    /// A folder was made here, unless something is known to lie in it.
    pub fn folder_made(&mut self, path: &str) {
        if self.paths_in(path).next().is_none() {
            self.folders.insert(path.to_owned());
        }
    }

    /// Whether a file was effectively edited before.
    pub fn edited(&self, path: &str) -> bool {
        self.get(path).is_some_and(|file| file.edited && file.exists)
    }

    /// Something showed the file: it is there.
    pub fn seen(&mut self, path: &str) {
        self.entry(path).exists = true;
    }

    /// The file was made here.
    pub fn made(&mut self, path: &str) {
        let file = self.entry(path);
        let first = !file.exists && !file.created_here;
        file.exists = true;
        file.deleted_here = false;
        if first {
            file.created_here = true;
            self.created.push(path.to_owned());
        }
    }

    /// The file, or everything in the folder, is gone.
    pub fn gone(&mut self, path: &str) {
        let inside: Vec<String> = self.paths_in(path).map(str::to_owned).collect();
        for path in inside.iter().map(String::as_str).chain([path]) {
            let file = self.entry(path);
            file.exists = false;
            file.deleted_here |= file.created_here;
            file.text = None;
        }
    }

    /// Known paths that a shell would put in place of a pattern; the text itself where it is none or nothing fits.
    pub fn expand(&self, text: &str) -> Vec<String> {
        if !is_glob(text) {
            return vec![text.to_owned()];
        }
        let known = self.by_path.iter().filter(|(path, file)| file.exists && glob_fits(text, path));
        let fits: Vec<String> = known.map(|(path, _)| path.clone()).collect();
        if fits.is_empty() { vec![text.to_owned()] } else { fits }
    }

    /// Known files in a folder.
    pub fn paths_in<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a str> {
        self.by_path.keys().map(String::as_str).filter(move |path| *path != folder && is_within(path, folder))
    }

    /// Whether a file that was named is a module of Python, or lies in one, by its name; installed packages are none.
    pub fn holds_module(&self, module: &str) -> bool {
        let is_module = |part: &str| {
            part.strip_prefix(module)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(".py") || rest.ends_with(".so"))
        };
        self.by_path
            .keys()
            .filter(|path| !path.contains("site-packages") && !path.contains("dist-packages"))
            .any(|path| path.split('/').any(is_module))
    }

    /// Files of the repository that were here before and are edited now.
    pub fn edited_originals(&self) -> Vec<String> {
        let edited = self
            .by_path
            .iter()
            .filter(|(path, file)| file.edited && !file.created_here && !path.starts_with(['/', '~']));
        edited.map(|(path, _)| path.clone()).collect()
    }

    /// Keeps the text of a file that may be run or applied later.
    pub fn keep_text(&mut self, path: &str, text: &str) {
        const KEPT: usize = 200_000;
        let file = self.entry(path);
        file.text = (is_kept(path) && text.len() <= KEPT).then(|| text.to_owned());
        file.code = None;
    }

    /// What the text of a script does; read once, however often it is run.
    pub fn code(&mut self, path: &str, language: Language) -> Option<CodeFacts> {
        let file = self.by_path.get_mut(path)?;
        let text = file.text.as_deref()?;
        match &file.code {
            Some((read_as, code)) if *read_as == language => Some(code.clone()),
            _ => {
                let code = inline::read(text, language);
                file.code = Some((language, code.clone()));
                Some(code)
            }
        }
    }
}

/// Whether a file's text may matter later: scripts and patches.
fn is_kept(path: &str) -> bool {
    const EXTENSIONS: [&str; 18] = [
        "py", "sh", "bash", "js", "mjs", "cjs", "ts", "rb", "pl", "php", "java", "patch", "diff", "go",
        "lua", "R", "jl", "kts",
    ];
    let extension = stem_and_extension(path).1;
    extension.is_empty() || EXTENSIONS.contains(&extension)
}
