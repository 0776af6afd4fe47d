//! Charts: a series becomes SVG and PNG. The only users of plotters and resvg.

pub mod palette;
