//! Behaviours of a trajectory.
