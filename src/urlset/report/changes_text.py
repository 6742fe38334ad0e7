"""Text report of `diff`: the numbers of both sides, then the first changes of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlset.model.comparison import LastmodChangeKind, RemovedUrlStatus, State
from urlset.report.paint import Role
from urlset.report.roles import SEVERITY_ROLES
from urlset.report.style import Style
from urlset.report.words import gap_lines, instant, them
from urlset.safe import safe
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.comparison import Comparison, FindingChange, LastmodChange, ListedUrl, Part, RemovedUrl, Side

FINDINGS_SHOWN = 20
"""Findings to show per state, without `verbose`."""


def render(comparison: Comparison, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report."""
    for name, side in (("before", comparison.before), ("after", comparison.after)):
        yield f"{name:7} {_side(side, style)}"
        yield from (style.paint(f"        {line}", Role.WARNING) for line in gap_lines(side.gaps))
    yield ""
    if comparison.is_same:
        yield style.paint("Nothing changed.", Role.GOOD)
        yield from _one_sided(comparison, style)
        return
    yield from _urls("added", "+", comparison.added, style)
    yield from _urls("removed", "-", comparison.removed, style)
    yield from _lastmods(comparison, style)
    for sign, word, children in (
        ("+", "added to indexes", comparison.children_added),
        ("-", "removed from indexes", comparison.children_removed),
    ):
        if children.count:
            yield style.paint(f"{counted(children.count, 'sitemap')} {word}", Role.HEADING)
            yield from (f"  {sign} {safe(url)}" for url in children.examples)
            yield from _more(children, style)
    yield from _removed_url(comparison, style)
    yield from _findings(comparison, style)
    yield from _one_sided(comparison, style)
    for alarm in comparison.alarms:
        yield f"{style.paint('alarm', Role.ERROR)}  {alarm.name}: {safe(alarm.message)}"


def _side(side: Side, style: Style) -> str:
    numbers = f"{counted(side.documents, 'document')}, {counted(side.urls, 'URL')}"
    return f"{style.paint(safe(side.name), Role.PLACE)}: {numbers}, {instant(side.at.replace(microsecond=0))}"


def _urls(word: str, sign: str, part: Part[ListedUrl], style: Style) -> Iterator[str]:
    if not part.count:
        return
    yield style.paint(f"{counted(part.count, 'URL')} {word}", Role.HEADING)
    for listed in part.examples:
        lastmod = f"  {safe(listed.lastmod)}" if listed.lastmod else ""
        yield f"  {sign} {safe(listed.url)}{style.paint(lastmod, Role.FAINT) if lastmod else ''}"
    yield from _more(part, style)
    if len(part.documents) > 1:
        most = ", ".join(f"{safe(name)} ({count:,})" for name, count in part.documents[:3])
        yield style.paint(f"  most in {most}", Role.FAINT)


def _lastmods(comparison: Comparison, style: Style) -> Iterator[str]:
    part: Part[LastmodChange] = comparison.lastmod
    if not part.count:
        return
    ways = ", ".join(f"{comparison.moved[kind]:,} {kind}" for kind in LastmodChangeKind if kind in comparison.moved)
    yield style.paint(f"{counted(part.count, 'URL')} with a changed lastmod", Role.HEADING) + f": {ways}"
    for change in part.examples:
        role = Role.WARNING if change.moved in (LastmodChangeKind.EARLIER, LastmodChangeKind.REMOVED) else Role.FAINT
        moved = style.paint(change.moved, role)
        yield f"  ~ {safe(change.url)}  {safe(change.before or 'none')} to {safe(change.after or 'none')}  {moved}"
    yield from _more(part, style)


def _removed_url(comparison: Comparison, style: Style) -> Iterator[str]:
    if comparison.removed_urls is None or comparison.removed_url_counts is None:
        return
    outcomes = ", ".join(f"{count:,} {outcome}" for outcome, count in comparison.removed_url_counts.items())
    yield style.paint("Status of removed URLs", Role.HEADING) + f": {outcomes or 'none removed'}"
    for one in comparison.removed_urls.examples:
        yield f"  {safe(one.url)}  {_outcome(one)}"
    yield from _more(comparison.removed_urls, style)


def _outcome(one: RemovedUrl) -> str:
    status = "no response" if one.status is None else f"HTTP {one.status}"
    if one.outcome is RemovedUrlStatus.UNKNOWN and one.status is not None and one.status < 500:
        status += " for this client"
    if one.target is not None:
        return f"redirects to {safe(one.target)}{'' if one.is_listed else ', which is not listed'} ({status})"
    return f"{one.outcome} ({safe(one.reason) if one.reason else status})"


def _findings(comparison: Comparison, style: Style) -> Iterator[str]:
    if not comparison.findings:
        return
    numbers = {state: comparison.findings_that_are(state) for state in State}
    summary = ", ".join(f"{len(changes):,} {state}" for state, changes in numbers.items() if changes)
    yield style.paint("Findings", Role.HEADING) + f": {summary}"
    for state in (State.NEW, State.GROWN, State.SHRUNK, State.FIXED, *((State.UNCHANGED,) if style.verbose else ())):
        changes = numbers[state]
        shown = changes if style.verbose else changes[:FINDINGS_SHOWN]
        yield from (_finding(change, style) for change in shown)
        if len(changes) > len(shown):
            left = len(changes) - len(shown)
            yield style.paint(f"  … and {left:,} more {state}; use -v to show {them(left)}", Role.FAINT)


def _one_sided(comparison: Comparison, style: Style) -> Iterator[str]:
    names = ("before", "after")
    for name, other, codes in zip(names, reversed(names), comparison.one_sided, strict=True):
        if codes:
            text = f"Not compared because the run {other} did not include the rule: {', '.join(codes)} (found {name})"
            yield style.paint(text, Role.FAINT)


def _finding(change: FindingChange, style: Style) -> str:
    counts = f"{change.before:,} to {change.after:,}"
    severity = style.paint(change.severity, SEVERITY_ROLES[change.severity])
    return f"  {change.state:9} {severity} {change.code}  {safe(change.document)}: {safe(change.message)} ({counts})"


def _more(part: Part[Any], style: Style) -> Iterator[str]:
    if part.count > len(part.examples):
        yield style.paint(f"  … and {part.count - len(part.examples):,} more", Role.FAINT)
