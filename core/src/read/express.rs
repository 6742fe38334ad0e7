//! The express path: reads entries in the form that nearly every sitemap uses in one pass.
//!
//! The general path (`xml`, `sink`, `sitemap`) parses a document token by token, because anything can be wrong
//! anywhere. Most entries have no problems at all: lowercase tags without attributes, plain values, fields in the order of
//! the schema. Such an entry is recognized here as a whole and becomes a row at once, several times as fast.
//! If a byte is unexpected, nothing has happened yet, and the general path reads the entry instead. The express path
//! therefore never affects the result; a test checks that both paths give exactly the same output.

use std::ops::Range;

use super::columns::EntryRow;
use super::rows::{Extension, Rows};
use super::scan::{Run, continued, plain_quoted, plain_text};
use super::value_columns::Value;
use super::window::{Place, Window};
use crate::value::trim;

/// Returns whether the text after an & may be an XML escape, which means that the value was escaped twice.
fn may_be_escape(rest: &[u8]) -> bool {
    let beginnings: [&[u8]; 6] = [b"#", b"amp;", b"lt;", b"gt;", b"quot;", b"apos;"];
    beginnings.iter().any(|escape| rest.starts_with(escape))
}

/// The start of every entry, without the end of the tag.
const OPENING: &[u8; 4] = b"<url";

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

/// A value as `Express::value` reads it.
struct Read {
    range: Range<usize>,
    is_unescaped: bool,
    /// The offset after it, or after its end tag.
    end: usize,
    /// Number of bytes that continue a character, for which columns are fewer than bytes.
    continued: usize,
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

    /// Returns the cursor after a value.
    #[inline(always)]
    fn after(self, read: &Read) -> Self {
        Self {
            at: read.end,
            line_begin: self.line_begin + read.continued as i64,
            ..self
        }
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
        let Some(mut inside) = after_tag(window.bytes(), begin, OPENING) else {
            return false;
        };
        let first = window.place(begin);
        let (text, base) = (window.as_str(), first.byte_offset - begin as i64);
        let bytes = text.as_bytes();
        let mut cursor = Cursor::of(first, begin);
        let mut last = None;
        loop {
            let place = cursor.place(begin, base);
            cursor.at = inside;
            let Some(end) = self.recognize(text, cursor, scope) else {
                break;
            };
            if window.has_noticed_before(end.at) {
                break;
            }
            self.commit(text, base, rows, place);
            last = Some(end);
            if rows.is_ripe(0) {
                break;
            }
            cursor = skip_space(bytes, end);
            begin = cursor.at;
            match after_tag(bytes, begin, OPENING) {
                Some(next) => inside = next,
                None => break,
            }
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
        let inside = after_tag(window.bytes(), begin, OPENING)?;
        let place = window.place(begin);
        let mut cursor = Cursor::of(place, begin);
        cursor.at = inside;
        let end = self.recognize(window.as_str(), cursor, scope)?;
        (!window.has_noticed_before(end.at)).then_some((place, end))
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
            let at = cursor.at;
            // Comparing with a constant compares whole words, so the second letter decides which comparison to make.
            let field = match *bytes.get(at + 1)? {
                b'l' if next == 0 && begins(bytes, at, b"<loc") => self.field(text, &mut cursor, b"<loc", b"</loc")?,
                b'l' if next <= 1 => {
                    next = 1;
                    self.field(text, &mut cursor, b"<lastmod", b"</lastmod")?
                }
                b'c' if next <= 2 => {
                    next = 2;
                    self.field(text, &mut cursor, b"<changefreq", b"</changefreq")?
                }
                b'p' if next <= 3 => {
                    next = 3;
                    self.field(text, &mut cursor, b"<priority", b"</priority")?
                }
                b'x' if scope.has_xhtml && begins(bytes, at, b"<xhtml:link ") => {
                    next = 4;
                    cursor = self.link(text, cursor)?;
                    continue;
                }
                b'i' if scope.has_image => {
                    next = 4;
                    cursor = self.image(text, cursor)?;
                    continue;
                }
                // Without loc, the general path has an anomaly to report.
                b'/' if self.fields[0].is_some() => {
                    let end = after_tag(bytes, at, b"</url")?;
                    return (at - begin < self.longest).then_some(Cursor { at: end, ..cursor });
                }
                _ => return None,
            };
            self.fields[next] = Some(field);
            next += 1;
        }
    }

