//! The express path: reads entries in the form that nearly every sitemap uses in one pass.
//!
//! The general path (`xml`, `sink`, `sitemap`) parses a document token by token, because anything can be wrong
//! anywhere. Most entries have no problems at all: lowercase tags without attributes, plain ASCII values, fields in the
//! order of the schema. Such an entry is recognized here as a whole and becomes a row at once, several times as fast.
//! If a byte is unexpected, nothing has happened yet, and the general path reads the entry instead. The express path
//! therefore never affects the result; a test checks that both paths give exactly the same output.

use std::ops::Range;

use super::columns::EntryRow;
use super::rows::{Extension, Rows};
use super::scan::{plain_quoted_end, plain_text_end};
use super::value_columns::Value;
use super::window::{Place, Window};

/// Returns whether the text after an & may be an XML escape, which means that the value was escaped twice.
fn may_be_escape(rest: &[u8]) -> bool {
    let beginnings: [&[u8]; 6] = [b"#", b"amp;", b"lt;", b"gt;", b"quot;", b"apos;"];
    beginnings.iter().any(|escape| rest.starts_with(escape))
}

/// The start of every entry.
const OPENING: &[u8] = b"<url>";

/// Which prefixes have the meaning that the express path assumes, in the scope of the root element.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scope {
    /// Names without a prefix are in the sitemap namespace.
    pub is_sitemap: bool,
    /// `image:` and `xhtml:` belong to the extensions.
    pub has_image: bool,
    pub has_xhtml: bool,
}

/// A value in the window, or unescaped in the scratch buffer.
#[derive(Clone, Debug)]
struct Found {
    range: Range<usize>,
    is_unescaped: bool,
    line: i32,
    col: i32,
    at: usize,
}

/// A link or an image of the entry.
#[derive(Clone, Debug)]
struct Record {
    extension: Extension,
    line: i32,
    col: i32,
    at: usize,
    /// rel, hreflang and href of a link; loc of an image.
    values: [Option<(Range<usize>, bool)>; 3],
}

/// Reads entries; its buffers are reused from entry to entry.
pub struct Express {
    /// Longest entry that is read in one pass, in bytes: no longer than the longest token, so that no token in it is
    /// cut.
    longest: usize,
    /// loc, lastmod, changefreq, priority.
    fields: [Option<Found>; 4],
    records: Vec<Record>,
    unescaped: String,
}

/// The current position within an entry: an offset, and the line that contains it.
#[derive(Clone, Copy)]
struct Cursor {
    at: usize,
    line: i32,
    /// Subtract this from an offset to get its column.
    line_begin: i64,
}

impl Cursor {
    /// Creates the cursor at an offset whose line and column are known.
    #[inline]
    fn of(place: Place, at: usize) -> Self {
        Self {
            at,
            line: place.line,
            line_begin: at as i64 - i64::from(place.col),
        }
    }

    /// Returns line and column of an offset in the cursor's line; the window starts at `base` in the document.
    #[inline]
    fn place(self, at: usize, base: i64) -> Place {
        Place {
            line: self.line,
            col: self.col(at),
            byte_offset: base + at as i64,
        }
    }

    #[inline]
    fn col(self, at: usize) -> i32 {
        (at as i64 - self.line_begin).min(i64::from(i32::MAX)) as i32
    }
}

/// The content of a usual entry.
pub struct Usual<'a> {
    express: &'a Express,
    text: &'a str,
    pub place: Place,
}

impl<'a> Usual<'a> {
    fn text(&self, range: &Range<usize>, is_unescaped: bool) -> &'a str {
        if is_unescaped {
            &self.express.unescaped[range.clone()]
        } else {
            &self.text[range.clone()]
        }
    }

    /// Returns a field by its index in the schema's sequence: loc, lastmod, changefreq, priority.
    #[inline]
    pub fn field(&self, field: usize) -> Option<&'a str> {
        let found = self.express.fields[field].as_ref()?;
        Some(self.text(&found.range, found.is_unescaped))
    }

    /// Returns links and images: rel, hreflang and href, or loc.
    pub fn records(&self) -> impl Iterator<Item = (Extension, [Option<&'a str>; 3])> {
        self.express.records.iter().map(|record| {
            let value = |value: &Option<(Range<usize>, bool)>| value.as_ref().map(|(range, is)| self.text(range, *is));
            (record.extension, record.values.each_ref().map(value))
        })
    }
}

