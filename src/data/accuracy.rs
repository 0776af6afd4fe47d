//! `rule_accuracy.csv`: how the shipped rules fared on turns that people labelled, by tag and format. Written by
//! `ethogram labels STORE FILE --accuracy OUT.csv`, printed in the foot of T4 and T5 and on every rule's page
//! (`statistics.md` §1, the foot). Owns no judgement: a share and its interval are made where they are printed.

use std::sync::LazyLock;

use super::csv::records;
use crate::model::TagName;

/// What the labels were to the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LabelUse {
    /// The rules were mended on them: what they show is an upper limit.
    Tuned,
    /// Nobody who wrote the rules had seen them.
    HeldBack,
}

impl LabelUse {
    /// The word in the file.
    pub const fn as_str(self) -> &'static str {
        match self {
            LabelUse::Tuned => "tuned",
            LabelUse::HeldBack => "held_back",
        }
    }

    /// The value of a word.
    pub fn parse(word: &str) -> Option<LabelUse> {
        [LabelUse::Tuned, LabelUse::HeldBack].into_iter().find(|known| known.as_str() == word)
    }
}

/// Columns of the file.
pub const COLUMNS: [&str; 18] = [
    "set",
    "date",
    "use",
    "tag",
    "version",
    "format",
    "turns",
    "trajectories",
    "tp",
    "fn",
    "fp",
    "tn",
    "precision_low",
    "precision_high",
    "recall_low",
    "recall_high",
    "specificity_low",
    "specificity_high",
];

/// One tag on the labelled turns of one format, or of all.
#[derive(Clone, Debug, PartialEq)]
pub struct Accuracy {
    /// Name of the set of labels.
    pub set: String,
    /// Day on which it was measured.
    pub date: String,
    /// What the labels were to the rules.
    pub labels: LabelUse,
    /// Tag.
    pub tag: TagName,
    /// Version of the family that was measured.
    pub version: i64,
    /// Format; `None` for all together.
    pub format: Option<String>,
    /// Labelled turns.
    pub turns: i64,
    /// Their trajectories.
    pub trajectories: i64,
    /// Turns that both tag.
    pub both: i64,
    /// Turns that only the label tags.
    pub only_label: i64,
    /// Turns that only the rule tags.
    pub only_rule: i64,
    /// Turns that neither tags.
    pub neither: i64,
    /// 95 % interval of the precision, clustered by trajectory; `None` below two trajectories.
    pub precision: Option<(f64, f64)>,
    /// The same of the sensitivity.
    pub recall: Option<(f64, f64)>,
    /// The same of the specificity.
    pub specificity: Option<(f64, f64)>,
}

impl Accuracy {
    /// Of the turns that the label tags, those that the rule tags.
    pub fn sensitivity(&self) -> (i64, i64) {
        (self.both, self.both + self.only_label)
    }

    /// Of the turns that the label does not tag, those that the rule does not tag.
    pub fn specificity(&self) -> (i64, i64) {
        (self.neither, self.neither + self.only_rule)
    }

    /// Of the turns that the rule tags, those that the label tags.
    pub fn precision(&self) -> (i64, i64) {
        (self.both, self.both + self.only_rule)
    }
}

static ROWS: LazyLock<Vec<Accuracy>> = LazyLock::new(|| {
    let rows = records(include_str!("rule_accuracy.csv")).into_iter().skip(1);
    rows.map(|record| row(&record).expect("each row of rule_accuracy.csv has all columns")).collect()
});

fn row(record: &[String]) -> Option<Accuracy> {
    let field = |name: &str| {
        let place = COLUMNS.iter().position(|column| *column == name)?;
        record.get(place).map(String::as_str)
    };
    let count = |name: &str| field(name)?.parse::<i64>().ok();
    // An empty pair is an interval that is not defined; a broken one is no row.
    let interval = |low: &str, high: &str| match (field(low)?, field(high)?) {
        ("", "") => Some(None),
        (low, high) => Some(Some((low.parse().ok()?, high.parse().ok()?))),
    };
    Some(Accuracy {
        set: field("set")?.to_owned(),
        date: field("date")?.to_owned(),
        labels: LabelUse::parse(field("use")?)?,
        tag: TagName::parse(field("tag")?)?,
        version: count("version")?,
        format: Some(field("format")?.to_owned()).filter(|format| format != "all"),
        turns: count("turns")?,
        trajectories: count("trajectories")?,
        both: count("tp")?,
        only_label: count("fn")?,
        only_rule: count("fp")?,
        neither: count("tn")?,
        precision: interval("precision_low", "precision_high")?,
        recall: interval("recall_low", "recall_high")?,
        specificity: interval("specificity_low", "specificity_high")?,
    })
}

/// All rows, in the order of the file.
pub fn rows() -> &'static [Accuracy] {
    &ROWS
}

/// The rows of one set that was held back, where there is one, else of the set that the rules were tuned on: on a format,
/// or on all together.
pub fn on(format: Option<&str>) -> Vec<&'static Accuracy> {
    let best = ROWS.iter().map(|row| row.labels).max();
    ROWS.iter().filter(|row| Some(row.labels) == best && row.format.as_deref() == format).collect()
}
