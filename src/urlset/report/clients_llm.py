"""Short answer of `check --clients` for language models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.brief import Brief, Group, Quotes, title
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.client_check import ClientCheck


def render(check: ClientCheck, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report."""
    quote = Quotes(style.ascii_only)
    groups = [
        Group(f"{one.severity.value}: {title(one.title)}", (f"seen: {quote(one.evidence)}", f"fix: {title(one.fix)}"))
        for one in check.findings
    ]
    head = [*quote.heading(), f"{quote(check.url)}: {check.status}"]
    yield from Brief(
        head, groups, [f"Not known from here: {'; '.join(check.unknown)}."], "cause", style.ascii_only
    ).lines()