fn pass(window: &mut Window, end: Cursor) {
    window.consume(end.at);
    window.set_place(end.at, end.line, end.col(end.at));
}

impl Express {
    pub fn new(longest: usize) -> Self {
        Self {
            longest,
            fields: [None, None, None, None],
            records: Vec::new(),
            unescaped: String::new(),
        }
    }

    /// Reads the entries at the window's position, up to a batch, and makes rows of them. Returns false if the first
    /// one is not usual; nothing was read then.
    pub fn entries(&mut self, window: &mut Window, rows: &mut Rows, scope: Scope) -> bool {
        let mut begin = window.pos();
        if !window.bytes()[begin..].starts_with(OPENING) {
            return false;
        }
        let first = window.place(begin);
        let (text, base) = (window.as_str(), first.byte_offset - begin as i64);
        let bytes = text.as_bytes();
        let mut cursor = Cursor::of(first, begin);
        let mut last = None;
        while bytes[begin..].starts_with(OPENING) {
            let place = cursor.place(begin, base);
            cursor.at = begin + OPENING.len();
            let Some(end) = self.recognize(text, cursor, scope) else {
                break;
            };
            self.commit(text, base, rows, place);
            last = Some(end);
            if rows.is_ripe(0) {
                break;
            }
            cursor = skip_space(bytes, end);
            begin = cursor.at;
        }
        let Some(end) = last else { return false };
        pass(window, end);
        true
    }

    /// Parses the entry at the window's position, and moves after it if `is_right` accepts its content: its fields,
    /// links and images.
    #[inline]
    pub fn check(&mut self, window: &mut Window, scope: Scope, is_right: impl FnOnce(&Usual) -> bool) -> bool {
        let Some((place, end)) = self.recognize_next(window, scope) else {
            return false;
        };
        let usual = Usual {
            express: self,
            text: window.as_str(),
            place,
        };
        if !is_right(&usual) {
            return false;
        }
        pass(window, end);
        true
    }

    #[inline]
    fn recognize_next(&mut self, window: &Window, scope: Scope) -> Option<(Place, Cursor)> {
        let begin = window.pos();
        if !window.bytes()[begin..].starts_with(OPENING) {
            return None;
        }
        let place = window.place(begin);
        let mut cursor = Cursor::of(place, begin);
        cursor.at += OPENING.len();
        self.recognize(window.as_str(), cursor, scope).map(|end| (place, end))
    }

    /// Parses the entry without side effects. Returns the position after it, or `None` if anything is unusual.
    #[inline]
    fn recognize(&mut self, text: &str, mut cursor: Cursor, scope: Scope) -> Option<Cursor> {
        let bytes = text.as_bytes();
        let begin = cursor.at;
        self.fields = [None, None, None, None];
        self.records.clear();
        self.unescaped.clear();
        // The next field that the schema's sequence allows.
        let mut next = 0;
        loop {
            cursor = skip_space(bytes, cursor);
            let rest = bytes.get(cursor.at..)?;
            // Comparing with a constant compares whole words, so the second letter decides which comparison to make.
            let field = match *rest.get(1)? {
                b'l' if next == 0 && rest.starts_with(b"<loc>") => self.field(text, &mut cursor, 5, b"</loc>")?,
                b'l' if next <= 1 && rest.starts_with(b"<lastmod>") => {
                    next = 1;
                    self.field(text, &mut cursor, 9, b"</lastmod>")?
                }
                b'c' if next <= 2 && rest.starts_with(b"<changefreq>") => {
                    next = 2;
                    self.field(text, &mut cursor, 12, b"</changefreq>")?
                }
                b'p' if next <= 3 && rest.starts_with(b"<priority>") => {
                    next = 3;
                    self.field(text, &mut cursor, 10, b"</priority>")?
                }
                b'x' if scope.has_xhtml && rest.starts_with(b"<xhtml:link ") => {
                    next = 4;
                    cursor = self.link(text, cursor)?;
                    continue;
                }
                b'i' if scope.has_image && rest.starts_with(b"<image:image>") => {
                    next = 4;
                    cursor = self.image(text, cursor)?;
                    continue;
                }
                // Without loc, the general path has an anomaly to report.
                b'/' if self.fields[0].is_some() && rest.starts_with(b"</url>") => {
                    return (cursor.at - begin < self.longest).then_some(Cursor {
                        at: cursor.at + 6,
                        ..cursor
                    });
                }
                _ => return None,
            };
            self.fields[next] = Some(field);
            next += 1;
        }
    }

