//! Rows of data sets of SWE-agent's runs: chats with instance, patch and verdict, one run a line. Built from the descriptions of
//! the data sets.
//!
//! Never here: SWE-agent's own files.

mod fenced;
mod nebius;
mod swe_smith;

pub use nebius::NEBIUS;
pub use swe_smith::SWE_SMITH;
