//! Keys: 64-bit names of a text, to tell whether two texts are the same (`definitions.md` §6, the same action).
//!
//! Never a security digest, never printed and never stored; equal on every machine.

/// Odd numbers without a pattern, from the digits of pi and e.
const SEED: u64 = 0x243f_6a88_85a3_08d3;
const LEFT: u64 = 0x1319_8a2e_0370_7345;
const RIGHT: u64 = 0xb7e1_5162_8aed_2a6b;

/// Key of several texts in order; the lengths enter it, so that ("ab", "c") and ("a", "bc") differ. Every observation
/// that comes twice goes through here, so it reads sixteen bytes at a time.
pub(super) fn key(parts: &[&str]) -> u64 {
    let mut state = SEED;
    for part in parts {
        state = folded(state ^ part.len() as u64, RIGHT);
        let (blocks, rest) = part.as_bytes().as_chunks::<16>();
        for block in blocks {
            state = with(state, block);
        }
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        state = with(state, &last);
    }
    folded(state, LEFT)
}

fn with(state: u64, block: &[u8; 16]) -> u64 {
    let block = u128::from_le_bytes(*block);
    folded(block as u64 ^ LEFT, (block >> 64) as u64 ^ state)
}

/// The two halves of a product laid over each other: each bit of either number moves all others.
fn folded(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::key;

    #[test]
    fn parts_their_borders_and_every_byte_enter() {
        let long = "0123456789abcdefghijklmnopqrstuv";
        let changed = (0..long.len()).map(|at| format!("{}_{}", &long[..at], &long[at + 1..]));
        let mut keys: Vec<u64> = changed.map(|text| key(&[&text])).collect();
        keys.extend([key(&[long]), key(&[]), key(&[""]), key(&["", ""]), key(&["\0"]), key(&["ab", "c"])]);
        keys.extend([key(&["a", "bc"]), key(&["abc"])]);
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
        assert_eq!(key(&[long]), key(&[long]));
    }
}
