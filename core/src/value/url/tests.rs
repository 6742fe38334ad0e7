//! Tables of valid and invalid URLs, and a property test against iri-string's parser of the same grammar.

use crate::value::UrlParts;
use crate::value::UrlProblem::{self, *};
use crate::value::url::{ascii_host, parse};
use iri_string::types::IriStr;
use proptest::prelude::*;

const GOOD: &[&str] = &[
    "http://a.b/",
    "https://www.example.com",
    "https://www.example.com/",
    "https://www.example.com/a/b.html?x=1&y=2#part",
    "https://example.com?x",
    "https://example.com#x",
    "https://example.com./",
    "http://localhost/",
    "http://localhost:8080/x",
    "http://a:/",
    "http://a:0/",
    "http://a:00080/",
    "http://a:65535/",
    "HTTP://EXAMPLE.COM/",
    "https://user:secret@example.com/",
    "https://user@example.com:81/",
    "https://@example.com/",
    "https://a_b.example.com/",
    "https://-a-.example.com/",
    "https://a!$&'()*+,;=b/",
    "http://127.0.0.1/",
    "http://127.0.0.1:80/",
    "http://1.2.3.4./",
    "http://12345/",
    "http://1.2.3.4a/",
    "http://[::1]/",
    "http://[2001:db8::1]:8080/x",
    "http://[::ffff:1.2.3.4]/",
    "http://[1:2:3:4:5:6:7::]/",
    "http://[v1.fe80::a+en1]/",
    "http://ex%41mple.com/",
    "http://%D0%BF.example/",
    "https://пример.рф/путь?ключ=значение#часть",
    "https://例え.jp/ページ",
    "https://example.com/?\u{E000}",
    "https://example.com/😀",
    "https://example.com/%D0%BF%d0%bf",
    "https://example.com/a:b@c;d=e,f!$&'()*+~-._",
    "https://example.com//double//slash",
    "https://example.com/../x",
    "https://example.com/?a/b?c=/d",
    "https://example.com/#/a?b",
    "https://example.com/x%2520y",
];

