//! Finds the hreflang sets that are complete while documents are still being read, so that only the others are kept.
//!
//! Most sets are closed: every target has an entry with the same links. What rules across documents need to know of a
//! closed set is in its rows of `link_sets`, so its links are forgotten as soon as its last entry was read.

use std::collections::HashMap;
use std::mem::take;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::ArrowError;

use super::value_columns::Columns;

/// The targets of the first entries of a document are kept as text, too, for examples.
const ENTRIES_WITH_HREFS: i32 = 100;

const INTS: [&str; 9] = [
    "document_id",
    "ordinal",
    "line",
    "col",
    "links",
    "targets",
    "self_links",
    "default_links",
    "repeated_codes",
];
const LONGS: [&str; 4] = ["loc_hash", "targets_hash", "set_hash", "default_hash"];

/// A row of `link_sets`.
#[derive(Clone, Copy)]
struct Entry {
    ints: [i32; INTS.len()],
    longs: [i64; LONGS.len()],
    /// The place of its set.
    set: u32,
}

impl Entry {
    fn place(&self) -> (i32, i32) {
        (self.ints[0], self.ints[1])
    }

    fn targets(&self) -> i32 {
        self.ints[5]
    }

    fn loc_hash(&self) -> i64 {
        self.longs[0]
    }

    fn targets_hash(&self) -> i64 {
        self.longs[1]
    }

    fn set_hash(&self) -> i64 {
        self.longs[2]
    }
}

/// The entries with the same links. The set is closed if there are as many as it has targets, with the same URLs.
#[derive(Clone, Copy, Default)]
struct Members {
    entries: i32,
    locs: i64,
}

impl Members {
    fn add(&mut self, entry: &Entry) {
        self.entries += 1;
        self.locs ^= entry.loc_hash();
    }

    fn are_all(&self, entry: &Entry) -> bool {
        self.entries == entry.targets() && self.locs == entry.targets_hash()
    }
}

struct Set {
    hash: i64,
    members: Members,
    /// Those of the rows that were added last, to which this is the number.
    last: (u32, Members),
    is_closed: bool,
    /// Whether a target is invalid: rules ignore it, and the entries of the set do not tell which one it is.
    has_problem: bool,
    /// The first of its links, and their number.
    links: (usize, usize),
}

struct Href {
    place: (i32, i32),
    set: u32,
    hash: i64,
    text: Box<str>,
}

/// The sets that are not closed, with their entries and links.
#[derive(Default)]
pub struct OpenSets {
    /// Minimum number of entries between two removals of closed sets. There are at least as many as were left by the
    /// last removal, so that all of them together take linear time.
    between_removals: usize,
    sets: Vec<Set>,
    /// The place of each set by its hash.
    places: HashMap<i64, u32>,
    /// Where the next set is expected: documents mostly have the same pages in the same order.
    next: usize,
    /// The hashes of the valid targets of each set, in the order of the sets.
    links: Vec<i64>,
    entries: Vec<Entry>,
    hrefs: Vec<Href>,
    /// Bytes of the texts of hrefs.
    text_bytes: usize,
    closed: Vec<Entry>,
    additions: u32,
    /// Entries after the last removal.
    left: usize,
}

impl OpenSets {
    pub fn new(between_removals: usize) -> Self {
        Self {
            between_removals,
            ..Self::default()
        }
    }

    /// Adds the rows of whole documents, and returns how many of their sets these rows alone do not close.
    ///
    /// Both tables are in the order of documents and entries. Every row of `link_sets` has its links in `alternates`.
    pub fn add(&mut self, link_sets: &[RecordBatch], alternates: &[RecordBatch]) -> Result<usize, ArrowError> {
        self.additions += 1;
        let mut open = 0;
        let mut links = Links::of(alternates)?;
        for batch in link_sets {
            let ints =
                named(batch, INTS, |array| array.as_primitive_opt::<Int32Type>())?.map(|column| &**column.values());
            let longs =
                named(batch, LONGS, |array| array.as_primitive_opt::<Int64Type>())?.map(|column| &**column.values());
            self.entries.reserve(batch.num_rows());
            for row in 0..batch.num_rows() {
                let mut entry = Entry {
                    ints: ints.map(|column| column[row]),
                    longs: longs.map(|column| column[row]),
                    set: 0,
                };
                if !links.find(entry.place()) {
                    let (document, ordinal) = entry.place();
                    let message = format!("entry {ordinal} of document {document} has no links");
                    return Err(ArrowError::InvalidArgumentError(message));
                }
                entry.set = self.set_of(&entry, &links)?;
                let (is_open, was_open) = self.add_entry(entry, &links);
                open = open + usize::from(is_open) - usize::from(was_open);
            }
        }
        if self.entries.len() >= self.left + self.left.max(self.between_removals) {
            self.remove_closed();
        }
        Ok(open)
    }

