//! A table in Arrow's memory layout, passed without a copy to any library that supports the PyCapsule interface.
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, TimestampMicrosecondBuilder};
use arrow_array::builder::{BooleanBuilder, Float64Builder, Int32Builder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::types::{Float64Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyCapsule, PyDict, PyInt, PyList, PyString};

use crate::page;
use crate::read::value_columns::Columns;
use crate::value::whatwg_url;

/// The name of the capsule of a stream, by the interface.
const STREAM: &CStr = c"arrow_array_stream";

pub fn arrow_error(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the stream of an object that supports the interface.
pub fn stream_of(object: &Bound<'_, PyAny>) -> PyResult<RecordBatchStreamReader> {
    let capsule = object.call_method0("__arrow_c_stream__")?;
    let capsule = capsule.cast::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(STREAM))?;
    // SAFETY: by contract, a capsule with this name contains a stream; `from_raw` moves it out and leaves an empty one.
    let reader = unsafe { RecordBatchStreamReader::from_raw(pointer.cast::<FFI_ArrowArrayStream>().as_ptr()) };
    reader.map_err(arrow_error)
}

/// Returns all rows of an object that supports the interface.
pub fn batches_of(object: &Bound<'_, PyAny>) -> PyResult<Vec<RecordBatch>> {
    stream_of(object)?.collect::<Result<_, _>>().map_err(arrow_error)
}

/// Returns record batches as the capsule of `__arrow_c_stream__`.
///
/// The interface lets a producer ignore the schema that a consumer requests: the consumer casts.
pub fn capsule_of<'py>(
    py: Python<'py>,
    rows: impl RecordBatchReader + Send + 'static,
    requested_schema: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyCapsule>> {
    drop(requested_schema);
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(rows)), STREAM)
}

/// The rows of a stream, one table after the other.
#[pyclass(module = "urlset._core", unsendable)]
pub struct Tables {
    reader: RecordBatchStreamReader,
    rows: usize,
}

#[pymethods]
impl Tables {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self) -> PyResult<Option<Table>> {
        let mut batches: Vec<RecordBatch> = Vec::new();
        let mut rows = 0;
        while rows < self.rows {
            let Some(batch) = self.reader.next().transpose().map_err(arrow_error)? else {
                break;
            };
            rows += batch.num_rows();
            batches.push(batch);
        }
        if rows == 0 {
            Ok(None)
        } else {
            Table::of(batches).map(Some)
        }
    }
}

/// Columns of equal length, in one or more batches. A table never changes.
#[pyclass(frozen, module = "urlset._core")]
pub struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Table {
    /// Creates a table from at least one batch.
    pub fn of(batches: Vec<RecordBatch>) -> PyResult<Self> {
        let schema = batches
            .first()
            .map_or_else(|| Arc::new(Schema::empty()), RecordBatch::schema);
        Ok(Self { schema, batches })
    }

    pub fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    fn index_of(&self, name: &str) -> PyResult<usize> {
        self.schema
            .index_of(name)
            .map_err(|_| PyKeyError::new_err(name.to_owned()))
    }

    /// Returns the table with one more column: a hash of the URLs in a column.
    fn with_hashes(&self, py: Python<'_>, name: &str, added: &str, hash: fn(&str) -> i64) -> PyResult<Self> {
        let index = self.index_of(name)?;
        let mut fields = self.schema.fields().to_vec();
        if fields[index].data_type() != &DataType::Utf8 {
            return Err(PyTypeError::new_err(format!("column {name} is not text")));
        }
        fields.push(Arc::new(Field::new(added, DataType::Int64, true)));
        let schema = Arc::new(Schema::new(fields));
        let hashed = |batch: &RecordBatch| {
            let urls = batch.column(index).as_string::<i32>();
            let hashes: Int64Array = urls.iter().map(|url| url.map(hash)).collect();
            let mut columns = batch.columns().to_vec();
            columns.push(Arc::new(hashes));
            RecordBatch::try_new(schema.clone(), columns)
        };
        let batches: Result<_, ArrowError> = py.detach(|| self.batches.iter().map(hashed).collect());
        Ok(Self {
            schema: schema.clone(),
            batches: batches.map_err(arrow_error)?,
        })
    }
}

