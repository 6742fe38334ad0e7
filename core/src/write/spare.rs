//! Buffers for reuse.

use std::sync::{Arc, Mutex, PoisonError};

/// Buffers for reuse: allocating new ones would cost page faults.
#[derive(Clone, Default)]
pub struct Spare(Arc<Mutex<Vec<Vec<u8>>>>);

/// Maximum number of buffers kept.
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
