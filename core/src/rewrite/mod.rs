//! Rewriting: turns a document into the same document without the errors that have exactly one correct fix.
//!
//! The reader interprets each token, and its result decides what happens to the bytes of the token. Valid parts are
//! copied, so that a valid document comes out unchanged. The body is returned piece by piece; the part before it is
//! known only at the end, because it must declare all namespaces that were found.

mod account;
mod address;
mod date;
mod document;
mod entry;
mod foreign;
mod listen;
mod local;
mod markup;
mod names;
mod output;
#[cfg(test)]
pub(crate) mod tests;
mod text;
mod usual;
mod values;

use std::io::{self, Read};

pub use self::account::{Account, Example, LeftOut, Refusal, Repair};
use self::document::Document;
use self::listen::{Listener, Noted};
use self::output::Output;
pub use self::output::{Limits, Part};
use self::text::Lines;
use self::usual::Checker;
use crate::decode::{self, Compression, Decoder};
use crate::limits::Bounds;
use crate::read::drain;
use crate::read::kind::{self, HEAD, Syntax};
use crate::read::notes::Notes;
use crate::read::rows::{EntryKind, Rows};
use crate::read::sink::DocumentSink;
use crate::read::template;
use crate::read::window::{Window, boundary};
use crate::read::xml::Xml;

/// How to rewrite a document.
pub struct Options {
    /// Limit on the decompressed size, in bytes.
    pub max_inflated: u64,
    /// The base that relative URLs are resolved against.
    pub base: Option<String>,
    /// Limits of one document, beyond which it is split into parts.
    pub limits: Limits,
    /// Whether the express path may be used; tests run without it, too.
    pub express: bool,
    pub bounds: Bounds,
}

/// The outcome for a document. Its text is `head`, the body that was returned, and `tail`.
#[derive(Debug)]
pub struct Result {
    pub kind: &'static str,
    /// The reason why it is not repaired; the body that was returned must then be discarded.
    pub refusal: Option<Refusal>,
    pub head: String,
    pub tail: String,
    /// Where to split the body if the whole exceeds the limits; otherwise empty.
    pub parts: Vec<Part>,
    pub entries: u64,
    pub is_gzip: bool,
    /// The encoding that was used, by its WHATWG name.
    pub encoding: &'static str,
    pub account: Account,
    /// Whether the input was well-formed; `None` if it is not XML.
    pub was_well_formed: Option<bool>,
}

enum State {
    Fresh(Window, Notes),
    Xml(Box<Xml<Listener>>, Box<Document>),
    Text(Window, Box<Lines>),
    Done,
}

/// The rewriter of one document.
pub struct Rewriter {
    options: Options,
    state: State,
    result: Option<Result>,
}

/// Bytes of body to return at a time.
const PIECE: usize = 256 * 1024;

impl Rewriter {
    pub fn new(source: Box<dyn Read + Send>, options: Options) -> Self {
        let decoder = Decoder::new(
            source,
            decode::Options {
                max_inflated: options.max_inflated,
                hash: false,
            },
        );
        Self {
            state: State::Fresh(Window::new(decoder, options.bounds.window), Notes::new()),
            options,
            result: None,
        }
    }

    /// Returns the outcome, which exists once the last piece was taken.
    pub fn result(&self) -> Option<&Result> {
        self.result.as_ref()
    }

    /// Returns the next piece of the body, or `None` at its end.
    pub fn next_piece(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            match &mut self.state {
                State::Fresh(..) => self.begin()?,
                State::Xml(xml, document) => {
                    let more = step(xml, document)?;
                    if document.output.waiting.len() >= PIECE {
                        let piece = std::mem::take(&mut document.output.waiting);
                        self.finish_if(!more)?;
                        return Ok(Some(piece));
                    }
                    if !more {
                        let piece = std::mem::take(&mut document.output.waiting);
                        self.finish_if(true)?;
                        return Ok(Some(piece));
                    }
                }
                State::Text(window, lines) => {
                    let more = lines.step(window)?;
                    if more {
                        window.fill()?;
                    }
                    if lines.output.waiting.len() >= PIECE || !more {
                        let piece = std::mem::take(&mut lines.output.waiting);
                        self.finish_if(!more)?;
                        return Ok(Some(piece));
                    }
                }
                State::Done => return Ok(None),
            }
        }
    }

    /// Decodes enough to detect the kind of the document, and chooses how to rewrite it.
    fn begin(&mut self) -> io::Result<()> {
        let State::Fresh(mut window, mut notes) = std::mem::replace(&mut self.state, State::Done) else {
            return Ok(());
        };
        while window.bytes().len() < HEAD && !window.is_last() {
            window.fill()?;
        }
        let head = boundary(window.as_str(), HEAD);
        let facts = window.decoder().facts();
        let output = Output::new(self.options.limits);
        let base = self.options.base.clone();
        let checker = Checker::new(base.is_some());
        match kind::syntax(window.text(0..head), facts.magic) {
            Syntax::Xml => {
                let keeps = facts.encoding == "UTF-8";
                let reader = DocumentSink::new(Rows::new(0, ROWS), false, &self.options.bounds);
                let xml = Xml::new(
                    window,
                    notes,
                    Listener::new(reader, checker, self.options.express, &self.options.bounds),
                    &self.options.bounds,
                );
                self.state = State::Xml(Box::new(xml), Box::new(Document::new(output, base, keeps)));
            }
            Syntax::Text => {
                let lines = Lines::new(output, base, checker, self.options.bounds.token_length);
                self.state = State::Text(window, Box::new(lines));
            }
            Syntax::Other(name) => {
                let is_template = !template::in_head(window.text(0..head), name).is_empty();
                let why = if is_template {
                    Refusal::Template
                } else {
                    Refusal::NoSitemap
                };
                drain(&mut window, &mut notes)?;
                self.result = Some(refused(name, why, &mut window));
            }
        }
        Ok(())
    }

    fn finish_if(&mut self, is_over: bool) -> io::Result<()> {
        if !is_over {
            return Ok(());
        }
        match std::mem::replace(&mut self.state, State::Done) {
            State::Xml(xml, document) => self.result = Some(finish_xml(*xml, *document)?),
            State::Text(window, lines) => self.result = Some(finish_text(window, *lines)?),
            State::Fresh(..) | State::Done => {}
        }
        Ok(())
    }
}