#[pymethods]
impl Table {
    /// Returns the table as a stream of Arrow record batches (capsule `arrow_array_stream`).
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let batches: Vec<Result<RecordBatch, ArrowError>> = self.batches.iter().cloned().map(Ok).collect();
        let reader = RecordBatchIterator::new(batches, self.schema.clone());
        capsule_of(py, reader, requested_schema)
    }

    /// Returns the schema (capsule `arrow_schema`).
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref()).map_err(arrow_error)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Memory that the columns take, in bytes.
    #[getter]
    fn nbytes(&self) -> usize {
        self.batches.iter().map(RecordBatch::get_array_memory_size).sum()
    }

    fn __len__(&self) -> usize {
        self.num_rows()
    }

    /// Names of the columns, in order.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Types of the columns, in order, as named in `urlset.tables`.
    #[getter]
    fn column_types(&self) -> Vec<String> {
        self.schema
            .fields()
            .iter()
            .map(|field| type_name(field.data_type()))
            .collect()
    }

    /// Returns one column as a list of Python values; timestamps are microseconds since 1970 in UTC.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let index = self.index_of(name)?;
        let list = PyList::empty(py);
        for batch in &self.batches {
            let array = batch.column(index);
            for row in 0..array.len() {
                list.append(value(py, array, row)?)?;
            }
        }
        Ok(list)
    }

    /// Returns every row as a dictionary from column name to Python value.
    fn to_dicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        let names: Vec<&String> = self.schema.fields().iter().map(|field| field.name()).collect();
        for batch in &self.batches {
            for row in 0..batch.num_rows() {
                let one = PyDict::new(py);
                for (name, array) in names.iter().zip(batch.columns()) {
                    one.set_item(name, value(py, array, row)?)?;
                }
                list.append(one)?;
            }
        }
        Ok(list)
    }

    /// Returns a table with only these columns, without a copy.
    fn select(&self, names: Vec<String>) -> PyResult<Self> {
        let indices = names
            .iter()
            .map(|name| self.index_of(name))
            .collect::<PyResult<Vec<usize>>>()?;
        let schema = Arc::new(self.schema.project(&indices).map_err(arrow_error)?);
        let batches = self
            .batches
            .iter()
            .map(|batch| batch.project(&indices).map_err(arrow_error));
        let batches = batches.collect::<PyResult<Vec<_>>>()?;
        Ok(Self { schema, batches })
    }

    /// Returns the rows from `offset` on, at most `length`, without a copy.
    fn slice(&self, offset: usize, length: usize) -> Self {
        let (mut skipped, mut left) = (offset, length);
        let mut batches = Vec::new();
        for batch in &self.batches {
            let begin = skipped.min(batch.num_rows());
            skipped -= begin;
            let taken = left.min(batch.num_rows() - begin);
            left -= taken;
            if taken > 0 {
                batches.push(batch.slice(begin, taken));
            }
        }
        let schema = self.schema.clone();
        Self { schema, batches }
    }

    /// Returns the table with one more column, `page_hash`: that of the URLs in a column.
    fn with_page_hashes(&self, py: Python<'_>, name: &str) -> PyResult<Self> {
        self.with_hashes(py, name, "page_hash", whatwg_url::hash)
    }

    /// Returns the table with one more column, `spelling_hash`: that of the URLs in a column.
    fn with_spelling_hashes(&self, py: Python<'_>, name: &str) -> PyResult<Self> {
        self.with_hashes(py, name, "spelling_hash", page::spelling_hash)
    }

    /// Concatenates tables with the same columns, without a copy.
    #[staticmethod]
    fn concat(tables: Vec<PyRef<'_, Table>>) -> PyResult<Self> {
        let Some(first) = tables.first() else {
            return Err(PyValueError::new_err("no tables to concatenate"));
        };
        let schema = first.schema.clone();
        if tables.iter().any(|table| table.schema != schema) {
            return Err(PyValueError::new_err("the tables have different columns"));
        }
        Ok(Self {
            schema,
            batches: tables.iter().flat_map(|table| table.batches.iter().cloned()).collect(),
        })
    }

    /// Returns the data of another library piece by piece: an iterator of tables with at least `rows` rows, except the
    /// last.
    #[staticmethod]
    fn stream(source: &Bound<'_, PyAny>, rows: usize) -> PyResult<Tables> {
        stream_of(source).map(|reader| Tables { reader, rows })
    }

    /// Builds a table from rows: dictionaries from column name to value, where a missing name is null.
    ///
    /// `columns` contains names and types, as named in `urlset.tables`; timestamps are a `datetime`, or microseconds since
    /// 1970.
    #[staticmethod]
    fn from_rows(py: Python<'_>, columns: Vec<(String, String)>, rows: Vec<Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut built = Columns::default();
        for (name, kind) in columns {
            let key = PyString::new(py, &name);
            let values = rows
                .iter()
                .map(|row| row.get_item(&key))
                .collect::<PyResult<Vec<_>>>()?;
            let values: Vec<Option<Bound<'_, PyAny>>> = values
                .into_iter()
                .map(|value| value.filter(|value| !value.is_none()))
                .collect();
            let array = array_of(&kind, &values)
                .map_err(|error| PyTypeError::new_err(format!("column {name} of type {kind}: {error}")))?;
            built.push(name, array);
        }
        Self::of(vec![built.finish().map_err(arrow_error)?])
    }
}

