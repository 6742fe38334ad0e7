//! How much of a part is used.

use crate::write::Options;
use crate::write::encode::Written;
use crate::write::encode::namespaces::Namespaces;
use crate::write::part::Frame;

/// Parts that are used less than this, in thousandths of any limit, are merged.
pub const UNDERUSED: u64 = 700;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub entries: u64,
    /// Bytes of the entries, without header and footer.
    pub bytes: u64,
    pub news: u64,
    pub namespaces: Namespaces,
}

impl Usage {
    pub fn of(written: &Written, bytes: usize) -> Self {
        Self {
            entries: 1,
            bytes: bytes as u64,
            news: u64::from(written.news),
            namespaces: written.namespaces,
        }
    }

    /// Returns the usage of a part with both.
    pub fn with(self, other: Self) -> Self {
        Self {
            entries: self.entries + other.entries,
            bytes: self.bytes + other.bytes,
            news: self.news + other.news,
            namespaces: self.namespaces | other.namespaces,
        }
    }

    pub fn is_within(&self, frame: &Frame, options: &Options) -> bool {
        self.entries <= options.max_entries
            && self.news <= options.max_news
            && frame.length(self.namespaces, options) + self.bytes <= options.max_bytes
    }

    /// Returns the share of the limit that is used most, in thousandths.
    pub fn thousandths(&self, frame: &Frame, options: &Options) -> u64 {
        let bytes = frame.length(self.namespaces, options) + self.bytes;
        (self.entries * 1000 / options.max_entries)
            .max(self.news * 1000 / options.max_news)
            .max(bytes * 1000 / options.max_bytes)
    }
}
