//! SQL: what polars-sql would answer wrongly is refused with its remedy, and the remedy gives the right rows.

use std::path::Path;

use ethogram::store::{QUERIES, Sql, Store, StoreError, Value, query};

use super::{store_of, text};

/// Two instances of arm `base`, three of `trained`; behaviours of two trajectories; one turn of a prefix.
fn store(path: &Path) -> Store {
    store_of(path, |writer| {
        for (arm, instance, resolved) in [
            ("base", "a", true),
            ("base", "b", false),
            ("trained", "a", true),
            ("trained", "b", true),
            ("trained", "c", false),
        ] {
            writer
                .table("outcomes")?
                .row()
                .text("arm", arm)
                .text("benchmark", "bench")
                .text("instance_id", instance)
                .int("run", 0)
                .flag("scored", true)
                .opt_flag("resolved", Some(resolved))
                .text("source", "report")
                .done()?;
        }
        for (id, behaviour, num, den) in [
            ("t1", "explored", Some(1), 1),
            ("t1", "loop_turns", Some(3), 10),
            ("t2", "explored", Some(0), 1),
            ("t2", "loop_turns", None, 7),
        ] {
            writer
                .table("behaviours")?
                .row()
                .text("trajectory_id", id)
                .text("behaviour", behaviour)
                .text("kind", if den == 1 { "share" } else { "rate" })
                .opt_int("num", num)
                .int("den", den)
                .done()?;
        }
        for (turn, model_turn) in [(0, None), (1, Some(0)), (2, Some(1))] {
            writer
                .table("turns")?
                .row()
                .text("trajectory_id", "t1")
                .int("turn", turn)
                .opt_int("model_turn", model_turn)
                .text("origin", if model_turn.is_some() { "model" } else { "prefix" })
                .flag("accepted", true)
                .int("n_calls", 0)
                .text("quality", "none")
                .int("n_refused_before", 0)
                .int("text_bytes", 0)
                .done()?;
        }
        Ok(())
    })
}

fn remedies(sql: &Sql, statement: &str) -> Vec<String> {
    match sql.run(statement) {
        Err(StoreError::Unsafe { remedies }) => remedies,
        Err(other) => panic!("{statement}: {other}"),
        Ok(frame) => panic!("{statement}: it ran: {frame:?}"),
    }
}

fn rows(sql: &Sql, statement: &str) -> Vec<Vec<Value>> {
    sql.run(statement).unwrap_or_else(|error| panic!("{statement}: {error}")).rows
}

fn ints(sql: &Sql, statement: &str) -> Vec<Vec<i64>> {
    let int = |value: &Value| match value {
        Value::Int(number) => *number,
        other => panic!("{statement}: {other:?}"),
    };
    rows(sql, statement).iter().map(|row| row.iter().map(int).collect()).collect()
}

