"""The tables that commands write: each declares its columns and rows once, and has every form of `rows`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Generic, TypeVar

from urlset.model.json_values import plain_value
from urlset.model.query import DESCRIBED, MEANING, QueryResult
from urlset.model.run import RUN_NUMBERS
from urlset.report import rows
from urlset.report.locate import example_name, finding_name
from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.text.safe import json_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from urlset.model.report import Report
    from urlset.model.run import RunRow
    from urlset.report.brief import Quotes

M = TypeVar("M")

MAX_ROWS = 300
"""Maximum rows to fetch for a language model: no more fit."""


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
        if self.empty and not model:
            yield style.paint(self.empty, Role.FAINT)
            return
        result = self.of(model)
        whole = [MEANING] if result.columns == DESCRIBED else []
        yield from rows.table(result.columns, result.rows, style, self.null, whole=whole)

    def csv(self, model: M, style: Style = Style()) -> Iterator[str]:
        result = self.of(model)
        end = "\r" if self.is_escaped else ""
        yield from rows.csv_lines(result.columns, result.rows, style, is_escaped=self.is_escaped, end=end)

    def jsonl(self, model: M, style: Style = Style()) -> Iterator[str]:
        result = self.of(model)
        yield from rows.json_lines(result.columns, result.rows, style)

    def llm(self, model: M, style: Style = Style()) -> Iterator[str]:
        """Yield as many rows as fit, numbered, with the text in them quoted, for language models."""
        from urlset.report.brief import Brief, Group, Quotes

        result, quote = self.of(model), Quotes(style.ascii_only)
        fetched = list(islice(result.rows, MAX_ROWS + 1))
        head = [*quote.heading(), f"columns: {', '.join(map(quote, result.columns))}"]
        tail = (
            [f"Only the first {MAX_ROWS} rows were fetched; count or group them to see all."]
            if len(fetched) > MAX_ROWS
            else []
        )
        groups = [Group(", ".join(_quote(value, quote) for value in row)) for row in fetched[:MAX_ROWS]]
        if not groups:
            head.append("no rows")
        yield from Brief(head, groups, tail, "row", style.ascii_only, headings=1).lines()

    def json(self, model: M, style: Style = Style()) -> Iterator[str]:
        result = self.of(model)
        yield from rows.json_array(result.columns, result.rows, style)


def _quote(value: object, quote: Quotes) -> str:
    value = plain_value(value)
    if value is None or isinstance(value, bool | int | float):
        return json_line(value)
    return quote(value if isinstance(value, str) else json_line(value))


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
            for number, example in enumerate(finding.examples, start=1):
                place = (example.line, example.column, example.field, example.value, example.url, example.message)
                yield (*head, *place, number, finding.count, rule.fix, example_name(finding, example, url))

    columns = (
        "severity", "code", "name", "document", "line", "column", "field", "value", "url", "message", "example",
        "count", "fix", "fingerprint",
    )  # fmt: skip
    return QueryResult(columns, (), cells())


def _statistics(report: Report) -> QueryResult:
    """Return a row per rule, the most severe first."""
    columns = ("severity", "code", "name", "places", "documents", "fixable")
    cells = (
        (
            count.rule.severity.value,
            count.rule.code,
            count.rule.name,
            count.places,
            count.documents,
            count.rule.fixable.value,
        )
        for count in report.statistics
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
RUNS = Table(of=_runs, null="", empty="no runs")
