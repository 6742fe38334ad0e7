//! The writer by itself: dates, escapes, URLs, the set of hashes, and the limits exact to the byte.

use std::borrow::Cow;
use std::collections::HashSet;

use proptest::prelude::*;

use super::encode::Encoder;
use super::entry::{Entry, Value};
use super::gathered::Gathered;
use super::part::{Fit, Frame, Part, Piece, footer, header};
use super::refusal::Reason;
use super::rows::Tally;
use super::seen::Seen;
use super::set::Set;
use super::urls::{Base, Urls, has_parameter};
use super::{Dates, Options, days, escape};
use crate::value::calendar::civil;
use crate::value::datetime::parse_w3c;
use crate::value::url::parse;
use crate::value::url::xml_unescaped;

fn options() -> Options {
    Options {
        max_entries: 50_000,
        max_bytes: 52_428_800,
        max_news: 1_000,
        base: None,
        hosts: Vec::new(),
        dates: Dates::Time,
        require_lastmod: false,
        latest: i64::MAX,
        strip: false,
        drop_fields: false,
        doubtful: false,
        sensitive: None,
        unique: false,
        pretty: false,
        stylesheet: None,
        gzip: None,
        namespaces: Vec::new(),
        newest: 0,
        merges: None,
    }
}

fn entry(loc: &str) -> Entry<'_> {
    Entry {
        loc: Some(Cow::Borrowed(loc)),
        ..Entry::default()
    }
}

#[test]
fn every_reason_is_well_named() {
    for (index, reason) in Reason::ALL.iter().enumerate() {
        let (name, about) = (reason.name(), reason.about());
        assert!(
            name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'),
            "{name}"
        );
        assert!(about.ends_with('.') && about.len() > 10, "{name}: {about}");
        assert!(
            Reason::ALL[..index].iter().all(|other| other.name() != name),
            "{name} twice"
        );
    }
}

#[test]
fn every_day_of_ten_thousand_years_is_written_and_read_back() {
    let mut last = String::new();
    let remembered = &mut days::Days::new();
    for days in -719_162..=2_932_896 {
        let text = days::day(days);
        assert!(text > last, "{text}");
        assert_eq!(parse_w3c(&text).at, Some(days * 86_400_000_000), "{text}");
        last = text;
        assert_eq!(remembered.get(days as i32), Some(last.as_str()));
    }
    assert_eq!(remembered.get(-719_163), None);
    assert_eq!(remembered.get(2_932_897), None);
    assert_eq!((civil(-719_162), civil(2_932_896)), ((1, 1, 1), (9999, 12, 31)));
}

#[test]
fn limits_of_a_part_are_exact_to_the_byte() {
    let encoder = &mut Encoder::new(options());
    let frame = Frame::default();
    let mut bytes = Vec::new();
    let written = encoder.encode(&entry("https://example.com/"), &mut bytes).unwrap();
    let length = bytes.len();
    let piece = Piece::new(bytes);
    let both = header("urlset", 0, &options()).len() + 2 * length + footer("urlset", &options()).len();
    for (limit, fit) in [(both, Fit::Fits), (both - 1, Fit::Full)] {
        let options = Options {
            max_bytes: limit as u64,
            ..options()
        };
        let mut part = Part::default();
        assert_eq!(part.fit(&written, length, &frame, &options), Fit::Fits);
        part.append(&piece, 0..length, &Tally::of(&written));
        assert_eq!(part.fit(&written, length, &frame, &options), fit);
    }
    let alone = (both - length) as u64;
    let options = Options {
        max_bytes: alone - 1,
        ..options()
    };
    let part = Part::default();
    assert_eq!(part.fit(&written, length, &frame, &options), Fit::TooLarge(alone));
}

