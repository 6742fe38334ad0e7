//! The fields of extension records: their columns, elements and grammars.
//!
//! Each field names the element, or the attribute of one, that it is read from. Sources of the lists:
//! <https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps>, `…/video-sitemaps`,
//! `…/news-sitemap`, <https://developers.google.com/search/docs/specialty/international/localized-versions>, and the
//! schemas sitemap-image.xsd, sitemap-video.xsd and sitemap-news.xsd for the fields that Google no longer documents.

/// The grammar of a field, which determines its additional columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    Text,
    Url,
    /// A URL whose host is compared with others: a host column is added.
    HostedUrl,
    /// A URL that is compared with others, or looked up among millions of them: a hash column is added.
    HashedUrl,
    /// A URL of which both are compared: a host column and a hash column are added.
    HostedHashedUrl,
    Date,
    Decimal,
    Hreflang,
    /// Text that can occur many times.
    List,
}

/// One field of a record.
#[derive(Debug)]
pub struct FieldSpec {
    pub column: &'static str,
    pub element: &'static str,
    pub attribute: Option<&'static str>,
    pub grammar: Grammar,
    /// Whether its position is stored in addition to that of its record.
    pub is_placed: bool,
}

impl FieldSpec {
    /// The same field without a position: it is at or right after the start of its record.
    const fn unplaced(mut self) -> Self {
        self.is_placed = false;
        self
    }
}

const fn element(column: &'static str, grammar: Grammar) -> FieldSpec {
    FieldSpec {
        column,
        element: column,
        attribute: None,
        grammar,
        is_placed: true,
    }
}

const fn renamed(column: &'static str, element: &'static str, grammar: Grammar) -> FieldSpec {
    FieldSpec {
        column,
        element,
        attribute: None,
        grammar,
        is_placed: true,
    }
}

const fn attribute(
    column: &'static str,
    element: &'static str,
    attribute: &'static str,
    grammar: Grammar,
) -> FieldSpec {
    FieldSpec {
        column,
        element,
        attribute: Some(attribute),
        grammar,
        is_placed: true,
    }
}

/// xhtml:link
pub const ALTERNATE: &[FieldSpec] = &[
    attribute("rel", "link", "rel", Grammar::Text).unplaced(),
    attribute("hreflang", "link", "hreflang", Grammar::Hreflang).unplaced(),
    attribute("href", "link", "href", Grammar::HashedUrl).unplaced(),
    attribute("media", "link", "media", Grammar::Text).unplaced(),
];

/// image:image
pub const IMAGE: &[FieldSpec] = &[
    // The only field of nearly every image.
    element("loc", Grammar::HostedHashedUrl).unplaced(),
    element("caption", Grammar::Text),
    element("geo_location", Grammar::Text),
    element("title", Grammar::Text),
    element("license", Grammar::Url),
];

/// video:video
pub const VIDEO: &[FieldSpec] = &[
    element("thumbnail_loc", Grammar::Url),
    element("title", Grammar::Text),
    element("description", Grammar::Text),
    element("content_loc", Grammar::HashedUrl),
    element("player_loc", Grammar::HashedUrl),
    attribute("player_loc_allow_embed", "player_loc", "allow_embed", Grammar::Text),
    attribute("player_loc_autoplay", "player_loc", "autoplay", Grammar::Text),
    element("duration", Grammar::Decimal),
    element("expiration_date", Grammar::Date),
    element("rating", Grammar::Decimal),
    element("view_count", Grammar::Decimal),
    element("publication_date", Grammar::Date),
    element("family_friendly", Grammar::Text),
    element("restriction", Grammar::Text),
    attribute("restriction_relationship", "restriction", "relationship", Grammar::Text),
    element("platform", Grammar::Text),
    attribute("platform_relationship", "platform", "relationship", Grammar::Text),
    element("requires_subscription", Grammar::Text),
    element("uploader", Grammar::Text),
    attribute("uploader_info", "uploader", "info", Grammar::HostedUrl),
    element("live", Grammar::Text),
    renamed("tags", "tag", Grammar::List),
    renamed("content_segment_locs", "content_segment_loc", Grammar::List),
    attribute(
        "content_segment_durations",
        "content_segment_loc",
        "duration",
        Grammar::List,
    ),
    element("id", Grammar::Text),
    attribute("id_type", "id", "type", Grammar::Text),
    element("category", Grammar::Text),
    element("gallery_loc", Grammar::Url),
    attribute("gallery_loc_title", "gallery_loc", "title", Grammar::Text),
    renamed("prices", "price", Grammar::List),
    attribute("price_currencies", "price", "currency", Grammar::List),
    attribute("price_types", "price", "type", Grammar::List),
    attribute("price_resolutions", "price", "resolution", Grammar::List),
    renamed("tvshow_show_title", "show_title", Grammar::Text),
    renamed("tvshow_video_type", "video_type", Grammar::Text),
    renamed("tvshow_episode_title", "episode_title", Grammar::Text),
    renamed("tvshow_season_number", "season_number", Grammar::Text),
    renamed("tvshow_episode_number", "episode_number", Grammar::Text),
    renamed("tvshow_premier_date", "premier_date", Grammar::Text),
];

/// news:news
pub const NEWS: &[FieldSpec] = &[
    renamed("publication_name", "name", Grammar::Text),
    renamed("publication_language", "language", Grammar::Text),
    element("publication_date", Grammar::Date),
    element("title", Grammar::Text),
    element("access", Grammar::Text),
    element("genres", Grammar::Text),
    element("keywords", Grammar::Text),
    element("stock_tickers", Grammar::Text),
    element("geo_locations", Grammar::Text),
];
