//! Every rule of decoding as a case: the bytes, the resulting text, and the anomalies.

use std::io::{Cursor, Error, ErrorKind, Read};

use sha2::{Digest, Sha256};

mod charset;
mod gzip;
mod properties;

use super::*;
use crate::invariants::gzip::{Decoded, decode as run, pack as gzip};
use AnomalyKind::*;

/// A gzip header without optional fields.
const GZIP_HEADER: &[u8] = b"\x1f\x8b\x08\0\0\0\0\0\0\xff";

/// Bytes of text to ask for at once. Miri fills the buffer byte by byte.
const WANT: usize = if cfg!(miri) { 1 << 10 } else { 1 << 16 };

const OPTIONS: Options = Options {
    max_inflated: 1 << 24,
    hash: true,
};

impl Decoded {
    fn kinds(&self) -> Vec<AnomalyKind> {
        self.anomalies.iter().map(|anomaly| anomaly.kind).collect()
    }
}

fn decode(bytes: impl AsRef<[u8]>) -> Decoded {
    run(Cursor::new(bytes.as_ref().to_vec()), OPTIONS, WANT)
}

fn bounded(bytes: impl AsRef<[u8]>, max_inflated: u64) -> Decoded {
    run(
        Cursor::new(bytes.as_ref().to_vec()),
        Options {
            max_inflated,
            hash: false,
        },
        1 << 16,
    )
}

fn utf_16(text: &str, little: bool) -> Vec<u8> {
    text.encode_utf16()
        .flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() })
        .collect()
}

fn declared(label: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"{label}\"?>")
}

/// A text long enough for many deflate blocks, without exact repetition.
fn long_text() -> String {
    (0..40_000)
        .map(|n| format!("<url><loc>https://example.org/é/{}</loc></url>\n", n * 7919 % 65_537))
        .collect()
}

#[test]
fn plain_utf_8() {
    const PLAIN: &str = "<a>é\0\u{1}\r\n\r a control character passes</a>";
    let outcome = decode(PLAIN);
    assert_eq!(outcome.text, PLAIN);
    let sha256 = Sha256::digest(PLAIN).iter().map(|byte| format!("{byte:02x}")).collect();
    let facts = Facts {
        wire_bytes: PLAIN.len() as u64,
        bytes: PLAIN.len() as u64,
        compression: Compression::None,
        encoding: "UTF-8",
        declared_encoding: None,
        has_bom: false,
        magic: None,
        complete: true,
        sha256: Some(sha256),
    };
    assert_eq!(outcome.facts, facts);
    assert_eq!(outcome.anomalies, []);
}

#[test]
fn empty_and_whitespace() {
    let outcome = decode("");
    assert_eq!((outcome.text.as_str(), outcome.facts.magic), ("", Some(Magic::Empty)));
    assert!(outcome.facts.complete);
    let outcome = decode(gzip(""));
    assert_eq!(
        (outcome.facts.magic, outcome.facts.compression),
        (Some(Magic::Empty), Compression::Gzip)
    );
    assert_eq!(outcome.kinds(), []);
    let outcome = decode(" \r\n\t");
    assert_eq!((outcome.text.as_str(), outcome.facts.magic), (" \r\n\t", None));
    let outcome = decode("\u{feff}");
    assert_eq!(
        (outcome.text.as_str(), outcome.facts.magic, outcome.facts.has_bom),
        ("", None, true)
    );
    assert_eq!(outcome.facts.bytes, 3);
}

