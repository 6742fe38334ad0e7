"""New findings of `diff` as GitHub Actions workflow commands, like those of `validate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report import github
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.comparison import Comparison


def render(comparison: Comparison, style: Style = Style()) -> Iterator[str]:
    """Yield the annotations of the new findings, at their files, and a summary line."""
    if comparison.new_findings is None:
        yield "urlset: findings were not compared, because the rules did not run on both sides."
    else:
        yield from github.render(comparison.new_findings, style)