fn finish_xml(xml: Xml<Listener>, mut document: Document) -> io::Result<Result> {
    let mut window = xml.window;
    let mut late = Notes::new();
    drain(&mut window, &mut late)?;
    document.take_notes(&Noted(late.take_token()), false);
    let (head, tail) = document.finish();
    let parts = document.output.finish((head.len() + tail.len()) as u64);
    let kind = match document.kind() {
        Some(EntryKind::Url) => "urlset",
        Some(EntryKind::Child) => "sitemapindex",
        None => xml.sink.reader.kind.unwrap_or("xml"),
    };
    let Document {
        mut account,
        output,
        mut refusal,
        is_declaration_kept,
        ..
    } = document;
    let is_gzip = note_end(&mut window, &output, &mut account, &mut refusal);
    if !is_declaration_kept && !account.repairs.has(Repair::Declaration) {
        let before = "a declaration with another encoding";
        account.repair(Repair::Declaration, 1, before, "encoding=\"UTF-8\"");
    }
    Ok(Result {
        kind,
        was_well_formed: Some(xml.notes.well_formed()),
        refusal,
        head,
        tail,
        parts,
        entries: output.entries,
        is_gzip,
        encoding: window.decoder().facts().encoding,
        account,
    })
}

fn finish_text(mut window: Window, mut lines: Lines) -> io::Result<Result> {
    let mut late = Notes::new();
    drain(&mut window, &mut late)?;
    for anomaly in late.take() {
        lines.note(anomaly.kind, &anomaly.evidence);
    }
    let Lines {
        mut account,
        mut output,
        mut refusal,
        ..
    } = lines;
    let is_gzip = note_end(&mut window, &output, &mut account, &mut refusal);
    let parts = output.finish(0);
    Ok(Result {
        kind: "text",
        refusal,
        head: String::new(),
        tail: String::new(),
        parts,
        entries: output.entries,
        is_gzip,
        encoding: window.decoder().facts().encoding,
        account,
        was_well_formed: None,
    })
}

fn refused(kind: &'static str, refusal: Refusal, window: &mut Window) -> Result {
    Result {
        kind,
        refusal: Some(refusal),
        head: String::new(),
        tail: String::new(),
        parts: Vec::new(),
        entries: 0,
        is_gzip: window.decoder().facts().compression == Compression::Gzip,
        encoding: window.decoder().facts().encoding,
        account: Account::default(),
        was_well_formed: None,
    }
}

/// Notes what is known only at the end: that nothing is left, and what decoding changed. Returns whether the bytes were
/// gzipped.
fn note_end(window: &mut Window, output: &Output, account: &mut Account, refusal: &mut Option<Refusal>) -> bool {
    let facts = window.decoder().facts();
    account.is_cut_off |= !facts.complete;
    if refusal.is_none() && output.entries == 0 && (account.is_cut_off || !account.left_out.is_empty()) {
        *refusal = Some(Refusal::NoEntries);
    }
    if facts.encoding != "UTF-8" {
        account.repair(Repair::Bytes, 1, facts.encoding, "UTF-8");
    }
    if facts.has_bom {
        account.repair(Repair::ByteOrderMark, 1, "a byte order mark", "");
    }
    facts.compression == Compression::Gzip
}

/// Reads one token and passes it on.
fn step(xml: &mut Xml<Listener>, document: &mut Document) -> io::Result<bool> {
    let before = xml.window.offset();
    let was_outside = xml.is_outside();
    let more = xml.step()?;
    let noted = Noted(if xml.notes.pending() > 0 {
        xml.notes.take_token()
    } else {
        Vec::new()
    });
    let (written, listener) = xml.last_tag();
    let raw = if was_outside { "" } else { written.window.since(before) };
    document.token(written, raw, listener, &noted);
    listener.events.clear();
    if !document.takes_usual() {
        listener.stop_express();
    }
    let rows = &mut xml.sink.reader.rows;
    if rows.open().is_none() && rows.is_ripe(0) {
        // The rows are not needed.
        rows.take(&[]).map_err(io::Error::other)?;
    }
    if xml.sink.reader.kind == Some("html") {
        document.refuse(Refusal::NoSitemap);
    }
    Ok(more && document.refusal.is_none())
}

/// Number of rows after which those built along the way are dropped.
const ROWS: usize = 16_384;
