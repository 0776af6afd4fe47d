//! A commit is whole or nothing, whoever is killed when; one writer at a time.

use std::fs;
use std::path::{Path, PathBuf};

use ethogram::store::{Contents, SCHEMAS, Store, StoreError};

use super::{add_turn, store_of, turns_of};

fn turns(rows: &[(&str, i64)]) -> Vec<(String, i64)> {
    rows.iter().map(|(id, turn)| ((*id).to_owned(), *turn)).collect()
}

/// Every Parquet file below a store, by its path there.
fn parquet_files(store: &Path) -> Vec<String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(store).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        for file in fs::read_dir(&entry).unwrap().map(|file| file.unwrap().path()) {
            files.push(file.strip_prefix(store).unwrap().display().to_string());
        }
    }
    files.sort();
    files
}

fn live_files(store: &Store) -> Vec<String> {
    let mut files: Vec<String> = store
        .manifest()
        .parts
        .iter()
        .flat_map(|(table, parts)| parts.iter().map(move |part| format!("{table}/{}", part.name)))
        .collect();
    files.sort();
    files
}

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()) {
        let target = to.join(entry.file_name().unwrap());
        if entry.is_dir() {
            copy_tree(&entry, &target);
        } else {
            fs::copy(&entry, &target).unwrap();
        }
    }
}

#[test]
fn every_table_is_a_folder_with_a_part() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_of(folder.path(), |writer| add_turn(writer, "a", 0));
    for schema in SCHEMAS.iter() {
        assert_eq!(store.parts(schema.table).len(), 1, "{}", schema.table);
    }
    assert_eq!(parquet_files(folder.path()), live_files(&store));
    assert!(!folder.path().join(".new").exists());
    let views = fs::read_to_string(folder.path().join("views.sql")).unwrap();
    assert!(views.contains("CREATE OR REPLACE VIEW turns AS SELECT * FROM 'turns/*.parquet';"));
    assert!(views.contains("AS autonomous_edit\n") && !views.contains("CODE"));
}

#[test]
fn equal_rows_make_an_equal_store() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["one", "two"].map(|name| {
        let path = folder.path().join(name);
        store_of(&path, |writer| (0..5_000).try_for_each(|turn| add_turn(writer, "a", turn)));
        (parquet_files(&path), fs::read(path.join("manifest.json")).unwrap())
    });
    assert_eq!(names[0], names[1]);
    // A part bears the digest of its bytes, so equal names are equal bytes.
    let part = folder
        .path()
        .join("one")
        .join(names[0].0.iter().find(|name| name.starts_with("turn_facts")).unwrap());
    let digest = blake3::hash(&fs::read(&part).unwrap()).to_hex();
    assert_eq!(part.file_stem().unwrap().to_str().unwrap(), &digest[..16]);
}

#[test]
fn a_replaced_table_holds_the_new_rows_only() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_of(folder.path(), |writer| {
        add_turn(writer, "a", 0)?;
        writer.table("arm_pairs")?.row().text("base_arm", "x").text("trained_arm", "y").done()
    });
    let mut writer = store.writer().unwrap();
    writer.replace_tables(&["turn_facts"]).unwrap();
    add_turn(&mut writer, "b", 5).unwrap();
    let store = writer.commit(Contents::default()).unwrap();
    assert_eq!(turns_of(&store), turns(&[("b", 5)]));
    assert_eq!(store.read("arm_pairs").unwrap().rows.len(), 1);
    assert_eq!(parquet_files(folder.path()), live_files(&store));

    let mut writer = store.writer().unwrap();
    writer.replace_tables(&["turn_facts"]).unwrap();
    let store = writer.commit(Contents::default()).unwrap();
    assert_eq!(turns_of(&store), []);
    assert_eq!(store.parts("turn_facts").len(), 1, "0 rows are a part too");
}

#[test]
fn trajectories_can_be_taken_out_and_written_again() {
    let folder = tempfile::tempdir().unwrap();
    store_of(folder.path(), |writer| {
        add_turn(writer, "a", 0)?;
        add_turn(writer, "b", 0)?;
        add_turn(writer, "b", 1)?;
        add_turn(writer, "c", 0)
    });
    let store = store_of(folder.path(), |writer| add_turn(writer, "d", 0));
    let untouched = store.parts("turn_facts")[1].clone();

    let mut writer = store.writer().unwrap();
    writer.remove_trajectories(["b".to_owned(), "never".to_owned()]);
    add_turn(&mut writer, "b", 7).unwrap();
    let store = writer.commit(Contents::default()).unwrap();
    assert_eq!(turns_of(&store), turns(&[("a", 0), ("c", 0), ("d", 0), ("b", 7)]));
    assert!(store.parts("turn_facts").contains(&untouched), "a part without such rows stays");
    assert_eq!(parquet_files(folder.path()), live_files(&store));

    let mut writer = store.writer().unwrap();
    writer.remove_trajectories(["a", "b", "c", "d"].map(str::to_owned));
    let store = writer.commit(Contents::default()).unwrap();
    assert_eq!(turns_of(&store), []);
    assert_eq!(store.parts("turn_facts").len(), 1);
}

#[test]
fn the_same_rows_again_are_the_same_part() {
    let folder = tempfile::tempdir().unwrap();
    store_of(folder.path(), |writer| add_turn(writer, "a", 0));
    let store = store_of(folder.path(), |writer| add_turn(writer, "a", 0));
    assert_eq!(turns_of(&store), turns(&[("a", 0)]));
}

