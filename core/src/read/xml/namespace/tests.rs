//! Namespaces, and which URIs are valid names.

use super::*;

#[test]
fn namespaces_beyond_the_limit_are_counted_together_and_forgotten() {
    let mut namespaces = Namespaces::new();
    let count = 3 * MAX_FOREIGN_NAMESPACES;
    for number in 0..count {
        let mark = namespaces.mark();
        namespaces.bind("x", &format!("urn:{number}"), || (1, 1));
        let Resolved::Namespace(id) = namespaces.resolve("x") else {
            panic!("x is bound");
        };
        assert_eq!(namespaces.get(id).uri, format!("urn:{number}"));
        namespaces.pass_over(id);
        namespaces.leave(mark);
    }
    let found = namespaces.passed_over();
    assert!(found.len() <= MAX_FOREIGN_NAMESPACES && namespaces.all.len() <= MAX_FOREIGN_NAMESPACES);
    assert_eq!(namespaces.by_uri.len(), namespaces.all.len());
    assert_eq!(found.iter().map(|(_, count)| *count).sum::<i64>(), count as i64);
    assert_eq!(found.last().map(|(uri, _)| uri.as_str()), Some(OTHERS));
}

#[test]
fn an_outer_namespace_survives_an_inner_binding() {
    let mut namespaces = Namespaces::new();
    for number in 0..2 * MAX_FOREIGN_NAMESPACES {
        namespaces.bind(&format!("p{number}"), &format!("urn:{number}"), || (1, 1));
    }
    let mark = namespaces.mark();
    namespaces.bind("again", "urn:1999", || (1, 1));
    namespaces.leave(mark);
    let outer = namespaces.resolve("p1999");
    namespaces.bind("new", "urn:1999", || (1, 1));
    assert_eq!(namespaces.resolve("new"), outer);
    namespaces.leave(1);
    assert!(namespaces.all.len() <= MAX_FOREIGN_NAMESPACES && namespaces.by_prefix.is_empty());
}

#[test]
fn references_as_in_rfc_3986() {
    for good in [
        "http://www.sitemaps.org/schemas/sitemap/0.9",
        "urn:x",
        "a/b:c",
        "//host",
        "?q",
        "#f",
        "x:",
        "http://u:p@h:80/p",
        "http://[::1]:8080/",
        "%20",
        "a@b",
        "http://h/a;b=c,d?e/f?g#h/i?j",
        "",
    ] {
        assert!(is_uri_reference(good), "{good}");
    }
    for bad in [
        " ",
        "http://h /",
        // Valid for RFC 3986, which allows an empty port; libxml2 rejects it.
        "http://h:/",
        "http://h/é",
        "a:b c",
        "%2",
        "%zz",
        "1a:b",
        ":a",
        "http://h:80a/",
        "http://h/[",
        "http://a@b@c/",
        "http://h/a|b",
        "http://h/#a#b",
        "http://[::1/",
        "a\\b",
        "\"",
    ] {
        assert!(!is_uri_reference(bad), "{bad}");
    }
}

/// Compares the bindings of nested elements with a linear search through all of them.
#[test]
fn prefixes_resolve_to_their_innermost_binding() {
    let mut namespaces = Namespaces::new();
    let mut model: Vec<(String, String)> = vec![("xml".to_owned(), XML_URI.to_owned())];
    let mut marks = Vec::new();
    // A fixed pseudo-random sequence that decides what to bind and when elements end.
    let mut state = 1_u32;
    let mut next = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    };
    for _ in 0..20_000 {
        if next(3) > 0 || marks.is_empty() {
            marks.push((namespaces.mark(), model.len()));
            for _ in 0..next(5) {
                let prefix = ["", "a", "b", "image", "xhtml", "p1", "p2", "p3"][next(8) as usize];
                let uri = ["", "urn:1", "urn:2", "urn:3"][next(4) as usize];
                namespaces.bind(prefix, uri, || (1, 1));
                model.push((prefix.to_owned(), uri.to_owned()));
            }
        } else if let Some((mark, length)) = marks.pop() {
            namespaces.leave(mark);
            model.truncate(length);
        }
        let prefix = ["", "a", "b", "image", "p1", "xml", "none"][next(7) as usize];
        let expected = model
            .iter()
            .rev()
            .find(|(bound, _)| bound == prefix)
            .map(|(_, uri)| uri.as_str());
        let found = match namespaces.resolve(prefix) {
            Resolved::Namespace(id) => Some(namespaces.get(id).uri.as_str()),
            Resolved::None => Some(""),
            Resolved::Undeclared => None,
        };
        assert_eq!(
            found,
            expected.or(prefix.is_empty().then_some("")),
            "{prefix:?} in {model:?}"
        );
    }
}
