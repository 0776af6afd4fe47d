//! Folders, links, compressed files and archives, hostile ones among them.

use crate::support::zip::{self, Packed, packed};
use ethogram::model::Weight;
use ethogram::sources::{
    Limits, SourceError, SourceFile, SourceKind, extension, members, read, walk, zip_members,
};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

const SMALL: Limits = Limits { plain: 1 << 20, member: 1000, archive: 20_000, ratio: 500 };

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mtime(1_700_000_000);
        // Written by hand: the builder refuses paths that lead out.
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_cksum();
        builder.append(&header, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

fn file(folder: &Path, name: &str, bytes: &[u8]) -> SourceFile {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    walk(&path).unwrap().files.remove(0)
}

fn listed(root: &Path) -> Vec<String> {
    walk(root).unwrap().files.into_iter().map(|file| file.relative).collect()
}

#[test]
fn all_files_are_listed_in_order_hidden_ones_too() {
    let root = tempfile::tempdir().unwrap();
    for name in ["b/2.traj", "b/10.traj", ".hidden/x.traj", "a.json", "b.json", ".git/objects/aa"] {
        let path = root.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "x").unwrap();
    }
    assert_eq!(listed(root.path()), [".hidden/x.traj", "a.json", "b.json", "b/10.traj", "b/2.traj"]);
    assert!(matches!(walk(&root.path().join("nowhere")), Err(SourceError::Missing { .. })));
    let one = walk(&root.path().join("b/2.traj")).unwrap().files;
    assert_eq!((one.len(), one[0].relative.as_str(), one[0].size), (1, "2.traj", 1));
}

#[test]
#[cfg(unix)]
fn links_are_followed_once_and_named() {
    use std::os::unix::fs::symlink;
    let root = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("far.traj"), "x").unwrap();
    std::fs::create_dir(root.path().join("z")).unwrap();
    std::fs::write(root.path().join("z/log.traj"), "x").unwrap();
    symlink(root.path().join("z"), root.path().join("a")).unwrap();
    symlink("..", root.path().join("z/up")).unwrap();
    symlink("nowhere", root.path().join("z/gone.traj")).unwrap();
    symlink("circle", root.path().join("circle")).unwrap();
    symlink(outside.path(), root.path().join("out")).unwrap();
    symlink(outside.path().join("far.traj"), root.path().join("out2.traj")).unwrap();
    assert_eq!(listed(root.path()), ["out/far.traj", "z/log.traj"]);
    let problems = walk(root.path()).unwrap().problems;
    let named: Vec<_> = problems.iter().map(|problem| (problem.file.as_str(), problem.weight)).collect();
    assert_eq!(
        named,
        [
            ("a", Weight::Note),
            ("circle", Weight::Refused),
            ("out", Weight::Note),
            ("out2.traj", Weight::Note),
            ("z/gone.traj", Weight::Refused),
            ("z/up", Weight::Note),
        ]
    );
}

#[test]
fn kinds_are_told_by_the_name_and_endings_are_counted() {
    for (name, kind) in [
        ("a.traj", SourceKind::Plain),
        ("a.traj.json.gz", SourceKind::Compressed),
        ("a.jsonl.zst", SourceKind::Compressed),
        ("runs.tar.gz", SourceKind::Archive),
        ("runs.tgz", SourceKind::Archive),
        ("runs.TAR.ZST", SourceKind::Archive),
        ("runs.zip", SourceKind::Archive),
        ("2025_task.eval", SourceKind::Plain),
        ("plot.png", SourceKind::Binary),
        ("no_ending", SourceKind::Plain),
    ] {
        assert_eq!(SourceKind::of(name), kind, "{name}");
    }
    assert_eq!(extension("a/b.c/run.log"), ".log");
    assert_eq!(extension("a/Makefile"), "Makefile");
    assert_eq!(extension("a/.env"), ".env");
}