    /// Reads a field between its tags, which are given without their ends.
    #[inline(always)]
    fn field<const N: usize, const M: usize>(
        &mut self,
        text: &str,
        cursor: &mut Cursor,
        open: &[u8; N],
        close: &[u8; M],
    ) -> Option<Found> {
        let at = after_tag(text.as_bytes(), cursor.at, open)?;
        let read = self.value(text, at, close)?;
        let found = Found {
            line: cursor.line,
            col: cursor.col(at),
            at,
            is_unescaped: read.is_unescaped,
            range: read.range.clone(),
        };
        *cursor = cursor.after(&read);
        Some(found)
    }

    /// Reads a value up to its end tag, and that tag.
    #[inline(always)]
    fn value<const N: usize>(&mut self, text: &str, at: usize, close: &[u8; N]) -> Option<Read> {
        let bytes = text.as_bytes();
        let run = plain_text(bytes, at);
        let end = run.end;
        if *bytes.get(end)? != b'<' || !run.is_ascii {
            // Returned as it is, it would keep the values of the usual case out of registers.
            let read = self.unusual_value(text, at, run, close)?;
            return Some(Read { ..read });
        }
        // Whitespace around a value and empty values are anomalies.
        if end == at || bytes[at] == b' ' || bytes[end - 1] == b' ' {
            return None;
        }
        Some(Read {
            range: at..end,
            is_unescaped: false,
            end: after_tag(bytes, end, close)?,
            continued: 0,
        })
    }

    /// Reads a value with references or non-ASCII characters, which begins with the run.
    fn unusual_value(&mut self, text: &str, at: usize, run: Run, close: &[u8]) -> Option<Read> {
        let read = self.unusual_run(text, at, run, b'<')?;
        if read.range.is_empty() || self.has_space_around(text, &read) {
            return None;
        }
        Some(Read {
            end: after_tag(text.as_bytes(), read.end, close)?,
            ..read
        })
    }

    /// Reads up to a byte, given the first run of plain text.
    fn unusual_run(&mut self, text: &str, at: usize, run: Run, until: u8) -> Option<Read> {
        let (range, is_unescaped, Run { end, is_ascii }) = if text.as_bytes().get(run.end) == Some(&until) {
            (at..run.end, false, run)
        } else {
            let (range, whole) = self.unescape(text, at, run, until)?;
            (range, true, whole)
        };
        let continued = if is_ascii { 0 } else { continued(&text[at..end])? };
        Some(Read {
            range,
            is_unescaped,
            end,
            continued,
        })
    }

    fn has_space_around(&self, text: &str, read: &Read) -> bool {
        let value = &if read.is_unescaped { &self.unescaped } else { text }[read.range.clone()];
        trim(value).len() != value.len()
    }

    /// Unescapes the five XML entities up to a byte, given the first run of plain text. Returns the range in the unescaped
    /// text, and the run of all.
    fn unescape(&mut self, text: &str, mut at: usize, mut run: Run, until: u8) -> Option<(Range<usize>, Run)> {
        let bytes = text.as_bytes();
        let begin = self.unescaped.len();
        let mut is_ascii = true;
        loop {
            let end = run.end;
            is_ascii &= run.is_ascii;
            self.unescaped.push_str(&text[at..end]);
            match *bytes.get(end)? {
                b'&' => {
                    let rest = &bytes[end..];
                    let (ch, length) = match *rest.get(1)? {
                        b'a' if rest.starts_with(b"&amp;") && !may_be_escape(&rest[5..]) => ('&', 5),
                        b'a' if rest.starts_with(b"&apos;") => ('\'', 6),
                        // `<%` can start a template marker.
                        b'l' if rest.starts_with(b"&lt;") && rest.get(4) != Some(&b'%') => ('<', 4),
                        b'g' if rest.starts_with(b"&gt;") => ('>', 4),
                        b'q' if rest.starts_with(b"&quot;") => ('"', 6),
                        _ => return None,
                    };
                    self.unescaped.push(ch);
                    at = end + length;
                    run = plain(bytes, at, until);
                }
                byte if byte == until => return Some((begin..self.unescaped.len(), Run { end, is_ascii })),
                _ => return None,
            }
        }
    }

