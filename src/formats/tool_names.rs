//! Names of structured tools of all scaffolds, and what each does (`definitions.md` §3).
//!
//! Never here: what a call of one is given.

/// What tools of a name do, whatever the scaffold; names are compared in lower case without `_`, `-` and blanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Runs a line of shell.
    Shell,
    /// Runs code of Python.
    Python,
    /// JavaScript whose functions are the scaffold's tools.
    Program,
    /// An editor whose `command` says what is done.
    Editor,
    /// Shows a file.
    View,
    /// Lists a folder.
    List,
    /// Searches names or text.
    Search,
    /// Writes a whole file.
    Create,
    /// Replaces text.
    Replace,
    /// Inserts text.
    Insert,
    /// Deletes a file.
    Delete,
    /// Takes back an edit.
    Undo,
    /// Searches or fetches beyond this machine.
    Web,
    /// Thinks, or keeps a list of things to do.
    Plan,
    /// Starts a sub-agent.
    Delegate,
    /// Hands in.
    Submit,
    /// Leaves without handing in.
    Exit,
    /// Does nothing that is counted.
    Neutral,
    /// Applies a patch in the form of Codex.
    Patch,
}

/// Names, sorted.
const TOOLS: &[(&str, Tool)] = &[
    ("agent", Tool::Delegate),
    ("agentoutputtool", Tool::Neutral),
    ("agentthink", Tool::Plan),
    ("applydiff", Tool::Replace),
    ("applypatch", Tool::Patch),
    ("askfollowupquestion", Tool::Neutral),
    ("askuserquestion", Tool::Neutral),
    ("attemptcompletion", Tool::Submit),
    ("bash", Tool::Shell),
    ("bashcommand", Tool::Shell),
    ("bashoutput", Tool::Neutral),
    ("bashsession", Tool::Shell),
    ("browse", Tool::Web),
    ("browseinteractive", Tool::Web),
    ("browser", Tool::Web),
    ("browseraction", Tool::Web),
    ("browserclick", Tool::Web),
    ("browserclosetab", Tool::Web),
    ("browsergetcontent", Tool::Web),
    ("browsergetstate", Tool::Web),
    ("browsergoback", Tool::Web),
    ("browserlisttabs", Tool::Web),
    ("browsernavigate", Tool::Web),
    ("browserscroll", Tool::Web),
    ("browserswitchtab", Tool::Web),
    ("browsertype", Tool::Web),
    ("closeagent", Tool::Neutral),
    ("codebasesearch", Tool::Search),
    ("codeinterpreter", Tool::Python),
    ("commandexecution", Tool::Shell),
    ("computer", Tool::Neutral),
    ("create", Tool::Create),
    ("createfile", Tool::Create),
    ("delegate", Tool::Delegate),
    ("delegatetoagent", Tool::Delegate),
    ("deletefile", Tool::Delete),
    ("edit", Tool::Replace),
    ("editfile", Tool::Replace),
    ("editnotebook", Tool::Replace),
    ("enterplanmode", Tool::Plan),
    ("enterworktree", Tool::Neutral),
    ("exagetcodecontext", Tool::Web),
    ("exagetcontent", Tool::Web),
    ("exasearchurls", Tool::Web),
    ("exec", Tool::Shell),
    ("execcommand", Tool::Shell),
    ("execute", Tool::Shell),
    ("executebash", Tool::Shell),
    ("executecode", Tool::Python),
    ("executecommand", Tool::Shell),
    ("executeipythoncell", Tool::Python),
    ("executeprogram", Tool::Program),
    ("executepython", Tool::Python),
    ("executepythoncode", Tool::Python),
    ("executetask", Tool::Delegate),
    ("exitforfeit", Tool::Exit),
    ("exitplanmode", Tool::Plan),
    ("fetch", Tool::Web),
    ("fileeditor", Tool::Editor),
    ("filesearch", Tool::Search),
    ("finalanswer", Tool::Submit),
    ("finaloutput", Tool::Neutral),
    ("findfile", Tool::Search),
    ("finish", Tool::Submit),
    ("getdocument", Tool::Web),
    ("glob", Tool::Search),
    ("globfiles", Tool::Search),
    ("googlewebsearch", Tool::Web),
    ("grep", Tool::Search),
    ("grepfiles", Tool::Search),
    ("grepsearch", Tool::Search),
    ("image", Tool::View),
    ("insert", Tool::Insert),
    ("insertcontent", Tool::Insert),
    ("inserteditintofile", Tool::Replace),
    ("ipython", Tool::Python),
    ("jupyter", Tool::Python),
    ("killbash", Tool::Neutral),
    ("killshell", Tool::Neutral),
    ("list", Tool::List),
    ("listbash", Tool::Neutral),
    ("listcodedefinitionnames", Tool::Search),
    ("listcodeusages", Tool::Search),
    ("listdir", Tool::List),
    ("listdirectory", Tool::List),
    ("listfiles", Tool::List),
    ("listmcpresourcestool", Tool::Neutral),
    ("localshell", Tool::Shell),
    ("localshellcall", Tool::Shell),
    ("ls", Tool::List),
    ("lsp", Tool::Search),
    ("managetodolist", Tool::Plan),
    ("marktaskcomplete", Tool::Submit),
    ("monitor", Tool::Neutral),
    ("multiedit", Tool::Replace),
    ("multireplacestringinfile", Tool::Replace),
    ("newtask", Tool::Delegate),
    ("notebookedit", Tool::Replace),
    ("notebookread", Tool::View),
    ("open", Tool::View),
    ("parallelanalyze", Tool::Delegate),
    ("patch", Tool::Patch),
    ("planmoderespond", Tool::Plan),
    ("planningfileeditor", Tool::Editor),
    ("planningtool", Tool::Plan),
    ("process", Tool::Neutral),
    ("python", Tool::Python),
    ("pythoninterpreter", Tool::Python),
    ("read", Tool::View),
    ("readbash", Tool::Neutral),
    ("readcode", Tool::View),
    ("readfile", Tool::View),
    ("readmanyfiles", Tool::View),
    ("readmcpresourcetool", Tool::Neutral),
    ("reject", Tool::Exit),
    ("replace", Tool::Replace),
    ("replaceinfile", Tool::Replace),
    ("replacestringinfile", Tool::Replace),
    ("reportintent", Tool::Plan),
    ("requestcondensation", Tool::Neutral),
    ("requestuserinput", Tool::Neutral),
    ("returnresult", Tool::Submit),
    ("rg", Tool::Search),
    ("run", Tool::Shell),
    ("runcommand", Tool::Shell),
    ("runinterminal", Tool::Shell),
    ("runipython", Tool::Python),
    ("runpython", Tool::Python),
    ("runshellcommand", Tool::Shell),
    ("runterminalcmd", Tool::Shell),
    ("search", Tool::Search),
    ("searchandreplace", Tool::Replace),
    ("searchfilecontent", Tool::Search),
    ("searchfiles", Tool::Search),
    ("searchproject", Tool::Search),
    ("searchreplace", Tool::Replace),
    ("semanticsearch", Tool::Search),
    ("sendinput", Tool::Neutral),
    ("sendmessage", Tool::Neutral),
    ("sequentialrecurse", Tool::Delegate),
    ("sequentialthinking", Tool::Plan),
    ("shell", Tool::Shell),
    ("shellcommand", Tool::Shell),
    ("skill", Tool::Neutral),
    ("slashcommand", Tool::Neutral),
    ("spawnagent", Tool::Delegate),
    ("statefulpythoncodeexec", Tool::Python),
    ("stopbash", Tool::Neutral),
    ("strreplace", Tool::Replace),
    ("strreplacebasededittool", Tool::Editor),
    ("strreplaceeditor", Tool::Editor),
    ("structuredoutput", Tool::Neutral),
    ("subagent", Tool::Delegate),
    ("submit", Tool::Submit),
    ("switchmode", Tool::Neutral),
    ("task", Tool::Delegate),
    ("taskcomplete", Tool::Submit),
    ("taskcreate", Tool::Plan),
    ("taskdone", Tool::Submit),
    ("taskget", Tool::Plan),
    ("tasklist", Tool::Plan),
    ("taskoutput", Tool::Neutral),
    ("taskstop", Tool::Neutral),
    ("tasktracker", Tool::Plan),
    ("taskupdate", Tool::Plan),
    ("terminal", Tool::Shell),
    ("texteditor", Tool::Editor),
    ("think", Tool::Plan),
    ("todo", Tool::Plan),
    ("todoread", Tool::Plan),
    ("todowrite", Tool::Plan),
    ("toolsearch", Tool::Neutral),
    ("tree", Tool::List),
    ("undoedit", Tool::Undo),
    ("updateplan", Tool::Plan),
    ("updatetodo", Tool::Plan),
    ("updatetodolist", Tool::Plan),
    ("view", Tool::View),
    ("viewimage", Tool::View),
    ("wait", Tool::Neutral),
    ("waitagent", Tool::Neutral),
    ("webbrowserback", Tool::Neutral),
    ("webbrowserclick", Tool::Web),
    ("webbrowserforward", Tool::Neutral),
    ("webbrowsergo", Tool::Web),
    ("webbrowserrefresh", Tool::Neutral),
    ("webbrowserscroll", Tool::Neutral),
    ("webbrowsertype", Tool::Neutral),
    ("webbrowsertypesubmit", Tool::Web),
    ("webfetch", Tool::Web),
    ("websearch", Tool::Web),
    ("websearchcall", Tool::Web),
    ("write", Tool::Create),
    ("writebash", Tool::Neutral),
    ("writefile", Tool::Create),
    ("writestdin", Tool::Neutral),
    ("writetodos", Tool::Plan),
    ("writetofile", Tool::Create),
];

