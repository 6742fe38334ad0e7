//! Assembles the result: the body as a stream, and where it can be split into parts.

/// A part of the body that becomes a document of its own if the whole exceeds the limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Where it ends in the body, in bytes.
    pub end: u64,
    pub entries: u64,
}

/// Limits of one part.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub entries: u64,
    pub bytes: u64,
}

pub struct Output {
    limits: Limits,
    /// Bytes written and not yet taken.
    pub waiting: Vec<u8>,
    pub body: u64,
    pub entries: u64,
    /// Parts that are full; the last one starts after them.
    pub parts: Vec<Part>,
    part_begin: u64,
    part_entries: u64,
    /// Maximum bytes around the body of each part.
    pub around: u64,
}

impl Output {
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            waiting: Vec::new(),
            body: 0,
            entries: 0,
            parts: Vec::new(),
            part_begin: 0,
            part_entries: 0,
            around: 0,
        }
    }

    pub fn put(&mut self, text: &str) {
        self.waiting.extend_from_slice(text.as_bytes());
        self.body += text.len() as u64;
    }

    /// Writes an entry, with the text before it.
    pub fn put_entry(&mut self, before: &str, entry: &str) {
        let length = (before.len() + entry.len()) as u64;
        let is_full = self.part_entries >= self.limits.entries
            || self.body - self.part_begin + length + self.around > self.limits.bytes;
        if is_full && self.part_entries > 0 {
            self.cut();
        }
        self.put(before);
        self.put(entry);
        self.entries += 1;
        self.part_entries += 1;
    }

    fn cut(&mut self) {
        self.parts.push(Part {
            end: self.body,
            entries: self.part_entries,
        });
        self.part_begin = self.body;
        self.part_entries = 0;
    }

    /// Returns the parts, including the last one, or none if the whole, with `around` bytes around the body, is within
    /// the limits.
    pub fn finish(&mut self, around: u64) -> Vec<Part> {
        if self.entries <= self.limits.entries && self.body + around <= self.limits.bytes {
            return Vec::new();
        }
        self.cut();
        std::mem::take(&mut self.parts)
    }
}
