//! A sliding window over the decoded text, which knows the line and column of every byte in it.

use std::cell::Cell;
use std::io;
use std::ops::Range;

use memchr::{memchr_iter, memrchr};

use crate::decode::Decoder;

/// How much is decoded at a time: small enough to stay in the processor's second-level cache.
const PIECE: usize = 128 * 1024;

/// A place in the text. Lines and columns count from 1; columns count code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub line: i32,
    pub col: i32,
    pub byte_offset: i64,
}

/// A place in the buffer whose line and column are known.
#[derive(Clone, Copy)]
struct Mark {
    at: usize,
    line: i32,
    col: i32,
}

/// The part of the document that is in memory. Offsets into it (`usize`) hold until the next `fill`.
pub struct Window {
    decoder: Decoder,
    buf: Vec<u8>,
    /// Everything before this has been consumed and may be dropped.
    pos: usize,
    /// Offset of `buf[0]` in the document.
    base: u64,
    eof: bool,
    /// Where counting begins: at `pos`, or before it if no place was asked for since.
    begin: Cell<Mark>,
    /// The place that was asked for last.
    last: Cell<Mark>,
}

impl Window {
    pub fn new(decoder: Decoder) -> Self {
        let begin = Mark { at: 0, line: 1, col: 1 };
        Self {
            decoder,
            buf: Vec::with_capacity(2 * PIECE),
            pos: 0,
            base: 0,
            eof: false,
            begin: Cell::new(begin),
            last: Cell::new(begin),
        }
    }

    /// The bytes in memory: valid UTF-8 as a whole.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
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

    /// Where in the document the position is, in bytes of the decoded text.
    #[inline]
    pub fn offset(&self) -> u64 {
        self.base + self.pos as u64
    }

    /// What was consumed since the position was at this offset, as far as it is still in memory.
    #[inline]
    pub fn since(&self, offset: u64) -> &str {
        let from = usize::try_from(offset.saturating_sub(self.base)).unwrap_or(self.pos);
        text_of(&self.buf, from.min(self.pos)..self.pos)
    }

    /// Marks everything before `pos` as consumed.
    #[inline]
    pub fn consume(&mut self, pos: usize) {
        debug_assert!(pos >= self.pos && pos <= self.buf.len());
        self.pos = pos;
    }

    /// The text of a range. It must not cut a character, which no token does: they begin and end at ASCII bytes.
    #[inline]
    pub fn text(&self, range: Range<usize>) -> &str {
        text_of(&self.buf, range)
    }

    /// Whether no bytes are missing: neither cut off nor beyond a bound. Final at the end.
    pub fn is_complete(&self) -> bool {
        self.decoder.facts().complete
    }

    pub fn decoder(&mut self) -> &mut Decoder {
        &mut self.decoder
    }

    /// Drops what was consumed and decodes more. False at the end of the document.
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
        // A token longer than the window doubles it, so that scanning it again stays linear in all.
        let want = PIECE.max(self.buf.len());
        if self.decoder.read(&mut self.buf, want)? == 0 {
            self.eof = true;
        }
        Ok(!self.eof)
    }

    /// The place of an offset that has not been consumed.
    ///
    /// Every byte is counted once on the way of `pos` through the document, and within a token once more each time that
    /// places are not asked for in order: so a million faults in one token, or one in each token, take linear time.
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

    /// Says the place of the position, for who has counted the way to it.
    #[inline]
    pub fn set_place(&self, at: usize, line: i32, col: i32) {
        debug_assert!(at == self.pos);
        let mark = Mark { at, line, col };
        self.begin.set(mark);
        self.last.set(mark);
    }

    #[inline]
    fn count(&self, from: Mark, at: usize) -> Mark {
        let between = &self.buf[from.at..at];
        if between.len() < 128 {
            // The usual distance from one field to the next: a plain loop is faster than two calls.
            let (mut line, mut col) = (from.line, from.col);
            for &byte in between {
                let is_break = byte == b'\n';
                line += i32::from(is_break);
                col = if is_break {
                    1
                } else {
                    col + i32::from((byte as i8) >= -0x40)
                };
            }
            return Mark { at, line, col };
        }
        match memrchr(b'\n', between) {
            None => Mark {
                at,
                line: from.line,
                col: from.col + code_points(between),
            },
            Some(last) => Mark {
                at,
                line: from.line + memchr_iter(b'\n', between).count() as i32,
                col: 1 + code_points(&between[last + 1..]),
            },
        }
    }

    /// The offset in the buffer of a place in the document, if it is in the window and was not consumed.
    pub fn offset_of(&self, byte_offset: i64) -> Option<usize> {
        let at = usize::try_from(byte_offset.checked_sub(self.base as i64)?).ok()?;
        (at >= self.pos && at <= self.buf.len()).then_some(at)
    }
}

/// The text of a range of bytes that are UTF-8 as a whole. The range must begin and end between characters.
#[inline]
pub fn text_of(bytes: &[u8], range: Range<usize>) -> &str {
    let piece = &bytes[range];
    debug_assert!(std::str::from_utf8(piece).is_ok(), "a range cuts a character");
    // SAFETY: the decoder delivers valid UTF-8 only, and every token begins and ends at an ASCII byte or at a
    // boundary that `str` methods gave. Checking each value again would cost a tenth of the reading time.
    unsafe { std::str::from_utf8_unchecked(piece) }
}

/// Code points in a piece of UTF-8: the bytes that do not continue a character.
fn code_points(bytes: &[u8]) -> i32 {
    bytes.iter().filter(|&&byte| (byte as i8) >= -0x40).count() as i32
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::decode;

    fn window(text: &str) -> Window {
        let options = decode::Options {
            max_inflated: u64::MAX,
            hash: false,
        };
        Window::new(Decoder::new(Box::new(Cursor::new(text.as_bytes().to_vec())), options))
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
    fn places_in_any_order_and_over_the_end_of_the_window() {
        let text = "<a>\n é日本\t😀\r\n".repeat(7_000) + &"x".repeat(PIECE) + "\né";
        let mut window = window(&text);
        let mut base = 0;
        while window.fill().expect("memory can be read") {
            let boundaries: Vec<usize> = (0..window.bytes().len())
                .filter(|&at| text.is_char_boundary(base + at))
                .collect();
            for step in [1, 7, 1_000] {
                let from = window.pos();
                // Forwards, back to the beginning of the token, and forwards again.
                for &at in boundaries.iter().filter(|&&at| at >= from).step_by(997 * step).take(8) {
                    assert_eq!(window.place(at), counted(&text, base + at), "{at}");
                    assert_eq!(window.place(from), counted(&text, base + from), "{from}");
                }
                let next = boundaries.iter().find(|&&at| at >= from + step * 31);
                window.consume(*next.unwrap_or(&from));
            }
            assert_eq!(window.offset_of((base + window.pos()) as i64), Some(window.pos()));
            assert_eq!(window.offset_of(base as i64 - 1), None);
            window.consume(*boundaries.last().expect("a window that was filled is not empty"));
            base += window.pos();
        }
        assert_eq!(base + window.bytes().len(), text.len());
    }
}
