"""The scheduler of the read stage: what may run. It fetches and reads several documents at once, within bounds.

What became of each is put into a queue, in the order in which that is known; the sequencer hands it on in order.
"""

from __future__ import annotations

import heapq
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from os import cpu_count
from queue import SimpleQueue
from threading import Lock
from typing import TYPE_CHECKING

from msgspec import Struct, field

from urlset.documents import DocumentReader
from urlset.errors import InputError, Unreadable, internal_error
from urlset.fetch import fetch
from urlset.model.document import LeftOut
from urlset.pipeline.buffered import MOST_ROWS_HELD
from urlset.pipeline.outcomes import (
    DocumentRead,
    DuplicateOf,
    NotSitemap,
    UnreadableDocument,
    robots_txt,
    unfetched,
)
from urlset.pipeline.read import is_left_out
from urlset.sources import Source, SourceKind

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

    from urlset.fetch import Fetched
    from urlset.fetch.answer import Answer
    from urlset.options.verbs import InspectOptions
    from urlset.pipeline.buffered import BufferedDocument
    from urlset.pipeline.earlier import Earlier
    from urlset.pipeline.outcomes import DocumentOutcome
    from urlset.pipeline.seeds import Seeds
    from urlset.sources.frontier import Frontier

MOST_READERS = 4
"""Documents read at once, at most: the core releases the interpreter's lock, so that each has a core of its own."""

FETCHED_AHEAD = 4
"""Documents that are fetched or wait to be read, at most, for each request that a host is asked at once."""

BYTES_AHEAD = 32 * 1024 * 1024
"""Bytes that wait to be read, before no further document is fetched."""

MOST_BEGUN = 512
"""Documents that were begun and not handed on yet, at most: a slow one is waited for while these others come."""

WAITING_ROWS = 100_000
"""Rows of documents that wait to be handed on, before only the one whose turn it is is read."""


class Arrival(Struct, frozen=True):
    """What became of one document.

    Attributes:
        number: Its number.
        source: What was asked for.
        outcome: That; None for what was given up at the end; an error that concerns the whole run.
        rows: How many rows of it are in memory.
    """

    number: int
    source: Source
    outcome: DocumentOutcome | BaseException | None
    rows: int = 0


class _Ready(Struct, frozen=True):
    """A document that can be read now; `fetched` is None for what is to be opened first."""

    number: int
    source: Source
    fetched: Fetched | None = None

    def __lt__(self, other: _Ready) -> bool:
        return self.number < other.number


class _Traffic(Struct):
    """What is under way. Guarded by the lock of its owner."""

    fetching: int = 0
    ready: list[_Ready] = field(default_factory=list)
    ready_bytes: int = 0
    reading: int = 0
    waiting_rows: int = 0


