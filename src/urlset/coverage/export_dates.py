"""The dates of exports. Programs for tables write them anew, with the day or the month first: the column decides."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from urlset.errors import InputError
from urlset.options.coverage import DateOrder
from urlset.text.safe import safe

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_TIME = r"(?:[ T,]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([AP])\.?M\.?)?)?"
_YEAR_FIRST = re.compile(rf"(\d{{4}})([/.])(\d{{1,2}})\2(\d{{1,2}})\.?{_TIME}", re.IGNORECASE)
_YEAR_LAST = re.compile(rf"(\d{{1,2}})([/.-])(\d{{1,2}})\2(\d{{4}}){_TIME}", re.IGNORECASE)
_MONTHS = 12


def order_of(
    column: Iterable[str], path: Path, name: str, given: DateOrder | None, usual: DateOrder | None = None
) -> DateOrder:
    """Return whether the day or the month is first in the dates of a column, whose year is last.

    Args:
        path: The file, for errors.
        name: The name of the column, for errors.
        given: The order if the dates leave it open, by the user.
        usual: The same, by who writes such files.

    Raises:
        InputError: The dates leave it open, or contradict each other.
    """
    found: dict[DateOrder, str] = {}
    unclear: str | None = None
    for text in column:
        if (match := _YEAR_LAST.fullmatch(text)) is None:
            continue
        first, second = int(match[1]), int(match[3])
        if first > _MONTHS:
            found.setdefault(DateOrder.DMY, text)
        elif second > _MONTHS:
            found.setdefault(DateOrder.MDY, text)
        elif match[2] == ".":
            # No country writes a month before a dot.
            found.setdefault(DateOrder.DMY, text)
        elif first != second:
            unclear = unclear or text
    if len(found) > 1:
        both = " and ".join(safe(text) for text in found.values())
        raise InputError(
            str(path), f"the column {safe(name)} has {both}: a program changed some of its dates; export it again"
        )
    if found:
        return next(iter(found))
    order = given or usual
    if unclear is not None and order is None:
        raise InputError(
            str(path),
            f"{safe(unclear)} in the column {safe(name)} can have the day or the month first; use --dates dmy or "
            "--dates mdy",
        )
    return order or DateOrder.DMY


def date_of(text: str, order: DateOrder) -> datetime | None:
    """Return a date, UTC if it has no zone; None if it is not one."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return _resaved(text, order)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _resaved(text: str, order: DateOrder) -> datetime | None:
    if match := _YEAR_FIRST.fullmatch(text):
        year, month, day = int(match[1]), int(match[3]), int(match[4])
    elif match := _YEAR_LAST.fullmatch(text):
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        day, month = (first, second) if order is DateOrder.DMY else (second, first)
    else:
        return None
    hour, minute, seconds, half = match[5], match[6], match[7], match[8]
    try:
        midnight = datetime(year, month, day, tzinfo=UTC)
        hours = int(hour or 0)
        if half:
            hours = hours % 12 + (12 if half.upper() == "P" else 0)
        return midnight + timedelta(hours=hours, minutes=int(minute or 0), seconds=int(seconds or 0))
    except (ValueError, OverflowError):
        return None


def looks_like_date(text: str) -> bool:
    return date_of(text, DateOrder.DMY) is not None or date_of(text, DateOrder.MDY) is not None
