//! Entries by the thousand: their source, and their encoded form before they are assigned to a part.
//!
//! Encoding needs only the entry, so that any thread can do it. Everything that depends on earlier entries, such as
//! whether a URL was already written and whether the part has room, is decided later, in order.

use super::encode::namespaces::Namespaces;
use super::encode::{Encoder, Written};
use super::refusal::{Reason, Refusal};
use super::urls::Urls;

/// A number of entries, wherever they are stored.
pub trait Rows: Send {
    /// Encodes all entries in order.
    fn encode(&mut self, encoder: &mut Encoder, out: &mut Encoded);

    /// Returns the number of the entry at an index, counted over all passed in, and its URL as given; used for
    /// messages.
    fn given(&self, place: usize) -> (u64, String);

    /// Returns the number of the entry at an index, counted over all passed in.
    fn number(&self, place: usize) -> u64;

    /// Number of entries, including those that will be refused.
    fn count(&self) -> usize;
}

/// One entry or field that was left out.
#[derive(Clone, Debug)]
pub struct Omission {
    /// The index of the entry among the rows that it came with.
    pub place: usize,
    /// The number of the entry among all passed in, from 1.
    pub number: u64,
    /// Its URL as given.
    pub loc: String,
    pub refusal: Refusal,
    /// Whether the whole entry was left out, rather than only a field.
    pub whole: bool,
}

/// One encoded entry.
#[derive(Clone, Copy)]
pub struct Row {
    /// Where it ends in the bytes; it starts where the previous one ends.
    pub end: usize,
    /// Its index among the rows that it comes from.
    pub place: usize,
    pub written: Written,
}

/// The result of encoding some rows.
#[derive(Default)]
pub struct Encoded {
    pub bytes: Vec<u8>,
    pub rows: Vec<Row>,
    pub tally: Tally,
    pub omissions: Vec<Omission>,
}

impl Encoded {
    /// Records the result for the entry at an index; its bytes are at the end of `bytes` unless it was refused.
    #[inline]
    pub fn note(
        &mut self,
        place: usize,
        outcome: Result<Written, Refusal>,
        encoder: &mut Encoder,
        given: impl Fn() -> (u64, String),
    ) {
        let omission = |refusal, whole| omission(place, given(), refusal, whole);
        match outcome {
            Ok(written) => {
                self.tally.add(&written);
                self.rows.push(Row {
                    end: self.bytes.len(),
                    place,
                    written,
                });
                if !encoder.dropped.is_empty() {
                    let dropped = std::mem::take(&mut encoder.dropped);
                    self.omissions
                        .extend(dropped.into_iter().map(|refusal| omission(refusal, false)));
                }
            }
            Err(refusal) => self.omissions.push(omission(refusal, true)),
        }
    }

    /// Records that the entry at an index is left out after all, because its URL was already written.
    #[cold]
    pub fn refuse_repeated(&mut self, place: usize, given: (u64, String)) {
        self.omissions.retain(|one| one.place != place || one.whole);
        let written = Urls::default()
            .good(&given.1, "loc")
            .map_or_else(|_| given.1.clone(), |good| good.text.into_owned());
        let refusal = Refusal::new(Reason::Duplicate, "loc", "", &written);
        self.omissions.push(omission(place, given, refusal, true));
    }

    /// Returns what was left out, in the order of the entries.
    pub fn take_omissions(&mut self) -> Vec<Omission> {
        self.omissions.sort_by_key(|one| one.place);
        std::mem::take(&mut self.omissions)
    }

    /// Clears it, but keeps its capacity.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.rows.clear();
        self.tally = Tally::default();
        self.omissions.clear();
    }
}

#[cold]
pub fn omission(place: usize, (number, loc): (u64, String), refusal: Refusal, whole: bool) -> Omission {
    Omission {
        place,
        number,
        loc,
        refusal,
        whole,
    }
}

/// Counts over the entries that were written.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub entries: u64,
    pub namespaces: Namespaces,
    /// The newest lastmod, in microseconds since 1970.
    pub newest: Option<i64>,
    /// Entries with a lastmod.
    pub dated: u64,
    pub alternates: u64,
    pub images: u64,
    pub videos: u64,
    pub news: u64,
    /// Images with a field that Google has deprecated.
    pub deprecated: u64,
    /// Those fields: a bit for each of `DEPRECATED`.
    pub deprecated_fields: u8,
    /// Entries whose URL had XML escapes, which were undone.
    pub unescaped: u64,
}

impl Tally {
    #[inline]
    pub fn add(&mut self, written: &Written) {
        self.entries += 1;
        self.newest = self.newest.max(written.lastmod);
        self.dated += u64::from(written.lastmod.is_some());
        self.unescaped += u64::from(written.unescaped);
        if written.namespaces != 0 {
            self.namespaces |= written.namespaces;
            self.alternates += u64::from(written.alternates);
            self.images += u64::from(written.images);
            self.videos += u64::from(written.videos);
            self.news += u64::from(written.news);
            self.deprecated += u64::from(written.deprecated);
            self.deprecated_fields |= written.deprecated_fields;
        }
    }

    pub fn of(written: &Written) -> Self {
        let mut tally = Self::default();
        tally.add(written);
        tally
    }

    pub fn merge(&mut self, other: &Self) {
        self.entries += other.entries;
        self.namespaces |= other.namespaces;
        self.newest = self.newest.max(other.newest);
        self.dated += other.dated;
        self.alternates += other.alternates;
        self.images += other.images;
        self.videos += other.videos;
        self.news += other.news;
        self.deprecated += other.deprecated;
        self.deprecated_fields |= other.deprecated_fields;
        self.unescaped += other.unescaped;
    }
}
