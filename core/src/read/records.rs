//! The tables of extension records (images, videos, news, hreflang links), built from lists of fields as data.
//!
//! Each field says which element, or which attribute of it, it is read from. Sources of the lists:
//! <https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps>, `…/video-sitemaps`,
//! `…/news-sitemap`, <https://developers.google.com/search/docs/specialty/international/localized-versions>, and the
//! schemas sitemap-image.xsd, sitemap-video.xsd and sitemap-news.xsd for the fields that Google no longer documents.

use arrow_array::RecordBatch;
use arrow_array::builder::{Float64Builder, Int32Builder, ListBuilder, StringBuilder};
use arrow_schema::ArrowError;

use super::columns::{Columns, DateColumns, NO_DATE, append_list, finish};
use super::window::Place;
use crate::value::{datetime, decimal, hreflang, url};

/// Which grammar a field has, and so which columns stand beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    Text,
    Url,
    Date,
    Decimal,
    Hreflang,
    /// Text that may be given many times.
    List,
}

/// One field of a record.
#[derive(Debug)]
pub struct FieldSpec {
    pub column: &'static str,
    pub element: &'static str,
    pub attribute: Option<&'static str>,
    pub grammar: Grammar,
}

const fn element(column: &'static str, grammar: Grammar) -> FieldSpec {
    FieldSpec { column, element: column, attribute: None, grammar }
}

const fn renamed(column: &'static str, element: &'static str, grammar: Grammar) -> FieldSpec {
    FieldSpec { column, element, attribute: None, grammar }
}

const fn attribute(
    column: &'static str,
    element: &'static str,
    attribute: &'static str,
    grammar: Grammar,
) -> FieldSpec {
    FieldSpec { column, element, attribute: Some(attribute), grammar }
}

/// xhtml:link
pub static ALTERNATE: &[FieldSpec] = &[
    attribute("rel", "link", "rel", Grammar::Text),
    attribute("hreflang", "link", "hreflang", Grammar::Hreflang),
    attribute("href", "link", "href", Grammar::Url),
];

/// image:image
pub static IMAGE: &[FieldSpec] = &[
    element("loc", Grammar::Url),
    element("caption", Grammar::Text),
    element("geo_location", Grammar::Text),
    element("title", Grammar::Text),
    element("license", Grammar::Url),
];

