//! CSV with quotes (RFC 4180): text becomes records of fields. Owns no meaning of columns, never reads a file.

/// Records of a CSV text, each a list of fields. Quoted fields may hold commas, line breaks and doubled quotes;
/// empty lines are skipped; an unclosed quote ends with the text.
pub fn records(text: &str) -> Vec<Vec<String>> {
    numbered_records(text).into_iter().map(|(_, record)| record).collect()
}

/// The same, each with the line on which it begins, from 1.
pub fn numbered_records(text: &str) -> Vec<(usize, Vec<String>)> {
    let mut records = Vec::new();
    let (mut line, mut began) = (1, 1);
    let mut record: Vec<String> = Vec::new();
    let mut field = String::new();
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(letter) = chars.next() {
        match letter {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if field.is_empty() => quoted = true,
            ',' if !quoted => record.push(std::mem::take(&mut field)),
            '\r' if !quoted && chars.peek() == Some(&'\n') => {}
            '\n' if !quoted => {
                end_record(&mut records, began, &mut record, &mut field);
                line += 1;
                began = line;
            }
            other => {
                line += usize::from(other == '\n');
                field.push(other);
            }
        }
    }
    end_record(&mut records, began, &mut record, &mut field);
    records
}

/// Closes a record, unless its line was empty.
fn end_record(
    records: &mut Vec<(usize, Vec<String>)>,
    began: usize,
    record: &mut Vec<String>,
    field: &mut String,
) {
    if record.is_empty() && field.is_empty() {
        return;
    }
    record.push(std::mem::take(field));
    records.push((began, std::mem::take(record)));
}
