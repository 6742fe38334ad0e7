"""Short report of `validate` for language models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.brief import Brief, quotes_for
from urlset.report.brief_findings import finding_groups, next_lines, state_lines
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.report import Report


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report."""
    report = report if style.shows_quiet else report.without_quiet()
    quote = quotes_for(report.document_urls.values(), ascii_only=style.ascii_only)
    yield from Brief(
        [*quote.heading(), *state_lines(report, quote)],
        finding_groups(report, quote),
        list(next_lines(report)),
        "rule",
        style.ascii_only,
    ).lines()
