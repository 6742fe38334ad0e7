"""Modification dates in pages, parsed with the core's grammar and checked for plausibility."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from urlset import _core
from urlset.build.lastmod.evidence import DateEvidence
from urlset.build.options import FUTURE_TOLERANCE
from urlset.web.html_page import MODIFIED

if TYPE_CHECKING:
    from collections.abc import Sequence

FIRST_PAGE = datetime(1991, 8, 6, tzinfo=UTC)
"""The day on which the first website was announced: https://home.cern/science/computing/birth-web. Older dates are zero
values, such as year 1 in Go and 1970 in Unix."""

WHERE = (*MODIFIED, "time")
"""Places of modification dates in a page, most explicit first. Publication dates do not count."""

# "2024-01-02 03:04:05 +0100", as Ruby and Jekyll write it, and "… UTC".
_APART = re.compile(r"(\d{4}-\d\d-\d\d[ T]\d\d:\d\d[0-9:.]*) (UTC|GMT|[+-]\d\d:?\d\d)$", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_COARSE = frozenset({"year", "month"})
_SECONDS, _MILLISECONDS = 10, 13
"""A time in seconds or milliseconds since 1970, in the years 2001 to 2286."""


def of_page(dates: Sequence[Sequence[str]], now: datetime, where: Sequence[str] = WHERE) -> DateEvidence:
    """Return the modification date of a page: the newest plausible date in the first place that has one.

    Args:
        dates: Place and value of each date, from `PageFacts.dates`.
        where: The places to use, in order.

    Example:
        >>> of_page([("time", "2024-05-06")], datetime(2025, 1, 1, tzinfo=UTC))
        DateEvidence(value=datetime.date(2024, 5, 6), reason='time')
    """
    refused: list[str] = []
    values: dict[str, list[str]] = {}
    for name, value in dates:
        values.setdefault(name, []).append(value)
    for place in where:
        texts = values.get(place)
        if texts is None:
            continue
        if place == "time" and len(texts) > 1:
            refused.append(f"the page has {len(texts)} <time> elements, so its date is ambiguous")
            continue
        read = [(value, read_date(value, now)) for value in texts]
        good = [answer.value for _, answer in read if answer.value is not None]
        if good:
            return DateEvidence(max(good, key=_instant), "; ".join([*refused, place]))
        refused += [f"{place} {_quote(value)} {answer.reason}" for value, answer in read[:1]]
    return DateEvidence(None, "; ".join(refused) or "the page has no date")


def read_date(text: str, now: datetime) -> DateEvidence:
    """Parse a date in a format that pages use: W3C datetime, RFC 822, or seconds since 1970.

    Args:
        now: The current time; a date more than a day later is rejected.

    Returns:
        A day if there is no time, otherwise an instant in UTC; a time without a zone counts as UTC. The reason
        completes a sentence about the value.
    """
    text = text.strip()
    at, precision, _ = _core.read_date(_APART.sub(_join_zone, text))
    if text.isascii() and text.isdigit() and len(text) in (_SECONDS, _MILLISECONDS):
        at, precision = int(text) * (1_000_000 if len(text) == _SECONDS else 1_000), "second"
    if at is None:
        return DateEvidence(None, "is not a date")
    if precision in _COARSE:
        return DateEvidence(None, "has no day")
    moment = _EPOCH + timedelta(microseconds=at)
    if moment < FIRST_PAGE:
        return DateEvidence(None, "is older than the web")
    if moment > now + FUTURE_TOLERANCE:
        return DateEvidence(None, "is in the future")
    return DateEvidence(moment.date() if precision == "day" else moment, "is a date")


def _join_zone(match: re.Match[str]) -> str:
    return match[1] + ("Z" if match[2] in ("UTC", "GMT") else match[2])


def _instant(value: date | datetime) -> datetime:
    return value if isinstance(value, datetime) else datetime(value.year, value.month, value.day, tzinfo=UTC)


def _quote(value: str) -> str:
    return repr(value if len(value) <= 40 else f"{value[:40]}…")
