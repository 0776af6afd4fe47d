//! Result files: recognised from content, read into verdicts.
