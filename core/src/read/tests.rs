//! Properties of reading as a whole: no shortcut and no way of splitting the bytes changes what is read.

use std::io::Cursor;

use proptest::prelude::*;

use super::{Options, Reader};
use crate::invariants::Cut;
use crate::invariants::read::{Way, hold, read};
use crate::limits::Bounds;

/// The parts of an entry: usual ones, and all those that a shortcut could mistake for usual.
const PARTS: &[&str] = &[
    "<loc>https://example.com/a</loc>",
    "<loc>https://example.com/?a=1&amp;b=2&lt;&gt;&quot;&apos;</loc>",
    "<loc>https://example.com/?a&b</loc>",
    "<loc>https://example.com/&eacute;&#233;</loc>",
    "<loc> https://example.com/x </loc>",
    "<loc>\n  https://example.com/y\n</loc>",
    "<loc>https://example.com/é</loc>",
    "<loc>https://example.com/日本/?a=ü&amp;b=😀</loc>",
    "<loc>é</loc>",
    "<loc>\u{a0}https://example.com/nbsp</loc>",
    "<loc>https://example.com/zero-width\u{200b}</loc>",
    "<loc>https://example.com/\u{200b}inner\u{a0}space</loc>",
    "<loc>https://example.com/\u{fffd}</loc>",
    "<loc>https://example.com/\u{fffe}x</loc>",
    "<loc>é\u{ffff}</loc>",
    "<loc>https://example.com/⌧</loc>",
    "<loc>https://example.com/é</loc ><lastmod >2025-01-02</lastmod  >",
    "<loc >https://example.com/%C3%A9?%2525</loc>",
    "<loc\n>https://example.com/line</loc\n>",
    "<loc>https://example.com/&lt;%=x%&gt;</loc>",
    "<loc>https://example.com/&amp;eacute;é</loc>",
    "<lastmod>2025年</lastmod>",
    "<changefreq>täglich</changefreq>",
    "<xhtml:link rel=\"alternate\" hreflang=\"ü\" href=\"https://example.com/日?a=é&amp;b\"/>",
    "<xhtml:link rel=\"é\" href=\"\u{a0}x\"/>",
    "<xhtml:link rel=\"é\" href=\"x\u{fffe}⌧\"/>",
    "<image:image ><image:loc >https://example.com/é.png</image:loc ></image:image >",
    "<url >",
    "</url >",
    "⌧",
    "<loc></loc>",
    "<loc/>",
    "<loc >https://example.com/</loc >",
    "<loc>/relative</loc>",
    "<loc>https://EXAMPLE.com:8080/%zz</loc>",
    "<loc><![CDATA[https://example.com/?a&b]]></loc>",
    "<loc>https://example.com/]]>x</loc>",
    "<loc>https://example.com/unclosed",
    "<Loc>https://example.com/case</Loc>",
    "<lastmod>2025-01-02</lastmod>",
    "<lastmod>2025-01-02T03:04:05Z</lastmod>",
    "<lastmod>garbage</lastmod>",
    "<lastmod>2025-01-02 </lastmod>",
    "<lastmod/>",
    "<changefreq>daily</changefreq>",
    "<changefreq>Daily</changefreq>",
    "<priority>0.5</priority>",
    "<priority>1,0</priority>",
    "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de?a=1&amp;b=2\"/>",
    "<xhtml:link href=\"/x\" rel=\"alternate\" />",
    "<xhtml:link rel='alternate' hreflang=\"de\" href=\"x\"></xhtml:link>",
    "<xhtml:link rel=\"a\" rel=\"b\"/>",
    "<xhtml:link hreflang=\" de \" href=\"a<b\"/>",
    "<xhtml:link rel=\"a\"hreflang=\"b\"/>",
    "<xhtml:link/>",
    "<xhtml:link />",
    "<xhtml:link  rel=\"x\"/>",
    "<xhtml:link href=\"&quot;\"/>",
    "<xhtml:link href=\"a\nb\"/>",
    "<image:image><image:loc>https://example.com/1.png</image:loc></image:image>",
    "<image:image> <image:loc>x</image:loc>\n</image:image>",
    "<image:image><image:loc>x</image:loc><image:title>t</image:title></image:image>",
    "<image:image><image:loc/></image:image>",
    "<image:image><loc>x</loc></image:image>",
    "<image:image/>",
    "<news:news><news:title>t</news:title></news:news>",
    "<other:x>y</other:x>",
    "<author>x</author>",
    "stray",
    "<!-- c -->",
    "<?pi?>",
    "\u{1}",
    "&",
    "<",
    "</url>",
    "<url>",
    "<url attribute=\"x\">",
    "</urlset>",
    "]]>",
];

/// The URLs of entries that take the express path.
const USUAL_LOCS: &[&str] = &[
    "<loc>https://example.com/a</loc>",
    "<loc>https://example.com/?a=1&amp;b=2&lt;&gt;&quot;&apos;</loc>",
    "<loc>https://example.com/é</loc>",
    "<loc >https://example.com/日本/?a=ü&amp;b=😀</loc >",
];