    /// Returns the place of the set of an entry, which is added if it is new.
    fn set_of(&mut self, entry: &Entry, links: &Links<'_>) -> Result<u32, ArrowError> {
        let hash = entry.set_hash();
        let is_next = self.sets.get(self.next).is_some_and(|set| set.hash == hash);
        let known = if is_next {
            Some(self.next as u32)
        } else {
            self.places.get(&hash).copied()
        };
        let place = match known {
            Some(place) => place,
            None => {
                let place =
                    u32::try_from(self.sets.len()).map_err(|_| ArrowError::MemoryError("too many sets".into()))?;
                let first = self.links.len();
                let has_problem = links.valid(|hash, _| self.links.push(hash));
                self.sets.push(Set {
                    hash,
                    members: Members::default(),
                    last: (self.additions, Members::default()),
                    is_closed: false,
                    has_problem,
                    links: (first, self.links.len() - first),
                });
                self.places.insert(hash, place);
                place
            }
        };
        self.next = place as usize + 1;
        Ok(place)
    }

    /// Adds an entry, and returns whether its set is open by the rows added last alone, and whether it was before.
    fn add_entry(&mut self, entry: Entry, links: &Links<'_>) -> (bool, bool) {
        let set = &mut self.sets[entry.set as usize];
        if set.last.0 != self.additions {
            set.last = (self.additions, Members::default());
        }
        let was_open = set.last.1.entries > 0 && !set.last.1.are_all(&entry);
        set.last.1.add(&entry);
        let is_open = !set.last.1.are_all(&entry);
        set.members.add(&entry);
        set.is_closed = set.members.are_all(&entry) && !set.has_problem;
        if entry.ints[1] < ENTRIES_WITH_HREFS {
            links.valid(|hash, text| {
                self.text_bytes += text.len();
                self.hrefs.push(Href {
                    place: entry.place(),
                    set: entry.set,
                    hash,
                    text: text.into(),
                });
            });
        }
        self.entries.push(entry);
        (is_open, was_open)
    }

    /// Memory of the rows, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Entry>() * (self.entries.len() + self.closed.len())
            + (size_of::<Set>() + 2 * size_of::<i64>()) * self.sets.len()
            + size_of::<i64>() * self.links.len()
            + size_of::<Href>() * self.hrefs.len()
            + self.text_bytes
    }

    /// Number of entries that `closed` would return.
    pub fn closed_entries(&self) -> usize {
        self.closed.len()
    }

    /// Returns columns of the entries of closed sets that were removed since the last call.
    pub fn closed(&mut self, columns: &[String]) -> Result<RecordBatch, ArrowError> {
        rows_of(&take(&mut self.closed), columns)
    }

    /// Removes all open sets. Returns columns of their entries, their links, and the first links with their text.
    pub fn drain(&mut self, columns: &[String]) -> Result<[RecordBatch; 3], ArrowError> {
        self.remove_closed();
        let (sets, links) = (take(&mut self.sets), take(&mut self.links));
        let (entries, hrefs) = (take(&mut self.entries), take(&mut self.hrefs));
        self.places = HashMap::default();
        (self.left, self.text_bytes) = (0, 0);
        let mut linked: (Vec<i32>, Vec<i32>, Vec<i64>) = Default::default();
        for entry in &entries {
            let (first, count) = sets[entry.set as usize].links;
            linked.0.extend(std::iter::repeat_n(entry.ints[0], count));
            linked.1.extend(std::iter::repeat_n(entry.ints[1], count));
            linked.2.extend(&links[first..first + count]);
        }
        let links = Columns::table([
            ("document_id", Arc::new(Int32Array::from(linked.0))),
            ("ordinal", Arc::new(Int32Array::from(linked.1))),
            ("href_hash", Arc::new(Int64Array::from(linked.2))),
        ])?;
        let ints = |value: fn(&Href) -> i32| Arc::new(Int32Array::from_iter_values(hrefs.iter().map(value)));
        let hashes = Int64Array::from_iter_values(hrefs.iter().map(|href| href.hash));
        let texts = StringArray::from_iter_values(hrefs.iter().map(|href| &href.text));
        let first = Columns::table([
            ("document_id", ints(|href| href.place.0)),
            ("ordinal", ints(|href| href.place.1)),
            ("href_hash", Arc::new(hashes)),
            ("href", Arc::new(texts)),
        ])?;
        Ok([rows_of(&entries, columns)?, links, first])
    }

    fn remove_closed(&mut self) {
        // The new place of each set that is left.
        let mut places = vec![None; self.sets.len()];
        let (mut sets, mut links) = (0, 0);
        for (at, place) in places.iter_mut().enumerate() {
            if self.sets[at].is_closed {
                continue;
            }
            let (first, count) = self.sets[at].links;
            self.links.copy_within(first..first + count, links);
            self.sets[at].links = (links, count);
            self.sets.swap(sets, at);
            *place = Some(sets as u32);
            (sets, links) = (sets + 1, links + count);
        }
        self.sets.truncate(sets);
        self.links.truncate(links);
        self.places.clear();
        self.places
            .extend(self.sets.iter().zip(0..).map(|(set, place)| (set.hash, place)));
        let closed = &mut self.closed;
        self.entries.retain_mut(|entry| match places[entry.set as usize] {
            Some(place) => {
                entry.set = place;
                true
            }
            None => {
                closed.push(*entry);
                false
            }
        });
        self.hrefs.retain_mut(|href| {
            let place = places[href.set as usize];
            href.set = place.unwrap_or_default();
            place.is_some()
        });
        self.text_bytes = self.hrefs.iter().map(|href| href.text.len()).sum();
        self.left = self.entries.len();
        self.next = 0;
    }
}

