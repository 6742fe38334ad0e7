//! The set of URLs already written: 64-bit hashes in about eight bytes per URL.

/// Number of tables, selected by twelve bits of the hash; each stores another 48 bits, so that growth moves a few at a
/// time.
const TABLES: usize = 1 << 12;

/// Six bytes of a hash; all zeros marks an empty slot.
type Rest = [u8; 6];
const EMPTY: Rest = [0; 6];

#[derive(Default)]
struct Small {
    places: Box<[Rest]>,
    used: usize,
}

/// The hashes added so far. Two URLs with the same sixty bits count as one: with ten million URLs, that happens in one
/// of 20,000 sets.
pub struct Seen {
    tables: Vec<Small>,
}

impl Seen {
    pub fn new() -> Self {
        Self { tables: Vec::new() }
    }

    /// Adds a hash, and returns whether it is new.
    pub fn insert(&mut self, hash: u64) -> bool {
        if self.tables.is_empty() {
            self.tables.resize_with(TABLES, Small::default);
        }
        let (table, rest) = split(hash);
        self.tables[table].insert(rest)
    }

    /// Prefetches the slot of a hash that will be added soon: in a large set it is not in the cache.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        let (table, rest) = split(hash);
        if let Some(table) = self.tables.get(table)
            && !table.places.is_empty()
        {
            near(&table.places[table.first(rest)]);
        }
    }
}

/// Returns the table of a hash, and the bits stored there.
#[inline]
fn split(hash: u64) -> (usize, Rest) {
    let bytes = hash.to_le_bytes();
    let mut rest: Rest = [bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]];
    if rest == EMPTY {
        rest[0] = 1;
    }
    (hash as usize % TABLES, rest)
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn near(place: &Rest) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: SSE is part of every x86-64, and a prefetch has no effect visible to a program.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(place.as_ptr().cast()) }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn near(_: &Rest) {}

impl Small {
    fn insert(&mut self, rest: Rest) -> bool {
        // At most seven eighths full: beyond that, the search for a free slot takes long.
        if (self.used + 1) * 8 > self.places.len() * 7 {
            self.grow();
        }
        let at = self.place(rest);
        let is_new = self.places[at] == EMPTY;
        if is_new {
            self.places[at] = rest;
            self.used += 1;
        }
        is_new
    }

    /// Returns the slot of `rest`, or the empty slot where it belongs.
    fn place(&self, rest: Rest) -> usize {
        let length = self.places.len();
        let mut at = self.first(rest);
        while self.places[at] != EMPTY && self.places[at] != rest {
            at += 1;
            if at == length {
                at = 0;
            }
        }
        at
    }

    /// Returns where the search for `rest` starts: its high bits scaled to the length, which need not be a power of
    /// two.
    #[inline]
    fn first(&self, rest: Rest) -> usize {
        let number = u32::from_le_bytes([rest[2], rest[3], rest[4], rest[5]]);
        ((u64::from(number) * self.places.len() as u64) >> 32) as usize
    }

    #[cold]
    fn grow(&mut self) {
        let length = match self.places.len() {
            // While all tables together are small, speed matters more than memory.
            0 => 16,
            length if length < 512 => 2 * length,
            length => length + length / 4,
        };
        let old = std::mem::replace(&mut self.places, vec![EMPTY; length].into_boxed_slice());
        for rest in old.into_iter().filter(|rest| *rest != EMPTY) {
            let at = self.place(rest);
            self.places[at] = rest;
        }
    }
}
