//! Invariants of the repair.

use super::{Cut, LOW, Pieces, same, usual};
use crate::limits::Bounds;
use crate::read;
use crate::rewrite::{Limits, Options, Rewriter};

/// Bytes that the result may have for each byte of the document.
const EXPANSION: usize = 60;

/// The complete output of rewriting: the text of the result, and the report.
#[derive(Debug, PartialEq)]
pub(crate) struct Rewritten {
    pub text: String,
    account: String,
    is_refused: bool,
    /// Where the body is cut into parts, from the beginning of the text.
    cuts: Vec<usize>,
    repairs: usize,
    left_out: u64,
}

/// How a document is rewritten.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    express: bool,
    bounds: Bounds,
    /// Bytes that the source returns at once.
    piece: usize,
    limits: Limits,
}

impl Default for Way {
    fn default() -> Self {
        Self {
            express: true,
            bounds: usual(),
            piece: usize::MAX,
            limits: Limits {
                entries: 50_000,
                bytes: 50 << 20,
            },
        }
    }
}

/// The document as it is rewritten. If it is refused, its body is left out.
pub(crate) fn rewrite(document: &[u8], way: Way) -> Rewritten {
    let options = Options {
        max_inflated: 100_000,
        base: Some("https://example.com/a/b".to_owned()),
        limits: way.limits,
        express: way.express,
        bounds: way.bounds,
    };
    let mut rewriter = Rewriter::new(Box::new(Pieces::of(document, way.piece)), options);
    let mut body = Vec::new();
    while let Some(piece) = rewriter.next_piece().expect("memory can be read") {
        body.extend_from_slice(&piece);
    }
    let result = rewriter.result().expect("it was rewritten completely");
    let body = if result.refusal.is_none() {
        String::from_utf8(body).expect("what is written is UTF-8")
    } else {
        String::new()
    };
    Rewritten {
        text: format!("{}{body}{}", result.head, result.tail),
        is_refused: result.refusal.is_some(),
        cuts: result
            .parts
            .iter()
            .map(|part| result.head.len() + part.end as usize)
            .collect(),
        repairs: result.account.repairs.iter().count(),
        left_out: result.account.left_out.count,
        account: format!("{result:?}"),
    }
}

/// Returns whether the reader finds it well-formed, or `None` if it is not XML.
fn well_formed(document: &str) -> Option<bool> {
    let options = read::Options {
        url: None,
        document_id: 7,
        max_inflated: 1 << 30,
        batch_rows: 1_000,
        hash: false,
        express: false,
        bounds: usual(),
    };
    let mut reader = read::Reader::new(Box::new(Pieces::of(document.as_bytes(), usize::MAX)), options);
    while reader.next_batch().expect("memory can be read").is_some() {}
    reader.facts().expect("it was read completely").well_formed
}

/// Rewrites the document whole and in pieces, on both paths, split into parts, and twice.
pub(crate) fn hold(document: &[u8], cut: Cut) {
    let low = Way {
        bounds: LOW,
        ..Way::default()
    };
    let in_pieces = Way {
        bounds: Bounds {
            window: cut.window,
            ..LOW
        },
        piece: cut.piece,
        ..low
    };
    same(
        "pieces and windows do not matter",
        rewrite(document, in_pieces),
        rewrite(document, low),
    );
    let fixed = rewrite(document, Way::default());
    let general = Way {
        express: false,
        ..Way::default()
    };
    same("both paths give the same result", &rewrite(document, general), &fixed);
    let one_each = Way {
        limits: Limits {
            entries: 1,
            bytes: u64::MAX,
        },
        ..Way::default()
    };
    let parts = rewrite(document, one_each);
    same("limits change only where it is cut", &parts.text, &fixed.text);
    if fixed.is_refused {
        return;
    }
    assert!(
        parts.cuts.is_sorted_by(|one, next| one < next),
        "parts: {:?}",
        parts.cuts
    );
    assert!(
        parts.cuts.iter().all(|cut| parts.text.is_char_boundary(*cut)),
        "parts: {:?}",
        parts.cuts
    );
    let (before, after) = (document.len(), fixed.text.len());
    assert!(after <= 2_000 + EXPANSION * before, "{before} bytes became {after}");
    assert!(
        well_formed(&fixed.text) != Some(false),
        "the result is not well-formed: {}",
        fixed.text
    );
    let again = rewrite(fixed.text.as_bytes(), Way::default());
    same("rewriting twice changes nothing", &again.text, &fixed.text);
    assert!((again.repairs, again.left_out) == (0, 0), "{}", again.account);
}
