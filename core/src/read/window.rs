//! A sliding window over the decoded text, which knows the line and column of every byte in it.

use std::cell::Cell;
use std::collections::VecDeque;
use std::io;
use std::ops::Range;

use memchr::{memchr_iter, memrchr};

use crate::decode::{DecodeAnomaly, Decoder};

/// A position in the text. Lines and columns count from 1; columns count code points. Both saturate at the maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub line: i32,
    pub col: i32,
    pub byte_offset: i64,
}

/// A position in the buffer whose line and column are known.
#[derive(Clone, Copy)]
struct Mark {
    at: usize,
    line: i32,
    col: i32,
}

/// The part of the document that is in memory. Offsets into it (`usize`) are valid until the next `fill`.
pub struct Window {
    decoder: Decoder,
    /// Bytes to decode at a time.
    piece: usize,
    buf: String,
    /// Everything before this has been consumed and can be dropped.
    pos: usize,
    /// Offset of `buf[0]` in the document.
    base: u64,
    eof: bool,
    /// Anomalies of the decoder in the text from the position on, in order.
    noticed: VecDeque<DecodeAnomaly>,
    /// Its anomalies without a position in the text.
    noticed_elsewhere: Vec<DecodeAnomaly>,
    /// Where counting starts: at `pos`, or before it if no place was requested since.
    begin: Cell<Mark>,
    /// The last place that was requested.
    last: Cell<Mark>,
}

impl Window {
    pub fn new(decoder: Decoder, piece: usize) -> Self {
        let begin = Mark { at: 0, line: 1, col: 1 };
        Self {
            decoder,
            piece,
            buf: String::with_capacity(2 * piece),
            pos: 0,
            base: 0,
            eof: false,
            noticed: VecDeque::new(),
            noticed_elsewhere: Vec::new(),
            begin: Cell::new(begin),
            last: Cell::new(begin),
        }
    }

    /// The bytes in memory.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.buf.as_bytes()
    }

    /// The bytes in memory as text.
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.buf
    }

    /// Whether the window reaches the end of the document.
    #[inline]
    pub fn is_last(&self) -> bool {
        self.eof
    }

    #[inline]
    pub fn pos(&self) -> usize {
        self.pos
    }

    /// Returns the position in the document, in bytes of the decoded text.
    #[inline]
    pub fn offset(&self) -> u64 {
        self.base + self.pos as u64
    }

    /// Returns the text consumed since the position was at this offset, as far as it is still in memory.
    #[inline]
    pub fn since(&self, offset: u64) -> &str {
        let from = usize::try_from(offset.saturating_sub(self.base)).unwrap_or(self.pos);
        &self.buf[from.min(self.pos)..self.pos]
    }

    /// Marks everything before `pos` as consumed.
    #[inline]
    pub fn consume(&mut self, pos: usize) {
        debug_assert!(pos >= self.pos && pos <= self.buf.len());
        self.pos = pos;
    }

    /// Returns the text of a range. It must not split a character, which no token does: tokens start and end at ASCII
    /// bytes.
    #[inline]
    pub fn text(&self, range: Range<usize>) -> &str {
        &self.buf[range]
    }

    /// Whether no bytes are missing, either truncated or beyond a limit. Final at the end.
    pub fn is_complete(&self) -> bool {
        self.decoder.facts().complete
    }

    pub fn decoder(&mut self) -> &mut Decoder {
        &mut self.decoder
    }

    /// Drops consumed text and decodes more. Returns false at the end of the document.
    pub fn fill(&mut self) -> io::Result<bool> {
        if self.eof {
            return Ok(false);
        }
        self.place(self.pos);
        let dropped = self.pos;
        self.buf.drain(..dropped);
        self.base += dropped as u64;
        let begin = Mark {
            at: 0,
            ..self.begin.get()
        };
        self.begin.set(begin);
        self.last.set(begin);
        self.pos = 0;
        // A token longer than the window doubles it, so that rescanning it stays linear overall.
        let want = self.piece.max(self.buf.len());
        if self.decoder.read(&mut self.buf, want)? == 0 {
            self.eof = true;
        }
        for anomaly in self.decoder.take_anomalies() {
            if anomaly.in_text {
                self.noticed.push_back(anomaly);
            } else {
                self.noticed_elsewhere.push(anomaly);
            }
        }
        Ok(!self.eof)
    }

    /// Whether the decoder has pending anomalies in the text.
    #[inline]
    pub fn has_noticed(&self) -> bool {
        !self.noticed.is_empty()
    }

    /// Whether the decoder has pending anomalies in the text before an offset.
    #[inline]
    pub fn has_noticed_before(&self, at: usize) -> bool {
        match self.noticed.front() {
            None => false,
            Some(first) => first.byte_offset < (self.base + at as u64) as i64,
        }
    }

    /// Returns the decoder's next anomaly in the text before an offset, and its place. Call it before the text is
    /// consumed, so that it is attributed correctly however much of the text is in memory.
    #[cold]
    pub fn noticed_before(&mut self, at: usize) -> Option<(DecodeAnomaly, Place)> {
        if !self.has_noticed_before(at) {
            return None;
        }
        let anomaly = self.noticed.pop_front()?;
        let offset = usize::try_from(anomaly.byte_offset - self.base as i64).unwrap_or(self.pos);
        let place = self.place(offset.max(self.pos));
        Some((anomaly, place))
    }

    /// Returns the decoder's anomalies without a position in the text. All of them are known at the end of the
    /// document.
    pub fn noticed_elsewhere(&mut self) -> Vec<DecodeAnomaly> {
        std::mem::take(&mut self.noticed_elsewhere)
    }

    /// Returns the place of an offset that has not been consumed.
    ///
    /// Every byte is counted once as `pos` moves through the document, and once more within a token each time that
    /// places are requested out of order. A million problems in one token, or one in each token, therefore take linear
    /// time.
    pub fn place(&self, at: usize) -> Place {
        debug_assert!(at >= self.pos, "what was consumed is no longer counted");
        let (mut begin, last) = (self.begin.get(), self.last.get());
        if begin.at < self.pos {
            begin = self.count(if last.at <= self.pos { last } else { begin }, self.pos);
            self.begin.set(begin);
        }
        let at = at.max(begin.at);
        let mark = self.count(
            if last.at >= begin.at && last.at <= at {
                last
            } else {
                begin
            },
            at,
        );
        self.last.set(mark);
        Place {
            line: mark.line,
            col: mark.col,
            byte_offset: (self.base + at as u64) as i64,
        }
    }

    /// Sets the place of the position, for a caller that has already counted up to it.
    #[inline]
    pub fn set_place(&self, at: usize, line: i32, col: i32) {
        debug_assert!(at == self.pos);
        let mark = Mark { at, line, col };
        self.begin.set(mark);
        self.last.set(mark);
    }

    #[inline]
    fn count(&self, from: Mark, at: usize) -> Mark {
        let between = &self.buf.as_bytes()[from.at..at];
        if between.len() < 128 {
            // The usual distance from one field to the next: a plain loop is faster than two calls.
            let (mut line, mut col) = (from.line, from.col);
            for &byte in between {
                let is_break = byte == b'\n';
                line = line.saturating_add(i32::from(is_break));
                col = if is_break {
                    1
                } else {
                    col.saturating_add(i32::from((byte as i8) >= -0x40))
                };
            }
            return Mark { at, line, col };
        }
        match memrchr(b'\n', between) {
            None => Mark {
                at,
                line: from.line,
                col: from.col.saturating_add(code_points(between)),
            },
            Some(last) => Mark {
                at,
                line: from.line.saturating_add(small(memchr_iter(b'\n', between).count())),
                col: code_points(&between[last + 1..]).saturating_add(1),
            },
        }
    }
}

