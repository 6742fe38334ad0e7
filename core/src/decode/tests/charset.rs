//! Encodings and invalid bytes, case by case.

use super::*;

#[test]
fn byte_order_marks() {
    for (bytes, encoding) in [
        (b"\xef\xbb\xbf<a>\xc3\xa9</a>".to_vec(), "UTF-8"),
        ([b"\xff\xfe".to_vec(), utf_16("<a>é</a>", true)].concat(), "UTF-16LE"),
        ([b"\xfe\xff".to_vec(), utf_16("<a>é</a>", false)].concat(), "UTF-16BE"),
    ] {
        let outcome = decode(&bytes);
        assert_eq!((outcome.text.as_str(), outcome.kinds()), ("<a>é</a>", vec![]));
        assert_eq!((outcome.facts.encoding, outcome.facts.has_bom), (encoding, true));
        assert_eq!(outcome.facts.bytes, bytes.len() as u64);
        assert_eq!(decode(gzip(&bytes)).text, "<a>é</a>");
    }
    for bytes in [&b"\xff\xfe\0\0<\0\0\0"[..], b"\0\0\xfe\xff\0\0\0<"] {
        let outcome = decode(bytes);
        assert_eq!((outcome.text.as_str(), outcome.kinds()), ("", vec![EncodingUnknown]));
        assert_eq!((outcome.facts.magic, outcome.facts.bytes), (Some(Magic::Binary), 8));
    }
    // Only the first one is a byte order mark.
    assert_eq!(decode("\u{feff}\u{feff}<a/>").text, "\u{feff}<a/>");
}

#[test]
fn utf_16_without_byte_order_mark() {
    for little in [true, false] {
        let name = if little { "UTF-16LE" } else { "UTF-16BE" };
        for text in [
            "<?xml version='1.0'?><a>é</a>",
            "<?xml version='1.0' encoding='UTF-16'?><a>é</a>",
        ] {
            let outcome = decode(utf_16(text, little));
            assert_eq!((outcome.text.as_str(), outcome.kinds()), (text, vec![]));
            assert_eq!((outcome.facts.encoding, outcome.facts.has_bom), (name, false));
        }
        for text in ["<urlset>日本</urlset>", "\n <urlset/>", "https://example.org/é\n", "<a"] {
            let outcome = decode(utf_16(text, little));
            assert_eq!((outcome.text.as_str(), outcome.kinds()), (text, vec![EncodingConflict]));
            assert!(outcome.anomalies[0].breaks_xml);
        }
    }
}

