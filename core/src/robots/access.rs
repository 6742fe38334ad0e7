//! Counts the listed URLs that each user agent may fetch, by section of the site: numbers instead of one row per URL.

use std::collections::BTreeMap;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use super::tables::{Agent, Asked};
use super::{OWN_PATH, Robots};

/// Maximum number of sections; URLs in further ones are counted as `OTHER`.
pub const MOST_SECTIONS: usize = 10_000;

/// All sections past the limit. No path equals it, because a section starts with a slash.
pub const OTHER: &str = "other";

/// One section of a site.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Access {
    /// Listed URLs in the section.
    pub urls: u64,
    /// For each user agent, the number of those URLs that it must not fetch.
    pub forbidden: Vec<u64>,
}

impl Robots {
    /// Counts by section the URLs that each user agent must not fetch.
    ///
    /// `urls` are batches of the table `urls`; entries of an origin other than that of this robots.txt are skipped.
    pub fn access(&self, urls: &[RecordBatch], agents: &[Agent]) -> Result<BTreeMap<String, Access>, ArrowError> {
        let asked = Asked::new(self, agents);
        let mut sections: BTreeMap<String, Access> = BTreeMap::new();
        let mut forbids = vec![false; asked.sets.len()];
        self.each_listed(urls, |_, _, path| {
            for (forbids, set) in forbids.iter_mut().zip(&asked.sets) {
                *forbids = *path != *OWN_PATH && set.deciding(path).is_some_and(|decision| !self.rule(decision).allow);
            }
            let found = place(&mut sections, &section_of(path), agents.len());
            found.urls += 1;
            for (count, (_, set)) in found.forbidden.iter_mut().zip(&asked.agents) {
                *count += u64::from(set.is_some_and(|set| forbids[set]));
            }
            Ok(())
        })?;
        Ok(sections)
    }
}

fn place<'a>(sections: &'a mut BTreeMap<String, Access>, section: &str, agents: usize) -> &'a mut Access {
    let is_known = sections.contains_key(section) || sections.len() < MOST_SECTIONS;
    let name = if is_known { section } else { OTHER };
    sections.entry(name.to_owned()).or_insert_with(|| Access {
        urls: 0,
        forbidden: vec![0; agents],
    })
}

/// Returns the section of a path: its first folder, such as `/blog/`, or `/` outside any folder.
fn section_of(path: &[u8]) -> String {
    let end = path.iter().position(|byte| *byte == b'?').unwrap_or(path.len());
    let folder = path[..end].iter().skip(1).position(|byte| *byte == b'/');
    let section = folder.map_or(&path[..path.len().min(1)], |at| &path[..at + 2]);
    String::from_utf8_lossy(section).into_owned()
}

#[cfg(test)]
mod tests {
    use super::section_of;

    #[test]
    fn a_section_is_the_first_folder() {
        let cases = [
            ("/", "/"),
            ("/about", "/"),
            ("/blog/", "/blog/"),
            ("/blog/2026/a", "/blog/"),
            ("/search?q=/a/b", "/"),
            ("//a", "//"),
            ("", ""),
        ];
        for (path, section) in cases {
            assert_eq!(section_of(path.as_bytes()), section, "{path}");
        }
    }
}
