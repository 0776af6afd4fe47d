//! Rows in by name, rows out in the same order.

use ethogram::store::{Frame, FrameColumn, Store, StoreError, Value};

use super::{add_turn, store_of, text, turns_of};

#[test]
fn a_row_comes_back_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_of(folder.path(), |writer| {
        writer
            .table("outcomes")?
            .row()
            .text("arm", "base")
            .text("benchmark", "b")
            .text("instance_id", "django__django-1")
            .int("run", 3)
            .flag("scored", true)
            .opt_flag("resolved", Some(false))
            .opt_float("reward", Some(0.25))
            .opt_int("f2p_total", Some(i64::MAX))
            .text("source", "report")
            .done()
    });
    let frame = store.read("outcomes").unwrap();
    assert_eq!(frame.rows.len(), 1);
    let row = frame.iter().next().unwrap();
    assert_eq!(row.text("instance_id").unwrap(), "django__django-1");
    assert_eq!(row.int("run").unwrap(), 3);
    assert_eq!(row.opt_flag("scored").unwrap(), Some(true));
    assert_eq!(row.opt_flag("resolved").unwrap(), Some(false));
    assert_eq!(row.opt_float("reward").unwrap(), Some(0.25));
    assert_eq!(row.opt_int("f2p_total").unwrap(), Some(i64::MAX));
    // What was left out is null.
    assert_eq!(row.opt_text("trajectory_id").unwrap(), None);
    assert_eq!(row.opt_flag("applied").unwrap(), None);
    assert_eq!(row.opt_int("p2p_total").unwrap(), None);
}

#[test]
fn columns_may_come_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_of(folder.path(), |writer| {
        let table = writer.table("behaviours")?;
        let mut row = table.row();
        row.int("den", 7).text("kind", "rate").opt_int("num", Some(2));
        row.text("behaviour", "loop_turns").text("trajectory_id", "t1").done()
    });
    let frame = store.read("behaviours").unwrap();
    assert_eq!(
        frame.rows,
        [vec![text("t1"), text("loop_turns"), text("rate"), Value::Int(2), Value::Int(7)]]
    );
}

#[test]
fn an_empty_text_and_a_number_that_is_none_are_null() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_of(folder.path(), |writer| {
        writer.table("turn_text")?.row().text("trajectory_id", "t").int("turn", 0).text("text", "").done()?;
        writer
            .table("outcomes")?
            .row()
            .text("arm", "a")
            .text("benchmark", "b")
            .text("instance_id", "i")
            .int("run", 0)
            .flag("scored", false)
            .opt_float("reward", Some(f64::NAN))
            .text("source", "report")
            .done()
    });
    assert_eq!(store.read("turn_text").unwrap().rows[0][2], Value::Null);
    assert_eq!(store.read("outcomes").unwrap().iter().next().unwrap().opt_float("reward").unwrap(), None);
}

#[test]
fn a_wrong_row_is_refused_with_table_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create_or_open(folder.path()).unwrap();
    let said = |write: &dyn Fn(&mut ethogram::store::TableWriter) -> Result<(), StoreError>| {
        let mut writer = store.writer().unwrap();
        let error = write(writer.table("behaviours").unwrap()).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        said(&|table| table.row().text("trajectory", "t").done()),
        "table `behaviours` takes no text in column `trajectory`"
    );
    assert_eq!(
        said(&|table| table.row().int("trajectory_id", 1).done()),
        "table `behaviours` takes no whole number in column `trajectory_id`"
    );
    assert_eq!(
        said(&|table| table.row().int("den", 1).int("den", 1).done()),
        "table `behaviours` takes no whole number in column `den`"
    );
    assert_eq!(
        said(&|table| table
            .row()
            .text("trajectory_id", "t")
            .text("behaviour", "x")
            .text("kind", "share")
            .done()),
        "a row of `behaviours` lacks `den`, which is never null"
    );
    assert_eq!(
        said(&|table| table.row().text("trajectory_id", "").done()),
        "a row of `behaviours` lacks `trajectory_id`, which is never null"
    );
    let mut writer = store.writer().unwrap();
    let error = writer.table("behaviour").err().unwrap();
    assert_eq!(error.to_string(), "there is no table `behaviour`; `ethogram query --schema` lists them");
}

#[test]
fn many_rows_keep_their_order_over_batches_and_commits() {
    let folder = tempfile::tempdir().unwrap();
    let want: Vec<(String, i64)> = (0..10_000).map(|turn| (format!("t{}", turn / 700), turn % 700)).collect();
    let (first, second) = want.split_at(6_000);
    for rows in [first, second] {
        store_of(folder.path(), |writer| rows.iter().try_for_each(|(id, turn)| add_turn(writer, id, *turn)));
    }
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.parts("turn_facts").len(), 2);
    assert_eq!(store.manifest().rows("turn_facts"), 10_000);
    assert_eq!(turns_of(&store), want);
}

#[test]
fn long_texts_close_a_batch_by_their_bytes() {
    let folder = tempfile::tempdir().unwrap();
    // Three texts of 3 MiB are more than a batch may hold.
    let long = "long \u{e9} ".repeat(400_000);
    let store = store_of(folder.path(), |writer| {
        (0..3).try_for_each(|turn| {
            let table = writer.table("turn_text")?;
            table.row().text("trajectory_id", "t").int("turn", turn).text("text", &long).done()
        })
    });
    let frame = store.read("turn_text").unwrap();
    assert_eq!(frame.rows.len(), 3);
    assert!(frame.iter().all(|row| row.text("text").unwrap() == long));
}

#[test]
fn a_frame_can_be_added_again_and_written_apart() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_of(folder.path(), |writer| add_turn(writer, "a", 0));
    let frame = store.read("turn_facts").unwrap();
    let mut writer = store.writer().unwrap();
    writer.replace_tables(&["turn_facts"]).unwrap();
    writer.table("turn_facts").unwrap().append_frame(&frame).unwrap();
    add_turn(&mut writer, "b", 1).unwrap();
    let store = writer.commit(Default::default()).unwrap();
    assert_eq!(turns_of(&store), [("a".to_owned(), 0), ("b".to_owned(), 1)]);

    let apart = folder.path().join("turn_facts.parquet");
    store.read("turn_facts").unwrap().write_parquet(&apart).unwrap();
    let bytes = std::fs::read(&apart).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
}

#[test]
fn a_frame_says_what_it_lacks() {
    let frame = Frame {
        columns: vec![FrameColumn { name: "n".to_owned(), kind: ethogram::store::ColumnType::Int }],
        rows: vec![vec![Value::Null]],
    };
    let row = frame.iter().next().unwrap();
    assert_eq!(row.opt_int("n").unwrap(), None);
    assert!(row.int("n").unwrap_err().to_string().contains("`n` is null"));
    assert!(row.opt_text("n").unwrap().is_none());
    assert!(row.int("m").unwrap_err().to_string().contains("no column `m`"));
}
