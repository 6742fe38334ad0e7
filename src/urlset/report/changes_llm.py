"""Short report of `diff` for language models: alarms, then the changes of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlset.model.comparison import State
from urlset.report.brief import Brief, Group, command, quotes_for
from urlset.report.style import Style
from urlset.report.words import instant
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.comparison import Comparison, FindingChange, Part, Side
    from urlset.report.brief import Quotes

GAPS_SHOWN = 3
"""Parts that a side lacks to show."""


def render(comparison: Comparison, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report."""
    documents = [one.document for one in (*comparison.added.examples, *comparison.removed.examples)]
    documents += [one.document for one in comparison.findings or ()]
    quote = quotes_for(documents, ascii_only=style.ascii_only)
    head = [*quote.heading()]
    for name, side in (("Before", comparison.before), ("After", comparison.after)):
        head += _side(name, side, quote)
    head += [f"Alarm {one.name}: {quote(one.message)}" for one in comparison.alarms]
    if comparison.is_same:
        head.append("Nothing changed.")
    groups = list(_groups(comparison, quote))
    codes = [one.code for one in comparison.findings_that_are(State.NEW, State.GROWN)]
    tail = [f"Next: {command('urlset explain', codes[0])}"] if codes else []
    if comparison.added.count or comparison.removed.count or comparison.lastmod.count:
        tail.append("Also: `urlset diff BEFORE AFTER --urls all` lists every URL.")
    yield from Brief(head, groups, tail, "kind of change", style.ascii_only).lines()


def _side(name: str, side: Side, quote: Quotes) -> Iterator[str]:
    at = instant(side.at.replace(microsecond=0))
    yield f"{name}: {quote(side.name)}, {counted(side.documents, 'document')}, {counted(side.urls, 'URL')}, {at}."
    gaps = (*side.gaps.unreadable, *side.gaps.incomplete.examples)
    yield from (f"  not read completely: {quote(one.target)}: {quote(one.reason)}" for one in gaps[:GAPS_SHOWN])
    if (left := len(side.gaps.unreadable) + side.gaps.incomplete.count - GAPS_SHOWN) > 0:
        yield f"  not read completely: {counted(left, 'more document')}"


def _groups(comparison: Comparison, quote: Quotes) -> Iterator[Group]:
    for state in (State.NEW, State.GROWN):
        yield from _findings(comparison, state, quote)
    if comparison.unindexed is not None and comparison.unindexed.count:
        pages = (f"{quote(one.url)}: {quote(one.reason)}" for one in comparison.unindexed.examples)
        yield Group(f"{counted(comparison.unindexed.count, 'listed page')} no longer indexable", pages)
    if comparison.removed_urls is not None and comparison.removed_urls.count:
        statuses = (f"{quote(one.url)}: {one.outcome}" for one in comparison.removed_urls.examples)
        yield Group(f"Status of {counted(comparison.removed_urls.count, 'removed URL')}", statuses)
    for word, children in (("removed from", comparison.children_removed), ("added to", comparison.children_added)):
        if children.count:
            yield Group(f"{counted(children.count, 'sitemap')} {word} indexes", map(quote, children.examples))
    for word, part in (("removed", comparison.removed), ("added", comparison.added)):
        if part.count:
            urls = (f"{quote(one.url)} in {quote(one.document)}, {_date(one.lastmod, quote)}" for one in part.examples)
            yield Group(f"{counted(part.count, 'URL')} {word}{_most(part, quote)}", urls)
    if comparison.lastmod.count:
        ways = ", ".join(f"{count:,} {kind}" for kind, count in comparison.moved.items())
        dates = (
            f"{quote(one.url)}: {_date(one.before, quote)}, then {_date(one.after, quote)} ({one.moved})"
            for one in comparison.lastmod.examples
        )
        yield Group(f"{counted(comparison.lastmod.count, 'URL')} with a changed lastmod: {ways}", dates)
    for state in (State.FIXED, State.SHRUNK):
        yield from _findings(comparison, state, quote)


def _findings(comparison: Comparison, state: State, quote: Quotes) -> Iterator[Group]:
    if changes := comparison.findings_that_are(state):
        yield Group(f"{counted(len(changes), 'finding')} {state}", (_finding(one, quote) for one in changes))


def _finding(change: FindingChange, quote: Quotes) -> str:
    counts = f"places {change.before:,} to {change.after:,}"
    return f"{change.code} {change.severity.value}, {counts}, in {quote(change.document)}: {quote(change.message)}"


def _date(lastmod: str | None, quote: Quotes) -> str:
    return "no lastmod" if lastmod is None else f"lastmod {quote(lastmod, 40)}"


def _most(part: Part[Any], quote: Quotes) -> str:
    if len(part.documents) < 2:
        return ""
    return f"; most in {', '.join(f'{quote(name)} ({count:,})' for name, count in part.documents[:2])}"
