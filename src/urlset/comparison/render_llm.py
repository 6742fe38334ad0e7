"""A brief of `diff` for language models."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from urlset.comparison.page_words import PageWords
from urlset.model.comparison import State
from urlset.report.brief import Brief, Group, command, quotes_for
from urlset.report.style import Style
from urlset.report.words import instant
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.comparison import Comparison, FindingChange, Part, Side
    from urlset.report.brief import Quotes

MAX_GAPS = 3
"""Parts that a side lacks to show."""


def render(comparison: Comparison, style: Style = Style()) -> Iterator[str]:
    """Yield a brief for language models: both sides and the alarms, then a group per kind of change."""
    documents = [entry.document for entry in (*comparison.added.examples, *comparison.removed.examples)]
    documents += [change.document for change in comparison.findings or ()]
    quote = quotes_for(documents, ascii_only=style.ascii_only)
    head = [*quote.heading()]
    for name, side in (("Before", comparison.before), ("After", comparison.after)):
        head += _brief_side(name, side, quote)
    head += [f"Alarm {alarm.name}: {quote(alarm.message)}" for alarm in comparison.alarms]
    if comparison.is_same:
        head.append("Nothing changed.")
    groups = list(_groups(comparison, quote))
    codes = [change.code for change in comparison.findings_that_are(State.NEW, State.GROWN)]
    tail = [f"Next: {command('urlset explain', codes[0])}"] if codes else []
    if comparison.added.count or comparison.removed.count or comparison.lastmod.count:
        tail.append("Also: `urlset diff BEFORE AFTER --urls all` lists every URL.")
    yield from Brief(head, groups, tail, "kind of change", style.ascii_only).lines()


def _brief_side(name: str, side: Side, quote: Quotes) -> Iterator[str]:
    at = instant(side.at.replace(microsecond=0))
    yield f"{name}: {quote(side.name)}, {quantity(side.documents, 'document')}, {quantity(side.urls, 'URL')}, {at}."
    gaps = (*side.gaps.unreadable, *side.gaps.incomplete.examples)
    yield from (f"  not read completely: {quote(gap.target)}: {quote(gap.reason)}" for gap in gaps[:MAX_GAPS])
    if (remainder := len(side.gaps.unreadable) + side.gaps.incomplete.count - MAX_GAPS) > 0:
        yield f"  not read completely: {quantity(remainder, 'more document')}"


def _groups(comparison: Comparison, quote: Quotes) -> Iterator[Group]:
    words = PageWords(show=quote, quote=quote)
    for state in (State.NEW, State.GROWN):
        yield from _finding_group(comparison, state, quote)
    if comparison.unindexed is not None and comparison.unindexed.count:
        pages = (f"{quote(page.url)}: {quote(page.reason)}" for page in comparison.unindexed.examples)
        yield Group(f"{quantity(comparison.unindexed.count, 'listed page')} no longer indexable", pages)
    for robots in comparison.robots:
        yield Group(f"Changes in {quote(robots.url)}", words.robots_lines(robots))
    if (changed := comparison.pages) is not None and changed.changed:
        lines = chain(
            (words.shared_line(change) for change in changed.shared),
            (words.page_line(page) for page in changed.pages),
        )
        yield Group(f"Pages: {changed.in_numbers}", lines)
    if comparison.llms:
        yield Group("Changed links in llms.txt", (words.llms_line(changes) for changes in comparison.llms))
    if comparison.moved_pages.count:
        moved = (f"{quote(page.url)}, now {quote(page.after)}" for page in comparison.moved_pages.examples)
        yield Group(f"{quantity(comparison.moved_pages.count, 'page')} moved to another URL", moved)
    if (renamed := comparison.renamed_pages) is not None and renamed.count:
        names = (f"{quote(page.url)}, now {quote(page.after)}" for page in renamed.examples)
        yield Group(f"{quantity(renamed.count, 'page')} renamed, which the sitemaps do not show", names)
    if (new := comparison.new_unlisted) is not None and new.count:
        yield Group(f"{quantity(new.count, 'new page')} in no sitemap", map(quote, new.examples))
    if comparison.removed_urls is not None and comparison.removed_urls.count:
        statuses = (
            f"{quote(removal.url)}: {removal.outcome}" + (f", now {quote(removal.moved)}" if removal.moved else "")
            for removal in comparison.removed_urls.examples
        )
        yield Group(f"Status of {quantity(comparison.removed_urls.count, 'removed URL')}", statuses)
    for word, children in (("removed from", comparison.children_removed), ("added to", comparison.children_added)):
        if children.count:
            yield Group(f"{quantity(children.count, 'sitemap')} {word} indexes", map(quote, children.examples))
    for word, part in (("removed", comparison.removed), ("added", comparison.added)):
        if part.count:
            urls = (
                f"{quote(entry.url)} in {quote(entry.document)}, {_date(entry.lastmod, quote)}"
                + (f", respelled as {quote(entry.respelled)}" if entry.respelled is not None else "")
                for entry in part.examples
            )
            yield Group(f"{quantity(part.count, 'URL')} {word}{_top_documents(part, quote)}", urls)
    if comparison.lastmod.count:
        ways = ", ".join(f"{count:,} {kind}" for kind, count in comparison.moved.items())
        dates = (
            f"{quote(change.url)}: {_date(change.before, quote)}, then {_date(change.after, quote)} ({change.moved})"
            for change in comparison.lastmod.examples
        )
        yield Group(f"{quantity(comparison.lastmod.count, 'URL')} with a changed lastmod: {ways}", dates)
    for state in (State.NOT_CHECKED_BEFORE, State.NOT_CHECKED, State.FIXED, State.UNLISTED, State.SHRUNK):
        yield from _finding_group(comparison, state, quote)


def _finding_group(comparison: Comparison, state: State, quote: Quotes) -> Iterator[Group]:
    if changes := comparison.findings_that_are(state):
        yield Group(
            f"{quantity(len(changes), 'finding')} {state.words}", (_brief_finding(change, quote) for change in changes)
        )


def _brief_finding(change: FindingChange, quote: Quotes) -> str:
    what = f"{quote.word(change.code)} {change.severity.value}, places {change.places}"
    return f"{what}, in {quote(change.document)}: {quote(change.message)}"


def _date(lastmod: str | None, quote: Quotes) -> str:
    return "no lastmod" if lastmod is None else f"lastmod {quote(lastmod, 40)}"


def _top_documents(part: Part[object], quote: Quotes) -> str:
    if len(part.documents) < 2:
        return ""
    return f"; most in {', '.join(f'{quote(name)} ({count:,})' for name, count in part.documents[:2])}"