/// Spaces of names whose tools are of one kind, whatever their own names say: `browser.open` opens no file.
const SPACES: &[(&str, Tool)] = &[("browser", Tool::Web)];

/// What a tool does; `None` for one that is not known. Names may stand in a space of names (`functions.bash`,
/// `mcp__files__read_file`), and bear the number of the call (`functions.bash:0`).
pub fn tool(name: &str) -> Option<Tool> {
    let name = match name.rsplit_once(':') {
        Some((name, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            name
        }
        _ => name,
    };
    if let Some((space, _)) = name.split_once('.')
        && let Some((_, tool)) = SPACES.iter().find(|(known, _)| *known == space)
    {
        return Some(*tool);
    }
    let bare = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
    let bare = bare.rsplit("__").next().unwrap_or(bare);
    let key: String = bare
        .chars()
        .filter(|character| !matches!(character, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
        .collect();
    TOOLS.binary_search_by_key(&key.as_str(), |(known, _)| known).ok().map(|place| TOOLS[place].1)
}

#[cfg(test)]
mod tests {
    use super::{TOOLS, Tool, tool};

    #[test]
    fn names_are_sorted() {
        assert!(TOOLS.is_sorted_by(|(first, _), (second, _)| first < second));
    }

    #[test]
    fn names_are_found_in_their_spaces() {
        for (name, known) in [
            ("functions.bash:0", Some(Tool::Shell)),
            ("mcp__files__read_file", Some(Tool::View)),
            ("developer__text_editor", Some(Tool::Editor)),
            ("container.exec", Some(Tool::Shell)),
            ("browser.open", Some(Tool::Web)),
            ("browser.search", Some(Tool::Web)),
            ("open", Some(Tool::View)),
            ("get_reservation_details", None),
            ("", None),
            (":7", None),
        ] {
            assert_eq!(tool(name), known, "{name}");
        }
    }
}
