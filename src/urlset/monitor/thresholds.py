"""Returns the largest value that is usual for a site, from its own history."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MIN_ROUNDS = 8
"""Rounds before the history of a site replaces plain rules."""

MAX_ROUNDS = 60
"""Rounds of the history to compare with."""

DEVIATIONS = 6.0
"""How many standard deviations from the median are usual. Churn is not normally distributed: with 3, a site with a
weekly rhythm causes false alarms."""

MAD_TO_DEVIATION = 1.4826
"""Standard deviations of a normal distribution per median absolute deviation:
https://www.itl.nist.gov/div898/handbook/eda/section3/eda356.htm"""


def usual_limit(history: Sequence[float], plain: float, least: float) -> float:
    """Return the largest value that is usual.

    Args:
        history: Values of earlier rounds, without unusual ones, oldest first.
        plain: The limit while there are fewer than `MIN_ROUNDS` of them.
        least: A limit that is never undercut, since a history without any change has no deviation.

    Example:
        >>> usual_limit([10, 12, 9], plain=100, least=3)
        100
        >>> round(usual_limit([10, 12, 9, 11, 10, 8, 10, 11], plain=100, least=3), 1)
        18.9
    """
    if len(history) < MIN_ROUNDS:
        return plain
    recent = history[-MAX_ROUNDS:]
    middle = median(recent)
    deviation = MAD_TO_DEVIATION * median(abs(value - middle) for value in recent)
    # The history has no unusual values, so all of its values are usual, also rare ones.
    return max(least, middle + DEVIATIONS * deviation, *recent)
