//! An encoded entry in a temporary file, with the facts that limits and reports need.

use crate::write::encode::Written;

/// Marks an entry without lastmod.
const UNDATED: i64 = i64::MIN;

const IS_KEPT: u8 = 1;
const IS_UNESCAPED: u8 = 2;
const IS_EXTENDED: u8 = 4;

#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    pub key: u128,
    /// The number of the entry among all passed in.
    pub number: u64,
    pub group: u32,
    pub part: u32,
    /// Whether it was in this part before.
    pub is_kept: bool,
    pub written: Written,
    pub entry: &'a [u8],
}

impl<'a> Record<'a> {
    pub fn push(&self, out: &mut Vec<u8>) {
        let written = &self.written;
        let is_extended = written.namespaces != 0;
        let flags = (u8::from(self.is_kept) * IS_KEPT)
            | (u8::from(written.unescaped) * IS_UNESCAPED)
            | (u8::from(is_extended) * IS_EXTENDED);
        out.push(flags);
        out.extend_from_slice(&(self.entry.len() as u32).to_le_bytes());
        out.extend_from_slice(&self.key.to_le_bytes());
        out.extend_from_slice(&self.number.to_le_bytes());
        out.extend_from_slice(&self.group.to_le_bytes());
        out.extend_from_slice(&self.part.to_le_bytes());
        out.extend_from_slice(&written.lastmod.unwrap_or(UNDATED).to_le_bytes());
        if is_extended {
            for count in [
                written.namespaces,
                written.alternates,
                written.images,
                written.videos,
                written.news,
                written.deprecated,
                u32::from(written.deprecated_fields),
            ] {
                out.extend_from_slice(&count.to_le_bytes());
            }
        }
        out.extend_from_slice(self.entry);
    }

    /// Reads the record at the start of `bytes`, and moves `bytes` behind it; `None` at the end.
    pub fn read(bytes: &mut &'a [u8]) -> Option<Self> {
        let flags = take::<1>(bytes)?[0];
        let length = u32::from_le_bytes(take(bytes)?) as usize;
        let key = u128::from_le_bytes(take(bytes)?);
        let number = u64::from_le_bytes(take(bytes)?);
        let group = u32::from_le_bytes(take(bytes)?);
        let part = u32::from_le_bytes(take(bytes)?);
        let lastmod = i64::from_le_bytes(take(bytes)?);
        let mut written = Written {
            lastmod: (lastmod != UNDATED).then_some(lastmod),
            key,
            unescaped: flags & IS_UNESCAPED != 0,
            ..Written::default()
        };
        if flags & IS_EXTENDED != 0 {
            let mut count = || Some(u32::from_le_bytes(take(bytes)?));
            written.namespaces = count()?;
            written.alternates = count()?;
            written.images = count()?;
            written.videos = count()?;
            written.news = count()?;
            written.deprecated = count()?;
            written.deprecated_fields = count()? as u8;
        }
        let (entry, rest) = bytes.split_at_checked(length)?;
        *bytes = rest;
        Some(Self {
            key,
            number,
            group,
            part,
            is_kept: flags & IS_KEPT != 0,
            written,
            entry,
        })
    }

    /// Returns all records.
    pub fn all(mut bytes: &'a [u8]) -> Vec<Self> {
        std::iter::from_fn(|| Self::read(&mut bytes)).collect()
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*head)
}
