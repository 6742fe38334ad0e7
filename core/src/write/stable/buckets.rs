//! Bytes divided into numbered buckets: in memory while they are few, then in temporary files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Bytes of a bucket to write at a time.
const BLOCK: usize = 1 << 15;

pub struct Buckets {
    folder: PathBuf,
    name: &'static str,
    buffers: Vec<Vec<u8>>,
    /// Bytes of each bucket on disk.
    on_disk: Vec<u64>,
    bytes: u64,
}

impl Buckets {
    /// Creates empty buckets; their files are named `name-number`.
    pub fn new(folder: &Path, name: &'static str, count: usize) -> Self {
        Self {
            folder: folder.to_owned(),
            name,
            buffers: vec![Vec::new(); count],
            on_disk: vec![0; count],
            bytes: 0,
        }
    }

    pub fn count(&self) -> usize {
        self.buffers.len()
    }

    /// Bytes in all of them.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Lets `write` append to a bucket.
    pub fn push(&mut self, at: usize, write: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        let buffer = &mut self.buffers[at];
        let before = buffer.len();
        write(buffer);
        self.bytes += (buffer.len() - before) as u64;
        if buffer.len() >= BLOCK {
            // Opened each time: thousands of files cannot be open at once.
            let path = self.folder.join(format!("{}-{at}", self.name));
            let mut file = OpenOptions::new().create(true).append(true).open(path)?;
            file.write_all(buffer)?;
            self.on_disk[at] += buffer.len() as u64;
            buffer.clear();
        }
        Ok(())
    }

    /// Returns the content of a bucket.
    pub fn read(&self, at: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(self.on_disk[at] as usize + self.buffers[at].len());
        if self.on_disk[at] > 0 {
            File::open(self.path(at))?.read_to_end(&mut bytes)?;
        }
        bytes.extend_from_slice(&self.buffers[at]);
        Ok(bytes)
    }

    /// Returns the content of a bucket, and empties it.
    pub fn take(&mut self, at: usize) -> io::Result<Vec<u8>> {
        let bytes = self.read(at)?;
        self.buffers[at] = Vec::new();
        if std::mem::take(&mut self.on_disk[at]) > 0 {
            fs::remove_file(self.path(at))?;
        }
        Ok(bytes)
    }

    fn path(&self, at: usize) -> PathBuf {
        self.folder.join(format!("{}-{at}", self.name))
    }
}
