//! Charset: converts bytes in any encoding to UTF-8, and finds and replaces every invalid sequence.

use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8};

use super::DecodeAnomaly;
use super::inflate::Input;
use super::level::Level;
use crate::anomaly::{AnomalyKind, evidence};
use crate::limits::MAX_ANOMALIES_PER_KIND;

const REPLACEMENT: &str = "\u{fffd}";
/// Characters of text quoted before an invalid sequence.
const CONTEXT_CHARS: usize = 12;
/// Bytes of text kept for that: the longest characters, and one more to detect that there was more text.
const CONTEXT_BYTES: usize = 4 * (CONTEXT_CHARS + 1);
/// Bytes of input kept to quote an invalid sequence from. encoding_rs reports at most 4 bytes of one, followed by at
/// most 3.
const RAW_KEPT: usize = 8;

enum Converter {
    /// UTF-8 input: the bytes of a character that is not complete yet.
    Utf8 { unfinished: Vec<u8> },
    /// Input in any other encoding: the decoder, the buffer it reads from, and the last bytes it read.
    Other {
        decoder: Box<Decoder>,
        raw: Vec<u8>,
        before: Vec<u8>,
    },
}

/// The step-by-step conversion of one document.
pub(super) struct Charset {
    converter: Converter,
    log: InvalidLog,
    ended: bool,
}

impl Charset {
    pub fn new(encoding: &'static Encoding) -> Self {
        let converter = if encoding == UTF_8 {
            Converter::Utf8 { unfinished: Vec::new() }
        } else {
            let decoder = Box::new(encoding.new_decoder_without_bom_handling());
            Converter::Other {
                decoder,
                raw: Vec::new(),
                before: Vec::new(),
            }
        };
        Charset {
            converter,
            log: InvalidLog::default(),
            ended: false,
        }
    }

    /// Takes about `want` bytes and appends their text to `out`. Returns false once the input has ended and all text is
    /// out.
    pub fn step(&mut self, input: &mut Level, out: &mut String, want: usize) -> bool {
        if self.ended {
            return false;
        }
        let start = out.len();
        let got = match &mut self.converter {
            Converter::Utf8 { unfinished } => utf8_step(unfinished, &mut self.log, input, out, want),
            Converter::Other { decoder, raw, before } => {
                raw.resize(want, 0);
                let got = input.fill(raw);
                raw.truncate(got);
                convert(decoder, raw, before, &mut self.log, out);
                got
            }
        };
        self.log.passed(&out.as_bytes()[start..]);
        if got == 0 {
            self.ended = true;
            self.log.close();
        }
        !self.ended
    }

    /// Bytes of text produced so far.
    pub fn text_bytes(&self) -> u64 {
        self.log.text_bytes
    }

    pub fn take_anomalies(&mut self) -> Vec<DecodeAnomaly> {
        std::mem::take(&mut self.log.anomalies)
    }
}

/// Reads straight into `out` and validates there, since nearly all input is valid.
fn utf8_step(
    unfinished: &mut Vec<u8>,
    log: &mut InvalidLog,
    input: &mut Level,
    out: &mut String,
    want: usize,
) -> usize {
    let start = out.len();
    let mut bytes = std::mem::take(out).into_bytes();
    bytes.append(unfinished);
    let from = bytes.len();
    bytes.resize(from + want, 0);
    let got = input.fill(&mut bytes[from..]);
    bytes.truncate(from + got);
    let rest = match std::str::from_utf8(&bytes[start..]) {
        Ok(_) => Vec::new(),
        Err(error) => bytes.split_off(start + error.valid_up_to()),
    };
    // SAFETY: the bytes before `start` come from a `String`, and the bytes that remain after it were found to be valid.
    // Validating the text before `start` again would cost time for each piece, and copying the piece would cost 2% of
    // the reading time.
    *out = unsafe { String::from_utf8_unchecked(bytes) };
    if !rest.is_empty() {
        replace_invalid(&rest, got == 0, unfinished, log, out, start);
    }
    got
}

/// Appends `rest` with U+FFFD for each maximal ill-formed sequence. Keeps back bytes that more input could complete.
fn replace_invalid(
    rest: &[u8],
    last: bool,
    unfinished: &mut Vec<u8>,
    log: &mut InvalidLog,
    out: &mut String,
    start: usize,
) {
    let mut seen = 0;
    for chunk in rest.utf8_chunks() {
        let bad = chunk.invalid();
        seen += chunk.valid().len() + bad.len();
        out.push_str(chunk.valid());
        if bad.is_empty() {
            continue;
        }
        let may_go_on = std::str::from_utf8(bad).is_err_and(|error| error.error_len().is_none());
        if may_go_on && seen == rest.len() && !last {
            unfinished.extend_from_slice(bad);
        } else {
            log.invalid(bad, &out.as_bytes()[start..]);
            out.push_str(REPLACEMENT);
        }
    }
}

