//! Hostile robots.txt: user agents times rules, wildcards, endless lines and undecodable bytes.

use super::{Shape, bytes, text};

const ALL: &str = "User-agent: *\n";

pub const SHAPES: &[Shape] = &[
    text("agents", "", &["User-agent: a{}\n"], "Disallow: /\n"),
    text("the same agent", "", &["User-agent: a\n"], "Disallow: /\n"),
    text("agents of one letter", "", &["User-agent:a\n"], ""),
    text("agents, then rules", "", &["User-agent: a{}\n", "Disallow: /{}\n"], ""),
    text("groups", "", &["User-agent: a{}\nDisallow: /\n"], ""),
    text(
        "groups of one agent",
        "",
        &["User-agent: googlebot\nDisallow: /{}\n"],
        "",
    ),
    text("groups for all agents", "", &["User-agent: *\nDisallow: /{}\n"], ""),
    text("rules", ALL, &["Disallow: /{}\n"], ""),
    text("the same rule", ALL, &["Disallow: /\n"], ""),
    text("empty rules", ALL, &["Disallow:\n"], ""),
    text("alternating rules", ALL, &["Disallow: /{}\nAllow: /{}/a\n"], ""),
    text("rules with wildcards", ALL, &["Disallow: /*{}*\n"], ""),
    text("rules of stars", ALL, &["Disallow: ***\n"], ""),
    text("rules of stars and letters", ALL, &["Disallow: /*a*a*a*a*a*b\n"], ""),
    text("rules with an end", ALL, &["Disallow: /*.{}$\n"], ""),
    text("rules with ends in the middle", ALL, &["Disallow: /$$a$\n"], ""),
    text("one rule of stars", ALL, &["Disallow: /", "*"], "\n"),
    text("one rule of stars and letters", ALL, &["Disallow: /", "*a"], "b\n"),
    text(
        "long rules of stars and letters",
        ALL,
        &["Disallow: /*aaaaaaaaaaaaaaaaaaaaaaaaaaaa*aaaaaaaaaaaaaaaaaaaaaaa{}*b\n"],
        "",
    ),
    text("one long rule", ALL, &["Disallow: /", "a"], "\n"),
    text(
        "rules that share most letters",
        ALL,
        &["Disallow: /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa{}\n"],
        "",
    ),
    text("rules of percent signs", ALL, &["Disallow: /%\n"], ""),
    text("one rule of percent signs", ALL, &["Disallow: /", "%"], "\n"),
    text("one rule of percent-encoded bytes", ALL, &["Disallow: /", "%e9"], "\n"),
    text("non-ASCII rules", ALL, &["Disallow: /é{}\n"], ""),
    text("one non-ASCII rule", ALL, &["Disallow: /", "é"], "\n"),
    text("sitemaps", "", &["Sitemap: https://e.com/{}\n"], ""),
    text("relative sitemaps", "", &["Sitemap: /{}\n"], ""),
    text("one sitemap of dots", "", &["Sitemap: /", "../"], "\n"),
    text("bad sitemaps", "", &["Sitemap: http://[\n"], ""),
    text("empty lines", ALL, &["\n"], ""),
    text("line ends of two kinds", ALL, &["\r\n\r"], ""),
    text("comments", ALL, &["# a\n"], ""),
    text("one long comment", ALL, &["#"], "\n"),
    text("comments behind rules", ALL, &["Disallow: /{} # a\n"], ""),
    text("lines without colon", ALL, &["a{}\n"], ""),
    text("unknown keys", ALL, &["a{}: b\n"], ""),
    text("mistyped keys", ALL, &["Dissallow: /{}\n"], ""),
    text("spaces", ALL, &[" "], "\n"),
    text("spaces around keys and values", ALL, &[" Disallow  :   /{}   \n"], ""),
    text("one line of spaces and letters", ALL, &["Disallow: /", " ", "a"], "\n"),
    text("colons", ALL, &[":\n"], ""),
    text("crawl delays", ALL, &["Crawl-delay: {}\n"], ""),
    text("clean parameters", ALL, &["Clean-param: a{} /\n"], ""),
    text("markup", "", &["<a>\n"], ""),
    text("control characters", ALL, &["\u{1}\n"], ""),
    bytes("agents, then rules in invalid UTF-8", |size| {
        let mut file = super::filled("", &["User-agent: a{}\n"], "", size * 9 / 10).into_bytes();
        for _ in 0..14 {
            file.extend_from_slice(b"Disallow: /");
            file.extend(std::iter::repeat_n(0xff, size / 140));
            file.push(b'\n');
        }
        file
    }),
    bytes("rules in invalid UTF-8", |size| {
        let mut file = ALL.as_bytes().to_vec();
        file.extend(b"Disallow: /\xff\n".iter().cycle().take(size));
        file
    }),
    bytes("one rule in invalid UTF-8", |size| {
        let mut file = b"User-agent: *\nDisallow: /".to_vec();
        file.resize(size, 0xff);
        file
    }),
    bytes("arbitrary bytes", |size| {
        (0..size).map(|at| (at * 167 % 251) as u8).collect()
    }),
    bytes("zeros", |size| vec![0; size]),
];
