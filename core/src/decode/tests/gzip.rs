//! Gzip and the limit on sizes, case by case.

use flate2::FlushCompress;

use super::*;

#[test]
fn gzip_by_its_magic() {
    let text = long_text();
    let wire = gzip(&text);
    let outcome = decode(&wire);
    assert_eq!(outcome.text, text);
    assert_eq!(outcome.anomalies, []);
    assert_eq!(outcome.facts.compression.name(), "gzip");
    assert_eq!(
        (outcome.facts.wire_bytes, outcome.facts.bytes),
        (wire.len() as u64, text.len() as u64)
    );
    assert!(outcome.facts.complete);
}

#[test]
fn gzip_header_fields() {
    let plain = gzip("<a/>");
    let fields: [(u8, &[u8]); 6] = [
        (1, b""),
        (2, b"\x12\x34"),
        (4, b"\x05\x00abcde"),
        (8, b"sitemap.xml\0"),
        (16, b"a comment\0"),
        (31, b"\x02\x00\x1f\x8bname\0comment\0\xff\xff"),
    ];
    for (flags, field) in fields {
        let mut wire = plain[..10].to_vec();
        wire[3] = flags;
        wire.extend_from_slice(field);
        wire.extend_from_slice(&plain[10..]);
        let outcome = decode(&wire);
        assert_eq!(
            (outcome.text.as_str(), outcome.kinds()),
            ("<a/>", vec![]),
            "flags {flags}"
        );
        for cut in 2..10 + field.len() {
            let outcome = decode(&wire[..cut]);
            assert_eq!(
                (outcome.text.as_str(), outcome.kinds()),
                ("", vec![GzipTruncated]),
                "flags {flags} cut {cut}"
            );
            assert_eq!(
                (outcome.facts.complete, outcome.facts.magic),
                (false, Some(Magic::Empty))
            );
        }
    }
}

#[test]
fn gzip_members() {
    let wire = [gzip("<a>"), gzip(""), gzip("é"), gzip("</a>")].concat();
    let outcome = decode(&wire);
    assert_eq!(
        (outcome.text.as_str(), outcome.kinds(), outcome.facts.complete),
        ("<a>é</a>", vec![], true)
    );
    // NUL padding, at the end and before a member.
    let outcome = decode([gzip("<a>"), vec![0; 700], gzip("</a>"), vec![0; 100_000]].concat());
    assert_eq!(
        (outcome.text.as_str(), outcome.kinds(), outcome.facts.complete),
        ("<a></a>", vec![], true)
    );
    // A second member that is truncated in its header, including in its magic bytes.
    let second = gzip("</a>");
    for cut in 1..10 {
        let outcome = decode([&gzip("<a>"), &second[..cut]].concat());
        assert_eq!(
            (outcome.text.as_str(), outcome.kinds()),
            ("<a>", vec![GzipTruncated]),
            "cut {cut}"
        );
        assert!(!outcome.facts.complete);
    }
}

#[test]
fn gzip_trailing_data() {
    for (junk, quoted) in [
        (&b"<!-- cached -->"[..], "15 bytes, starting with \"<!-- cached -->\""),
        (b"\0\0x\0\x1b", "3 bytes, starting with \"x\\u{0}\\u{1b}\""),
        (b"\x1f\x8b\x07", "3 bytes, starting with \"\\u{1f}\u{fffd}\\u{7}\""),
        (b"\x1f!", "2 bytes, starting with \"\\u{1f}!\""),
    ] {
        let wire = [&gzip("<a/>"), junk].concat();
        let outcome = decode(&wire);
        assert_eq!(
            (outcome.text.as_str(), outcome.kinds()),
            ("<a/>", vec![GzipTrailingData])
        );
        assert_eq!(outcome.anomalies[0].evidence, quoted);
        assert_eq!(
            (outcome.anomalies[0].byte_offset, outcome.anomalies[0].in_text),
            (4, false)
        );
        assert!(outcome.facts.complete);
        assert_eq!(outcome.facts.wire_bytes, wire.len() as u64);
    }
    // Members after junk are not searched for.
    let outcome = decode([gzip("<a/>"), b"x".to_vec(), gzip("<b/>"), vec![b'y'; 200_000]].concat());
    assert_eq!(
        (outcome.text.as_str(), outcome.kinds()),
        ("<a/>", vec![GzipTrailingData])
    );
}

#[test]
fn gzip_cut_off() {
    let text = long_text();
    let wire = gzip(&text);
    for cut in [
        3,
        10,
        11,
        1_000,
        wire.len() / 2,
        wire.len() - 9,
        wire.len() - 8,
        wire.len() - 1,
    ] {
        let outcome = decode(&wire[..cut]);
        assert!(
            text.starts_with(&outcome.text) || outcome.text.ends_with('\u{fffd}'),
            "cut {cut}"
        );
        assert!(outcome.kinds().contains(&GzipTruncated), "cut {cut}");
        assert!(!outcome.facts.complete);
        assert_eq!(outcome.facts.wire_bytes, cut as u64);
    }
    let half = decode(&wire[..wire.len() / 2]);
    assert!(half.text.len() > text.len() / 3, "what could be inflated is delivered");
    // The data is complete and the trailer truncated: no text is missing.
    assert_eq!(decode(&wire[..wire.len() - 8]).text, text);
}

