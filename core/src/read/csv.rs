//! The ordinary rows of a CSV file, as columns of text: the values of a batch are views of the bytes that were read.
//!
//! Reading stops at the first line that needs a real CSV parser: one with a quote, another number of fields, invalid
//! UTF-8, an unexpected line ending, or a value to be trimmed. The caller reads the rest in another way.

use std::io::{self, Read};
use std::sync::Arc;

use arrow_array::builder::StringViewBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::Buffer;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use memchr::{memchr, memchr_iter, memchr2, memchr2_iter, memrchr};

/// Bytes to read at a time. A longer line is not ordinary.
const BLOCK: usize = 1 << 20;
const SCHEME: &[u8] = b"https://";

/// How to read a file.
#[derive(Clone, Debug)]
pub struct Options {
    pub separator: u8,
    /// Number of fields of every line.
    pub width: usize,
    /// The fields to return, by index, with their names.
    pub fields: Vec<(usize, String)>,
    /// Which of these is a URL, which becomes absolute.
    pub loc: usize,
    /// The URL of the directory that paths are relative to, with a trailing slash.
    pub place: String,
    pub has_header: bool,
}

impl Options {
    pub fn schema(&self) -> SchemaRef {
        let field = |(_, name): &(usize, String)| Field::new(name, DataType::Utf8View, true);
        Arc::new(Schema::new(self.fields.iter().map(field).collect::<Vec<_>>()))
    }

    fn scheme(&self) -> &str {
        self.place.split_once("//").map_or("", |(scheme, _)| scheme)
    }
}

/// Reads the ordinary lines at the start of a file.
pub struct Csv<R> {
    from: R,
    options: Options,
    schema: SchemaRef,
    /// The start of a line whose end was not read yet.
    rest: Vec<u8>,
    /// Whether lines end with CR LF; decided by the first line.
    is_crlf: Option<bool>,
    is_before_header: bool,
    is_at_end: bool,
    is_stopped: bool,
    lines: u64,
}

impl<R: Read> Csv<R> {
    pub fn new(from: R, options: Options) -> Self {
        Self {
            from,
            schema: options.schema(),
            rest: Vec::new(),
            is_crlf: None,
            is_before_header: options.has_header,
            is_at_end: false,
            is_stopped: false,
            lines: 0,
            options,
        }
    }

    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// Number of lines read, including the header.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Whether the next line is not ordinary.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Returns the next rows, or `None` at the end of the file and before a line that is not ordinary.
    pub fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        while !self.is_stopped && !self.is_at_end {
            let block = self.block()?;
            let batch = self.rows(block)?;
            if batch.num_rows() > 0 {
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }

    /// Returns the next whole lines; at the end of the file, the last one may have no line ending.
    fn block(&mut self) -> io::Result<Vec<u8>> {
        let mut block = std::mem::take(&mut self.rest);
        block.reserve_exact(BLOCK);
        let wanted = BLOCK - block.len().min(BLOCK - 1);
        let read = self.from.by_ref().take(wanted as u64).read_to_end(&mut block)?;
        self.is_at_end = read < wanted;
        if !self.is_at_end {
            let end = memrchr(b'\n', &block).map_or(0, |end| end + 1);
            self.is_stopped = end == 0;
            self.rest = block.split_off(end);
        }
        Ok(block)
    }

    /// Returns the columns of the ordinary lines at the start of a block.
    fn rows(&mut self, mut block: Vec<u8>) -> Result<RecordBatch, ArrowError> {
        let plain = self.plain_end(&block);
        self.is_stopped |= plain < block.len();
        block.truncate(plain);
        let mut start = 0;
        if self.is_before_header && !block.is_empty() {
            start = memchr(b'\n', &block).map_or(block.len(), |end| end + 1);
            self.is_before_header = false;
            self.lines += 1;
        }
        let block = Buffer::from_vec(block);
        let mut columns = Columns::new(&self.options, &block);
        let (lines, is_stopped) = columns.add_lines(&block, start, self.is_crlf == Some(true))?;
        self.lines += lines;
        self.is_stopped |= is_stopped;
        RecordBatch::try_new(self.schema.clone(), columns.finish())
    }

    /// Returns the length of the lines before the first one with a quote, invalid UTF-8, or an unexpected line ending.
    fn plain_end(&mut self, block: &[u8]) -> usize {
        let is_crlf = *self
            .is_crlf
            .get_or_insert_with(|| memchr(b'\n', block).is_some_and(|end| end > 0 && block[end - 1] == b'\r'));
        let mut end = block.len();
        let odd = if is_crlf {
            memchr(b'"', block)
        } else {
            memchr2(b'"', b'\r', block)
        };
        end = odd.unwrap_or(end);
        if is_crlf {
            let is_odd = |at: &usize| block.get(at + 1) != Some(&b'\n');
            end = memchr_iter(b'\r', &block[..end]).find(is_odd).unwrap_or(end);
            let is_odd = |at: &usize| *at == 0 || block[at - 1] != b'\r';
            end = memchr_iter(b'\n', &block[..end]).find(is_odd).unwrap_or(end);
        }
        if let Err(error) = std::str::from_utf8(&block[..end]) {
            end = error.valid_up_to();
        }
        if end == block.len() {
            return end;
        }
        memrchr(b'\n', &block[..end]).map_or(0, |at| at + 1)
    }
}

/// The columns of a block.
struct Columns<'a> {
    options: &'a Options,
    builders: Vec<(StringViewBuilder, u32)>,
    /// The ends of the fields of a line.
    ends: Vec<usize>,
}