const BAD: &[(&str, UrlProblem)] = &[
    ("", Empty),
    (" \u{A0}", Empty),
    ("/x", Relative),
    ("x.html", Relative),
    ("../x", Relative),
    ("?x", Relative),
    ("#x", Relative),
    ("//host/x", Relative),
    ("www.example.com/", Relative),
    ("www.example.com", Relative),
    ("localhost:8080/x", Relative),
    ("localhost:8080", Relative),
    ("example.com:80/", Relative),
    ("example.com:x", Relative),
    ("http//example.com/", Relative),
    ("http", Relative),
    ("://example.com/", Relative),
    (":80/", Relative),
    ("1http://example.com/", Relative),
    ("ht tp://example.com/", Relative),
    ("xxxxxxxxxxxx", Relative),
    ("a b", Relative),
    (" /x", Relative),
    ("путь", Relative),
    ("mailto:a@example.com", NotHttp),
    ("ftp://example.com/x", NotHttp),
    ("ftp://exa mple.com/x", NotHttp),
    ("javascript:alert(1)", NotHttp),
    ("data:text/html,<b>", NotHttp),
    ("file:///x", NotHttp),
    ("htttps://example.com/", NotHttp),
    ("tel:+1234567", NotHttp),
    ("feed:https://example.com/", NotHttp),
    ("http:", NoHost),
    ("http:/", NoHost),
    ("http:/x", NoHost),
    ("http://", NoHost),
    ("http:///x", NoHost),
    ("http://?x", NoHost),
    ("http://#x", NoHost),
    ("http://:80/", NoHost),
    ("http://user@/", NoHost),
    ("http:///a b", NoHost),
    ("https:example.com", NoHost),
    ("http:8080/x", NoHost),
    ("http:\\\\example.com\\", NoHost),
    ("https://exa mple.com/", Whitespace),
    ("https://example.com/a b", Whitespace),
    ("https://example.com/a\tb", Whitespace),
    ("https://example.com/a\nb", Whitespace),
    ("https://example.com/?a b", Whitespace),
    ("https://example.com/#a b", Whitespace),
    ("https://example.com/a\u{A0}b", Whitespace),
    ("https://example.com/a\u{2003}b", Whitespace),
    ("https://example.com/a\u{3000}b", Whitespace),
    ("https://example.com/a\u{85}b", Whitespace),
    (" https://example.com/", Whitespace),
    ("https://example.com/ ", Whitespace),
    ("https://example.com:8 0/", Whitespace),
    ("https://exa..mple.com/a b\u{1}%", Whitespace),
    ("https://example.com/\u{0}", ControlCharacter),
    ("https://example.com/\u{7F}", ControlCharacter),
    ("https://example.com/\u{9F}", ControlCharacter),
    ("https://exa\u{1}mple.com/", ControlCharacter),
    ("https://a..b/\u{1}%", ControlCharacter),
    ("http://a..b/", BadHost),
    ("http://.a/", BadHost),
    ("http://./", BadHost),
    ("http://a../", BadHost),
    ("http://exam\"ple.com/", BadHost),
    ("http://exam<ple.com/", BadHost),
    ("http://example.com\\x", BadHost),
    ("http://a[b]/", BadHost),
    ("http://[::1/", BadHost),
    ("http://[::1]x/", BadHost),
    ("http://[]/", BadHost),
    ("http://[:::1]/", BadHost),
    ("http://[1:2:3:4:5:6:7:8:9]/", BadHost),
    ("http://[::1.2.3.400]/", BadHost),
    ("http://[fe80::1%25eth0]/", BadHost),
    ("http://[v.x]/", BadHost),
    ("http://[v1.]/", BadHost),
    ("http://[vx.a]/", BadHost),
    ("http://2001:db8::1/", BadHost),
    ("http://1.2.3/", BadHost),
    ("http://1.2.3.400/", BadHost),
    ("http://1.2.3.4.5/", BadHost),
    ("http://01.2.3.4/", BadHost),
    ("http://example.1/", BadHost),
    ("http://пример.1/", BadHost),
    ("http://пример..рф/", BadHost),
    ("http://exa\u{E000}mple.com/", BadHost),
    ("http://exa\u{FFFD}mple.com/", BadHost),
    ("http://a..b:x/%", BadHost),
    ("http://a:x/", BadPort),
    ("http://a:-1/", BadPort),
    ("http://a:+1/", BadPort),
    ("http://a:65536/", BadPort),
    ("http://a:000080/", BadPort),
    ("http://a:80:90x/", BadPort),
    ("http://[::1]:x/", BadPort),
    ("http://a:8O/%", BadPort),
    ("http://a/%", BadPercentEscape),
    ("http://a/%2", BadPercentEscape),
    ("http://a/%2/", BadPercentEscape),
    ("http://a/%zz", BadPercentEscape),
    ("http://a/%%20", BadPercentEscape),
    ("http://a/?%", BadPercentEscape),
    ("http://a/#%", BadPercentEscape),
    ("http://a%/", BadPercentEscape),
    ("http://a%@b/", BadPercentEscape),
    ("http://a/100%<", BadPercentEscape),
    ("http://a/%é0", BadPercentEscape),
    ("http://a/\"", IllegalCharacter),
    ("http://a/<b>", IllegalCharacter),
    ("http://a/\\", IllegalCharacter),
    ("http://a/^", IllegalCharacter),
    ("http://a/`", IllegalCharacter),
    ("http://a/x{x}", IllegalCharacter),
    ("http://a/{x}", UnsetVariable),
    ("http://a/|", IllegalCharacter),
    ("http://a/[x]", IllegalCharacter),
    ("http://a/?x[]=1", IllegalCharacter),
    ("http://a/#[", IllegalCharacter),
    ("http://a/#b#c", IllegalCharacter),
    ("http://<@b/", IllegalCharacter),
    ("http://x@y@b/", IllegalCharacter),
    ("http://a/\u{E000}", IllegalCharacter),
    ("http://a/#\u{E000}", IllegalCharacter),
    ("http://\u{E000}@b/", IllegalCharacter),
    ("http://a/\u{FFFD}", IllegalCharacter),
    ("http://a/\u{FDD0}", IllegalCharacter),
    ("http://a/\u{1FFFE}", IllegalCharacter),
    ("http://a/\u{E0001}", IllegalCharacter),
    ("http://a/?\u{FFFFE}", IllegalCharacter),
];

#[test]
fn good_urls_have_no_problem() {
    for text in GOOD {
        assert_eq!(parse(text).problem, None, "{text}");
        assert!(IriStr::new(text).is_ok(), "{text}: iri-string disagrees");
    }
}

