//! Invariants of decompressing and decoding.

use std::io::{Cursor, Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::{Cut, Pieces, same};
use crate::anomaly::{self, AnomalyKind};
use crate::decode::{DecodeAnomaly, Decoder, Facts, Options};

/// The first two bytes of gzip.
const MAGIC: &[u8] = b"\x1f\x8b";

/// The complete output of decoding.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decoded {
    pub text: String,
    pub facts: Facts,
    pub anomalies: Vec<DecodeAnomaly>,
}

/// Decodes to the end, in pieces of about `want` bytes.
pub(crate) fn decode(source: impl Read + Send + 'static, options: Options, want: usize) -> Decoded {
    let mut decoder = Decoder::new(Box::new(source), options);
    let (mut text, mut anomalies) = (String::new(), Vec::new());
    loop {
        let mut piece = String::new();
        let got = decoder.read(&mut piece, want).expect("the source does not fail");
        assert_eq!(got, piece.len());
        assert!(std::str::from_utf8(piece.as_bytes()).is_ok());
        text.push_str(&piece);
        anomalies.extend(decoder.take_anomalies());
        if got == 0 {
            break;
        }
    }
    let facts = decoder.facts();
    assert!(facts.bytes <= options.max_inflated);
    for anomaly in &anomalies {
        let at = anomaly.byte_offset as usize;
        assert!(!anomaly.evidence.chars().any(anomaly::is_unprintable), "{anomaly:?}");
        assert!(anomaly.evidence.chars().count() <= anomaly::EVIDENCE_CHARS);
        assert!(at <= text.len());
        assert!(!anomaly.in_text || text.is_char_boundary(at), "{anomaly:?}");
        if anomaly.kind == AnomalyKind::EncodingInvalid {
            assert!(text[at..].starts_with('\u{fffd}'), "{anomaly:?}");
        }
    }
    Decoded { text, facts, anomalies }
}

pub(crate) fn pack(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes.as_ref()).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

/// Decodes the bytes whole, in pieces, within a low limit, as flate2 does, and packed once more.
pub(super) fn hold(bytes: &[u8], cut: Cut) {
    let usual = Options {
        max_inflated: 1 << 20,
        hash: true,
    };
    let low = Options {
        max_inflated: 10 * cut.window as u64,
        ..usual
    };
    let whole = decode(Cursor::new(bytes.to_vec()), usual, 1 << 16);
    for options in [usual, low] {
        let in_pieces = decode(Pieces::of(bytes, cut.piece), options, cut.window);
        let whole = decode(Cursor::new(bytes.to_vec()), options, 1 << 16);
        same("pieces do not matter", in_pieces, whole);
    }
    if bytes.starts_with(MAGIC) {
        agrees_with_flate2(bytes, &whole, usual.max_inflated);
    } else {
        let unpacked = decode(Cursor::new(pack(bytes)), usual, 1 << 16);
        same("packed bytes are read as before", &unpacked.text, &whole.text);
        same(
            "packed bytes have the same anomalies",
            &unpacked.anomalies,
            &whole.anomalies,
        );
        assert!(unpacked.facts.complete);
    }
}

/// If flate2 accepts the stream, it is complete, and as long as in flate2.
fn agrees_with_flate2(bytes: &[u8], whole: &Decoded, max_inflated: u64) {
    let mut data = Vec::new();
    let result = MultiGzDecoder::new(bytes).take(max_inflated + 1).read_to_end(&mut data);
    if result.is_err() || data.len() as u64 > max_inflated || data.starts_with(MAGIC) {
        return;
    }
    assert!(whole.facts.complete, "{:?}", whole.anomalies);
    assert_eq!(whole.facts.bytes, data.len() as u64);
}
