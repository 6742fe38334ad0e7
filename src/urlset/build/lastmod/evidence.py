"""Result of a source of dates: a date, or why it has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from datetime import date, datetime

    from urlset.model.build import DateProof


UNCOMMITTED = "its text has uncommitted changes"
"""The reason of a file whose text is newer than its history."""


class DateEvidence(msgspec.Struct, frozen=True):
    """Result of a source of dates.

    Attributes:
        value: The day, or the instant in UTC; None if the source has no date.
        reason: Where the date comes from, or why no date was found.
    """

    value: date | datetime | None
    reason: str


class TextDate(msgspec.Struct, frozen=True):
    """The date of the newest commit that changed what a reader sees of a file.

    Attributes:
        value: Its committer date, in UTC; None if it is unknown.
        reason: Where the date comes from, or why it is unknown.
        proof: The commit; None if the date is unknown.
    """

    value: datetime | None
    reason: str
    proof: DateProof | None = None
