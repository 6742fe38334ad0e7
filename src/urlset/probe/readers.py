"""Threads that read HTML for an event loop.

Reading a page takes a fraction of a millisecond, and waking a thread takes not much less. So a thread takes all waiting
pages, up to a limit, and returns their facts together.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Self

from urlset.page import PageFacts, read_page

if TYPE_CHECKING:
    from types import TracebackType

AT_ONCE = 16
"""Maximum pages that a thread takes together: other threads cannot process what one has taken."""


@dataclass(frozen=True, slots=True)
class _PendingPage:
    """A page to read, and the future for its facts."""

    content: bytes
    charset: str | None
    links: bool
    facts: asyncio.Future[PageFacts]


class Readers:
    """A number of threads that read pages. Use it as a context manager, for one event loop.

    Args:
        threads: Number of threads.
    """

    def __init__(self, threads: int) -> None:
        self._asked: SimpleQueue[_PendingPage | None] = SimpleQueue()
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
            self._asked.put(None)
        for thread in self._threads:
            thread.join()

    async def read(self, content: bytes, charset: str | None, *, links: bool = False) -> PageFacts:
        """Read the facts of a page.

        Args:
            content: The page.
            charset: The charset in its Content-Type.
            links: Whether to read its links.
        """
        facts: asyncio.Future[PageFacts] = asyncio.get_running_loop().create_future()
        self._asked.put(_PendingPage(content, charset, links, facts))
        return await facts

    def _work(self) -> None:
        while (first := self._asked.get()) is not None:
            taken = [first, *self._waiting()]
            read = [(one.facts, _read(one)) for one in taken]
            # If the loop is closed, nothing waits for the result.
            with suppress(RuntimeError):
                first.facts.get_loop().call_soon_threadsafe(_deliver, read)

    def _waiting(self) -> list[_PendingPage]:
        """Return the other waiting pages, without waiting for more."""
        taken: list[_PendingPage] = []
        with suppress(Empty):
            while len(taken) < AT_ONCE - 1:
                asked = self._asked.get_nowait()
                if asked is None:
                    self._asked.put(None)
                    break
                taken.append(asked)
        return taken


def _read(asked: _PendingPage) -> PageFacts | BaseException:
    try:
        return read_page(asked.content, charset=asked.charset, links=asked.links)
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