#[test]
fn magics() {
    let mut tar = vec![b'a'; 600];
    tar[257..262].copy_from_slice(b"ustar");
    let cases: &[(&[u8], Option<Magic>)] = &[
        (b"PK\x03\x04rest", Some(Magic::Zip)),
        (b"PK\x05\x06rest", Some(Magic::Zip)),
        (b"7z\xbc\xaf\x27\x1crest", Some(Magic::SevenZip)),
        (b"Rar!\x1a\x07\x00rest", Some(Magic::Rar)),
        (b"Rar!\x1a\x07\x01\x00rest", Some(Magic::Rar)),
        (&tar, Some(Magic::Tar)),
        (b"BZh91AY&SYrest", Some(Magic::Bzip2)),
        (b"BZh9\x17\x72\x45\x38\x50\x90", Some(Magic::Bzip2)),
        (b"\xfd7zXZ\0rest", Some(Magic::Xz)),
        (b"\x28\xb5\x2f\xfdrest", Some(Magic::Zstd)),
        (b"%PDF-1.7", Some(Magic::Pdf)),
        (b"\x89PNG\r\n\x1a\nrest", Some(Magic::Png)),
        (b"\xff\xd8\xff\xe0", Some(Magic::Jpeg)),
        (b"GIF89arest", Some(Magic::Gif)),
        (b"RIFF\x04\0\0\0WEBPVP8 ", Some(Magic::Webp)),
        (b"SQLite format 3\0", Some(Magic::Sqlite)),
        (b"\x7fELF\x02\x01\x01\0", Some(Magic::Binary)),
        (b"some\0text", Some(Magic::Binary)),
        (b"\x01\x02abcdefgh", Some(Magic::Binary)),
        (b"\x01abcdefghi", None),
        (b"<a>\0</a>xx", None),
        (b" \nHTTP://example.org/\0", None),
        (b"<\0\0\0\0\0\0\0\0\0", Some(Magic::Binary)),
        (b"BZh, a name", None),
        (b"RIFF\x04!!!WAVEfmt ", None),
        (b"PK", None),
        (b"caf\xe9", None),
    ];
    for (bytes, magic) in cases {
        for wire in [bytes.to_vec(), gzip(bytes)] {
            let outcome = decode(&wire);
            assert_eq!(outcome.facts.magic, *magic, "{bytes:x?}");
            assert_eq!(outcome.text.is_empty(), magic.is_some());
            assert_eq!(
                (outcome.facts.wire_bytes, outcome.facts.bytes),
                (wire.len() as u64, bytes.len() as u64)
            );
            assert!(outcome.facts.complete);
        }
    }
    // Read to its end for its size, though it produces no text.
    let mut zip = vec![7; 1_000_000];
    zip[..4].copy_from_slice(b"PK\x03\x04");
    let outcome = decode(gzip(&zip));
    assert_eq!(
        (outcome.text.len(), outcome.facts.bytes, outcome.facts.complete),
        (0, 1_000_000, true)
    );
    let outcome = bounded(&zip, 10_000);
    assert_eq!((outcome.kinds(), outcome.facts.bytes), (vec![SizeLimit], 10_000));
}

#[test]
fn errors_of_the_source() {
    struct Failing(Cursor<Vec<u8>>, bool);
    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(ErrorKind::Interrupted.into());
            }
            match self.0.read(buffer)? {
                0 => Err(Error::new(ErrorKind::ConnectionReset, "connection closed")),
                n => Ok(n),
            }
        }
    }
    let text = long_text();
    let wire = gzip(&text);
    for (bytes, least) in [
        (Vec::new(), 0),
        (b"<a/>".to_vec(), 4),
        (text.clone().into_bytes(), text.len()),
        (wire[..wire.len() / 2].to_vec(), text.len() / 3),
        (b"\x1f\x8b\x08".to_vec(), 0),
    ] {
        let mut decoder = Decoder::new(Box::new(Failing(Cursor::new(bytes.clone()), false)), OPTIONS);
        let mut out = String::new();
        let error = loop {
            match decoder.read(&mut out, 10_000) {
                Ok(n) => assert!(n > 0, "an error is not the end"),
                Err(error) => break error,
            }
        };
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (ErrorKind::ConnectionReset, "connection closed")
        );
        assert!(out.len() >= least && text.starts_with(&out) || bytes == b"<a/>");
        assert_eq!(
            decoder.read(&mut out, 1).map_err(|error| error.kind()),
            Err(ErrorKind::ConnectionReset)
        );
        assert!(!decoder.facts().complete);
        assert_eq!(decoder.facts().wire_bytes, bytes.len() as u64);
        assert_eq!(decoder.take_anomalies(), [], "the source failed, not the stream");
    }
}

#[test]
fn pieces_have_about_the_requested_length() {
    let text = long_text();
    for wire in [
        text.clone().into_bytes(),
        gzip(&text),
        [b"\xff\xfe".to_vec(), utf_16(&text, true)].concat(),
    ] {
        let mut decoder = Decoder::new(Box::new(Cursor::new(wire)), OPTIONS);
        let mut out = "kept".to_owned();
        for want in [1, 10, 100, 10_000, 100_000] {
            let before = out.len();
            let got = decoder.read(&mut out, want).expect("memory does not fail");
            assert_eq!(out.len(), before + got);
            assert!(got >= 1 && got <= want + 3, "{got} for {want}");
        }
        assert!(out.starts_with("kept<url>"));
    }
}