/// Appends the text of `raw`; an empty `raw` marks the end of the input.
fn convert(decoder: &mut Decoder, raw: &[u8], before: &mut Vec<u8>, log: &mut InvalidLog, out: &mut String) {
    let start = out.len();
    let last = raw.is_empty();
    // Room for all of it, replacements included. Computing the length fails only near the end of the address space.
    let room = decoder
        .max_utf8_buffer_length(raw.len())
        .unwrap_or(3 * raw.len())
        .max(16);
    out.reserve(room);
    let mut at = 0;
    loop {
        let (result, read) = decoder.decode_to_string_without_replacement(&raw[at..], out, last);
        at += read;
        match result {
            DecoderResult::InputEmpty => break,
            DecoderResult::OutputFull => out.reserve(room),
            DecoderResult::Malformed(length, after) => {
                let mut recent = [0; 2 * RAW_KEPT];
                let from_raw = at.min(RAW_KEPT);
                let kept = before.len() + from_raw;
                recent[..before.len()].copy_from_slice(before);
                recent[before.len()..kept].copy_from_slice(&raw[at - from_raw..at]);
                let end = kept.saturating_sub(after.into());
                let bad = &recent[end.saturating_sub(length.into())..end];
                log.invalid(bad, &out.as_bytes()[start..]);
                out.push_str(REPLACEMENT);
            }
        }
    }
    before.extend_from_slice(&raw[raw.len().saturating_sub(RAW_KEPT)..]);
    before.drain(..before.len().saturating_sub(RAW_KEPT));
}

/// The invalid sequences found: the first ones individually, and the number of those after them.
#[derive(Default)]
struct InvalidLog {
    anomalies: Vec<DecodeAnomaly>,
    listed: i64,
    unlisted: i64,
    unlisted_at: i64,
    text_bytes: u64,
    /// The last text of earlier steps, which the caller may already have consumed.
    context: Vec<u8>,
}

impl InvalidLog {
    /// Records an invalid sequence that follows `text`, the text of this step so far.
    fn invalid(&mut self, bad: &[u8], text: &[u8]) {
        let byte_offset = (self.text_bytes + text.len() as u64) as i64;
        if self.listed == MAX_ANOMALIES_PER_KIND {
            if self.unlisted == 0 {
                self.unlisted_at = byte_offset;
            }
            self.unlisted += 1;
            return;
        }
        self.listed += 1;
        let bytes: String = bad.iter().map(|byte| format!("\\x{byte:02X}")).collect();
        let tail = &text[text.len().saturating_sub(CONTEXT_BYTES)..];
        let mut before = if tail.len() < CONTEXT_BYTES {
            self.context.clone()
        } else {
            Vec::new()
        };
        before.extend_from_slice(tail);
        let before = String::from_utf8_lossy(&before);
        let about = match before.char_indices().rev().nth(CONTEXT_CHARS - 1) {
            _ if before.is_empty() => format!("{bytes} at the start of the document"),
            Some((from, _)) if from > 0 => format!("{bytes} after \"…{}\"", &before[from..]),
            _ => format!("{bytes} after \"{}\"", before),
        };
        self.anomalies.push(DecodeAnomaly {
            kind: AnomalyKind::EncodingInvalid,
            byte_offset,
            in_text: true,
            breaks_xml: true,
            count: 1,
            evidence: evidence(&about),
        });
    }

    /// Remembers the end of a step's text.
    fn passed(&mut self, text: &[u8]) {
        self.text_bytes += text.len() as u64;
        self.context
            .extend_from_slice(&text[text.len().saturating_sub(CONTEXT_BYTES)..]);
        self.context.drain(..self.context.len().saturating_sub(CONTEXT_BYTES));
    }

    fn close(&mut self) {
        if self.unlisted > 0 {
            self.anomalies.push(DecodeAnomaly {
                kind: AnomalyKind::EncodingInvalid,
                byte_offset: self.unlisted_at,
                // It represents many places.
                in_text: false,
                breaks_xml: true,
                count: self.unlisted,
                evidence: format!("… and {} more", self.unlisted),
            });
        }
    }
}
