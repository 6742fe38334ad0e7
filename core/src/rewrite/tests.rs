//! The laws of rewriting: what the source gives at a time, how much of it is in sight and which way entries are read
//! change nothing, neither in the result nor in what is said of it; and the result has nothing left to repair.

use proptest::prelude::*;

use super::{Limits, Options, Rewriter};
use crate::limits::Bounds;
use crate::read;
use crate::read::tests::{Pieces, documents};

/// Everything that rewriting gives: the text of the result, and all that is said of it.
#[derive(Debug, PartialEq)]
pub(crate) struct Rewritten {
    pub text: String,
    pub told: String,
    pub is_refused: bool,
    /// Where the body is cut into parts, from the beginning of the text.
    pub cuts: Vec<usize>,
    pub repairs: usize,
    pub left_out: u64,
}

/// How a document is rewritten.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    pub express: bool,
    pub bounds: Bounds,
    /// Bytes that the source gives at a time.
    pub piece: usize,
    pub limits: Limits,
}

impl Default for Way {
    fn default() -> Self {
        Self {
            express: true,
            bounds: Bounds::default(),
            piece: usize::MAX,
            limits: Limits {
                entries: 50_000,
                bytes: 50 << 20,
            },
        }
    }
}

/// The document as it is rewritten. The body of one that is refused is worth nothing, and left away.
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
    let result = rewriter.result().expect("it was rewritten to its end");
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
        told: format!("{result:?}"),
    }
}

/// Whether the reader finds it well-formed; None for what is no XML.
fn well_formed(document: &str) -> Option<bool> {
    let options = read::Options {
        document_id: 7,
        max_inflated: 1 << 30,
        batch_rows: 1_000,
        hash: false,
        express: false,
        schema: false,
        bounds: Bounds::default(),
    };
    let mut reader = read::Reader::new(Box::new(Pieces::of(document.as_bytes(), usize::MAX)), options);
    while reader.next_batch().expect("memory can be read").is_some() {}
    reader.facts().expect("it was read to its end").well_formed
}

/// What a document may grow to, at most: bytes for each of its bytes.
const EXPANSION: usize = 60;

const LOW: Bounds = Bounds {
    window: 512,
    token_length: 256,
    depth: 12,
};

/// The laws, for one document.
pub(crate) fn hold(document: &[u8], window: usize, piece: usize) -> Result<(), TestCaseError> {
    let low = Way {
        bounds: LOW,
        ..Way::default()
    };
    let whole = rewrite(document, low);
    let small = Bounds { window, ..LOW };
    let cut = rewrite(
        document,
        Way {
            bounds: small,
            piece,
            ..low
        },
    );
    prop_assert_eq!(cut, whole, "pieces and windows do not matter");
    let whole = rewrite(document, Way::default());
    let general = rewrite(
        document,
        Way {
            express: false,
            ..Way::default()
        },
    );
    prop_assert_eq!(&general, &whole, "the express way gives what the general way gives");
    let one_each = Limits {
        entries: 1,
        bytes: u64::MAX,
    };
    let parts = rewrite(
        document,
        Way {
            limits: one_each,
            ..Way::default()
        },
    );
    prop_assert_eq!(&parts.text, &whole.text, "limits change only where it is cut");
    let fixed = whole;
    if !fixed.is_refused {
        prop_assert!(parts.cuts.is_sorted_by(|one, next| one < next), "{:?}", parts.cuts);
        prop_assert!(parts.cuts.iter().all(|cut| parts.text.is_char_boundary(*cut)));
        prop_assert!(
            fixed.text.len() <= 2_000 + EXPANSION * document.len(),
            "{} bytes",
            fixed.text.len()
        );
        prop_assert_ne!(
            well_formed(&fixed.text),
            Some(false),
            "it is well-formed: {}",
            fixed.text
        );
        let again = rewrite(fixed.text.as_bytes(), Way::default());
        prop_assert_eq!(&again.text, &fixed.text, "rewriting twice changes nothing");
        prop_assert_eq!((again.repairs, again.left_out), (0, 0), "{}", again.told);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn documents_are_rewritten_by_the_laws(document in documents(), window in 1..300_usize, piece in 1..64_usize) {
        hold(document.as_bytes(), window, piece)?;
    }

    #[test]
    fn any_bytes_are_rewritten_by_the_laws(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        window in 1..300_usize,
        piece in 1..64_usize,
    ) {
        hold(&bytes, window, piece)?;
    }

    #[test]
    fn lists_are_rewritten_by_the_laws(
        lines in prop::collection::vec(prop::sample::select(LINES), 0..12),
        window in 1..300_usize,
        piece in 1..64_usize,
    ) {
        hold(lines.concat().as_bytes(), window, piece)?;
    }
}

/// A loc in a loc begins an entry of its own, which the reference to an entity goes along with.
#[test]
fn a_declared_entity_is_left_out_with_its_own_url() {
    let document = "<!DOCTYPE urlset [<!ENTITY x SYSTEM 'file:///x'>]>\n<urlset>\
        <url><loc>https://example.com/a<loc>https://example.com/?&x;</loc></url>\
        <url><loc>https://example.com/b</loc></url></urlset>";
    hold(document.as_bytes(), 100, 10).expect("the laws hold");
    let fixed = rewrite(document.as_bytes(), Way::default());
    assert!(
        !fixed.text.contains("&x;") && fixed.text.contains("https://example.com/b"),
        "{}",
        fixed.text
    );
    assert!(
        fixed.text.contains("<loc>https://example.com/a</loc>"),
        "{}",
        fixed.text
    );
}

/// Lines of a text sitemap, each with its end.
const LINES: &[&str] = &[
    "https://example.com/a\n",
    "https://example.com/b\r\n",
    "https://example.com/c\r",
    " https://example.com/d \n",
    "https://example.com/e f\n",
    "https://example.com/?a=1&amp;b=2\n",
    "/relative\n",
    "relative page\n",
    "www.example.com/g\n",
    "ftp://example.com/\n",
    "\u{feff}",
    "\u{fffd}\n",
    "\u{a0}\n",
    "\n",
    "\t\r\n",
    "https://example.com/last",
];
