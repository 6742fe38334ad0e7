"""Work in threads: results in order, a few items ahead, and nothing begun after the end."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from urlset.threads import AHEAD, in_order


def test_results_come_in_the_order_of_the_items() -> None:
    first_may_end = threading.Event()

    def work(number: int) -> int:
        if number == 0:
            assert first_may_end.wait(60)
        elif number == 1:
            first_may_end.set()
        return number * 2

    assert list(in_order(work, range(20), 2)) == [number * 2 for number in range(20)]
    assert list(in_order(work, [], 2)) == []


def test_few_items_are_taken_ahead() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    results = in_order(str, items(), 3)
    assert next(results) == "0"
    assert len(taken) <= 3 * AHEAD + 1


@pytest.mark.parametrize("ends", ["by an error", "by the reader"])
def test_what_has_not_begun_is_left_out(ends: str) -> None:
    begun: list[int] = []
    is_over = threading.Event()

    def work(number: int) -> int:
        begun.append(number)
        if number == 0 and ends == "by an error":
            raise ValueError("it failed")
        if number > 0:
            assert is_over.wait(60)
        return number

    results = in_order(work, range(100), 1)
    if ends == "by an error":
        releaser = threading.Timer(0.1, is_over.set)
        releaser.start()
        with pytest.raises(ValueError, match="it failed"):
            next(results)
    else:
        assert next(results) == 0
        is_over.set()
        results.close()
    assert len(begun) <= AHEAD + 1
    assert not [one for one in threading.enumerate() if one.name.startswith("urlset-work")]
