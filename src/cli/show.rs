//! x
use super::{arguments::*, error::*};
pub fn run(_: &ShowArguments) -> Result<Exit, CommandError> {
    Ok(Exit::Done)
}