    /// Reads a field whose start tag is `open` bytes long.
    #[inline(always)]
    fn field<const N: usize>(
        &mut self,
        text: &str,
        cursor: &mut Cursor,
        open: usize,
        close: &[u8; N],
    ) -> Option<Found> {
        let at = cursor.at + open;
        let (range, is_unescaped, end) = self.value(text, at, close)?;
        cursor.at = end;
        Some(Found {
            range,
            is_unescaped,
            line: cursor.line,
            col: cursor.col(at),
            at,
        })
    }

    /// Reads a value up to its end tag. Returns its range, whether the range is in the unescaped text, and the offset
    /// after the end tag.
    #[inline(always)]
    fn value<const N: usize>(&mut self, text: &str, at: usize, close: &[u8; N]) -> Option<(Range<usize>, bool, usize)> {
        let bytes = text.as_bytes();
        let end = plain_text_end(bytes, at);
        if *bytes.get(end)? == b'<' {
            // Whitespace around a value and empty values are anomalies.
            let is_usual = end > at && bytes[at] != b' ' && bytes[end - 1] != b' ' && bytes[end..].starts_with(close);
            return is_usual.then(|| (at..end, false, end + close.len()));
        }
        self.escaped_value(text, at, close)
    }

    fn escaped_value(&mut self, text: &str, at: usize, close: &[u8]) -> Option<(Range<usize>, bool, usize)> {
        let (range, end) = self.unescape(text, at, b'<')?;
        let value = self.unescaped.as_bytes();
        let is_usual = !range.is_empty()
            && value[range.start] != b' '
            && value[range.end - 1] != b' '
            && text.as_bytes()[end..].starts_with(close);
        is_usual.then(|| (range, true, end + close.len()))
    }

    /// Unescapes the five XML entities up to a byte. Returns the range in the unescaped text, and the offset of that
    /// byte.
    fn unescape(&mut self, text: &str, mut at: usize, until: u8) -> Option<(Range<usize>, usize)> {
        let bytes = text.as_bytes();
        let begin = self.unescaped.len();
        loop {
            let end = if until == b'"' {
                plain_quoted_end(bytes, at)
            } else {
                plain_text_end(bytes, at)
            };
            self.unescaped.push_str(&text[at..end]);
            match *bytes.get(end)? {
                b'&' => {
                    let rest = &bytes[end..];
                    let (ch, length) = match *rest.get(1)? {
                        b'a' if rest.starts_with(b"&amp;") && !may_be_escape(&rest[5..]) => ('&', 5),
                        b'a' if rest.starts_with(b"&apos;") => ('\'', 6),
                        b'l' if rest.starts_with(b"&lt;") => ('<', 4),
                        b'g' if rest.starts_with(b"&gt;") => ('>', 4),
                        b'q' if rest.starts_with(b"&quot;") => ('"', 6),
                        _ => return None,
                    };
                    self.unescaped.push(ch);
                    at = end + length;
                }
                byte if byte == until => return Some((begin..self.unescaped.len(), end)),
                _ => return None,
            }
        }
    }

