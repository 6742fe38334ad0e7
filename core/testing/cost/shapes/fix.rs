//! Hostile sitemaps to repair: large numbers of everything that the repair stores, compares or rewrites.

use super::{Shape, bytes, text};

const ROOT: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
    xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
    xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" xmlns:o=\"urn:o\">";
const ENTRY: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
    xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
    xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"><url><loc>https://e.com/</loc>";
const END: &str = "</url></urlset>";

pub const SHAPES: &[Shape] = &[
    text(
        "usual entries",
        ROOT,
        &["<url><loc>https://e.com/{}</loc></url>"],
        "</urlset>",
    ),
    text(
        "the same entry",
        ROOT,
        &["<url><loc>https://e.com/</loc></url>"],
        "</urlset>",
    ),
    text(
        "entries to rewrite",
        ROOT,
        &["<url><loc> https://e.com/{} </loc></url>"],
        "</urlset>",
    ),
    text(
        "entries that are left out",
        ROOT,
        &["<url><loc>x y</loc></url>"],
        "</urlset>",
    ),
    text("empty entries", ROOT, &["<url/>"], "</urlset>"),
    text("entries without end", ROOT, &["<url><loc>https://e.com/{}</loc>"], ""),
    text("nested entries", ROOT, &["<url>"], ""),
    text(
        "attributes of an entry",
        ROOT,
        &["<url", " a{}=\"x\""],
        "><loc>https://e.com/</loc></url></urlset>",
    ),
    text(
        "the same attribute of an entry",
        ROOT,
        &["<url", " a=\"x\""],
        "><loc>https://e.com/</loc></url></urlset>",
    ),
    text(
        "attributes of the root",
        "<urlset",
        &[" a{}=\"x\""],
        "><url><loc>https://e.com/</loc></url></urlset>",
    ),
    text(
        "attributes of undeclared prefixes",
        ROOT,
        &["<url", " p{}:a=\"x\""],
        "><loc>https://e.com/</loc></url></urlset>",
    ),
    text(
        "attributes of a foreign element",
        ENTRY,
        &["<o:a", " a{}=\"&\""],
        "/></url></urlset>",
    ),
    text(
        "attributes of a link",
        ENTRY,
        &["<xhtml:link", " a{}=\"x\""],
        "/></url></urlset>",
    ),
    text(
        "two kinds of errors in one tag",
        ROOT,
        &["<url", " a=\"<\"", " b"],
        "><loc>https://e.com/</loc></url></urlset>",
    ),
    text(
        "namespaces of the root",
        "<urlset",
        &[" xmlns:p{}=\"urn:{}\""],
        "><url><loc>https://e.com/</loc></url></urlset>",
    ),
    text(
        "namespaces of an entry",
        ROOT,
        &["<url", " xmlns:p{}=\"urn:{}\""],
        "><loc>https://e.com/</loc></url></urlset>",
    ),
    text(
        "namespaces of entries",
        ROOT,
        &["<url xmlns:p{}=\"urn:{}\"><loc>https://e.com/{}</loc></url>"],
        "</urlset>",
    ),
    text(
        "nested namespaces of foreign elements",
        ENTRY,
        &["<p:a xmlns:p=\"urn:{}\">"],
        END,
    ),
    text(
        "namespaces bound, then used",
        ENTRY,
        &["<p{}:a xmlns:p{}=\"urn:{}\">", "<o:b/>"],
        END,
    ),
    text("undeclared prefixes", ENTRY, &["<p{}:a/>"], END),
    text("nested undeclared prefixes", ENTRY, &["<p{}:a>"], END),
    text("repeated fields", ENTRY, &["<lastmod>2024-01-{}</lastmod>"], END),
    text("the same field", ENTRY, &["<lastmod>2024-01-01</lastmod>"], END),
    text("repeated loc", ENTRY, &["<loc>https://e.com/{}</loc>"], END),
    text("the same loc", ENTRY, &["<loc>https://e.com/</loc>"], END),
    text(
        "repeated fields of an image",
        ENTRY,
        &["<image:image><image:loc>x</image:loc>", "<image:title>{}</image:title>"],
        "</image:image></url></urlset>",
    ),
    text(
        "repeated fields of images",
        ENTRY,
        &["<image:image><image:title>{}</image:title><image:title>b</image:title></image:image>"],
        END,
    ),
    text(
        "images",
        ENTRY,
        &["<image:image><image:loc>https://e.com/{}</image:loc></image:image>"],
        END,
    ),
    text(
        "images without end",
        ENTRY,
        &["<image:image><image:loc>https://e.com/{}"],
        END,
    ),
    text(
        "links",
        ENTRY,
        &["<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://e.com/{}\"/>"],
        END,
    ),
    text(
        "bad links",
        ENTRY,
        &["<xhtml:link rel=\"alternate\" hreflang=\"de_DE\" href=\"/{}\"/>"],
        END,
    ),
    text(
        "fields in the wrong order",
        ENTRY,
        &["<priority>{}</priority><lastmod>{}</lastmod>"],
        END,
    ),
    text("foreign elements", ENTRY, &["<o:a>x</o:a>"], END),
    text("nested foreign elements", ENTRY, &["<o:a>"], END),
    text("unknown elements", ENTRY, &["<x{}>y</x{}>"], END),
    text("less-than signs", "", &["<"], ""),
    text("less-than signs in the root", ROOT, &["< "], "</urlset>"),
    text(
        "less-than signs in loc",
        "<urlset><url><loc>https://e.com/",
        &["<"],
        "</loc></url></urlset>",
    ),
    text(
        "ampersands in loc",
        "<urlset><url><loc>https://e.com/",
        &["&"],
        "</loc></url></urlset>",
    ),
    text(
        "elements in loc",
        "<urlset><url><loc>https://e.com/",
        &["<b>a</b>"],
        "</loc></url></urlset>",
    ),
    text(
        "sections in loc",
        "<urlset><url><loc>",
        &["<![CDATA[a]]>"],
        "</loc></url></urlset>",
    ),
    text(
        "elements next to text in loc",
        "<urlset><url><loc>https://e.com/",
        &["<b>x</b>"],
        "</loc></url></urlset>",
    ),
    text(
        "unclosed elements next to text in loc",
        "<urlset><url><loc>https://e.com/",
        &["<b>x"],
        "</loc></url></urlset>",
    ),
    text(
        "escapes of escapes in loc",
        "<urlset><url><loc>https://e.com/?&amp;",
        &["amp;"],
        "</loc></url></urlset>",
    ),
    text("bad loc", ENTRY, &["<loc>/{}</loc>"], END),
    text("stray URLs", ENTRY, &["https://e.com/{}<o:a/>"], END),
    text("comments in an entry", ENTRY, &["<!-- -->"], END),
    text("comments between entries", ROOT, &["<!-- -->"], "</urlset>"),
    text("comments before the root", "", &["<!-- -->"], "<urlset/>"),
    text("comments behind the root", "<urlset></urlset>", &["<!-- -->"], ""),
    text(
        "stray text",
        ROOT,
        &["<url>x<loc>https://e.com/{}</loc></url>"],
        "</urlset>",
    ),
    text("text between entries", ROOT, &["x<url/>"], "</urlset>"),
    text(
        "roots",
        "",
        &["<urlset><url><loc>https://e.com/{}</loc></url></urlset>"],
        "",
    ),
    text("nested roots", "", &["<sitemapindex>"], ""),
    text("mismatched end tags", ROOT, &["</x>"], "</urlset>"),
    text("control characters", ENTRY, &["<lastmod>\u{1}</lastmod>"], END),
    text(
        "entity declarations",
        "<!DOCTYPE a [",
        &["<!ENTITY a{} \"x\">"],
        "]><urlset/>",
    ),
    text(
        "references to declared entities",
        "<!DOCTYPE a [<!ENTITY x \"y\">]><urlset><url><loc>",
        &["&x;"],
        "</loc></url></urlset>",
    ),
    text("lines", "https://e.com/\n", &["https://e.com/{}\n"], ""),
    text("bad lines", "https://e.com/\n", &["x y\n"], ""),
    text("the same line", "https://e.com/\n", &["https://e.com/\n"], ""),
    bytes("invalid UTF-8", |size| {
        let mut document = b"<urlset>".to_vec();
        document.extend(b"<url><loc>https://e.com/\xff</loc></url>".iter().cycle().take(size));
        document
    }),
    bytes("one loc of invalid UTF-8", |size| {
        let mut document = b"<urlset><url><loc>https://e.com/".to_vec();
        document.resize(size, 0xff);
        document
    }),
];
