"""The API of Search Console, and its URL Inspection.

https://developers.google.com/webmaster-tools/v1/urlInspection.index/inspect
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from http import HTTPStatus
from typing import TYPE_CHECKING

from urlset.coverage.reasons import reason_of
from urlset.coverage.responses import MAX_RESPONSE_BYTES, call
from urlset.errors import UsageError
from urlset.fetch.politeness import seconds_of
from urlset.files.structured import decode_json
from urlset.model.coverage import GOOGLE, INSPECTION, IndexState
from urlset.net.urlparts import join_url
from urlset.text.safe import quote_message, safe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.coverage.credentials import Account
    from urlset.fetch.fetcher import Fetcher
    from urlset.fetch.response import Response

INSPECT = "/v1/urlInspection/index:inspect"
SITES = "/webmasters/v3/sites"
"""Paths of the methods."""

MAX_SHOWN = 20
"""Maximum properties to list in a message."""

RESET_HOUR = 8
"""The hour, UTC, by which the quota of a day is reset: midnight in California is 7:00 or 8:00."""

_QUOTA_REASONS = ("rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded")
_VERDICTS = {"PASS": IndexState.INDEXED, "NEUTRAL": IndexState.NOT_INDEXED, "FAIL": IndexState.NOT_INDEXED}


class Verdict(Enum):
    """The outcome of a request."""

    INSPECTED = auto()
    REFUSED = auto()
    """The API does not inspect this URL; it would refuse it again."""
    FAILED = auto()
    """There is no usable response; a repeated request may have one."""
    QUOTA = auto()
    """The quota is used up, for all URLs of the property."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """The result of a request for one URL.

    Attributes:
        row: The row of `index_states`, without hashes; empty unless the URL was inspected.
        reason: Why it was not inspected, as a message; None if it was.
        next_at: When the quota allows more requests, UTC; None unless it is used up.
        at: When the response was received, UTC.
    """

    verdict: Verdict
    at: datetime
    row: Mapping[str, object] = field(default_factory=dict)
    reason: str | None = None
    next_at: datetime | None = None


class SearchConsole:
    """Calls the API of Search Console for a property. Thread-safe."""

    def __init__(self, fetcher: Fetcher, account: Account, api: str, site: str) -> None:
        self._fetcher = fetcher
        self._account = account
        self._api = api
        self._site = site

    def call(
        self, method: str, path: str, body: bytes | None = None, max_bytes: int = MAX_RESPONSE_BYTES
    ) -> tuple[Response, bytes]:
        """Call a method, with another token if the first one is refused."""
        answer, content = self._call(method, path, body, max_bytes)
        if answer.status == HTTPStatus.UNAUTHORIZED:
            self._account.renew(self._fetcher)
            answer, content = self._call(method, path, body, max_bytes)
        return answer, content

    def check_access(self, answer: Response, content: bytes) -> str:
        """Return why a call failed, as a message.

        Raises:
            UsageError: The account has no access to the property, or its credentials are refused.
        """
        message, reasons = _error_of(content)
        reason = f"Google returned HTTP {answer.status}: {message}" if message else answer.why_not
        if answer.status == HTTPStatus.FORBIDDEN and not reasons & set(_QUOTA_REASONS):
            raise UsageError(f"no access to {safe(self._site)}; {self._accessible()}; {reason}")
        if answer.status == HTTPStatus.UNAUTHORIZED:
            raise UsageError(f"Google refuses the access token of the credentials; {reason}")
        return reason

    def _accessible(self) -> str:
        """Return the properties that the account has access to, as part of a message."""
        answer, content = self._call("GET", SITES, None, MAX_RESPONSE_BYTES)
        facts = json_object(content)
        if not answer.ok or facts is None:
            return "the properties of the account could not be listed"
        entries = facts.get("siteEntry")
        sites = [
            f"{safe(str(entry.get('siteUrl')))} ({safe(str(entry.get('permissionLevel')))})"
            for entry in (entries if isinstance(entries, list) else ())
            if isinstance(entry, dict)
        ]
        if not sites:
            return "the account has no properties; add it as a user of the property in Search Console"
        more = f", and {len(sites) - MAX_SHOWN} more" if len(sites) > MAX_SHOWN else ""
        return f"the properties of the account are {', '.join(sites[:MAX_SHOWN])}{more}"

    def _call(self, method: str, path: str, body: bytes | None, max_bytes: int) -> tuple[Response, bytes]:
        headers = self._account.headers(self._fetcher)
        if body is not None:
            headers["Content-Type"] = "application/json"
        return call(self._fetcher, method, join_url(self._api, path), headers, body, max_bytes)


class InspectionClient(SearchConsole):
    def inspect(self, url: str) -> Inspection:
        """Inspect a URL.

        Raises:
            UsageError: The account has no access to the property, or its credentials are refused.
        """
        # The states are in the language of the request.
        body = json.dumps({"inspectionUrl": url, "siteUrl": self._site, "languageCode": "en-US"}).encode()
        answer, content = self.call("POST", INSPECT, body)
        at = answer.fetched_at
        if answer.ok:
            return _inspection(url, content, at)
        reason = self.check_access(answer, content)
        match answer.status:
            case HTTPStatus.TOO_MANY_REQUESTS | HTTPStatus.FORBIDDEN:
                return Inspection(Verdict.QUOTA, at, reason=reason, next_at=_next_at(answer))
            case HTTPStatus.BAD_REQUEST | HTTPStatus.NOT_FOUND:
                return Inspection(Verdict.REFUSED, at, reason=reason)
            case _:
                return Inspection(Verdict.FAILED, at, reason=reason)


def _inspection(url: str, content: bytes, at: datetime) -> Inspection:
    facts = json_object(content)
    result = None if facts is None else facts.get("inspectionResult")
    status = result.get("indexStatusResult") if isinstance(result, dict) else None
    if not isinstance(status, dict):
        return Inspection(Verdict.FAILED, at, reason="the response of Google has no result")
    text = _text(status, "coverageState")
    reason = None if text is None else reason_of(text)
    state = reason.state if reason is not None else _VERDICTS.get(str(status.get("verdict")))
    sitemaps = status.get("sitemap", [])
    row = {
        "url": url,
        "engine": GOOGLE,
        "source": INSPECTION,
        "state": None if state is None else state.value,
        "reason": None if reason is None else reason.value,
        "reason_text": text,
        "last_crawled": moment_of(_text(status, "lastCrawlTime")),
        "canonical": _text(status, "googleCanonical"),
        "user_canonical": _text(status, "userCanonical"),
        "sitemaps": [str(sitemap) for sitemap in sitemaps] if isinstance(sitemaps, list) else [],
        "at": at,
    }
    return Inspection(Verdict.INSPECTED, at, row)


def _text(facts: Mapping[str, object], name: str) -> str | None:
    value = facts.get(name)
    return value if isinstance(value, str) and value else None


def moment_of(text: str | None) -> datetime | None:
    """Return a date of Google; None if it is invalid."""
    try:
        moment = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def json_object(content: bytes) -> dict[str, object] | None:
    """Return a JSON object; None if the content is something else."""
    try:
        facts = decode_json(content)
    except ValueError:
        return None
    return facts if isinstance(facts, dict) else None


def _error_of(content: bytes) -> tuple[str, set[str]]:
    """Return the message of an error, shortened and escaped, and the reasons that it names."""
    error = (json_object(content) or {}).get("error")
    if not isinstance(error, dict):
        return "", set()
    errors = error.get("errors")
    reasons = (
        {str(entry.get("reason")) for entry in errors if isinstance(entry, dict)} if isinstance(errors, list) else set()
    )
    return quote_message(str(error.get("message", ""))), reasons


def _next_at(answer: Response) -> datetime:
    """Return when to continue: as the response says, or when the quota of the day is reset."""
    if (at := wait_of(answer)) is not None:
        return at
    reset = answer.fetched_at.replace(hour=RESET_HOUR, minute=0, second=0, microsecond=0)
    return reset if reset > answer.fetched_at else reset + timedelta(days=1)


def wait_of(answer: Response) -> datetime | None:
    """Return when to continue as a response says; None if it does not."""
    wait = seconds_of(answer.headers.get("retry-after"), answer.fetched_at)
    return None if wait is None else answer.fetched_at + timedelta(seconds=wait)
