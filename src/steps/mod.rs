//! Steps of a study.
