"""Estimates how long something takes of which only intervals are known, or that it has not happened yet.

A wait is a set of whole days: one day if it is known exactly, an interval between two observations, several intervals
if days between them are ruled out, or all days from some day on if it still lasts. The estimate is the self-consistent
one of Turnbull (1976), "The empirical distribution function with arbitrarily grouped, censored and truncated data",
Journal of the Royal Statistical Society B 38. Without intervals, it is that of Kaplan and Meier (1958).

With intervals, that estimate gives all of their share to few days, which chance decides. A second one smooths what
intervals add, day by day, as Silverman, Jones, Wilson, and Nychka (1990), "A smoothed EM approach to indirect
estimation problems", Journal of the Royal Statistical Society B 52. A quantile lies between the two.
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

SMOOTH_ROUNDS = 100
"""Iterations of the smoothed estimate, which changes little after them."""

MAX_SMOOTHED = 3_660
"""Days beyond which waits are not smoothed, which takes as long as the longest of them."""

_ROUNDING = 1e-9

_Observed: TypeAlias = "list[tuple[tuple[tuple[int, int], ...], int]]"
"""Waits as ranges of cells, the end excluded, and how often each was observed."""


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
        days: The smoothed share of the waits that end on each day; empty without intervals, or if one is too long.
    """

    cells: Sequence[Span]
    shares: Sequence[float]
    days: Sequence[float] = ()

    @property
    def ended(self) -> float:
        """The share of waits that end within the days that were observed."""
        return sum(share for (_, high), share in zip(self.cells, self.shares, strict=True) if high is not None)

    def quantile(self, share: float) -> Quantile:
        """Return within how many days a share of all waits ends."""
        cumulated = list(accumulate(self.shares))
        low, high = self.cells[min(bisect_left(cumulated, share - _ROUNDING), len(self.cells) - 1)]
        if not self.days:
            return Quantile(low, high)
        day = bisect_left(list(accumulate(self.days)), share - _ROUNDING)
        if day == len(self.days):
            return Quantile(low, None)
        return Quantile(min(low, day), None if high is None else max(high, day))

    def curve(self, points: int) -> list[tuple[int, float]]:
        """Return after how many days which share has ended, at some of the days.

        Args:
            points: Maximum number of days.
        """
        until: Iterable[tuple[int | None, float]]
        if self.days:
            until = enumerate(accumulate(self.days))
        else:
            until = zip((high for _, high in self.cells), accumulate(self.shares), strict=True)
        steps = [(day, min(share, 1.0)) for day, share in until if day is not None]
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
    lows = [low for low, _ in cells]
    observed: _Observed = []
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
    return Distribution(cells, shares, _smoothed(waits))


def _smoothed(waits: Mapping[Wait, int]) -> Sequence[float]:
    """Return the smoothed share of the waits that end on each day; none if all are days, or last, or one is long."""
    intervals = {wait for wait in waits if wait[-1][1] is not None and wait != ((wait[0][0], wait[0][0]),)}
    if not intervals:
        return ()
    # The cell after the last day stands for all later ones.
    last = max(low if high is None else high for wait in waits for low, high in wait)
    if last > MAX_SMOOTHED:
        return ()
    observed: dict[bool, _Observed] = {True: [], False: []}
    for wait, count in waits.items():
        spans = tuple((low, last + 2 if high is None else high + 1) for low, high in wait)
        observed[wait in intervals].append((spans, count))
    total = sum(waits.values())
    shares = [1 / (last + 2)] * (last + 2)
    # Smoothing must not reach days on which no interval lets a wait end.
    possible = [weight > 0 for weight in _weights(shares, observed[True])]
    for _ in range(SMOOTH_ROUNDS):
        of_intervals = _weights(shares, observed[True])
        days = [of_intervals[0], *of_intervals[:-1], of_intervals[-2]]
        around = zip(possible, days, days[1:], days[2:], strict=False)
        smooth = [(before + 2 * day + after) / 4 if may else 0.0 for may, before, day, after in around]
        kept = sum(of_intervals) / sum(smooth)
        others = _weights(shares, observed[False])
        shares = [(one * kept + other) / total for one, other in zip([*smooth, 0.0], others, strict=True)]
    return shares[:-1]


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


def _next(shares: Sequence[float], observed: _Observed, total: int) -> list[float]:
    """Return the shares after one iteration."""
    new = [weight / total for weight in _weights(shares, observed)]
    whole = sum(new)
    return [share / whole for share in new]


def _weights(shares: Sequence[float], observed: _Observed) -> list[float]:
    """Return the observations in each cell: each is spread over its cells in proportion to their shares."""
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
    return [share * max(weight, 0.0) for share, weight in zip(shares, accumulate(weights[:-1]), strict=True)]


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
