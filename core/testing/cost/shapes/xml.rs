//! Hostile XML: each construct unclosed, in large numbers, very long, and in the wrong place.

use super::{Shape, bytes, filled, text};

const ROOT: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
    xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">";
const IN_LOC: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>";

pub const SHAPES: &[Shape] = &[
    text("two kinds of errors in one tag", "<url", &[" a=\"<\"", " b"], ">"),
    text("two kinds of errors, alternating", "<url", &[" a=\"<\" b"], ">"),
    text("attributes, each new", "<url", &[" a{}=\"x\""], ">"),
    text("the same attribute", "<url", &[" a=\"x\""], ">"),
    text("attributes without value", "<url", &[" a{}"], ">"),
    text("attributes without quotes", "<url", &[" a{}=x"], ">"),
    text("attributes without space", "<url", &["a{}=\"x\""], ">"),
    text("attributes without closing quote", "<url", &[" a{}=\"<b"], ">"),
    text("attributes of undeclared prefixes", "<url", &[" p{}:a=\"x\""], ">"),
    text("attributes in bad references", "<url", &[" a{}=\"&x;&\""], ">"),
    text("slashes in a tag", "<url", &["/"], ">"),
    text("quotes in a tag", "<url", &["\"'"], ">"),
    text("junk in a tag", "<url ", &["=!"], ">"),
    text("namespaces on one element", "<url", &[" xmlns:p{}=\"urn:{}\""], ">"),
    text("nested namespaces on elements", "", &["<a{} xmlns:p{}=\"urn:{}\">"], ""),
    text("nested default namespaces", "", &["<a xmlns=\"urn:{}\">"], ""),
    text(
        "prefixes bound again, and used",
        "<r xmlns:q=\"urn:q\">",
        &["<p:a xmlns:p=\"urn:{}\"><q:b/></p:a>"],
        "</r>",
    ),
    text("bad namespaces", "<r>", &["<a xmlns:p{}=\" {}\"/>"], "</r>"),
    text("undeclared prefixes", ROOT, &["<p{}:a/>"], "</urlset>"),
    text("nested elements", "", &["<a>"], ""),
    text("nested elements, closed", "", &["<a>", "</a>"], ""),
    text("nested elements, closed by other names", "", &["<a{}>", "</b{}>"], ""),
    text("elements closed by the root", ROOT, &["<url><loc>x"], "</urlset>"),
    text("unmatched end tags", ROOT, &["</x{}>"], "</urlset>"),
    text("mismatched end tags", ROOT, &["<url><loc>a</lo>"], "</urlset>"),
    text("end tags without end", ROOT, &["</url"], ""),
    text(
        "mismatched long names",
        "<r>",
        &["<nnnnnnnnnnnnnnnnnnnnnnnnnnnn{}>", "</nnnnnnnnnnnnnnnnnnnnnnnnnnnn>"],
        "",
    ),
    text("less-than signs", "", &["<"], ""),
    text("less-than signs in loc", IN_LOC, &["< "], "</loc></url></urlset>"),
    text("greater-than signs", ROOT, &[">"], "</urlset>"),
    text("ampersands", IN_LOC, &["&"], "</loc></url></urlset>"),
    text("references without end", IN_LOC, &["&a"], "</loc></url></urlset>"),
    text(
        "one reference without end",
        IN_LOC,
        &["&a", "a"],
        "</loc></url></urlset>",
    ),
    text(
        "numeric references",
        IN_LOC,
        &["&#0;&#x110000;&#65;"],
        "</loc></url></urlset>",
    ),
    text(
        "one long numeric reference",
        IN_LOC,
        &["&#", "1"],
        ";</loc></url></urlset>",
    ),
    text("undefined entities", IN_LOC, &["&x{};"], "</loc></url></urlset>"),
    text("comments without end", ROOT, &["<!--"], ""),
    text("comments without end, in text", ROOT, &["<!-- a <b> --"], ""),
    text("comments", ROOT, &["<!---->"], "</urlset>"),
    text("comments of dashes", ROOT, &["<!-- -- ---->"], "</urlset>"),
    text("sections without end", ROOT, &["<![CDATA["], ""),
    text("sections in loc", IN_LOC, &["<![CDATA[a]]>"], "</loc></url></urlset>"),
    text("ends of sections", IN_LOC, &["]]>"], "</loc></url></urlset>"),
    text("brackets", IN_LOC, &["]"], "</loc></url></urlset>"),
    text("instructions without end", ROOT, &["<?a "], ""),
    text("instructions", ROOT, &["<?a?>"], "</urlset>"),
    text("declarations", "", &["<?xml version=\"1.0\"?>"], "<urlset/>"),
    text("stylesheets", "", &["<?xml-stylesheet a=\"b\" c=?>"], "<urlset/>"),
    text(
        "one long stylesheet",
        "<?xml-stylesheet",
        &[" a{}=\"b\""],
        "?><urlset/>",
    ),
    text("meaningless markup", ROOT, &["<!x"], "</urlset>"),
    text("document types", "", &["<!DOCTYPE a>"], "<urlset/>"),
    text("document types without end", "", &["<!DOCTYPE a [<!-- \""], "<urlset/>"),
    text(
        "entity declarations",
        "<!DOCTYPE a [",
        &["<!ENTITY a{} \"&b;\">"],
        "]><urlset/>",
    ),
    text(
        "entity declarations without end",
        "<!DOCTYPE a [",
        &["<!ENTITY "],
        "]><urlset/>",
    ),
    text("brackets in a document type", "<!DOCTYPE a ", &["[", "]"], "><urlset/>"),
    text("text outside the root", "", &["x<a/>"], ""),
    text("roots", "", &["<urlset/>"], ""),
    text("nested roots", ROOT, &["<sitemapindex>"], ""),
    text(
        "roots that are never closed",
        "",
        &["<urlset><url><loc>x</loc></url>"],
        "",
    ),
    text("empty entries", ROOT, &["<url/>"], "</urlset>"),
    text("nested entries", ROOT, &["<url>"], ""),
    text("entries in loc", ROOT, &["<url><loc>"], ""),
    text(
        "one large entry",
        ROOT,
        &["<url><loc>a{}</loc><lastmod>x</lastmod>"],
        "</urlset>",
    ),
    text(
        "fields of one entry",
        ROOT,
        &["<url><loc>x</loc>", "<lastmod>{}</lastmod>"],
        "</urlset>",
    ),
    text(
        "many loc in one entry",
        "<urlset><url>",
        &["<loc>https://e.com/{}</loc>"],
        "</url></urlset>",
    ),
    text(
        "the same loc in one entry",
        "<urlset><url>",
        &["<loc>https://e.com/</loc>"],
        "</url></urlset>",
    ),
    text(
        "loc after later fields",
        "<urlset><url>",
        &["<priority>1</priority><loc>{}</loc>"],
        "</url></urlset>",
    ),
    text(
        "fields outside entries",
        ROOT,
        &["<loc>https://e.com/{}</loc>"],
        "</urlset>",
    ),
    text("elements in loc", IN_LOC, &["<b>a</b>"], "</loc></url></urlset>"),
    text("comments in loc", IN_LOC, &[" <!-- -->"], "</loc></url></urlset>"),
    text("whitespace in loc", IN_LOC, &[" \n"], "</loc></url></urlset>"),
    text("line ends in loc", IN_LOC, &["\r\n\r"], "</loc></url></urlset>"),
    text(
        "control characters",
        IN_LOC,
        &["\u{1}\u{fffe}"],
        "</loc></url></urlset>",
    ),
    text("non-ASCII characters", IN_LOC, &["é日😀"], "</loc></url></urlset>"),
    text("non-ASCII names", "<r>", &["<é{}/>"], "</r>"),
    text("one long name", "<", &["n"], ">"),
    text("one long non-ASCII name", "<", &["é"], ">"),
    text(
        "links of one entry",
        ROOT,
        &[
            "<url><loc>x</loc>",
            "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"/{}\"/>",
        ],
        "</url></urlset>",
    ),
    text(
        "images of one entry",
        ROOT,
        &[
            "<url><loc>x</loc>",
            "<image:image><image:loc>{}</image:loc></image:image>",
        ],
        "</url></urlset>",
    ),
    text(
        "captions of one image",
        ROOT,
        &["<url><loc>x</loc><image:image>", "<image:caption>{}</image:caption>"],
        "</image:image></url></urlset>",
    ),
    text(
        "usual entries",
        ROOT,
        &["<url><loc>https://e.com/{}</loc></url>"],
        "</urlset>",
    ),
    text(
        "usual entries, each on a different host",
        ROOT,
        &["<url><loc>https://e{}.com/</loc></url>"],
        "</urlset>",
    ),
    text(
        "nearly usual entries",
        ROOT,
        &["<url><loc>https://e.com/{}</loc>", "<url><lastmod>2025-01-01</lastmod>"],
        "</urlset>",
    ),
    text(
        "entries that share most letters",
        ROOT,
        &["<url><loc>https://e.com/aaaaaaaaaaaaaaaaaaaaaaaaaaaaa{}</loc></url>"],
        "</urlset>",
    ),
    text("unknown elements", ROOT, &["<x{}>y</x{}>"], "</urlset>"),
    text(
        "foreign elements",
        "<urlset xmlns:o=\"urn:o\">",
        &["<o:x{}>y</o:x{}>"],
        "</urlset>",
    ),
    text("stray text", ROOT, &["<url>x</url>"], "</urlset>"),
    text(
        "attributes of XML Schema",
        ROOT,
        &["<url xsi:type=\"a{}\"/>"],
        "</urlset>",
    ),
    bytes("invalid UTF-8", |size| {
        let mut document = IN_LOC.as_bytes().to_vec();
        document.extend(b"a\xff\xc3".iter().cycle().take(size));
        document.extend_from_slice(b"</loc></url></urlset>");
        document
    }),
    bytes("invalid UTF-8 between entries", |size| {
        let text = filled(ROOT, &["<url><loc>x</loc></url>#"], "</urlset>", size);
        text.bytes()
            .map(|byte| if byte == b'#' { 0xff } else { byte })
            .collect()
    }),
    bytes("lone surrogates in UTF-16", |size| {
        let text = filled("<urlset><url><loc>", &["x"], "</loc></url></urlset>", size / 2);
        let mut document = vec![0xff, 0xfe];
        for byte in text.bytes() {
            document.extend(if byte == b'x' { [0x00, 0xd8] } else { [byte, 0] });
        }
        document
    }),
    bytes("non-ASCII bytes in a legacy encoding", |size| {
        let head = "<?xml version=\"1.0\" encoding=\"windows-1252\"?><urlset><url><loc>";
        let mut document = head.as_bytes().to_vec();
        document.extend(b"\x80\x81".iter().cycle().take(size));
        document.extend_from_slice(b"</loc></url></urlset>");
        document
    }),
];
