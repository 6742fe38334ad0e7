"""Text report of `deploy-check`: what was compared, and what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.report.text import render as report_lines
from urlset.text.safe import safe
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.deploy_check import DeployCheck


def text(result: DeployCheck, style: Style = Style()) -> Iterator[str]:
    paint = style.paint
    folder, site = paint(safe(str(result.folder)), Role.PLACE), paint(safe(result.site), Role.PLACE)
    yield f"{folder} compared with {site} at {result.checked_at:%Y-%m-%d %H:%M} UTC"
    yield f"  {headline(result)}"
    if result.rounds > 1:
        yield f"  compared {result.rounds} times in {result.waited_seconds:,.0f} s"
    if result.interrupted:
        yield f"  {paint('interrupted:', Role.WARNING)} this report is partial"
    yield ""
    yield from report_lines(result.report, style)


def headline(result: DeployCheck) -> str:
    """Return the counts as a line."""
    unknown = sum(each.count for each in result.not_compared)
    files = result.files
    parts = [f"{quantity(result.sampled, 'page')} and {quantity(files, 'other file')}: {result.equal:,} as built"]
    parts += [f"{result.differing:,} different"] if result.differing else []
    parts += [f"{unknown:,} not compared"] if unknown else []
    return ", ".join(parts)
