//! Keys: 64-bit names of a text, to tell whether two texts are the same (`definitions.md` §6, the same action).
//!
//! Never a security digest and never printed; equal on every machine.

/// Key of several texts in order; the lengths enter it, so that ("ab", "c") and ("a", "bc") differ.
pub(super) fn key(parts: &[&str]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let mut first = [0; 8];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(first)
}
