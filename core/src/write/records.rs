//! The records inside an entry: the fields of images, videos and news, and the values that each allows.
//!
//! Names are those of the tables, so that records that were read can be written again. Sources:
//! <https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps>,
//! <https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps>,
//! <https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap>, and the schemas that they link
//! to for fields that are no longer documented.

use crate::limits::{MAX_IMAGES_PER_URL, MAX_NEWS_PER_ENTRY};

/// Fields of images that Google has ignored since 2022.
/// <https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions>
pub const DEPRECATED: [&str; 4] = ["caption", "geo_location", "title", "license"];

/// The values that a field allows.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Url,
    /// Text of at most this many characters.
    Text(usize),
    /// An integer within limits.
    Integer(i64, i64),
    /// A decimal within limits.
    Decimal(f64, f64),
    /// A day, or a time with its zone.
    Date,
    YesNo,
    OneOf(&'static [&'static str]),
    /// ISO 3166-1 country codes, separated by spaces.
    Countries,
    /// One or more of these words, separated by spaces.
    Words(&'static [&'static str]),
    /// One or more of these words, separated by commas.
    List(&'static [&'static str]),
    /// An ISO 639 language, or one of the two Chinese ones that Google News supports.
    Language,
    /// An ISO 4217 currency.
    Currency,
    /// At most five stock symbols with their exchange, separated by commas.
    Tickers,
}

/// An attribute of a field's element.
#[derive(Debug)]
pub struct Attribute {
    pub key: &'static str,
    pub name: &'static str,
    pub kind: Kind,
    pub required: bool,
}

/// One field: its name in the tables, its element, and the values that it allows.
#[derive(Debug)]
pub struct Field {
    pub key: &'static str,
    pub element: &'static str,
    pub kind: Kind,
    pub required: bool,
    /// Maximum number of values.
    pub most: usize,
    /// The element that contains this one and its neighbors with the same value; empty for the record itself.
    pub inside: &'static str,
    pub attributes: &'static [Attribute],
}

/// A kind of record.
#[derive(Debug)]
pub struct Spec {
    /// The key of the entry for such records.
    pub key: &'static str,
    /// The name of one record in messages.
    pub name: &'static str,
    pub element: &'static str,
    pub fields: &'static [Field],
    /// Maximum number per entry.
    pub most: usize,
    /// The field that is set if a record is given as a plain string.
    pub short: Option<&'static str>,
}

const fn field(key: &'static str, element: &'static str, kind: Kind) -> Field {
    Field {
        key,
        element,
        kind,
        required: false,
        most: 1,
        inside: "",
        attributes: &[],
    }
}

const fn attribute(key: &'static str, name: &'static str, kind: Kind, required: bool) -> Attribute {
    Attribute {
        key,
        name,
        kind,
        required,
    }
}

