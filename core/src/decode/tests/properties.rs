//! Properties of decoding: the size of reads does not matter, no bytes make it fail, and valid text comes out
//! unchanged.

use std::io::{Cursor, Read};

use encoding_rs::Encoding;
use proptest::prelude::*;

use super::*;

/// A reader that returns its bytes in pieces of these lengths, repeatedly.
struct Pieces {
    bytes: Cursor<Vec<u8>>,
    lengths: Vec<usize>,
    turn: usize,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.turn += 1;
        let length = self.lengths[self.turn % self.lengths.len()].min(buffer.len());
        self.bytes.read(&mut buffer[..length])
    }
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ -~]{0,40}",
        "\\PC{0,10}",
        Just("<loc>https://example.org/é?a=1&amp;b=日本</loc>\r\n".to_owned()),
        Just("\u{feff}".to_owned()),
        Just("\u{10ffff}\u{fffd}\0".to_owned()),
        "[a-z]{1,20}".prop_map(|word| word.repeat(200)),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn label() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "UTF-8",
        "UTF-16",
        "ISO-8859-1",
        "Shift_JIS",
        "EUC-JP",
        "ISO-2022-JP",
        "gb18030",
        "GBK",
        "Big5",
        "EUC-KR",
        "windows-1253",
        "KOI8-U",
        "x-user-defined",
        "bogus",
    ])
}

/// A document in any encoding or none, with or without declaration and byte order mark, with some bytes damaged.
fn document() -> impl Strategy<Value = Vec<u8>> {
    let damage = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6);
    (
        text(),
        label(),
        any::<bool>(),
        0..6u8,
        damage,
        prop::collection::vec(any::<u8>(), 0..40),
    )
        .prop_map(|(text, label, declare, form, damage, noise)| {
            let text = if declare {
                format!("<?xml version='1.0' encoding='{label}'?>{text}")
            } else {
                text
            };
            let mut bytes = match form {
                0 => utf_16(&format!("\u{feff}{text}"), true),
                1 => utf_16(&text, false),
                2 => format!("\u{feff}{text}").into_bytes(),
                3 => Encoding::for_label(label.as_bytes()).map_or(Vec::new(), |known| known.encode(&text).0.to_vec()),
                4 => [text.as_bytes(), &noise].concat(),
                _ => text.into_bytes(),
            };
            for (at, byte) in damage {
                if !bytes.is_empty() {
                    let at = at.index(bytes.len());
                    bytes[at] = byte;
                }
            }
            bytes
        })
}

/// The bytes received: the document, gzipped up to three times, in one or two members, complete, truncated or damaged,
/// with junk.
fn wire() -> impl Strategy<Value = Vec<u8>> {
    let damage = prop::option::of((any::<prop::sample::Index>(), any::<u8>()));
    (document(), 0..4u8, any::<prop::sample::Index>(), damage, 0..5u8).prop_map(|(document, depth, at, damage, end)| {
        let mut bytes = document;
        for level in 0..depth {
            let middle = at.index(bytes.len() + 1);
            bytes = if level == 0 {
                [gzip(&bytes[..middle]), gzip(&bytes[middle..])].concat()
            } else {
                gzip(&bytes)
            };
        }
        match end {
            0 => bytes.truncate(at.index(bytes.len() + 1)),
            1 => bytes.extend_from_slice(b"\0\0\0"),
            2 => bytes.extend_from_slice(b"\0<!-- junk -->"),
            _ => {}
        }
        if let (Some((at, byte)), false) = (damage, bytes.is_empty()) {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn chunking_does_not_matter(
        bytes in wire(),
        lengths in prop::collection::vec(1usize..400, 1..6),
        want in prop_oneof![1usize..8, 1usize..5_000],
        max in prop_oneof![Just(OPTIONS.max_inflated), 0u64..3_000],
    ) {
        let options = Options { max_inflated: max, hash: true };
        let whole = run(Cursor::new(bytes.clone()), options, 1 << 16);
        let pieces = run(Pieces { bytes: Cursor::new(bytes), lengths, turn: 0 }, options, want);
        prop_assert_eq!(whole, pieces);
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..3_000), gzipped in 0..3u8, want in 1usize..200) {
        let bytes = match gzipped {
            0 => bytes,
            1 => gzip(&bytes),
            _ => [b"\x1f\x8b\x08\0\0\0\0\0\0\0", &bytes[..]].concat(),
        };
        run(Cursor::new(bytes), OPTIONS, want);
    }

    #[test]
    fn valid_text_is_unchanged(text in text(), gzipped in any::<bool>()) {
        let document = format!("<urlset>{text}");
        let bytes = if gzipped { gzip(&document) } else { document.clone().into_bytes() };
        let outcome = run(Cursor::new(bytes), OPTIONS, 1_000);
        if outcome.facts.magic.is_none() {
            prop_assert_eq!(&outcome.text, &document);
            prop_assert_eq!(&outcome.anomalies, &[]);
        }
        prop_assert!(outcome.facts.complete);
    }

    #[test]
    fn invalid_utf_8_is_replaced_as_the_standard_library_does(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0xc0u8.., Just(0x80), Just(b'a')], 0..300),
        want in 1usize..100,
    ) {
        let bytes = [b"<a>", &bytes[..]].concat();
        let outcome = run(Cursor::new(bytes.clone()), OPTIONS, want);
        if outcome.facts.magic.is_none() {
            prop_assert_eq!(&outcome.text, &String::from_utf8_lossy(&bytes));
            let expected: Vec<_> = outcome.text.match_indices('\u{fffd}').map(|(at, _)| at as i64).collect();
            let found: Vec<_> = outcome.anomalies.iter().map(|anomaly| anomaly.byte_offset).collect();
            let real = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
            prop_assert_eq!(found.len(), real);
            prop_assert!(found.iter().all(|at| expected.contains(at)));
        }
    }

    #[test]
    fn other_encodings_agree_with_the_whole_conversion(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0x80u8.., Just(0x1b), b'$'..=b'K'], 0..200),
        label in label(),
        want in 1usize..100,
    ) {
        let declaration = format!("<?xml version='1.0' encoding='{label}'?>");
        let bytes = [declaration.as_bytes(), &bytes[..]].concat();
        let outcome = run(Cursor::new(bytes.clone()), OPTIONS, want);
        if outcome.facts.magic.is_none() {
            let encoding = Encoding::for_label(outcome.facts.encoding.as_bytes()).expect("encoding names are labels");
            let (expected, bad) = encoding.decode_without_bom_handling(&bytes);
            prop_assert_eq!(&outcome.text, &expected);
            let found = outcome.anomalies.iter().any(|anomaly| anomaly.kind == AnomalyKind::EncodingInvalid);
            prop_assert_eq!(found, bad);
        }
    }
}
