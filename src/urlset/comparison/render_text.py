"""Text of `diff`, also of a build that is compared with what is published."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.comparison.page_words import REDIRECTS_UNKNOWN, PageWords
from urlset.model.comparison import LastmodChangeKind, Part, RemovedUrlStatus, State
from urlset.report.paint import Role
from urlset.report.style import SEVERITY_ROLES, Style
from urlset.report.words import instant, skipped_line, them
from urlset.text.safe import safe
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.comparison import (
        Comparison,
        FindingChange,
        Gaps,
        LastmodChange,
        ListedUrl,
        RemovedUrl,
        RespelledUrl,
        Side,
    )

_SHOWN = (
    State.NEW, State.GROWN, State.NOT_CHECKED_BEFORE, State.SHRUNK, State.FIXED, State.UNLISTED, State.NOT_CHECKED,
)  # fmt: skip

MAX_FINDINGS = 20
"""Findings to show per state, without `verbose`."""


_WORDS = PageWords(show=safe, quote=lambda text: f'"{safe(text)}"')


def render(comparison: Comparison, style: Style = Style()) -> Iterator[str]:
    """Yield both sides, then the first changes of each kind, and the alarms last."""
    for name, side in (("before", comparison.before), ("after", comparison.after)):
        yield f"{name:7} {_side(side, style)}"
        yield from (style.paint(f"        {line}", Role.WARNING) for line in gap_lines(side.gaps))
    yield ""
    if comparison.is_same:
        yield style.paint("Nothing changed.", Role.GOOD)
        yield from _uncompared_rules(comparison, style)
        return
    yield from _lost_pages(comparison, style)
    moved = comparison.moved_pages.count
    added, removed = comparison.only_added, comparison.only_removed
    yield from _urls("added", "+", comparison.added, added, comparison.respelled_added, moved, style)
    yield from _urls("removed", "-", comparison.removed, removed, comparison.respelled.count, moved, style)
    yield from _respelled(comparison.respelled, style)
    yield from _moved(comparison, style)
    yield from _in_folders(comparison, style)
    yield from _lastmods(comparison, style)
    for sign, word, children in (
        ("+", "added to indexes", comparison.children_added),
        ("-", "removed from indexes", comparison.children_removed),
    ):
        if children.count:
            yield style.paint(f"{quantity(children.count, 'sitemap')} {word}", Role.HEADING)
            yield from (f"  {sign} {safe(url)}" for url in children.examples)
            yield from _more_line(children, style)
    yield from _pages(comparison, style)
    yield from _site_files(comparison, style)
    yield from _removed_url(comparison, style)
    yield from _findings(comparison, style)
    yield from _uncompared_rules(comparison, style)
    for alarm in comparison.alarms:
        yield f"{style.paint('alarm', Role.ERROR)}  {alarm.name}: {safe(alarm.message)}"


def gap_lines(gaps: Gaps) -> Iterator[str]:
    """Yield a line on each thing that a side of a comparison lacks, and on each note."""
    for gap in (*gaps.unreadable, *gaps.incomplete.examples):
        yield f"{safe(gap.target)}: {safe(gap.reason)}"
    if more := gaps.incomplete.count - len(gaps.incomplete.examples):
        yield f"{quantity(more, 'more document is', 'more documents are')} incomplete"
    if gaps.skipped:
        yield skipped_line(gaps.skipped)
    yield from map(safe, gaps.notes)


def _side(side: Side, style: Style) -> str:
    numbers = f"{quantity(side.documents, 'document')}, {quantity(side.urls, 'URL')}"
    return f"{style.paint(safe(side.name), Role.PLACE)}: {numbers}, {instant(side.at.replace(microsecond=0))}"


def _urls(
    word: str, sign: str, part: Part[ListedUrl], alone: Part[ListedUrl], respelled: int, moved: int, style: Style
) -> Iterator[str]:
    if not part.count:
        return
    of_them = "".join(
        f"{', all' if count == part.count else f', {count:,}'} of them {how}"
        for count, how in ((respelled, "only in another spelling"), (moved, "moved pages"))
        if count
    )
    yield style.paint(f"{quantity(part.count, 'URL')} {word}", Role.HEADING) + of_them
    for entry in alone.examples:
        lastmod = f"  {safe(entry.lastmod)}" if entry.lastmod else ""
        yield f"  {sign} {safe(entry.url)}{style.paint(lastmod, Role.FAINT) if lastmod else ''}"
    yield from _more_line(alone, style)
    if len(part.documents) > 1:
        top_documents = ", ".join(f"{safe(name)} ({count:,})" for name, count in part.documents[:3])
        yield style.paint(f"  most in {top_documents}", Role.FAINT)


def _respelled(part: Part[RespelledUrl], style: Style) -> Iterator[str]:
    if not part.count:
        return
    yield style.paint(f"{quantity(part.count, 'removed URL')} listed in another spelling", Role.HEADING)
    for pair in part.examples:
        same = style.paint("  the same URL", Role.FAINT) if pair.is_same else ""
        yield f"  ~ {safe(pair.url)} -> {safe(pair.after)}{same}"
    yield from _more_line(part, style)


def _moved(comparison: Comparison, style: Style) -> Iterator[str]:
    part = comparison.moved_pages
    if not part.count:
        return
    yield style.paint(f"{quantity(part.count, 'page')} moved to another URL", Role.HEADING)
    statuses = {removal.url: removal for removal in (comparison.removed_urls or Part(0)).examples}
    for page in part.examples:
        removal = statuses.get(page.url)
        status = "" if removal is None else f"  {_outcome(removal)}"
        is_lost = removal is not None and removal.outcome is RemovedUrlStatus.LOST
        role = Role.ERROR if is_lost else Role.FAINT
        yield f"  ~ {safe(page.url)} -> {safe(page.after)}{style.paint(status, role) if status else ''}"
    yield from _more_line(part, style)
    if comparison.removed_urls is None:
        yield style.paint(f"  {REDIRECTS_UNKNOWN}", Role.FAINT)


def _in_folders(comparison: Comparison, style: Style) -> Iterator[str]:
    renamed, new = comparison.renamed_pages, comparison.new_unlisted
    if renamed is not None and renamed.count:
        yield style.paint(f"{quantity(renamed.count, 'page')} renamed, which the sitemaps do not show", Role.HEADING)
        yield from (f"  ~ {safe(page.url)} -> {safe(page.after)}" for page in renamed.examples)
        yield from _more_line(renamed, style)
    if new is not None and new.count:
        yield style.paint(f"{quantity(new.count, 'new page')} in no sitemap", Role.HEADING)
        yield from (f"  + {safe(url)}" for url in new.examples)
        yield from _more_line(new, style)


def _lost_pages(comparison: Comparison, style: Style) -> Iterator[str]:
    part = comparison.unindexed
    if part is None or not part.count:
        return
    yield style.paint(f"{quantity(part.count, 'page')} no longer indexable", Role.HEADING)
    for page in part.examples:
        after = comparison.renamed_to.get(page.url)
        renamed = "" if after is None else f"; the page is now {safe(after)}"
        yield f"  {style.paint('!', Role.ERROR)} {safe(page.url)}  {safe(page.reason)}{renamed}"
    yield from _more_line(part, style)


def _pages(comparison: Comparison, style: Style) -> Iterator[str]:
    pages = comparison.pages
    if pages is None or not (pages.changed or pages.uncompared):
        return
    yield style.paint("Pages", Role.HEADING) + f": {pages.in_numbers}"
    yield from (f"  {line}" for line in _WORDS.properties(pages))
    yield from (f"  = {_WORDS.shared_line(change)}" for change in pages.shared)
    if pages.shared and pages.own:
        yield f"  {quantity(pages.own, 'page')} with other changes"
    yield from (f"  ~ {_WORDS.page_line(page)}" for page in pages.pages)
    yield from _more_lines(pages.own - len(pages.pages), style)
    yield from (style.paint(f"  {line}", Role.FAINT) for line in pages.gaps)


def _site_files(comparison: Comparison, style: Style) -> Iterator[str]:
    for robots in comparison.robots:
        yield style.paint(f"Changes in {safe(robots.url)}", Role.HEADING)
        yield from (f"  {line}" for line in _WORDS.robots_lines(robots))
    if comparison.llms:
        yield style.paint("Changed links in llms.txt", Role.HEADING)
        yield from (f"  {_WORDS.llms_line(changes)}" for changes in comparison.llms)


def _lastmods(comparison: Comparison, style: Style) -> Iterator[str]:
    part: Part[LastmodChange] = comparison.lastmod
    if not part.count:
        return
    ways = ", ".join(f"{comparison.moved[kind]:,} {kind}" for kind in LastmodChangeKind if kind in comparison.moved)
    yield style.paint(f"{quantity(part.count, 'URL')} with a changed lastmod", Role.HEADING) + f": {ways}"
    for change in part.examples:
        role = Role.WARNING if change.moved in (LastmodChangeKind.EARLIER, LastmodChangeKind.REMOVED) else Role.FAINT
        moved = style.paint(change.moved, role)
        yield f"  ~ {safe(change.url)}  {safe(change.before or 'none')} to {safe(change.after or 'none')}  {moved}"
    yield from _more_line(part, style)


def _removed_url(comparison: Comparison, style: Style) -> Iterator[str]:
    if comparison.removed_urls is None or not comparison.removed_url_counts:
        return
    outcomes = ", ".join(f"{count:,} {outcome}" for outcome, count in comparison.removed_url_counts.items())
    yield style.paint("Status of removed URLs", Role.HEADING) + f": {outcomes}"
    moved = {page.url for page in comparison.moved_pages.examples}
    for removal in comparison.removed_urls.examples:
        if removal.url in moved:
            # Its status is shown with its new URL.
            continue
        yield f"  {safe(removal.url)}  {_outcome(removal)}"
    yield from _more_line(comparison.removed_urls, style)


def _outcome(removal: RemovedUrl) -> str:
    status = "no response" if removal.status is None else f"HTTP {removal.status}"
    if removal.outcome is RemovedUrlStatus.UNKNOWN and removal.status is not None and removal.status < 500:
        status += " for this client"
    if removal.target is not None:
        return f"redirects to {safe(removal.target)}{'' if removal.is_listed else ', which is not listed'} ({status})"
    is_moved = removal.outcome is RemovedUrlStatus.LOST and not removal.is_lost
    outcome = "no redirect" if is_moved else removal.outcome.value
    return f"{outcome} ({safe(removal.reason) if removal.reason else status})"


def _findings(comparison: Comparison, style: Style) -> Iterator[str]:
    if not comparison.findings:
        return
    numbers = {state: comparison.findings_that_are(state) for state in State}
    summary = ", ".join(f"{len(changes):,} {state.words}" for state, changes in numbers.items() if changes)
    yield style.paint("Findings", Role.HEADING) + f": {summary}"
    yield from (
        style.paint(f"  {quantity(count, 'place')} no longer checked: {reason.words}", Role.WARNING)
        for reason, count in comparison.unchecked.items()
    )
    yield from (
        style.paint(f"  {quantity(count, 'place')} not checked before: {reason.words_before}", Role.WARNING)
        for reason, count in comparison.unchecked_before.items()
    )
    for state in (*_SHOWN, *((State.UNCHANGED,) if style.verbose else ())):
        changes = numbers[state]
        first_changes = changes if style.verbose else changes[:MAX_FINDINGS]
        yield from (_finding(change, style) for change in first_changes)
        if len(changes) > len(first_changes):
            remainder = len(changes) - len(first_changes)
            yield style.paint(f"  … and {remainder:,} more {state.words}; use -v to show {them(remainder)}", Role.FAINT)


def _uncompared_rules(comparison: Comparison, style: Style) -> Iterator[str]:
    for what, other, codes, name in (
        ("No longer checked", "after", comparison.only_before, "before"),
        ("Not compared", "before", comparison.only_after, "after"),
    ):
        if codes:
            text = f"{what} because the run {other} did not include the rule: {safe(', '.join(codes))} (found {name})"
            yield style.paint(text, Role.FAINT)


def _finding(change: FindingChange, style: Style) -> str:
    severity = style.paint(change.severity, SEVERITY_ROLES[change.severity])
    state = "unchecked" if change.state in (State.NOT_CHECKED, State.NOT_CHECKED_BEFORE) else change.state
    return (
        f"  {state:9} {severity} {safe(change.code)}  {safe(change.document)}: {safe(change.message)} ({change.places})"
    )


def _more_line(part: Part[object], style: Style) -> Iterator[str]:
    yield from _more_lines(part.count - len(part.examples), style)


def _more_lines(remainder: int, style: Style) -> Iterator[str]:
    if remainder > 0:
        yield style.paint(f"  … and {remainder:,} more", Role.FAINT)