/// The rows of `alternates`, read from the first to the last.
struct Links<'a> {
    batches: Vec<LinkColumns<'a>>,
    /// The batch, and the rows in it of the entry that was found last.
    batch: usize,
    start: usize,
    end: usize,
}

struct LinkColumns<'a> {
    document_ids: &'a [i32],
    ordinals: &'a [i32],
    hashes: &'a Int64Array,
    hrefs: &'a StringArray,
    problems: &'a StringArray,
}

impl<'a> Links<'a> {
    fn of(batches: &'a [RecordBatch]) -> Result<Self, ArrowError> {
        let batches = batches.iter().map(|batch| {
            let places = named(batch, ["document_id", "ordinal"], |array| {
                array.as_primitive_opt::<Int32Type>()
            })?;
            let [document_ids, ordinals] = places.map(|column| &**column.values());
            let [hashes] = named(batch, ["href_hash"], |array| array.as_primitive_opt::<Int64Type>())?;
            let [hrefs, problems] = named(batch, ["href", "href_problem"], |array| array.as_string_opt::<i32>())?;
            Ok(LinkColumns {
                document_ids,
                ordinals,
                hashes,
                hrefs,
                problems,
            })
        });
        Ok(Self {
            batches: batches.collect::<Result<_, ArrowError>>()?,
            batch: 0,
            start: 0,
            end: 0,
        })
    }

    /// Finds the links of an entry, which come after those found last, and returns whether there are any.
    fn find(&mut self, place: (i32, i32)) -> bool {
        while let Some(batch) = self.batches.get(self.batch) {
            let is_of = |row: usize| batch.ordinals[row] == place.1 && batch.document_ids[row] == place.0;
            let rows = batch.ordinals.len();
            self.start = self.end;
            while self.start < rows && !is_of(self.start) {
                self.start += 1;
            }
            self.end = self.start;
            while self.end < rows && is_of(self.end) {
                self.end += 1;
            }
            if self.end > self.start {
                return true;
            }
            (self.batch, self.end) = (self.batch + 1, 0);
        }
        false
    }

    /// Calls a function with the hash and the text of each valid target of the entry, and returns whether another
    /// target is invalid.
    fn valid(&self, mut each: impl FnMut(i64, &str)) -> bool {
        let batch = &self.batches[self.batch];
        let mut has_problem = false;
        for row in self.start..self.end {
            if batch.hashes.is_null(row) {
                continue;
            }
            if batch.problems.is_null(row) {
                each(batch.hashes.value(row), batch.hrefs.value(row));
            } else {
                has_problem = true;
            }
        }
        has_problem
    }
}

/// Returns columns of a table by their names.
fn named<'a, const N: usize, A>(
    batch: &'a RecordBatch,
    names: [&str; N],
    cast: impl Fn(&'a ArrayRef) -> Option<&'a A>,
) -> Result<[&'a A; N], ArrowError> {
    let columns = names.map(|name| batch.column_by_name(name).and_then(&cast).ok_or(name));
    if let Some(name) = columns.iter().find_map(|column| column.as_ref().err()) {
        return Err(ArrowError::SchemaError(format!("column {name} is missing")));
    }
    Ok(columns.map(|column| column.expect("an error was returned above")))
}

fn rows_of(entries: &[Entry], names: &[String]) -> Result<RecordBatch, ArrowError> {
    let mut columns = Columns::default();
    for name in names {
        let array: ArrayRef = if let Some(at) = INTS.iter().position(|each| each == name) {
            Arc::new(Int32Array::from_iter_values(entries.iter().map(|entry| entry.ints[at])))
        } else if let Some(at) = LONGS.iter().position(|each| each == name) {
            Arc::new(Int64Array::from_iter_values(
                entries.iter().map(|entry| entry.longs[at]),
            ))
        } else {
            return Err(ArrowError::SchemaError(format!("link_sets has no column {name}")));
        };
        columns.push(name, array);
    }
    columns.finish()
}
