"""Runs a function on many items in a few threads, and returns results in order."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
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
        work: The function.
        items: Its arguments; taken one by one, in the thread of the consumer.
        threads: Number of threads.
        name: Prefix of the thread names.

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
