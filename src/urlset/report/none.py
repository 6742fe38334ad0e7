"""No report at all, for a run that is only to fail or to write files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.report import Report


def render(model: Report, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - as every renderer
    """Yield nothing."""
    yield from ()