/// Writes entries in steps, and returns the bytes of each file and what was left out.
fn set_of(locs: &[String], step: usize, threads: usize, options: &Options) -> (Vec<Vec<u8>>, Vec<(u64, String)>) {
    let folder = std::env::temp_dir().join(format!("urlset-set-{}-{threads}-{step}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let mut set = Set::new(folder.clone(), options.clone(), threads);
    let mut number = 0;
    for some in locs.chunks(step) {
        let mut gathered = Gathered::default();
        for loc in some {
            number += 1;
            gathered.plain(number, loc, if number % 3 == 0 { "2025-01-02" } else { "" });
        }
        set.add("", Box::new(gathered), 0).unwrap();
    }
    let saved = set.finish().unwrap();
    let omissions = set.outcomes().into_iter().flat_map(|outcome| outcome.omissions);
    let omissions = omissions
        .map(|one| (one.number, format!("{} {}", one.refusal.reason.name(), one.loc)))
        .collect();
    drop(set);
    let files = saved
        .iter()
        .map(|one| std::fs::read(folder.join(one.file.to_string())).unwrap())
        .collect();
    std::fs::remove_dir_all(&folder).unwrap();
    (files, omissions)
}

#[test]
fn the_number_of_threads_does_not_change_a_set() {
    // Some are invalid, and some are repeated: within the same rows, and in rows of another thread.
    let loc = |number: u64| match number % 500 {
        0 => format!("/relative/{number}"),
        1 => format!("https://example.com/{}", number / 2),
        _ => format!("https://example.com/{number}"),
    };
    let locs: Vec<_> = (0..20_000).map(loc).collect();
    for gzip in [None, Some(1)] {
        let options = Options {
            max_entries: 3_000,
            max_bytes: 200_000,
            unique: true,
            gzip,
            ..options()
        };
        let alone = set_of(&locs, 1, 1, &options);
        assert!(alone.0.len() > 4);
        assert!(alone.1.len() > 40 && alone.1.iter().any(|(_, what)| what.starts_with("duplicate")));
        assert!(alone.1.is_sorted_by_key(|(number, _)| *number));
        for (step, threads) in [(2_000, 1), (1_500, 2), (4_096, 4), (1_024, 7)] {
            assert!(
                set_of(&locs, step, threads, &options) == alone,
                "{step} rows, {threads} threads"
            );
        }
    }
}

#[test]
fn a_refused_entry_leaves_nothing_behind() {
    let encoder = &mut Encoder::new(options());
    let mut out = b"before".to_vec();
    let bad = Entry {
        priority: Some(Value::Float(f64::INFINITY)),
        ..entry("https://example.com/")
    };
    assert_eq!(encoder.encode(&bad, &mut out).unwrap_err().reason, Reason::FieldInvalid);
    assert_eq!(out, b"before");
}

proptest! {
    #[test]
    fn seen_hashes_behave_like_a_set(hashes in prop::collection::vec(0_u64..1_000_000, 0..3_000), scale in 1_u64..u64::MAX / 1_000_000) {
        let (mut seen, mut known) = (Seen::new(), HashSet::new());
        for hash in hashes {
            let hash = twox_hash::XxHash64::oneshot(scale, &hash.to_le_bytes());
            prop_assert_eq!(seen.insert(hash), known.insert(hash));
        }
    }

    #[test]
    fn good_urls_are_ascii_and_unchanged(text in r#"https?://([a-z0-9ä日.-]{1,12}|\[::1\])(:[0-9]{1,5})?[a-z/?#%\[\]äß😀 "<>\\^`{|}&'@:]{0,20}"#) {
        let mut urls = Urls::default();
        if let Ok(good) = urls.good(&text, "loc") {
            prop_assert!(good.text.is_ascii());
            let parts = parse(&good.text);
            prop_assert_eq!(parts.problem, None);
            prop_assert_eq!(parts.host, Some(good.host()));
            // Encoded once, never twice.
            let again = urls.good(&good.text, "loc").map(|again| again.text.into_owned());
            prop_assert_eq!(again.ok(), Some(good.text.clone().into_owned()));
            if parse(text.trim()).problem.is_none() && text.is_ascii() {
                prop_assert_eq!(good.text, text.trim());
            }
        }
    }

    #[test]
    fn escapes_can_be_undone(text in any::<String>()) {
        let text = escape::strip_forbidden(&text);
        prop_assert!(!escape::has_forbidden(&text));
        let mut escaped = Vec::new();
        escape::push_attribute(&mut escaped, &text);
        let escaped = String::from_utf8(escaped).unwrap();
        prop_assert!(!escaped.contains(['<', '>', '"', '\'', '\n', '\r', '\t']));
        let undone = escaped
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&apos;", "'")
            .replace("&#13;", "\r")
            .replace("&#10;", "\n")
            .replace("&#9;", "\t")
            .replace("&amp;", "&");
        prop_assert_eq!(undone, text);
    }
}

#[test]
fn parameters_have_names_and_values() {
    let names = ["token".to_owned()];
    for (url, wanted) in [
        ("https://e.com/?token=1", true),
        ("https://e.com/?a=b&TOKEN=1#c", true),
        ("https://e.com/a;token=1", true),
        ("https://e.com/#token=1", true),
        ("https://e.com/?token=", false),
        ("https://e.com/?token", false),
        ("https://e.com/token=1", false),
        ("https://e.com/?atoken=1", false),
    ] {
        assert_eq!(has_parameter(url, &names), wanted, "{url}");
    }
}

proptest! {
    /// Whatever the input, the output is the base and a path, the absolute URL as given, or a refusal.
    #[test]
    fn only_paths_are_resolved(given in r"(\./|/|//|www\.|[a-z]{1,4}\.)?[a-z0-9./?:#&;=-]{0,12}", bare: bool) {
        let urls = Urls::new(Some(Base { text: "https://e.com/b/".to_owned(), bare }));
        match urls.absolute(&given, "loc") {
            Ok(found) if found.starts_with("https://e.com/b/") => {
                let rest = &found["https://e.com/b/".len()..];
                prop_assert!(given.ends_with(rest) || xml_unescaped(&given).is_some_and(|it| it.ends_with(rest)));
                prop_assert!(bare || given.starts_with('/') || given.starts_with("./"));
                prop_assert!(!given.starts_with("www.") || !bare || !given.contains(".com"));
            }
            Ok(found) => prop_assert!(
                found == given || found.ends_with(given.as_str()) || xml_unescaped(&given).is_some(),
                "{given} {found}"
            ),
            Err(refusal) => prop_assert!(matches!(refusal.reason, Reason::UrlBare | Reason::UrlSchemeless)),
        }
    }
}
