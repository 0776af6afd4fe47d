//! Turn lines: the one text form of a trajectory (`style.md` §6).
