//! What a file's name tells: the instance, where the log does not say it, and whether a log was to be expected.

use super::Head;
use crate::model::{InstanceSource, Problem, Weight};

/// Endings of compressed files, which say nothing of what is in them.
const COMPRESSED: [&str; 2] = [".gz", ".zst"];
/// Endings by which formats name their files after the instance (`definitions.md` §1).
const NAMED_AFTER_INSTANCE: [&str; 3] = [".traj.json", ".traj", ".pred"];
/// Endings that are no part of a stem.
const PLAIN: [&str; 3] = [".jsonl", ".json", ".txt"];

/// The instance that a file's name tells, where the log does not: the stem of `.traj`, `.traj.json` and `.pred` files, which
/// the formats name after it; else the stem stands in.
pub fn instance_of(path: &str) -> Option<(String, InstanceSource)> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = COMPRESSED.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let (stem, source) = match NAMED_AFTER_INSTANCE.iter().find_map(|end| name.strip_suffix(end)) {
        Some(stem) => (stem, InstanceSource::Path),
        None => (PLAIN.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name), InstanceSource::File),
    };
    (!stem.is_empty()).then(|| (stem.to_owned(), source))
}

/// Why a file that is named as a log is none; `None` for a file that is not so named: nobody expected a log in it. To be
/// asked for files that no format claims.
pub fn refusal(path: &str, bytes: &[u8]) -> Option<Problem> {
    if is_pickle(path, bytes) {
        return Some(Problem::new(Weight::Refused, "", PICKLE));
    }
    if is_wide(bytes) {
        let what = "UTF-16, as PowerShell writes what a program prints: save it as UTF-8 (`iconv -f UTF-16 -t UTF-8`)";
        return Some(Problem::new(Weight::Refused, "", what));
    }
    let (_, source) = instance_of(path)?;
    if source != InstanceSource::Path
        || path.trim_end_matches(".gz").trim_end_matches(".zst").ends_with(".pred")
    {
        return None;
    }
    let what = if bytes.iter().all(u8::is_ascii_whitespace) {
        "the file is empty"
    } else {
        match Head::of(bytes) {
            None => "no log: this is no JSON but plain text; is it the console log of a run?",
            Some(_) => "no format claims it: JSON, but with none of the keys of a log",
        }
    };
    Some(Problem::new(Weight::Refused, "", what))
}

/// What to do with a dump of slime or Miles: opening a pickle runs what is in it, so that its owner does it.
const PICKLE: &str = "a PyTorch file (pickle), which runs code when it is opened: never read here. For a dump of slime or \
                      Miles that you trust, export its samples with two lines of Python, with the file's name for 0.pt:\n\
                      import json, torch; dump = torch.load(\"0.pt\", map_location=\"cpu\", weights_only=False)\n\
                      open(\"0.jsonl\", \"w\").writelines(json.dumps({\"train_step\": dump[\"rollout_id\"], **sample}, \
                      default=str) + \"\\n\" for sample in dump[\"samples\"])";

/// JSON in UTF-16, by its mark and its first sign.
fn is_wide(bytes: &[u8]) -> bool {
    let starts: [&[u8]; 4] = [b"\xff\xfe{\0", b"\xff\xfe[\0", b"\xfe\xff\0{", b"\xfe\xff\0["];
    starts.iter().any(|start| bytes.starts_with(start))
}

/// Endings under which PyTorch saves.
const TORCH: [&str; 2] = [".pt", ".pth"];

/// A file that PyTorch saved: a ZIP with a pickle, or a bare one in old versions. The ending alone says nothing.
fn is_pickle(path: &str, bytes: &[u8]) -> bool {
    let start = bytes.get(..512).unwrap_or(bytes);
    let holds_pickle = memchr::memmem::find(start, b"/data.pkl").is_some();
    bytes.starts_with(b"PK\x03\x04") && holds_pickle
        || bytes.starts_with(b"\x80\x02") && TORCH.iter().any(|end| path.ends_with(end))
}