/// Labels combined with bytes, and whether libxml2 2.14 rejects the document.
#[test]
fn declaration_against_bytes() {
    let cases: &[(&str, &str, &str, &[AnomalyKind], bool)] = &[
        // declared, bytes, encoding read, anomalies, whether they break XML
        ("UTF-8", "8", "UTF-8", &[], false),
        ("utf8", "8", "UTF-8", &[], false),
        ("utf-16", "8", "UTF-8", &[EncodingConflict], true),
        ("UTF-16LE", "8", "UTF-8", &[EncodingConflict], true),
        ("ISO-10646-UCS-2", "8", "UTF-8", &[EncodingConflict], true),
        ("UCS-4", "8", "UTF-8", &[EncodingConflict], true),
        ("UTF-32", "8", "UTF-8", &[EncodingConflict], true),
        ("bogus", "8", "UTF-8", &[EncodingUnknown], true),
        ("UTF_8", "8", "UTF-8", &[EncodingUnknown], true),
        ("", "8", "UTF-8", &[EncodingUnknown], true),
        ("UTF-8", "8 bom", "UTF-8", &[], false),
        ("utf-16", "8 bom", "UTF-8", &[EncodingConflict], false),
        ("ISO-8859-1", "8 bom", "UTF-8", &[EncodingConflict], false),
        ("bogus", "8 bom", "UTF-8", &[EncodingConflict], false),
        ("UTF-16", "16le bom", "UTF-16LE", &[], false),
        ("UTF-16", "16be bom", "UTF-16BE", &[], false),
        ("UCS-2", "16be bom", "UTF-16BE", &[], false),
        ("UTF-16LE", "16le bom", "UTF-16LE", &[], false),
        ("UTF-16BE", "16be bom", "UTF-16BE", &[], false),
        ("UTF-16BE", "16le bom", "UTF-16LE", &[EncodingConflict], false),
        ("UTF-16LE", "16be bom", "UTF-16BE", &[EncodingConflict], false),
        ("UTF-8", "16le bom", "UTF-16LE", &[EncodingConflict], false),
        ("bogus", "16be bom", "UTF-16BE", &[EncodingConflict], false),
        ("UTF-16", "16le", "UTF-16LE", &[], false),
        ("UTF-8", "16le", "UTF-16LE", &[EncodingConflict], false),
        ("UTF-8", "16be", "UTF-16BE", &[EncodingConflict], false),
    ];
    for (label, bytes, encoding, kinds, breaks) in cases {
        let text = declared(label) + "<a>é</a>";
        let wire = match *bytes {
            "8" => text.clone().into_bytes(),
            "8 bom" => format!("\u{feff}{text}").into_bytes(),
            "16le" => utf_16(&text, true),
            "16be" => utf_16(&text, false),
            "16le bom" => utf_16(&format!("\u{feff}{text}"), true),
            _ => utf_16(&format!("\u{feff}{text}"), false),
        };
        let outcome = decode(wire);
        let case = format!("{label} in {bytes}");
        assert_eq!(outcome.text, text, "{case}");
        assert_eq!(outcome.facts.encoding, *encoding, "{case}");
        assert_eq!(outcome.facts.declared_encoding.as_deref(), Some(*label), "{case}");
        assert_eq!(outcome.kinds(), *kinds, "{case}");
        assert_eq!(
            outcome.anomalies.iter().any(|anomaly| anomaly.breaks_xml),
            *breaks,
            "{case}"
        );
        for anomaly in &outcome.anomalies {
            assert_eq!(
                anomaly.byte_offset,
                text.find("encoding=").map_or(0, |at| at as i64 + 10),
                "{case}"
            );
        }
    }
}

#[test]
fn declared_encodings() {
    let cases: &[(&str, &[u8], &str, &str)] = &[
        ("ISO-8859-1", b"caf\xe9", "café", "windows-1252"),
        ("windows-1252", b"\x80\x9f", "€Ÿ", "windows-1252"),
        ("windows-1251", b"\xcf\xf0\xe8", "При", "windows-1251"),
        ("KOI8-R", b"\xf0\xd2\xc9", "При", "KOI8-R"),
        ("Shift_JIS", b"\x93\xfa\x96\x7b", "日本", "Shift_JIS"),
        ("EUC-JP", b"\xc6\xfc\xcb\xdc", "日本", "EUC-JP"),
        ("ISO-2022-JP", b"\x1b$BF|K\\\x1b(B", "日本", "ISO-2022-JP"),
        ("gb2312", b"\xd6\xd0\xce\xc4", "中文", "GBK"),
        ("gb18030", b"\xd6\xd0\x81\x30\x81\x30", "中\u{80}", "gb18030"),
        ("Big5", b"\xa4\xa4\xa4\xe5", "中文", "Big5"),
        ("EUC-KR", b"\xc7\xd1\xb1\xb9", "한국", "EUC-KR"),
    ];
    for (label, bytes, text, encoding) in cases {
        let wire = [declared(label).as_bytes(), bytes].concat();
        for want in [1, 2, 3, WANT] {
            let outcome = run(Cursor::new(wire.clone()), OPTIONS, want);
            assert_eq!(
                (outcome.text.clone(), outcome.kinds()),
                (declared(label) + text, vec![]),
                "{label}"
            );
            assert_eq!((outcome.facts.encoding, outcome.facts.has_bom), (*encoding, false));
        }
    }
}

