//! Reading: turns decoded text into the rows of one document.
//!
//! `Reader` does all the work for one document: it decodes, detects the kind, reads the document, and returns batches
//! of rows. It makes no judgment and drops nothing silently: everything that it repairs or cannot keep is an anomaly.

pub(crate) mod column;
pub(crate) mod columns;
pub(crate) mod csv;
pub(crate) mod express;
mod feed;
pub(crate) mod kind;
mod link_sets;
mod months;
pub(crate) mod notes;
pub(crate) mod open_sets;
pub(crate) mod record_fields;
pub(crate) mod records;
pub(crate) mod rows;
mod scan;
pub(crate) mod sink;
pub(crate) mod sitemap;
mod survey;
pub(crate) mod template;
mod text;
pub(crate) mod value_columns;
pub(crate) mod window;
pub(crate) mod xml;

#[cfg(test)]
pub(crate) mod tests;

use std::io::{self, Read};

use arrow_schema::ArrowError;

use self::kind::{HEAD, Syntax, UNKNOWN};
use self::notes::Notes;
use self::rows::{Batch, Rows, Totals};
use self::sink::DocumentSink;
use self::text::Text;
use self::window::{Window, boundary};
use self::xml::{Prolog, Xml};
use crate::anomaly::{Anomaly, AnomalyKind, evidence};
use crate::decode::{self, Decoder};
use crate::limits::Bounds;

/// How to read one document.
#[derive(Clone, Debug)]
pub struct Options {
    pub document_id: i32,
    /// The URL of the document, against which the relative links of a feed are resolved; `None` if it is unknown.
    pub url: Option<String>,
    /// Limit on the decompressed size, in bytes.
    pub max_inflated: u64,
    /// Rows after which a batch is returned, at the next end of an entry.
    pub batch_rows: usize,
    /// Whether to compute the SHA-256 of the bytes as received.
    pub hash: bool,
    /// Whether the express path may be used. It affects only the speed; tests verify that.
    pub express: bool,
    pub bounds: Bounds,
}

/// The facts about a document that has been read.
pub struct Facts {
    pub decoded: decode::Facts,
    pub kind: &'static str,
    pub version: Option<String>,
    pub prolog: Prolog,
    /// The first nonempty line of a text of an unknown kind, made safe to print; `None` for all other documents.
    pub first_line: Option<String>,
    pub namespaces: Vec<String>,
    /// Lines and columns of the namespaces.
    pub namespace_places: (Vec<i64>, Vec<i64>),
    pub foreign: Vec<(String, i64)>,
    pub totals: Totals,
    /// `None` if the document is not XML.
    pub well_formed: Option<bool>,
    pub complete: bool,
}

/// An error outside the document: reading its source failed, or a column ran out of memory.
#[derive(Debug)]
pub enum ReadError {
    Source(io::Error),
    Arrow(ArrowError),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Source(error)
    }
}

impl From<ArrowError> for ReadError {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}

enum State {
    /// Nothing has been read yet.
    Fresh(Window, Notes),
    Xml(Box<Xml<DocumentSink>>),
    Text(Box<Text>),
    /// Not a document that urlset reads; it is only counted.
    Other(Window, Notes, &'static str, Option<String>),
    Done,
}

/// The reader of one document, from bytes to rows.
pub struct Reader {
    options: Options,
    state: State,
    facts: Option<Facts>,
}

impl Reader {
    pub fn new(source: Box<dyn Read + Send>, options: Options) -> Self {
        let decoder = Decoder::new(
            source,
            decode::Options {
                max_inflated: options.max_inflated,
                hash: options.hash,
            },
        );
        Self {
            state: State::Fresh(Window::new(decoder, options.bounds.window), Notes::new()),
            options,
            facts: None,
        }
    }

    /// Returns the facts, which exist once the last batch was taken.
    pub fn facts(&self) -> Option<&Facts> {
        self.facts.as_ref()
    }

    /// Returns the next batch of rows, or `None` at the end.
    pub fn next_batch(&mut self) -> Result<Option<Batch>, ReadError> {
        loop {
            match &mut self.state {
                State::Fresh(..) => self.begin()?,
                State::Xml(xml) => {
                    let more = xml.step()?;
                    if !more {
                        return self.finish_xml();
                    }
                    // Until the kind is known, the document may turn out to be an HTML page, which changes its
                    // anomalies.
                    let may_hand_out = xml.sink.kind.is_some() && xml.sink.rows.open().is_none();
                    if may_hand_out && xml.sink.rows.is_ripe(xml.notes.pending()) {
                        let noted = xml.notes.take();
                        return Ok(Some(xml.sink.rows.take(&noted)?));
                    }
                }
                State::Text(text) => {
                    if !text.step()? {
                        return self.finish_text();
                    }
                    if text.rows.is_ripe(text.notes.pending()) {
                        let noted = text.notes.take();
                        return Ok(Some(text.rows.take(&noted)?));
                    }
                }
                State::Other(..) => return self.finish_other(),
                State::Done => return Ok(None),
            }
        }
    }

