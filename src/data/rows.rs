//! Rows of the tables that are compiled in: a head, then one row a line, no quotes (a test holds that).

/// The rows behind the head; lines of another number of fields are a fault of ours, which the tests find.
pub(super) fn rows(table: &'static str, fields: usize) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table.lines().skip(1).filter(|line| !line.is_empty());
    lines.map(|line| line.split(',').collect::<Vec<_>>()).filter(move |row| row.len() == fields)
}
