"""Result of a source of dates: a date, or why it has none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class DateEvidence:
    """Result of a source of dates.

    Attributes:
        value: The day, or the instant in UTC; None if the source has no date.
        reason: Where the date comes from, or why no date was found.
    """

    value: date | datetime | None
    reason: str
