//! Tests of the parts; the table of verdicts is `tests/robots/cases`, for Python and core together.

use proptest::prelude::*;

use super::pattern::{Pattern, Tail};
use super::{Robots, resolve, target};

fn pattern(text: &str) -> Pattern {
    Pattern::compile(text.as_bytes())
}

#[test]
fn patterns_are_taken_apart() {
    assert_eq!(pattern("/a").tail, Tail::Open);
    assert_eq!(pattern("/a*").tail, Tail::Open);
    assert_eq!(pattern("/a*$").tail, Tail::Open);
    assert_eq!(pattern("/a$").tail, Tail::End);
    assert_eq!(
        pattern("/a*b**c$").tail,
        Tail::Parts {
            parts: vec![b"b".to_vec(), b"c".to_vec()],
            is_anchored: true
        }
    );
    assert_eq!(
        pattern("/a*b*$").tail,
        Tail::Parts {
            parts: vec![b"b".to_vec()],
            is_anchored: false
        }
    );
    assert_eq!(pattern("").tail, Tail::Never);
    assert!(!pattern("").never_matches());
    assert!(pattern("a").never_matches());
}

#[test]
fn the_length_of_a_pattern_is_that_of_its_normal_form() {
    for (text, length) in [
        ("/", 1),
        ("/a*b$", 5),
        ("/%61", 2),
        ("/é", 7),
        ("/$a", 3),
        ("/%2a", 4),
        ("/a%", 5),
    ] {
        assert_eq!(pattern(text).length, length, "{text}");
    }
}

#[test]
fn references_are_resolved_as_rfc_3986_says() {
    // The examples of section 5.4 that have no scheme of their own, with dots undone in the path only.
    let base = "http://a/b/c/d;p?q";
    for (reference, expected) in [
        ("g", "http://a/b/c/g"),
        ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"),
        ("//g", "http://g"),
        ("?y", "http://a/b/c/d;p?y"),
        ("g?y", "http://a/b/c/g?y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"),
        (";x", "http://a/b/c/;x"),
        (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"),
        ("..", "http://a/b/"),
        ("../", "http://a/b/"),
        ("../g", "http://a/b/g"),
        ("../..", "http://a/"),
        ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"),
        ("/./g", "http://a/g"),
        ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."),
        ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"),
        ("g;x=1/../y", "http://a/b/c/y"),
    ] {
        assert_eq!(resolve::against(base, reference), expected, "{reference}");
    }
    assert_eq!(resolve::against("https://e.com", "s.xml"), "https://e.com/s.xml");
}

proptest! {
    #[test]
    fn any_bytes_are_parsed_and_asked(content in prop::collection::vec(any::<u8>(), 0..400), path in "/[ -~é]{0,20}") {
        let robots = Robots::parse(&content, Some("https://example.com/robots.txt"));
        if let Some(target) = target(&path) {
            let _ = robots.verdict(&["bot"], target).is_allowed();
        }
        prop_assert!(robots.rules_table(0).is_ok() && robots.sitemap_table(0).is_ok());
    }

    #[test]
    fn normal_forms_stay_as_they_are(path in "/[ -~é]{0,20}") {
        let of = |path: &str| format!("https://example.com{path}");
        let once = target(&of(&path)).map(|target| target.normalized().into_owned()).unwrap_or_default();
        let text = String::from_utf8(once.clone()).expect("a normal form is ASCII");
        let twice = target(&of(&text)).map(|target| target.normalized().into_owned());
        prop_assert_eq!(Some(once), twice);
    }
}
