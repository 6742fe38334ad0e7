//! The parts of one set of sitemaps: entries arrive by the thousand, are encoded on every core, and are put in order,
//! while full parts are written to disk. The output does not depend on the number of cores.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::Options;
use super::part::Part;
use super::places::Places;
use super::rows::Rows;
use super::save::{Saved, Saver};
use super::spare::Spare;
use super::stable::{PartName, Stable};
use super::workers::{Outcome, Workers};

/// Fewer rows than this are encoded on the calling thread: starting another would take longer.
const FEW: usize = 1024;

/// A set under construction. Its files are numbered in the order in which they became full; `finish` returns their
/// groups.
pub struct Set {
    groups: Vec<String>,
    options: Arc<Options>,
    workers: Workers,
    folder: PathBuf,
}

impl Set {
    /// Creates a set whose entries are encoded by `threads` threads.
    pub fn new(folder: PathBuf, options: Options, threads: usize) -> Self {
        let options = Arc::new(options);
        let spare = Spare::default();
        let saver = Saver::new(folder.clone(), Arc::clone(&options), spare.clone(), 2 * threads);
        let places = Places::new(saver, Arc::clone(&options), folder.clone());
        Self {
            groups: Vec::new(),
            workers: Workers::new(places, (*options).clone(), spare, threads),
            options,
            folder,
        }
    }

    /// Adds rows to a group; they are encoded now or later. `tag` is returned with their outcome.
    pub fn add(&mut self, group: &str, rows: Box<dyn Rows>, tag: u64) -> io::Result<()> {
        let at = self.group_at(group);
        if rows.count() < FEW && self.workers.are_idle() {
            self.workers.work_here(at, rows, tag)
        } else {
            self.workers.hand_over(at, rows, tag)
        }
    }

    fn group_at(&mut self, group: &str) -> usize {
        match self.groups.iter().position(|name| name == group) {
            Some(at) => at,
            None => {
                self.groups.push(group.to_owned());
                self.groups.len() - 1
            }
        }
    }

    /// Sets the published parts, by group and number, once all entries are added.
    pub fn know_parts(&mut self, parts: &[(String, u64)]) -> io::Result<()> {
        self.wait()?;
        let name = |(group, number): &(String, u64)| PartName {
            group: self.group_at(group),
            number: *number,
        };
        let names = parts.iter().map(name).collect();
        self.with_stable(|stable| {
            stable.know_parts(names);
            Ok(())
        })
    }

    /// Returns the group and number of each part; the files that `finish` returns are numbered like these.
    pub fn part_names(&mut self) -> io::Result<Vec<(String, u64)>> {
        let names = self.with_stable(|stable| Ok(stable.names()))?;
        let name = |name: &PartName| (self.group(name.group).to_owned(), name.number);
        Ok(names.iter().map(name).collect())
    }

    /// Uses the entries whose URL stays in its part.
    pub fn with_stable<T>(&mut self, work: impl FnOnce(&mut Stable) -> io::Result<T>) -> io::Result<T> {
        self.workers.with_places(|places| work(places.stable()?))
    }

    /// Returns the outcomes of the rows that are done, in order.
    pub fn outcomes(&mut self) -> Vec<Outcome> {
        self.workers.outcomes()
    }

    /// Waits until all rows are done.
    pub fn wait(&mut self) -> io::Result<()> {
        self.workers.wait()
    }

    /// Writes the remaining entries. A group without entries has no part.
    pub fn finish(&mut self) -> io::Result<Vec<Saved>> {
        self.workers.wait()?;
        self.workers.with_places(Places::finish)
    }

    /// Ends the set without its remaining entries: no thread writes to the folder after this.
    pub fn stop(&mut self) {
        self.workers.stop();
    }

    /// Returns the URL and lastmod of the newest entries, after `finish`.
    pub fn newest(&mut self) -> io::Result<Vec<(String, i64)>> {
        self.workers.with_places(|places| Ok(places.newest()))
    }

    pub fn group(&self, at: usize) -> &str {
        self.groups.get(at).map_or("", String::as_str)
    }

    /// Saves an empty part, for a set without entries that must have a file.
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
