//! Reads access logs: who requested which URL, when, and with what result. Requests of people are only counted, and no
//! address of a client leaves this module, except to be looked up in DNS.

mod client;
mod columns;
mod counting;
pub mod crawler;
mod haproxy;
mod json;
mod lines;
mod pattern;
mod record;
mod tally;
#[cfg(test)]
mod tests;
mod time;

use std::borrow::Cow;
use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::Arc;

use columns::Columns;
pub use counting::{Choice, Counted};
use counting::{Counting, Facts};
use crawler::{Crawler, Verdict};
pub use pattern::Pattern;
pub use record::Field;
use record::Raw;

/// Longer lines are cut. Our choice: eight times what servers accept as a request line by default.
pub const MOST_LINE: usize = 65_536;
/// Lines at the start of a log that decide which format it has.
const SAMPLE: usize = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Common,
    Combined,
    W3c,
    CloudFront,
    LoadBalancer,
    Cloudflare,
    HaProxy,
    Json,
    /// A pattern describes the lines.
    Custom,
}

impl Format {
    /// The formats that have a name.
    pub const ALL: [Self; 8] = [
        Self::Common,
        Self::Combined,
        Self::W3c,
        Self::CloudFront,
        Self::LoadBalancer,
        Self::Cloudflare,
        Self::HaProxy,
        Self::Json,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Common => "common",
            Self::Combined => "combined",
            Self::W3c => "w3c",
            Self::CloudFront => "cloudfront",
            Self::LoadBalancer => "alb",
            Self::Cloudflare => "cloudflare",
            Self::HaProxy => "haproxy",
            Self::Json => "json",
            Self::Custom => "custom",
        }
    }

    fn has_columns(self) -> bool {
        matches!(self, Self::W3c | Self::CloudFront)
    }

    fn is_json(self) -> bool {
        matches!(self, Self::Cloudflare | Self::Json)
    }
}

/// What the lines of a format mean; the columns may change from line to line.
#[derive(Clone)]
struct Layout {
    format: Format,
    columns: Columns,
    names: Option<json::Names>,
    pattern: Option<Arc<Pattern>>,
    own: Vec<(String, Field)>,
}

impl Layout {
    fn new(format: Format, own: &[(String, Field)]) -> Self {
        let columns = match format {
            Format::CloudFront => Columns::of_cloudfront(own),
            _ => Columns::default(),
        };
        Self {
            format,
            columns,
            pattern: None,
            names: format.is_json().then(|| json::Names::new(own)),
            own: own.to_vec(),
        }
    }

    fn of(form: &Form, own: &[(String, Field)]) -> Self {
        Self {
            pattern: form.pattern.clone(),
            ..Self::new(form.format, own)
        }
    }

    /// Whether a line is a comment, a header, or empty. A header changes what the next lines mean.
    fn is_comment(&mut self, line: &[u8]) -> bool {
        let is_comment = self.format.has_columns() && line.starts_with(b"#");
        if is_comment {
            self.columns.take(line, &self.own);
        }
        is_comment || line.is_empty()
    }

    fn read<'a>(&self, line: &'a [u8]) -> Option<Raw<'a>> {
        match (self.format, &self.names) {
            (Format::Common | Format::Combined, _) => lines::combined(line),
            (Format::LoadBalancer, _) => lines::load_balancer(line),
            (Format::HaProxy, _) => haproxy::haproxy(line),
            (Format::Custom, _) => self.pattern.as_ref()?.read(line),
            (Format::W3c | Format::CloudFront, _) => self.columns.read(line),
            (Format::Cloudflare | Format::Json, Some(names)) => names.read(line),
            (Format::Cloudflare | Format::Json, None) => None,
        }
    }
}

/// A format as it is named, with its pattern.
pub struct Form {
    format: Format,
    pattern: Option<Arc<Pattern>>,
}