/// Constructs of the two tables of rust.md §1.2 and §1.5, with a word of the remedy.
const REFUSED: &[(&str, &str)] = &[
    // Windows.
    (
        "SELECT arm, SUM(COUNT(*)) OVER (PARTITION BY benchmark) AS n FROM outcomes GROUP BY arm, benchmark",
        "aggregate in a CTE",
    ),
    ("SELECT arm, ROW_NUMBER() OVER (ORDER BY arm) AS n FROM outcomes GROUP BY arm", "aggregate in a CTE"),
    (
        "SELECT arm FROM outcomes GROUP BY arm QUALIFY ROW_NUMBER() OVER (ORDER BY arm) = 1",
        "aggregate in a CTE",
    ),
    ("SELECT arm, RANK() OVER (ORDER BY SUM(run)) AS n FROM outcomes GROUP BY arm", "aggregate in a CTE"),
    (
        "SELECT AVG(run) OVER (PARTITION BY arm ORDER BY instance_id) AS x FROM outcomes",
        "SUM() OVER / COUNT() OVER",
    ),
    (
        "SELECT STDDEV_SAMP(run) OVER (PARTITION BY arm ORDER BY instance_id) AS x FROM outcomes",
        "SUM() OVER / COUNT() OVER",
    ),
    (
        "SELECT AVG(run) OVER w AS x FROM outcomes WINDOW w AS (PARTITION BY arm ORDER BY instance_id)",
        "SUM() OVER / COUNT() OVER",
    ),
    (
        "SELECT ROW_NUMBER() OVER (PARTITION BY trajectory_id ORDER BY model_turn) AS n FROM turns",
        "filter them in a CTE",
    ),
    (
        "SELECT ROW_NUMBER() OVER (PARTITION BY trajectory_id ORDER BY turn NULLS LAST) AS n FROM turns",
        "filter them in a CTE",
    ),
    ("SELECT t.turn, LAG(t.turn) OVER (ORDER BY t.model_turn) AS n FROM turns t", "filter them in a CTE"),
    ("SELECT SUM(turn) OVER w AS n FROM turns WINDOW w AS (ORDER BY model_turn)", "filter them in a CTE"),
    (
        "SELECT trajectory_id, ROW_NUMBER() OVER (ORDER BY trajectory_id) AS n FROM runs",
        "filter them in a CTE",
    ),
    // Joins.
    (
        "SELECT a.arm FROM outcomes a JOIN outcomes b ON a.instance_id = b.instance_id AND b.arm = 'trained'",
        "filter or compute in a CTE",
    ),
    (
        "SELECT a.arm FROM outcomes a JOIN outcomes b ON a.instance_id = b.instance_id AND a.arm = a.benchmark",
        "filter or compute in a CTE",
    ),
    (
        "SELECT a.arm FROM outcomes a JOIN outcomes b ON a.instance_id = b.instance_id AND b.scored",
        "filter or compute in a CTE",
    ),
    (
        "SELECT a.arm FROM outcomes a JOIN outcomes b ON (a.instance_id = b.instance_id AND (b.run = 0))",
        "filter or compute in a CTE",
    ),
    (
        "SELECT a.arm FROM outcomes a LEFT JOIN outcomes b ON a.instance_id = b.instance_id AND a.run < b.run",
        "loses unmatched rows",
    ),
    (
        "SELECT a.arm FROM outcomes a FULL JOIN outcomes b ON a.instance_id = b.instance_id AND a.arm <> b.arm",
        "loses unmatched rows",
    ),
    ("SELECT instance_id FROM outcomes a FULL JOIN outcomes b USING (instance_id)", "COALESCE(a.k, b.k)"),
    ("SELECT instance_id FROM outcomes a RIGHT JOIN outcomes b USING (instance_id)", "COALESCE(a.k, b.k)"),
    ("SELECT instance_id FROM outcomes a NATURAL FULL JOIN outcomes b", "COALESCE(a.k, b.k)"),
    ("WITH turns AS (SELECT 1 AS x) SELECT x FROM turns", "rename the CTE"),
    ("WITH Runs AS (SELECT 1 AS x) SELECT x FROM Runs", "rename the CTE"),
    ("SELECT n FROM (WITH tags AS (SELECT 1 AS n) SELECT n FROM tags) s", "rename the CTE"),
    // Numbers.
    ("SELECT COUNT(resolved) - COUNT(*) AS n FROM outcomes", "CAST(COUNT(*) AS BIGINT)"),
    ("SELECT 3 - COUNT(*) AS n FROM outcomes", "CAST(COUNT(*) AS BIGINT)"),
    ("SELECT COUNT(*) * 4000000000 AS n FROM outcomes", "CAST(COUNT(*) AS BIGINT)"),
    ("SELECT -COUNT(*) AS n FROM outcomes", "CAST(COUNT(*) AS BIGINT)"),
    (
        "WITH c AS (SELECT arm, COUNT(*) AS n FROM outcomes GROUP BY arm) SELECT a.n - b.n AS d FROM c a JOIN c b ON a.arm = b.arm",
        "CAST(COUNT(*) AS BIGINT)",
    ),
    ("SELECT n - 100 AS d FROM (SELECT COUNT(*) AS n FROM outcomes) s", "CAST(COUNT(*) AS BIGINT)"),
    ("SELECT LENGTH(arm) - LENGTH(benchmark) AS d FROM outcomes", "CAST(COUNT(*) AS BIGINT)"),
    ("SELECT SUM(CASE WHEN resolved THEN 1000000 ELSE 0 END) AS n FROM outcomes", "CAST(1 AS BIGINT)"),
    ("SELECT SUM(CASE WHEN resolved THEN 1 END) AS n FROM outcomes", "CAST(1 AS BIGINT)"),
    ("SELECT SUM(1) AS n FROM outcomes", "write COUNT(*)"),
    ("SELECT arm, SUM(CAST(1 AS BIGINT)) AS n FROM outcomes GROUP BY arm", "write COUNT(*)"),
    ("SELECT arm, COUNT(1) AS n FROM outcomes GROUP BY arm", "write COUNT(*)"),
    ("SELECT SUM(CASE WHEN TRUE THEN run END) AS n FROM outcomes", "write COUNT(*)"),
    ("SELECT ROUND(reward) AS n FROM outcomes", "FLOOR"),
    ("SELECT run % 2 AS n FROM outcomes", "engine"),
    ("SELECT MOD(run, 2) AS n FROM outcomes", "engine"),
    ("SELECT CAST(2.5 AS INTEGER) AS n FROM outcomes", "FLOOR"),
    ("SELECT CAST(run / 2 AS BIGINT) AS n FROM outcomes", "FLOOR"),
    // Truth.
    ("SELECT arm FROM outcomes WHERE applied IS NOT TRUE", "COALESCE(f, FALSE)"),
    ("SELECT arm FROM outcomes WHERE applied IS NOT FALSE", "COALESCE(f, FALSE)"),
    ("SELECT applied IS TRUE AS x FROM outcomes", "COALESCE(f, FALSE)"),
    // Anywhere in a statement.
    ("SELECT arm FROM outcomes WHERE run IN (SELECT SUM(1) FROM turns)", "write COUNT(*)"),
    (
        "SELECT arm FROM outcomes UNION ALL SELECT arm FROM outcomes WHERE applied IS NOT TRUE",
        "COALESCE(f, FALSE)",
    ),
    ("SELECT CASE WHEN ROUND(reward) = 1 THEN 'x' ELSE 'y' END AS v FROM outcomes", "FLOOR"),
];

