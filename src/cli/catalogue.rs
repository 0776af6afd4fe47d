//! x
use super::{arguments::*, error::*};
pub fn list(_: &ListArguments) -> Result<Exit, CommandError> {
    Ok(Exit::Done)
}
pub fn explain(_: &ExplainArguments) -> Result<Exit, CommandError> {
    Ok(Exit::Done)
}