#[test]
fn gzip_damaged_data() {
    // A stored block of 5 bytes, and then a block of the reserved type 3: RFC 1951, 3.2.3 and 3.2.4.
    let wire = [GZIP_HEADER, b"\x00\x05\x00\xfa\xff<a>\xc3\xa9\x07 and so on"].concat();
    let outcome = decode(&wire);
    assert_eq!((outcome.text.as_str(), outcome.kinds()), ("<a>é", vec![GzipCorrupt]));
    assert_eq!(
        outcome.anomalies[0].evidence,
        "invalid deflate data in member 1 after 5 decompressed bytes"
    );
    assert_eq!(
        (outcome.anomalies[0].byte_offset, outcome.anomalies[0].in_text),
        (5, false)
    );
    assert_eq!(
        (outcome.facts.complete, outcome.facts.wire_bytes),
        (false, wire.len() as u64)
    );
    // Damage in the middle is detected there or, at the latest, in the trailer.
    let text = long_text();
    let good = gzip(&text);
    for damage in [0, 0x55, 0xff] {
        let mut wire = good.clone();
        let middle = wire.len() / 2;
        wire[middle..middle + 200].fill(damage);
        let outcome = decode(&wire);
        assert!(outcome.kinds().contains(&GzipCorrupt) || outcome.kinds().contains(&GzipTruncated));
        let same = outcome
            .text
            .bytes()
            .zip(text.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        assert!(same > text.len() / 3, "text before the damage is delivered: {same}");
        assert_eq!(outcome.facts.wire_bytes, wire.len() as u64);
    }
}

#[test]
fn gzip_wrong_trailer() {
    for at in 1..=8 {
        let mut first = gzip("<a>");
        let end = first.len();
        first[end - at] ^= 1;
        let outcome = decode([first.clone(), gzip("</a>"), first].concat());
        assert_eq!(
            (outcome.text.as_str(), outcome.kinds()),
            ("<a></a><a>", vec![GzipCorrupt])
        );
        assert!(outcome.facts.complete, "all data is there");
        assert!(
            outcome.anomalies[0]
                .evidence
                .starts_with("member 1: trailer has CRC-32 "),
            "{}",
            outcome.anomalies[0].evidence
        );
        assert!(
            outcome.anomalies[0].evidence.ends_with("; 1 more"),
            "{}",
            outcome.anomalies[0].evidence
        );
    }
}

#[test]
fn gzip_magic_and_garbage() {
    for (wire, kind) in [
        (&b"\x1f\x8bgarbage, and more of it"[..], GzipCorrupt),
        (b"\x1f\x8b\x08\xffgarbage, and more of it", GzipCorrupt),
        (b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xffgarbage, and more of it", GzipCorrupt),
        (b"\x1f\x8b", GzipTruncated),
    ] {
        let outcome = decode(wire);
        assert_eq!((outcome.text.as_str(), outcome.kinds()), ("", vec![kind]));
        assert_eq!(outcome.facts.compression, Compression::Gzip);
        assert_eq!((outcome.facts.complete, outcome.facts.bytes), (false, 0));
        assert_eq!(outcome.facts.wire_bytes, wire.len() as u64);
    }
    // A damaged header in a later member.
    let outcome = decode([&gzip("<a/>")[..], b"\x1f\x8b\x08\xe0 and so on"].concat());
    assert_eq!((outcome.text.as_str(), outcome.kinds()), ("<a/>", vec![GzipCorrupt]));
    assert!(!outcome.facts.complete);
}

#[test]
fn gzip_in_gzip() {
    let outcome = decode(gzip(gzip("<a/>")));
    assert_eq!((outcome.text.as_str(), outcome.kinds()), ("<a/>", vec![GzipTwice]));
    assert!(outcome.facts.complete);
    assert_eq!(outcome.facts.bytes, 4);
    let outcome = decode(gzip(gzip(gzip("<a/>"))));
    assert_eq!((outcome.text.as_str(), outcome.kinds()), ("", vec![GzipTwice]));
    assert_eq!(outcome.facts.magic, Some(Magic::Gzip));
    // Problems of both streams, those of the outer one first.
    let outcome = decode([&gzip([&gzip("<a/>")[..], b"in"].concat())[..], b"out"].concat());
    assert_eq!(outcome.kinds(), [GzipTwice, GzipTrailingData, GzipTrailingData]);
    assert!(outcome.anomalies[1].evidence.contains("out") && outcome.anomalies[2].evidence.contains("in"));
    // The inner stream is broken and the outer one is not, and vice versa.
    let text = long_text();
    let inner = gzip(&text);
    let outcome = decode(gzip(&inner[..inner.len() / 2]));
    assert!(!outcome.facts.complete && outcome.kinds().ends_with(&[GzipTruncated]));
    let outer = gzip(&inner);
    let outcome = decode(&outer[..outer.len() / 2]);
    assert!(!outcome.facts.complete && outcome.kinds().ends_with(&[GzipTruncated, GzipTruncated]));
    assert!(outcome.text.len() > text.len() / 3);
}

#[test]
fn limit_is_exact() {
    for wrap in [
        |bytes: &[u8]| bytes.to_vec(),
        |bytes: &[u8]| gzip(bytes),
        |bytes: &[u8]| gzip(gzip(bytes)),
    ] {
        for length in [0usize, 1, 5, 1_000, 2_048, 2_049, 70_000, 300_000] {
            let text = "x".repeat(length);
            let outcome = bounded(wrap(text.as_bytes()), length as u64);
            let kinds = outcome
                .kinds()
                .into_iter()
                .filter(|kind| *kind != GzipTwice)
                .collect::<Vec<_>>();
            if length > 40 {
                // A short text is larger when gzipped, and the limit applies to every level.
                assert_eq!(
                    (outcome.text.len(), kinds, outcome.facts.complete),
                    (length, vec![], true)
                );
            }
            let outcome = bounded(wrap((text.clone() + "y").as_bytes()), length as u64);
            assert!(outcome.kinds().contains(&SizeLimit), "{length}");
            assert!(!outcome.facts.complete);
            assert!(outcome.text == text || length < 40);
            assert!(outcome.facts.bytes <= length as u64);
        }
    }
}

#[test]
fn limit_reached_by_the_outer_stream_only() {
    // Noise grows a little when gzipped: the inner stream exceeds the limit, its text does not.
    let mut seed = 1u32;
    let noise = (0..100_000).map(|_| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 24) as u8
    });
    let document: Vec<u8> = b"<a>".iter().copied().chain(noise).collect();
    let outcome = bounded(gzip(gzip(&document)), document.len() as u64);
    let faults: Vec<_> = outcome
        .anomalies
        .iter()
        .filter(|anomaly| !anomaly.in_text && anomaly.kind != AnomalyKind::EncodingInvalid)
        .collect();
    assert_eq!(
        (faults[0].kind, faults[1].kind, faults.len()),
        (GzipTwice, SizeLimit, 2)
    );
    assert_eq!(faults[1].evidence, "more than 100003 decompressed bytes");
    assert!(!outcome.facts.complete && outcome.facts.bytes > 99_000);
}

