//! What is written: one entry, borrowed from wherever it comes from.

use std::borrow::Cow;

/// One value as it was given.
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
    /// The value as text: numbers without exponent, dates as W3C datetime.
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
            Value::Day(days) => Cow::Owned(super::dates::day(i64::from(*days))),
            Value::Instant(at) => Cow::Owned(super::dates::instant(*at)),
        }
    }
}

/// A field of a record: one value, or all values of a field that may be repeated.
#[derive(Clone, Debug, PartialEq)]
pub enum Item<'a> {
    One(Value<'a>),
    Many(Vec<Option<Value<'a>>>),
}

/// An image, a video or a news record: its fields by the names that the tables have for them.
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
    pub lastmod: Option<Value<'a>>,
    pub changefreq: Option<Value<'a>>,
    pub priority: Option<Value<'a>>,
    /// The language of the page itself, as an hreflang code.
    pub hreflang: Option<Cow<'a, str>>,
    pub alternates: Vec<Link<'a>>,
    pub images: Vec<Record<'a>>,
    pub videos: Vec<Record<'a>>,
    pub news: Vec<Record<'a>>,
    /// Elements of the user's own namespaces: `prefix:name` and the text.
    pub own: Vec<(Cow<'a, str>, Value<'a>)>,
}
