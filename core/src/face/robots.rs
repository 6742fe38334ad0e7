//! robots.txt for Python: parse once, query often. The interpreter lock is released while many URLs are checked.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::table::{Table, arrow_error};
use crate::robots::{self, Agent, Dialect, Reason, target};

/// A crawler as Python passes it: name, product tokens (best first), and how it reads rules: rfc, google, or
/// google-special.
type Asked = (String, Vec<String>, String);

/// A parsed robots.txt. It never changes.
#[pyclass(frozen, module = "urlset._core")]
pub struct Robots {
    inner: robots::Robots,
}

/// allowed, reason, line, pattern, value of the `User-agent:` line.
type Verdict<'a> = (bool, &'static str, Option<i32>, Option<&'a str>, Option<&'a str>);

fn dialect(name: &str) -> Dialect {
    match name {
        "google" => Dialect::Google,
        "google-special" => Dialect::GoogleSpecial,
        _ => Dialect::Rfc,
    }
}

fn agents_of(asked: Vec<Asked>) -> Vec<Agent> {
    let agents = asked.into_iter().map(|(name, product_tokens, reads)| Agent {
        name,
        product_tokens,
        dialect: dialect(&reads),
    });
    agents.collect()
}

#[pymethods]
impl Robots {
    /// `url`: where the bytes come from, if known.
    #[new]
    #[pyo3(signature = (content, url=None))]
    fn new(py: Python<'_>, content: &[u8], url: Option<&str>) -> Self {
        Self {
            inner: py.detach(|| robots::Robots::parse(content, url)),
        }
    }

    /// The facts of the file, by name.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        facts.set_item("bytes", self.inner.bytes)?;
        facts.set_item("bytes_unread", self.inner.bytes_unread)?;
        facts.set_item("lines", self.inner.lines)?;
        facts.set_item("encoding", self.inner.encoding)?;
        facts.set_item("has_bom", self.inner.has_bom)?;
        facts.set_item("is_html", self.inner.is_html)?;
        facts.set_item("problems_unlisted", self.inner.problems_unlisted)?;
        Ok(facts)
    }

    /// Returns every group: its user agents as (line, value), its rules as (line, allow, pattern).
    fn groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let groups = self.inner.groups.iter().map(|group| {
            let agents: Vec<_> = group
                .agents
                .iter()
                .map(|agent| (agent.place.line, &agent.value))
                .collect();
            let rules: Vec<_> = group
                .rules
                .iter()
                .map(|rule| (rule.place.line, rule.allow, &rule.pattern))
                .collect();
            (agents, rules)
        });
        PyList::new(py, groups.collect::<Vec<_>>())
    }

    /// Returns every problem: kind, line, column, evidence.
    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let problems = self.inner.problems.iter().map(|problem| {
            let place = problem.place;
            (
                problem.kind.name(),
                place.map(|place| place.line),
                place.map(|place| place.col),
                &problem.evidence,
            )
        });
        PyList::new(py, problems.collect::<Vec<_>>())
    }

    /// Returns the verdict on an absolute URL or a path for a crawler; `agent`: see `Asked`.
    fn verdict(&self, agent: Asked, url: &str) -> PyResult<Verdict<'_>> {
        let (_, product_tokens, reads) = agent;
        let target = target(url)
            .ok_or_else(|| PyValueError::new_err("neither an absolute URL nor a path that starts with a slash"))?;
        let product_tokens: Vec<&str> = product_tokens.iter().map(String::as_str).collect();
        let reason = self.inner.verdict(&product_tokens, dialect(&reads), target);
        let allowed = reason.is_allowed();
        Ok(match reason {
            Reason::Rule { rule, agent } => (
                allowed,
                "rule",
                Some(rule.place.line),
                Some(&rule.pattern),
                Some(&agent.value),
            ),
            Reason::IndexPage { rule, agent } => (
                allowed,
                "index-page",
                Some(rule.place.line),
                Some(&rule.pattern),
                Some(&agent.value),
            ),
            Reason::NoRule { agent } => (allowed, "no-rule", None, None, Some(&agent.value)),
            Reason::NoGroup => (allowed, "no-group", None, None, None),
            Reason::OwnPath => (allowed, "own-path", None, None, None),
        })
    }

    /// Returns whether an absolute URL has the origin that this robots.txt applies to, or `None` if that is unknown.
    fn covers(&self, url: &str) -> Option<bool> {
        let origin = self.inner.origin.as_ref()?;
        Some(robots::Origin::of(url).as_ref() == Some(origin))
    }

    /// Returns the tables `robots`, `sitemap_lines`, and `robots_extensions`, by name.
    fn tables<'py>(&self, py: Python<'py>, document_id: i32) -> PyResult<Bound<'py, PyDict>> {
        let tables = PyDict::new(py);
        let rules = self.inner.rules_table(document_id).map_err(arrow_error)?;
        let sitemaps = self.inner.sitemap_table(document_id).map_err(arrow_error)?;
        let extensions = self.inner.extension_table(document_id).map_err(arrow_error)?;
        tables.set_item("robots", Table::of(vec![rules])?)?;
        tables.set_item("sitemap_lines", Table::of(vec![sitemaps])?)?;
        tables.set_item("robots_extensions", Table::of(vec![extensions])?)?;
        Ok(tables)
    }

    /// Returns the table `blocked_urls` for the entries of `urls`; `agents`: see `Asked`.
    fn forbidden(&self, py: Python<'_>, urls: &Table, agents: Vec<Asked>, robots_id: i32) -> PyResult<Table> {
        let agents = agents_of(agents);
        let batches = urls.batches();
        let tables = py
            .detach(|| self.inner.forbidden(batches, &agents, robots_id))
            .map_err(arrow_error)?;
        Table::of(tables)
    }

    /// Counts the URLs that each crawler must not fetch, by section: the section, its URLs, and the count for each
    /// crawler.
    fn access(&self, py: Python<'_>, urls: &Table, agents: Vec<Asked>) -> PyResult<Vec<(String, u64, Vec<u64>)>> {
        let agents = agents_of(agents);
        let batches = urls.batches();
        let sections = py.detach(|| self.inner.access(batches, &agents)).map_err(arrow_error)?;
        let counts = sections
            .into_iter()
            .map(|(name, access)| (name, access.urls, access.forbidden));
        Ok(counts.collect())
    }
}

/// Reads a Content-Usage header: the first problem, an ExtensionProblem, and the part that has it.
#[pyfunction]
pub fn content_usage_problem(value: &str) -> Option<(&'static str, String)> {
    let (_, problem) = robots::usage(value.trim_matches([' ', '\t']));
    problem.map(|(kind, part)| (kind.name(), part))
}
