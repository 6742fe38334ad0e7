"""Verdicts on dates."""

from __future__ import annotations

from enum import StrEnum


class DateVerdict(StrEnum):
    """Whether a lastmod is the date of the last change of its page."""

    TRUE = "true"
    """It agrees with the page's own date, or it moved when the content changed."""
    INFLATED = "inflated"
    """It is newer than the last change."""
    FROZEN = "frozen"
    """It is older than the last change."""
    UNKNOWN = "unknown"
    """There is nothing to compare it with."""
