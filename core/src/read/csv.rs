//! Lists of URLs as CSV: rows of text, and the columns of entries for `build`.
//!
//! The crate `csv` parses the fields. What it accepts in silence is an error here: a quote that is never closed, and a
//! row without end, which would fill the memory.

use std::io::{self, Read};
use std::sync::Arc;

use arrow_array::builder::StringViewBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use csv::{ByteRecord, ErrorKind, Reader, ReaderBuilder, Terminator};

/// Maximum bytes of a row, more or less: what DuckDB allows. If a quote is not closed, the rest of the file is one row.
const LONGEST_ROW: usize = 2 << 20;
/// Bytes to read at a time.
const BLOCK: usize = 1 << 17;
/// Bytes of text after which a batch is complete.
const BATCH: usize = 1 << 20;
/// Follows a file. Only a quote that is never closed makes it part of another row.
const LAST_LINE: &[u8] = b"\n.\n";

/// Reads the rows of a file, except for blank lines.
pub struct Rows<R> {
    reader: Reader<Lines<R>>,
    record: ByteRecord,
}

impl<R: Read> Rows<R> {
    pub fn new(from: R, separator: u8) -> Self {
        let lines = Lines {
            from,
            follows_return: false,
            is_over: false,
            bytes: 0,
            allowed: 0,
        };
        let mut builder = ReaderBuilder::new();
        builder.has_headers(false).flexible(true).delimiter(separator);
        builder.terminator(Terminator::Any(b'\n')).buffer_capacity(BLOCK);
        Self {
            reader: builder.from_reader(lines),
            record: ByteRecord::new(),
        }
    }

    /// Returns the next row; `None` at the end of the file.
    pub fn next_row(&mut self) -> io::Result<Option<&ByteRecord>> {
        loop {
            self.reader.get_mut().allowed = LONGEST_ROW;
            match self
                .reader
                .read_byte_record(&mut self.record)
                .map_err(csv::Error::into_kind)
            {
                Ok(true) => {}
                // The last line was read before.
                Ok(false) => return Ok(None),
                Err(ErrorKind::Io(error)) => return Err(error),
                Err(other) => return Err(invalid(format!("{other:?}"))),
            }
            let lines = self.reader.get_ref();
            if lines.is_over && self.reader.position().byte() == lines.bytes {
                return self.end().map(|()| None);
            }
            if self.record.len() != 1 || !self.record[0].trim_ascii().is_empty() {
                return Ok(Some(&self.record));
            }
        }
    }

    /// Returns the line on which the row ends.
    pub fn line(&self) -> u64 {
        self.reader.position().line() - 1
    }

    /// Reports a quote that swallowed the last line.
    fn end(&self) -> io::Result<()> {
        if self.record.len() == 1 && self.record[0] == LAST_LINE[1..2] {
            return Ok(());
        }
        let line = self.record.position().map_or(1, csv::Position::line);
        Err(invalid(format!(
            "a quote is never closed, in the row after line {}",
            line - 1
        )))
    }
}

/// The bytes of a file, with a line feed for each line ending, and followed by `LAST_LINE`.
struct Lines<R> {
    from: R,
    /// Whether the bytes before these ended with a carriage return.
    follows_return: bool,
    is_over: bool,
    /// Bytes returned so far.
    bytes: u64,
    /// Bytes that the row may still take.
    allowed: usize,
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.allowed == 0 {
            return Err(invalid("a row is too long; a closing quote may be missing".to_owned()));
        }
        let mut length = 0;
        while length == 0 && !self.is_over {
            length = self.from.read(to)?;
            if length == 0 {
                length = LAST_LINE.len();
                to[..length].copy_from_slice(LAST_LINE);
                self.is_over = true;
            } else {
                length = self.unify_line_endings(&mut to[..length]);
            }
        }
        self.bytes += length as u64;
        self.allowed = self.allowed.saturating_sub(length);
        Ok(length)
    }
}

impl<R> Lines<R> {
    /// Replaces each line ending by a line feed, and returns the number of bytes that remain.
    fn unify_line_endings(&mut self, bytes: &mut [u8]) -> usize {
        if !self.follows_return && memchr::memchr(b'\r', bytes).is_none() {
            return bytes.len();
        }
        let mut length = 0;
        for at in 0..bytes.len() {
            let byte = bytes[at];
            if byte != b'\n' || !self.follows_return {
                bytes[length] = if byte == b'\r' { b'\n' } else { byte };
                length += 1;
            }
            self.follows_return = byte == b'\r';
        }
        length
    }
}

