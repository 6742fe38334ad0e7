"""The tables that commands write: each declares its columns and rows once, and has every form of `rows`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from urlset.model.access_log import STATUS_CLASSES
from urlset.model.query import QueryResult
from urlset.model.redirects import REDIRECT_COLUMNS
from urlset.model.run import RUN_NUMBERS
from urlset.report import rows
from urlset.report.coverage_words import STEPS, steps_of
from urlset.report.locate import example_name, finding_name
from urlset.report.paint import Role
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from urlset.model.access_log import LogsResult
    from urlset.model.coverage import CoverageResult
    from urlset.model.lastmod import DateTrust
    from urlset.model.redirects import CheckedRedirects
    from urlset.model.report import Report
    from urlset.model.run import RunRow

M = TypeVar("M")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Generic[M]):
    """A table of a command. Its methods are renderers.

    Attributes:
        of: Returns the columns and rows of a result of the command.
        null: What text shows for null.
        empty: The only line of the text if there are no rows; by default, the header and "no rows".
        is_escaped: Whether CSV escapes control characters in files as well, and ends lines with CRLF.
    """

    of: Callable[[M], QueryResult]
    null: str = "NULL"
    empty: str = ""
    is_escaped: bool = False

    def text(self, model: M, style: Style = Style()) -> Iterator[str]:
        """Yield the lines of a text table."""
        if self.empty and not model:
            yield style.paint(self.empty, Role.FAINT)
            return
        result = self.of(model)
        yield from rows.table(result.columns, result.rows, style, self.null)

    def csv(self, model: M, style: Style = Style()) -> Iterator[str]:
        """Yield the lines of CSV."""
        result = self.of(model)
        end = "\r" if self.is_escaped else ""
        yield from rows.csv_lines(result.columns, result.rows, style, is_escaped=self.is_escaped, end=end)

    def jsonl(self, model: M, style: Style = Style()) -> Iterator[str]:
        """Yield an object per row."""
        result = self.of(model)
        yield from rows.json_lines(result.columns, result.rows, style)

    def json(self, model: M, style: Style = Style()) -> Iterator[str]:
        """Yield an array of objects."""
        result = self.of(model)
        yield from rows.json_array(result.columns, result.rows, style)


def _rows(result: QueryResult) -> QueryResult:
    return result


def _findings(report: Report) -> QueryResult:
    """Return a row per example.

    `count` is the number of places that break the rule in the document, repeated in each row of the finding. `example`
    numbers the rows from 1, and is 0 in the only row of a finding without examples. The sum of `count` over rows with
    `example` 0 or 1 is the total number of places.
    """

    def cells() -> Iterator[tuple[object, ...]]:
        for finding in report.issues:
            rule, url = finding.rule, report.document_url(finding.document_id)
            head = (finding.severity.value, rule.code, rule.name, url)
            if not finding.examples:
                yield (
                    *head,
                    None,
                    None,
                    None,
                    None,
                    None,
                    rule.message,
                    0,
                    finding.count,
                    rule.fix,
                    finding_name(finding, url),
                )
            for number, one in enumerate(finding.examples, start=1):
                place = (one.line, one.column, one.field, one.value, one.url, one.message)
                yield (*head, *place, number, finding.count, rule.fix, example_name(finding, one, url))

    columns = (
        "severity", "code", "name", "document", "line", "column", "field", "value", "url", "message", "example",
        "count", "fix", "fingerprint",
    )  # fmt: skip
    return QueryResult(columns, (), cells())


def _statistics(report: Report) -> QueryResult:
    """Return a row per rule, the most severe first."""
    columns = ("severity", "code", "name", "places", "documents", "fixable")
    cells = (
        (one.rule.severity.value, one.rule.code, one.rule.name, one.places, one.documents, one.rule.fixable.value)
        for one in report.statistics
    )
    return QueryResult(columns, (), cells)


def _redirects(result: CheckedRedirects) -> QueryResult:
    """Return a row per old URL."""
    cells = (tuple(getattr(one, name) for name in REDIRECT_COLUMNS) for one in result.checked)
    return QueryResult(REDIRECT_COLUMNS, (), cells)


def _crawlers(result: LogsResult) -> QueryResult:
    """Return a row per crawler and verdict."""
    columns = (
        "agent", "operator", "purpose", "verdict", "urls", "hits", "sitemap_hits",
        *(f"status_{one}xx" for one in STATUS_CLASSES), "first_at", "last_at",
    )  # fmt: skip
    cells = (
        (
            one.agent.name, one.agent.operator, one.agent.purpose.value, one.verdict.value, one.urls, one.hits,
            one.sitemap_hits, *one.by_class, one.first_at, one.last_at,
        )
        for one in result.crawlers
    )  # fmt: skip
    return QueryResult(columns, (), cells)


def _dates(dates: DateTrust) -> QueryResult:
    """Return a row per sitemap. `trust` is null if there is not enough to tell."""
    columns = (
        "sitemap", "trust", "comparable", "true", "inflated", "frozen", "unknown", "absent", "invalid", "entries",
        "rules",
    )  # fmt: skip
    cells = (
        (
            one.url, one.trust, one.comparable, one.true, one.inflated, one.frozen, one.unknown, one.absent,
            one.invalid, one.entries, " ".join(one.rules),
        )
        for one in dates.sitemaps
    )  # fmt: skip
    return QueryResult(columns, (), cells)


def _funnel(result: CoverageResult) -> QueryResult:
    """Return a row per sitemap or section, after one for all. What is unknown is null."""
    funnel = result.funnel
    columns = (funnel.by, "listed", *(name for step in STEPS for name in (step, f"{step}_known")))
    cells = (
        (
            row.name or "all",
            row.listed,
            *(number for step in steps_of(row) for number in (step.yes if step.known else None, step.known)),
        )
        for row in (funnel.total, *funnel.rows)
    )
    return QueryResult(columns, (), cells)


def _runs(runs: Sequence[RunRow]) -> QueryResult:
    """Return a row per run, the oldest first."""
    columns = ("run", "started (UTC)", "duration", *RUN_NUMBERS, "targets")
    cells = (
        (
            run.run_id,
            run.started_at.replace(tzinfo=None).isoformat(sep=" ", timespec="seconds"),
            _duration(run),
            *(getattr(run, name) for name in RUN_NUMBERS),
            ", ".join(run.targets),
        )
        for run in runs
    )
    return QueryResult(columns, (), cells)


def _duration(run: RunRow) -> str:
    if run.finished_at is None:
        return "unfinished"
    return f"{(run.finished_at - run.started_at).total_seconds():,.1f} s"


QUERY = Table(of=_rows)
"""Rows as they are: of `sql`, `pages`, and `diff --urls`."""

FINDINGS = Table(of=_findings, is_escaped=True)
STATISTICS = Table(of=_statistics)
REDIRECTS = Table(of=_redirects)
CRAWLERS = Table(of=_crawlers)
DATES = Table(of=_dates)
FUNNEL = Table(of=_funnel)
RUNS = Table(of=_runs, null="", empty="no runs")