#[test]
fn compressed_pieces_are_one_stream() {
    let folder = tempfile::tempdir().unwrap();
    let gz = file(folder.path(), "a.jsonl.gz", &[gzip(b"one\n"), gzip(b"two\n")].concat());
    assert_eq!(read(&gz, &SMALL).unwrap(), b"one\ntwo\n");
    let frames = [zstd::encode_all(&b"one\n"[..], 1).unwrap(), zstd::encode_all(&b"two\n"[..], 1).unwrap()];
    let zst = file(folder.path(), "a.jsonl.zst", &frames.concat());
    assert_eq!(read(&zst, &SMALL).unwrap(), b"one\ntwo\n");
    let misnamed = file(folder.path(), "plain.json.gz", b"{}");
    assert_eq!(read(&misnamed, &SMALL).unwrap(), b"{}");
}

#[test]
fn a_bomb_is_refused_while_it_unpacks_and_a_cut_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let bomb = file(folder.path(), "bomb.gz", &gzip(&vec![0; 1 << 20]));
    assert!(matches!(read(&bomb, &SMALL), Err(SourceError::TooLarge { limit: 1000, .. })));
    let whole = gzip(b"a text of some length, so that it can be cut");
    let cut = file(folder.path(), "cut.gz", &whole[..whole.len() - 12]);
    let error = read(&cut, &SMALL).unwrap_err();
    assert!(matches!(error, SourceError::Corrupt { .. }), "{error}");
    assert!(error.to_string().contains("cut.gz"), "{error}");
}

fn all(file: &SourceFile, limits: &Limits) -> (Vec<(String, String)>, Vec<String>) {
    let mut found = Vec::new();
    let problems = members(file, limits, |member| {
        found.push((member.path, String::from_utf8(member.bytes).unwrap()));
        ControlFlow::Continue(())
    })
    .unwrap();
    (found, problems.into_iter().map(|problem| format!("{}: {}", problem.place, problem.what)).collect())
}

#[test]
fn archives_give_their_files_in_order_and_refuse_what_leads_out() {
    let folder = tempfile::tempdir().unwrap();
    let packed = gzip(b"inner");
    let big = vec![b'x'; 1001];
    let bytes = tar(&[
        ("./runs/b.traj", b"b"),
        ("runs/a.traj", b"a"),
        ("../evil.traj", b"e"),
        ("/etc/evil.traj", b"e"),
        ("runs/c.traj.gz", &packed),
        ("runs/big.traj", &big),
        ("runs/inner.tar.gz", b"?"),
        ("runs/plot.png", b"?"),
        ("runs/z.traj", b"z"),
    ]);
    for (name, bytes) in [
        ("runs.tar", bytes.clone()),
        ("runs.tar.gz", gzip(&bytes)),
        ("runs.tar.zst", zstd::encode_all(&bytes[..], 1).unwrap()),
    ] {
        let archive = file(folder.path(), name, &bytes);
        assert_eq!(archive.kind, SourceKind::Archive);
        let (found, problems) = all(&archive, &SMALL);
        let want = [
            ("runs/b.traj", "b"),
            ("runs/a.traj", "a"),
            ("runs/c.traj.gz", "inner"),
            ("runs/plot.png", ""),
            ("runs/z.traj", "z"),
        ];
        assert_eq!(found, want.map(|(path, text)| (path.to_owned(), text.to_owned())), "{name}");
        let want = ["../evil.traj", "/etc/evil.traj", "runs/big.traj", "runs/inner.tar.gz"];
        assert_eq!(problems.len(), want.len(), "{problems:?}");
        for (problem, path) in problems.iter().zip(want) {
            assert!(problem.starts_with(&format!("member {path}: ")), "{problem}");
        }
    }
}

#[test]
fn an_archive_that_breaks_off_or_grows_without_end_keeps_what_came_before() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = tar(&[("a.traj", b"a"), ("b.traj", &[b'b'; 900])]);
    let cut = file(folder.path(), "cut.tar", &bytes[..1600]);
    let (found, problems) = all(&cut, &SMALL);
    // What is left of the last one is given too: its reader finds the turns before the cut.
    let sizes: Vec<_> = found.iter().map(|(path, text)| (path.as_str(), text.len())).collect();
    assert_eq!(sizes, [("a.traj", 1), ("b.traj", 64)]);
    assert!(problems[0].contains("breaks off") && problems[0].contains("2 files"), "{problems:?}");
    let many: Vec<(String, Vec<u8>)> = (0..100).map(|n| (format!("{n}.traj"), vec![b'x'; 900])).collect();
    let many: Vec<(&str, &[u8])> =
        many.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    let bomb = file(folder.path(), "bomb.tar.zst", &zstd::encode_all(&tar(&many)[..], 19).unwrap());
    let limits = Limits { ratio: 1, ..SMALL };
    let (found, problems) = all(&bomb, &limits);
    assert!((10..20).contains(&found.len()), "{}", found.len());
    assert!(problems[0].contains("more than 20000 bytes"), "{problems:?}");
    let noise = file(folder.path(), "noise.tar", b"this is no archive");
    assert!(matches!(
        members(&noise, &SMALL, |_| ControlFlow::Continue(())),
        Err(SourceError::Corrupt { .. })
    ));
}

