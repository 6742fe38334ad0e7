"""Threads that read HTML for an event loop.

Reading a page takes a fraction of a millisecond, and waking a thread and passing the GIL to it takes not much less. So
the pages that arrive together are passed to a thread together, up to a limit, and their facts are returned together.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Self

from msgspec import Struct

from urlset.web.html_page import PageFacts, read_page, read_pages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

AT_ONCE = 8
"""Maximum pages passed to a thread together: other threads cannot process what one has taken."""


class _PendingPage(Struct, frozen=True):
    """A page to read, and the future for its facts."""

    content: bytes
    charset: str | None
    url: str | None
    facts: asyncio.Future[PageFacts]


class Readers:
    """A number of threads that read pages. Use it as a context manager, for one event loop."""

    def __init__(self, threads: int) -> None:
        self._queue: SimpleQueue[list[_PendingPage] | None] = SimpleQueue()
        self._batch: list[_PendingPage] = []
        self._threads = [
            threading.Thread(target=self._work, name=f"urlset-page-{number}", daemon=True) for number in range(threads)
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join()

    async def read(self, content: bytes, charset: str | None, url: str | None = None) -> PageFacts:
        """Read the facts of a page; its links only if `url` is given."""
        loop = asyncio.get_running_loop()
        facts: asyncio.Future[PageFacts] = loop.create_future()
        if not self._batch:
            # Other pages may arrive in the same round of the loop.
            loop.call_soon(self._hand_over)
        self._batch.append(_PendingPage(content, charset, url, facts))
        if len(self._batch) >= AT_ONCE:
            self._hand_over()
        return await facts

    def _hand_over(self) -> None:
        if self._batch:
            self._queue.put(self._batch)
            self._batch = []

    def _work(self) -> None:
        while (pages := self._queue.get()) is not None:
            read = list(zip([page.facts for page in pages], _read(pages), strict=True))
            # If the loop is closed, nothing waits for the result.
            with suppress(RuntimeError):
                pages[0].facts.get_loop().call_soon_threadsafe(_deliver, read)


def _read(pages: list[_PendingPage]) -> Sequence[PageFacts | BaseException]:
    try:
        return read_pages([(page.content, page.charset, page.url) for page in pages])
    except BaseException:  # noqa: BLE001 - one page must not affect the others
        return [_read_alone(page) for page in pages]


def _read_alone(page: _PendingPage) -> PageFacts | BaseException:
    try:
        return read_page(page.content, charset=page.charset, url=page.url)
    except BaseException as error:  # noqa: BLE001 - raised where the result is awaited
        return error


def _deliver(read: list[tuple[asyncio.Future[PageFacts], PageFacts | BaseException]]) -> None:
    for facts, outcome in read:
        if facts.done():
            continue
        if isinstance(outcome, BaseException):
            facts.set_exception(outcome)
        else:
            facts.set_result(outcome)