class Scheduler:
    """Takes documents from the frontier, and has as many of them fetched and read as may be under way.

    It is a context manager: at the end nothing is under way any more.
    """

    def __init__(
        self,
        frontier: Frontier,
        seeds: Seeds,
        options: InspectOptions,
        buffer: Callable[[DocumentReader], BufferedDocument],
        earlier: Earlier | None,
    ) -> None:
        """Get ready; nothing is begun yet.

        Args:
            frontier: What is still to be read.
            seeds: What fetches, and what was fetched already.
            options: How to fetch and read.
            buffer: Called in a thread of its own for each document: reads it, and holds its first rows.
            earlier: What an earlier process knew of the documents; None for nothing.
        """
        self._frontier = frontier
        self._fetcher = seeds.fetcher
        self._answers = seeds.answers
        self._options = options
        self._buffer = buffer
        self._earlier = earlier
        most = MOST_READERS if options.expand else len(seeds.sources)
        self._readers = max(1, min(cpu_count() or 1, MOST_READERS, most))
        self._pool = ThreadPoolExecutor(self._readers, thread_name_prefix="urlset-read")
        self._lock = Lock()
        self._traffic = _Traffic()
        self._begun: deque[int] = deque()
        self._arrivals: SimpleQueue[Arrival] = SimpleQueue()
        self._is_closing = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._is_closing = True
        self._pool.shutdown(wait=True, cancel_futures=True)
        with self._lock:
            for ready in self._traffic.ready:
                if ready.fetched is not None:
                    ready.fetched.close()

    # In the thread of the sequencer.

    @property
    def turn(self) -> int | None:
        """The number of the document that is to be handed on next; None if nothing is under way."""
        return self._begun[0] if self._begun else None

    def next_arrival(self) -> Arrival:
        """Wait for what became of any document that is under way."""
        return self._arrivals.get()

    def handed_on(self, arrival: Arrival) -> None:
        """Take note that the document whose turn it was is handed on: its room is for others."""
        with self._lock:
            self._begun.popleft()
            self._traffic.waiting_rows -= arrival.rows
        self.begin_more()

    def begin_more(self) -> None:
        """Begin as many documents as may be under way."""
        while self._may_begin() and (following := self._frontier.next()) is not None:
            number, source = following
            self._begun.append(number)
            self._begin(number, source)
        self._read_more()

    def _may_begin(self) -> bool:
        with self._lock:
            traffic = self._traffic
            ahead = self._readers if self._fetcher is None else FETCHED_AHEAD * self._options.concurrency
            return (
                traffic.fetching + len(traffic.ready) < ahead
                and traffic.ready_bytes < BYTES_AHEAD
                and len(self._begun) < MOST_BEGUN
            )

    def _begin(self, number: int, source: Source) -> None:
        if self._earlier is not None and (known := self._earlier.outcome(number)) is not None:
            if source.kind is SourceKind.URL and not source.is_robots and known.final_url is not None:
                owner = known.owner if isinstance(known, DuplicateOf) else number
                self._frontier.arrived(number, known.final_url, owner)
            self._arrive(Arrival(number, source, known))
        elif (answer := self._answers.pop(number, None)) is not None:
            self._came(number, source, answer)
        elif source.kind is not SourceKind.URL:
            with self._lock:
                heapq.heappush(self._traffic.ready, _Ready(number, source))
        else:
            assert self._fetcher is not None
            with self._lock:
                self._traffic.fetching += 1
            future = self._fetcher.submit(str(source.place), via=source.via, max_bytes=self._options.max_document_bytes)
            future.add_done_callback(partial(self._fetched, number, source))

    # In the thread of the fetcher.

    def _fetched(self, number: int, source: Source, future: Future[Answer]) -> None:
        with self._lock:
            self._traffic.fetching -= 1
        if future.cancelled():
            self._arrive(Arrival(number, source, None))
            return
        # What is raised in a callback is lost, and whoever waits for the document would wait for ever.
        try:
            self._came(number, source, future.result())
            self._read_more()
        except BaseException as error:  # noqa: BLE001 (raised again in the thread of the sequencer)
            self._arrive(Arrival(number, source, error))

    # In either of the two.

    def _came(self, number: int, source: Source, answer: Answer) -> None:
        """Decide what is to be done with an answer; an internal error in that concerns this document alone."""
        try:
            self._take_answer(number, source, answer)
        except Exception as error:  # noqa: BLE001 (one document must not end the run)
            answer.close()
            self._arrive(Arrival(number, source, _failed(number, source, error, answer.final_url)))

    def _take_answer(self, number: int, source: Source, answer: Answer) -> None:
        final_url = answer.final_url
        if source.is_robots:
            self._arrive(Arrival(number, source, robots_txt(number, source, answer)))
        elif (owner := self._frontier.arrived(number, final_url)) != number:
            answer.close()
            self._arrive(Arrival(number, source, DuplicateOf(number, owner, final_url)))
        elif answer.has_document:
            self._wait_to_be_read(_Ready(number, source, answer.as_fetched()))
        else:
            answer.close()
            self._arrive(Arrival(number, source, unfetched(number, source, answer)))

    def _wait_to_be_read(self, ready: _Ready) -> None:
        assert ready.fetched is not None
        with self._lock:
            if self._is_closing:
                ready.fetched.close()
                return
            heapq.heappush(self._traffic.ready, ready)
            self._traffic.ready_bytes += ready.fetched.size

    # In any thread.

    def _read_more(self) -> None:
        """Have as many documents read as may be."""
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

    def _arrive(self, arrival: Arrival) -> None:
        with self._lock:
            self._traffic.waiting_rows += arrival.rows
        self._arrivals.put(arrival)

    # In the threads of the pool.

    def _read(self, ready: _Ready) -> None:
        outcome, rows = _outcome_of(ready, self._options, self._buffer)
        with self._lock:
            self._traffic.reading -= 1
        self._arrive(Arrival(ready.number, ready.source, outcome, rows))
        self._read_more()


def _outcome_of(
    ready: _Ready, options: InspectOptions, buffer: Callable[[DocumentReader], BufferedDocument]
) -> tuple[DocumentOutcome | BaseException, int]:
    """Read the first rows of a document, and return what becomes of it and how many of its rows are in memory."""
    number, source = ready.number, ready.source
    final_url: str | None = None
    try:
        # Only URLs need a fetcher, and those are fetched by now.
        fetched = ready.fetched or fetch(source, options, None)
        arrived_at = fetched.facts.get("final_url")
        final_url = arrived_at if isinstance(arrived_at, str) else None
        reader = DocumentReader(source, fetched, number, options, keeps_children=options.expand)
        document = buffer(reader)
        rows = int(reader.facts.get("entries") or MOST_ROWS_HELD)
        if is_left_out(source, reader):
            return NotSitemap(number, LeftOut(reader.facts["url"], reader.facts["kind"])), rows
        return DocumentRead(document, source, document.batches()), rows
    except InputError as error:
        return UnreadableDocument(number, Unreadable.of(error), final_url), 0
    except Exception as error:  # noqa: BLE001 (one document must not end the run)
        return _failed(number, source, error, final_url), 0
    except BaseException as error:  # noqa: BLE001 (raised again in the thread of the sequencer)
        return error, 0


def _failed(number: int, source: Source, error: Exception, final_url: str | None) -> UnreadableDocument | Exception:
    """Return what to say of a document that an internal error kept from being read; others concern the whole run."""
    try:
        return UnreadableDocument(number, Unreadable(source.name, internal_error(error)), final_url)
    except Exception as of_run:  # noqa: BLE001 (raised again in the thread of the sequencer)
        return of_run
