"""The dates that a page gives of itself, read by the core's grammar and held against what can be true."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from urlset import _core
from urlset.build.lastmod.spoken import Spoken
from urlset.build.options import FUTURE_TOLERANCE
from urlset.page import MODIFIED

if TYPE_CHECKING:
    from collections.abc import Sequence

FIRST_PAGE = datetime(1991, 8, 6, tzinfo=UTC)
"""The day on which the first website was announced to the world: https://home.cern/science/computing/birth-web. What is
said to be older is a zero that became a date, such as Go's of the year 1 and Unix's of 1970."""

WHERE = (*MODIFIED, "time")
"""Where a page says when it was changed, the plainest first. When it was published is another matter."""

# "2024-01-02 03:04:05 +0100", as Ruby and with it Jekyll writes it, and "… UTC".
_APART = re.compile(r"(\d{4}-\d\d-\d\d[ T]\d\d:\d\d[0-9:.]*) (UTC|GMT|[+-]\d\d:?\d\d)$", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_COARSE = frozenset({"year", "month"})
_SECONDS, _MILLISECONDS = 10, 13
"""Digits of a time in seconds, or milliseconds, since 1970: the years 2001 to 2286."""


def of_page(dates: Sequence[Sequence[str]], now: datetime, where: Sequence[str] = WHERE) -> Spoken:
    """When a page says that it was changed: by the first place that says it plausibly, the newest that it says there.

    Args:
        dates: Where a date stands and its value, as `PageFacts.dates` has them.
        now: The present moment.
        where: The places that are asked, in order.

    Example:
        >>> of_page([("time", "2024-05-06")], datetime(2025, 1, 1, tzinfo=UTC))
        Spoken(value=datetime.date(2024, 5, 6), reason='time')
    """
    refused: list[str] = []
    for place in where:
        found = [value for name, value in dates if name == place]
        if place == "time" and len(found) > 1:
            refused.append(f"there are {len(found)} <time>, and no telling which is meant")
            continue
        read = [(value, read_date(value, now)) for value in found]
        good = [answer.value for _, answer in read if answer.value is not None]
        if good:
            return Spoken(max(good, key=_instant), "; ".join([*refused, place]))
        refused += [f"{place} {_shown(value)} {answer.reason}" for value, answer in read[:1]]
    return Spoken(None, "; ".join(refused) or "it does not say")


def read_date(text: str, now: datetime) -> Spoken:
    """A date as pages write them: W3C datetime, as sitemaps do, RFC 822, as headers do, and seconds since 1970.

    Args:
        text: The date.
        now: The present moment; what is more than a day ahead of it is no date of a change.

    Returns:
        A day where no time is given, else an instant in UTC; what names no zone is taken for UTC. The reason
        completes a sentence about the value.
    """
    text = text.strip()
    at, precision, _ = _core.read_date(_APART.sub(_joined, text))
    if text.isascii() and text.isdigit() and len(text) in (_SECONDS, _MILLISECONDS):
        at, precision = int(text) * (1_000_000 if len(text) == _SECONDS else 1_000), "second"
    if at is None:
        return Spoken(None, "is no date")
    if precision in _COARSE:
        return Spoken(None, "names no day")
    moment = _EPOCH + timedelta(microseconds=at)
    if moment < FIRST_PAGE:
        return Spoken(None, "is older than the web")
    if moment > now + FUTURE_TOLERANCE:
        return Spoken(None, "is still to come")
    return Spoken(moment.date() if precision == "day" else moment, "is a date")


def _joined(match: re.Match[str]) -> str:
    return match[1] + ("Z" if match[2] in ("UTC", "GMT") else match[2])


def _instant(value: date | datetime) -> datetime:
    return value if isinstance(value, datetime) else datetime(value.year, value.month, value.day, tzinfo=UTC)


def _shown(value: str) -> str:
    return repr(value if len(value) <= 40 else f"{value[:40]}…")
