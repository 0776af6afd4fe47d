//! No two rows have one key: a key that is none makes joins multiply rows without a word.

use std::collections::BTreeSet;

use ethogram::data::benchmarks::settle_benchmark;
use ethogram::model::{Field, Tag, TagName, TagRow, Trajectory};
use ethogram::steps::tag_rows::{Findings, context, find, write};
use ethogram::store::{SCHEMAS, Store};
use ethogram::tags::Tagged;

use super::store_of;

fn assert_keys(store: &Store) {
    for schema in SCHEMAS.iter() {
        let frame = store.read(schema.table).unwrap();
        let mut seen = BTreeSet::new();
        for row in frame.iter() {
            let key: Vec<String> =
                schema.key.iter().map(|column| format!("{:?}", row.value(column).unwrap())).collect();
            assert!(seen.insert(key.clone()), "{}: {key:?} stands twice", schema.table);
        }
    }
}

#[test]
fn tags_that_alternate_within_a_turn_are_counted_apart() {
    let row = |turn, name| TagRow {
        turn,
        call: Some(0),
        segment: None,
        tag: Tag::plain(name),
        rule: "rule",
        rule_version: 1,
        field: Field::Input,
        span: None,
    };
    // `sed -i … && pytest && sed -i …`: editing, testing, editing.
    let rows = [
        (0, TagName::Editing),
        (0, TagName::Testing),
        (0, TagName::Editing),
        (1, TagName::Editing),
        (0, TagName::Recovery),
        (1, TagName::Editing),
    ];
    let tagged = Tagged { rows: rows.map(|(turn, name)| row(turn, name)).to_vec(), ..Tagged::default() };
    let log = Trajectory::new("stub", "none");
    let benchmark = settle_benchmark(None, &[]).benchmark;
    let empty = find(&ethogram::tags::Rules::default(), &context(&benchmark, "i", &log), &log);
    let findings = Findings { tagged, ..empty };
    let folder = tempfile::tempdir().unwrap();
    let store = store_of(folder.path(), |writer| {
        write(writer, "one", &findings)?;
        write(writer, "two", &findings)
    });
    assert_keys(&store);
    let frame = store.read("tags").unwrap();
    let numbers: Vec<i64> = frame.iter().take(6).map(|row| row.int("n").unwrap()).collect();
    assert_eq!(numbers, [0, 0, 1, 0, 0, 1]);
}