/// Returns the nearest character boundary at or before an offset. (`str::floor_char_boundary` is newer than Rust 1.88.)
#[cold]
pub fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Counts the code points in a piece of UTF-8: the bytes that do not continue a character.
fn code_points(bytes: &[u8]) -> i32 {
    small(bytes.iter().filter(|&&byte| (byte as i8) >= -0x40).count())
}

fn small(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::decode;
    use crate::limits::WINDOW;

    fn window(text: &str) -> Window {
        let options = decode::Options {
            max_inflated: u64::MAX,
            hash: false,
        };
        Window::new(
            Decoder::new(Box::new(Cursor::new(text.as_bytes().to_vec())), options),
            WINDOW,
        )
    }

    fn counted(text: &str, at: usize) -> Place {
        let line_begin = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        Place {
            line: text[..at].matches('\n').count() as i32 + 1,
            col: text[line_begin..at].chars().count() as i32 + 1,
            byte_offset: at as i64,
        }
    }

    #[test]
    fn places_in_any_order_and_across_windows() {
        let text = "<a>\n é日本\t😀\r\n".repeat(7_000) + &"x".repeat(WINDOW) + "\né";
        let mut window = window(&text);
        let mut base = 0;
        while window.fill().expect("memory can be read") {
            let boundaries: Vec<usize> = (0..window.bytes().len())
                .filter(|&at| text.is_char_boundary(base + at))
                .collect();
            for step in [1, 7, 1_000] {
                let from = window.pos();
                // Forwards, back to the start of the token, and forwards again.
                for &at in boundaries.iter().filter(|&&at| at >= from).step_by(997 * step).take(8) {
                    assert_eq!(window.place(at), counted(&text, base + at), "{at}");
                    assert_eq!(window.place(from), counted(&text, base + from), "{from}");
                }
                let next = boundaries.iter().find(|&&at| at >= from + step * 31);
                window.consume(*next.unwrap_or(&from));
            }
            window.consume(*boundaries.last().expect("a window that was filled is not empty"));
            base += window.pos();
        }
        assert_eq!(base + window.bytes().len(), text.len());
    }

    #[test]
    fn lines_and_columns_saturate() {
        for (text, line, col) in [
            ("a\nb", i32::MAX, i32::MAX - 1),
            ("ab\n", i32::MAX - 2, i32::MAX),
            (&"a".repeat(200), 1, i32::MAX - 7),
            (&"\n".repeat(200), i32::MAX - 7, 1),
        ] {
            let mut window = window(text);
            window.fill().expect("memory can be read");
            window.set_place(0, line, col);
            for at in 0..=text.len() {
                let place = window.place(at);
                assert!(place.line >= line && place.col >= 1, "{place:?}");
            }
            assert_eq!(
                window.place(text.len()).line,
                line.saturating_add(text.matches('\n').count() as i32)
            );
        }
    }
}
