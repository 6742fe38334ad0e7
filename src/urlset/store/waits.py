"""Estimates how long something takes of which only intervals are known, or that it has not happened yet.

A wait is a set of whole days: one day if it is known exactly, an interval between two observations, several intervals
if days between them are ruled out, or all days from some day on if it still lasts. The estimate is the self-consistent
one of Turnbull (1976), "The empirical distribution function with arbitrarily grouped, censored and truncated data",
Journal of the Royal Statistical Society B 38. Without intervals, it is that of Kaplan and Meier (1958).
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Span: TypeAlias = "tuple[int, int | None]"
"""The first and last day of an interval; None if it has no end."""

Wait: TypeAlias = "tuple[Span, ...]"
"""The possible durations of a wait in days: intervals in ascending order that do not touch."""

NOTHING_KNOWN: Wait = ((0, None),)
"""A wait of which nothing is known."""

MAX_ROUNDS = 200
"""Maximum iterations of the estimate."""

PRECISION = 1e-5
"""Change of a share in one iteration below which the estimate ends."""

_ROUNDING = 1e-9


def union(spans: Iterable[Span]) -> Wait:
    """Return a wait of intervals in any order, which may overlap.

    Example:
        >>> union([(9, None), (2, 4), (5, 5), (3, 3)])
        ((2, 5), (9, None))
    """
    merged: list[Span] = []
    for low, high in sorted(spans, key=lambda span: span[0]):
        if merged and ((last := merged[-1][1]) is None or low <= last + 1):
            end = None if last is None or high is None else max(last, high)
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((low, high))
    return tuple(merged)


def within(wait: Wait, low: int, high: int | None) -> Wait:
    """Return the part of a wait from one day to another, both included."""
    parts = (
        (max(low, first), high if last is None else last if high is None else min(last, high)) for first, last in wait
    )
    return tuple((first, last) for first, last in parts if last is None or first <= last)


class Quantile(NamedTuple):
    """Days within which a share of the waits ends: between `low` and `high`, or at least `low` if `high` is None."""

    low: int
    high: int | None


class Distribution(NamedTuple):
    """How long waits last.

    Attributes:
        cells: The intervals of days that can be told apart, in ascending order.
        shares: The estimated share of the waits that end in each of them, or, in one without an end, have not ended.
    """

    cells: Sequence[Span]
    shares: Sequence[float]

    @property
    def ended(self) -> float:
        """The share of waits that end within the days that were observed."""
        return sum(share for (_, high), share in zip(self.cells, self.shares, strict=True) if high is not None)

    def quantile(self, share: float) -> Quantile:
        """Return within how many days a share of all waits ends."""
        cumulated = list(accumulate(self.shares))
        return Quantile(*self.cells[min(bisect_left(cumulated, share - _ROUNDING), len(self.cells) - 1)])

    def curve(self, points: int) -> list[tuple[int, float]]:
        """Return after how many days which share has ended, at some of the days.

        Args:
            points: Maximum number of days.
        """
        steps = [
            (high, min(share, 1.0))
            for (_, high), share in zip(self.cells, accumulate(self.shares), strict=True)
            if high is not None
        ]
        stride = -(-len(steps) // points) or 1
        return steps[::-1][::stride][::-1]


def distribution(waits: Mapping[Wait, int]) -> Distribution:
    """Estimate the distribution of waits.

    Args:
        waits: The number of observations of each wait; at least one.

    Example:
        >>> known = distribution({((2, 2),): 3, ((5, 5),): 1})
        >>> known.quantile(0.5), known.quantile(0.9)
        (Quantile(low=2, high=2), Quantile(low=5, high=5))
        >>> distribution({((2, 2),): 1, ((4, None),): 3}).quantile(0.5)
        Quantile(low=4, high=None)
    """
    cells = _cells(waits)
    places = {low: number for number, (low, _) in enumerate(cells)}
    lows = sorted(places)
    observed: list[tuple[tuple[tuple[int, int], ...], int]] = []
    for wait, count in waits.items():
        # Cells that begin in a span also end in it.
        spans = (
            (bisect_left(lows, low), len(lows) if high is None else bisect_left(lows, high + 1)) for low, high in wait
        )
        observed.append((tuple((start, end) for start, end in spans if start < end), count))
    shares = [1 / len(cells)] * len(cells)
    total = sum(waits.values())
    for _ in range(MAX_ROUNDS):
        new = _next(shares, observed, total)
        change = max(abs(old - now) for old, now in zip(accumulate(shares), accumulate(new), strict=True))
        shares = new
        if change < PRECISION:
            break
    return Distribution(cells, shares)


def _cells(waits: Iterable[Wait]) -> list[Span]:
    """Return the intervals to which the estimate gives a share: from the start of a span to the next end of one.

    Moving the share of other days into them makes no observation less likely.
    """
    starts = {low for wait in waits for low, _ in wait}
    ends = {high + 1 for wait in waits for _, high in wait if high is not None}
    bounds = sorted(starts | ends)
    cells: list[Span] = [(low, after - 1) for low, after in pairwise(bounds) if low in starts and after in ends]
    if bounds and bounds[-1] in starts:
        cells.append((bounds[-1], None))
    return cells


def _next(
    shares: Sequence[float], observed: Sequence[tuple[tuple[tuple[int, int], ...], int]], total: int
) -> list[float]:
    """Return the shares after one iteration: each observation is spread over its cells in proportion to them."""
    until = [0.0, *accumulate(shares)]
    # The sum of these up to a cell is the weight of the observations that have it.
    weights = [0.0] * (len(shares) + 1)
    for spans, count in observed:
        part = 0.0
        for start, end in spans:
            part += until[end] - until[start]
        if part > 0:
            weight = count / part
            for start, end in spans:
                weights[start] += weight
                weights[end] -= weight
    new = [share * max(weight, 0.0) / total for share, weight in zip(shares, accumulate(weights[:-1]), strict=True)]
    whole = sum(new)
    return [share / whole for share in new]


def until_first(start: tuple[int, int], events: Sequence[int], unknown: Sequence[Span]) -> Wait:
    """Return the possible days from a start to the first event after it.

    On the day of the start, the order is unknown: an event of that day may be before or after it.

    Args:
        start: The first and last day on which it may have started.
        events: The days with an event, ascending, from the first possible start until the first day after the last
            possible start that has one.
        unknown: The days of which it is not known whether they have an event, as intervals in ascending order. The last
            one has no end.

    Example:
        >>> until_first((10, 10), [13], [(20, None)])
        ((3, 3),)
        >>> until_first((10, 10), [13], [(11, 12), (20, None)])
        ((1, 3),)
        >>> until_first((10, 12), [], [(20, None)])
        ((8, None),)
    """
    first, last = start
    spans: list[Span] = [(0, 0) for day in events if day <= last]
    begin = first
    for end in [*events, None]:
        until = last if end is None else min(last, end - 1)
        if begin <= until:
            if end is not None:
                spans.append((end - until, end - begin))
            for low, high in unknown:
                stop = high if end is None else end - 1 if high is None else min(high, end - 1)
                if stop is None:
                    spans.append((max(0, low - until), None))
                elif stop >= max(low, begin):
                    spans.append((max(0, low - until), stop - begin))
            begin = until + 1
    return union(spans)
