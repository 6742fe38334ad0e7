//! Saves parts to disk, several at a time.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use super::Options;
use super::part::{Facts, Part};
use super::spare::Spare;

/// Approximate number of bytes of parts that may be queued at a time.
const MOST_WAITING: u64 = 64 << 20;

/// A part that is on disk, with the number of its file.
#[derive(Clone, Debug)]
pub struct Saved {
    pub group: usize,
    pub file: usize,
    pub facts: Facts,
}

/// Writes parts to numbered files while others are still being built.
pub struct Saver {
    folder: PathBuf,
    options: Arc<Options>,
    spare: Spare,
    most: usize,
    files: usize,
    running: VecDeque<(u64, JoinHandle<io::Result<Saved>>)>,
    saved: Vec<Saved>,
}

impl Saver {
    /// Creates a saver that writes at most `most` files at a time.
    pub fn new(folder: PathBuf, options: Arc<Options>, spare: Spare, most: usize) -> Self {
        Self {
            folder,
            options,
            spare,
            most,
            files: 0,
            running: VecDeque::new(),
            saved: Vec::new(),
        }
    }

    /// Passes a part to a thread that writes it, once there is capacity.
    pub fn save(&mut self, group: usize, part: Part) -> io::Result<()> {
        let bytes = part.bytes();
        while !self.running.is_empty() && (self.running.len() >= self.most || self.waiting() + bytes > MOST_WAITING) {
            self.join_first()?;
        }
        self.files += 1;
        let file = self.files;
        let path = self.folder.join(file.to_string());
        let (options, spare) = (Arc::clone(&self.options), self.spare.clone());
        let running = std::thread::Builder::new()
            .name("urlset-save".to_owned())
            .spawn(move || {
                let facts = part.save(&path, &options, &spare)?;
                Ok(Saved { group, file, facts })
            })?;
        self.running.push_back((bytes, running));
        Ok(())
    }

    /// Waits for all, and returns what was saved, in the order of the files.
    pub fn finish(&mut self) -> io::Result<Vec<Saved>> {
        while !self.running.is_empty() {
            self.join_first()?;
        }
        Ok(std::mem::take(&mut self.saved))
    }

    /// Waits until no thread writes. What they wrote is forgotten.
    pub fn stop(&mut self) {
        for (_, running) in self.running.drain(..) {
            drop(running.join());
        }
    }

    fn waiting(&self) -> u64 {
        self.running.iter().map(|(bytes, _)| bytes).sum()
    }

    fn join_first(&mut self) -> io::Result<()> {
        if let Some((_, running)) = self.running.pop_front() {
            let saved = running
                .join()
                .map_err(|_| io::Error::other("a writer thread failed"))??;
            self.saved.push(saved);
        }
        Ok(())
    }
}

impl Drop for Saver {
    fn drop(&mut self) {
        // The result is no longer needed, but no file may appear after the folder was cleared.
        self.stop();
    }
}
