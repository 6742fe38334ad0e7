//! Which entries take the express path.

use super::*;

/// Returns how many consecutive entries are recognized from the start of a text on.
pub fn recognized(text: &str) -> usize {
    let scope = Scope {
        is_sitemap: true,
        has_image: true,
        has_xhtml: true,
    };
    let mut cursor = Cursor {
        at: 0,
        line: 1,
        line_begin: -1,
    };
    let mut entries = 0;
    while let Some(inside) = after_tag(text.as_bytes(), cursor.at, OPENING) {
        cursor.at = inside;
        match Express::new(usize::MAX).recognize(text, cursor, scope) {
            Some(end) => cursor = end,
            None => break,
        }
        entries += 1;
    }
    entries
}

#[test]
fn shapes_on_the_express_path() {
    let link = "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/?a&amp;b\" />";
    let image = "<image:image>\n<image:loc>https://example.com/1.png</image:loc>\n</image:image>";
    for entry in [
        "<url><loc>x</loc></url>",
        "<url>\r\n\t<loc>x</loc> <priority>1</priority>\n</url>",
        "<url><loc>x</loc><lastmod>x</lastmod><changefreq>x</changefreq><priority>x</priority></url>",
        "<url ><loc >x</loc ><lastmod>x</lastmod ></url >",
        "<url><loc>https://example.com/é日本😀</loc><lastmod>ü</lastmod></url>",
        "<url><loc>é?a&amp;b</loc><image:image ><image:loc>é</image:loc ></image:image ></url>",
        "<url><loc>x</loc><xhtml:link href=\"é\" hreflang=\"日&amp;\"/></url>",
        &format!("<url><loc>x</loc>{link}{link}</url>"),
        &format!("<url><loc>x</loc><lastmod>y</lastmod>{link}{image}{image}{link}</url>"),
    ] {
        assert_eq!(recognized(entry), 1, "{entry}");
    }
    for entry in [
        "<url></url>",
        "<url><loc>x</loc><loc>y</loc></url>",
        "<url><lastmod>x</lastmod><loc>y</loc></url>",
        "<url><loc>\u{a0}x</loc></url>",
        "<url><loc>x\u{200b}</loc></url>",
        "<url><loc>x\u{fffe}x</loc></url>",
        "<url><loc\n>x</loc></url>",
        "<url><loc>x</loc><xhtml:link href=\"\u{3000}x\"/></url>",
    ] {
        assert_eq!(recognized(entry), 0, "{entry}");
    }
}
