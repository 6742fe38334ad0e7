//! Levels: the bytes received and the content of each gzip stream, each counted and limited.

use std::io::{ErrorKind, Read};

use sha2::{Digest, Sha256};

use super::inflate::{Fault, Gzip, Input};
use crate::anomaly::AnomalyKind;

/// The reader that supplies the bytes. They are counted and hashed, and reading stops after an error.
pub(super) struct Source {
    reader: Box<dyn Read + Send>,
    hash: Option<Sha256>,
    error: Option<std::io::Error>,
    failed: bool,
    ended: bool,
    bytes: u64,
}

impl Source {
    pub fn new(reader: Box<dyn Read + Send>, hash: bool) -> Self {
        Source {
            reader,
            hash: hash.then(Sha256::new),
            error: None,
            failed: false,
            ended: false,
            bytes: 0,
        }
    }

    /// Fills the buffer. Returns fewer bytes only at the end or after an error, so that the size of the reader's pieces
    /// cannot matter.
    fn fill(&mut self, buffer: &mut [u8]) -> usize {
        let mut filled = 0;
        while filled < buffer.len() && !self.ended {
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => self.ended = true,
                Ok(n) => filled += n.min(buffer.len() - filled),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    (self.failed, self.ended) = (true, true);
                    self.error = Some(error);
                }
            }
        }
        self.bytes += filled as u64;
        if let Some(hash) = &mut self.hash {
            hash.update(&buffer[..filled]);
        }
        filled
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    pub fn take_error(&mut self) -> Option<std::io::Error> {
        self.error.take()
    }

    /// SHA-256 of the bytes read so far, in lowercase hexadecimal.
    pub fn sha256(&self) -> Option<String> {
        let digest = self.hash.clone()?.finalize();
        Some(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

enum Origin {
    Wire(Source),
    Gzip(Box<Gzip<Level>>),
}

/// The bytes of one level (those received, or the content of a gzip stream): limited, counted, with lookahead.
pub(super) struct Level {
    origin: Origin,
    head: Vec<u8>,
    head_at: usize,
    max: u64,
    bytes: u64,
    limited: bool,
}

impl Level {
    pub fn wire(source: Source, max: u64) -> Self {
        Self::over(Origin::Wire(source), max)
    }

    /// Replaces the level with the content of the gzip stream in it.
    pub fn inflate(&mut self, max: u64) {
        let nothing = Level::wire(Source::new(Box::new(std::io::empty()), false), 0);
        let input = std::mem::replace(self, nothing);
        *self = Self::over(Origin::Gzip(Box::new(Gzip::new(input))), max);
    }

    fn over(origin: Origin, max: u64) -> Self {
        Level {
            origin,
            head: Vec::new(),
            head_at: 0,
            max,
            bytes: 0,
            limited: false,
        }
    }

    /// Returns the first bytes without taking them. Returns fewer than `length` only if the level or its limit is
    /// shorter.
    pub fn peek(&mut self, length: usize) -> &[u8] {
        let length = usize::try_from(self.max).map_or(length, |max| length.min(max));
        if self.head.len() < length {
            let had = self.head.len();
            self.head.resize(length, 0);
            let got = self.origin.fill(&mut self.head[had..]);
            self.head.truncate(had + got);
        }
        &self.head[..length.min(self.head.len())]
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        let ahead = &self.head[self.head_at..];
        let from_head = ahead.len().min(buffer.len());
        buffer[..from_head].copy_from_slice(&ahead[..from_head]);
        self.head_at += from_head;
        if from_head == buffer.len() {
            from_head
        } else {
            from_head + self.origin.fill(&mut buffer[from_head..])
        }
    }

    /// Sets another limit, before any bytes were taken.
    pub fn set_max(&mut self, max: u64) {
        debug_assert_eq!(self.bytes, 0);
        self.max = max;
    }

    /// Number of bytes passed on.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    pub fn source(&self) -> &Source {
        match &self.origin {
            Origin::Wire(source) => source,
            Origin::Gzip(gzip) => gzip.input().source(),
        }
    }

    pub fn source_mut(&mut self) -> &mut Source {
        match &mut self.origin {
            Origin::Wire(source) => source,
            Origin::Gzip(gzip) => gzip.input_mut().source_mut(),
        }
    }

    /// Returns whether all bytes have arrived, as far as can be known.
    pub fn is_complete(&self) -> bool {
        !self.limited
            && match &self.origin {
                Origin::Wire(source) => !source.failed,
                Origin::Gzip(gzip) => !gzip.is_broken() && gzip.input().is_complete(),
            }
    }

    /// Returns the problems met so far, the outermost level first.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        let (mut faults, unit) = match &mut self.origin {
            Origin::Wire(_) => (Vec::new(), "bytes"),
            Origin::Gzip(gzip) => {
                let mut faults = gzip.input_mut().take_faults();
                faults.extend(gzip.take_faults());
                (faults, "decompressed bytes")
            }
        };
        // When a lower level reaches its limit, the levels above it stop, too; that is reported once.
        if self.limited && faults.iter().all(|fault: &Fault| fault.kind != AnomalyKind::SizeLimit) {
            faults.push(Fault {
                kind: AnomalyKind::SizeLimit,
                evidence: format!("more than {} {unit}", self.max),
            });
        }
        faults
    }
}

impl Input for Level {
    /// Fills the buffer. Returns fewer bytes only at the end, at the limit, or after an error of the source.
    fn fill(&mut self, buffer: &mut [u8]) -> usize {
        let room = usize::try_from(self.max - self.bytes).unwrap_or(usize::MAX);
        let length = buffer.len().min(room);
        let filled = self.pull(&mut buffer[..length]);
        self.bytes += filled as u64;
        // One more byte, which is dropped, shows whether the document is larger than the limit.
        if filled == room && !self.limited {
            self.limited = self.pull(&mut [0]) == 1;
        }
        filled
    }

    /// Returns whether bytes are missing for a reason outside the data: the limit, or an error of the source.
    fn is_cut(&self) -> bool {
        self.limited
            || match &self.origin {
                Origin::Wire(source) => source.failed,
                Origin::Gzip(gzip) => gzip.input().is_cut(),
            }
    }
}

impl Origin {
    fn fill(&mut self, buffer: &mut [u8]) -> usize {
        match self {
            Origin::Wire(source) => source.fill(buffer),
            Origin::Gzip(gzip) => gzip.fill(buffer),
        }
    }
}
