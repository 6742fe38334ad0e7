//! Tests of the parts; the table of verdicts is `tests/robots/cases`, shared by Python and the core.

use proptest::prelude::*;

use super::pattern::{Pattern, Tail};
use super::wild::TRIED;
use super::{Agent, Dialect, Reason, Robots, RobotsProblem, resolve, target};
use crate::limits::{MAX_ROBOTS_ROWS, MAX_ROBOTS_STARS, MAX_ROBOTS_TEXT};

fn pattern(text: &str) -> Pattern {
    Pattern::compile(text.as_bytes())
}

#[test]
fn patterns_are_split_into_parts() {
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
        ("/\u{7f}", 4),
        ("/~", 2),
        ("/$a", 3),
        ("/%2a", 4),
        ("/a%", 5),
    ] {
        assert_eq!(pattern(text).length, length, "{text}");
    }
}

#[test]
fn references_are_resolved_as_rfc_3986_says() {
    // The examples of section 5.4 without a scheme of their own, with dots removed from the path only.
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

/// Many user agents that share rules of invalid UTF-8; each rule takes three times its bytes as text.
fn shared(agents: usize) -> Robots {
    let mut content: Vec<u8> = (0..agents)
        .flat_map(|number| format!("User-agent: a{number}\n").into_bytes())
        .collect();
    for _ in 0..14 {
        content.extend_from_slice(b"Disallow: /");
        content.resize(content.len() + 14_000, 0xFF);
        content.push(b'\n');
    }
    Robots::parse(&content, None)
}

#[test]
fn the_table_of_rules_is_limited_in_rows_and_in_bytes() {
    for agents in [100, 5_000, 10_000] {
        let robots = shared(agents);
        let table = robots.rules_table(0).expect("a table");
        assert!(table.num_rows() > 0 && table.num_rows() <= MAX_ROBOTS_ROWS.min(14 * agents));
        assert!(table.get_array_memory_size() < 2 * MAX_ROBOTS_TEXT, "{agents}");
        let noted = robots
            .problems
            .iter()
            .filter(|problem| problem.kind == RobotsProblem::TooManyRules);
        assert_eq!(noted.count(), 1, "{agents}");
        let last = format!("a{}", agents - 1);
        let path = target("/%ff").expect("a path");
        // A path shorter than that of any rule: the rules left out of the table still apply to the last agent.
        assert!(matches!(
            robots.verdict(&[&last], Dialect::Rfc, path),
            Reason::NoRule { .. }
        ));
    }
    assert!(
        shared(5)
            .problems
            .iter()
            .all(|problem| problem.kind != RobotsProblem::TooManyRules)
    );
}

/// Returns how many rules are compared part by part with a path.
fn tried(robots: &Robots, path: &str) -> usize {
    let path = target(path).expect("a path");
    TRIED.set(0);
    assert!(matches!(
        robots.verdict(&["bot"], Dialect::Rfc, path),
        Reason::NoRule { .. }
    ));
    TRIED.get()
}

#[test]
fn a_url_is_compared_only_with_rules_that_can_match_it() {
    let parse = |lines: Vec<String>| Robots::parse(format!("User-agent: *\n{}", lines.concat()).as_bytes(), None);
    let words = |count| parse((0..count).map(|word| format!("Disallow: /*word{word}*end\n")).collect());
    for count in [2_000, 4_000] {
        assert!(tried(&words(count), "/word/1234567890/dnewor.html") < count / 20);
    }
    // All letters occur, but in a different order than in any rule.
    let (letters, path) = ("abcdefghijklmnopqrstuvwxyz", "/zyxwvutsrqponmlkjihgfedcba");
    let pairs = |text: &str| -> Vec<String> {
        let last = text.chars().map(|a| format!("Disallow: /*{a}{a}*z\n"));
        let orders = text
            .chars()
            .flat_map(|a| letters.chars().filter(move |b| a < *b).map(move |b| (a, b)));
        orders
            .map(|(a, b)| format!("Disallow: /*{a}{b}*{b}{a}\n"))
            .chain(last)
            .collect()
    };
    assert!(tried(&parse(pairs(letters)), path) <= 25);
    // More parts than fit into the path.
    let long = parse((0..20).map(|_| format!("Disallow: /{}\n", "*a".repeat(500))).collect());
    assert_eq!(tried(&long, "/banana"), 0);
}

#[test]
fn stars_are_limited_and_ignored_rules_are_noted() {
    let lines = |count: usize| "Disallow: /*a*b\n".repeat(count);
    let parse = |count| {
        Robots::parse(
            format!("User-agent: *\n{}Disallow: /c\n", lines(count)).as_bytes(),
            None,
        )
    };
    let problems = |robots: &Robots| robots.problems.iter().map(|problem| problem.kind).collect::<Vec<_>>();
    assert_eq!(problems(&parse(MAX_ROBOTS_STARS / 2)), []);
    let robots = parse(MAX_ROBOTS_STARS / 2 + 7);
    assert_eq!(problems(&robots), [RobotsProblem::TooManyStars]);
    assert_eq!(robots.problems[0].evidence, "rules ignored: 7");
    // Rules without stars apply wherever they are.
    let forbids = |path| {
        !robots
            .verdict(&["bot"], Dialect::Rfc, target(path).expect("a path"))
            .is_allowed()
    };
    assert!(forbids("/c") && forbids("/a/b") && !forbids("/b/a"));
}

#[test]
fn a_long_pattern_is_not_repeated_for_each_url() {
    use crate::read::value_columns::{LocColumns, Value};
    let text = format!("User-agent: *\nDisallow: /{}é\n", "*".repeat(10_000));
    let robots = Robots::parse(text.as_bytes(), None);
    let mut locs = LocColumns::default();
    let rows = 1_000;
    for row in 0..rows {
        let text = "https://example.com/é";
        locs.put(row, Some(Value { text, place: None }));
    }
    let mut columns = crate::read::value_columns::Columns::default();
    for name in ["document_id", "ordinal", "line", "col"] {
        columns.push(name, crate::read::column::repeated(1, rows));
    }
    locs.finish(rows, &mut columns);
    let agent = Agent {
        name: "bot".to_owned(),
        product_tokens: vec!["bot".to_owned()],
        dialect: Dialect::Rfc,
    };
    let tables = robots
        .forbidden(&[columns.finish().expect("a batch")], &[agent], 1)
        .expect("tables");
    assert_eq!(tables.iter().map(|table| table.num_rows()).sum::<usize>(), rows);
    let bytes: usize = tables.iter().map(|table| table.get_array_memory_size()).sum();
    assert!(bytes < rows * 512, "{bytes}");
}

proptest! {
    #[test]
    fn any_bytes_are_parsed_and_give_verdicts(content in prop::collection::vec(any::<u8>(), 0..400), path in "/[ -~é]{0,20}") {
        let robots = Robots::parse(&content, Some("https://example.com/robots.txt"));
        if let Some(target) = target(&path) {
            let _ = robots.verdict(&["bot"], Dialect::Google, target).is_allowed();
        }
        prop_assert!(robots.rules_table(0).is_ok() && robots.sitemap_table(0).is_ok());
    }

    #[test]
    fn normal_forms_are_stable(path in "/[ -~é]{0,20}") {
        let of = |path: &str| format!("https://example.com{path}");
        let once = target(&of(&path)).map(|target| target.normalized().into_owned()).unwrap_or_default();
        let text = String::from_utf8(once.clone()).expect("the normal form is ASCII");
        let twice = target(&of(&text)).map(|target| target.normalized().into_owned());
        prop_assert_eq!(Some(once), twice);
    }
}
