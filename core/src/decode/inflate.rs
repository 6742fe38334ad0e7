//! Decompression of a gzip stream in constant memory, as far as it can be read.

use flate2::{Crc, Decompress, FlushDecompress, Status};

use crate::anomaly::{AnomalyKind, evidence};

/// Compressed bytes to take from the input at once.
const BLOCK: usize = 64 * 1024;
/// Bytes of trailing junk to quote.
const QUOTED: usize = 40;

// https://www.rfc-editor.org/rfc/rfc1952#section-2.3
const ID1: u8 = 0x1f;
const ID2: u8 = 0x8b;
const METHOD_DEFLATE: u8 = 8;
const FLAG_HEADER_CRC: u8 = 1 << 1;
const FLAG_EXTRA: u8 = 1 << 2;
const FLAG_NAME: u8 = 1 << 3;
const FLAG_COMMENT: u8 = 1 << 4;
const FLAGS_RESERVED: u8 = 0xe0;

/// Returns whether bytes start like a gzip stream. The compression method is not checked: a wrong one means damaged
/// gzip, not text.
pub(super) fn is_gzip(head: &[u8]) -> bool {
    head.starts_with(&[ID1, ID2])
}

#[derive(Clone, Copy)]
enum State {
    /// The header of a member, from the compression method on.
    Header,
    /// The deflate stream of a member.
    Data,
    /// Its CRC-32 and length.
    Trailer,
    /// After a member: padding, another member, junk or the end.
    Between,
    /// After the last useful byte. The source is still read to its end, for its size and hash.
    Drain,
}

/// The reason why reading a member stopped.
enum Stop {
    Truncated,
    Corrupt(String),
}

/// The bytes of a gzip stream.
pub(super) trait Input {
    /// Fills the buffer. Returns fewer bytes only at the end.
    fn fill(&mut self, buffer: &mut [u8]) -> usize;

    /// Returns whether bytes are missing for a reason outside the data.
    fn is_cut(&self) -> bool;
}

/// A problem with a gzip stream or with the size of the document; it has no position in the text.
pub(super) struct Fault {
    pub kind: AnomalyKind,
    pub evidence: String,
}

/// The decompression of a gzip stream with one or more members. <https://www.rfc-editor.org/rfc/rfc1952>
pub(super) struct Gzip<I> {
    input: I,
    block: Vec<u8>,
    at: usize,
    inflate: Decompress,
    crc: Crc,
    state: State,
    members: u64,
    /// Number of members whose trailer does not match their data, and the problem of the first one.
    bad_trailers: u64,
    bad_trailer: String,
    /// Number of bytes after the stream, and the first few of them.
    junk: u64,
    junk_head: Vec<u8>,
    stop: Option<Stop>,
    broken: bool,
}

impl<I: Input> Gzip<I> {
    /// Creates the decompressor of a stream whose first two bytes are known to be those of gzip.
    pub fn new(input: I) -> Self {
        let mut gzip = Gzip {
            input,
            block: Vec::new(),
            at: 0,
            inflate: Decompress::new(false),
            crc: Crc::new(),
            state: State::Header,
            members: 0,
            bad_trailers: 0,
            bad_trailer: String::new(),
            junk: 0,
            junk_head: Vec::new(),
            stop: None,
            broken: false,
        };
        gzip.skip(2);
        gzip
    }

    pub fn input(&self) -> &I {
        &self.input
    }

    pub fn input_mut(&mut self) -> &mut I {
        &mut self.input
    }

    /// Returns whether the data of the stream stops before its end, because it is damaged or truncated.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// Takes the next block of input. Returns false at the end.
    fn refill(&mut self) -> bool {
        self.block.resize(BLOCK, 0);
        let got = self.input.fill(&mut self.block);
        self.block.truncate(got);
        self.at = 0;
        got > 0
    }

    fn byte(&mut self) -> Option<u8> {
        if self.at == self.block.len() && !self.refill() {
            return None;
        }
        self.at += 1;
        Some(self.block[self.at - 1])
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        for _ in 0..count {
            self.byte()?;
        }
        Some(())
    }

    fn skip_string(&mut self) -> Option<()> {
        while self.byte()? != 0 {}
        Some(())
    }

    /// Fills the buffer. Returns fewer bytes only at the end of the stream, once the input was read to its end.
    pub fn fill(&mut self, out: &mut [u8]) -> usize {
        let mut filled = 0;
        while filled < out.len() {
            let step = match self.state {
                State::Header => self.header(),
                State::Data => self.data(&mut out[filled..]).map(|n| filled += n),
                State::Trailer => self.trailer(),
                State::Between => self.between(),
                State::Drain => {
                    while self.refill() {}
                    return filled;
                }
            };
            if let Err((stop, n)) = step {
                filled += n;
                self.stop_at(stop);
            }
        }
        filled
    }

    fn stop_at(&mut self, stop: Stop) {
        self.state = State::Drain;
        self.broken = true;
        // If the limit or the source cut the bytes off, that is the problem, not the stream.
        if !self.input.is_cut() {
            self.stop = Some(stop);
        }
    }

    fn header(&mut self) -> Result<(), (Stop, usize)> {
        let truncated = (Stop::Truncated, 0);
        match self.skip_header() {
            None => Err(truncated),
            Some(Err(reason)) => Err((Stop::Corrupt(reason), 0)),
            Some(Ok(())) => {
                self.members += 1;
                self.inflate.reset(false);
                self.crc.reset();
                self.state = State::Data;
                Ok(())
            }
        }
    }

