"""The Search Analytics API of Search Console: impressions and clicks by page and day. Queries are not requested.

https://developers.google.com/webmaster-tools/v1/searchanalytics/query
"""

from __future__ import annotations

import json
from datetime import date, timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple
from urllib.parse import quote

from msgspec import Meta, Struct, field

from urlset.coverage.google import SITES, SearchConsole, wait_of
from urlset.errors import InputError
from urlset.files.structured import decode_json
from urlset.net.origin import origin_of
from urlset.options.coverage import SearchType
from urlset.text.sizes import MiB

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from urlset.coverage.credentials import Account
    from urlset.fetch.fetcher import Fetcher

ROWS_PER_REQUEST = 25_000
"""Maximum rows in a response, as in the documentation of the API."""

ROWS_PER_DAY = 50_000
"""Maximum rows of a day and type of search:
https://developers.google.com/webmaster-tools/v1/how-tos/all-your-data#data_limits"""

MONTHS = 16
"""Months that Google keeps: https://support.google.com/webmasters/answer/7576553"""

SETTLED = timedelta(days=3)
"""Age at which a day is final if Google does not say: https://support.google.com/webmasters/answer/96568"""

QUOTA_WAIT = timedelta(minutes=15)
"""When to try again: https://developers.google.com/webmaster-tools/limits"""

MAX_RESPONSE_BYTES = 64 * MiB
"""Maximum size of a response, in bytes: 25,000 rows with URLs of 2,000 characters."""

_TYPES = {kind: kind.value.replace("-", "_").upper() for kind in SearchType}


_Count = Annotated[float, Meta(ge=0, lt=2**53)]


class _Row(Struct):
    keys: list[str]
    impressions: _Count = 0
    clicks: _Count = 0


class _Rows(Struct):
    """A response; what else it has is ignored."""

    rows: list[_Row] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)


class PageCount(NamedTuple):
    """The impressions and clicks of a page on a day."""

    impressions: int
    clicks: int


class Day(NamedTuple):
    """The pages of a day.

    Attributes:
        skipped: Number of rows without an absolute http(s) URL.
        is_cut: Whether it has as many rows as the API returns.
    """

    day: date
    pages: Mapping[str, PageCount]
    skipped: int
    is_cut: bool


class AvailableDays(NamedTuple):
    """The days with data.

    Attributes:
        days: Those with impressions of any page, oldest first.
        provisional_from: The first day whose data is still being collected.
    """

    days: Sequence[date]
    provisional_from: date

    def range(self) -> list[date]:
        """Return the days from the first to the last one, also those between without impressions."""
        if not self.days:
            return []
        first = self.days[0].toordinal()
        return [date.fromordinal(number) for number in range(first, self.days[-1].toordinal() + 1)]


class QuotaExceededError(Exception):
    """The quota is used up.

    Attributes:
        next_at: When to try again, UTC.
    """

    def __init__(self, reason: str, next_at: datetime) -> None:
        super().__init__(reason)
        self.next_at = next_at


class SearchAnalytics(SearchConsole):
    """Calls the method for one type of search. Thread-safe."""

    def __init__(self, fetcher: Fetcher, account: Account, api: str, site: str, kind: SearchType) -> None:
        super().__init__(fetcher, account, api, site)
        self._kind = kind

    def available_days(self, first: date, last: date) -> AvailableDays:
        """Return which days between two, both included, have data; errors as for `day`."""
        found = self._query(first, last, "DATE")
        named = {_date(row.keys[0]) for row in found.rows if row.keys}
        days = sorted(day for day in named if day is not None and first <= day <= last)
        # The documentation writes the name in both ways.
        incomplete = found.metadata.get("firstIncompleteDate") or found.metadata.get("first_incomplete_date")
        return AvailableDays(days, _date(incomplete) or last - SETTLED + timedelta(days=1))

    def day(self, day: date) -> Day:
        """Return the pages of a day.

        Raises:
            InputError: There is no usable response.
            QuotaExceededError: The quota is used up.
            UsageError: The account has no access to the property, or its credentials are refused.
        """
        pages: dict[str, PageCount] = {}
        skipped = rows = 0
        for start in range(0, ROWS_PER_DAY, ROWS_PER_REQUEST):
            found = self._query(day, day, "PAGE", start)
            rows += len(found.rows)
            for row in found.rows:
                if row.keys and origin_of(row.keys[0]) is not None:
                    # Rows move while a day is being collected: a page that is in two responses counts once.
                    pages[row.keys[0]] = PageCount(int(row.impressions), int(row.clicks))
                else:
                    skipped += 1
            if not found.rows:
                break
        return Day(day, pages, skipped, rows >= ROWS_PER_DAY)

    def _query(self, first: date, last: date, dimension: str, start: int = 0) -> _Rows:
        request = {
            "startDate": first.isoformat(),
            "endDate": last.isoformat(),
            "dimensions": [dimension],
            "type": _TYPES[self._kind],
            "dataState": "ALL",
            "rowLimit": ROWS_PER_REQUEST,
            "startRow": start,
        }
        path = f"{SITES}/{quote(self._site, safe='')}/searchAnalytics/query"
        answer, content = self.call("POST", path, json.dumps(request).encode(), MAX_RESPONSE_BYTES)
        if answer.ok:
            try:
                return decode_json(content, _Rows)
            except ValueError:
                raise InputError(self._api, "the response of Google has no rows of Search Analytics") from None
        reason = self.check_access(answer, content)
        if answer.status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.FORBIDDEN):
            raise QuotaExceededError(reason, wait_of(answer) or answer.fetched_at + QUOTA_WAIT)
        raise InputError(self._api, reason)


def _date(text: object) -> date | None:
    try:
        return date.fromisoformat(str(text))
    except ValueError:
        return None
