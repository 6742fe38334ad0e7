//! Files on their way to the disk: compressed if that is wanted, hashed as they go by, several at a time.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use flate2::{Compression, GzBuilder};
use twox_hash::XxHash3_128;

use super::Options;
use super::part::{Facts, Part};

/// Bytes that are written and hashed at a time: they are still near when the second begins.
const BLOCK: usize = 1 << 18;

/// Bytes of parts that may be on their way at a time, about.
const MOST_WAITING: u64 = 64 << 20;

/// Buffers that were in use, for use again: new ones would cost their pages.
#[derive(Clone, Default)]
pub struct Spare(Arc<Mutex<Vec<Vec<u8>>>>);

/// How many buffers are kept.
const MOST_SPARE: usize = 32;

impl Spare {
    pub fn take(&self) -> Vec<u8> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.pop().unwrap_or_default()
    }

    pub fn give(&self, mut buffer: Vec<u8>) {
        buffer.clear();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MOST_SPARE {
            kept.push(buffer);
        }
    }
}

/// A part that is on disk, under the number of its file.
#[derive(Clone, Debug)]
pub struct Saved {
    pub group: usize,
    pub file: usize,
    pub facts: Facts,
}

/// Writes parts to numbered files while others are still made.
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
    /// A saver that has `most` files on their way at a time.
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

    /// Hands a part to a thread that writes it, once there is room among those that do.
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

    /// Waits for all, and gives what was saved, in the order of the files.
    pub fn finish(&mut self) -> io::Result<Vec<Saved>> {
        while !self.running.is_empty() {
            self.join_first()?;
        }
        Ok(std::mem::take(&mut self.saved))
    }

    fn waiting(&self) -> u64 {
        self.running.iter().map(|(bytes, _)| bytes).sum()
    }

    fn join_first(&mut self) -> io::Result<()> {
        if let Some((_, running)) = self.running.pop_front() {
            let saved = running
                .join()
                .map_err(|_| io::Error::other("a thread that writes failed"))??;
            self.saved.push(saved);
        }
        Ok(())
    }
}

impl Drop for Saver {
    fn drop(&mut self) {
        // Nobody will ask how it went; the files must not appear after their folder was cleared.
        for (_, running) in self.running.drain(..) {
            drop(running.join());
        }
    }
}

/// Writes pieces to a new file, and notes its size and hash.
pub fn save<'a>(
    pieces: impl Iterator<Item = &'a [u8]>,
    path: &Path,
    gzip: Option<u32>,
    facts: &mut Facts,
) -> io::Result<()> {
    let mut file = Hashed::new(File::create_new(path)?);
    if let Some(level) = gzip {
        // No name and no time in the header, and an unknown system: the same bytes everywhere.
        let mut encoder = GzBuilder::new()
            .mtime(0)
            .operating_system(255)
            .write(io::BufWriter::with_capacity(BLOCK, file), Compression::new(level));
        in_equal_blocks(pieces, |block| encoder.write_all(block))?;
        file = encoder.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
    } else {
        for block in pieces.flat_map(|piece| piece.chunks(BLOCK)) {
            file.write_all(block)?;
        }
    }
    begin_writeback(&file.file);
    facts.file_bytes = file.length;
    facts.digest = format!("{:032x}", file.hash.finish_128());
    Ok(())
}

/// The digest of a file that is there already.
pub fn digest(path: &Path) -> io::Result<String> {
    let mut hash = XxHash3_128::new();
    let mut file = File::open(path)?;
    let mut block = vec![0; BLOCK];
    loop {
        let length = file.read(&mut block)?;
        if length == 0 {
            return Ok(format!("{:032x}", hash.finish_128()));
        }
        hash.write(&block[..length]);
    }
}

/// Has the system begin to write the file to the disk, and does not wait: flushing it later takes less time then.
#[cfg(target_os = "linux")]
fn begin_writeback(file: &File) {
    use std::os::fd::AsRawFd;
    // SAFETY: the descriptor is open as long as the file is borrowed. A failure changes nothing but the time: the file
    // is flushed when it is published.
    unsafe {
        libc::sync_file_range(file.as_raw_fd(), 0, 0, libc::SYNC_FILE_RANGE_WRITE);
    }
}

#[cfg(not(target_os = "linux"))]
fn begin_writeback(_: &File) {}

/// Hands on the same bytes in blocks of one size, however they come: what is compressed depends on that, too.
fn in_equal_blocks<'a>(
    pieces: impl Iterator<Item = &'a [u8]>,
    mut write: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut block = Vec::with_capacity(BLOCK);
    for mut piece in pieces {
        while !piece.is_empty() {
            let (head, rest) = piece.split_at(piece.len().min(BLOCK - block.len()));
            block.extend_from_slice(head);
            piece = rest;
            if block.len() == BLOCK {
                write(&block)?;
                block.clear();
            }
        }
    }
    write(&block)
}

/// A file whose bytes are counted and hashed as they go by.
struct Hashed {
    file: File,
    hash: XxHash3_128,
    length: u64,
}

impl Hashed {
    fn new(file: File) -> Self {
        Self {
            file,
            hash: XxHash3_128::new(),
            length: 0,
        }
    }
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.write(&bytes[..written]);
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
