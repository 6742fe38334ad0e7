//! Typed entries and their records, as `src/urlset/model/entry.py` declares and documents them.
//!
//! They are classes of the core because a Python object with ten attributes takes ten times as long to create as the
//! entry takes to read. All texts are decoded at once, so that an entry that is kept does not keep its whole batch.

mod columns;
mod iterator;

use pyo3::prelude::*;
use pyo3::types::{PyDateTime, PyTuple, PyTzInfo};

pub use self::iterator::Entries;
use crate::value::calendar::civil;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Alternate>()?;
    module.add_class::<Image>()?;
    module.add_class::<Video>()?;
    module.add_class::<News>()?;
    module.add_class::<Url>()?;
    module.add_class::<Child>()?;
    module.add_class::<Entries>()
}

/// A record that is made from the columns of its fields.
trait Record: Sized {
    /// The columns of its fields, in order.
    const COLUMNS: &'static [&'static str];

    /// Creates the object; `next` returns the value of one field after the other.
    fn create(py: Python<'_>, next: impl FnMut() -> PyResult<Py<PyAny>>) -> PyResult<Py<Self>>;
}

macro_rules! record {
    ($name:ident { $($field:ident),* $(,)? }) => {
        // Fields may hold anything that a program passes, but cycles are not collected: the fields cannot be changed,
        // so that a cycle takes intent, and a collector that visits every entry takes longer than reading it.
        #[pyclass(frozen, get_all, subclass, module = "urlset.model.entry")]
        pub struct $name {
            $($field: Py<PyAny>,)*
        }

        #[pymethods]
        impl $name {
            #[new]
            #[allow(clippy::too_many_arguments)]
            #[pyo3(signature = ($($field),*))]
            fn new($($field: Py<PyAny>),*) -> Self {
                Self { $($field),* }
            }
        }

        impl Record for $name {
            const COLUMNS: &'static [&'static str] = &[$(stringify!($field)),*];

            fn create(py: Python<'_>, mut next: impl FnMut() -> PyResult<Py<PyAny>>) -> PyResult<Py<Self>> {
                Py::new(py, Self { $($field: next()?),* })
            }
        }
    };
}

record!(Alternate { rel, hreflang, href });
record!(Image {
    loc,
    caption,
    geo_location,
    title,
    license
});
record!(Video {
    thumbnail_loc,
    title,
    description,
    content_loc,
    player_loc,
    duration,
    expiration_date,
    rating,
    view_count,
    publication_date,
    family_friendly,
    restriction,
    restriction_relationship,
    platform,
    platform_relationship,
    requires_subscription,
    uploader,
    uploader_info,
    live,
    tags,
});
record!(News {
    publication_name,
    publication_language,
    publication_date,
    title
});

/// An instant: read from a document, or given by a program.
enum Instant {
    Read(Option<i64>),
    Given(Py<PyAny>),
}

impl Instant {
    fn get(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            Self::Given(value) => Ok(value.clone_ref(py)),
            Self::Read(None) => Ok(py.None()),
            Self::Read(Some(at)) => instant(py, *at),
        }
    }
}

/// A field that is None by default.
type Given = Option<Py<PyAny>>;

fn or_none(py: Python<'_>, given: Given) -> Py<PyAny> {
    given.unwrap_or_else(|| py.None())
}

/// A field that is an empty tuple by default, but not if a program passes None.
struct Records(Option<Py<PyAny>>);

impl<'py> FromPyObject<'_, 'py> for Records {
    type Error = std::convert::Infallible;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> Result<Self, Self::Error> {
        Ok(Self(Some(object.to_owned().unbind())))
    }
}

impl Records {
    fn or_empty(self, py: Python<'_>) -> Py<PyAny> {
        self.0.unwrap_or_else(|| PyTuple::empty(py).into_any().unbind())
    }
}

#[pyclass(frozen, subclass, module = "urlset.model.entry")]
pub struct Url {
    #[pyo3(get)]
    loc: Py<PyAny>,
    #[pyo3(get)]
    lastmod: Py<PyAny>,
    lastmod_at: Instant,
    #[pyo3(get)]
    changefreq: Py<PyAny>,
    #[pyo3(get)]
    priority: Py<PyAny>,
    #[pyo3(get)]
    line: Py<PyAny>,
    #[pyo3(get)]
    alternates: Py<PyAny>,
    #[pyo3(get)]
    images: Py<PyAny>,
    #[pyo3(get)]
    videos: Py<PyAny>,
    #[pyo3(get)]
    news: Py<PyAny>,
}

#[pymethods]
impl Url {
    #[new]
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (loc, lastmod=None, lastmod_at=None, changefreq=None, priority=None, line=None, alternates=Records(None), images=Records(None), videos=Records(None), news=Records(None)))]
    fn new(
        py: Python<'_>,
        loc: Py<PyAny>,
        lastmod: Given,
        lastmod_at: Given,
        changefreq: Given,
        priority: Given,
        line: Given,
        alternates: Records,
        images: Records,
        videos: Records,
        news: Records,
    ) -> Self {
        Self {
            loc,
            lastmod: or_none(py, lastmod),
            lastmod_at: Instant::Given(or_none(py, lastmod_at)),
            changefreq: or_none(py, changefreq),
            priority: or_none(py, priority),
            line: or_none(py, line),
            alternates: alternates.or_empty(py),
            images: images.or_empty(py),
            videos: videos.or_empty(py),
            news: news.or_empty(py),
        }
    }

    #[getter]
    fn lastmod_at(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.lastmod_at.get(py)
    }
}

#[pyclass(frozen, subclass, module = "urlset.model.entry")]
pub struct Child {
    #[pyo3(get)]
    loc: Py<PyAny>,
    #[pyo3(get)]
    lastmod: Py<PyAny>,
    lastmod_at: Instant,
    #[pyo3(get)]
    line: Py<PyAny>,
}

#[pymethods]
impl Child {
    #[new]
    #[pyo3(signature = (loc, lastmod=None, lastmod_at=None, line=None))]
    fn new(py: Python<'_>, loc: Py<PyAny>, lastmod: Given, lastmod_at: Given, line: Given) -> Self {
        Self {
            loc,
            lastmod: or_none(py, lastmod),
            lastmod_at: Instant::Given(or_none(py, lastmod_at)),
            line: or_none(py, line),
        }
    }

    #[getter]
    fn lastmod_at(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.lastmod_at.get(py)
    }
}

/// Returns microseconds since 1970 as a datetime in UTC. The reader gives none outside the years 1 to 9999.
fn instant(py: Python<'_>, at: i64) -> PyResult<Py<PyAny>> {
    let (seconds, microsecond) = (at.div_euclid(1_000_000), at.rem_euclid(1_000_000));
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    let utc = PyTzInfo::utc(py)?;
    let at = PyDateTime::new(
        py,
        year as i32,
        month as u8,
        day as u8,
        (second / 3_600) as u8,
        (second / 60 % 60) as u8,
        (second % 60) as u8,
        microsecond as u32,
        Some(&utc),
    )?;
    Ok(at.into_any().unbind())
}
