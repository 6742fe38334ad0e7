//! The parts of one set of sitemaps: entries go to the part that is open for their group, full parts to the disk.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use super::encode::Encoder;
use super::entry::Entry;
use super::part::{Facts, Fit, Frame, Part};
use super::refusal::{Reason, Refusal};
use super::{Failure, Options, Sink};

/// A part that is on disk, under the number of its file.
#[derive(Clone, Debug)]
pub struct Saved {
    pub group: String,
    pub file: usize,
    pub facts: Facts,
}

/// A thread that writes a part, and gives back its buffer.
type Saving = JoinHandle<io::Result<(Saved, Vec<u8>)>>;

/// A set in the making. Its files are numbered in the order in which they became full; `finish` says whose they are.
pub struct Set {
    encoder: Encoder,
    options: Arc<Options>,
    folder: PathBuf,
    groups: Vec<(String, Part)>,
    current: usize,
    frame: Frame,
    files: usize,
    saved: Vec<Saved>,
    /// The file that is being written while entries go on coming.
    saving: Option<Saving>,
    /// A buffer that was in use, for the next part.
    spare: Vec<u8>,
}

impl Set {
    pub fn new(folder: PathBuf, options: Options) -> Self {
        Self {
            options: Arc::new(options.clone()),
            encoder: Encoder::new(options),
            folder,
            groups: Vec::new(),
            current: 0,
            frame: Frame::default(),
            files: 0,
            saved: Vec::new(),
            saving: None,
            spare: Vec::new(),
        }
    }

    /// What comes from here on belongs to this group.
    pub fn enter(&mut self, group: &str) {
        self.current = match self.groups.iter().position(|(name, _)| name == group) {
            Some(at) => at,
            None => {
                self.groups.push((group.to_owned(), Part::default()));
                self.groups.len() - 1
            }
        };
    }

    /// Writes what is left. A group without entries has no part.
    pub fn finish(&mut self) -> io::Result<Vec<Saved>> {
        for at in 0..self.groups.len() {
            let part = std::mem::take(&mut self.groups[at].1);
            if !part.is_empty() {
                self.save(at, part)?;
            }
        }
        self.wait()?;
        Ok(std::mem::take(&mut self.saved))
    }

    /// An empty part, for a set that has none and shall have one.
    pub fn save_empty(&mut self) -> io::Result<Saved> {
        self.files += 1;
        let (facts, _) = Part::default().save(&self.path(self.files), &self.options)?;
        Ok(Saved {
            group: String::new(),
            file: self.files,
            facts,
        })
    }

    /// Hands a part to a thread that writes it, once the one before it is done: compressing takes longer than gathering.
    fn save(&mut self, group: usize, part: Part) -> io::Result<()> {
        self.wait()?;
        self.files += 1;
        let (path, file) = (self.path(self.files), self.files);
        let group = self.groups[group].0.clone();
        let options = Arc::clone(&self.options);
        self.saving = Some(std::thread::spawn(move || {
            let (facts, spare) = part.save(&path, &options)?;
            Ok((Saved { group, file, facts }, spare))
        }));
        Ok(())
    }

    fn wait(&mut self) -> io::Result<()> {
        if let Some(saving) = self.saving.take() {
            let (saved, spare) = saving
                .join()
                .map_err(|_| io::Error::other("the thread that writes failed"))??;
            self.saved.push(saved);
            self.spare = spare;
        }
        Ok(())
    }

    fn path(&self, file: usize) -> PathBuf {
        self.folder.join(file.to_string())
    }
}

impl Sink for Set {
    /// Adds the entry to the current group.
    #[inline]
    fn push(&mut self, entry: &Entry) -> Result<(), Failure> {
        let part = &mut self.groups[self.current].1;
        let start = part.body.len();
        let written = self.encoder.encode(entry, &mut part.body).map_err(Failure::Refused)?;
        match part.fit(start, &written, &self.frame, &self.options) {
            Fit::Kept => Ok(()),
            Fit::TooLarge(bytes) => {
                part.body.truncate(start);
                let detail = format!(
                    "{bytes} bytes in a sitemap of its own, {} at most",
                    self.options.max_bytes
                );
                let loc = entry.loc.as_deref().unwrap_or_default();
                Err(Failure::Refused(Refusal::new(Reason::EntryTooLarge, "", &detail, loc)))
            }
            Fit::Full => {
                let full = part.split_off(start, &written, std::mem::take(&mut self.spare));
                self.save(self.current, full)?;
                Ok(())
            }
        }
    }

    fn has_dropped(&self) -> bool {
        !self.encoder.dropped.is_empty()
    }

    fn take_dropped(&mut self) -> Vec<Refusal> {
        std::mem::take(&mut self.encoder.dropped)
    }
}

impl Drop for Set {
    fn drop(&mut self) {
        // Nobody will ask how it went; the file must not appear after its folder was cleared.
        if let Some(saving) = self.saving.take() {
            drop(saving.join());
        }
    }
}
