"""Read many pages of a directory that answers as its host would: without an event loop, since nothing waits.

The coroutines that fetch a page from a server do not suspend for a file, except to have its HTML read. So they are run
up to that place, the pages are read together in a thread, and then they are run to their end.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from urlset.net.origin import origin_url
from urlset.page import read_page, read_pages
from urlset.probe.page_probe import PageProbe
from urlset.probe.usage import ProbeUsage
from urlset.threads import in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator, Iterator, Mapping, Sequence

    from urlset.fetch.fetcher import Fetcher
    from urlset.options.probing import ProbingOptions
    from urlset.page import PageFacts
    from urlset.probe.facts import ProbeTarget, Row
    from urlset.probe.media import MediaProbe
    from urlset.robots import Robots

THREADS = 2
"""Threads that read HTML, which releases the GIL."""

AT_ONCE = 64
"""Maximum pages that a thread reads together."""

BYTES_AT_ONCE = 8 * 1024 * 1024
"""Bytes of pages after which no more are added to them."""

ROWS = 1_000
"""Number of rows passed on together: storing a batch takes 4 ms, and 12 µs more for each row (measured)."""


@dataclass(slots=True)
class _PageToRead:
    """A page to read. A coroutine that awaits it gets its facts."""

    content: bytes
    charset: str | None
    url: str | None

    def __await__(self) -> Generator[_PageToRead, PageFacts, PageFacts]:
        return (yield self)


class _Readers:
    """Returns pages to read instead of their facts."""

    def read(self, content: bytes, charset: str | None, url: str | None = None) -> _PageToRead:
        """Return what to await."""
        return _PageToRead(content, charset, url)


@dataclass(slots=True)
class _Group:
    """Pages that are read together.

    Attributes:
        rows: The rows of those that need no reading.
        works: What returns the rows of the others.
        pages: What to read, in the same order.
    """

    rows: list[Row] = field(default_factory=list)
    works: list[Coroutine[_PageToRead, PageFacts, Row]] = field(default_factory=list)
    pages: list[_PageToRead] = field(default_factory=list)

    def finish(self, facts: Sequence[PageFacts | BaseException]) -> list[Row]:
        """Return all rows."""
        for work, one in zip(self.works, facts, strict=True):
            try:
                if isinstance(one, BaseException):
                    work.throw(one)
                else:
                    work.send(one)
            except StopIteration as done:
                self.rows.append(done.value)
        return self.rows


@dataclass
class FileProber:
    """Reads the pages of a directory instead of requesting them. Iterate over it once.

    Attributes:
        fetcher: Answers requests from the directory.
        options: How to fetch pages, and the budgets.
        more: Returns the next pages, up to a number; none at the end.
        robots: robots.txt of origins where it is already known.
        media: How to read files, if the URLs are images and videos instead of pages.
        usage: What the run used; complete at the end.
    """

    fetcher: Fetcher
    options: ProbingOptions
    more: Callable[[int], Sequence[ProbeTarget]]
    robots: Mapping[str, Robots] = field(default_factory=dict)
    media: MediaProbe | None = None
    usage: ProbeUsage = field(default_factory=ProbeUsage)

    def __iter__(self) -> Iterator[list[Row]]:
        """Yield rows of `pages` in batches, in the order of the pages of each."""
        began = time.perf_counter()
        rows: list[Row] = []
        try:
            for group, facts in in_order(_read, self._groups(began), THREADS, "urlset-page"):
                rows += group.finish(facts)
                if len(rows) >= ROWS:
                    yield rows
                    rows = []
            if rows:
                yield rows
        finally:
            self.usage.seconds = time.perf_counter() - began

    def _groups(self, began: float) -> Iterator[_Group]:
        """Yield groups of pages, each run up to the place where its HTML is read."""
        probe = None
        while targets := self.more(ROWS):
            if probe is None:
                probe = PageProbe(self.options, self.usage, self._with_robots(targets), self.media, _Readers())
            group, size = _Group(), 0
            for target in targets:
                if (over := self._is_over(began)) is not None:
                    self.usage.stopped_by = over
                    yield group
                    return
                work = probe.row(self.fetcher.client, target)
                try:
                    page = work.send(None)
                except StopIteration as done:
                    group.rows.append(done.value)
                    continue
                group.works.append(work)
                group.pages.append(page)
                size += len(page.content)
                if len(group.pages) >= AT_ONCE or size >= BYTES_AT_ONCE:
                    yield group
                    group, size = _Group(), 0
            yield group

    def _with_robots(self, targets: Sequence[ProbeTarget]) -> Mapping[str, Robots]:
        """Return the known robots.txt files with that of the directory."""
        folder = self.fetcher.client.trust.folder
        assert folder is not None
        origin = next((origin_url(one.url) for one in targets if folder.serves(one.url)), None)
        if not origin or origin in self.robots:
            return self.robots
        url = f"{origin}/robots.txt"
        return {**self.robots, origin: self.fetcher.get(url, via=None).robots(url)}

    def _is_over(self, began: float) -> str | None:
        options = self.options
        if options.max_time is not None and time.perf_counter() - began >= options.max_time:
            return "time"
        if options.max_traffic is not None and self.usage.bytes >= options.max_traffic:
            return "bytes"
        return None


def _read(group: _Group) -> tuple[_Group, Sequence[PageFacts | BaseException]]:
    try:
        return group, read_pages([(one.content, one.charset, one.url) for one in group.pages])
    except BaseException:  # noqa: BLE001 - one page must not affect the others
        return group, [_read_alone(one) for one in group.pages]


def _read_alone(page: _PageToRead) -> PageFacts | BaseException:
    try:
        return read_page(page.content, charset=page.charset, url=page.url)
    except BaseException as error:  # noqa: BLE001 - raised where the facts are awaited
        return error
