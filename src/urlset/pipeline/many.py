"""Reading many targets: several documents at once, and on from an index to all that it lists, within bounds."""

from __future__ import annotations

import heapq
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from os import cpu_count
from queue import SimpleQueue
from threading import Lock
from typing import TYPE_CHECKING, Generic, Self

from urlset.config import Progressed
from urlset.documents import DocumentReader
from urlset.errors import InputError, Unreadable, internal_error
from urlset.fetch import fetch
from urlset.model.document import LeftOut
from urlset.pipeline.follow import Follower
from urlset.pipeline.outcomes import Came, Known, ReadAs, Result, robots_txt, unfetched
from urlset.pipeline.read import MOST_ROWS_HELD, is_left_out
from urlset.pipeline.start import begin
from urlset.sources import Source, SourceKind, Target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType

    from urlset.config import Progress, ReadOptions
    from urlset.fetch import Fetched
    from urlset.fetch.answer import Answer
    from urlset.fetch.fetcher import Fetcher
    from urlset.net.trust import Trust
    from urlset.pipeline.ledger import Ledger
    from urlset.pipeline.outcomes import Ending, Outcome
    from urlset.pipeline.start import Found
    from urlset.sources.frontier import Cut

MOST_READERS = 4
"""Documents read at once, at most: the core releases the interpreter's lock, so that each has a core of its own."""

FETCHED_AHEAD = 4
"""Documents that are fetched or wait to be read, at most, for each request that a host is asked at once."""

BYTES_AHEAD = 32 * 1024 * 1024
"""Bytes that wait to be read, before no further document is fetched."""

MOST_BEGUN = 512
"""Documents that were begun and not given yet, at most: what is slow is waited for while these others come."""

WAITING_ROWS = 100_000
"""Rows of documents that wait to be given, before only the one whose turn it is is read."""


@dataclass(frozen=True, slots=True)
class _Arrival(Generic[Result]):
    """What became of one document.

    Attributes:
        number: Its number.
        source: What was asked for.
        outcome: What to give or to note; None for what was given up at the end; an error for a fault of ours.
        final_url: Where its redirects ended; None for what was not asked for.
        rows: How many rows of it are in memory.
        is_from_ledger: Whether that was known before.
    """

    number: int
    source: Source
    outcome: Ending[Result] | BaseException | None
    final_url: str | None = None
    rows: int = 0
    is_from_ledger: bool = False


@dataclass(order=True, slots=True)
class _Ready:
    """A document that can be read now; `fetched` is None for what is to be opened first."""

    number: int
    source: Source = field(compare=False)
    fetched: Fetched | None = field(compare=False, default=None)


@dataclass(slots=True)
class _Traffic:
    """What is under way. Guarded by the lock of its owner."""

    fetching: int = 0
    ready: list[_Ready] = field(default_factory=list)
    ready_bytes: int = 0
    reading: int = 0
    waiting_rows: int = 0


