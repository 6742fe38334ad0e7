//! Entries by the thousand: where they come from, and what the encoder made of them before they have a place in a set.
//!
//! Encoding needs nothing but the entry, so that any thread can do it; what depends on the entries before, whether a
//! URL was written already and whether the part has room, is settled later, in order.

use super::encode::namespaces::Namespaces;
use super::encode::{Encoder, Written};
use super::refusal::{Reason, Refusal};
use super::urls::Urls;

/// Some entries, wherever they lie.
pub trait Rows: Send {
    /// Encodes every one in its order.
    fn encode(&mut self, encoder: &mut Encoder, out: &mut Encoded);

    /// For messages: which entry stands at a place, counted over all that were offered, and its URL as given.
    fn given(&self, place: usize) -> (u64, String);

    /// How many there are, to be encoded or told of.
    fn count(&self) -> usize;
}

/// What is told of one refusal.
#[derive(Clone, Debug)]
pub struct Told {
    /// The place of the entry among the rows that it came with.
    pub place: usize,
    /// Which entry it was of all that were offered, from 1.
    pub number: u64,
    /// Its URL as given.
    pub loc: String,
    pub refusal: Refusal,
    /// Whether the whole entry was left out, and not a field alone.
    pub whole: bool,
}

/// One entry that was encoded.
#[derive(Clone, Copy)]
pub struct Row {
    /// Where it ends in the bytes; it begins where the one before it ends.
    pub end: usize,
    /// Its place among the rows that it comes from.
    pub place: usize,
    pub written: Written,
}

/// What became of some rows.
#[derive(Default)]
pub struct Encoded {
    pub bytes: Vec<u8>,
    pub rows: Vec<Row>,
    pub tally: Tally,
    pub told: Vec<Told>,
}

impl Encoded {
    /// Takes note of the entry at a place, whose bytes stand at the end of `bytes` if it was not refused.
    #[inline]
    pub fn note(
        &mut self,
        place: usize,
        outcome: Result<Written, Refusal>,
        encoder: &mut Encoder,
        given: impl Fn() -> (u64, String),
    ) {
        let told = |refusal, whole| told(place, given(), refusal, whole);
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
                    self.told
                        .extend(dropped.into_iter().map(|refusal| told(refusal, false)));
                }
            }
            Err(refusal) => self.told.push(told(refusal, true)),
        }
    }

    /// Takes note that the entry at a place is left out after all, since its URL was written before.
    #[cold]
    pub fn refuse_repeated(&mut self, place: usize, given: (u64, String)) {
        self.told.retain(|one| one.place != place || one.whole);
        let written = Urls::default()
            .good(&given.1, "loc")
            .map_or_else(|_| given.1.clone(), |good| good.text.into_owned());
        let refusal = Refusal::new(Reason::Duplicate, "loc", "", &written);
        self.told.push(told(place, given, refusal, true));
    }

    /// What was left out, in the order of the entries.
    pub fn take_told(&mut self) -> Vec<Told> {
        self.told.sort_by_key(|one| one.place);
        std::mem::take(&mut self.told)
    }

    /// Empties it, and keeps its room.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.rows.clear();
        self.tally = Tally::default();
        self.told.clear();
    }
}

#[cold]
pub fn told(place: usize, (number, loc): (u64, String), refusal: Refusal, whole: bool) -> Told {
    Told {
        place,
        number,
        loc,
        refusal,
        whole,
    }
}

/// Counts over entries that were written.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub entries: u64,
    pub namespaces: Namespaces,
    /// The newest lastmod, in microseconds since 1970.
    pub newest: Option<i64>,
    pub alternates: u64,
    pub images: u64,
    pub videos: u64,
    pub news: u64,
    /// Images with a field that Google has deprecated.
    pub deprecated: u64,
    /// Which fields those are: a bit for each of `DEPRECATED`.
    pub deprecated_fields: u8,
    /// Entries with a URL that was escaped as in XML.
    pub unescaped: u64,
}

impl Tally {
    #[inline]
    pub fn add(&mut self, written: &Written) {
        self.entries += 1;
        self.newest = self.newest.max(written.lastmod);
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
        self.alternates += other.alternates;
        self.images += other.images;
        self.videos += other.videos;
        self.news += other.news;
        self.deprecated += other.deprecated;
        self.deprecated_fields |= other.deprecated_fields;
        self.unescaped += other.unescaped;
    }
}
