"""Reports of search engines about submitted sitemaps: the Sitemaps API of Search Console, and GetFeeds of Bing.

https://developers.google.com/webmaster-tools/v1/sitemaps
https://learn.microsoft.com/en-us/dotnet/api/microsoft.bing.webmaster.api.interfaces.iwebmasterapi.getfeeds
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from msgspec import structs

from urlset.coverage.google import SITES, SearchConsole, json_object, moment_of
from urlset.coverage.responses import call
from urlset.errors import InputError, UsageError, reason_of
from urlset.files.bounded import read_private
from urlset.model.reported import ReportedSitemap
from urlset.net.urlparts import join_url
from urlset.text.safe import quote_message

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from urlset.fetch.fetcher import Fetcher

GET_FEEDS = "/webmaster/api.svc/json/GetFeeds"
"""Path of the method."""

MAX_KEY_BYTES = 1024
"""Maximum size of a file with an API key, in bytes."""

MAX_SITEMAPS = 10_000
"""Maximum sitemaps to take of a response. Our choice."""

MAX_INDEXES = 50
"""Maximum submitted indexes whose children are requested. Our choice."""

LONGEST_TEXT = 100
"""Maximum characters of a type or a status."""

_KEY = re.compile(r"[A-Za-z0-9_-]{8,200}")
_DATE = re.compile(r"/Date\((-?\d{1,15})(?:[+-]\d{4})?\)/")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class GoogleSitemaps(SearchConsole):
    def submitted_sitemaps(self) -> tuple[ReportedSitemap, ...]:
        """Return the submitted sitemaps, each index followed by its children.

        Raises:
            InputError: There is no usable response.
            UsageError: The account has no access to the property, or its credentials are refused.
        """
        sitemaps: list[ReportedSitemap] = []
        indexes = 0
        for sitemap in self._sitemaps(self._path()):
            sitemaps.append(sitemap)
            indexes += bool(sitemap.is_index)
            if sitemap.is_index and indexes <= MAX_INDEXES:
                query = urlencode({"sitemapIndex": sitemap.url})
                children = self._sitemaps(f"{self._path()}?{query}")
                sitemaps += [
                    structs.replace(child, index=sitemap.url) for child in children if child.url != sitemap.url
                ]
        return tuple(sitemaps)

    def _sitemaps(self, path: str) -> tuple[ReportedSitemap, ...]:
        answer, content = self.call("GET", path)
        if not answer.ok:
            raise InputError(self._api, self.check_access(answer, content))
        facts = json_object(content)
        if facts is None:
            raise InputError(self._api, "the response of Google is not a list of sitemaps")
        return tuple(_of_google(entry) for entry in _objects(facts.get("sitemap")))

    def get(self, url: str) -> ReportedSitemap | None:
        """Return what Google says about a sitemap; None if it was not submitted. Errors as for `submitted_sitemaps`."""
        answer, content = self.call("GET", f"{self._path()}/{quote(url, safe='')}")
        if answer.status == HTTPStatus.NOT_FOUND:
            return None
        if not answer.ok:
            raise InputError(self._api, self.check_access(answer, content))
        facts = json_object(content)
        if facts is None:
            raise InputError(self._api, "the response of Google is not a sitemap")
        return _of_google(facts)

    def _path(self) -> str:
        return f"{SITES}/{quote(self._site, safe='')}/sitemaps"


def bing_sitemaps(fetcher: Fetcher, api: str, site: str, key: str) -> tuple[ReportedSitemap, ...]:
    """Return the sitemaps that were submitted to Bing.

    Args:
        site: The site, as in Bing Webmaster Tools.
        key: The API key. No message contains it.

    Raises:
        InputError: There is no usable response.
        UsageError: Bing refuses the key, or the account has no such site.
    """
    query = urlencode({"siteUrl": site, "apikey": key})
    answer, content = call(fetcher, "GET", join_url(api, f"{GET_FEEDS}?{query}"), {}, None)
    facts = json_object(content)
    if answer.ok and facts is not None and isinstance(facts.get("d"), list):
        return tuple(_of_bing(entry) for entry in _objects(facts["d"]))
    message = "" if facts is None else quote_message(str(facts.get("Message", ""))).replace(key, "***")
    problem = f"Bing returned HTTP {answer.status}" + (f": {message}" if message else "")
    if answer.status in (HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        raise UsageError(f"{problem}; check the API key, and that {site} is a verified site of its account")
    reason = "there is no response" if answer.status is None else problem
    raise InputError(api, reason if not answer.ok else "the response of Bing is not a list of sitemaps")


def key_in(path: Path) -> str:
    """Return the API key in a file.

    Raises:
        UsageError: The file has none.
    """
    try:
        text = read_private(path, MAX_KEY_BYTES).decode("ascii", "replace").strip()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {reason_of(error)}") from None
    if not _KEY.fullmatch(text):
        raise UsageError(f"{path}: must contain only the API key of Bing Webmaster Tools")
    return text


def _objects(value: object) -> list[Mapping[str, object]]:
    items = value[:MAX_SITEMAPS] if isinstance(value, list) else []
    return [item for item in items if isinstance(item, dict)]


def _of_google(facts: Mapping[str, object]) -> ReportedSitemap:
    urls = {
        _text(content, "type") or "": count
        for content in _objects(facts.get("contents"))
        if (count := _number(content, "submitted")) is not None
    }
    return ReportedSitemap(
        engine="google",
        url=str(facts.get("path", "")),
        submitted_at=moment_of(_text(facts, "lastSubmitted")),
        read_at=moment_of(_text(facts, "lastDownloaded")),
        is_pending=_boolean(facts, "isPending"),
        is_index=_boolean(facts, "isSitemapsIndex"),
        kind=_text(facts, "type"),
        errors=_number(facts, "errors"),
        warnings=_number(facts, "warnings"),
        urls=urls,
    )


def _of_bing(facts: Mapping[str, object]) -> ReportedSitemap:
    count = _number(facts, "UrlCount")
    return ReportedSitemap(
        engine="bing",
        url=str(facts.get("Url", "")),
        submitted_at=_date(facts, "Submitted"),
        read_at=_date(facts, "LastCrawled"),
        kind=_text(facts, "Type"),
        status=_text(facts, "Status"),
        urls={} if count is None else {"url": count},
    )


def _text(facts: Mapping[str, object], name: str) -> str | None:
    value = facts.get(name)
    return value[:LONGEST_TEXT] if isinstance(value, str) and value else None


def _boolean(facts: Mapping[str, object], name: str) -> bool | None:
    value = facts.get(name)
    return value if isinstance(value, bool) else None


def _number(facts: Mapping[str, object], name: str) -> int | None:
    """Return a number; Google sends 64-bit numbers as text."""
    text = str(facts.get(name, ""))
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def _date(facts: Mapping[str, object], name: str) -> datetime | None:
    """Return a date of Bing, whose milliseconds are UTC; None for 1601, which means never."""
    value = str(facts.get(name, ""))
    if (match := _DATE.fullmatch(value)) is None:
        return moment_of(value)
    milliseconds = int(match[1])
    if not 0 < milliseconds < 253_402_300_800_000:
        return None
    return _EPOCH + timedelta(milliseconds=milliseconds)