impl<'a> Columns<'a> {
    fn new(options: &'a Options, block: &Buffer) -> Self {
        let builder = |_: &_| {
            let mut builder = StringViewBuilder::new();
            let number = builder.append_block(block.clone());
            (builder, number)
        };
        Self {
            options,
            builders: options.fields.iter().map(builder).collect(),
            ends: Vec::with_capacity(options.width),
        }
    }

    /// Adds the lines of a block, and returns how many are ordinary and whether another one follows.
    fn add_lines(&mut self, block: &[u8], mut start: usize, is_crlf: bool) -> Result<(u64, bool), ArrowError> {
        let mut lines = 0;
        let first = start;
        for at in memchr2_iter(self.options.separator, b'\n', &block[first..]) {
            let at = first + at;
            if block[at] != b'\n' {
                self.ends.push(at);
                continue;
            }
            self.ends.push(at - usize::from(is_crlf));
            if !self.add_line(block, start)? {
                return Ok((lines, true));
            }
            lines += 1;
            start = at + 1;
        }
        if start < block.len() {
            self.ends.push(block.len());
            if !self.add_line(block, start)? {
                return Ok((lines, true));
            }
            lines += 1;
        }
        Ok((lines, false))
    }

    /// Adds a line whose fields end at `ends`, unless it is not ordinary.
    fn add_line(&mut self, block: &[u8], start: usize) -> Result<bool, ArrowError> {
        let is_ordinary = self.ends.len() == self.options.width
            && self.ends.last() != Some(&start)
            && self.options.fields.iter().enumerate().all(|(number, (index, _))| {
                let value = &block[self.field(*index, start)];
                if number == self.options.loc {
                    is_ordinary_url(value)
                } else {
                    is_trimmed(value)
                }
            });
        if is_ordinary {
            for number in 0..self.builders.len() {
                let field = self.field(self.options.fields[number].0, start);
                let options = (number == self.options.loc).then_some(self.options);
                let (builder, whole) = &mut self.builders[number];
                add(builder, *whole, block, field, options)?;
            }
        }
        self.ends.clear();
        Ok(is_ordinary)
    }

    fn field(&self, index: usize, start: usize) -> std::ops::Range<usize> {
        let start = if index == 0 { start } else { self.ends[index - 1] + 1 };
        start..self.ends[index]
    }

    fn finish(self) -> Vec<ArrayRef> {
        let finish = |(mut builder, _): (StringViewBuilder, u32)| Arc::new(builder.finish()) as ArrayRef;
        self.builders.into_iter().map(finish).collect()
    }
}

/// Adds a value: empty is null, and the path of a URL becomes absolute.
fn add(
    builder: &mut StringViewBuilder,
    whole: u32,
    block: &[u8],
    field: std::ops::Range<usize>,
    url: Option<&Options>,
) -> Result<(), ArrowError> {
    let value = &block[field.clone()];
    if value.is_empty() {
        builder.append_null();
        return Ok(());
    }
    let text = |bytes| std::str::from_utf8(bytes).unwrap_or_default();
    match url {
        Some(options) if !value.starts_with(SCHEME) => {
            let absolute = if value.starts_with(b"//") {
                format!("{}{}", options.scheme(), text(value))
            } else if value.starts_with(b"/") {
                format!("{}{}", options.place, text(value).trim_start_matches('/'))
            } else if let Some(rest) = value.strip_prefix(b"./") {
                format!("{}{}", options.place, text(rest))
            } else {
                text(value).to_owned()
            };
            builder.try_append_value(absolute)
        }
        // Blocks are much smaller than 4 GiB.
        _ => builder.try_append_view(whole, field.start as u32, field.len() as u32),
    }
}

/// Whether a URL needs no trimming: DuckDB trims every kind of blank from URLs with another beginning.
fn is_ordinary_url(value: &[u8]) -> bool {
    if value.starts_with(SCHEME) {
        return value.last() != Some(&b' ');
    }
    let is_plain = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_graphic);
    is_plain(value.first()) && is_plain(value.last())
}

/// Whether a value neither starts nor ends with a space.
fn is_trimmed(value: &[u8]) -> bool {
    value.first() != Some(&b' ') && value.last() != Some(&b' ')
}

#[cfg(test)]
mod tests;