#[test]
fn what_would_be_wrong_is_refused_with_its_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let sql = Sql::open(&store(folder.path())).unwrap();
    for (statement, remedy) in REFUSED {
        let said = remedies(&sql, statement);
        assert!(said.iter().any(|line| line.contains(remedy)), "{statement}: {said:?}");
    }
}

#[test]
fn each_remedy_gives_the_right_rows() {
    let folder = tempfile::tempdir().unwrap();
    let sql = Sql::open(&store(folder.path())).unwrap();
    let got = |statement: &str| ints(&sql, statement);
    let windows = "WITH c AS (SELECT arm, benchmark, CAST(COUNT(*) AS BIGINT) AS n FROM outcomes GROUP BY arm, benchmark) \
                   SELECT n, SUM(n) OVER (PARTITION BY benchmark) AS total FROM c ORDER BY n";
    assert_eq!(got(windows), [[2, 5], [3, 5]]);
    let order = "WITH m AS (SELECT trajectory_id, turn, model_turn FROM turns WHERE model_turn IS NOT NULL) \
                 SELECT turn, LAG(turn) OVER (PARTITION BY trajectory_id ORDER BY model_turn) AS earlier FROM m ORDER BY turn";
    assert_eq!(rows(&sql, order), [[Value::Int(1), Value::Null], [Value::Int(2), Value::Int(1)]]);
    let join = "WITH t AS (SELECT instance_id, arm FROM outcomes WHERE arm = 'trained'), \
                b AS (SELECT instance_id, arm FROM outcomes WHERE arm = 'base') \
                SELECT CAST(COUNT(*) AS BIGINT) AS n FROM t JOIN b ON t.instance_id = b.instance_id";
    assert_eq!(got(join), [[2]]);
    let anti = "WITH t AS (SELECT instance_id AS i FROM outcomes WHERE arm = 'trained'), \
                b AS (SELECT instance_id AS j FROM outcomes WHERE arm = 'base') \
                SELECT t.i FROM t LEFT JOIN b ON t.i = b.j WHERE b.j IS NULL";
    assert_eq!(rows(&sql, anti), [[text("c")]]);
    let full = "WITH t AS (SELECT instance_id AS i FROM outcomes WHERE arm = 'trained'), \
                b AS (SELECT instance_id AS j FROM outcomes WHERE arm = 'base') \
                SELECT COALESCE(b.j, t.i) AS k FROM b FULL JOIN t ON b.j = t.i ORDER BY k";
    assert_eq!(rows(&sql, full), [[text("a")], [text("b")], [text("c")]]);
    assert_eq!(
        got("SELECT CAST(COUNT(applied) AS BIGINT) - CAST(COUNT(*) AS BIGINT) AS n FROM outcomes"),
        [[-5]]
    );
    let sum = "SELECT SUM(CASE WHEN resolved THEN CAST(4000000000 AS BIGINT) ELSE CAST(0 AS BIGINT) END) AS n FROM outcomes";
    assert_eq!(got(sum), [[12_000_000_000]]);
    assert_eq!(
        got("SELECT CAST(COUNT(*) AS BIGINT) AS n FROM outcomes WHERE NOT COALESCE(applied, FALSE)"),
        [[5]]
    );
    assert_eq!(
        got(
            "SELECT CAST(FLOOR(CAST(den AS DOUBLE) / CAST(4 AS DOUBLE)) AS BIGINT) AS n FROM behaviours WHERE den = 7"
        ),
        [[1]]
    );
}