#[test]
fn bad_urls_have_the_most_obvious_problem() {
    for (text, problem) in BAD {
        assert_eq!(parse(text).problem, Some(*problem), "{text:?}");
    }
    for problem in UrlProblem::ALL {
        assert!(BAD.iter().any(|(_, bad)| bad == problem), "{problem:?} has no example");
    }
}

#[test]
fn length_limits_of_dns() {
    let label = "a".repeat(63);
    let name = format!("{label}.{label}.{label}.{}", "a".repeat(61));
    let cyrillic = "п".repeat(59);
    for (host, good) in [
        (label.clone(), true),
        (format!("{label}a"), false),
        (format!("{label}a.com"), false),
        (format!("www.{label}a"), false),
        (name.clone(), true),
        (format!("{name}."), true),
        (format!("{name}a"), false),
        (cyrillic.clone(), true),
        (format!("{cyrillic}п"), false),
        ("%D0%BF".repeat(59), true),
        ("%D0%BF".repeat(60), false),
        ("%61".repeat(63), true),
        ("%61".repeat(64), false),
    ] {
        let problem = if good { None } else { Some(BadHost) };
        assert_eq!(parse(&format!("https://{host}/x")).problem, problem, "{host}");
    }
}

#[test]
fn parts_of_a_good_url() {
    let parts = parse("HTTPS://User:x@Пример.Example.COM:8443/A%20b?c#d");
    assert_eq!(
        parts,
        UrlParts {
            problem: None,
            length: 48,
            scheme: Some("HTTPS"),
            userinfo: Some("User:x"),
            host: Some("Пример.Example.COM"),
            port: Some(8443),
            path: Some("/A%20b"),
            is_ascii: false,
            scheme_upper: true,
            host_usual: false,
        }
    );
    let plain = parse("https://example.com/a?b");
    assert_eq!(
        (plain.host, plain.path, plain.length),
        (Some("example.com"), Some("/a"), 23)
    );
    assert!(plain.is_ascii && !plain.scheme_upper && plain.host_usual);
    assert!(!parse("https://Example.com/").host_usual);
    assert!(!parse("https://example.com./").host_usual);
    assert!(!parse("https://[::0]/").host_usual);
    assert!(parse("https://[::1]:80/").host_usual);
    assert!(parse("https://USER@example.com/").host_usual);
    assert!(parse("https://example.com:80/").is_ascii);
    assert_eq!(parse("http://[::A]:80/").host, Some("[::A]"));
    assert_eq!(parse("https://example.com").path, Some(""));
    assert_eq!(parse("https://example.com?x").path, Some(""));
}

/// tests/rules/test_hosts.py has the whole table.
#[test]
fn a_host_has_one_spelling() {
    for (written, ascii) in [
        ("a.example", "a.example"),
        ("A.example..", "a.example"),
        ("BÜCHER。example。", "xn--bcher-kva.example"),
        ("[2001:DB8:0::1]", "[2001:db8::1]"),
        ("[::ffff:102:304]", "[::ffff:1.2.3.4]"),
        ("[V1.A]", "[v1.a]"),
        ("B%C3%BC.example", "xn--b-eha.example"),
        ("Ü.xn--a.Example", "Ü.xn--a.example"),
        ("\u{ad}", "\u{ad}"),
        (".", "."),
        ("", ""),
    ] {
        assert_eq!(ascii_host(written), ascii, "{written}");
        assert_eq!(ascii_host(ascii), ascii);
    }
    // No name of DNS is so long, and encoding takes the square of it.
    let long = "ü".repeat(1_000);
    assert_eq!(ascii_host(&long), long);
}

