"""The days of which access logs in a store can tell whether a crawler requested something."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from urlset.store.possible import last_possible
from urlset.tables import CRAWL_DAYS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.store.file import Store

# Of a day on which its requests could not be verified, it is unknown whether the crawler came.
_DAYS = f"""
SELECT site, (day::DATE - DATE '1970-01-01')::INTEGER AS day_number FROM {CRAWL_DAYS.name}
WHERE day <= $2 GROUP BY ALL HAVING NOT bool_or(agent = $1 AND verdict = 'unverified')
ORDER BY site, day_number
"""


def days_with_logs(store: Store, crawler: str) -> dict[str, list[int]]:
    """Return these days by site, ascending, as numbers from 1970-01-01 in UTC: those with requests of any crawler."""
    days: dict[str, list[int]] = {}
    if store.has_table(CRAWL_DAYS.name):
        for site, day in store.rows(_DAYS, [crawler, last_possible()]):
            days.setdefault(site, []).append(day)
    return days


def days_without_logs(days: Sequence[int]) -> list[tuple[int, int | None]]:
    """Return the other days as intervals; the last one has no end.

    The first and the last day are among them, since logs need not have all of them.
    """
    return other_days(days[1:-1])


def other_days(days: Sequence[int]) -> list[tuple[int, int | None]]:
    """Return the days that are not among some ascending ones, as intervals; the last one has no end."""
    if not days:
        return [(0, None)]
    between: list[tuple[int, int | None]] = [(day + 1, after - 1) for day, after in pairwise(days) if after > day + 1]
    return [(0, days[0] - 1), *between, (days[-1] + 1, None)]
