//! Tags against labelled turns: what readers said of single turns beside what the rules said of them, counted. Reads no
//! store and draws nothing; `definitions.md` §3 and §4 say what a label means, `statistics.md` §3 how intervals are made.

mod accuracy;
mod answer;
mod compare;
mod counts;
mod label;
mod sample;
mod tables;

pub use accuracy::{LabelSet, accuracy};
pub use answer::{Answer, Edit, Test, parse_outcome, parse_quality};
pub use compare::{Difference, Judgement, Measure, Pair, differences};
pub use counts::{Counts, F1, Rate};
pub use label::{Label, LabelFile, Refused, empty, parse};
pub use sample::{Drawn, Stratum, draw};
pub use tables::tables;
