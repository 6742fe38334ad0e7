//! The parts of one set of sitemaps: entries come by the thousand, are encoded on every core, and get their places in
//! order; full parts go to the disk meanwhile. What comes out does not depend on how many cores there are.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::Options;
use super::part::Part;
use super::places::Places;
use super::rows::Rows;
use super::save::{Saved, Saver};
use super::spare::Spare;
use super::workers::{Outcome, Workers};

/// Fewer rows than this are encoded where they are: a thread would take longer to begin.
const FEW: usize = 1024;

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
        let places = Places::new(saver, Arc::clone(&options));
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
        self.workers.with_places(|places| Ok(places.newest()))
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
