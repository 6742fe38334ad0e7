//! The only way in which Python objects are locked: without waiting, because a waiting thread holds the interpreter
//! lock, which the working thread may need to read from a Python file.

use std::sync::{Mutex, MutexGuard, TryLockError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Locks the state of a `what`, unless it is in use by another thread or by a call that this one was made from.
pub fn hold<'a, T>(state: &'a Mutex<T>, what: &str) -> PyResult<MutexGuard<'a, T>> {
    state.try_lock().map_err(|error| {
        PyRuntimeError::new_err(match error {
            TryLockError::WouldBlock => format!("the {what} is in use by another call; wait until that returns"),
            TryLockError::Poisoned(_) => format!("the {what} failed earlier; create a new one"),
        })
    })
}
