//! The parts of one set of sitemaps: entries come by the thousand, are encoded on every core, and get their places in
//! order; full parts go to the disk meanwhile. What comes out does not depend on how many cores there are.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::Options;
use super::newest::Newest;
use super::part::{Fit, Frame, Part, Piece};
use super::refusal::{Reason, Refusal};
use super::rows::{Encoded, Row, Rows, Tally, told};
use super::save::{Saved, Saver, Spare};
use super::seen::Seen;
use super::workers::{Outcome, Workers};

/// Fewer rows than this are encoded where they are: a thread would take longer to begin.
const FEW: usize = 1024;

/// How far ahead the places of hashes are brought near.
const AHEAD: usize = 8;

/// A set in the making. Its files are numbered in the order in which they became full; `finish` says whose they are.
pub struct Set {
    groups: Vec<String>,
    options: Arc<Options>,
    workers: Workers,
    folder: PathBuf,
}

impl Set {
    /// A set whose entries are encoded by so many threads.
    pub fn new(folder: PathBuf, options: Options, threads: usize) -> Self {
        let options = Arc::new(options);
        let spare = Spare::default();
        let saver = Saver::new(folder.clone(), Arc::clone(&options), spare.clone(), 2 * threads);
        let places = Places {
            parts: Vec::new(),
            seen: options.unique.then(Seen::new),
            frame: Frame::default(),
            newest: Newest::new(options.newest),
            saver,
            options: Arc::clone(&options),
        };
        Self {
            groups: Vec::new(),
            workers: Workers::new(places, (*options).clone(), spare, threads),
            options,
            folder,
        }
    }

    /// Adds rows to a group; they are encoded at once or later. `tag` comes back with what became of them.
    pub fn add(&mut self, group: &str, rows: Box<dyn Rows>, tag: u64) -> io::Result<()> {
        let at = match self.groups.iter().position(|name| name == group) {
            Some(at) => at,
            None => {
                self.groups.push(group.to_owned());
                self.groups.len() - 1
            }
        };
        if rows.count() < FEW && self.workers.are_idle() {
            self.workers.work_here(at, rows, tag)
        } else {
            self.workers.hand_over(at, rows, tag)
        }
    }

    /// What became of the rows that are done, in their order.
    pub fn outcomes(&mut self) -> Vec<Outcome> {
        self.workers.outcomes()
    }

    /// Waits until all rows are done.
    pub fn wait(&mut self) -> io::Result<()> {
        self.workers.wait()
    }

    /// Writes what is left. A group without entries has no part.
    pub fn finish(&mut self) -> io::Result<Vec<Saved>> {
        self.workers.wait()?;
        self.workers.with_places(Places::finish)
    }

    /// URL and lastmod of the newest entries, once it is finished.
    pub fn newest(&mut self) -> io::Result<Vec<(String, i64)>> {
        self.workers.with_places(|places| Ok(places.newest.sorted()))
    }

    pub fn group(&self, at: usize) -> &str {
        self.groups.get(at).map_or("", String::as_str)
    }

    /// An empty part, for a set that has none and shall have one.
    pub fn save_empty(&mut self) -> io::Result<Saved> {
        let path = self.folder.join("0");
        let facts = Part::default().save(&path, &self.options, &Spare::default())?;
        Ok(Saved {
            group: 0,
            file: 0,
            facts,
        })
    }
}

/// Where encoded rows get their places, in order.
pub struct Places {
    parts: Vec<Part>,
    seen: Option<Seen>,
    frame: Frame,
    newest: Newest,
    saver: Saver,
    options: Arc<Options>,
}

impl Places {
    /// Puts rows into the part of their group, and hands it on when it is full. Returns how many were taken, and the
    /// buffer of the rows if no part shares it.
    pub fn put(&mut self, group: usize, rows: &dyn Rows, encoded: &mut Encoded) -> io::Result<(u64, Option<Vec<u8>>)> {
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
                    self.newest.offer(row.written.lastmod, &piece.bytes()[range]);
                }
            }
            encoded.rows.len() as u64
        } else {
            self.put_each(group, rows, encoded, &piece, &repeated)?
        };
        Ok((taken, piece.into_buffer()))
    }

    /// As `put`, row by row: some were written before, or not all fit into the part.
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
                    let refusal = too_large(&given.1, bytes, self.options.max_bytes);
                    encoded.told.push(told(row.place, given, refusal, true));
                    continue;
                }
            }
            self.newest.offer(row.written.lastmod, &piece.bytes()[range.clone()]);
            self.parts[group].append(piece, range, &Tally::of(&row.written));
            taken += 1;
        }
        encoded.rows = encoded_rows;
        Ok(taken)
    }

    /// Which rows have a URL that was written before; all others have their URLs remembered.
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

    fn finish(&mut self) -> io::Result<Vec<Saved>> {
        for (group, part) in self.parts.iter_mut().enumerate() {
            if !part.is_empty() {
                self.saver.save(group, std::mem::take(part))?;
            }
        }
        self.saver.finish()
    }
}

#[cold]
fn too_large(loc: &str, bytes: u64, most: u64) -> Refusal {
    let detail = format!("{bytes} bytes in a sitemap of its own, {most} at most");
    Refusal::new(Reason::EntryTooLarge, "", &detail, loc)
}