    /// Reads `<xhtml:link rel="…" hreflang="…" href="…"/>` with its attributes in any order, each at most once.
    fn link(&mut self, text: &str, cursor: Cursor) -> Option<Cursor> {
        let bytes = text.as_bytes();
        let mut record = Record {
            extension: Extension::Alternate,
            line: cursor.line,
            col: cursor.col(cursor.at),
            at: cursor.at,
            values: [None, None, None],
        };
        let mut at = cursor.at + b"<xhtml:link".len();
        loop {
            let rest = bytes.get(at..)?;
            if rest.starts_with(b"/>") || rest.starts_with(b" />") {
                self.records.push(record);
                return Some(Cursor {
                    at: at + if rest[0] == b' ' { 3 } else { 2 },
                    ..cursor
                });
            }
            let (value, name) = match *rest.get(5)? {
                b'"' if rest.starts_with(b" rel=\"") => (0, 6),
                b'=' if rest.starts_with(b" href=\"") => (2, 7),
                b'l' if rest.starts_with(b" hreflang=\"") => (1, 11),
                _ => return None,
            };
            if record.values[value].is_some() {
                return None;
            }
            let begin = at + name;
            let end = plain_quoted_end(bytes, begin);
            let (range, is_unescaped, end) = match *bytes.get(end)? {
                b'"' => (begin..end, false, end),
                _ => {
                    let (range, end) = self.unescape(text, begin, b'"')?;
                    (range, true, end)
                }
            };
            let value_of = if is_unescaped { self.unescaped.as_bytes() } else { bytes };
            let written = &value_of[range.clone()];
            // The general path trims attributes without an anomaly; it handles this.
            if written.first() == Some(&b' ') || written.last() == Some(&b' ') {
                return None;
            }
            record.values[value] = Some((range, is_unescaped));
            at = end + 1;
        }
    }

    /// Reads `<image:image><image:loc>…</image:loc></image:image>`.
    fn image(&mut self, text: &str, begin: Cursor) -> Option<Cursor> {
        let bytes = text.as_bytes();
        let cursor = skip_space(
            bytes,
            Cursor {
                at: begin.at + b"<image:image>".len(),
                ..begin
            },
        );
        if !bytes.get(cursor.at..)?.starts_with(b"<image:loc>") {
            return None;
        }
        let (range, is_unescaped, end) = self.value(text, cursor.at + b"<image:loc>".len(), b"</image:loc>")?;
        let cursor = skip_space(bytes, Cursor { at: end, ..cursor });
        if !bytes.get(cursor.at..)?.starts_with(b"</image:image>") {
            return None;
        }
        self.records.push(Record {
            extension: Extension::Image,
            line: begin.line,
            col: begin.col(begin.at),
            at: begin.at,
            values: [Some((range, is_unescaped)), None, None],
        });
        Some(Cursor {
            at: cursor.at + b"</image:image>".len(),
            ..cursor
        })
    }

    /// Makes rows of the recognized entry.
    #[inline]
    fn commit(&self, document: &str, base: i64, rows: &mut Rows, place: Place) {
        let text = |range: &Range<usize>, is_unescaped: bool| {
            let text = if is_unescaped { &self.unescaped } else { document };
            &text[range.clone()]
        };
        let value = |field: usize| {
            self.fields[field].as_ref().map(|found| Value {
                text: text(&found.range, found.is_unescaped),
                place: Some(Place {
                    line: found.line,
                    col: found.col,
                    byte_offset: base + found.at as i64,
                }),
            })
        };
        for record in &self.records {
            let place = Place {
                line: record.line,
                col: record.col,
                byte_offset: base + record.at as i64,
            };
            let values = record
                .values
                .each_ref()
                .map(|value| value.as_ref().map(|(range, is)| text(range, *is)));
            rows.push_record(record.extension, place, &values);
        }
        rows.push_url(&EntryRow {
            place: Some(place),
            loc: value(0),
            lastmod: value(1),
            lastmod_from: None,
            changefreq: value(2),
            priority: value(3),
            repeats: &[],
        });
    }
}

/// Skips whitespace between elements and returns the position after it.
#[inline]
fn skip_space(bytes: &[u8], mut cursor: Cursor) -> Cursor {
    while let Some(&byte) = bytes.get(cursor.at) {
        match byte {
            b' ' | b'\t' | b'\r' => {}
            b'\n' => {
                cursor.line = cursor.line.saturating_add(1);
                cursor.line_begin = cursor.at as i64;
            }
            _ => break,
        }
        cursor.at += 1;
    }
    cursor
}

#[cfg(test)]
pub mod tests;
