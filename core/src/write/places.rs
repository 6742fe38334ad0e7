//! Puts encoded rows in input order and handles everything that depends on earlier entries.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::Options;
use super::newest::Newest;
use super::part::{Fit, Frame, Part, Piece};
use super::refusal::Refusal;
use super::rows::{Encoded, Row, Rows, Tally, omission};
use super::save::{Saved, Saver};
use super::seen::Seen;
use super::stable::Stable;

/// How many hashes ahead to prefetch.
const AHEAD: usize = 8;

/// Puts encoded rows into their parts, in order.
pub struct Places {
    parts: Vec<Part>,
    seen: Option<Seen>,
    frame: Frame,
    newest: Newest,
    /// Number of entries in the parts.
    placed: u64,
    saver: Saver,
    options: Arc<Options>,
    /// Receives the entries instead of the parts, if each URL stays in its part across builds.
    stable: Option<Stable>,
}

impl Places {
    pub fn new(saver: Saver, options: Arc<Options>, folder: PathBuf) -> Self {
        let stable = options.merges.map(|_| Stable::new(folder, Arc::clone(&options)));
        Self {
            parts: Vec::new(),
            seen: (options.unique && stable.is_none()).then(Seen::new),
            frame: Frame::default(),
            newest: Newest::new(options.newest),
            placed: 0,
            saver,
            stable,
            options,
        }
    }

    /// Puts rows into the part of their group, and passes the part on when it is full. Returns how many were taken, and
    /// the buffer of the rows if no part shares it.
    pub fn put(&mut self, group: usize, rows: &dyn Rows, encoded: &mut Encoded) -> io::Result<(u64, Option<Vec<u8>>)> {
        if let Some(stable) = &mut self.stable {
            let bytes = std::mem::take(&mut encoded.bytes);
            let taken = stable.put(group, rows, encoded, &bytes)?;
            return Ok((taken, Some(bytes)));
        }
        if self.parts.len() <= group {
            self.parts.resize_with(group + 1, Part::default);
        }
        let repeated = self.repeated(&encoded.rows);
        let piece = Piece::new(std::mem::take(&mut encoded.bytes));
        let part = &mut self.parts[group];
        let taken = if repeated.is_empty() && part.has_room(&encoded.tally, piece.length(), &self.frame, &self.options)
        {
            part.append(&piece, 0..piece.length(), &encoded.tally);
            if self.options.newest > 0 {
                let mut begin = 0;
                for row in &encoded.rows {
                    let range = std::mem::replace(&mut begin, row.end)..row.end;
                    self.placed += 1;
                    self.newest
                        .offer(row.written.lastmod, self.placed, &piece.bytes()[range]);
                }
            }
            encoded.rows.len() as u64
        } else {
            self.put_each(group, rows, encoded, &piece, &repeated)?
        };
        Ok((taken, piece.into_buffer()))
    }

    /// Same as `put`, row by row: some URLs were already written, or not all rows fit into the part.
    fn put_each(
        &mut self,
        group: usize,
        rows: &dyn Rows,
        encoded: &mut Encoded,
        piece: &Piece,
        repeated: &[usize],
    ) -> io::Result<u64> {
        let (mut taken, mut begin) = (0, 0);
        let mut repeated = repeated.iter().copied().peekable();
        let encoded_rows = std::mem::take(&mut encoded.rows);
        for (at, row) in encoded_rows.iter().enumerate() {
            let range = std::mem::replace(&mut begin, row.end)..row.end;
            if repeated.next_if_eq(&at).is_some() {
                encoded.refuse_repeated(row.place, rows.given(row.place));
                continue;
            }
            match self.parts[group].fit(&row.written, range.len(), &self.frame, &self.options) {
                Fit::Fits => {}
                Fit::Full => {
                    let full = std::mem::take(&mut self.parts[group]);
                    self.saver.save(group, full)?;
                }
                Fit::TooLarge(bytes) => {
                    let given = rows.given(row.place);
                    let refusal = Refusal::too_large(&given.1, bytes, self.options.max_bytes);
                    encoded.omissions.push(omission(row.place, given, refusal, true));
                    continue;
                }
            }
            self.placed += 1;
            self.newest
                .offer(row.written.lastmod, self.placed, &piece.bytes()[range.clone()]);
            self.parts[group].append(piece, range, &Tally::of(&row.written));
            taken += 1;
        }
        encoded.rows = encoded_rows;
        Ok(taken)
    }

    /// Returns which rows have a URL that was already written; the URLs of all others are remembered.
    fn repeated(&mut self, rows: &[Row]) -> Vec<usize> {
        let Some(seen) = &mut self.seen else {
            return Vec::new();
        };
        let mut repeated = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            if let Some(later) = rows.get(at + AHEAD) {
                seen.prefetch(later.written.hash);
            }
            if !seen.insert(row.written.hash) {
                repeated.push(at);
            }
        }
        repeated
    }

    /// Returns the URL and lastmod of the newest entries, after `finish`.
    pub fn newest(&self) -> Vec<(String, i64)> {
        self.newest.sorted()
    }

    /// Returns the entries whose URL stays in its part.
    pub fn stable(&mut self) -> io::Result<&mut Stable> {
        let missing = || io::Error::other("the parts of this set are not stable");
        self.stable.as_mut().ok_or_else(missing)
    }

    /// Passes on every part that has entries, and waits until all are on disk.
    pub fn finish(&mut self) -> io::Result<Vec<Saved>> {
        if let (Some(stable), Some(most)) = (&mut self.stable, self.options.merges) {
            stable.arrange(most)?;
            stable.save(&mut self.saver, &mut self.newest)?;
        }
        for (group, part) in self.parts.iter_mut().enumerate() {
            if !part.is_empty() {
                self.saver.save(group, std::mem::take(part))?;
            }
        }
        self.saver.finish()
    }

    /// Waits until no thread writes.
    pub fn stop(&mut self) {
        self.saver.stop();
    }
}
