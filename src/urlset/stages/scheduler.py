"""The scheduler of the read stage, which fetches and reads documents concurrently, within limits.

It puts outcomes into a queue as they become known; the sequencer passes them on in order.
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
from urlset.model.document import SkippedFile
from urlset.sources import Source, SourceKind
from urlset.stages.open_target import is_left_out
from urlset.stages.outcomes import (
    DocumentRead,
    DuplicateOf,
    NotSitemap,
    UnreadableDocument,
    robots_txt,
    unfetched_outcome,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

    from urlset.fetch.fetched_source import FetchedSource
    from urlset.fetch.response import Response
    from urlset.options.verbs import InspectOptions
    from urlset.sources.frontier import Frontier
    from urlset.stages.buffered import BufferedDocument
    from urlset.stages.outcomes import DocumentOutcome
    from urlset.stages.previous import PreviousRun
    from urlset.stages.seeds import Seeds

MAX_READERS = 4
"""Maximum documents to read concurrently; the core releases the GIL, so each can use a CPU core."""

FETCHED_AHEAD = 4
"""Maximum documents being fetched or waiting to be read, per concurrent request to a host."""

BYTES_AHEAD = 32 * 1024 * 1024
"""Bytes waiting to be read beyond which no further document is fetched."""

MAX_STARTED = 512
"""Maximum documents that were started and not yet passed on, which can accumulate behind a slow one."""

WAITING_BYTES = 32 * 1024 * 1024
"""Memory of rows waiting to be passed on beyond which only the next document in order is read."""


class Arrival(Struct, frozen=True):
    """The outcome of a document, with its source.

    Attributes:
        outcome: Its outcome; None if it was cancelled; or an error that concerns the whole run.
        nbytes: Memory of its rows.
    """

    number: int
    source: Source
    outcome: DocumentOutcome | BaseException | None
    nbytes: int = 0


class _ReadyDocument(Struct, frozen=True):
    """A document that can be read now; `fetched` is None if it must be opened first."""

    number: int
    source: Source
    fetched: FetchedSource | None = None

    def __lt__(self, other: _ReadyDocument) -> bool:
        return self.number < other.number


class _Traffic(Struct):
    """Work in progress, guarded by the lock of its owner."""

    fetching: int = 0
    ready_documents: list[_ReadyDocument] = field(default_factory=list)
    ready_bytes: int = 0
    reading: int = 0
    waiting_bytes: int = 0


class Scheduler:
    """Takes documents from the frontier, and fetches and reads as many as the limits allow.

    A context manager; when it exits, no work is in progress.

    Args:
        buffer: Called for each document in a separate thread; reads it and holds its first rows.
        previous: The run whose documents are taken if their index says that they did not change; None to read all.
    """

    def __init__(
        self,
        frontier: Frontier,
        seeds: Seeds,
        options: InspectOptions,
        buffer: Callable[[DocumentReader], BufferedDocument],
        previous: PreviousRun | None,
    ) -> None:
        self._frontier = frontier
        self._fetcher = seeds.fetcher
        self._answers = seeds.answers
        self._options = options
        self._buffer = buffer
        self._previous = previous
        max_readers = MAX_READERS if options.expand else len(seeds.sources)
        self._readers = max(1, min(cpu_count() or 1, MAX_READERS, max_readers))
        self._pool = ThreadPoolExecutor(self._readers, thread_name_prefix="urlset-read")
        self._lock = Lock()
        self._traffic = _Traffic()
        self._in_progress: deque[int] = deque()
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
            for ready in self._traffic.ready_documents:
                if ready.fetched is not None:
                    ready.fetched.close()

    # Called in the thread of the sequencer.

    @property
    def turn(self) -> int | None:
        """Return the number of the document to pass on next; None if no work is in progress."""
        return self._in_progress[0] if self._in_progress else None

    def next_arrival(self) -> Arrival:
        """Wait for the outcome of any document in progress."""
        return self._arrivals.get()

    def handed_on(self, arrival: Arrival) -> None:
        """Free the capacity of the document that was passed on."""
        with self._lock:
            self._in_progress.popleft()
            self._traffic.waiting_bytes -= arrival.nbytes
        self.begin_more()

    def begin_more(self) -> None:
        """Start as many documents as the limits allow."""
        while self._may_begin() and (following := self._frontier.next()) is not None:
            number, source = following
            self._in_progress.append(number)
            self._begin(number, source)
        self._read_more()

    def _may_begin(self) -> bool:
        with self._lock:
            traffic = self._traffic
            ahead = self._readers if self._fetcher is None else FETCHED_AHEAD * self._options.concurrency
            return (
                traffic.fetching + len(traffic.ready_documents) < ahead
                and traffic.ready_bytes < BYTES_AHEAD
                and len(self._in_progress) < MAX_STARTED
            )

    def _begin(self, number: int, source: Source) -> None:
        if self._previous is not None and (assumed := self._previous.outcome(number, source)) is not None:
            is_first = self._frontier.record_arrival(number, source.name) == number
            outcome = assumed if is_first else DuplicateOf(number)
            self._arrive(Arrival(number, source, outcome))
        elif (answer := self._answers.pop(number, None)) is not None:
            self._take_response(number, source, answer)
        elif source.kind is not SourceKind.URL:
            with self._lock:
                heapq.heappush(self._traffic.ready_documents, _ReadyDocument(number, source))
        else:
            assert self._fetcher is not None
            with self._lock:
                self._traffic.fetching += 1
            future = self._fetcher.submit(str(source.place), via=source.via, max_bytes=self._options.max_document_bytes)
            future.add_done_callback(partial(self._on_response, number, source))

    # Called in the thread of the fetcher.

    def _on_response(self, number: int, source: Source, future: Future[Response]) -> None:
        with self._lock:
            self._traffic.fetching -= 1
        if future.cancelled():
            self._arrive(Arrival(number, source, None))
            return
        if isinstance(error := future.exception(), Exception):
            self._arrive(Arrival(number, source, _failure_outcome(number, source, error)))
            return
        # An exception in a callback would be lost, and the sequencer would wait forever.
        try:
            self._take_response(number, source, future.result())
            self._read_more()
        except BaseException as error:  # noqa: BLE001 (raised again in the thread of the sequencer)
            self._arrive(Arrival(number, source, error))

    # Called in either thread.

    def _take_response(self, number: int, source: Source, answer: Response) -> None:
        """Decide what to do with a response; an internal error only affects this document."""
        try:
            self._take_answer(number, source, answer)
        except Exception as error:  # noqa: BLE001 (one document must not end the run)
            answer.close()
            self._arrive(Arrival(number, source, _failure_outcome(number, source, error)))

    def _take_answer(self, number: int, source: Source, answer: Response) -> None:
        if source.is_robots:
            self._arrive(Arrival(number, source, robots_txt(number, source, answer)))
        elif self._frontier.record_arrival(number, answer.final_url) != number:
            answer.close()
            self._arrive(Arrival(number, source, DuplicateOf(number)))
        elif answer.has_document:
            self._wait_to_be_read(_ReadyDocument(number, source, answer.as_fetched()))
        else:
            answer.close()
            self._arrive(Arrival(number, source, unfetched_outcome(number, source, answer)))

    def _wait_to_be_read(self, ready: _ReadyDocument) -> None:
        assert ready.fetched is not None
        with self._lock:
            if self._is_closing:
                ready.fetched.close()
                return
            heapq.heappush(self._traffic.ready_documents, ready)
            self._traffic.ready_bytes += ready.fetched.size

    # Called in any thread.

    def _read_more(self) -> None:
        while True:
            with self._lock:
                if not self._traffic.ready_documents or not self._may_read(self._traffic.ready_documents[0].number):
                    return
                ready = heapq.heappop(self._traffic.ready_documents)
                self._traffic.ready_bytes -= 0 if ready.fetched is None else ready.fetched.size
                self._traffic.reading += 1
            self._pool.submit(self._read, ready)

    def _may_read(self, number: int) -> bool:
        """Return whether a document may be read now. The next one in order always may, to avoid a deadlock."""
        if self._is_closing or self._traffic.reading >= self._readers:
            return False
        return number == self._in_progress[0] or self._traffic.waiting_bytes < WAITING_BYTES

    def _arrive(self, arrival: Arrival) -> None:
        with self._lock:
            self._traffic.waiting_bytes += arrival.nbytes
        self._arrivals.put(arrival)

    # Called in the threads of the pool.

    def _read(self, ready: _ReadyDocument) -> None:
        outcome, nbytes = _outcome_of(ready, self._options, self._buffer)
        with self._lock:
            self._traffic.reading -= 1
        self._arrive(Arrival(ready.number, ready.source, outcome, nbytes))
        self._read_more()


def _outcome_of(
    ready: _ReadyDocument, options: InspectOptions, buffer: Callable[[DocumentReader], BufferedDocument]
) -> tuple[DocumentOutcome | BaseException, int]:
    """Read the first rows of a document, and return its outcome and the memory of these rows, in bytes."""
    number, source = ready.number, ready.source
    try:
        # Only URLs need a fetcher, and they have been fetched at this point.
        fetched = ready.fetched or fetch(source, options, None)
        reader = DocumentReader(source, fetched, number, options, keeps_children=options.expand)
        document = buffer(reader)
        if is_left_out(source, reader.facts):
            return NotSitemap(number, SkippedFile(reader.facts["url"], reader.facts["kind"])), 0
        return DocumentRead(document, source, document.batches()), document.nbytes
    except InputError as error:
        return UnreadableDocument(number, Unreadable.of(error)), 0
    except Exception as error:  # noqa: BLE001 (one document must not end the run)
        return _failure_outcome(number, source, error), 0
    except BaseException as error:  # noqa: BLE001 (raised again in the thread of the sequencer)
        return error, 0


def _failure_outcome(number: int, source: Source, error: Exception) -> UnreadableDocument | Exception:
    """Return the outcome of a document after an internal error; other errors concern the whole run."""
    try:
        return UnreadableDocument(number, Unreadable(source.name, internal_error(error)))
    except Exception as of_run:  # noqa: BLE001 (raised again in the thread of the sequencer)
        return of_run
