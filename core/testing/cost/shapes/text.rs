//! Hostile text sitemaps: endless lines, empty lines, and everything that is not a URL.

use super::{Shape, bytes, text};

const HEAD: &str = "https://example.com/\n";

pub const SHAPES: &[Shape] = &[
    text("URLs", HEAD, &["https://example.com/{}\n"], ""),
    text("the same URL", HEAD, &["https://example.com/\n"], ""),
    text("hosts", HEAD, &["https://{}.example.com/\n"], ""),
    text("empty lines", HEAD, &["\n"], ""),
    text("empty lines with CR LF", HEAD, &["\r\n"], ""),
    text("line ends with CR", HEAD, &["\r"], ""),
    text("spaces", HEAD, &[" "], ""),
    text("spaces and line ends", HEAD, &[" \n"], ""),
    text("tabs", HEAD, &["\t"], "\n"),
    text("no-break spaces", HEAD, &["\u{a0}\n"], ""),
    text(
        "no-break spaces around URLs",
        HEAD,
        &["\u{a0}https://example.com/{}\u{a0}\n"],
        "",
    ),
    text("one long line", HEAD, &["a"], ""),
    text("one long URL", HEAD, &["https://example.com/", "a"], "\n"),
    text("one long line of spaces and letters", HEAD, &[" ", "a", " "], "\n"),
    text("single letters", HEAD, &["a\n"], ""),
    text("relative paths", HEAD, &["/{}\n"], ""),
    text("dots", HEAD, &["/../.\n"], ""),
    text("one path of dots", HEAD, &["https://example.com", "/../."], "\n"),
    text("percent signs", HEAD, &["https://example.com/%\n"], ""),
    text("one URL of percent signs", HEAD, &["https://example.com/", "%"], "\n"),
    text(
        "one URL of percent-encoded bytes",
        HEAD,
        &["https://example.com/", "%c3%a9"],
        "\n",
    ),
    text("parameters", HEAD, &["https://example.com/?a={}&b\n"], ""),
    text(
        "one URL of parameters",
        HEAD,
        &["https://example.com/?a=1", "&a=1"],
        "\n",
    ),
    text("one URL of question marks", HEAD, &["https://example.com/", "?"], "\n"),
    text("one URL of number signs", HEAD, &["https://example.com/", "#"], "\n"),
    text("one URL of at signs", HEAD, &["https://", "a@"], "/\n"),
    text("one host of dots", HEAD, &["https://", "a."], "/\n"),
    text("one host of dashes", HEAD, &["https://", "-"], "/\n"),
    text("one non-ASCII host", HEAD, &["https://", "é"], "/\n"),
    text("non-ASCII hosts", HEAD, &["https://é{}.com/\n"], ""),
    text("hosts in punycode", HEAD, &["https://xn--{}-a.com/\n"], ""),
    text("IPv6 addresses", HEAD, &["https://[::{}]/\n"], ""),
    text("one address of colons", HEAD, &["https://[", ":"], "]/\n"),
    text("ports", HEAD, &["https://example.com:{}/\n"], ""),
    text("one long port", HEAD, &["https://example.com:", "1"], "/\n"),
    text("schemes", HEAD, &["a{}://example.com/\n"], ""),
    text("one scheme of letters", HEAD, &["a", "b"], "://example.com/\n"),
    text("markup", HEAD, &["<loc>\n"], ""),
    text("comments", HEAD, &["# a\n"], ""),
    text("control characters", HEAD, &["\u{1}\u{0}\n"], ""),
    text("one line of non-ASCII characters", HEAD, &["é日😀"], "\n"),
    text("byte order marks", HEAD, &["\u{feff}\n"], ""),
    text("capitals", HEAD, &["HTTPS://EXAMPLE.COM/{}\n"], ""),
    bytes("invalid UTF-8", |size| {
        let mut lines = HEAD.as_bytes().to_vec();
        lines.extend(b"https://example.com/\xff\n".iter().cycle().take(size));
        lines
    }),
    bytes("one line of invalid UTF-8", |size| {
        let mut lines = HEAD.as_bytes().to_vec();
        lines.resize(size, 0xff);
        lines
    }),
    bytes("UTF-16 with lone surrogates", |size| {
        let mut lines = vec![0xff, 0xfe];
        lines.extend(HEAD.bytes().flat_map(|byte| [byte, 0]));
        lines.extend([0x00, 0xd8].iter().cycle().take(size));
        lines
    }),
];
