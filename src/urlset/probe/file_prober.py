"""Read many pages of a directory that answers as its host would: without an event loop, since nothing waits.

Three kinds of threads share the work, because the core and DuckDB release the GIL: the caller stores rows, a thread
finds files and turns facts into rows, and others read the files.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import TYPE_CHECKING, Literal

from urlset.probe.page_probe import PageProbe
from urlset.probe.prober import PagesNeeded, ProbeEnd, batches_of
from urlset.probe.usage import ProbeUsage
from urlset.processes.threads import in_order
from urlset.web.html_page import read_page, read_page_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from urlset.fetch.fetcher import Fetcher
    from urlset.options.probing import ProbingOptions
    from urlset.probe.facts import ProbeTarget, Row
    from urlset.probe.media import MediaProbe
    from urlset.probe.page_probe import PageFile
    from urlset.probe.prober import ProbeEvent
    from urlset.web.html_page import PageFacts
    from urlset.web.robots_txt import Robots

THREADS = 2
"""Threads that read files."""

AT_ONCE = 64
"""Maximum pages that a thread reads together."""

ROWS = 1_000
"""Number of rows passed on together: storing a batch takes 4 ms, and 12 µs more for each row (measured)."""


class _Readers:
    """Reads pages in the thread that asks."""

    async def read(self, content: bytes, charset: str | None, url: str | None = None) -> PageFacts:
        return read_page(content, charset=charset, url=url)


@dataclass(slots=True)
class _Group:
    """Pages that are read together, and the rows of those that need no reading."""

    files: list[PageFile] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)


@dataclass
class FileProber:
    """Reads the pages of a directory instead of requesting them. Iterate over it once.

    Attributes:
        fetcher: Answers requests from the directory.
        next_targets: `next_targets(number)` returns at most that number of next pages, and an empty list after the last
            one. Called in the iterating thread.
        robots: robots.txt of origins where it is already known.
        media: How to read files, if the URLs are images and videos instead of pages.
        usage: What the run used; complete at the end.
    """

    fetcher: Fetcher
    options: ProbingOptions
    next_targets: Callable[[int], Sequence[ProbeTarget]]
    robots: Mapping[str, Robots] = field(default_factory=dict)
    media: MediaProbe | None = None
    usage: ProbeUsage = field(default_factory=ProbeUsage)

    def __iter__(self) -> Iterator[list[Row]]:
        """Yield rows of `pages` in batches."""
        began = time.perf_counter()
        events: SimpleQueue[ProbeEvent] = SimpleQueue()
        targets: SimpleQueue[Sequence[ProbeTarget]] = SimpleQueue()
        work = _Work(self, events, targets, began)
        thread = threading.Thread(target=work.run, name="urlset-probe", daemon=True)
        thread.start()
        try:
            yield from batches_of(events, lambda: targets.put(self.next_targets(ROWS)))
        finally:
            work.is_stopped = True
            targets.put(())
            thread.join()
            self.usage.seconds = time.perf_counter() - began


class _Work:
    """The work of a prober, in a thread; `is_stopped` if the caller needs no more rows."""

    def __init__(
        self,
        prober: FileProber,
        events: SimpleQueue[ProbeEvent],
        targets: SimpleQueue[Sequence[ProbeTarget]],
        began: float,
    ) -> None:
        self._prober = prober
        self._events = events
        self._targets = targets
        self._began = began
        self._probe: PageProbe | None = None
        self.is_stopped = False

    def run(self) -> None:
        """Pass on the rows of all pages, and then the end."""
        error: BaseException | None = None
        rows: list[Row] = []
        try:
            for group, facts in in_order(self._read, self._groups(), THREADS, "urlset-page"):
                rows += group.rows
                rows += self._rows(group, facts)
                if len(rows) >= ROWS:
                    self._events.put(rows)
                    rows = []
            if rows:
                self._events.put(rows)
        except BaseException as caught:  # noqa: BLE001 - raised again in the iterating thread
            error = caught
        self._events.put(ProbeEnd(error))

    def _groups(self) -> Iterator[_Group]:
        prober = self._prober
        folder = prober.fetcher.client.trust.folder
        assert folder is not None
        # Within a budget, the size of each file counts before the next one is read.
        one_by_one = prober.options.max_traffic is not None
        self._events.put(PagesNeeded())
        while targets := self._targets.get():
            # While these are read, the caller selects the next ones.
            self._events.put(PagesNeeded())
            if self._probe is None:
                robots = self._with_robots()
                self._probe = PageProbe(prober.options, prober.usage, robots, prober.media, _Readers())
            group = _Group()
            for target in targets:
                if self.is_stopped:
                    return
                if (over := self._is_over()) is not None:
                    prober.usage.stopped_by = over
                    yield group
                    return
                file = None if one_by_one else self._probe.file(folder, target)
                if file is None:
                    group.rows.append(self._row(target))
                else:
                    group.files.append(file)
                if len(group.files) >= AT_ONCE:
                    yield group
                    group = _Group()
            yield group

    def _read(self, group: _Group) -> tuple[_Group, Sequence[PageFacts | OSError | None]]:
        options = self._prober.options
        requests = [
            (file.path, file.charset, file.url if options.reads_links and not file.answer.is_repeated else None)
            for file in group.files
        ]
        try:
            return group, read_page_files(requests, options.max_page_bytes)
        except BaseException:  # noqa: BLE001 - one page must not affect the others
            return group, [None] * len(requests)

    def _rows(self, group: _Group, facts: Sequence[PageFacts | OSError | None]) -> Iterator[Row]:
        assert self._probe is not None
        for file, page in zip(group.files, facts, strict=True):
            # A request has the reason why a file is too large or unreadable.
            if page is None or isinstance(page, OSError):
                yield self._row(file.target)
            else:
                yield self._probe.row_of_file(file, page)

    def _row(self, target: ProbeTarget) -> Row:
        """Return the row of a page. Nothing waits in a directory, so a single step completes the coroutine."""
        assert self._probe is not None
        try:
            self._probe.row(self._prober.fetcher.client, target).send(None)
        except StopIteration as done:
            row: Row = done.value
            return row
        raise AssertionError("a request of a directory waited")

    def _with_robots(self) -> Mapping[str, Robots]:
        """Return the known robots.txt files with those of the directory, at each of its origins."""
        fetcher, robots = self._prober.fetcher, self._prober.robots
        folder = fetcher.client.trust.folder
        assert folder is not None
        unknown = {origin: f"{origin}/robots.txt" for origin in sorted(folder.origins) if origin not in robots}
        return {**robots, **{origin: fetcher.get(url, via=None).robots(url) for origin, url in unknown.items()}}

    def _is_over(self) -> Literal["bytes", "time"] | None:
        options = self._prober.options
        if options.max_time is not None and time.perf_counter() - self._began >= options.max_time:
            return "time"
        if options.max_traffic is not None and self._prober.usage.bytes >= options.max_traffic:
            return "bytes"
        return None