/// All parts that can be located are returned, whatever else is wrong.
#[test]
fn parts_of_a_bad_url() {
    type Expected<'a> = (Option<&'a str>, Option<&'a str>, Option<u16>, Option<&'a str>);
    let table: &[(&str, Expected)] = &[
        (
            "https://example.com:81/%zz?x",
            (Some("https"), Some("example.com"), Some(81), Some("/%zz")),
        ),
        (
            "https://example.com:x/y",
            (Some("https"), Some("example.com"), None, Some("/y")),
        ),
        (
            "https://exa mple.com/y",
            (Some("https"), Some("exa mple.com"), None, Some("/y")),
        ),
        ("https://a..b:8/y", (Some("https"), Some("a..b"), Some(8), Some("/y"))),
        (
            "http://2001:db8::1/",
            (Some("http"), Some("2001:db8::1"), None, Some("/")),
        ),
        (
            " https://example.com/y",
            (Some("https"), Some("example.com"), None, Some("/y")),
        ),
        (
            "ftp://example.com:21/y?z",
            (Some("ftp"), Some("example.com"), Some(21), Some("/y")),
        ),
        ("mailto:a@b", (Some("mailto"), None, None, None)),
        ("http:///y#z", (Some("http"), None, None, Some("/y"))),
        ("http://:80/y", (Some("http"), None, Some(80), Some("/y"))),
        ("http:/y?z", (Some("http"), None, None, Some("/y"))),
        ("https:example.com", (Some("https"), None, None, Some("example.com"))),
        ("//example.com:8/y", (None, Some("example.com"), Some(8), Some("/y"))),
        ("/y?z#w", (None, None, None, Some("/y"))),
        ("y.html#w", (None, None, None, Some("y.html"))),
        ("localhost:8080/x", (None, None, None, None)),
        ("", (None, None, None, None)),
    ];
    for (text, expected) in table {
        let parts = parse(text);
        assert_eq!(
            (parts.scheme, parts.host, parts.port, parts.path),
            *expected,
            "{text:?}"
        );
    }
}

/// The rules that urlset adds to RFC 3986 and 3987, implemented separately from the parser: each rejects something that
/// iri-string accepts.
fn breaks_a_rule_of_ours(iri: &IriStr) -> bool {
    let Some(authority) = iri.authority_components() else {
        return true;
    };
    let host = authority.host();
    let name = host.strip_suffix('.').unwrap_or(host);
    let labels: Vec<&str> = name.split('.').collect();
    let numeric = labels
        .last()
        .is_some_and(|label| label.chars().all(|ch| ch.is_ascii_digit()));
    let octet = |label: &&str| label.parse::<u8>().is_ok_and(|octet| octet.to_string() == **label);
    let bad_name = labels.iter().any(|label| label.is_empty())
        || (labels.len() > 1 && numeric && !(labels.len() == 4 && labels.iter().all(octet)))
        || labels
            .iter()
            .any(|label| label.is_ascii() && !label.contains('%') && label.len() > 63)
        || (name.is_ascii() && !name.contains('%') && name.len() > 253);
    let bad_port = authority
        .port()
        .is_some_and(|port| port.len() > 5 || port.parse::<u32>().is_ok_and(|port| port > 65_535));
    host.is_empty() || (!host.starts_with('[') && bad_name) || bad_port || iri.as_str().contains(char::is_whitespace)
}

fn agrees_with_iri_string(text: &str) -> Result<(), TestCaseError> {
    let expected = IriStr::new(text).is_ok_and(|iri| !breaks_a_rule_of_ours(iri));
    let parts = parse(text);
    prop_assert_eq!(parts.problem.is_none(), expected, "{:?}: {:?}", text, parts);
    if expected && let Some(authority) = IriStr::new(text).ok().and_then(|iri| iri.authority_components()) {
        prop_assert_eq!(parts.host, Some(authority.host()));
        prop_assert_eq!(parts.userinfo, authority.userinfo());
        prop_assert_eq!(parts.port, authority.port().and_then(|port| port.parse().ok()));
        prop_assert_eq!(parts.path, IriStr::new(text).ok().map(|iri| iri.path_str()));
    }
    Ok(())
}

