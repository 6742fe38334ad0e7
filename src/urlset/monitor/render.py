"""How `monitor` is shown as text: only what is new."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.paint import Role
from urlset.report.style import SEVERITY_ROLES, Style
from urlset.text.safe import safe
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.monitoring import MonitorResult, SiteRound


def text(result: MonitorResult, style: Style = Style()) -> Iterator[str]:
    for site in result.sites:
        yield from _site(site, style)
    opened_count = sum(len(site.opened) for site in result.sites)
    closed = sum(len(site.closed) for site in result.sites)
    still = sum(len(site.still_open) for site in result.sites)
    news = f"{quantity(opened_count, 'new alarm')}, {closed:,} closed" if opened_count or closed else "nothing new"
    before = f", {still:,} still open" if still else ""
    others = f"; {quantity(result.not_due, 'site')} not due" if result.not_due else ""
    yield f"Checked {quantity(len(result.sites), 'site')}: {news}{before}{others}"


def _site(site: SiteRound, style: Style) -> Iterator[str]:
    lines = []
    for alarm in site.opened:
        lines.append(f"  {style.paint(alarm.severity.value, SEVERITY_ROLES[alarm.severity])}: {safe(alarm.title)}")
        lines += [f"    {safe(detail)}" for detail in alarm.details]
    for alarm in site.closed:
        assert alarm.closed_by is not None
        since = f"(since {alarm.opened_at:%Y-%m-%d})"
        lines.append(f"  {style.paint(alarm.closed_by.words, Role.GOOD)}: {safe(alarm.title)} {since}")
    if site.is_first:
        lines.append(
            f"  first round: {quantity(site.known, 'finding')} taken as known; later rounds are compared with it"
        )
    if site.problem is not None:
        lines.append(f"  {style.paint('not checked', Role.ERROR)}: {safe(site.problem)}")
    lines += [f"  note: {safe(note)}" for note in site.notes]
    if lines:
        yield style.paint(safe(site.site), Role.HEADING)
        yield from lines
        yield ""