/// What else is in these entries, in order.
const USUAL_REST: &[&str] = &[
    "<lastmod>2025-01-02</lastmod>",
    "<lastmod>2025-01-02T03:04:05Z</lastmod>",
    "<changefreq>daily</changefreq>",
    "<priority>0.5</priority>",
    "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de?a=1&amp;b=2\"/>",
    "<xhtml:link rel=\"alternate\" href=\"https://example.com/é?a=1&amp;b=日\"/>",
    "<image:image><image:loc>https://example.com/1.png</image:loc></image:image>",
    "<image:image > <image:loc>é</image:loc >\n</image:image>",
];

const SPACES: &[&str] = &["", "\n", "\n  ", " ", "\r\n\t", "\u{a0}"];

const ROOTS: &[&str] = &[
    "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
     xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" xmlns:other=\"urn:x\">",
    "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">",
    "<urlset>",
    "<urlset xmlns=\"https://www.sitemaps.org/schemas/sitemap/0.9/\" xmlns:image=\"urn:wrong\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">",
    "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">",
    "<urlset xmlns:image=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns=\"http://www.google.com/schemas/sitemap-image/1.1\">",
];

/// Mostly usual entries, so that many take the express path, mixed with anything else.
pub(crate) fn documents() -> impl Strategy<Value = String> {
    let usual = (
        prop::sample::select(USUAL_LOCS),
        prop::sample::subsequence(USUAL_REST, 0..6),
    )
        .prop_map(|(loc, rest)| format!("{loc}{}", rest.concat()));
    let odd =
        prop::collection::vec((prop::sample::select(PARTS), prop::sample::select(SPACES)), 0..7).prop_map(|parts| {
            parts
                .iter()
                .map(|(part, space)| format!("{part}{space}"))
                .collect::<String>()
        });
    let entry = prop_oneof![3 => usual, 2 => odd];
    let entries = prop::collection::vec((entry, prop::sample::select(SPACES)), 0..12);
    (prop::sample::select(ROOTS), entries, any::<bool>(), 0..40_usize).prop_map(|(root, entries, is_closed, cut)| {
        let mut document = root.to_owned();
        for (entry, space) in entries {
            document.push_str(&format!("{space}<url>{space}{entry}</url>"));
        }
        if is_closed {
            document.push_str("\n</urlset>\n");
        }
        while cut > 30 && !document.is_empty() && document.len() > cut {
            document.pop();
            if document.len().is_multiple_of(cut) {
                break;
            }
        }
        document
    })
}

/// Returns the bytes of a document, in which a character stands for bytes that are not UTF-8.
fn with_invalid_bytes(document: &str) -> Vec<u8> {
    let pieces: Vec<&[u8]> = document.split('⌧').map(str::as_bytes).collect();
    pieces.join(&b"\xe9("[..])
}

proptest! {
    #![proptest_config(crate::properties::inputs(3_000))]

    #[test]
    fn documents_keep_the_invariants(document in documents(), window in 1..300_usize, piece in 1..50_usize) {
        hold(&with_invalid_bytes(&document), Way::default(), Cut { window, piece });
    }
}

#[test]
fn usual_entries_take_the_express_path() {
    // The output of the two paths is identical, so this calls the express path directly.
    let entry = "<url>\n<loc>https://example.com/?a=1&amp;b=2</loc><lastmod>2025-01-02</lastmod></url>";
    let document = format!("{}{entry}{entry}</urlset>", ROOTS[0]);
    let reading = read(document.as_bytes(), Way::default());
    assert_eq!(reading.tables[0].1.num_rows(), 2);
    assert_eq!(super::express::tests::recognized(&document[ROOTS[0].len()..]), 2);
}

/// Batches end after a number of bytes, wherever the text is: captions, repeats, tags of videos.
#[test]
fn batches_are_limited_in_bytes() {
    let text = "c".repeat(100_000);
    let entries = [
        format!(
            "<image:image><image:loc>https://e.com/i</image:loc><image:caption>{text}</image:caption></image:image>"
        ),
        format!("<lastmod>2020</lastmod><lastmod>{text}</lastmod>"),
        format!("<video:video><video:tag>{text}</video:tag><video:tag>b</video:tag></video:video>"),
        format!("<news:news><news:title>{text}</news:title></news:news>"),
    ];
    for entry in entries {
        let document = format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
             xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
             xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
             xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">{}</urlset>",
            format!("<url><loc>https://e.com/</loc>{entry}</url>").repeat(700)
        );
        let options = Options {
            document_id: 0,
            url: None,
            max_inflated: 1 << 30,
            batch_rows: 1 << 20,
            hash: false,
            express: true,
            bounds: Bounds::default(),
        };
        let mut reader = Reader::new(Box::new(Cursor::new(document.into_bytes())), options);
        let (mut batches, mut rows) = (0, 0);
        while let Some(batch) = reader.next_batch().expect("memory can be read") {
            batches += 1;
            let size: usize = batch
                .tables
                .iter()
                .map(|(_, table)| table.get_array_memory_size())
                .sum();
            // Buffers grow by doubling, and a batch ends after the entry that fills it.
            assert!(size <= 2 * 34 * 1024 * 1024, "{size}");
            let urls = batch.tables.iter().find(|(name, _)| name.name() == "urls");
            rows += urls.map_or(0, |(_, table)| table.num_rows());
        }
        assert_eq!(rows, 700);
        assert!(batches >= 2, "{batches}");
    }
}
