//! The seven words of changefreq. <https://www.sitemaps.org/protocol.html#changefreqdef>

pub const CHANGEFREQS: [&str; 7] = ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"];

#[inline]
pub fn is_changefreq(word: &str) -> bool {
    CHANGEFREQS.contains(&word)
}

/// Whether a word says that a page changes within a day.
#[inline]
pub fn is_often(word: &str) -> bool {
    CHANGEFREQS[..3].contains(&word)
}
