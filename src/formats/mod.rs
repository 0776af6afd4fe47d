//! Log formats: recognised from content, read into trajectories.
