"""Fetch many pages: concurrently, within rate limits and budgets, passing rows on as they arrive."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import dataclass, field
from functools import lru_cache
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeAlias

from urlset.errors import Unreadable, internal_error
from urlset.fetch.response import FetchError
from urlset.masking import masked
from urlset.net.origin import origin_of, origin_url
from urlset.net.reach import Reach
from urlset.options.probing import ProbeMethod
from urlset.page import charset_of, is_html
from urlset.pages import ROBOTS_UNREACHABLE
from urlset.probe.facts import OUTSIDE, PRIVATE, ProbeTarget, Row, row_of, skipped_row
from urlset.probe.heads import is_not_understood
from urlset.probe.readers import Readers
from urlset.robots import Availability, Robots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from urlset.fetch.client import Client
    from urlset.fetch.fetcher import Fetcher
    from urlset.fetch.response import Response
    from urlset.net.origin import Origin
    from urlset.options.probing import ProbingOptions
    from urlset.page import PageFacts
    from urlset.probe.media import MediaProbe

ACCEPT = "text/html, application/xhtml+xml, */*;q=0.5"

MOST_AT_ONCE = 256
"""Maximum pages that are being fetched or wait for their turn at a host."""

ASKED_AHEAD = 1_000
"""Number of pages requested from the caller at a time."""

FEW = 300
"""Number of waiting pages below which more are requested from the caller."""

BATCH = 1_000
"""Maximum rows passed on together: storing a batch takes 4 ms, and 12 µs more for each row (measured)."""

BATCH_SECONDS = 1.0
"""Maximum seconds that a row waits before it is passed on."""

READERS = 2
"""Threads that read HTML: reading takes less time than fetching, and releases the GIL."""

FAILURES_KEPT = 10
"""Maximum number of pages to name that have no result because of an internal error. All are counted."""

NO_PAGE = (".pdf", ".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif", ".svg", ".zip", ".mp4", ".webm", ".mp3")
"""Endings of paths that are not HTML, for which HEAD is enough."""


@dataclass(slots=True)
class ProbeUsage:
    """What the run of a prober used.

    Attributes:
        pages: Number of pages requested.
        forbidden: Number of pages skipped because robots.txt blocks them.
        bytes: Bytes received.
        seconds: How long it took.
        stopped_by: The budget that stopped it, bytes or time; None if all pages were processed.
        failed: Number of pages without a result because of an internal error.
        failures: The first of them, each with its error.
    """

    pages: int = 0
    forbidden: int = 0
    bytes: int = 0
    seconds: float = 0.0
    stopped_by: str | None = None
    failed: int = 0
    failures: list[Unreadable] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _NeedMore:
    """More pages are needed."""


@dataclass(frozen=True, slots=True)
class _Ended:
    """The run has ended, normally or with an internal error."""

    error: BaseException | None


_Event: TypeAlias = "list[Row] | _NeedMore | _Ended"


@dataclass
class Prober:
    """Fetches pages. Iterate over it once.

    Attributes:
        fetcher: Fetches the pages.
        options: How to fetch them, and the budgets.
        more: Returns the next pages, up to a number; none at the end. Called in the iterating thread.
        robots: robots.txt of origins where it is already known; others are fetched.
        media: How to fetch files, if the URLs are images and videos instead of pages.
        versions_kept: Whether rows have the language versions of pages, as for `row_of`.
        usage: What the run used; complete at the end.
    """

    fetcher: Fetcher
    options: ProbingOptions
    more: Callable[[int], Sequence[ProbeTarget]]
    robots: Mapping[str, Robots] = field(default_factory=dict)
    media: MediaProbe | None = None
    versions_kept: bool = False
    usage: ProbeUsage = field(default_factory=ProbeUsage)

    def __iter__(self) -> Iterator[list[Row]]:
        """Yield rows of `pages` in batches, as responses arrive."""
        events: SimpleQueue[_Event] = SimpleQueue()
        began = time.perf_counter()
        with Readers(READERS) as readers:
            round_ = _Round(self, events, readers)
            thread = threading.Thread(target=self._work, args=(round_, events), name="urlset-probe", daemon=True)
            thread.start()
            try:
                yield from self._batches(events, round_)
            finally:
                round_.stop()
                thread.join()
                self.usage.seconds = time.perf_counter() - began

    def _work(self, round_: _Round, events: SimpleQueue[_Event]) -> None:
        error: BaseException | None = None
        try:
            self.fetcher.run(round_.work)
        except BaseException as caught:  # noqa: BLE001 - raised again in the iterating thread
            error = caught
        events.put(_Ended(error))

    def _batches(self, events: SimpleQueue[_Event], round_: _Round) -> Iterator[list[Row]]:
        while True:
            match events.get():
                case _Ended(error):
                    if error is not None:
                        raise error
                    return
                case _NeedMore():
                    round_.give(self.more(ASKED_AHEAD))
                case rows:
                    yield rows


class _Round:
    """The work in the event loop: a number of workers, each of which fetches one page after another."""

    def __init__(self, prober: Prober, events: SimpleQueue[_Event], readers: Readers) -> None:
        self._options = prober.options
        self._usage = prober.usage
        self._media = prober.media
        self._versions_kept = prober.versions_kept
        self._events = events
        self._readers = readers
        self._rows: list[Row] = []
        self._handing_on: asyncio.TimerHandle | None = None
        self._known_robots = prober.robots
        self._robots: dict[tuple[str, bool], Robots | asyncio.Future[Robots]] = {}
        self._private: set[tuple[str, bool]] = set()
        self._waiting: list[ProbeTarget] = []
        self._is_exhausted = False
        self._has_asked = False
        self._is_stopping = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._workers: list[asyncio.Task[None]] = []
        self._came = asyncio.Event()
        self._ends_at = float("inf")

    async def work(self, client: Client) -> None:
        """Fetch all pages."""
        self._loop = asyncio.get_running_loop()
        if self._options.max_time is not None:
            self._ends_at = self._loop.time() + self._options.max_time
        try:
            async with asyncio.TaskGroup() as group:
                self._workers = [group.create_task(self._look(client)) for _ in range(MOST_AT_ONCE)]
                if self._is_stopping:
                    self._cancel()
        finally:
            self._hand_on()

    def give(self, targets: Sequence[ProbeTarget]) -> None:
        """Add pages. Called in another thread."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._take, list(targets))

    def stop(self) -> None:
        """Cancel the running requests and start no others. Called in another thread."""
        self._is_stopping = True
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        for worker in self._workers:
            worker.cancel()

    def _take(self, targets: list[ProbeTarget]) -> None:
        self._has_asked = False
        self._is_exhausted = not targets
        self._waiting = targets[::-1] + self._waiting
        self._came.set()

    async def _next(self) -> ProbeTarget | None:
        """Return the next page; None if all were taken, or a budget is used up."""
        while not self._is_stopping:
            if (over := self._is_over()) is not None:
                self._usage.stopped_by = over
                return None
            # Request more pages early, so that no worker has to wait.
            if len(self._waiting) <= FEW and not self._is_exhausted and not self._has_asked:
                self._has_asked = True
                self._came.clear()
                self._events.put(_NeedMore())
            if self._waiting:
                return self._waiting.pop()
            if self._is_exhausted:
                return None
            await self._came.wait()
        return None

    def _take_row(self, row: Row) -> None:
        """Collect rows and pass them on in batches, because each batch wakes the receiving thread."""
        assert self._loop is not None
        self._rows.append(row)
        if len(self._rows) >= BATCH:
            self._hand_on()
        elif self._handing_on is None:
            self._handing_on = self._loop.call_later(BATCH_SECONDS, self._hand_on)

    def _hand_on(self) -> None:
        if self._handing_on is not None:
            self._handing_on.cancel()
            self._handing_on = None
        if self._rows:
            self._events.put(self._rows)
            self._rows = []

    def _is_over(self) -> str | None:
        options = self._options
        assert self._loop is not None
        if self._loop.time() >= self._ends_at:
            return "time"
        if options.max_traffic is not None and self._usage.bytes >= options.max_traffic:
            return "bytes"
        return None

    async def _look(self, client: Client) -> None:
        while (target := await self._next()) is not None:
            try:
                row = await self._row(client, target)
            except Exception as error:  # noqa: BLE001 - one page must not end the run
                row = self._failure(target, internal_error(error))
            self._take_row(row)

    def _failure(self, target: ProbeTarget, reason: str) -> Row:
        self._usage.failed += 1
        if len(self._usage.failures) < FAILURES_KEPT:
            self._usage.failures.append(Unreadable(masked(target.url), reason))
        return skipped_row(target, "internal-error") | {"error": reason}

    async def _row(self, client: Client, target: ProbeTarget) -> Row:
        blocked_by, of_robots = None, Row()
        if (folder := client.trust.folder) is not None and not folder.serves(target.url):
            return skipped_row(target, OUTSIDE)
        origin = origin_url(target.url)
        if origin:
            robots = await self._robots_of(client, origin, target.via)
            if self._private and (origin, _is_open(client, origin, target.via)) in self._private:
                return skipped_row(target, PRIVATE)
            blocked_by = _blocking_rule(robots, target.url, self._options.robots_agent)
            if self._media is not None:
                of_robots = self._media.robots_row(robots, target)
        if blocked_by is not None and not self._options.ask_forbidden:
            self._usage.forbidden += 1
            return skipped_row(target, "robots", blocked_by) | of_robots
        self._usage.pages += 1
        row = await (self._asked(client, target) if self._media is None else self._media_asked(client, target))
        row["blocked_by"] = blocked_by
        return row | of_robots

    async def _media_asked(self, client: Client, target: ProbeTarget) -> Row:
        assert self._media is not None
        row = await self._media.ask(client, target)
        self._usage.bytes += row.pop("received", 0)
        return row

    async def _asked(self, client: Client, target: ProbeTarget) -> Row:
        of_head: Row = {}
        if self._by_head(target.url):
            # GET follows if HEAD fails, so HEAD needs no retries.
            answer = await client.head(target.url, via=target.via, retries=0)
            if not self._needs_get(answer):
                return row_of(target, "HEAD", answer, None)
            of_head = {"head_status": answer.status, "head_error_kind": answer.error_kind}
        answer = await client.get(target.url, via=target.via, accept=ACCEPT, max_bytes=self._options.max_page_bytes)
        try:
            self._usage.bytes += answer.wire_bytes
            page = await self._read(answer)
            row = row_of(target, "GET", answer, page, versions_kept=self._versions_kept)
        finally:
            answer.close()
        return row | of_head

    async def _read(self, answer: Response) -> PageFacts | None:
        content_type = answer.headers.get("content-type")
        if answer.content is None or answer.status is None or not is_html(content_type):
            return None
        content = answer.content
        data = content if isinstance(content, bytes) else content.read(self._options.max_page_bytes)
        url = answer.final_url if self._options.reads_links else None
        return await self._readers.read(data, charset_of(content_type), url)

    def _by_head(self, url: str) -> bool:
        match self._options.method:
            case ProbeMethod.HEAD:
                return True
            case ProbeMethod.GET:
                return False
            case _:
                return url.partition("?")[0].lower().endswith(NO_PAGE)

    def _needs_get(self, answer: Response) -> bool:
        """Return whether GET must follow HEAD: HEAD failed, or the response is HTML to read."""
        if answer.error_kind is not None or is_not_understood(answer):
            return is_not_understood(answer)
        content_type = answer.headers.get("content-type")
        return self._options.method is ProbeMethod.AUTO and content_type is not None and is_html(content_type)

    async def _robots_of(self, client: Client, origin: str, via: Origin | None) -> Robots:
        if (earlier := self._known_robots.get(origin)) is not None:
            return earlier
        # robots.txt may be blocked for links of a public document, but not for a target of the user.
        key = origin, _is_open(client, origin, via)
        known = self._robots.get(key)
        if isinstance(known, Robots):
            return known
        if known is not None:
            return await asyncio.shield(known)
        assert self._loop is not None
        self._robots[key] = coming = self._loop.create_future()
        url = f"{origin}/robots.txt"
        try:
            answer = await client.get(url, via=via, accept="text/plain, */*;q=0.5")
            robots = answer.robots(url)
            answer.close()
        except BaseException as error:
            # Do not leave other workers waiting forever.
            del self._robots[key]
            if isinstance(error, asyncio.CancelledError):
                coming.cancel()
            else:
                coming.set_exception(error)
                coming.exception()  # If nobody waits, asyncio would report it as never retrieved.
            raise
        if answer.error_kind is FetchError.PRIVATE_ADDRESS:
            self._private.add(key)
        self._robots[key] = robots
        coming.set_result(robots)
        return robots


_parsed = lru_cache(maxsize=1024)(origin_of)


def _is_open(client: Client, origin: str, via: Origin | None) -> bool:
    """Return whether an origin may be private for the origin that led there."""
    parsed = _parsed(origin)
    return parsed is not None and client.trust.limit(parsed, via) is not Reach.PUBLIC


def _blocking_rule(robots: Robots, url: str, agent: str) -> str | None:
    """Return the rule that blocks a page for an agent, as text; None if it is allowed."""
    verdict = robots.verdict(agent, url)
    if verdict.allowed:
        return None
    if robots.availability is Availability.UNREACHABLE:
        return ROBOTS_UNREACHABLE
    return f"line {verdict.line}: {verdict.pattern}"
