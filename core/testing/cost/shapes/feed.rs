//! Hostile feeds: unclosed, nested and repeated items and links.

use super::{Shape, bytes, text};

const RSS: &str = "<rss version=\"2.0\"><channel>";
const ATOM: &str = "<feed xmlns=\"http://www.w3.org/2005/Atom\">";

pub const SHAPES: &[Shape] = &[
    text(
        "items",
        RSS,
        &["<item><link>https://e.com/{}</link></item>"],
        "</channel></rss>",
    ),
    text("items without end", RSS, &["<item>"], ""),
    text("items with links, without end", RSS, &["<item><link>x"], ""),
    text("empty items", RSS, &["<item/>"], "</channel></rss>"),
    text(
        "links of one item",
        RSS,
        &["<item>", "<link>https://e.com/{}</link>"],
        "</item></channel></rss>",
    ),
    text(
        "links of one item without end",
        RSS,
        &["<item>", "<link>https://e.com/{}"],
        "",
    ),
    text(
        "empty links of one item",
        RSS,
        &["<item>", "<link/>"],
        "</item></channel></rss>",
    ),
    text(
        "guids of one item",
        RSS,
        &["<item>", "<guid>https://e.com/{}</guid>"],
        "</item></channel></rss>",
    ),
    text(
        "dates of one item",
        RSS,
        &["<item>", "<pubDate>x{}</pubDate>"],
        "</item></channel></rss>",
    ),
    text(
        "dates",
        RSS,
        &["<item><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate></item>"],
        "</channel></rss>",
    ),
    text(
        "dates in uppercase",
        RSS,
        &["<ITEM><PUBDATE>x</PUBDATE></ITEM>"],
        "</channel></rss>",
    ),
    text(
        "one long date",
        RSS,
        &["<item><pubDate>", "1"],
        "</pubDate></item></channel></rss>",
    ),
    text(
        "one date of spaces",
        RSS,
        &["<item><pubDate>", " "],
        "</pubDate></item></channel></rss>",
    ),
    text(
        "one date of brackets",
        RSS,
        &["<item><pubDate>", "("],
        "</pubDate></item></channel></rss>",
    ),
    text(
        "one long link",
        RSS,
        &["<item><link>", "a"],
        "</link></item></channel></rss>",
    ),
    text(
        "one link of spaces",
        RSS,
        &["<item><link>", " "],
        "</link></item></channel></rss>",
    ),
    text(
        "one link of ampersands",
        RSS,
        &["<item><link>", "&"],
        "</link></item></channel></rss>",
    ),
    text(
        "one link of sections",
        RSS,
        &["<item><link>", "<![CDATA[a]]>"],
        "</link></item></channel></rss>",
    ),
    text(
        "one link of comments",
        RSS,
        &["<item><link>", "<!-- --> "],
        "</link></item></channel></rss>",
    ),
    text(
        "one link of elements",
        RSS,
        &["<item><link>", "<b/>a"],
        "</link></item></channel></rss>",
    ),
    text(
        "end tags of links",
        RSS,
        &["<item>", "</link>"],
        "</item></channel></rss>",
    ),
    text("end tags of items", RSS, &["</item>"], "</channel></rss>"),
    text(
        "unknown elements of items",
        RSS,
        &["<item><x{}>y</x{}></item>"],
        "</channel></rss>",
    ),
    text(
        "elements of other namespaces",
        RSS,
        &["<item><m:x{} xmlns:m=\"urn:{}\"/></item>"],
        "</channel></rss>",
    ),
    text("channels", "<rss>", &["<channel>"], ""),
    text("roots", "", &["<rss></rss>"], ""),
    text("nested roots", "", &["<rss>"], ""),
    text(
        "descriptions of escaped markup",
        RSS,
        &["<item><description>&lt;p&gt;</description></item>"],
        "</channel></rss>",
    ),
    text(
        "one long description",
        RSS,
        &["<item><description>", "&lt;"],
        "</description></item></channel></rss>",
    ),
    text(
        "enclosures",
        RSS,
        &["<item><enclosure url=\"{}\"/></item>"],
        "</channel></rss>",
    ),
    text(
        "Atom entries",
        ATOM,
        &["<entry><link href=\"https://e.com/{}\"/></entry>"],
        "</feed>",
    ),
    text("Atom entries without end", ATOM, &["<entry>"], ""),
    text(
        "Atom links of one entry",
        ATOM,
        &["<entry>", "<link href=\"https://e.com/{}\"/>"],
        "</entry></feed>",
    ),
    text(
        "Atom links to itself",
        ATOM,
        &["<entry>", "<link rel=\"self\" href=\"{}\"/>"],
        "</entry></feed>",
    ),
    text(
        "Atom links of one element",
        ATOM,
        &["<entry><link", " href{}=\"x\""],
        "/></entry></feed>",
    ),
    text(
        "Atom dates of one entry",
        ATOM,
        &["<entry>", "<updated>{}</updated>"],
        "</entry></feed>",
    ),
    text("nested Atom sources", ATOM, &["<entry>", "<source>"], ""),
    text(
        "Atom sources",
        ATOM,
        &["<entry><source><link href=\"{}\"/></source></entry>"],
        "</feed>",
    ),
    text(
        "Atom content of markup",
        ATOM,
        &["<entry><content>", "<b>"],
        "</content></entry></feed>",
    ),
    text(
        "RDF items",
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\">",
        &["<item rdf:about=\"{}\"/>"],
        "</rdf:RDF>",
    ),
    text(
        "URLs of one RDF item",
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\"><item",
        &[" a{}:about=\"x\""],
        "/></rdf:RDF>",
    ),
    text(
        "Dublin Core dates",
        "<rss xmlns:dc=\"http://purl.org/dc/elements/1.1/\">",
        &["<item><dc:date>2024</dc:date></item>"],
        "</rss>",
    ),
    bytes("invalid UTF-8", |size| {
        let mut feed = RSS.as_bytes().to_vec();
        feed.extend(b"<item><link>\xff</link></item>".iter().cycle().take(size));
        feed
    }),
];
