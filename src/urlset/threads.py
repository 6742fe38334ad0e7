"""Work on many things in a few threads, with results in the order of the things."""

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
"""Items for each thread that are taken before their turn, so that a slow one does not leave the others idle."""


def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], threads: int, name: str = "urlset-work"
) -> Generator[Result, None, None]:
    """Calls a function with each item in threads, and yields the results in the order of the items.

    Only a few items are taken ahead of the one whose turn it is, so that results do not pile up. When a call fails, or
    whoever reads stops, what has not begun is left out.

    Args:
        work: The function.
        items: What it is called with; taken one by one, in the thread of the reader.
        threads: Number of threads.
        name: Beginning of their names.

    Raises:
        Exception: Whatever `work` raised, when the turn of that item comes.
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