#[test]
fn plain_statements_run() {
    let folder = tempfile::tempdir().unwrap();
    let sql = Sql::open(&store(folder.path())).unwrap();
    assert_eq!(ints(&sql, "SELECT COUNT(*) AS n FROM outcomes;"), [[5]]);
    assert_eq!(
        rows(
            &sql,
            "SELECT arm, COUNT(*) AS n FROM outcomes WHERE resolved GROUP BY arm HAVING COUNT(*) > 0 ORDER BY arm"
        ),
        [[text("base"), Value::Int(1)], [text("trained"), Value::Int(2)]]
    );
    // A count of a CTE may be compared and summed.
    let large =
        "WITH c AS (SELECT arm, COUNT(*) AS n FROM outcomes GROUP BY arm) SELECT arm, n FROM c WHERE n > 2";
    assert_eq!(rows(&sql, large), [[text("trained"), Value::Int(3)]]);
    let last = "SELECT arm, instance_id FROM outcomes WHERE arm = 'trained' \
                QUALIFY ROW_NUMBER() OVER (PARTITION BY arm ORDER BY instance_id DESC) = 1";
    assert_eq!(rows(&sql, last), [[text("trained"), text("c")]]);
    // A view, a null, a truth value, a quotient.
    let row = "SELECT instance_id, has_log, scored, resolved, reward, explored FROM runs WHERE arm = 'base' ORDER BY instance_id";
    let none = || Value::Null;
    assert_eq!(
        rows(&sql, row),
        [
            [text("a"), Value::Int(0), Value::Int(1), Value::Int(1), none(), none()],
            [text("b"), Value::Int(0), Value::Int(1), Value::Int(0), none(), none()],
        ]
    );
    assert_eq!(
        rows(&sql, "SELECT resolved FROM outcomes WHERE arm = 'base' AND instance_id = 'a'"),
        [[Value::Bool(true)]]
    );
    let share = "SELECT CAST(num AS DOUBLE) / NULLIF(den, 0) AS x FROM behaviours WHERE den = 10";
    assert_eq!(rows(&sql, share), [[Value::Float(0.3)]]);
    // One context a statement: a CTE of an earlier one is gone.
    assert_eq!(ints(&sql, "WITH c AS (SELECT run AS x FROM outcomes) SELECT x FROM c LIMIT 1"), [[0]]);
    assert!(matches!(sql.run("SELECT x FROM c"), Err(StoreError::Sql { .. })));
}

#[test]
fn only_one_select_runs() {
    let folder = tempfile::tempdir().unwrap();
    let sql = Sql::open(&store(folder.path())).unwrap();
    for statement in [
        "",
        "DROP TABLE turns",
        "SELECT 1 AS a; SELECT 2 AS b",
        "CREATE TABLE x AS SELECT 1 AS a",
        "SELECT FROM",
        "DELETE FROM turns",
    ] {
        assert!(matches!(sql.run(statement), Err(StoreError::Sql { .. })), "{statement}");
    }
}

#[test]
fn our_own_statements_pass() {
    let folder = tempfile::tempdir().unwrap();
    let sql = Sql::open(&store(folder.path())).unwrap();
    for (code, _) in QUERIES {
        let frame = sql.query(code).unwrap_or_else(|error| panic!("{code}: {error}"));
        assert!(!frame.columns.is_empty(), "{code}");
    }
    assert!(QUERIES.is_sorted());
    assert!(query("t99").is_none());
}

#[test]
fn a_store_may_lie_in_a_folder_of_any_name() {
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join("a [b] *.parquet %20é");
    let sql = Sql::open(&store(&odd)).unwrap();
    assert_eq!(ints(&sql, "SELECT COUNT(*) AS n FROM outcomes"), [[5]]);
}
