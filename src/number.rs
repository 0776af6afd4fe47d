//! A number becomes text: the only place.