impl Form {
    /// Returns the format with a name, or of a pattern; an error says what is wrong.
    pub fn new(text: &str) -> Result<Self, String> {
        if Pattern::is_one(text) {
            return Ok(Self {
                format: Format::Custom,
                pattern: Some(Arc::new(Pattern::new(text)?)),
            });
        }
        let format = Format::ALL.into_iter().find(|format| format.name() == text);
        Ok(Self {
            format: format.ok_or_else(|| format!("unknown format {text}"))?,
            pattern: None,
        })
    }
}

/// What the first lines of a log show.
pub struct Sample {
    pub format: Format,
    pub lines: usize,
    pub readable: usize,
    /// Fields that no line has, of those that are required.
    pub missing: Vec<Field>,
    pub has_agent: bool,
    pub has_host: bool,
}

/// Returns the format of a log, by its first lines; `None` if most of them follow no known one.
pub fn detect(text: &[u8], own: &[(String, Field)]) -> Option<Sample> {
    let first = lines::unwrapped(sample_lines(text).next()?);
    let candidates: &[Format] = if first.starts_with(b"#") {
        &[Format::W3c]
    } else if first.starts_with(b"{") {
        &[Format::Json]
    } else {
        &[
            Format::CloudFront,
            Format::Json,
            Format::HaProxy,
            Format::LoadBalancer,
            Format::Combined,
        ]
    };
    let samples = candidates
        .iter()
        .map(|format| sample_with(Layout::new(*format, own), text));
    let mut best = samples.max_by_key(|sample| sample.readable)?;
    if 2 * best.readable < best.lines || (best.lines == 0 && best.format != Format::W3c) {
        return None;
    }
    best.format = refined(&best, text);
    Some(best)
}

fn refined(sample: &Sample, text: &[u8]) -> Format {
    let has = |name: &[u8]| memchr::memmem::find(text, name).is_some();
    match sample.format {
        Format::Combined if !sample.has_agent => Format::Common,
        Format::W3c if has(b"x-edge-location") => Format::CloudFront,
        Format::Json if has(b"\"ClientRequestURI\"") || has(b"\"EdgeStartTimestamp\"") => Format::Cloudflare,
        format => format,
    }
}

fn sample_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|byte| *byte == b'\n').map(without_return);
    lines.filter(|line| !line.is_empty())
}

/// Reads the first lines in a format.
pub fn sample(text: &[u8], form: &Form, own: &[(String, Field)]) -> Sample {
    sample_with(Layout::of(form, own), text)
}

fn sample_with(mut layout: Layout, text: &[u8]) -> Sample {
    let format = layout.format;
    let mut sample = Sample {
        format,
        lines: 0,
        readable: 0,
        missing: Vec::new(),
        has_agent: false,
        has_host: false,
    };
    let mut found = [false; Field::ALL.len()];
    let mut has_time = false;
    for line in sample_lines(text) {
        if layout.is_comment(line) {
            continue;
        }
        let line = layout.line(line);
        sample.lines += 1;
        if let Some(raw) = layout.read(&line) {
            sample.readable += 1;
            has_time |= raw.written_at.is_some();
            for field in Field::ALL {
                found[*field as usize] |= raw.has(*field);
            }
            sample.has_host |= raw.request().is_some_and(|request| !request.host.is_empty());
        }
        if sample.lines == SAMPLE {
            break;
        }
    }
    let has = |field: Field| found[field as usize];
    sample.has_agent = has(Field::Agent);
    if sample.readable > 0 {
        let required = [
            (Field::Time, has(Field::Time) || has_time),
            (Field::Url, has(Field::Url) || has(Field::Request)),
            (
                Field::Agent,
                has(Field::Agent) || !(format.has_columns() || format.is_json()),
            ),
        ];
        sample.missing = required
            .into_iter()
            .filter(|(_, has)| !has)
            .map(|(field, _)| field)
            .collect();
    }
    sample
}

