//! The seven values of changefreq. <https://www.sitemaps.org/protocol.html#changefreqdef>

pub const CHANGEFREQS: [&str; 7] = ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"];

#[inline]
pub fn is_changefreq(word: &str) -> bool {
    CHANGEFREQS.contains(&word)
}

/// Returns whether a value says that the page changes at least daily.
#[inline]
pub fn is_often(word: &str) -> bool {
    CHANGEFREQS[..3].contains(&word)
}