    /// Reads `<xhtml:link rel="…" hreflang="…" href="…"/>` with its attributes in any order, each at most once.
    fn link(&mut self, text: &str, mut cursor: Cursor) -> Option<Cursor> {
        let bytes = text.as_bytes();
        let mut record = Record {
            extension: Extension::Alternate,
            line: cursor.line,
            col: cursor.col(cursor.at),
            at: cursor.at,
            values: [None, None, None],
        };
        cursor.at += b"<xhtml:link".len();
        loop {
            let at = cursor.at;
            let rest = bytes.get(at..)?;
            if rest.starts_with(b"/>") || rest.starts_with(b" />") {
                self.records.push(record);
                cursor.at += if rest[0] == b' ' { 3 } else { 2 };
                return Some(cursor);
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
            let read = self.attribute(text, at + name)?;
            cursor = cursor.after(&read);
            record.values[value] = Some((read.range, read.is_unescaped));
        }
    }

    /// Reads the value of an attribute, and the quotation mark after it.
    #[inline(always)]
    fn attribute(&mut self, text: &str, at: usize) -> Option<Read> {
        let bytes = text.as_bytes();
        let run = plain_quoted(bytes, at);
        let end = run.end;
        if *bytes.get(end)? != b'"' || !run.is_ascii {
            let read = self.unusual_attribute(text, at, run)?;
            return Some(Read { ..read });
        }
        // The general path trims attributes without an anomaly; it handles this.
        if bytes[at] == b' ' || bytes[end - 1] == b' ' {
            return None;
        }
        Some(Read {
            range: at..end,
            is_unescaped: false,
            end: end + 1,
            continued: 0,
        })
    }

    /// Reads a value with references or non-ASCII characters, which begins with the run.
    fn unusual_attribute(&mut self, text: &str, at: usize, run: Run) -> Option<Read> {
        let read = self.unusual_run(text, at, run, b'"')?;
        let end = read.end + 1;
        (!self.has_space_around(text, &read)).then_some(Read { end, ..read })
    }

    /// Reads `<image:image><image:loc>…</image:loc></image:image>`.
    fn image(&mut self, text: &str, begin: Cursor) -> Option<Cursor> {
        let bytes = text.as_bytes();
        let mut cursor = begin;
        cursor.at = after_tag(bytes, begin.at, b"<image:image")?;
        cursor = skip_space(bytes, cursor);
        cursor.at = after_tag(bytes, cursor.at, b"<image:loc")?;
        let read = self.value(text, cursor.at, b"</image:loc")?;
        cursor = skip_space(bytes, cursor.after(&read));
        cursor.at = after_tag(bytes, cursor.at, b"</image:image")?;
        self.records.push(Record {
            extension: Extension::Image,
            line: begin.line,
            col: begin.col(begin.at),
            at: begin.at,
            values: [Some((read.range, read.is_unescaped)), None, None],
        });
        Some(cursor)
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

/// Returns the run of plain text up to the end of an element's text (`<`), or of an attribute value in double quotes.
#[inline]
fn plain(bytes: &[u8], at: usize, until: u8) -> Run {
    if until == b'"' {
        plain_quoted(bytes, at)
    } else {
        plain_text(bytes, at)
    }
}

#[inline(always)]
fn begins(bytes: &[u8], at: usize, with: &[u8]) -> bool {
    bytes.get(at..).is_some_and(|rest| rest.starts_with(with))
}

/// Returns the offset after a tag without attributes, given its beginning.
#[inline(always)]
fn after_tag(bytes: &[u8], at: usize, begin: &[u8]) -> Option<usize> {
    let end = at + begin.len();
    if !begins(bytes, at, begin) {
        return None;
    }
    match *bytes.get(end)? {
        b'>' => Some(end + 1),
        b' ' => after_blanks(bytes, end),
        _ => None,
    }
}

#[cold]
fn after_blanks(bytes: &[u8], at: usize) -> Option<usize> {
    let blanks = bytes[at..].iter().take_while(|&&byte| byte == b' ').count();
    (bytes.get(at + blanks) == Some(&b'>')).then_some(at + blanks + 1)
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
