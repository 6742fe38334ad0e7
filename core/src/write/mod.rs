//! Entries to the bytes of sitemaps, in constant memory, every byte counted before it is kept.
//!
//! `entry` is what is written, `encode` judges it with the grammars of `value` and makes XML of it, for `rows` by the
//! thousand; `workers` have that done on every core for a `set`, `places` gives what comes out its place in a `part`, and
//! `save` puts full parts on disk. What is refused is a `Refusal`: nothing is mended in silence and nothing that the rules would
//! flag as an error or a warning is written.

mod check;
mod dates;
mod days;
pub mod encode;
pub mod entry;
pub mod escape;
pub mod file;
pub mod gathered;
pub mod index;
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
pub mod stream;
#[cfg(test)]
mod tests;
pub mod urls;
mod workers;

use urls::Base;

/// In which form lastmod is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dates {
    /// The day alone, in UTC where a time was given.
    Day,
    /// The day alone, as it was where the time was given: the one before the offset is applied.
    LocalDay,
    /// Date and time with offset, where a time was given.
    Time,
}

/// How entries are judged and written. The limits can be set downwards only; the face sees to it.
#[derive(Clone, Debug)]
pub struct Options {
    pub max_entries: u64,
    pub max_bytes: u64,
    pub max_news: u64,
    /// What relative URLs are resolved against; none where they are refused.
    pub base: Option<Base>,
    /// Hosts that entries may be on, in lower case; empty for any.
    pub hosts: Vec<String>,
    pub dates: Dates,
    pub require_lastmod: bool,
    /// The latest lastmod that is not in the future, in microseconds since 1970.
    pub latest: i64,
    /// Characters that XML forbids are left out instead of making the entry bad.
    pub strip: bool,
    /// A bad field that an entry can do without is left out instead of making the entry bad.
    pub drop_fields: bool,
    /// Doubtful URLs and dates are written all the same.
    pub doubtful: bool,
    /// Names of parameters, in lower case, that make a URL doubtful; none for the usual ones.
    pub sensitive: Option<Vec<String>>,
    /// A URL that was written before is refused.
    pub unique: bool,
    pub pretty: bool,
    /// The address of an XSL style sheet.
    pub stylesheet: Option<String>,
    /// Level of compression; none for plain files.
    pub gzip: Option<u32>,
    /// Prefixes and addresses of the namespaces of the user's own.
    pub namespaces: Vec<(String, String)>,
    /// How many of the entries with the newest lastmod are remembered.
    pub newest: usize,
}
