//! The key of a URL in a set that stays in its parts.

use crate::value::url::normal;

/// The hash of the normal form of a URL, which identifies it in the ledger. Two of 100 million URLs have the same 64-bit hash with a
/// probability of 1 in 3,700, but the same 128-bit hash never.
pub fn key_of(url: &str) -> u128 {
    twox_hash::XxHash3_128::oneshot(normal(url).as_bytes())
}
