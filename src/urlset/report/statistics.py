"""The counts per rule of `validate --statistics`, the most severe rules first. CSV is `tables.STATISTICS`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.json_values import as_json
from urlset.report.command_tables import STATISTICS
from urlset.report.jsonl import summary_of
from urlset.report.rows import Code, markdown_lines, table
from urlset.report.style import SEVERITY_ROLES, Style
from urlset.report.words import checked_words
from urlset.text.safe import json_line
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.report import Report

NUMBERS = ("places", "documents")


def text(report: Report, style: Style = Style()) -> Iterator[str]:
    counts = STATISTICS.of(report)
    rows = [(*head, f"{places:,}", f"{documents:,}", fixable) for *head, places, documents, fixable in counts.rows]
    if rows:
        roles = {"severity": SEVERITY_ROLES}
        yield from table(counts.columns, rows, style, right=NUMBERS, roles=roles, is_ruled=False)
        yield ""
    where = f"in {checked_words(report)}"
    if rows:
        places = quantity(sum(count.places for count in report.statistics), "place")
        yield f"Found {places} that break{'s' if places == '1 place' else ''} {quantity(len(rows), 'rule')} {where}."
    else:
        yield f"{report.without_findings('problems found').capitalize()} {where}."


def markdown(report: Report, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - the signature of a renderer
    counts = report.statistics
    places = quantity(sum(count.places for count in counts), "place")
    where = f"in {checked_words(report)}"
    problems = (
        f"{quantity(len(counts), 'rule')} broken in {places}" if counts else report.without_findings("problems found")
    )
    yield f"**urlset:** {problems} {where}"
    if counts:
        listed = STATISTICS.of(report)
        rows = ((severity, code, Code(name), *rest) for severity, code, name, *rest in listed.rows)
        yield ""
        yield from markdown_lines(listed.columns, rows, right=NUMBERS)


def jsonl(report: Report, style: Style = Style()) -> Iterator[str]:
    """Yield an object per target that could not be read, then per rule, and one `summary`, with their `type`.

    The rest of a line is what JSON has for it.
    """
    for kind, value in _objects(report):
        yield json_line({"type": kind} | as_json(value), ascii_only=style.ascii_only)


def _objects(report: Report) -> Iterator[tuple[str, object]]:
    for unreadable in report.unreadable:
        yield "unreadable", unreadable
    for count in report.statistics:
        yield "rule", count
    yield "summary", summary_of(report)
