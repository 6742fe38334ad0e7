//! Every number from the protocol and every limit of the core, with its source. Python imports them from here. Limits
//! that only rules use are in `rules/families.py`.

/// Maximum entries in one sitemap or index. <https://www.sitemaps.org/protocol.html#index>
pub const MAX_ENTRIES: i64 = 50_000;
/// Maximum uncompressed size of one sitemap or index, in bytes (50 MiB). <https://www.sitemaps.org/protocol.html#index>
pub const MAX_BYTES: i64 = 52_428_800;
/// A loc must be shorter than this, in characters. <https://www.sitemaps.org/protocol.html#locdef>; the official schema
/// accepts exactly this length.
pub const MAX_URL_LENGTH: i64 = 2_048;
/// Maximum images per entry. <https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps>
pub const MAX_IMAGES_PER_URL: i64 = 1_000;
/// Maximum news records per file. <https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap>
pub const MAX_NEWS_PER_FILE: i64 = 1_000;
/// Maximum news records per entry. <https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap>
pub const MAX_NEWS_PER_ENTRY: i64 = 1;

/// Default limit on the decompressed size of a document, in bytes. Our choice: four times what the protocol allows.
pub const DEFAULT_MAX_INFLATED: u64 = 200 * 1024 * 1024;
/// Highest value that this limit can be set to. Our choice: one byte becomes at most three bytes of UTF-8, so no line,
/// column, or length of a text column exceeds 2^31.
pub const MOST_INFLATED: u64 = 512 * 1024 * 1024;
/// Bytes of text decoded at a time: small enough to stay in the processor's L2 cache. Our choice.
pub const WINDOW: usize = 128 * 1024;
/// Longest single token (tag, comment, text) that is read as a whole, in bytes. Our choice.
pub const MAX_TOKEN_LENGTH: usize = 4 * 1024 * 1024;
/// Deepest nesting of elements whose end tags are checked. Our choice.
pub const MAX_DEPTH: usize = 100_000;
/// Maximum unknown namespaces listed per document; elements in any further ones are counted together. Our choice.
pub const MAX_FOREIGN_NAMESPACES: usize = 1_000;

/// The limits that change what is read or how. Tests set them low, so that small documents reach them.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub window: usize,
    /// At least 256.
    pub token_length: usize,
    pub depth: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            window: WINDOW,
            token_length: MAX_TOKEN_LENGTH,
            depth: MAX_DEPTH,
        }
    }
}

/// Maximum anomalies of one kind per document that get a row each; one more row counts the rest. Our choice.
pub const MAX_ANOMALIES_PER_KIND: i64 = 1_000;

/// Bytes of a robots.txt that are read: the minimum that crawlers must read, and the maximum that Google reads.
/// <https://www.rfc-editor.org/rfc/rfc9309#section-2.5>
pub const MAX_ROBOTS_BYTES: usize = 500 * 1024;
/// Longest line of a robots.txt that is read, in bytes: eight times the longest URL that Internet Explorer accepted.
/// <https://github.com/google/robotstxt/blob/master/robots.cc>
pub const MAX_ROBOTS_LINE: usize = 2_083 * 8;
/// Maximum rows in the table `robots` per file: many user agents that share many rules would produce far too many. Our
/// choice.
pub const MAX_ROBOTS_ROWS: usize = 100_000;
/// Maximum bytes of text in that table: each row repeats its user agent and its pattern. Our choice.
pub const MAX_ROBOTS_TEXT: usize = 4 * 1024 * 1024;
/// Maximum wildcards in the rules of one robots.txt: each can cost a search in every URL. The longest real files have a
/// few hundred. Our choice.
pub const MAX_ROBOTS_STARS: usize = 20_000;
/// Longest pattern stored with each URL that it blocks, in bytes; its line number is stored, too. Our choice.
pub const MAX_FORBIDDEN_PATTERN: usize = 256;
/// Largest single entry that is repaired, in bytes. Our choice: an entry is buffered in memory with everything in it.
pub const MAX_FIXED_ENTRY: usize = 16 * 1024 * 1024;

/// Bytes of a page that are read: Google's crawlers read this much of a file by default.
/// <https://developers.google.com/crawling/docs/crawlers-fetchers/overview-google-crawlers>
pub const MAX_PAGE_BYTES: usize = 15 * 1024 * 1024;
/// Maximum depth of the tree built from a page: deeper elements are skipped, their text is kept. Same as Chromium.
/// <https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/renderer/core/html/parser/html_construction_site.cc>
pub const MAX_PAGE_DEPTH: u16 = 512;
/// Maximum nodes of that tree: formatting elements that are never closed are recreated in every paragraph. Our choice.
pub const MAX_PAGE_NODES: usize = 1_000_000;
/// Maximum elements that the tree builder visits per byte of a page, on top of `FREE_PAGE_STEPS`: for each tag it
/// searches the open elements. Real pages take one or two per byte. Our choice.
pub const MAX_PAGE_STEPS_PER_BYTE: u64 = 30;
/// Elements that the tree builder can visit regardless of the size of the page. Our choice.
pub const FREE_PAGE_STEPS: u64 = 1_000_000;
/// Maximum attributes in double quotes in a row, in one tag of a page: the tokenizer uses the stack for each of them. The
/// rest of a page with more is not read. Our choice; real tags have a few dozen.
pub const MAX_PAGE_ATTRIBUTES: u32 = 1_000;
/// Longest value of one attribute of a page that is stored, in bytes: no URL is this long. Our choice.
pub const MAX_PAGE_VALUE: usize = 64 * 1024;
/// Maximum values of one kind stored per page: the number of images that a sitemap entry can have. Our choice.
pub const MAX_PAGE_LIST: usize = 1_000;
/// Maximum links stored per page. Our choice.
pub const MAX_PAGE_LINKS: usize = 10_000;
/// Maximum anchors stored per page, in four bytes each: the HTML specification on one page has 40,000. Our choice.
pub const MAX_PAGE_ANCHORS: usize = 100_000;
/// Words of main text from which a page does more than redirect.
pub const MAX_REDIRECT_WORDS: u64 = 50;

/// Earliest plausible lastmod of a page, in microseconds since 1970: the start of 1990, the year of the first web page.
/// <https://home.cern/science/computing/birth-web>
pub const FIRST_DATE: i64 = 631_152_000_000_000;