    /// Skips the header of a member. The CRC of the header is not checked: the data has its own.
    fn skip_header(&mut self) -> Option<Result<(), String>> {
        let method = self.byte()?;
        if method != METHOD_DEFLATE {
            return Some(Err(format!(
                "unknown compression method {method} in the gzip header, expected 8"
            )));
        }
        let flags = self.byte()?;
        if flags & FLAGS_RESERVED != 0 {
            return Some(Err(format!("reserved flags set in the gzip header: {flags:#04x}")));
        }
        self.skip(6)?;
        if flags & FLAG_EXTRA != 0 {
            let length = u16::from_le_bytes([self.byte()?, self.byte()?]);
            self.skip(length.into())?;
        }
        if flags & FLAG_NAME != 0 {
            self.skip_string()?;
        }
        if flags & FLAG_COMMENT != 0 {
            self.skip_string()?;
        }
        if flags & FLAG_HEADER_CRC != 0 {
            self.skip(2)?;
        }
        Some(Ok(()))
    }

    fn data(&mut self, out: &mut [u8]) -> Result<usize, (Stop, usize)> {
        let mut filled = 0;
        while filled < out.len() {
            let at_end = self.at == self.block.len() && !self.refill();
            let (taken, given) = (self.inflate.total_in(), self.inflate.total_out());
            let status = self
                .inflate
                .decompress(&self.block[self.at..], &mut out[filled..], FlushDecompress::None);
            let taken = (self.inflate.total_in() - taken) as usize;
            let given = (self.inflate.total_out() - given) as usize;
            self.crc.update(&out[filled..filled + given]);
            self.at += taken;
            filled += given;
            match status {
                Ok(Status::StreamEnd) => {
                    self.state = State::Trailer;
                    break;
                }
                Ok(_) if at_end && given == 0 => return Err((Stop::Truncated, filled)),
                Ok(_) => {}
                Err(_) => {
                    let (member, place) = (self.members, self.inflate.total_out());
                    let reason = format!("invalid deflate data in member {member} after {place} decompressed bytes");
                    return Err((Stop::Corrupt(reason), filled));
                }
            }
        }
        Ok(filled)
    }

    fn trailer(&mut self) -> Result<(), (Stop, usize)> {
        let mut words = [0u8; 8];
        for word in &mut words {
            *word = self.byte().ok_or((Stop::Truncated, 0))?;
        }
        let [c0, c1, c2, c3, l0, l1, l2, l3] = words;
        let (crc, length) = (
            u32::from_le_bytes([c0, c1, c2, c3]),
            u32::from_le_bytes([l0, l1, l2, l3]),
        );
        // The length is stored modulo 2^32.
        let (real_crc, real_length) = (self.crc.sum(), self.inflate.total_out() as u32);
        if (crc, length) != (real_crc, real_length) {
            if self.bad_trailers == 0 {
                self.bad_trailer = format!(
                    "member {}: trailer has CRC-32 {crc:08x} and length {length}, data has {real_crc:08x} and {real_length}",
                    self.members
                );
            }
            self.bad_trailers += 1;
        }
        self.state = State::Between;
        Ok(())
    }

    /// Handles what follows a member. NUL padding can occur anywhere between members (tapes leave it); after anything
    /// else that is not a member, the search ends.
    fn between(&mut self) -> Result<(), (Stop, usize)> {
        let mut next = self.byte();
        while next == Some(0) {
            next = self.byte();
        }
        let mut seen = Vec::new();
        for expected in [ID1, ID2, METHOD_DEFLATE] {
            let Some(byte) = next else {
                self.state = State::Drain;
                return if seen.is_empty() {
                    Ok(())
                } else {
                    Err((Stop::Truncated, 0))
                };
            };
            seen.push(byte);
            if byte != expected {
                self.count_junk(seen);
                return Ok(());
            }
            if expected != METHOD_DEFLATE {
                next = self.byte();
            }
        }
        self.at -= 1;
        self.state = State::Header;
        Ok(())
    }

    fn count_junk(&mut self, seen: Vec<u8>) {
        self.junk = seen.len() as u64;
        self.junk_head = seen;
        loop {
            let rest = &self.block[self.at..];
            self.junk += rest.len() as u64;
            let wanted = QUOTED - self.junk_head.len();
            self.junk_head.extend_from_slice(&rest[..rest.len().min(wanted)]);
            if !self.refill() {
                break;
            }
        }
        self.state = State::Drain;
    }

    pub fn take_faults(&mut self) -> Vec<Fault> {
        let mut faults = Vec::new();
        if self.bad_trailers > 0 {
            let more = if self.bad_trailers > 1 {
                format!("; {} more", self.bad_trailers - 1)
            } else {
                String::new()
            };
            faults.push(Fault {
                kind: AnomalyKind::GzipCorrupt,
                evidence: self.bad_trailer.clone() + &more,
            });
        }
        match self.stop.take() {
            Some(Stop::Truncated) => {
                let evidence = format!("the data ends in member {}", self.members.max(1));
                faults.push(Fault {
                    kind: AnomalyKind::GzipTruncated,
                    evidence,
                });
            }
            Some(Stop::Corrupt(reason)) => {
                faults.push(Fault {
                    kind: AnomalyKind::GzipCorrupt,
                    evidence: evidence(&reason),
                });
            }
            None => {}
        }
        if self.junk > 0 {
            let quoted = String::from_utf8_lossy(&self.junk_head);
            let evidence = evidence(&format!("{} bytes, starting with \"{quoted}\"", self.junk));
            faults.push(Fault {
                kind: AnomalyKind::GzipTrailingData,
                evidence,
            });
        }
        faults
    }
}
