//! Access logs for Python. Nothing here returns an address, except `questions`.

use std::net::IpAddr;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::table::{Table, arrow_error};
use crate::log::crawler::{Crawler, Verdict, number};
use crate::log::{self, Choice, Field, Form, Format};

/// A crawler as Python passes it: its product token, the first and last address of each of its prefixes if they are
/// known, and whether DNS can confirm its addresses.
type KnownCrawler = (String, Option<Vec<(IpAddr, IpAddr)>>, bool);
/// Names of fields: the name in the log, and what it is.
type Names = Vec<(String, String)>;
/// Format, lines and readable lines of the sample, missing fields, whether there are user agents, and hosts.
type Sample = (&'static str, usize, usize, Vec<&'static str>, bool, bool);

fn form_of(text: &str) -> PyResult<Form> {
    Form::new(text).map_err(PyValueError::new_err)
}

fn fields_of(names: Names) -> PyResult<Vec<(String, Field)>> {
    let fields = names.into_iter().map(|(name, field)| match Field::named(&field) {
        Some(field) => Ok((name, field)),
        None => Err(PyValueError::new_err(format!("unknown field {field}"))),
    });
    fields.collect()
}

/// The formats, and what a field can be.
#[pyfunction]
pub fn log_names() -> (Vec<&'static str>, Vec<&'static str>) {
    let formats = Format::ALL.into_iter().map(Format::name).collect();
    (formats, Field::ALL.iter().map(|field| field.name()).collect())
}

/// Checks the name of a format, or a pattern; an error says what is wrong with it.
#[pyfunction]
pub fn check_log_format(text: &str) -> PyResult<()> {
    form_of(text).map(drop)
}

/// Reads the first lines of a log, in a format or in the one that fits; `None` if none fits.
#[pyfunction]
#[pyo3(signature = (text, fields, format=None))]
pub fn sample_log(text: &[u8], fields: Names, format: Option<&str>) -> PyResult<Option<Sample>> {
    let fields = fields_of(fields)?;
    let sample = match format {
        Some(format) => Some(log::sample(text, &form_of(format)?, &fields)),
        None => log::detect(text, &fields),
    };
    Ok(sample.map(|sample| {
        let missing = sample.missing.iter().map(|field| field.name()).collect();
        let (lines, readable) = (sample.lines, sample.readable);
        (
            sample.format.name(),
            lines,
            readable,
            missing,
            sample.has_agent,
            sample.has_host,
        )
    }))
}

/// Reads a log piece by piece.
#[pyclass(module = "urlset._core")]
pub struct LogReader {
    inner: log::Reader,
}

#[pymethods]
impl LogReader {
    #[new]
    #[pyo3(signature = (
        format, fields, crawlers, *, header=None, site=None, since=i64::MIN, until=i64::MAX, documents=Vec::new()
    ))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        format: &str,
        fields: Names,
        crawlers: Vec<KnownCrawler>,
        header: Option<&str>,
        site: Option<(String, String)>,
        since: i64,
        until: i64,
        documents: Vec<String>,
    ) -> PyResult<Self> {
        let crawlers = crawlers.into_iter().map(|(name, ranges, has_names)| Crawler {
            name,
            ranges: ranges.map(|ranges| {
                let numbers = ranges.into_iter().map(|(first, last)| (number(first), number(last)));
                numbers.collect()
            }),
            has_names,
        });
        let choice = Choice {
            site,
            since,
            until,
            documents: documents.into_iter().collect(),
        };
        let fields = fields_of(fields)?;
        Ok(Self {
            inner: log::Reader::new(&form_of(format)?, &fields, header, crawlers.collect(), choice),
        })
    }

    /// Adds bytes.
    fn push(&mut self, bytes: &[u8]) {
        self.inner.push(bytes);
    }

    /// Returns the addresses in the complete lines that DNS could say more about, each with the number of the crawler.
    fn questions(&mut self, py: Python<'_>) -> Vec<(usize, IpAddr)> {
        py.detach(|| self.inner.questions())
    }

    /// Sets what DNS says about an address: verified, impostor, or unverified.
    fn confirm(&mut self, crawler: usize, address: IpAddr, verdict: &str) -> PyResult<()> {
        let verdict = Verdict::ALL.into_iter().find(|known| known.name() == verdict);
        let verdict = verdict.ok_or_else(|| PyValueError::new_err("unknown verdict"))?;
        self.inner.confirm(crawler, address, verdict);
        Ok(())
    }

    /// Reads all complete lines.
    fn read(&mut self, py: Python<'_>) {
        py.detach(|| self.inner.read());
    }

    /// Ends the log, and returns the number of bytes of a last line without a line break, unless it is read, too:
    /// `is_complete` says that nothing can follow it.
    fn end(&mut self, is_complete: bool) -> usize {
        self.inner.end(is_complete)
    }

    /// Returns what was counted since the last call.
    fn take(&mut self) -> LogCounts {
        LogCounts {
            inner: self.inner.take(),
        }
    }

    /// Numbers of lines since the start, by what they are.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        for (name, count) in self.inner.facts().each() {
            facts.set_item(name, count)?;
        }
        Ok(facts)
    }

    /// The earliest and the latest time since the start, in microseconds since 1970.
    #[getter]
    fn window(&self) -> Option<(i64, i64)> {
        self.inner.window()
    }

    /// The last `#Fields:` line.
    #[getter]
    fn header(&self) -> Option<&str> {
        self.inner.header()
    }

    /// Number of bytes that were added and not read yet.
    #[getter]
    fn pending(&self) -> usize {
        self.inner.pending()
    }

    /// Approximate memory of what was counted since the last `take`, in bytes.
    #[getter]
    fn weight(&self) -> usize {
        self.inner.weight()
    }
}

/// What was counted, which another thread can turn into tables while the reader goes on.
#[pyclass(module = "urlset._core")]
pub struct LogCounts {
    inner: log::Counted,
}

#[pymethods]
impl LogCounts {
    /// Returns the counts by table, once.
    fn tables<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let taken = py.detach(|| self.inner.tables()).map_err(arrow_error)?;
        let tables = PyDict::new(py);
        for (name, batch) in taken {
            tables.set_item(name, Table::of(vec![batch])?)?;
        }
        Ok(tables)
    }
}
