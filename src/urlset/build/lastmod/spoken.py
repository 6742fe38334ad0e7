"""What a source of dates answers: a date, or why it has none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class Spoken:
    """An answer.

    Attributes:
        value: The day, or the instant in UTC; None if the source does not know.
        reason: Where it stands, or why there is none, for people to read.
    """

    value: date | datetime | None
    reason: str
