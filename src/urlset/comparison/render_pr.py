"""Markdown of `diff` for a comment on a pull request: the worst changes first, then each kind of change, folded.

Untrusted text is in code spans, in which Markdown does not create links, mentions, or HTML
(https://spec.commonmark.org/0.31.2/#code-spans).
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from urlset.comparison.page_words import PageWords
from urlset.comparison.render_text import gap_lines
from urlset.model.comparison import RemovedUrlStatus, State
from urlset.report.style import Style
from urlset.rules.rule import Severity
from urlset.text.safe import code_span
from urlset.text.sizes import enumeration, quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.comparison import Comparison, FindingChange, RemovedUrl

LONGEST = 58_000
"""Maximum bytes of the comment; GitHub accepts 65,536 characters."""

MAX_WORST = 3
"""Changes to show first."""

MAX_ITEMS = 100
"""Changes to show of each kind."""


_WORDS = PageWords(show=code_span, quote=code_span)


def render(comparison: Comparison, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - the signature of a renderer
    """Yield the lines of the comment; none if nothing changed and both sides were read."""
    sections = list(_sections(comparison))
    gaps = list(_gaps(comparison))
    if not gaps and not any(title for title, items, count, is_change in sections if is_change and count):
        return
    head = [_summary(comparison), *gaps]
    worst = list(_worst(comparison))
    if worst:
        head += ["", *(f"{number}. {text}" for number, text in enumerate(worst[:MAX_WORST], 1))]
    used = sum(len(line.encode()) + 1 for line in head)
    yield from head
    for title, items, count, _ in sections:
        if not count:
            continue
        lines = ["", f"<details><summary>{title}: {count:,}</summary>", ""]
        used += sum(len(line.encode()) + 1 for line in lines) + 100
        shown = 0
        for item in items[:MAX_ITEMS]:
            size = len(item.encode()) + 3
            if used + size > LONGEST:
                break
            lines.append(f"- {item}")
            used, shown = used + size, shown + 1
        if count > shown:
            lines.append(f"- … and {count - shown:,} more")
        yield from (*lines, "", "</details>")


def _summary(comparison: Comparison) -> str:
    parts = [
        f"{quantity(part.count, 'URL')} {word}"
        for part, word in (
            (comparison.only_added, "added"),
            (comparison.only_removed, "removed"),
            (comparison.respelled, "in another spelling"),
            (comparison.lastmod, "with a changed lastmod"),
        )
        if part.count
    ]
    states = (
        ("new", (State.NEW, State.GROWN)),
        ("fixed", (State.FIXED,)),
        ("in fewer places", (State.SHRUNK,)),
        *((state.words, (state,)) for state in (State.UNLISTED, State.NOT_CHECKED, State.NOT_CHECKED_BEFORE)),
    )
    for word, which in states:
        if changes := comparison.findings_that_are(*which):
            parts.append(f"{quantity(len(changes), 'finding')} {word}")
    if comparison.pages is not None and comparison.pages.changed:
        parts.append(f"{quantity(comparison.pages.changed, 'page')} changed")
    for pages, what in (
        (comparison.moved_pages, "page moved to another URL"),
        (comparison.renamed_pages, "page renamed"),
        (comparison.new_unlisted, "new page in no sitemap"),
    ):
        if pages is not None and pages.count:
            parts.append(quantity(pages.count, what, what.replace("page", "pages", 1)))
    if comparison.robots:
        parts.append("robots.txt changed")
    if comparison.unindexed is not None and comparison.unindexed.count:
        parts.append(f"{quantity(comparison.unindexed.count, 'page')} no longer indexable")
    return f"**urlset:** {enumeration(parts)}" if parts else "**urlset:** no changes"


def _gaps(comparison: Comparison) -> Iterator[str]:
    for name, side in (("before", comparison.before), ("after", comparison.after)):
        if side.gaps.may_lack_urls:
            for line in islice(gap_lines(replace(side.gaps, notes=())), MAX_WORST):
                yield ""
                yield f"{name}: {code_span(line)}"


def _worst(comparison: Comparison) -> Iterator[str]:
    """Yield the changes that matter, the worst first."""
    added = comparison.findings_that_are(State.NEW, State.GROWN)
    errors = [change for change in added if change.severity is Severity.ERROR]
    if comparison.unindexed is not None:
        for page in comparison.unindexed.examples[:MAX_WORST]:
            after = comparison.renamed_to.get(page.url)
            renamed = "" if after is None else f"; the page is now {code_span(after)}"
            yield f"{code_span(page.url)} is no longer indexable: {code_span(page.reason)}{renamed}"
    yield from (
        f"{code_span(robots.url)}: {line}"
        for robots in comparison.robots
        for line in _WORDS.robots_lines(robots)
        if not line.startswith("line ")
    )
    yield from (_finding(change) for change in errors)
    # Pages that are nowhere else come first.
    lost = sorted(_lost(comparison), key=lambda removal: removal.moved is not None)
    yield from map(_unredirected, lost[:MAX_WORST])
    rest = [change for change in added if change.severity is not Severity.ERROR]
    yield from (_finding(change) for change in sorted(rest, key=lambda change: change.severity.rank))
    yield from (code_span(alarm.message) for alarm in comparison.alarms if alarm.name == "url-count-drop")


def _sections(comparison: Comparison) -> Iterator[tuple[str, Sequence[str], int, bool]]:
    """Yield the kinds of changes: title, items, number, and whether it is a change."""
    if comparison.unindexed is not None:
        pages = [f"{code_span(page.url)}: {code_span(page.reason)}" for page in comparison.unindexed.examples]
        yield "Pages that are no longer indexable", pages, comparison.unindexed.count, True
    new = [_finding(change) for change in comparison.findings_that_are(State.NEW, State.GROWN)]
    yield "New findings", new, len(new), True
    if comparison.removed_url_counts is not None:
        lost = [code_span(one.url) if one.moved is None else _unredirected(one) for one in _lost(comparison)]
        count = comparison.removed_url_counts.get(RemovedUrlStatus.LOST, 0)
        yield "Removed URLs without a redirect", lost, count, True
    removed, added, respelled = comparison.only_removed, comparison.only_added, comparison.respelled
    yield "Removed URLs", [code_span(entry.url) for entry in removed.examples], removed.count, True
    yield "Added URLs", [code_span(entry.url) for entry in added.examples], added.count, True
    pairs = [f"{code_span(pair.url)} is now {code_span(pair.after)}" for pair in respelled.examples]
    yield "URLs in another spelling", pairs, respelled.count, True
    moved = [f"{code_span(page.url)} is now {code_span(page.after)}" for page in comparison.moved_pages.examples]
    yield "Pages moved to another URL", moved, comparison.moved_pages.count, True
    if (renamed := comparison.renamed_pages) is not None:
        names = [f"{code_span(page.url)} is now {code_span(page.after)}" for page in renamed.examples]
        yield "Renamed pages, which the sitemaps do not show", names, renamed.count, True
    if (new_pages := comparison.new_unlisted) is not None:
        yield "New pages in no sitemap", [code_span(url) for url in new_pages.examples], new_pages.count, True
    if (changed_pages := comparison.pages) is not None:
        shared = [_WORDS.shared_line(change) for change in changed_pages.shared]
        yield "Changes shared by many pages", shared, len(shared), True
        own = [_WORDS.page_line(page) for page in changed_pages.pages]
        yield "Pages with other changes" if shared else "Changed pages", own, changed_pages.own, True
    for robots in comparison.robots:
        lines = list(_WORDS.robots_lines(robots))
        yield "Changes in robots.txt", lines, len(lines), True
    llms = [_WORDS.llms_line(changes) for changes in comparison.llms]
    yield "llms.txt files with changed links", llms, len(llms), True
    changed = [
        f"{code_span(change.url)}: {code_span(change.before or 'none')} to {code_span(change.after or 'none')}"
        for change in comparison.lastmod.examples
    ]
    yield "URLs with a changed lastmod", changed, comparison.lastmod.count, True
    for title, part in (
        ("Sitemaps added to indexes", comparison.children_added),
        ("Sitemaps removed from indexes", comparison.children_removed),
    ):
        yield title, [code_span(url) for url in part.examples], part.count, True
    for title, state in (
        ("Fixed findings", State.FIXED),
        ("Findings on pages that are no longer listed", State.UNLISTED),
        ("Findings in fewer places", State.SHRUNK),
    ):
        found = [_finding(change) for change in comparison.findings_that_are(state)]
        yield title, found, len(found), True
    unchecked = [_finding(change) for change in comparison.findings_that_are(State.NOT_CHECKED)]
    yield "Findings that were no longer checked", unchecked, len(unchecked), True
    unknown = [_finding(change) for change in comparison.findings_that_are(State.NOT_CHECKED_BEFORE)]
    yield "Findings that were not checked before", unknown, len(unknown), True
    codes = comparison.only_after
    yield "Rules that ran only after", [code_span(code) for code in codes], len(codes), False
    still = [_finding(change) for change in comparison.findings_that_are(State.UNCHANGED)]
    yield "Findings that are still there", still, len(still), False
    before, after = comparison.before.gaps.notes, comparison.after.gaps.notes
    notes = [*(f"before: {note}" for note in before if note not in after), *after]
    yield "Notes", [code_span(note) for note in notes], len(notes), False


def _unredirected(removal: RemovedUrl) -> str:
    if removal.moved is None:
        return f"{code_span(removal.url)} was removed and does not redirect"
    return f"{code_span(removal.url)} is now {code_span(removal.moved)}, and does not redirect"


def _lost(comparison: Comparison) -> list[RemovedUrl]:
    removed = () if comparison.removed_urls is None else comparison.removed_urls.examples
    return [removal for removal in removed if removal.outcome is RemovedUrlStatus.LOST]


def _finding(change: FindingChange) -> str:
    counts = f"{change.before:,} to {change.after:,}" if change.before else f"{change.after:,}"
    code = change.code if change.code.isalnum() else code_span(change.code)
    place = f"{change.severity} {code} in {code_span(change.document)}"
    reasons = f", {code_span(change.reasons)}" if change.reasons else ""
    return f"{place} ({counts}{reasons}): {code_span(change.message)}"
