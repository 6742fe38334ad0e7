//! Invariants of the reader.

use arrow_array::RecordBatch;

use super::{Cut, Pieces, is_valid, same, usual};
use crate::limits::Bounds;
use crate::read::{Facts, Options, Reader};

/// The complete output of reading a document.
#[derive(PartialEq, Debug)]
pub(crate) struct Reading {
    pub tables: Vec<(&'static str, RecordBatch)>,
    facts: String,
}

/// How a document is read.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    pub express: bool,
    pub max_inflated: u64,
    pub bounds: Bounds,
    /// Bytes that the source returns at once.
    pub piece: usize,
}

impl Default for Way {
    fn default() -> Self {
        Self {
            express: true,
            max_inflated: 1 << 20,
            bounds: usual(),
            piece: usize::MAX,
        }
    }
}

pub(crate) fn read(bytes: &[u8], way: Way) -> Reading {
    let options = Options {
        document_id: 7,
        url: None,
        max_inflated: way.max_inflated,
        batch_rows: 1_000_000,
        hash: true,
        express: way.express,
        bounds: way.bounds,
    };
    let mut reader = Reader::new(Box::new(Pieces::of(bytes, way.piece)), options);
    let mut tables = Vec::new();
    while let Some(batch) = reader.next_batch().expect("memory can be read") {
        tables.extend(batch.tables.into_iter().map(|(name, batch)| (name.name(), batch)));
    }
    let Facts {
        decoded,
        kind,
        version,
        prolog,
        namespaces,
        namespace_places,
        foreign,
        totals,
        well_formed,
        complete,
        first_line,
    } = reader.facts().expect("the document was read completely");
    let facts = format!(
        "{decoded:?} {kind} {version:?} {prolog:?} {namespaces:?} {namespace_places:?} {foreign:?} {totals:?} \
         {well_formed:?} {complete} {first_line:?}"
    );
    Reading { tables, facts }
}

/// Reads the bytes within limits: whole and in pieces, on the express path and on the general one.
pub(crate) fn hold(bytes: &[u8], limits: Way, cut: Cut) {
    let in_pieces = |way: Way| Way {
        bounds: Bounds {
            window: cut.window,
            ..way.bounds
        },
        piece: cut.piece,
        ..way
    };
    let reading = read(bytes, limits);
    let rows: usize = reading.tables.iter().map(|(_, table)| table.num_rows()).sum();
    assert!(rows <= 16 + 4 * bytes.len(), "{rows} rows of {} bytes", bytes.len());
    for (_, table) in &reading.tables {
        is_valid(table);
    }
    same("pieces do not matter", &read(bytes, in_pieces(limits)), &reading);
    let general = Way {
        express: false,
        ..limits
    };
    same("both paths give the same result", &read(bytes, general), &reading);
}