#[test]
fn a_zip_gives_its_files_whatever_packs_them_and_refuses_what_leads_out() {
    let folder = tempfile::tempdir().unwrap();
    let frames = [zstd::encode_all(&b"one "[..], 1).unwrap(), zstd::encode_all(&b"two"[..], 1).unwrap()];
    let wrong_size = Packed { declared: 3, ..packed("runs/lies.traj", 8, &[b'l'; 400]) };
    let bytes = zip::archive(&[
        packed("runs/", 0, b""),
        packed("runs/a.traj", 0, b"stored"),
        packed("runs\\b.traj", 8, b"deflated"),
        Packed { bytes: frames.concat(), ..packed("runs/c.traj", 93, b"one two") },
        packed("../evil.traj", 8, b"e"),
        packed("..\\evil.traj", 8, b"e"),
        packed("/etc/evil.traj", 0, b"e"),
        packed("runs/d.traj.gz", 0, &gzip(b"inner")),
        packed("runs/inner.zip", 0, b"?"),
        packed("runs/plot.png", 0, b"?"),
        Packed { flags: 1, ..packed("runs/secret.traj", 0, b"secret") },
        Packed { method: 12, ..packed("runs/other.traj", 0, b"?") },
        packed("runs/big.traj", 8, &[b'x'; 1001]),
        wrong_size,
        packed("runs/z.traj", 8, b"z"),
    ]);
    let archive = file(folder.path(), "runs.zip", &bytes);
    let (found, problems) = all(&archive, &SMALL);
    let want = [
        ("runs/a.traj", "stored"),
        ("runs/b.traj", "deflated"),
        ("runs/c.traj", "one two"),
        ("runs/d.traj.gz", "inner"),
        ("runs/plot.png", ""),
        ("runs/z.traj", "z"),
    ];
    assert_eq!(found, want.map(|(path, text)| (path.to_owned(), text.to_owned())));
    let want = [
        ("../evil.traj", "leads out"),
        ("../evil.traj", "leads out"),
        ("/etc/evil.traj", "leads out"),
        ("runs/inner.zip", "within an archive"),
        ("runs/secret.traj", "encrypted"),
        ("runs/other.traj", "cannot unpack"),
        ("runs/big.traj", "over the limit of 1000 bytes"),
        ("runs/lies.traj", "declared"),
    ];
    assert_eq!(problems.len(), want.len(), "{problems:?}");
    for (problem, (path, what)) in problems.iter().zip(want) {
        assert!(problem.starts_with(&format!("member {path}: ")) && problem.contains(what), "{problem}");
    }
}

#[test]
fn a_zip_of_one_name_twice_has_the_last_and_one_that_is_cut_what_came_before() {
    let twice = zip::archive(&[packed("a", 8, b"old"), packed("b", 0, b"b"), packed("a", 8, b"new")]);
    let read = |bytes: &[u8]| {
        let mut found = Vec::new();
        let problems = zip_members(bytes, &SMALL, |member| {
            found.push(format!("{}={}", member.path, String::from_utf8(member.bytes).unwrap()));
            ControlFlow::Continue(())
        });
        (found, problems)
    };
    let (mut found, problems) = read(&twice);
    found.sort();
    assert_eq!(found, ["a=new", "b=b"]);
    assert!(problems.unwrap().is_empty());
    let noise: Vec<u8> = (0..300_u32).map(|n| b'0' + (n * n % 71 % 10) as u8).collect();
    let whole = zip::archive(&[packed("a", 8, b"first"), packed("b", 0, &noise)]);
    let (found, problems) = read(&whole[..300]);
    assert_eq!(found[0], "a=first");
    assert!(found[1].starts_with("b=0"), "{found:?}");
    let what = &problems.unwrap()[0].what;
    assert!(what.contains("breaks off") && what.contains("2 files"), "{what}");
    assert!(read(b"PK\x03\x04noise").1.is_err());
}

