"""The estimate of waits, against definitions, and the days that evidence leaves possible, against simulated truth."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from urlset.store.waits import Span, Wait, distribution, union, until_first, within

DAYS = st.integers(0, 30)
ENDS = st.one_of(st.none(), DAYS)
WAITS = st.lists(st.tuples(DAYS, ENDS), min_size=1, max_size=3).map(
    lambda spans: union((low, None if days is None else low + days) for low, days in spans)
)


def product_limit(waits: Counter[Wait]) -> dict[int, float]:
    """The estimate of Kaplan and Meier: the share that has ended after each day on which a wait ends."""
    left, shares = 1.0, {}
    for day in sorted({low for ((low, high),) in waits if high is not None}):
        ended = waits[((day, day),)]
        at_risk = sum(count for ((low, high),), count in waits.items() if low >= day + (high is None))
        left *= 1 - ended / at_risk
        shares[day] = 1 - left
    return shares


@given(st.lists(st.tuples(DAYS, st.booleans()), min_size=1, max_size=40))
def test_without_intervals_it_is_the_product_limit(observed: list[tuple[int, bool]]) -> None:
    waits: Counter[Wait] = Counter(((day, day),) if is_over else ((day + 1, None),) for day, is_over in observed)
    estimate = dict(distribution(waits).curve(1_000))
    reference = product_limit(waits)
    assert estimate.keys() == reference.keys()
    assert all(abs(estimate[day] - share) < 1e-2 for day, share in reference.items())


@given(st.lists(WAITS, min_size=1, max_size=20))
def test_shares_are_of_one_and_quantiles_ascend(observed: list[Wait]) -> None:
    known = distribution(Counter(observed))
    assert all(share >= 0 for share in known.shares)
    assert abs(sum(known.shares) - 1) < 1e-6
    assert all(earlier[1] is not None and earlier[1] < later[0] for earlier, later in pairwise(known.cells))
    quantiles = [known.quantile(share) for share in (0.25, 0.5, 0.75, 0.9)]
    assert quantiles == sorted(quantiles, key=lambda quantile: quantile.low)


def test_an_interval_is_shared_by_the_days_that_others_prove() -> None:
    """One of three is known to end on day 4, so the two of which only 1 to 6 is known end then as well."""
    known = distribution({((4, 4),): 1, ((1, 6),): 2})
    assert known.cells == [(4, 4)]
    assert known.quantile(0.5) == (4, 4)
    # The smoothed estimate is not as sure.
    assert known.quantile(0.9) == (4, 5)


def test_waits_that_are_too_long_are_not_smoothed() -> None:
    known = distribution({((1, 3),): 5, ((2, 3_000_000),): 5, ((4, None),): 3})
    assert known.days == ()
    assert known.quantile(0.5).low == 2


def test_what_no_observation_tells_apart_stays_an_interval() -> None:
    assert distribution({((1, 6),): 2, ((3, 9),): 1}).quantile(0.5) == (3, 6)


@given(
    st.integers(0, 20),
    st.integers(0, 6),
    st.integers(0, 6),
    st.sets(st.integers(0, 40)),
    st.sets(st.integers(0, 40)),
    st.booleans(),
)
def test_the_true_wait_is_always_possible(
    first: int, after: int, width: int, truth: set[int], unseen: set[int], is_before: bool
) -> None:
    """Events happen on days; those of days without evidence, and all after day 40, are not seen."""
    start, last = first + after, first + after + width
    later = [day for day in truth if day > start or (day == start and not is_before)]
    seen = sorted(truth - unseen)
    events = [day for day in seen if first <= day <= last]
    events += [day for day in seen if day > last][:1]
    unknown: list[Span] = [(day, day) for day in sorted(unseen)]
    wait = until_first((first, last), events, [*unknown, (41, None)])
    true = min(later) - start if later else 41 - start
    assert any(low <= true and (high is None or true <= high) for low, high in wait), (wait, true)


@given(WAITS, DAYS, ENDS)
def test_a_part_of_a_wait(wait: Wait, low: int, days: int | None) -> None:
    high = None if days is None else low + days

    def has(spans: Wait, day: int) -> bool:
        return any(first <= day and (last is None or day <= last) for first, last in spans)

    part = within(wait, low, high)
    for day in range(100):
        assert has(part, day) == (has(wait, day) and low <= day and (high is None or day <= high))
