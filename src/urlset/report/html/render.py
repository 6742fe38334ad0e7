"""Render the HTML report: one self-contained file that makes no requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.html.template import environment, shown_of
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.report_page import Page


def render(page: Page, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - the signature of a renderer
    """Yield the page as HTML."""
    yield environment().get_template("page.html.j2").render(**shown_of(page), bench=None, skip_to="verdict")
