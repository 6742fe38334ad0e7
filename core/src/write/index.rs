//! An index of sitemaps.

use std::io;
use std::path::Path;

use super::escape::push_text;
use super::part::{Facts, footer, header};
use super::rows::Tally;
use super::{Options, file};

const ROOT: &str = "sitemapindex";

/// One sitemap listed in an index: its URL, and its lastmod as written.
pub struct Child<'a> {
    pub loc: &'a str,
    pub lastmod: Option<&'a str>,
}

/// Returns how many of the children, in order, fit into one index.
pub fn fitting(children: &[Child], options: &Options) -> usize {
    let mut bytes = (header(ROOT, 0, options).len() + footer(ROOT, options).len()) as u64;
    let mut entry = Vec::new();
    for (count, child) in children.iter().enumerate() {
        entry.clear();
        push(&mut entry, child, options);
        bytes += entry.len() as u64;
        if count as u64 >= options.max_entries || bytes > options.max_bytes {
            return count;
        }
    }
    children.len()
}

/// Builds an index of the children, all of which must fit.
pub fn document(children: &[Child], options: &Options) -> Vec<u8> {
    let mut out = header(ROOT, 0, options);
    for child in children {
        push(&mut out, child, options);
    }
    out.extend_from_slice(&footer(ROOT, options));
    out
}

/// Writes an index to a new file.
pub fn save_index(children: &[Child], path: &Path, options: &Options) -> io::Result<Facts> {
    let document = document(children, options);
    let written = file::write(std::iter::once(document.as_slice()), path, options.gzip)?;
    Ok(Facts {
        tally: Tally {
            entries: children.len() as u64,
            ..Tally::default()
        },
        bytes: document.len() as u64,
        file_bytes: written.bytes,
        digest: written.digest,
    })
}

fn push(out: &mut Vec<u8>, child: &Child, options: &Options) {
    let line = |out: &mut Vec<u8>, depth: usize| {
        if options.pretty {
            out.push(b'\n');
            out.resize(out.len() + 2 * depth, b' ');
        }
    };
    line(out, 1);
    out.extend_from_slice(b"<sitemap>");
    line(out, 2);
    out.extend_from_slice(b"<loc>");
    push_text(out, child.loc);
    out.extend_from_slice(b"</loc>");
    if let Some(lastmod) = child.lastmod {
        line(out, 2);
        out.extend_from_slice(b"<lastmod>");
        push_text(out, lastmod);
        out.extend_from_slice(b"</lastmod>");
    }
    line(out, 1);
    out.extend_from_slice(b"</sitemap>");
    if !options.pretty {
        out.push(b'\n');
    }
}
