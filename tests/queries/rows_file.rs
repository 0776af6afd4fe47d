//! A `.rows` file (style.md §9): tables with rows, a query with the types of its columns, and below `----` the rows
//! that it must give; where each type follows a name (`arm text`), only these columns are looked at. `#` begins a
//! comment line; rows stand on lines of their own or between `·`; a text with blanks stands in quotes; `null` is
//! null. Columns of a table that are not named are null where they may be, else `-`, 0 or false; its key must be
//! named.

use std::path::{Path, PathBuf};

use ethogram::store::{ColumnType, Contents, Frame, Row, Schema, Store, StoreWriter, Value, schema};

/// A `.rows` file.
pub struct RowsFile {
    path: PathBuf,
    tables: Vec<InputTable>,
    /// Code of the query.
    pub query: String,
    types: Vec<String>,
    want: Vec<String>,
}

struct InputTable {
    schema: &'static Schema,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl RowsFile {
    /// Reads a file; panics with file and line where it is none.
    pub fn read(path: &Path) -> RowsFile {
        let text = std::fs::read_to_string(path).unwrap();
        let (head, want) = text.split_once("\n----").unwrap_or_else(|| panic!("{}: no ----", path.display()));
        let mut file = RowsFile {
            path: path.to_owned(),
            tables: Vec::new(),
            query: String::new(),
            types: Vec::new(),
            want: want.lines().skip(1).map(str::to_owned).collect(),
        };
        for (number, line) in
            head.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        {
            let place = format!("{}:{}", path.display(), number + 1);
            file.read_line(line, &place);
        }
        assert!(!file.query.is_empty(), "{}: no query", path.display());
        file
    }

    fn read_line(&mut self, line: &str, place: &str) {
        let list = |text: &str| text.split(',').map(|name| name.trim().to_owned()).collect::<Vec<_>>();
        let headed = |word: &str| {
            let (name, rest) = line.strip_prefix(word)?.split_once('(')?;
            Some((name.trim().to_owned(), list(rest.strip_suffix(')')?)))
        };
        if let Some((name, columns)) = headed("table ") {
            let schema = schema(&name).unwrap_or_else(|| panic!("{place}: no table {name}"));
            for key in &schema.key {
                assert!(columns.iter().any(|column| column == key), "{place}: {name} lacks its key {key}");
            }
            self.tables.push(InputTable { schema, columns, rows: Vec::new() });
        } else if let Some((code, types)) = headed("query ") {
            (self.query, self.types) = (code, types);
        } else {
            let table = self.tables.last_mut().unwrap_or_else(|| panic!("{place}: a row before a table"));
            for row in line.split('·') {
                let values = tokens(row);
                assert_eq!(values.len(), table.columns.len(), "{place}: {row}");
                table.rows.push(values);
            }
        }
    }

    /// Makes a store of the input tables.
    pub fn store(&self, path: &Path) -> Store {
        let mut writer = Store::create_or_open(path).unwrap().writer().unwrap();
        for table in &self.tables {
            table.write(&mut writer);
        }
        writer.commit(Contents::default()).unwrap()
    }

    /// The columns of which the file speaks: all, or those that it names.
    fn looked_at(&self, frame: &Frame) -> Frame {
        let names: Vec<&str> = self.types.iter().filter_map(|word| Some(word.split_once(' ')?.0)).collect();
        if names.is_empty() {
            return frame.clone();
        }
        let place = self.path.display();
        let position =
            |name: &&str| frame.position(name).unwrap_or_else(|| panic!("{place}: no column {name}"));
        let places: Vec<usize> = names.iter().map(position).collect();
        Frame {
            columns: places.iter().map(|place| frame.columns[*place].clone()).collect(),
            rows: frame
                .rows
                .iter()
                .map(|row| places.iter().map(|place| row[*place].clone()).collect())
                .collect(),
        }
    }

