//! Tests of readers and of turn lines.

mod turn_lines;
