"""What an address answers to crawlers, in Markdown for a pull request or a job summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.rows import Code, markdown_lines
from urlset.report.style import Style
from urlset.safe import code_span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.client_check import ClientCheck


def render(check: ClientCheck, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - the signature of a renderer
    """Yield the lines of the report."""
    yield f"**{code_span(check.url)}: {check.status}**"
    for reading in check.readings:
        yield ""
        yield f"{code_span(reading.sentence)}."
    if check.findings:
        yield ""
        rows = (
            (finding.severity.value, finding.title, Code(finding.evidence), finding.fix) for finding in check.findings
        )
        yield from markdown_lines(("severity", "cause", "seen", "fix"), rows)
    yield ""
    yield f"_Not known from here: {'; '.join(check.unknown)}._"
