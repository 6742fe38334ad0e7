//! The ledger: the part of each URL, by the hash of the URL.

use std::io;

use super::SHARES;
use super::buckets::Buckets;

/// Bytes of a line: hash and part.
const LINE: usize = 20;

pub fn push_line(out: &mut Vec<u8>, key: u128, part: u32) {
    out.extend_from_slice(&key.to_le_bytes());
    out.extend_from_slice(&part.to_le_bytes());
}

pub fn lines(bytes: &[u8]) -> Vec<(u128, u32)> {
    let line = |line: &[u8]| {
        let (key, part) = line.split_at(size_of::<u128>());
        (
            u128::from_le_bytes(key.try_into().unwrap_or_default()),
            u32::from_le_bytes(part.try_into().unwrap_or_default()),
        )
    };
    bytes.chunks_exact(LINE).map(line).collect()
}

/// The lines of a ledger, which are sorted as they are read.
pub struct Ledger {
    lines: Buckets,
}

impl Ledger {
    pub fn new(lines: Buckets) -> Self {
        Self { lines }
    }

    /// Returns the lines of one share of `SHARES`, sorted; the shares are in order.
    pub fn share(&self, at: usize) -> io::Result<Vec<(u128, u32)>> {
        debug_assert!(at < SHARES);
        let mut lines = lines(&self.lines.read(at)?);
        lines.sort_unstable();
        lines.dedup_by_key(|(key, _)| *key);
        Ok(lines)
    }
}