#[test]
fn bomb() {
    // 1 GiB of one character in gzip: blocks that end with a full flush can be concatenated.
    for byte in [b' ', 0] {
        let mut deflated = Vec::with_capacity(4_096);
        let mut deflate = flate2::Compress::new(flate2::Compression::best(), false);
        deflate
            .compress_vec(&vec![byte; 1 << 20], &mut deflated, FlushCompress::Full)
            .expect("it fits");
        let wire = [GZIP_HEADER.to_vec(), deflated.repeat(1_024), b"\x03\x00".to_vec()].concat();
        let outcome = bounded(&wire, 1 << 20);
        assert_eq!((outcome.facts.bytes, outcome.kinds()), (1 << 20, vec![SizeLimit]));
        assert_eq!(outcome.text.len(), if byte == 0 { 0 } else { 1 << 20 });
        assert!(outcome.facts.wire_bytes < 100_000, "the rest of the source is not read");
        assert!(wire.len() > 1_000_000);
    }
}

#[test]
fn endless_sources_end() {
    struct Endless(Vec<u8>, usize);
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            for byte in buffer.iter_mut() {
                *byte = self.0[self.1 % self.0.len()];
                self.1 += 1;
            }
            Ok(buffer.len())
        }
    }
    let options = Options {
        max_inflated: 100_000,
        hash: false,
    };
    // Text; empty members; gzip followed by padding or junk; an endless file name; binary data.
    let outcome = run(Endless(b"<a/>".to_vec(), 0), options, 4_096);
    assert_eq!(
        (outcome.text.len(), outcome.kinds(), outcome.facts.wire_bytes),
        (100_000, vec![SizeLimit], 100_001)
    );
    for (start, endless, kinds) in [
        (vec![], gzip(""), vec![SizeLimit]),
        (gzip("<a/>"), vec![0], vec![SizeLimit]),
        (gzip("<a/>"), b"junk".to_vec(), vec![SizeLimit, GzipTrailingData]),
        (
            b"\x1f\x8b\x08\x08\0\0\0\0\0\0".to_vec(),
            b"name".to_vec(),
            vec![SizeLimit],
        ),
        (b"PK\x03\x04".to_vec(), vec![0], vec![SizeLimit]),
    ] {
        let outcome = run(Cursor::new(start).chain(Endless(endless, 0)), options, 4_096);
        assert_eq!(outcome.kinds(), kinds);
        assert!(!outcome.facts.complete && outcome.facts.wire_bytes < 400_000);
    }
}