impl Field {
    const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    const fn most(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    const fn inside(mut self, element: &'static str) -> Self {
        self.inside = element;
        self
    }

    const fn with(mut self, attributes: &'static [Attribute]) -> Self {
        self.attributes = attributes;
        self
    }
}

/// The element with the facts about an episode.
pub const TV_SHOW: &str = "video:tvshow";
const ANY: usize = usize::MAX;
const ALLOW_OR_DENY: Kind = Kind::OneOf(&["allow", "deny"]);

pub static IMAGE: Spec = Spec {
    key: "images",
    name: "image",
    element: "image:image",
    most: MAX_IMAGES_PER_URL as usize,
    short: Some("loc"),
    fields: &[
        field("loc", "image:loc", Kind::Url).required(),
        field("caption", "image:caption", Kind::Text(ANY)),
        field("geo_location", "image:geo_location", Kind::Text(ANY)),
        field("title", "image:title", Kind::Text(ANY)),
        field("license", "image:license", Kind::Url),
    ],
};

pub static VIDEO: Spec = Spec {
    key: "videos",
    name: "video",
    element: "video:video",
    most: ANY,
    short: None,
    fields: &[
        field("thumbnail_loc", "video:thumbnail_loc", Kind::Url).required(),
        field("title", "video:title", Kind::Text(ANY)).required(),
        field("description", "video:description", Kind::Text(2048)).required(),
        field("content_loc", "video:content_loc", Kind::Url),
        field("player_loc", "video:player_loc", Kind::Url).with(&[
            attribute("player_loc_allow_embed", "allow_embed", Kind::YesNo, false),
            attribute("player_loc_autoplay", "autoplay", Kind::Text(ANY), false),
        ]),
        field("duration", "video:duration", Kind::Integer(1, 28_800)),
        field("expiration_date", "video:expiration_date", Kind::Date),
        field("rating", "video:rating", Kind::Decimal(0.0, 5.0)),
        field("content_segment_locs", "video:content_segment_loc", Kind::Url)
            .most(ANY)
            .with(&[attribute(
                "content_segment_durations",
                "duration",
                Kind::Integer(0, 28_800),
                false,
            )]),
        field("view_count", "video:view_count", Kind::Integer(0, i64::MAX)),
        field("publication_date", "video:publication_date", Kind::Date),
        field("tags", "video:tag", Kind::Text(ANY)).most(32),
        field("category", "video:category", Kind::Text(256)),
        field("family_friendly", "video:family_friendly", Kind::YesNo),
        field("restriction", "video:restriction", Kind::Countries).with(&[attribute(
            "restriction_relationship",
            "relationship",
            ALLOW_OR_DENY,
            true,
        )]),
        field("gallery_loc", "video:gallery_loc", Kind::Url).with(&[attribute(
            "gallery_loc_title",
            "title",
            Kind::Text(ANY),
            false,
        )]),
        field("prices", "video:price", Kind::Decimal(0.0, f64::MAX))
            .most(ANY)
            .with(&[
                attribute("price_currencies", "currency", Kind::Currency, true),
                attribute(
                    "price_types",
                    "type",
                    Kind::OneOf(&["purchase", "PURCHASE", "rent", "RENT"]),
                    false,
                ),
                attribute(
                    "price_resolutions",
                    "resolution",
                    Kind::OneOf(&["sd", "SD", "hd", "HD"]),
                    false,
                ),
            ]),
        field("requires_subscription", "video:requires_subscription", Kind::YesNo),
        field("uploader", "video:uploader", Kind::Text(255)).with(&[attribute(
            "uploader_info",
            "info",
            Kind::Url,
            false,
        )]),
        field("tvshow_show_title", "video:show_title", Kind::Text(ANY)).inside(TV_SHOW),
        field(
            "tvshow_video_type",
            "video:video_type",
            Kind::OneOf(&["full", "preview", "clip", "interview", "news", "other"]),
        )
        .inside(TV_SHOW),
        field("tvshow_episode_title", "video:episode_title", Kind::Text(ANY)).inside(TV_SHOW),
        field(
            "tvshow_season_number",
            "video:season_number",
            Kind::Integer(1, i64::MAX),
        )
        .inside(TV_SHOW),
        field(
            "tvshow_episode_number",
            "video:episode_number",
            Kind::Integer(1, i64::MAX),
        )
        .inside(TV_SHOW),
        field("tvshow_premier_date", "video:premier_date", Kind::Date).inside(TV_SHOW),
        field(
            "platform",
            "video:platform",
            Kind::Words(&["web", "mobile", "tv", "WEB", "MOBILE", "TV"]),
        )
        .with(&[attribute("platform_relationship", "relationship", ALLOW_OR_DENY, true)]),
        field("live", "video:live", Kind::YesNo),
        field("id", "video:id", Kind::Text(ANY)).with(&[attribute(
            "id_type",
            "type",
            Kind::OneOf(&[
                "tms:series",
                "tms:program",
                "rovi:series",
                "rovi:program",
                "freebase",
                "url",
            ]),
            true,
        )]),
    ],
};

pub static NEWS: Spec = Spec {
    key: "news",
    name: "news",
    element: "news:news",
    most: MAX_NEWS_PER_ENTRY as usize,
    short: None,
    fields: &[
        field("publication_name", "news:name", Kind::Text(ANY))
            .required()
            .inside("news:publication"),
        field("publication_language", "news:language", Kind::Language)
            .required()
            .inside("news:publication"),
        field("access", "news:access", Kind::OneOf(&["Subscription", "Registration"])),
        field(
            "genres",
            "news:genres",
            Kind::List(&["PressRelease", "Satire", "Blog", "OpEd", "Opinion", "UserGenerated"]),
        ),
        field("publication_date", "news:publication_date", Kind::Date).required(),
        field("title", "news:title", Kind::Text(ANY)).required(),
        field("geo_locations", "news:geo_locations", Kind::Text(ANY)),
        field("keywords", "news:keywords", Kind::Text(ANY)),
        field("stock_tickers", "news:stock_tickers", Kind::Tickers),
    ],
};

impl Spec {
    /// Returns whether a record can have a field of this name: a field, an attribute, or a column of the reader's
    /// tables.
    pub fn knows(&self, key: &str) -> bool {
        self.fields
            .iter()
            .any(|field| field.key == key || field.attributes.iter().any(|attribute| attribute.key == key))
    }
}
