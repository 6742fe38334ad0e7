//! Invariants that hold for any bytes. Each public function takes an input, reads it in several ways, and panics if an
//! invariant is broken.
//!
//! The fuzz targets in `core/fuzz`, the mutants in `cost` and the property tests call these functions. `tests/fuzz` has
//! an input for each bug that they found.

pub(crate) mod fix;
pub(crate) mod gzip;
mod page;
pub(crate) mod read;
mod robots;

#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::io::{self, Cursor, Read};

use arrow_array::{Array, RecordBatch};
use twox_hash::XxHash64;

use crate::limits::{Bounds, WINDOW};

/// Limits so low that small inputs reach them.
pub(crate) const LOW: Bounds = Bounds {
    window: 512,
    token_length: 256,
    depth: 12,
};

/// The limits that users have. Miri gets a smaller window, since it fills it byte by byte.
pub(crate) fn usual() -> Bounds {
    Bounds {
        window: if cfg!(miri) { 4_096 } else { WINDOW },
        ..Bounds::default()
    }
}

/// Reading a document: the express path and the general path agree, and how the bytes arrive does not matter.
pub fn read(bytes: &[u8]) {
    let limits = read::Way {
        max_inflated: 4_000,
        bounds: LOW,
        ..read::Way::default()
    };
    read::hold(bytes, limits, Cut::of(bytes));
}

/// Repairing a document: the result is well-formed, and repairing it again changes nothing.
pub fn fix(bytes: &[u8]) {
    fix::hold(bytes, Cut::of(bytes));
}

/// Reading an HTML page: facts are limited by its size, and options only add to them.
pub fn page(bytes: &[u8]) {
    page::hold(bytes);
}

/// Parsing and applying robots.txt: many rules together decide as each of them does alone.
pub fn robots(bytes: &[u8]) {
    robots::hold(bytes);
}

/// Decompressing and decoding: the output is limited, agrees with flate2, and does not depend on how the bytes arrive.
pub fn gzip(bytes: &[u8]) {
    gzip::hold(bytes, Cut::of(bytes));
}

/// How an input is cut into pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// Bytes of text that the reader processes at a time.
    pub window: usize,
    /// Bytes that the source returns at once.
    pub piece: usize,
}

impl Cut {
    /// A cut that depends on the input alone, so that a file is enough to reproduce a crash.
    fn of(bytes: &[u8]) -> Self {
        let hash = XxHash64::oneshot(0, bytes);
        Self {
            window: 1 + (hash % 300) as usize,
            piece: 1 + (hash >> 32) as usize % 64,
        }
    }
}

/// A source that returns at most `size` bytes at once.
pub(crate) struct Pieces {
    rest: Cursor<Vec<u8>>,
    size: usize,
}

impl Pieces {
    pub(crate) fn of(document: &[u8], size: usize) -> Self {
        Self {
            rest: Cursor::new(document.to_vec()),
            size,
        }
    }
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.size.min(buffer.len());
        self.rest.read(&mut buffer[..size])
    }
}

#[track_caller]
fn same<T: PartialEq + Debug>(invariant: &str, one: T, other: T) {
    assert!(one == other, "{invariant}:\n{one:?}\n{other:?}");
}

/// Offsets ascend, text is UTF-8, and lengths agree: `unsafe` code in `read::column` relies on this.
#[track_caller]
fn is_valid(table: &RecordBatch) {
    for column in table.columns() {
        column.to_data().validate_full().expect("a valid Arrow array");
    }
}
