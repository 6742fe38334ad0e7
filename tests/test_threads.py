"""Work in threads: results in order, a few items ahead, and nothing begun after the end."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from urlset.processes.threads import AHEAD, ahead, in_order


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


def test_items_are_taken_ahead_in_order() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(20):
            taken.append(number)
            yield number

    with ahead(items()) as numbers:
        for number in numbers:
            assert taken[: number + 1] == list(range(number + 1))
            assert len(taken) <= number + 1 + AHEAD
    assert taken == list(range(20))


def test_an_item_that_fails_fails_in_its_turn() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise ValueError("2")

    with ahead(items()) as numbers:
        assert next(numbers) == 1
        with pytest.raises(ValueError, match="2"):
            next(numbers)


def test_no_item_is_taken_after_the_end() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    with ahead(items()) as numbers:
        next(numbers)
    at_the_end = len(taken)
    assert at_the_end <= 1 + AHEAD
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("urlset-ahead")]
    assert len(taken) == at_the_end
