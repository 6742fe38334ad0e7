"""Values that mean the same for every option."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from urlset.errors import UsageError
from urlset.net.origin import is_localhost, origin_of
from urlset.text.safe import safe

LARGEST = 2**53
"""The largest integer of an option: all integers up to it are exact as floats and fit a 64-bit column."""

REQUIRED = object()
"""Marks an option that has no default and must be set."""

_PERIOD = re.compile(r"(\d{1,6})([hdw])")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def earlier_time(option: str, text: str, now: datetime) -> datetime:
    """Return a time that an option names as a date, or as a period before now, such as `30d`, `12h`, or `4w`.

    Args:
        option: The name of the option, for the message.

    Raises:
        UsageError: It is neither.
    """
    try:
        if period := _PERIOD.fullmatch(text):
            return now - int(period[1]) * _UNITS[period[2]]
        time = datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        raise UsageError(f"{option}: must be a date or a period such as 30d, not {text!r}") from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def check_confidential(what: str, url: str) -> None:
    """Check that what is sent to a URL cannot be read on the way.

    Raises:
        UsageError: It is neither an https URL nor on this computer.
    """
    origin = origin_of(url)
    if origin is None or (origin.scheme != "https" and not is_localhost(origin.host) and origin.host != "127.0.0.1"):
        raise UsageError(f"{what} must be an https URL, since it gets credentials, not {safe(url)!r}")
