//! Columns of a batch, from which single values are decoded.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, TimestampMicrosecondType};
use arrow_array::{Array, ArrayRef, Int32Array, ListArray, RecordBatch, StringArray, TimestampMicrosecondArray};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

fn column<'a>(batch: &'a RecordBatch, name: &str) -> PyResult<&'a ArrayRef> {
    batch
        .column_by_name(name)
        .ok_or_else(|| PyKeyError::new_err(name.to_owned()))
}

fn wrong_type(name: &str, array: &ArrayRef) -> PyErr {
    PyTypeError::new_err(format!("column {name} has the type {}", array.data_type()))
}

pub fn ints(batch: &RecordBatch, name: &str) -> PyResult<Int32Array> {
    let array = column(batch, name)?;
    let ints = array.as_primitive_opt::<Int32Type>().cloned();
    ints.ok_or_else(|| wrong_type(name, array))
}

pub fn instants(batch: &RecordBatch, name: &str) -> PyResult<TimestampMicrosecondArray> {
    let array = column(batch, name)?;
    let instants = array.as_primitive_opt::<TimestampMicrosecondType>().cloned();
    instants.ok_or_else(|| wrong_type(name, array))
}

pub fn texts(batch: &RecordBatch, name: &str) -> PyResult<StringArray> {
    let array = column(batch, name)?;
    array
        .as_string_opt::<i32>()
        .cloned()
        .ok_or_else(|| wrong_type(name, array))
}

/// Returns a value of a column of strings, or `None` if it is null.
#[inline]
pub fn text<'py>(py: Python<'py>, column: &StringArray, row: usize) -> Py<PyAny> {
    if column.is_null(row) {
        return py.None();
    }
    PyString::new(py, column.value(row)).into_any().unbind()
}

/// A field of a record: a string, or strings.
pub enum Field {
    Text(StringArray, Repeated),
    List(ListArray),
}

impl Field {
    pub fn of(batch: &RecordBatch, name: &str) -> PyResult<Self> {
        match column(batch, name)?.as_list_opt::<i32>() {
            Some(list) if list.values().as_string_opt::<i32>().is_some() => Ok(Self::List(list.clone())),
            _ => texts(batch, name).map(|column| Self::Text(column, Repeated::default())),
        }
    }

    #[inline]
    pub fn value(&mut self, py: Python<'_>, row: usize) -> PyResult<Py<PyAny>> {
        match self {
            Self::Text(column, repeated) => Ok(repeated.text(py, column, row)),
            Self::List(column) if column.is_null(row) => Ok(PyTuple::empty(py).into_any().unbind()),
            Self::List(column) => {
                let items = column.value(row);
                let items = items.as_string::<i32>();
                let items: Vec<Py<PyAny>> = (0..items.len()).map(|item| text(py, items, item)).collect();
                Ok(PyTuple::new(py, items)?.into_any().unbind())
            }
        }
    }
}

/// Longest text that is remembered, in bytes: language codes, priorities, and frequencies are shorter.
const LONGEST: usize = 16;
/// Number of texts that are remembered.
const MOST: usize = 8;

/// The last short texts of a column that repeats them, which then share one Python string.
#[derive(Default)]
pub struct Repeated {
    known: Vec<(String, Py<PyAny>)>,
    next: usize,
}

impl Repeated {
    #[inline]
    pub fn text(&mut self, py: Python<'_>, column: &StringArray, row: usize) -> Py<PyAny> {
        if column.is_null(row) {
            return py.None();
        }
        let text = column.value(row);
        if text.len() <= LONGEST
            && let Some((_, string)) = self.known.iter().find(|(known, _)| known == text)
        {
            return string.clone_ref(py);
        }
        let string = PyString::new(py, text).into_any().unbind();
        if text.len() <= LONGEST {
            self.remember(text, string.clone_ref(py));
        }
        string
    }

    fn remember(&mut self, text: &str, string: Py<PyAny>) {
        if self.known.len() < MOST {
            self.known.push((text.to_owned(), string));
            return;
        }
        let (known, oldest) = &mut self.known[self.next];
        known.clear();
        known.push_str(text);
        *oldest = string;
        self.next = (self.next + 1) % MOST;
    }
}
