//! Tables and what they rest on.
