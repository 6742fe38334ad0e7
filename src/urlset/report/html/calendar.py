"""A calendar of requests as static SVG: one row per crawler, one cell per day, darker for more requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

HEIGHT = 22
"""Height of a row in pixels."""

LEVELS = 4
"""Shades for days with requests."""

GAP = 0.12
"""Share of a cell that separates it from the next one."""


def level(hits: int, most: int) -> int:
    """Return the shade of a day: 0 without requests, then by quarters of the busiest day.

    Example:
        >>> [level(hits, 100) for hits in (0, 1, 25, 26, 100)]
        [0, 1, 1, 2, 4]
    """
    return -(-hits * LEVELS // most) if most else 0


def row(days: Sequence[tuple[date, int]], labelled_by: str) -> Markup:
    """Return the days of a crawler.

    Args:
        days: Its requests on each day, oldest first; at least one.
        labelled_by: ID of the element that describes the chart.
    """
    most = max(hits for _, hits in days)
    width = 100 / len(days)
    cells = Markup("").join(
        Markup('<rect class="day level{}" x="{:.3f}%" width="{:.3f}%" height="{}"><title>{}: {}</title></rect>').format(
            level(hits, most), place * width, width * (1 - GAP), HEIGHT, day.isoformat(), counted(hits, "request")
        )
        for place, (day, hits) in enumerate(days)
    )
    return Markup('<svg class="calendar" role="img" aria-labelledby="{}" width="100%" height="{}">{}</svg>').format(
        labelled_by, HEIGHT, cells
    )
