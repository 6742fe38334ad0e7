"""Sentences on what changed on pages, in robots.txt, and in llms.txt, for every format of `diff`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from urlset.comparison.robots_changes import ALL_OTHERS
from urlset.model.report_page import ChangeList
from urlset.options.comparing import PageProperty
from urlset.text.sizes import enumeration, quantity
from urlset.web.robots_txt import Availability

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from urlset.model.comparison import MovedPage, Part
    from urlset.model.page_changes import (
        BlockedUrl,
        ChangedPage,
        CrawlerChange,
        LlmsChanges,
        PageChanges,
        RobotsChanges,
        SharedChange,
        ValueChange,
    )

MAX_AGENTS = 4
"""Maximum number of crawlers to name in a sentence."""

MAX_SECTIONS = 3
"""Maximum number of sections to name in a sentence."""

MAX_LINES = 100
"""Maximum number of sentences in a list."""

REDIRECTS_UNKNOWN = "Not checked: whether the old URLs redirect; `urlset diff --ask-removed N` requests them"

_AVAILABILITY = {
    Availability.READ: "readable",
    Availability.UNAVAILABLE: "does not exist, so everything is allowed",
    Availability.UNREACHABLE: "unreachable, so nothing is allowed",
}


class PageWords(Struct, frozen=True):
    """Sentences for one format.

    Attributes:
        show: Escapes an untrusted name, such as a URL, for the format. The default returns it unchanged, for formats
            that escape whole lines.
        quote: Quotes and escapes untrusted text within a sentence.
    """

    show: Callable[[str], str] = str
    quote: Callable[[str], str] = "“{}”".format

    def lists(
        self,
        pages: PageChanges | None,
        moved: Part[MovedPage],
        robots: Iterable[RobotsChanges],
        llms: Iterable[LlmsChanges],
    ) -> Iterator[ChangeList]:
        """Yield what changed on the pages, in their URLs, in robots.txt, and in llms.txt."""
        if pages is not None:
            counts = (*self.counts(pages), *pages.gaps)
            yield ChangeList("Changed pages", pages.in_numbers, (*self.page_lines(pages),), counts)
        if moved.count:
            lines = [self.moved_line(page) for page in moved.examples]
            if more := moved.count - len(lines):
                lines.append(f"and {quantity(more, 'more page')}")
            yield ChangeList(
                "Moved pages", f"{quantity(moved.count, 'page')} at another URL", (*lines, REDIRECTS_UNKNOWN)
            )
        for file in robots:
            yield ChangeList("Changes in robots.txt", self.show(file.url), _first(self.robots_lines(file)))
        if files := _first(map(self.llms_line, llms)):
            yield ChangeList("Changed links in llms.txt", quantity(len(files), "file"), files)

    def lines(self, pages: PageChanges) -> Iterator[str]:
        """Yield what changed on the pages: counts by property, shared changes, the first other pages, and gaps."""
        yield from self.counts(pages)
        yield from self.page_lines(pages)
        yield from pages.gaps

    def counts(self, pages: PageChanges) -> Iterator[str]:
        """Yield how many pages changed: by property, and together."""
        yield from self.properties(pages)
        yield from map(self.shared_line, pages.shared)

    def page_lines(self, pages: PageChanges) -> Iterator[str]:
        """Yield the first pages with changes of their own."""
        yield from map(self.page_line, pages.pages)
        if more := pages.own - len(pages.pages):
            yield f"and {quantity(more, 'more page')}{' with other changes' if pages.shared else ''}"

    def moved_line(self, page: MovedPage) -> str:
        """Return a sentence about a page at another URL."""
        return f"{self.show(page.url)} is now {self.show(page.after)}"

    def properties(self, pages: PageChanges) -> Iterator[str]:
        """Yield a line for each property that changed, with the number of pages and the sections with most of them."""
        for one in pages.properties:
            top = ", ".join(f"{self.show(section)} ({count:,})" for section, count in one.sections[:MAX_SECTIONS])
            places = f", most in {top}" if len(one.sections) > 1 else f", all in {self.show(one.sections[0][0])}"
            yield f"{one.property.words}: {quantity(one.pages, 'page')}{places if pages.changed > 1 else ''}"

    def shared_line(self, change: SharedChange) -> str:
        """Return a sentence about a change that many pages share."""
        name, before, after = change.property.words, change.before, change.after
        if change.property is PageProperty.TEXT:
            what = f"{name}: changed ({f'{after} words' if after != '+0' else 'same number of words'})"
        elif change.property is PageProperty.LINKS:
            what = f"{name}: {after}"
        elif before is None:
            what = f"{name}: {self._value(after)} added"
        elif after is None:
            what = f"{name}: {self._value(before)} removed"
        else:
            what = f"{name}: {self._value(before)} replaced by {self._value(after)}"
        return f"{what} on {change.pages:,} of {quantity(change.compared, 'page')}, such as {self.show(change.url)}"

    def page_line(self, page: ChangedPage) -> str:
        """Return a sentence about the changes of a page."""
        parts = [
            self.value_change(change)
            for change in page.changes
            if change.property is not PageProperty.STATUS or not page.is_lost
        ]
        named = {change.property for change in page.changes}
        # The dates may not be among the properties that are compared.
        if PageProperty.TEXT in named and page.lastmod_before == page.lastmod_after:
            parts.append("lastmod unchanged" if page.lastmod_after is not None else "no lastmod")
        return f"{self.show(page.url)}: {'; '.join(parts)}"

    def value_change(self, change: ValueChange) -> str:
        """Return the change of a property, as part of a sentence."""
        before, after = change.before, change.after
        if change.property is PageProperty.INDEXABLE:
            return f"{self.show(after or '')} (before: {self.show(before or '')})"
        name = change.property.words
        if change.property is PageProperty.TEXT:
            if before is None or after is None:
                return f"{name}: changed"
            old, new = (f"{int(words):,}" for words in (before, after))
            return f"{name}: {old} to {new} words" if old != new else f"{name}: changed, still {new} words"
        if change.property in (PageProperty.STATUS, PageProperty.LINKS):
            return f"{name}: {before} to {after}"
        return f"{name}: {self._value(before)} to {self._value(after)}"

    def _value(self, value: str | None) -> str:
        return "none" if value is None else self.quote(value)

    def robots_lines(self, changes: RobotsChanges) -> Iterator[str]:
        """Yield what changed in a robots.txt: its availability, the URLs that crawlers may fetch, and its lines."""
        if changes.before is not changes.after:
            yield f"{_AVAILABILITY[changes.after]} (before: {_AVAILABILITY[changes.before]})"
        for crawler in changes.crawlers:
            yield from self._crawler(crawler, changes.listed)
        for what, lines in (("added", changes.lines_added), ("removed", changes.lines_removed)):
            yield from (f"line {what}: {self.show(line)}" for line in lines)

    def _crawler(self, change: CrawlerChange, listed: int) -> Iterator[str]:
        named = [name for name in change.agents if name != ALL_OTHERS]
        if len(named) < len(change.agents):
            who = "crawlers without a group of their own"
        else:
            more = len(named) - MAX_AGENTS
            who = enumeration([*map(self.show, named[:MAX_AGENTS]), *([f"{more:,} more"] if more > 0 else [])])
        for count, verb, examples in (
            (change.lost, "can no longer fetch", change.lost_urls),
            (change.gained, "can now fetch", change.gained_urls),
        ):
            if count:
                first = f", such as {self._blocked(examples[0])}" if examples else ""
                yield f"{who} {verb} {count:,} of {quantity(listed, 'listed URL')}{first}"

    def _blocked(self, blocked: BlockedUrl) -> str:
        if blocked.pattern is None:
            return self.show(blocked.url)
        return f"{self.show(blocked.url)} (line {blocked.line}, Disallow: {self.quote(blocked.pattern)})"

    def llms_line(self, changes: LlmsChanges) -> str:
        """Return a sentence about the links that were added to and removed from an llms.txt."""
        parts = []
        for count, verb, links in (
            (changes.added, "added", changes.links_added),
            (changes.removed, "removed", changes.links_removed),
        ):
            if count:
                parts.append(
                    f"{quantity(count, 'link')} {verb}, such as {self.show(links[0])}" if links else f"{count:,} {verb}"
                )
        return f"{self.show(changes.url)}: {'; '.join(parts)}"


def _first(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the first lines, and how many more there are."""
    every = (*lines,)
    more = len(every) - MAX_LINES
    return (*every[:MAX_LINES], f"and {quantity(more, 'more line')}") if more > 0 else every