fn type_name(kind: &DataType) -> String {
    match kind {
        DataType::Int32 => "int32".to_owned(),
        DataType::Int64 => "int64".to_owned(),
        DataType::Float64 => "double".to_owned(),
        DataType::Boolean => "bool".to_owned(),
        DataType::Utf8 => "text".to_owned(),
        DataType::Timestamp(TimeUnit::Microsecond, None) => "timestamp".to_owned(),
        DataType::List(item) => format!("{}[]", type_name(item.data_type())),
        other => other.to_string(),
    }
}

fn value<'py>(py: Python<'py>, array: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    let value = match array.data_type() {
        DataType::Int32 => array
            .as_primitive::<Int32Type>()
            .value(row)
            .into_pyobject(py)?
            .into_any(),
        DataType::Int64 => array
            .as_primitive::<Int64Type>()
            .value(row)
            .into_pyobject(py)?
            .into_any(),
        DataType::Float64 => array
            .as_primitive::<Float64Type>()
            .value(row)
            .into_pyobject(py)?
            .into_any(),
        DataType::Boolean => array.as_boolean().value(row).into_pyobject(py)?.to_owned().into_any(),
        DataType::Utf8 => array.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
        DataType::Timestamp(..) => array
            .as_primitive::<TimestampMicrosecondType>()
            .value(row)
            .into_pyobject(py)?
            .into_any(),
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            let list = PyList::empty(py);
            for item in 0..items.len() {
                list.append(value(py, &items, item)?)?;
            }
            list.into_any()
        }
        other => return Err(PyTypeError::new_err(format!("type {other} has no Python value"))),
    };
    Ok(value)
}

fn array_of(kind: &str, values: &[Option<Bound<'_, PyAny>>]) -> PyResult<ArrayRef> {
    macro_rules! build {
        ($builder:ty, $read:expr) => {{
            let mut builder = <$builder>::new();
            for value in values {
                builder.append_option(value.as_ref().map($read).transpose()?);
            }
            Ok(ArrayBuilder::finish(&mut builder))
        }};
    }
    macro_rules! build_list {
        ($builder:ty, $read:expr) => {{
            let mut builder = ListBuilder::new(<$builder>::new());
            for value in values {
                if let Some(value) = value {
                    for item in value.extract::<Vec<Option<Bound<'_, PyAny>>>>()? {
                        builder.values().append_option(item.as_ref().map($read).transpose()?);
                    }
                }
                builder.append(value.is_some());
            }
            Ok(ArrayBuilder::finish(&mut builder))
        }};
    }
    match kind {
        "int32" => build!(Int32Builder, PyAnyMethods::extract::<i32>),
        "int64" => build!(Int64Builder, PyAnyMethods::extract::<i64>),
        "double" => build!(Float64Builder, PyAnyMethods::extract::<f64>),
        "bool" => build!(BooleanBuilder, PyAnyMethods::extract::<bool>),
        "text" => build!(StringBuilder, text),
        "timestamp" => build!(TimestampMicrosecondBuilder, microseconds),
        "text[]" => build_list!(StringBuilder, text),
        "int64[]" => build_list!(Int64Builder, PyAnyMethods::extract::<i64>),
        other => Err(PyValueError::new_err(format!("unknown column type {other:?}"))),
    }
}

/// Returns text as valid Unicode. A file name may have bytes that are not text; Python keeps them as lone surrogates.
fn text(value: &Bound<'_, PyAny>) -> PyResult<PyBackedStr> {
    match value.extract::<PyBackedStr>() {
        Err(_) if value.is_instance_of::<PyString>() => value
            .call_method1("encode", ("utf-8", "backslashreplace"))?
            .call_method1("decode", ("utf-8",))?
            .extract(),
        text => text,
    }
}

/// Returns the microseconds since 1970 of a `datetime`, which is in UTC without a time zone.
fn microseconds(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    if value.is_instance_of::<PyInt>() {
        return value.extract();
    }
    static START: PyOnceLock<[Py<PyAny>; 2]> = PyOnceLock::new();
    let py = value.py();
    let [start, start_without_zone] = START.get_or_try_init(py, || {
        let module = py.import("datetime")?;
        let utc = module.getattr("timezone")?.getattr("utc")?;
        let start = |zone| module.getattr("datetime")?.call1((1970, 1, 1, 0, 0, 0, 0, zone));
        PyResult::Ok([start(Some(utc))?.unbind(), start(None)?.unbind()])
    })?;
    let has_zone = !value.getattr(intern!(py, "tzinfo"))?.is_none();
    let passed = value.sub(if has_zone { start } else { start_without_zone })?;
    let part = |name| passed.getattr(name)?.extract::<i64>();
    let (days, seconds) = (part(intern!(py, "days"))?, part(intern!(py, "seconds"))?);
    Ok((days * 86_400 + seconds) * 1_000_000 + part(intern!(py, "microseconds"))?)
}