    /// What differs from the wanted types and rows, a line each.
    pub fn differences(&self, frame: &Frame) -> Vec<String> {
        let place = self.path.display();
        let frame = &self.looked_at(frame);
        let mut found = Vec::new();
        let wanted: Vec<&str> =
            self.types.iter().map(|word| word.rsplit(' ').next().unwrap_or(word)).collect();
        let types = types_of(frame);
        if types != wanted {
            found.push(format!(
                "{place}: types\n  want: {}\n  got:  {}",
                wanted.join(", "),
                types.join(", ")
            ));
        }
        let got = printed(frame);
        for index in 0..got.len().max(self.want.len()) {
            let row = |rows: &[String]| rows.get(index).map_or("<no row>", String::as_str).to_owned();
            let (want, got) = (row(&self.want), row(&got));
            if want != got {
                found.push(format!("{place}: row {index}\n  want: {want}\n  got:  {got}"));
            }
        }
        found
    }

    /// Writes the rows below `----`.
    pub fn update(&self, frame: &Frame) {
        let text = std::fs::read_to_string(&self.path).unwrap();
        let (head, _) = text.split_once("\n----").unwrap();
        let rows: String = printed(&self.looked_at(frame)).iter().map(|row| format!("{row}\n")).collect();
        std::fs::write(&self.path, format!("{head}\n----\n{rows}")).unwrap();
    }
}

impl InputTable {
    fn write(&self, writer: &mut StoreWriter) {
        for values in &self.rows {
            let table = writer.table(self.schema.table).unwrap();
            let mut row = table.row();
            for column in &self.schema.columns {
                let given =
                    self.columns.iter().position(|name| name == column.name).map(|i| values[i].as_str());
                match given {
                    Some("null") => {}
                    Some(text) => set(&mut row, column.name, column.kind, text),
                    None if column.nullable => {}
                    None => set(&mut row, column.name, column.kind, default_of(column.kind)),
                }
            }
            row.done().unwrap();
        }
    }
}

fn default_of(kind: ColumnType) -> &'static str {
    match kind {
        ColumnType::Text => "-",
        ColumnType::Bool => "false",
        ColumnType::Int | ColumnType::Float | ColumnType::Time => "0",
    }
}

fn set(row: &mut Row, column: &str, kind: ColumnType, text: &str) {
    match kind {
        ColumnType::Text => row.text(column, text),
        ColumnType::Int => row.int(column, text.parse().unwrap()),
        ColumnType::Float => row.opt_float(column, Some(text.parse().unwrap())),
        ColumnType::Bool => row.flag(column, text.parse().unwrap()),
        ColumnType::Time => row.opt_time(column, Some(text.parse().unwrap())),
    };
}

/// Values of a row, in quotes where they hold blanks.
fn tokens(row: &str) -> Vec<String> {
    let mut values = Vec::new();
    let mut rest = row.trim();
    while !rest.is_empty() {
        let (value, behind) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').expect("a quote is closed"),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        values.push(value.to_owned());
        rest = behind.trim_start();
    }
    values
}

fn types_of(frame: &Frame) -> Vec<String> {
    let word = |kind| match kind {
        ColumnType::Text => "text",
        ColumnType::Int => "int",
        ColumnType::Float => "float",
        ColumnType::Bool => "bool",
        ColumnType::Time => "time",
    };
    frame.columns.iter().map(|column| word(column.kind).to_owned()).collect()
}

fn printed(frame: &Frame) -> Vec<String> {
    frame.rows.iter().map(|row| row.iter().map(print).collect::<Vec<_>>().join(" ")).collect()
}

fn print(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Text(text) if text.is_empty() || text.contains(' ') => format!("\"{text}\""),
        Value::Text(text) => text.to_string(),
        Value::Int(number) | Value::Time(number) => number.to_string(),
        // Last bits differ by engine and machine.
        Value::Float(number) => format!("{number:.9}").trim_end_matches('0').trim_end_matches('.').to_owned(),
        Value::Bool(flag) => flag.to_string(),
    }
}