#[test]
fn declarations_read_leniently() {
    for head in [
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>",
        "<?xml version='1.0' encoding='iso-8859-1' standalone='yes'?>",
        " \r\n\t<?xml version='1.0' encoding='latin1'?>",
        "<?xml\nversion = '1.0'\n\tencoding\n=\n'latin1'\n?>",
        "<?xml encoding='latin1' version='1.0'?>",
        "<?xml encoding='latin1'?>",
        "<?xml version=1.0 encoding=latin1?>",
        "<?xml version='1.0' , encoding='latin1'?>",
        "<?xml version='1.0'encoding=' latin1 '?>",
        "<?XML version='1.0' ENCODING='LATIN1'?>",
        "<?xml version='encoding=\"utf-8\"' encoding='latin1'?>",
        "<?xml version='1.0' encoding='latin1'>",
        &format!("{}<?xml version='1.0' encoding='latin1'?>", " ".repeat(980)),
    ] {
        let outcome = decode([head.as_bytes(), b"\xe9"].concat());
        assert_eq!(
            (outcome.text.clone(), outcome.kinds()),
            (format!("{head}é"), vec![]),
            "{head}"
        );
    }
    for head in [
        "<!-- --><?xml version='1.0' encoding='latin1'?>",
        "<?xml-stylesheet encoding='latin1'?>",
        "<?xml version='1.0'?><a encoding='latin1'>",
        "<?xml version=\"encoding='latin1'\"?>",
        "<?xml version='1.0' encodings='latin1'?>",
        "<?xml version='1.0' encoding='latin1",
        "encoding='latin1'",
        &format!("{}<?xml version='1.0' encoding='latin1'?>", " ".repeat(1_024)),
    ] {
        let outcome = decode([head.as_bytes(), b"\xe9"].concat());
        assert_eq!(
            (outcome.text.clone(), outcome.kinds()),
            (format!("{head}\u{fffd}"), vec![EncodingInvalid]),
            "{head}"
        );
        assert_eq!(outcome.facts.declared_encoding, None, "{head}");
    }
}

fn invalid(offset: i64, evidence: &str) -> DecodeAnomaly {
    let evidence = evidence.to_owned();
    DecodeAnomaly {
        kind: EncodingInvalid,
        byte_offset: offset,
        in_text: true,
        breaks_xml: true,
        count: 1,
        evidence,
    }
}

#[test]
fn invalid_utf_8() {
    // The examples of the Unicode Standard 3.9, tables 3-8 to 3-11: one U+FFFD for each maximal subpart.
    let cases: &[(&[u8], &str)] = &[
        (b"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82A", "????????A"),
        (b"\xed\xa0\x80\xed\xbf\xbf\xed\xafA", "????????A"),
        (b"\xf4\x91\x92\x93\xffA\x80\xbfB", "?????A??B"),
        (b"\xe1\x80\xe2\xf0\x91\x92\xf1\xbfA", "????A"),
        (b"a\xe2\x82", "a?"),
        (b"a\xf0\x9f\x98", "a?"),
    ];
    for (bytes, text) in cases {
        for want in 1..8 {
            let outcome = run(Cursor::new(bytes.to_vec()), OPTIONS, want);
            assert_eq!(outcome.text, text.replace('?', "\u{fffd}"));
            let places: Vec<_> = outcome
                .anomalies
                .iter()
                .map(|anomaly| anomaly.byte_offset as usize)
                .collect();
            let expected: Vec<_> = outcome.text.match_indices('\u{fffd}').map(|(at, _)| at).collect();
            assert_eq!(places, expected);
        }
    }
    let outcome = decode(b"<loc>https://example.org/caf\xe9</loc>\n\xe2\x82<");
    assert_eq!(
        outcome.anomalies,
        [
            invalid(28, "\\xE9 after \"…mple.org/caf\""),
            invalid(38, "\\xE2\\x82 after \"…/caf\u{fffd}</loc>\\n\"")
        ]
    );
    assert_eq!(decode(b"a\xff").anomalies, [invalid(1, "\\xFF after \"a\"")]);
    assert_eq!(
        decode(b"\xff").anomalies,
        [invalid(0, "\\xFF at the start of the document")]
    );
    // U+FFFD itself is an ordinary character.
    assert_eq!(decode("a\u{fffd}").anomalies, []);
}

