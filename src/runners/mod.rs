//! Test runners: commands recognised, output read.