class ReadMany(Generic[Result]):
    """Reads many documents, several at once, and gives them in the order of their numbers.

    Reading begins when it is entered, so that the caller can get ready meanwhile. The numbers are those of the
    frontier: what the targets stand for, in their order, then level by level what indexes list. What is slow holds up
    what comes after it only when that would take too much memory.

    Attributes:
        unreadable: Targets that could not be read; complete at the end.
        left_out: Files of folders that are no sitemaps, and whose names do not say that they are; complete at the end.
        notes: What a user should know about how sites were searched.
    """

    def __init__(
        self,
        targets: Sequence[Target],
        options: ReadOptions,
        take: Callable[[DocumentReader], Result],
        progress: Progress | None = None,
        ledger: Ledger | None = None,
        trust: Trust | None = None,
    ) -> None:
        """Gets ready; nothing is opened yet.

        Args:
            targets: What to read.
            options: How to fetch and read, and how far to follow what is listed.
            take: Called in a thread of its own for each document: reads it, and gives what is to be kept of it.
            progress: Told after each document.
            ledger: Where it is noted what became of each document, and what is known of that already; None to read
                everything.
            trust: Whom the user trusts; the targets unless given.

        Raises:
            MisuseError: A target is no site, where sites are searched.
        """
        self.unreadable: list[Unreadable] = []
        self.left_out: list[LeftOut] = []
        self.notes: list[str] = []
        self._start = begin(targets, options, trust)
        self._options = options
        self._take = take
        self._progress = progress
        self._ledger = ledger
        self._has_failed = False
        self._done, self._urls, self._bytes = 0, 0, 0
        self._exit = ExitStack()
        self._lock = Lock()
        self._traffic = _Traffic()
        self._begun: deque[int] = deque()
        self._arrivals: SimpleQueue[_Arrival[Result]] = SimpleQueue()
        self._early: dict[int, _Arrival[Result]] = {}
        self._is_closing = False

    @property
    def cuts(self) -> Sequence[Cut]:
        """What indexes list and was not followed; complete at the end."""
        return self._follower.frontier.cuts

    def __enter__(self) -> Self:
        self._fetcher: Fetcher | None = self._start.fetcher()
        if self._fetcher is not None:
            self._exit.enter_context(self._fetcher)
        try:
            found = self._find()
        except BaseException:
            self._exit.close()
            raise
        self.unreadable += found.unreadable
        self.notes += found.notes
        self._done = len(found.unreadable)
        self._answers = found.answers
        settled = self._ledger.settled if self._ledger else None
        self._follower = Follower(found.sources, self._options, settled, self._not_followed)
        most = MOST_READERS if self._options.expand else len(found.sources)
        self._readers = max(1, min(cpu_count() or 1, MOST_READERS, most))
        self._pool = ThreadPoolExecutor(self._readers, thread_name_prefix="urlset-read")
        self._begin_more()
        return self

    def _find(self) -> Found:
        """What there is to read at first."""
        if self._ledger is None:
            return self._start.find(self._fetcher)
        if self._ledger.begun is None:
            found = self._start.find(self._fetcher)
            self._ledger.begin(found, self._options.expand)
            return found
        return self._ledger.begun

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_closing = True
        self._exit.close()
        self._pool.shutdown(wait=True, cancel_futures=True)
        for ready in self._traffic.ready:
            if ready.fetched is not None:
                ready.fetched.close()

    def __iter__(self) -> Iterator[Outcome[Result]]:
        while True:
            while self._begun:
                arrival = self._next_arrival()
                match arrival.outcome:
                    case BaseException():
                        raise arrival.outcome
                    case None | ReadAs():
                        pass
                    case Unreadable():
                        self.unreadable.append(arrival.outcome)
                    case LeftOut():
                        self.left_out.append(arrival.outcome)
                    case _:
                        self._has_failed = False
                        yield arrival.outcome
                        self._follow(arrival.number, arrival.outcome)
                self._note(arrival)
                if not isinstance(arrival.outcome, ReadAs | None):
                    self._tell(arrival)
            if not self._follower.next_level():
                return
            self._begin_more()

    def failed(self, error: InputError) -> None:
        """Notes that the rest of a large document, which the caller reads, cannot be read."""
        self._has_failed = True
        self.unreadable.append(Unreadable.of(error))

    def _follow(self, number: int, outcome: Outcome[Result]) -> None:
        """Has what a document lists read as well."""
        match outcome:
            case Came(reader=reader):
                self._follower.take(number, reader.facts, reader.children)
                reader.children = []
            case Known(facts):
                assert self._ledger is not None
                self._follower.take(number, facts, self._ledger.children(facts))

    def _not_followed(self, number: int, error: Exception) -> None:
        """Notes that what a document lists could not be followed."""
        name = self._follower.frontier.source(number).name
        self.unreadable.append(Unreadable(name, internal_error(error)))

    def _note(self, arrival: _Arrival[Result]) -> None:
        if self._ledger is None or arrival.is_from_ledger or arrival.outcome is None:
            return
        assert not isinstance(arrival.outcome, BaseException)
        ending = self.unreadable[-1] if self._has_failed else arrival.outcome
        self._has_failed = False
        self._ledger.note(arrival.number, ending, arrival.final_url)

    def _next_arrival(self) -> _Arrival[Result]:
        """The document whose turn it is."""
        turn = self._begun[0]
        while turn not in self._early:
            arrival = self._arrivals.get()
            self._early[arrival.number] = arrival
        with self._lock:
            self._begun.popleft()
            self._traffic.waiting_rows -= self._early[turn].rows
        self._begin_more()
        return self._early.pop(turn)

    def _tell(self, arrival: _Arrival[Result]) -> None:
        self._done += 1
        if isinstance(arrival.outcome, Came | Known):
            facts = arrival.outcome.facts
            self._bytes += facts.get("bytes") or 0
            if facts.get("kind") != "sitemapindex":
                self._urls += facts.get("entries") or 0
        if self._progress is not None:
            known = max(self._follower.frontier.known, self._done)
            self._progress(Progressed(self._done, known, arrival.source.name, self._urls, self._bytes))

    # From the frontier to the readers.

    def _begin_more(self) -> None:
        """Begins as many documents as may be under way; only the thread that iterates does."""
        while self._may_begin() and (following := self._follower.frontier.next()) is not None:
            number, source = following
            self._begun.append(number)
            if self._ledger is not None and (ending := self._ledger.ending(number)) is not None:
                self._arrive(self._known(number, source, ending, self._ledger.final_url(number)))
            elif (answer := self._answers.pop(number, None)) is not None:
                self._came(number, source, answer)
            elif source.kind is not SourceKind.URL:
                with self._lock:
                    heapq.heappush(self._traffic.ready, _Ready(number, source))
            else:
                assert self._fetcher is not None
                with self._lock:
                    self._traffic.fetching += 1
                future = self._fetcher.submit(str(source.place), via=source.via, max_bytes=self._options.max_inflated)
                future.add_done_callback(partial(self._fetched, number, source))
        self._read_more()

    def _known(self, number: int, source: Source, ending: Ending[Result], final_url: str | None) -> _Arrival[Result]:
        """What the ledger knows of a document, and what that is to the frontier."""
        if source.kind is SourceKind.URL and not source.is_robots and final_url is not None:
            owner = ending.owner if isinstance(ending, ReadAs) else number
            self._follower.frontier.arrived(number, final_url, owner)
        return _Arrival(number, source, ending, final_url, is_from_ledger=True)

    def _may_begin(self) -> bool:
        with self._lock:
            traffic = self._traffic
            ahead = self._readers if self._fetcher is None else FETCHED_AHEAD * self._options.fetch.concurrency
            return (
                traffic.fetching + len(traffic.ready) < ahead
                and traffic.ready_bytes < BYTES_AHEAD
                and len(self._begun) < MOST_BEGUN
            )

    def _fetched(self, number: int, source: Source, future: Future[Answer]) -> None:
        """Takes an answer; called in the fetcher's thread."""
        with self._lock:
            self._traffic.fetching -= 1
        if future.cancelled():
            self._arrive(_Arrival(number, source, None))
            return
        # What is raised in a callback is lost, and whoever waits for the document would wait for ever.
        try:
            self._came(number, source, future.result())
            self._read_more()
        except BaseException as error:  # noqa: BLE001 (raised again in the thread that iterates)
            self._arrive(_Arrival(number, source, error))

    def _came(self, number: int, source: Source, answer: Answer) -> None:
        """What is to be done with an answer; a fault in that concerns this document alone."""
        try:
            self._take_answer(number, source, answer)
        except Exception as error:  # noqa: BLE001 (one document must not end the run)
            answer.close()
            self._arrive(_Arrival(number, source, _failed(source, error), answer.final_url))

    def _take_answer(self, number: int, source: Source, answer: Answer) -> None:
        final_url = answer.final_url
        if source.is_robots:
            self._arrive(_Arrival(number, source, robots_txt(number, source, answer), final_url))
        elif (owner := self._follower.frontier.arrived(number, final_url)) != number:
            answer.close()
            self._arrive(_Arrival(number, source, ReadAs(owner, final_url), final_url))
        elif answer.has_document:
            fetched = answer.as_fetched()
            with self._lock:
                heapq.heappush(self._traffic.ready, _Ready(number, source, fetched))
                self._traffic.ready_bytes += fetched.size
        else:
            answer.close()
            self._arrive(_Arrival(number, source, unfetched(number, source, answer), final_url))

    def _read_more(self) -> None:
        while True:
            with self._lock:
                if not self._traffic.ready or not self._may_read(self._traffic.ready[0].number):
                    return
                ready = heapq.heappop(self._traffic.ready)
                self._traffic.ready_bytes -= 0 if ready.fetched is None else ready.fetched.size
                self._traffic.reading += 1
            self._pool.submit(self._read, ready)

    def _may_read(self, number: int) -> bool:
        """Whether a document may be read now. The one whose turn it is always may, so that nothing waits for ever."""
        if self._is_closing or self._traffic.reading >= self._readers:
            return False
        return number == self._begun[0] or self._traffic.waiting_rows < WAITING_ROWS

    # In the threads of the pool.

    def _read(self, ready: _Ready) -> None:
        rows = 0
        final_url: str | None = None
        outcome: Ending[Result] | BaseException
        try:
            source = ready.source
            fetched = ready.fetched or fetch(source, self._options, self._fetcher)
            arrived_at = fetched.facts.get("final_url")
            final_url = arrived_at if isinstance(arrived_at, str) else None
            follows = self._options.expand is not None
            reader = DocumentReader(source, fetched, ready.number, self._options, keeps_children=follows)
            outcome = Came(reader, self._take(reader), source)
            rows = int(reader.facts.get("entries") or MOST_ROWS_HELD)
            if is_left_out(source, reader):
                outcome = LeftOut(reader.facts["url"], reader.facts["kind"])
        except InputError as error:
            outcome = Unreadable.of(error)
        except Exception as error:  # noqa: BLE001 (one document must not end the run)
            outcome = _failed(ready.source, error)
        except BaseException as error:  # noqa: BLE001 (raised again in the caller's thread)
            outcome = error
        with self._lock:
            self._traffic.reading -= 1
        self._arrive(_Arrival(ready.number, ready.source, outcome, final_url, rows))
        self._read_more()

    def _arrive(self, arrival: _Arrival[Result]) -> None:
        with self._lock:
            self._traffic.waiting_rows += arrival.rows
        self._arrivals.put(arrival)


def _failed(source: Source, error: Exception) -> Unreadable | Exception:
    """What to say of a document that a fault of urlset kept from being read; other errors concern the whole run."""
    try:
        return Unreadable(source.name, internal_error(error))
    except Exception as of_run:  # noqa: BLE001 (raised again in the thread that iterates)
        return of_run
