//! Every number of the protocol and every bound of ours, with its source. Python takes them from here.

/// Entries in one sitemap or index. <https://www.sitemaps.org/protocol.html#index>
pub const MAX_ENTRIES: i64 = 50_000;
/// Uncompressed size of one sitemap or index, in bytes (50 MB). <https://www.sitemaps.org/protocol.html#index>
pub const MAX_BYTES: i64 = 52_428_800;
/// A loc must have fewer characters than this. <https://www.sitemaps.org/protocol.html#locdef>;
/// the official schema accepts exactly this many.
pub const MAX_URL_LENGTH: i64 = 2_048;
/// Images of one entry. <https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps>
pub const MAX_IMAGES_PER_URL: i64 = 1_000;
/// News records of one file. <https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap>
pub const MAX_NEWS_PER_FILE: i64 = 1_000;
/// News records of one entry. <https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap>
pub const MAX_NEWS_PER_ENTRY: i64 = 1;
/// Words of main text from which a page is not thin. Ours.
pub const MIN_PAGE_WORDS: i64 = 20;
/// Share of a limit from which we say that it is near. Ours.
pub const NEAR_LIMIT: f64 = 0.9;

/// Default bound on the inflated size of a document, in bytes. Ours: four times what the protocol allows.
pub const DEFAULT_MAX_INFLATED: u64 = 200 * 1024 * 1024;
/// Largest bound on it that may be asked for. Ours: a byte is at most three of UTF-8, so that no line, column or length
/// of a column of text is beyond 2^31.
pub const MOST_INFLATED: u64 = 512 * 1024 * 1024;
/// How much text is decoded at a time, in bytes: small enough to stay in the processor's second-level cache. Ours.
pub const WINDOW: usize = 128 * 1024;
/// Longest single token (tag, comment, text) that is read whole, in bytes. Ours.
pub const MAX_TOKEN_LENGTH: usize = 4 * 1024 * 1024;
/// Deepest nesting of elements whose end tags are checked. Ours.
pub const MAX_DEPTH: usize = 100_000;
/// Unknown namespaces of one document that are listed; elements of further ones are counted together. Ours.
pub const MAX_FOREIGN_NAMESPACES: usize = 1_000;

/// The bounds of reading that change what is read or how; tests set them low, so that small documents reach them.
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

/// Anomalies of one kind in one document that get a row each; those past it are counted in one more row. Ours.
pub const MAX_ANOMALIES_PER_KIND: i64 = 1_000;

/// Bytes of a robots.txt that are read: what crawlers must read at least, and Google at most.
/// <https://www.rfc-editor.org/rfc/rfc9309#section-2.5>
pub const MAX_ROBOTS_BYTES: usize = 500 * 1024;
/// Longest line of a robots.txt that is read, in bytes: eight times the longest URL that Internet Explorer took.
/// <https://github.com/google/robotstxt/blob/master/robots.cc>
pub const MAX_ROBOTS_LINE: usize = 2_083 * 8;
/// Most rows of the table `robots` for one file: many agents that share many rules would make far too many. Ours.
pub const MAX_ROBOTS_ROWS: usize = 100_000;
/// Most bytes of text in that table: each row repeats its agent and its pattern. Ours.
pub const MAX_ROBOTS_TEXT: usize = 4 * 1024 * 1024;
/// Most stars in the rules of one robots.txt: each may cost a search in every URL. The longest real files have some
/// hundred. Ours.
pub const MAX_ROBOTS_STARS: usize = 20_000;
/// Longest pattern kept with each URL that it forbids, in bytes; the line that it stands on is kept, too. Ours.
pub const MAX_FORBIDDEN_PATTERN: usize = 256;
/// Largest single entry that is repaired, in bytes. Ours: it is held in memory with all that is in it.
pub const MAX_FIXED_ENTRY: usize = 16 * 1024 * 1024;

/// Bytes of a page that are read: as many as Google's crawlers read of a file by default.
/// <https://developers.google.com/crawling/docs/crawlers-fetchers/overview-google-crawlers>
pub const MAX_PAGE_BYTES: usize = 15 * 1024 * 1024;
/// Deepest tree that is made of a page: elements beyond are passed over, their text is not. As Chromium has it.
/// <https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/renderer/core/html/parser/html_construction_site.cc>
pub const MAX_PAGE_DEPTH: u16 = 512;
/// Most nodes of that tree; formatting elements that are never closed are made anew in every paragraph. Ours.
pub const MAX_PAGE_NODES: usize = 1_000_000;
/// Most elements that the tree builder looks at for each byte of a page, beyond `FREE_PAGE_STEPS`: each tag makes it
/// look through those that are open. Real pages take one or two a byte. Ours.
pub const MAX_PAGE_STEPS_PER_BYTE: u64 = 30;
/// Elements that the tree builder may look at whatever the size of a page. Ours.
pub const FREE_PAGE_STEPS: u64 = 1_000_000;
/// Longest value of one attribute of a page that is kept, in bytes: no address is as long. Ours.
pub const MAX_PAGE_VALUE: usize = 64 * 1024;
/// Most values of one kind that are kept of a page: as many images as an entry of a sitemap may have. Ours.
pub const MAX_PAGE_LIST: usize = 1_000;

/// Earliest lastmod that a page can have, in microseconds since 1970: the beginning of 1990, the year of the first page.
/// <https://home.cern/science/computing/birth-web>
pub const FIRST_DATE: i64 = 631_152_000_000_000;
