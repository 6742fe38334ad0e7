//! The writer's input: one entry, borrowed from wherever it comes from.

use std::borrow::Cow;

use super::days;

/// One value as given.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    Text(Cow<'a, str>),
    Integer(i64),
    Float(f64),
    Bool(bool),
    /// Days since 1970-01-01.
    Day(i32),
    /// Microseconds since 1970-01-01T00:00:00 UTC.
    Instant(i64),
}

impl Value<'_> {
    /// Returns the value as text: numbers without exponent, dates as W3C datetime.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Value::Text(text) => Cow::Borrowed(text),
            Value::Integer(number) => Cow::Owned(number.to_string()),
            Value::Float(number) => {
                let text = number.to_string();
                Cow::Owned(if number.is_finite() && !text.contains('.') {
                    text + ".0"
                } else {
                    text
                })
            }
            Value::Bool(answer) => Cow::Borrowed(if *answer { "yes" } else { "no" }),
            Value::Day(days) => Cow::Owned(days::day(i64::from(*days))),
            Value::Instant(at) => Cow::Owned(days::instant(*at)),
        }
    }
}

impl Value<'_> {
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Value::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
            Value::Integer(number) => Value::Integer(number),
            Value::Float(number) => Value::Float(number),
            Value::Bool(answer) => Value::Bool(answer),
            Value::Day(days) => Value::Day(days),
            Value::Instant(at) => Value::Instant(at),
        }
    }

    /// Approximate size in bytes.
    fn weight(&self) -> usize {
        match self {
            Value::Text(text) => text.len() + 32,
            _ => 32,
        }
    }
}

/// A field of a record: one value, or all values of a repeatable field.
#[derive(Clone, Debug, PartialEq)]
pub enum Item<'a> {
    One(Value<'a>),
    Many(Vec<Option<Value<'a>>>),
}

/// An image, a video or a news record: its fields by their names in the tables.
pub type Record<'a> = Vec<(Cow<'a, str>, Item<'a>)>;

/// One hreflang link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Link<'a> {
    pub hreflang: Cow<'a, str>,
    pub href: Cow<'a, str>,
}

/// One entry of a urlset.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry<'a> {
    pub loc: Option<Cow<'a, str>>,
    /// Whether the URL is that of a file that exists, so that a word such as null in its path is a name.
    pub is_file: bool,
    pub lastmod: Option<Value<'a>>,
    pub changefreq: Option<Value<'a>>,
    pub priority: Option<Value<'a>>,
    /// The language of the page itself, as an hreflang code.
    pub hreflang: Option<Cow<'a, str>>,
    pub alternates: Vec<Link<'a>>,
    pub images: Vec<Record<'a>>,
    pub videos: Vec<Record<'a>>,
    pub news: Vec<Record<'a>>,
    /// Elements in custom namespaces: `prefix:name` and the text.
    pub own: Vec<(Cow<'a, str>, Value<'a>)>,
}

impl Entry<'_> {
    /// Whether it has more than the protocol's four fields.
    #[inline]
    pub fn is_extended(&self) -> bool {
        !(self.alternates.is_empty()
            && self.images.is_empty()
            && self.videos.is_empty()
            && self.news.is_empty()
            && self.own.is_empty())
    }

    /// Returns the same entry without borrowed data.
    pub fn into_owned(self) -> Entry<'static> {
        let text = |text: Option<Cow<str>>| text.map(|text| Cow::Owned(text.into_owned()));
        let records = |records: Vec<Record>| records.into_iter().map(owned_record).collect();
        Entry {
            loc: text(self.loc),
            is_file: self.is_file,
            lastmod: self.lastmod.map(Value::into_owned),
            changefreq: self.changefreq.map(Value::into_owned),
            priority: self.priority.map(Value::into_owned),
            hreflang: text(self.hreflang),
            alternates: self.alternates.into_iter().map(Link::into_owned).collect(),
            images: records(self.images),
            videos: records(self.videos),
            news: records(self.news),
            own: self
                .own
                .into_iter()
                .map(|(name, value)| (Cow::Owned(name.into_owned()), value.into_owned()))
                .collect(),
        }
    }

    /// Approximate size in bytes, which limits how many entries are queued.
    pub fn weight(&self) -> usize {
        let links = self.alternates.iter().map(|link| link.href.len() + 64);
        let own = self.own.iter().map(|(name, value)| name.len() + value.weight());
        let records = [&self.images, &self.videos, &self.news].into_iter().flatten().flatten();
        let fields = records.map(|(name, item)| name.len() + item.weight());
        let loc = self.loc.as_ref().map_or(0, |loc| loc.len());
        size_of::<Self>() + loc + links.chain(own).chain(fields).sum::<usize>()
    }
}

impl Link<'_> {
    pub fn into_owned(self) -> Link<'static> {
        Link {
            hreflang: Cow::Owned(self.hreflang.into_owned()),
            href: Cow::Owned(self.href.into_owned()),
        }
    }
}

impl Item<'_> {
    fn into_owned(self) -> Item<'static> {
        match self {
            Item::One(value) => Item::One(value.into_owned()),
            Item::Many(values) => Item::Many(values.into_iter().map(|value| value.map(Value::into_owned)).collect()),
        }
    }

    fn weight(&self) -> usize {
        match self {
            Item::One(value) => value.weight(),
            Item::Many(values) => values.iter().flatten().map(Value::weight).sum(),
        }
    }
}

fn owned_record(record: Record) -> Record<'static> {
    record
        .into_iter()
        .map(|(name, item)| (Cow::Owned(name.into_owned()), item.into_owned()))
        .collect()
}
