//! Splits the bytes of a robots.txt into lines: size limit, byte order marks whole and partial, UTF-16, all line
//! endings.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

use super::problem::RobotsProblem;
use crate::limits::MAX_ROBOTS_BYTES;

/// The bytes that were read, in UTF-8 or something close to it.
pub struct Text<'a> {
    bytes: Cow<'a, [u8]>,
    pub encoding: &'static str,
    pub is_utf8: bool,
    pub has_bom: bool,
    pub is_html: bool,
    pub bytes_unread: usize,
    pub problems: Vec<(RobotsProblem, String)>,
}

/// Takes as much of a file as crawlers must read at least and urlset reads at most.
pub fn read(content: &[u8]) -> Text<'_> {
    let mut problems = Vec::new();
    let kept = &content[..content.len().min(MAX_ROBOTS_BYTES)];
    let is_cut = kept.len() < content.len();
    let (encoding, mark) = sniff(kept);
    let body = &kept[mark..];
    let mut bytes = match encoding {
        Some(encoding) => {
            problems.push((RobotsProblem::NotUtf8, encoding.name().to_owned()));
            Cow::Owned(encoding.decode_without_bom_handling(body).0.into_owned().into_bytes())
        }
        None => Cow::Borrowed(body),
    };
    let is_html = begins_as_html(&bytes);
    let begin = beginning(&bytes);
    if is_cut {
        problems.push((
            RobotsProblem::TooLarge,
            format!("{} bytes, of which {} were read", content.len(), kept.len()),
        ));
        // Half a line is a different rule from the whole line.
        let end = bytes.iter().rposition(|byte| is_end(*byte)).map_or(0, |at| at + 1);
        bytes.to_mut().truncate(end);
    }
    if is_html {
        problems.push((RobotsProblem::Html, begin));
    }
    Text {
        bytes,
        encoding: encoding.map_or("UTF-8", Encoding::name),
        is_utf8: encoding.is_none(),
        has_bom: mark > 0,
        is_html,
        bytes_unread: content.len() - kept.len(),
        problems,
    }
}

impl Text<'_> {
    /// Returns every line without its line ending, numbered from 1. CR, LF and CR LF each end a line.
    pub fn lines(&self) -> impl Iterator<Item = (i32, &[u8])> {
        let mut rest: &[u8] = &self.bytes;
        let mut number = 0;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            number += 1;
            let end = rest.iter().position(|byte| is_end(*byte)).unwrap_or(rest.len());
            let line = &rest[..end];
            rest = match &rest[end..] {
                [b'\r', b'\n', after @ ..] | [_, after @ ..] => after,
                [] => &[],
            };
            Some((number, line))
        })
    }
}

fn is_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// Returns UTF-16 if it is that, and the length of the byte order mark. Like Google, also skips a truncated UTF-8 mark:
/// <https://github.com/google/robotstxt/blob/master/robots.cc>.
fn sniff(bytes: &[u8]) -> (Option<&'static Encoding>, usize) {
    match bytes {
        [0xFF, 0xFE, ..] => (Some(UTF_16LE), 2),
        [0xFE, 0xFF, ..] => (Some(UTF_16BE), 2),
        [0xEF, 0xBB, 0xBF, ..] => (None, 3),
        [0xEF, 0xBB, ..] => (None, 2),
        [0xEF, ..] => (None, 1),
        [1..=0x7F, 0, 1..=0x7F, 0, ..] => (Some(UTF_16LE), 0),
        [0, 1..=0x7F, 0, 1..=0x7F, ..] => (Some(UTF_16BE), 0),
        _ => (None, 0),
    }
}

/// Matches only what no robots.txt starts with: a tag, a comment or a document type declaration.
fn begins_as_html(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    matches!(text, [b'<', b'!' | b'?' | b'a'..=b'z' | b'A'..=b'Z', ..])
}

fn beginning(bytes: &[u8]) -> String {
    let text = bytes.trim_ascii_start();
    String::from_utf8_lossy(&text[..text.len().min(60)]).into_owned()
}
