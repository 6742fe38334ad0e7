"""Result of a source of dates: a date, or why it has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from datetime import date, datetime


class DateEvidence(msgspec.Struct, frozen=True):
    """Result of a source of dates.

    Attributes:
        value: The day, or the instant in UTC; None if the source has no date.
        reason: Where the date comes from, or why no date was found.
    """

    value: date | datetime | None
    reason: str
