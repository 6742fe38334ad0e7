//! Writes entries as sitemaps, in constant memory, checking every value before it is written.
//!
//! `entry` is the input, `encode` checks it with the grammars of `value` and turns it into XML, for `rows` by the
//! thousand; `workers` run that on every core for a `set`, `places` puts the output in order into a `part`, and
//! `save` writes full parts to disk. `stable` keeps each URL in its part across builds. Anything rejected is a `Refusal`: nothing is corrected silently, and nothing is
//! written that the rules would report as an error or a warning.

mod check;
mod dates;
mod days;
pub mod encode;
pub mod entry;
pub mod escape;
pub mod file;
pub mod gathered;
pub mod index;
mod key;
mod links;
mod newest;
pub mod part;
mod places;
pub mod records;
pub mod refusal;
pub mod rows;
pub mod save;
mod seen;
pub mod set;
mod spare;
pub mod stable;
pub mod stream;
#[cfg(test)]
mod tests;
pub mod urls;
mod workers;

use urls::Base;

/// The form in which lastmod is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dates {
    /// Only the day, in UTC if a time was given.
    Day,
    /// Only the day, in local time: the one before the offset is applied.
    LocalDay,
    /// Date and time with offset, if a time was given.
    Time,
}

/// How entries are checked and written. The limits can only be lowered; the Python interface ensures that.
#[derive(Clone, Debug)]
pub struct Options {
    pub max_entries: u64,
    pub max_bytes: u64,
    pub max_news: u64,
    /// The base that relative URLs are resolved against; without it, they are refused.
    pub base: Option<Base>,
    /// Hosts that entries may be on, in lowercase; empty for any.
    pub hosts: Vec<String>,
    pub dates: Dates,
    pub require_lastmod: bool,
    /// The latest lastmod that does not count as future, in microseconds since 1970.
    pub latest: i64,
    /// Whether to remove characters that XML forbids, instead of refusing the entry.
    pub strip: bool,
    /// Whether to leave out an invalid optional field, instead of refusing the entry.
    pub drop_fields: bool,
    /// Whether to write doubtful URLs and dates.
    pub doubtful: bool,
    /// Names of parameters, in lowercase, that make a URL doubtful; `None` for the default list.
    pub sensitive: Option<Vec<String>>,
    /// Whether to refuse a URL that was already written.
    pub unique: bool,
    pub pretty: bool,
    /// The URL of an XSL stylesheet.
    pub stylesheet: Option<String>,
    /// Compression level; `None` for uncompressed files.
    pub gzip: Option<u32>,
    /// Prefixes and URIs of the custom namespaces.
    pub namespaces: Vec<(String, String)>,
    /// How many of the entries with the newest lastmod to remember.
    pub newest: usize,
    /// Maximum number of parts to merge, if each URL stays in its part from build to build.
    pub merges: Option<usize>,
}