    /// Decodes enough to detect the kind of the document, and chooses how to read it.
    fn begin(&mut self) -> Result<(), ReadError> {
        let State::Fresh(mut window, mut notes) = std::mem::replace(&mut self.state, State::Done) else {
            return Ok(());
        };
        while window.bytes().len() < HEAD && !window.is_last() {
            window.fill()?;
        }
        let head = boundary(window.as_str(), HEAD);
        let magic = window.decoder().facts().magic;
        let rows = Rows::new(self.options.document_id, self.options.batch_rows);
        self.state = match kind::syntax(window.text(0..head), magic) {
            Syntax::Xml => {
                let mut sink = DocumentSink::new(rows, self.options.express, &self.options.bounds);
                sink.url = self.options.url.take();
                State::Xml(Box::new(Xml::new(window, notes, sink, &self.options.bounds)))
            }
            Syntax::Text => State::Text(Box::new(Text {
                window,
                notes,
                rows,
                longest: self.options.bounds.token_length,
                in_long_line: false,
                front_matter: 0,
            })),
            Syntax::Other(name) => {
                for (at, seen) in template::in_head(window.text(0..head), name) {
                    notes.add(AnomalyKind::UnrenderedTemplate, window.place(at), None, seen);
                }
                let first_line = (name == UNKNOWN).then(|| first_line(window.text(0..head)));
                State::Other(window, notes, name, first_line)
            }
        };
        Ok(())
    }

    fn finish_xml(&mut self) -> Result<Option<Batch>, ReadError> {
        let State::Xml(xml) = std::mem::replace(&mut self.state, State::Done) else {
            return Ok(None);
        };
        let Xml {
            mut window,
            mut notes,
            sink,
            namespaces,
            prolog,
            ..
        } = *xml;
        let (is_truncated, is_html) = (xml.cut.is_some(), sink.kind == Some("html"));
        drain(&mut window, &mut notes)?;
        let mut noted = notes.take();
        noted.extend(notes.take_rest());
        if is_html {
            // XML errors in an HTML page are irrelevant: that it is not a sitemap is the only finding.
            noted.retain(|anomaly| !is_about_xml(anomaly));
        }
        let DocumentSink {
            mut rows,
            kind,
            version,
            ..
        } = sink;
        let batch = rows.take(&noted)?;
        rows.totals.survey.finish();
        let decoded = window.decoder().facts();
        self.facts = Some(Facts {
            complete: decoded.complete && !is_truncated,
            decoded,
            kind: kind.unwrap_or("xml"),
            version,
            prolog,
            first_line: None,
            namespaces: namespaces.declared().to_vec(),
            namespace_places: namespaces.places(),
            foreign: namespaces.passed_over(),
            totals: rows.totals,
            well_formed: (!is_html).then(|| notes.well_formed()),
        });
        Ok(Some(batch))
    }

    fn finish_text(&mut self) -> Result<Option<Batch>, ReadError> {
        let State::Text(text) = std::mem::replace(&mut self.state, State::Done) else {
            return Ok(None);
        };
        let Text {
            mut window,
            mut notes,
            mut rows,
            ..
        } = *text;
        drain(&mut window, &mut notes)?;
        let mut noted = notes.take();
        noted.extend(notes.take_rest());
        let batch = rows.take(&noted)?;
        self.facts = Some(plain_facts(window.decoder().facts(), "text", rows.totals));
        Ok(Some(batch))
    }

    fn finish_other(&mut self) -> Result<Option<Batch>, ReadError> {
        let State::Other(mut window, mut notes, name, first_line) = std::mem::replace(&mut self.state, State::Done)
        else {
            return Ok(None);
        };
        drain(&mut window, &mut notes)?;
        let mut noted = notes.take();
        noted.extend(notes.take_rest());
        let batch = Rows::new(self.options.document_id, self.options.batch_rows).take(&noted)?;
        self.facts = Some(Facts {
            first_line,
            ..plain_facts(window.decoder().facts(), name, Totals::default())
        });
        Ok(Some(batch))
    }
}

fn plain_facts(decoded: decode::Facts, kind: &'static str, totals: Totals) -> Facts {
    Facts {
        complete: decoded.complete,
        decoded,
        kind,
        version: None,
        prolog: Prolog::default(),
        first_line: None,
        namespaces: Vec::new(),
        namespace_places: Default::default(),
        foreign: Vec::new(),
        totals,
        well_formed: None,
    }
}

fn first_line(head: &str) -> String {
    let head = head.trim_start_matches(|ch: char| ch.is_whitespace() || ch == '\u{feff}');
    evidence(head.lines().next().unwrap_or_default().trim_end())
}

fn is_about_xml(anomaly: &Anomaly) -> bool {
    use crate::anomaly::AnomalyKind::{EncodingConflict, EncodingInvalid, EncodingUnknown};
    anomaly.line.is_some() && !matches!(anomaly.kind, EncodingConflict | EncodingInvalid | EncodingUnknown)
}

/// Decodes the rest of a document that is not read further, so that size and hash cover all of it, and notes the
/// anomalies of the decoder.
pub(crate) fn drain(window: &mut Window, notes: &mut Notes) -> io::Result<()> {
    notes.ordinal = None;
    loop {
        let end = window.bytes().len();
        note_decoded(window, notes, end + 1);
        window.consume(end);
        if window.is_last() {
            break;
        }
        window.fill()?;
    }
    for anomaly in window.noticed_elsewhere() {
        notes.add_decoded(&anomaly, None);
    }
    Ok(())
}

/// Notes the decoder's anomalies in the text before an offset, which is about to be consumed.
#[inline]
pub(crate) fn note_decoded(window: &mut Window, notes: &mut Notes, end: usize) {
    while window.has_noticed_before(end)
        && let Some((anomaly, place)) = window.noticed_before(end)
    {
        notes.add_decoded(&anomaly, Some(place));
    }
}
