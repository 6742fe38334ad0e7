//! The invariants, for small inputs and for those that once broke one.

use std::path::Path;

type Check = fn(&[u8]);

const TARGETS: [(&str, Check); 5] = [
    ("read", super::read),
    ("fix", super::fix),
    ("page", super::page),
    ("robots", super::robots),
    ("gzip", super::gzip),
];

/// Few enough for Miri.
const SMALL: &[&[u8]] = &[
    b"",
    b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n<url><loc>https://example.com/a?b=1&amp;c=2</loc>\
      <lastmod>2025-01-02</lastmod></url><url><loc>https://example.com/a-longer-path/than/thirty-two-bytes.html</loc>\
      <priority>x</priority></url></urlset>",
    b"<rss version='2.0'><channel><item><link>https://example.com/\xc3\xa9\xff</link></item></channel></rss>",
    b"https://example.com/a\r\nhttps://example.com/b\n",
    b"User-agent: *\nDisallow: /a*b$\nAllow: /a\nSitemap: /s.xml\n",
    b"<!doctype html><title>t</title><meta name=robots content=noindex><img src=/i.png><p>\xe9 text",
];

#[test]
fn small_inputs_keep_the_invariants() {
    for (name, check) in TARGETS {
        // Freeing a compressor breaks the rules of Stacked Borrows: https://github.com/trifectatechfoundation/zlib-rs/issues/193
        if cfg!(miri) && name == "gzip" {
            continue;
        }
        for input in SMALL {
            println!("{name} {:?}", String::from_utf8_lossy(input));
            check(input);
        }
    }
}

#[test]
fn inputs_that_fuzzing_found_keep_the_invariants() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fuzz");
    let mut checked = 0;
    for (name, check) in TARGETS {
        for case in std::fs::read_dir(folder.join(name)).into_iter().flatten() {
            let path = case.expect("the folder can be read").path();
            println!("{}", path.display());
            check(&std::fs::read(path).expect("the file can be read"));
            checked += 1;
        }
    }
    assert!(checked > 0, "no cases in {}", folder.display());
}