#[test]
fn tables_agree_with_iri_string() {
    let is_of_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    let has_scheme = |text: &&str| {
        let scheme = text.split_once(':').map(|(scheme, _)| scheme);
        scheme.is_some_and(|scheme| scheme.starts_with("http") && scheme.bytes().all(is_of_scheme))
    };
    let bad = BAD.iter().map(|(text, _)| *text).filter(has_scheme);
    for text in GOOD
        .iter()
        .copied()
        .chain(bad)
        .filter(|text| !text.starts_with("htttp"))
    {
        agrees_with_iri_string(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    }
}

/// Pieces that matter to the grammar, joined at random: more effective than random characters.
fn pieces(most: usize) -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "a",
        "B",
        "example",
        "com",
        ".",
        ".",
        "-",
        "_",
        "~",
        "1",
        "25",
        "255",
        "256",
        "0",
        "00",
        "65535",
        "65536",
        ":",
        "::",
        "/",
        "/",
        "?",
        "#",
        "@",
        "[",
        "]",
        "[::1]",
        "[1:2::]",
        "[v1.a]",
        "::1.2.3.4",
        "ffff",
        "%",
        "%4",
        "%41",
        "%d0%bf",
        "%zz",
        "!",
        "$",
        "&",
        "'",
        "(",
        ")",
        "*",
        "+",
        ",",
        ";",
        "=",
        "\"",
        "<",
        ">",
        "\\",
        "^",
        "`",
        "{",
        "|",
        "}",
        " ",
        "\t",
        "\n",
        "\u{0}",
        "\u{7f}",
        "\u{85}",
        "\u{9f}",
        "\u{a0}",
        "é",
        "п",
        "例",
        "\u{200b}",
        "\u{2003}",
        "\u{d7ff}",
        "\u{e000}",
        "\u{f8ff}",
        "\u{f900}",
        "\u{fdd0}",
        "\u{fdef}",
        "\u{fdf0}",
        "\u{ffef}",
        "\u{fff0}",
        "\u{fffd}",
        "\u{10000}",
        "\u{1fffd}",
        "\u{1fffe}",
        "\u{dffff}",
        "\u{e0000}",
        "\u{e0fff}",
        "\u{e1000}",
        "\u{efffd}",
        "\u{effff}",
        "\u{f0000}",
        "\u{ffffe}",
        "\u{10fffd}",
        "\u{10ffff}",
        "😀",
    ];
    prop::collection::vec(prop::sample::select(PIECES), 0..most).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(crate::properties::inputs(4_000))]

    #[test]
    fn any_text_after_the_scheme(
        scheme in prop::sample::select(&["http:", "https:", "HTTP:", "http:/"][..]),
        rest in pieces(6),
    ) {
        agrees_with_iri_string(&format!("{scheme}//{rest}"))?;
        agrees_with_iri_string(&format!("{scheme}{rest}"))?;
    }

    #[test]
    fn each_part_alone(part in pieces(3)) {
        for text in [
            format!("https://{part}@example.com/"),
            format!("https://{part}/"),
            format!("https://www.{part}.com/"),
            format!("https://1.2.3.{part}/"),
            format!("https://[{part}]/"),
            format!("https://example.com:{part}/"),
            format!("https://example.com/{part}"),
            format!("https://example.com/?{part}"),
            format!("https://example.com/#{part}"),
        ] {
            agrees_with_iri_string(&text)?;
        }
    }

    #[test]
    fn ipv6(address in "[0-9a-fA-F:.]{2,24}", groups in prop::collection::vec("[0-9a-f]{0,5}", 1..10)) {
        agrees_with_iri_string(&format!("http://[{address}]/"))?;
        agrees_with_iri_string(&format!("http://[{}]/", groups.join(":")))?;
        agrees_with_iri_string(&format!("http://[{}:1.2.3.4]/", groups.join(":")))?;
    }

    #[test]
    fn ipv4(octets in prop::collection::vec("[0-9]{1,2}|1[0-9]{2}|2[0-9]{2}", 1..6)) {
        agrees_with_iri_string(&format!("http://{}/", octets.join(".")))?;
    }

    #[test]
    fn never_panics_and_counts_characters(text in any::<String>(), wild in pieces(8)) {
        let upper = |part: Option<&str>| part.is_some_and(|part| part.contains(|ch: char| ch.is_ascii_uppercase()));
        for prefix in ["", "http://", "HTTPS://", "ftp://", "//", "http:", " ", "a@"] {
            let text = &format!("{prefix}{wild}:{text}");
            let parts = parse(text);
            prop_assert_eq!(parts.length as usize, text.chars().count());
            prop_assert_eq!(parts.is_ascii, text.is_ascii());
            prop_assert_eq!(parts.scheme_upper, upper(parts.scheme));
            // A host that is not ASCII may stay as written, too, but only conversion can tell.
            let usual = parts.host.is_none_or(|host| host.is_ascii() && ascii_host(host) == host);
            prop_assert_eq!(parts.host_usual, usual);
        }
    }
}
