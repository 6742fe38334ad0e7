"""Empty report, for runs that only need the exit code or the files of `--output`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.report import Report


def render(model: Report, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - as every renderer
    yield from ()