fn invalid(reason: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

/// How to read the columns of a file.
#[derive(Clone, Debug)]
pub struct Options {
    pub separator: u8,
    /// Number of values of every row.
    pub width: usize,
    /// The columns to return, by index, with their names.
    pub columns: Vec<(usize, String)>,
    pub has_header: bool,
    /// The URL of the directory that paths are relative to, with a trailing slash: values are trimmed, and those of the
    /// column `loc` become absolute. Without it, values are returned as written.
    pub place: Option<String>,
}

impl Options {
    pub fn schema(&self) -> SchemaRef {
        let field = |(_, name): &(usize, String)| Field::new(name, DataType::Utf8View, true);
        Arc::new(Schema::new(self.columns.iter().map(field).collect::<Vec<_>>()))
    }
}

/// Reads the columns of a file in batches.
pub struct Columns<R> {
    rows: Rows<R>,
    options: Options,
    schema: SchemaRef,
    is_before_header: bool,
}

impl<R: Read> Columns<R> {
    pub fn new(from: R, options: Options) -> Self {
        Self {
            rows: Rows::new(from, options.separator),
            schema: options.schema(),
            is_before_header: options.has_header,
            options,
        }
    }

    /// Returns the next rows; `None` at the end of the file.
    pub fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        if std::mem::take(&mut self.is_before_header) {
            self.rows.next_row()?;
        }
        let mut builders: Vec<_> = self.options.columns.iter().map(|_| StringViewBuilder::new()).collect();
        let (mut rows, mut bytes) = (0, 0);
        while bytes < BATCH {
            let Some(record) = self.rows.next_row()? else { break };
            if record.len() != self.options.width {
                let found = record.len();
                return Err(self.different_width(found));
            }
            for ((index, name), builder) in self.options.columns.iter().zip(&mut builders) {
                let Ok(value) = std::str::from_utf8(&record[*index]) else {
                    return Err(invalid(format!("line {} is not valid UTF-8", self.rows.line())).into());
                };
                let (place, value) = match &self.options.place {
                    None => ("", value),
                    Some(place) if name == "loc" => absolute(place, value),
                    Some(_) => ("", trimmed(value)),
                };
                append(builder, place, value)?;
            }
            rows += 1;
            // Empty values count, too.
            bytes += record.as_slice().len() + record.len();
        }
        let columns = builders
            .iter_mut()
            .map(|builder| Arc::new(builder.finish()) as ArrayRef);
        (rows > 0)
            .then(|| RecordBatch::try_new(self.schema.clone(), columns.collect()))
            .transpose()
    }

    fn different_width(&self, found: usize) -> ArrowError {
        let (line, width) = (self.rows.line(), self.options.width);
        invalid(format!(
            "line {line} has a different number of values ({found}) than there are columns ({width}); \
             put values that contain the separator in quotes"
        ))
        .into()
    }
}

/// Appends a value that follows a place: null if both are empty.
fn append(builder: &mut StringViewBuilder, place: &str, value: &str) -> Result<(), ArrowError> {
    match (place, value) {
        ("", "") => builder.append_null(),
        ("", value) => builder.try_append_value(value)?,
        (place, value) => builder.try_append_value([place, value].concat())?,
    }
    Ok(())
}

/// Returns the URL of a value, in two parts: a path is relative to a place. Anything else stays, for the writer to refuse.
/// `urlset.build.sources.source.absolute` does the same.
fn absolute<'a>(place: &'a str, value: &'a str) -> (&'a str, &'a str) {
    let value = if value.starts_with("https://") && !value.ends_with(' ') {
        return ("", value);
    } else {
        value.trim_matches(is_space)
    };
    if value.starts_with("//") {
        (&place[..place.find("//").unwrap_or(0)], value)
    } else if value.starts_with('/') {
        (place, value.trim_start_matches('/'))
    } else if let Some(path) = value.strip_prefix("./") {
        (place, path)
    } else {
        ("", value)
    }
}

/// Returns a value without the spaces around it, as DuckDB's `trim` does, which reads other formats of lists.
fn trimmed(value: &str) -> &str {
    if value.starts_with(' ') || value.ends_with(' ') {
        value.trim_matches(is_space)
    } else {
        value
    }
}

/// Whether a character is a space of any width (Unicode category Zs).
fn is_space(char: char) -> bool {
    matches!(
        char,
        ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

#[cfg(test)]
mod tests;