#[test]
fn one_writer_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_of(folder.path(), |writer| add_turn(writer, "a", 0));
    let mut writer = store.writer().unwrap();
    add_turn(&mut writer, "b", 0).unwrap();
    match store.writer() {
        Err(StoreError::Locked { pid, .. }) => assert_eq!(pid, Some(std::process::id())),
        other => panic!("{:?}", other.err()),
    }
    // A reader never waits and sees the last commit; it does not mend what a living writer is doing.
    assert_eq!(turns_of(&Store::open(folder.path()).unwrap()), turns(&[("a", 0)]));
    assert!(folder.path().join(".new").exists());
    drop(writer);
    assert!(!folder.path().join(".new").exists(), "a writer without a commit leaves nothing");
    assert!(store.writer().is_ok());
}

#[test]
fn a_folder_that_is_no_store_is_told() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(Store::open(folder.path()), Err(StoreError::NotAStore { .. })));
    assert!(matches!(Store::open(&folder.path().join("none")), Err(StoreError::NotAStore { .. })));
    fs::write(folder.path().join("thesis.tex"), "x").unwrap();
    assert!(matches!(Store::create_or_open(folder.path()), Err(StoreError::NotEmpty { .. })));
}

#[test]
fn a_store_of_another_version_or_a_broken_manifest_is_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("manifest.json"), r#"{"schema_version": 99, "else": []}"#).unwrap();
    match Store::open(folder.path()) {
        Err(StoreError::Version { found, path, .. }) => {
            assert_eq!((found, path.as_path()), (99, folder.path()))
        }
        other => panic!("{other:?}"),
    }
    fs::write(folder.path().join("manifest.json"), r#"{"schema_version": 1, "#).unwrap();
    assert!(matches!(Store::open(folder.path()), Err(StoreError::Manifest { .. })));
    assert!(matches!(Store::create_or_open(folder.path()), Err(StoreError::Manifest { .. })));
}

/// Two stores: before a commit that replaces a table, and after it.
fn before_and_after(root: &Path) -> (PathBuf, PathBuf) {
    let (before, after) = (root.join("before"), root.join("after"));
    store_of(&before, |writer| add_turn(writer, "old", 0));
    copy_tree(&before, &after);
    let mut writer = Store::open(&after).unwrap().writer().unwrap();
    writer.replace_tables(&["turn_facts"]).unwrap();
    add_turn(&mut writer, "new", 1).unwrap();
    writer.table("arm_pairs").unwrap().row().text("base_arm", "x").text("trained_arm", "y").done().unwrap();
    writer.commit(Contents::default()).unwrap();
    (before, after)
}

/// The files that only `after` has.
fn new_files(before: &Path, after: &Path) -> Vec<String> {
    let old = parquet_files(before);
    parquet_files(after).into_iter().filter(|file| !old.contains(file)).collect()
}

fn put(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(from, to).unwrap();
}

#[test]
fn a_commit_that_was_cut_off_is_finished() {
    let root = tempfile::tempdir().unwrap();
    let (before, after) = before_and_after(root.path());
    let files = new_files(&before, &after);
    assert_eq!(files.len(), 2);
    // Killed after 0, 1, 2 of the parts were moved.
    for moved in 0..=files.len() {
        let killed = root.path().join(format!("killed-{moved}"));
        copy_tree(&before, &killed);
        put(&after.join("manifest.json"), &killed.join(".new/manifest.json"));
        for (index, file) in files.iter().enumerate() {
            let place = if index < moved { killed.clone() } else { killed.join(".new") };
            put(&after.join(file), &place.join(file));
        }
        let store = Store::open(&killed).unwrap();
        assert_eq!(turns_of(&store), turns(&[("new", 1)]));
        assert_eq!(parquet_files(&killed), parquet_files(&after));
        assert!(!killed.join(".new").exists());
    }
}

#[test]
fn a_commit_that_cannot_be_finished_is_undone() {
    let root = tempfile::tempdir().unwrap();
    let (before, after) = before_and_after(root.path());
    let files = new_files(&before, &after);
    let want = parquet_files(&before);
    // No manifest yet; a manifest cut in half; a manifest whose part is lost.
    for (name, manifest, parts) in [("none", None, 2), ("half", Some(true), 2), ("lost", Some(false), 1)] {
        let killed = root.path().join(name);
        copy_tree(&before, &killed);
        for file in files.iter().take(parts) {
            put(&after.join(file), &killed.join(".new").join(file));
        }
        if let Some(half) = manifest {
            let whole = fs::read(after.join("manifest.json")).unwrap();
            let bytes = if half { &whole[..whole.len() / 2] } else { &whole[..] };
            fs::write(killed.join(".new/manifest.json"), bytes).unwrap();
        }
        let store = Store::open(&killed).unwrap();
        assert_eq!(turns_of(&store), turns(&[("old", 0)]), "{name}");
        assert_eq!(parquet_files(&killed), want, "{name}");
    }
}

#[test]
fn dead_parts_that_a_killed_writer_left_are_deleted() {
    let root = tempfile::tempdir().unwrap();
    let (before, after) = before_and_after(root.path());
    let want = parquet_files(&after);
    // Killed between the manifest and the last deletion: the old parts still lie there.
    for file in parquet_files(&before) {
        put(&before.join(&file), &after.join(&file));
    }
    fs::create_dir_all(after.join(".new")).unwrap();
    let store = Store::open(&after).unwrap().writer().unwrap().commit(Contents::default()).unwrap();
    assert_eq!(turns_of(&store), turns(&[("new", 1)]));
    assert_eq!(parquet_files(&after), want);
}