impl Layout {
    /// Returns a line as it can be read: without quotation marks around it, and JSON must be UTF-8.
    fn line<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        let line = lines::unwrapped(line);
        if !self.format.is_json() || std::str::from_utf8(&line).is_ok() {
            return line;
        }
        Cow::Owned(String::from_utf8_lossy(&line).into_owned().into_bytes())
    }
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Reads a log piece by piece.
pub struct Reader {
    layout: Layout,
    counting: Counting,
    pending: Vec<u8>,
    /// Whether the rest of a line that is too long follows.
    is_cut: bool,
}

impl Reader {
    pub fn new(
        form: &Form,
        own: &[(String, Field)],
        header: Option<&str>,
        crawlers: Vec<Crawler>,
        choice: Choice,
    ) -> Self {
        let mut layout = Layout::of(form, own);
        if let Some(header) = header {
            layout.columns.take(header.as_bytes(), own);
        }
        Self {
            layout,
            counting: Counting::new(crawlers, choice),
            pending: Vec::new(),
            is_cut: false,
        }
    }

    /// Adds bytes. They are read by `read`, as far as their lines are complete.
    pub fn push(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    /// Returns the addresses in complete lines that DNS could say more about.
    pub fn questions(&mut self) -> Vec<(usize, IpAddr)> {
        let mut questions = HashSet::new();
        let mut layout = self.layout.clone();
        for line in self.pending[..self.complete()].split(|byte| *byte == b'\n') {
            let line = without_return(line);
            if line.len() > MOST_LINE || layout.is_comment(line) {
                continue;
            }
            let line = layout.line(line);
            if let Some(raw) = layout.read(&line)
                && let Some(crawler) = raw
                    .get(Field::Agent)
                    .and_then(|agent| self.counting.crawlers.by_agent(agent))
                && let Some(address) = self.counting.crawlers.question(crawler, raw.client().0.address())
            {
                questions.insert((crawler, address));
            }
        }
        questions.into_iter().collect()
    }

    pub fn confirm(&mut self, crawler: usize, address: IpAddr, verdict: Verdict) {
        self.counting.crawlers.confirm(crawler, address, verdict);
    }

    fn complete(&self) -> usize {
        memchr::memrchr(b'\n', &self.pending).map_or(0, |end| end + 1)
    }

    /// Reads all complete lines.
    pub fn read(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', &pending) {
            let line = &pending[start..end];
            start = end + 1;
            if !std::mem::take(&mut self.is_cut) {
                self.line(line);
            }
        }
        let mut rest = pending;
        rest.drain(..start);
        if self.is_cut {
            rest.clear();
        } else if rest.len() > MOST_LINE {
            self.line(&rest);
            rest.clear();
            self.is_cut = true;
        }
        self.pending = rest;
    }

    /// Ends the log, and returns the number of bytes of a last line without a line break, unless it is read, too.
    pub fn end(&mut self, is_complete: bool) -> usize {
        let rest = std::mem::take(&mut self.pending);
        if is_complete && !rest.is_empty() {
            self.line(&rest);
            return 0;
        }
        rest.len()
    }

    /// The last `#Fields:` line.
    pub fn header(&self) -> Option<&str> {
        self.layout.columns.header.as_deref()
    }

    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    pub fn weight(&self) -> usize {
        self.counting.tally.weight
    }

    pub fn facts(&self) -> &Facts {
        &self.counting.facts
    }

    /// Returns the earliest and the latest time.
    pub fn window(&self) -> Option<(i64, i64)> {
        self.counting.window
    }

    /// Returns what was counted since the last call.
    pub fn take(&mut self) -> Counted {
        self.counting.take()
    }

    fn line(&mut self, line: &[u8]) {
        let line = without_return(line);
        if line.len() <= MOST_LINE && self.layout.is_comment(line) {
            return;
        }
        let facts = &mut self.counting.facts;
        facts.lines += 1;
        let line = if line.len() > MOST_LINE {
            facts.cut += 1;
            &line[..MOST_LINE]
        } else {
            line
        };
        let line = self.layout.line(line);
        match self.layout.read(&line).and_then(|raw| Some((raw.at()?, raw))) {
            Some((at, raw)) => self.counting.request(at, &raw),
            None => facts.unreadable += 1,
        }
    }
}