#[test]
fn a_zip_bomb_ends_at_the_cap_whatever_it_declares() {
    let many: Vec<(String, Vec<u8>)> = (0..100).map(|n| (format!("{n}.traj"), vec![b'x'; 900])).collect();
    let many: Vec<Packed> = many.iter().map(|(path, bytes)| packed(path, 8, bytes)).collect();
    let folder = tempfile::tempdir().unwrap();
    let bomb = file(folder.path(), "bomb.zip", &zip::archive(&many));
    let limits = Limits { ratio: 1, ..SMALL };
    let (found, problems) = all(&bomb, &limits);
    assert_eq!(found.len(), 20_000.max(bomb.size as usize) / 900);
    assert!(problems[0].contains("more than") && problems.len() == 1, "{problems:?}");
}

/// Whatever byte is wrong, nothing panics, nothing grows without end, and nothing is given beyond what was packed.
#[test]
fn a_broken_zip_is_survived() {
    let whole = zip::archive(&[packed("a", 8, &[b'a'; 300]), packed("b", 93, b"bb"), packed("c", 0, b"c")]);
    for place in 0..whole.len() {
        for flip in [1, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[place] ^= flip;
            let mut given = 0;
            let _ = zip_members(&bytes, &SMALL, |member| {
                given += member.bytes.len();
                ControlFlow::Continue(())
            });
            assert!(given <= 3000, "{given} bytes with byte {place} flipped");
        }
    }
    // An end that promises more members than memory could list.
    let mut promises = whole[..whole.len() - 22].to_vec();
    let at = promises.len() as u64;
    promises.extend(b"PK\x06\x06");
    for number in [44_u64, 0x002d_002d, u64::MAX >> 16, u64::MAX >> 16, 1 << 40, 0] {
        promises.extend(if number == 0x002d_002d {
            [number.to_le_bytes()[..4].to_vec(), vec![0; 8]].concat()
        } else {
            number.to_le_bytes().to_vec()
        });
    }
    promises.extend(b"PK\x06\x07\0\0\0\0");
    promises.extend(at.to_le_bytes());
    promises.extend(1_u32.to_le_bytes());
    promises.extend(b"PK\x05\x06\0\0\0\0");
    promises.extend([0xff; 12]);
    promises.extend([0, 0]);
    let mut names = Vec::new();
    let problems = zip_members(&promises, &SMALL, |member| {
        names.push(member.path);
        ControlFlow::Continue(())
    });
    assert_eq!(names, ["a", "b", "c"]);
    assert!(problems.unwrap()[0].what.contains("breaks off"));
}

#[test]
fn a_name_of_a_tar_is_no_way_around_the_caps() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut builder = tar::Builder::new(Vec::new());
    let mut add = |kind: tar::EntryType, name: &str, bytes: &[u8]| {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(bytes.len() as u64);
        builder.append_data(&mut header, name, bytes).expect("a member");
    };
    add(tar::EntryType::Regular, "before.json", b"{}");
    add(tar::EntryType::GNULongName, "long", &vec![b'a'; 3 << 20]);
    add(tar::EntryType::Regular, "after.json", b"{}");
    let bytes = builder.into_inner().expect("an archive");
    let (found, problems) = all(&file(folder.path(), "a.tar.gz", &gzip(&bytes)), &Limits::default());
    assert_eq!(found, [("before.json".to_owned(), "{}".to_owned())]);
    assert!(problems[0].contains("a name longer than any path"), "{problems:?}");
}

#[test]
fn packed_members_of_a_tar_count_as_what_they_unpack_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let packed = gzip(&vec![b' '; 100_000]);
    let bytes = tar(&[("a.json.gz", &packed), ("b.json.gz", &packed), ("c.json.gz", &packed)]);
    let limits = Limits { archive: 250_000, ratio: 1, ..Limits::default() };
    let (found, problems) = all(&file(folder.path(), "a.tar", &bytes), &limits);
    assert_eq!(found.len(), 2);
    assert!(problems[0].contains("more than 250000 bytes: refused"), "{problems:?}");
}
