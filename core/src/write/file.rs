//! Writes one file to disk: compresses it if requested, and hashes it in the process.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use flate2::{Compression, GzBuilder};
use twox_hash::XxHash3_128;

/// Bytes to write and hash at a time: they are still in the cache for the second step.
const BLOCK: usize = 1 << 18;

/// Facts about a written file.
pub struct Written {
    /// Size of the file, in bytes.
    pub bytes: u64,
    /// XXH3 of the file in 128 bits, in hexadecimal.
    pub digest: String,
}

/// Writes pieces to a new file, compressed if there is a level.
pub fn write<'a>(pieces: impl Iterator<Item = &'a [u8]>, path: &Path, gzip: Option<u32>) -> io::Result<Written> {
    let mut file = Hashed::new(File::create_new(path)?);
    if let Some(level) = gzip {
        // No name and no time in the header, and an unknown system: the output is the same everywhere.
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
    Ok(Written {
        bytes: file.length,
        digest: format!("{:032x}", file.hash.finish_128()),
    })
}

/// Returns the digest of an existing file.
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

/// Tells the system to start writing the file to disk, without waiting: flushing it later then takes less time.
#[cfg(target_os = "linux")]
fn begin_writeback(file: &File) {
    use std::os::fd::AsRawFd;
    // SAFETY: the descriptor is open as long as the file is borrowed. A failure affects only the speed: the file is
    // flushed when it is published.
    unsafe {
        libc::sync_file_range(file.as_raw_fd(), 0, 0, libc::SYNC_FILE_RANGE_WRITE);
    }
}

#[cfg(not(target_os = "linux"))]
fn begin_writeback(_: &File) {}

/// Passes on the same bytes in blocks of equal size, because the compressed output depends on how its input is split.
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

/// A file that counts and hashes its bytes as they are written.
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
