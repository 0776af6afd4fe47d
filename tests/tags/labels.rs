//! Turns and trajectories labelled by reading (`labels/README.md`): what the rules find against what a reader found.
//! Prints precision, recall and every disagreement; slow, since it reads the real logs out of their archives.

mod archives;
mod trajectories;
mod turns;
