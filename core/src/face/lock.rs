//! The one way in which Python's objects are locked: never waiting, since whoever waits holds the interpreter's lock,
//! which the one that works may need to read from a Python file.

use std::sync::{Mutex, MutexGuard, TryLockError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The state of a `what`, if nobody else works on it: another thread, or a call that this one was made from.
pub fn hold<'a, T>(state: &'a Mutex<T>, what: &str) -> PyResult<MutexGuard<'a, T>> {
    state.try_lock().map_err(|error| {
        PyRuntimeError::new_err(match error {
            TryLockError::WouldBlock => format!("the {what} is busy in another call; wait until that returns"),
            TryLockError::Poisoned(_) => format!("the {what} failed before; make a new one"),
        })
    })
}