/// video:video
pub static VIDEO: &[FieldSpec] = &[
    element("thumbnail_loc", Grammar::Url),
    element("title", Grammar::Text),
    element("description", Grammar::Text),
    element("content_loc", Grammar::Url),
    element("player_loc", Grammar::Url),
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
    attribute("uploader_info", "uploader", "info", Grammar::Url),
    element("live", Grammar::Text),
    renamed("tags", "tag", Grammar::List),
    renamed("content_segment_locs", "content_segment_loc", Grammar::List),
    attribute("content_segment_durations", "content_segment_loc", "duration", Grammar::List),
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
pub static NEWS: &[FieldSpec] = &[
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

/// A value under construction: one text, or several.
#[derive(Default)]
struct Cell {
    is_present: bool,
    text: String,
    list: Vec<Option<String>>,
}

/// One record, read; reused from record to record.
pub struct Record {
    pub place: Option<Place>,
    cells: Vec<Cell>,
    touched: Vec<usize>,
    repeats: Vec<String>,
}

impl Record {
    fn new(specs: &[FieldSpec]) -> Self {
        let cells = specs.iter().map(|_| Cell::default()).collect();
        Self { place: None, cells, touched: Vec::new(), repeats: Vec::new() }
    }

    fn clear(&mut self) {
        for field in self.touched.drain(..) {
            let cell = &mut self.cells[field];
            cell.is_present = false;
            cell.text.clear();
            cell.list.clear();
        }
        self.repeats.clear();
        self.place = None;
    }

    pub fn has(&self, field: usize) -> bool {
        self.cells[field].is_present
    }
}

/// One table of records.
pub struct Records {
    specs: &'static [FieldSpec],
    document_id: Int32Builder,
    ordinal: Int32Builder,
    position: Int32Builder,
    line: Int32Builder,
    col: Int32Builder,
    fields: Vec<FieldColumns>,
    /// None where the table has no such column: attributes cannot repeat.
    repeats: Option<ListBuilder<StringBuilder>>,
    pub record: Record,
    rows: usize,
}

enum FieldColumns {
    Text(StringBuilder),
    Checked(StringBuilder, StringBuilder),
    Number(StringBuilder, Float64Builder),
    Date(DateColumns),
    List(ListBuilder<StringBuilder>),
}

impl Records {
    pub fn new(specs: &'static [FieldSpec]) -> Self {
        let only_attributes = specs.iter().all(|spec| spec.attribute.is_some());
        Self {
            specs,
            document_id: Int32Builder::new(),
            ordinal: Int32Builder::new(),
            position: Int32Builder::new(),
            line: Int32Builder::new(),
            col: Int32Builder::new(),
            fields: specs.iter().map(FieldColumns::new).collect(),
            repeats: (!only_attributes).then(|| ListBuilder::new(StringBuilder::new())),
            record: Record::new(specs),
            rows: 0,
        }
    }

    /// The field that an element of this name is read into.
    pub fn field_of(&self, element: &str) -> Option<usize> {
        self.specs.iter().position(|spec| spec.element == element && spec.attribute.is_none())
    }

    pub fn spec(&self, field: usize) -> &'static FieldSpec {
        &self.specs[field]
    }

    pub fn begin(&mut self, place: Place) {
        self.record.clear();
        self.record.place = Some(place);
    }

    /// Takes the attributes of an element that are fields of their own.
    pub fn set_attributes<'a>(&mut self, element: &str, get: impl Fn(&str) -> Option<&'a str>) {
        for (field, spec) in self.specs.iter().enumerate() {
            let Some(name) = spec.attribute.filter(|_| spec.element == element) else { continue };
            if spec.grammar == Grammar::List {
                self.record.touched.push(field);
                self.record.cells[field].list.push(get(name).map(str::to_owned));
            } else if let Some(value) = get(name)
                && !self.record.cells[field].is_present
            {
                self.set(field, value.trim());
            }
        }
    }

    /// Sets a field. False if it had a value already, which stays; the new one is kept among the repeats.
    pub fn set(&mut self, field: usize, value: &str) -> bool {
        let cell = &mut self.record.cells[field];
        self.record.touched.push(field);
        if self.specs[field].grammar == Grammar::List {
            cell.list.push(Some(value.to_owned()));
            cell.is_present = true;
            return true;
        }
        if cell.is_present {
            self.record.repeats.push(format!("{}={value}", self.specs[field].element));
            return false;
        }
        cell.is_present = true;
        cell.text.push_str(value);
        true
    }

    /// Appends the record as a row.
    pub fn push(&mut self, document_id: i32, ordinal: i32, position: i32) {
        self.document_id.append_value(document_id);
        self.ordinal.append_value(ordinal);
        self.position.append_value(position);
        self.line.append_option(self.record.place.map(|place| place.line));
        self.col.append_option(self.record.place.map(|place| place.col));
        for ((columns, cell), spec) in self.fields.iter_mut().zip(&self.record.cells).zip(self.specs) {
            columns.push(cell, spec.grammar);
        }
        if let Some(repeats) = &mut self.repeats {
            append_list(repeats, &self.record.repeats);
        }
        self.rows += 1;
    }

    pub fn len(&self) -> usize {
        self.rows
    }

    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let mut columns = Columns::default();
        columns.push("document_id", finish(&mut self.document_id));
        columns.push("ordinal", finish(&mut self.ordinal));
        columns.push("position", finish(&mut self.position));
        columns.push("line", finish(&mut self.line));
        columns.push("col", finish(&mut self.col));
        for (field, spec) in self.fields.iter_mut().zip(self.specs) {
            field.finish(spec, &mut columns);
        }
        if let Some(repeats) = &mut self.repeats {
            columns.push("repeats", finish(repeats));
        }
        self.rows = 0;
        columns.finish()
    }
}

impl FieldColumns {
    fn new(spec: &FieldSpec) -> Self {
        match spec.grammar {
            Grammar::Text => Self::Text(StringBuilder::new()),
            Grammar::Url | Grammar::Hreflang => Self::Checked(StringBuilder::new(), StringBuilder::new()),
            Grammar::Decimal => Self::Number(StringBuilder::new(), Float64Builder::new()),
            Grammar::Date => Self::Date(DateColumns::new(spec.column)),
            Grammar::List => Self::List(ListBuilder::new(StringBuilder::new())),
        }
    }

    fn push(&mut self, cell: &Cell, grammar: Grammar) {
        let text = cell.is_present.then_some(cell.text.as_str());
        match self {
            Self::Text(raw) => raw.append_option(text),
            Self::Checked(raw, problem) => {
                raw.append_option(text);
                problem.append_option(text.and_then(|text| match grammar {
                    Grammar::Hreflang => hreflang::parse(text).map(|problem| problem.name()),
                    _ => url::parse(text).problem.map(|problem| problem.name()),
                }));
            }
            Self::Number(raw, value) => {
                raw.append_option(text);
                value.append_option(text.and_then(decimal::parse));
            }
            Self::Date(date) => date.push(text, text.map_or(NO_DATE, datetime::parse_w3c)),
            Self::List(list) => {
                for item in &cell.list {
                    list.values().append_option(item.as_deref());
                }
                list.append(!cell.list.is_empty());
            }
        }
    }

    fn finish(&mut self, spec: &FieldSpec, columns: &mut Columns) {
        match self {
            Self::Text(raw) => columns.push(spec.column, finish(raw)),
            Self::Checked(raw, problem) => {
                columns.push(spec.column, finish(raw));
                columns.push(format!("{}_problem", spec.column), finish(problem));
            }
            Self::Number(raw, value) => {
                columns.push(spec.column, finish(raw));
                columns.push(format!("{}_value", spec.column), finish(value));
            }
            Self::Date(date) => date.finish(columns),
            Self::List(list) => columns.push(spec.column, finish(list)),
        }
    }
}
