"""Runs a function on many items in a few threads, and returns results in order; takes items in advance."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from concurrent.futures import Future

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 2
"""Items to take ahead per thread, so that a slow item does not leave other threads idle."""


def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], threads: int, name: str = "urlset-work"
) -> Generator[Result, None, None]:
    """Call a function with each item in threads, and yield the results in the order of the items.

    Only a few items are taken ahead, so that results do not pile up. If a call fails or the consumer stops, calls that
    have not started are canceled.

    Args:
        items: Its arguments; taken one by one, in the thread of the consumer.

    Raises:
        Exception: Any exception that `work` raised, when it is the turn of that item.
    """
    remaining = iter(items)
    with ThreadPoolExecutor(threads, thread_name_prefix=name) as pool:
        waiting: deque[Future[Result]] = deque()
        try:
            waiting.extend(pool.submit(work, item) for item in islice(remaining, threads * AHEAD))
            while waiting:
                result = waiting.popleft().result()
                waiting.extend(pool.submit(work, item) for item in islice(remaining, 1))
                yield result
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


class Behind:
    """Makes calls in a thread, one after the other, while the caller goes on; at most one is waiting or running."""

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._running: Future[None] | None = None

    def call(self, work: Callable[..., None], *arguments: object) -> None:
        """Wait for the previous call, and begin another one.

        Raises:
            Exception: Any exception of the previous call.
        """
        self.wait()
        self._running = self._pool.submit(work, *arguments)

    def wait(self) -> None:
        """Wait for the last call.

        Raises:
            Exception: Any exception of this call.
        """
        if self._running is not None:
            self._running.result()

    def close(self) -> None:
        """Wait for the last call, and end the thread."""
        self._pool.shutdown()


@contextmanager
def ahead(items: Iterable[Item], name: str = "urlset-ahead") -> Iterator[Iterator[Item]]:
    """Take a few items in advance, in another thread; at the end, wait until it is done with the last one.

    Args:
        items: Items that take time, such as the pieces of a file.

    Yields:
        The same items. If taking one fails, the exception is raised in its turn.
    """
    remaining, end = iter(items), object()

    def results(pool: ThreadPoolExecutor) -> Iterator[Item]:
        waiting = deque(pool.submit(next, remaining, end) for _ in range(AHEAD))
        while (item := waiting.popleft().result()) is not end:
            waiting.append(pool.submit(next, remaining, end))
            yield cast("Item", item)

    with ThreadPoolExecutor(1, thread_name_prefix=name) as pool:
        try:
            yield results(pool)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