#[test]
fn invalid_in_other_encodings() {
    let cases: &[(&str, &[u8], &str, &[&str])] = &[
        ("Shift_JIS", b"\x93\xfa\x81", "日\u{fffd}", &["\\x81"]),
        ("Shift_JIS", b"\x81<", "\u{fffd}<", &["\\x81"]),
        ("EUC-JP", b"\x8f\xa2<a", "\u{fffd}<a", &["\\x8F\\xA2"]),
        ("gb18030", b"\x81\x30\x81<", "\u{fffd}0\u{fffd}<", &["\\x81", "\\x81"]),
        ("windows-1253", b"\xaa!", "\u{fffd}!", &["\\xAA"]),
        ("ISO-2022-JP", b"\x1b$BF|\xff\x1b(Bx", "日\u{fffd}x", &["\\xFF"]),
    ];
    for (label, bytes, text, bad) in cases {
        let wire = [declared(label).as_bytes(), bytes].concat();
        for want in [1, 2, 3, 5, WANT] {
            let outcome = run(Cursor::new(wire.clone()), OPTIONS, want);
            assert_eq!(outcome.text, declared(label) + text, "{label}");
            let found: Vec<_> = outcome
                .anomalies
                .iter()
                .map(|anomaly| anomaly.evidence.split(' ').next().unwrap_or(""))
                .collect();
            assert_eq!(found, *bad, "{label} {bytes:x?} {want}");
        }
    }
    // UTF-16: a lone surrogate, and half a unit at the end.
    let wire = [
        b"\xff\xfe".to_vec(),
        utf_16("<a>", true),
        b"\x00\xd8".to_vec(),
        utf_16("é", true),
        vec![b'x'],
    ]
    .concat();
    for want in [1, 2, 3, 4, 5, 100] {
        let outcome = run(Cursor::new(wire.clone()), OPTIONS, want);
        assert_eq!(outcome.text, "<a>\u{fffd}é\u{fffd}");
        assert_eq!(
            outcome.anomalies,
            [
                invalid(3, "\\x00\\xD8 after \"<a>\""),
                invalid(8, "\\x78 after \"<a>\u{fffd}é\"")
            ]
        );
    }
}

#[test]
fn invalid_beyond_the_first_thousand_is_counted() {
    for (count, last) in [
        (1_000, None),
        (1_001, Some("… and 1 more")),
        (5_000, Some("… and 4000 more")),
    ] {
        for head in ["<a>".to_owned(), declared("windows-1253")] {
            let wire = [head.as_bytes(), &b"\xffa".repeat(count)].concat();
            let outcome = run(Cursor::new(wire.clone()), OPTIONS, 777);
            assert_eq!(outcome.text.matches('\u{fffd}').count(), count);
            assert_eq!(outcome.anomalies.len(), count.min(1_001));
            assert_eq!(
                outcome.anomalies.get(1_000).map(|anomaly| anomaly.evidence.as_str()),
                last
            );
            assert_eq!(
                outcome.anomalies.iter().map(|anomaly| anomaly.count).sum::<i64>(),
                count as i64
            );
            if last.is_some() {
                assert_eq!(outcome.anomalies[1_000].byte_offset, head.len() as i64 + 4_000);
            }
        }
    }
}

#[test]
fn evidence_is_short_and_safe() {
    let label = "\u{1b}[31m".repeat(60);
    for wire in [declared(&label), format!("\u{feff}{}", declared(&label))] {
        let outcome = decode(wire);
        assert_eq!(outcome.anomalies.len(), 1);
        let evidence = &outcome.anomalies[0].evidence;
        assert!(
            evidence.contains("\\u{1b}[31m") && !evidence.contains('\u{1b}'),
            "{evidence}"
        );
        assert!(evidence.chars().count() <= 120, "{evidence}");
        assert_eq!(
            outcome.facts.declared_encoding.map(|label| label.chars().count()),
            Some(100)
        );
    }
    let outcome = decode([b"<a>".to_vec(), "\u{e0001}".repeat(12).into_bytes(), b"\xff".to_vec()].concat());
    assert!(outcome.anomalies[0].evidence.chars().count() <= 120);
}
