"""Posts batches of URLs to IndexNow endpoints, and uses the next one if one cannot take them."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import dataclass, field
from enum import Enum, auto
from http import HTTPStatus
from typing import TYPE_CHECKING

from urlset.fetch import read_bytes
from urlset.fetch.politeness import seconds_of
from urlset.files.structured import decode_json
from urlset.model.notification import EndpointUse
from urlset.text.masking import mask_url
from urlset.text.safe import safe
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from urlset.fetch.fetcher import Fetcher
    from urlset.fetch.response import Response
    from urlset.indexnow.keys import HostKey

MAX_URLS = 10_000
"""Maximum URLs in a request: https://www.indexnow.org/documentation"""

MAX_RESPONSE_BYTES = 64 * 1024
"""Maximum bytes of a response to read: the message of an error."""

QUOTED = 200
"""Maximum characters of a response to quote."""

FIRST_WAIT, LONGEST_WAIT = 5.0, 60.0
"""Seconds to wait when no endpoint takes a batch; each wait is twice as long as the last."""

STOPPING = frozenset({400, 403, 422})
"""Status codes that every endpoint would return: malformed, key not valid, URL not of the host."""


_ERRORS = ("error", "errors", "errorcode", "errormessage")
"""Members of a JSON object that describe an error."""

_FAILURES = frozenset({"error", "fail", "failed", "failure", "forbidden", "unauthorized", "rejected", "denied"})
"""States of a JSON object that describe an error."""

_SUCCESSES = frozenset({"ok", "success", "successful", "accepted", "received", "created"})
"""Codes of a JSON object that describe no error. Others in words do, such as `InvalidRequestParameters` of Bing."""


class Verdict(Enum):
    """What a response to a batch means."""

    ACCEPTED = auto()
    REFUSED = auto()
    """The batch is wrong: every endpoint would refuse it."""
    LIMITED = auto()
    """The endpoint receives too many requests (429)."""
    UNAVAILABLE = auto()
    """There is no response, or one that does not confirm the batch."""


@dataclass(slots=True)
class _Endpoint:
    url: str
    accepted: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """What happened to a batch, by the last response.

    Attributes:
        status: None without a response.
        reason: Why the batch was not accepted, as a message; None if it was.
    """

    verdict: Verdict
    endpoint: str
    status: int | None
    reason: str | None = None


class Sender:
    """Sends batches.

    Args:
        endpoints: URLs in the order in which they are tried.
        max_wait: How long to wait in total, in seconds, while no endpoint takes a batch.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        endpoints: Sequence[str],
        max_wait: float,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._fetcher = fetcher
        self._endpoints = [_Endpoint(url) for url in dict.fromkeys(endpoints)]
        self._remaining_wait = max_wait
        self._pause = pause

    @property
    def uses(self) -> tuple[EndpointUse, ...]:
        """What each endpoint did so far."""
        return tuple(
            EndpointUse(mask_url(one.url), one.accepted, dict(sorted(one.statuses.items())), one.problem)
            for one in self._endpoints
        )

    def send(self, key: HostKey, urls: Sequence[str]) -> Delivery:
        """Send the URLs of one host until an endpoint accepts or refuses them, or the time to wait is over."""
        body = _body(key, urls)
        wait = FIRST_WAIT
        while True:
            delay = 0.0
            deliveries = []
            for endpoint in self._endpoints:
                answer = self._fetcher.post(endpoint.url, body, max_bytes=MAX_RESPONSE_BYTES)
                delivery = self._delivery(endpoint, answer, key, urls)
                if delivery.verdict in (Verdict.ACCEPTED, Verdict.REFUSED):
                    return delivery
                delay = max(delay, seconds_of(answer.headers.get("retry-after"), answer.fetched_at) or 0.0)
                deliveries.append(delivery)
            # That an endpoint limits the rate says more than that another one cannot be reached.
            last = min(deliveries, key=lambda one: one.verdict is not Verdict.LIMITED)
            length = max(wait, delay)
            if length > self._remaining_wait:
                return last
            self._pause(length)
            self._remaining_wait -= length
            wait = min(wait * 2, LONGEST_WAIT)

    def _delivery(self, endpoint: _Endpoint, answer: Response, key: HostKey, urls: Sequence[str]) -> Delivery:
        status = answer.status
        text = read_bytes(answer.content, MAX_RESPONSE_BYTES).decode("utf-8", "replace")
        answer.close()
        endpoint.statuses[status or 0] += 1
        masked_url = mask_url(endpoint.url)
        # A body that is cut off or too long does not undo that the URLs were received.
        contradiction = _contradiction(text, answer.headers.get("content-type", "")) if answer.is_success else None
        if answer.is_success and contradiction is None:
            endpoint.accepted += len(urls)
            return Delivery(Verdict.ACCEPTED, endpoint.url, status)
        if contradiction is not None:
            verdict, what = contradiction
            reason = f"{masked_url} returned HTTP {status} with {what}"
        elif status in STOPPING:
            reason = f"{masked_url} returned HTTP {status}: {_refusal(status, key, urls, text)}"
            verdict = Verdict.REFUSED
        else:
            reason = f"{masked_url}: {answer.why_not}"
            verdict = Verdict.LIMITED if status == HTTPStatus.TOO_MANY_REQUESTS else Verdict.UNAVAILABLE
        endpoint.problem = reason
        return Delivery(verdict, endpoint.url, status, reason)


def _body(key: HostKey, urls: Sequence[str]) -> bytes:
    values: dict[str, object] = {"host": key.host, "key": key.file.key}
    if key.is_given:
        values["keyLocation"] = key.location
    return json.dumps({**values, "urlList": list(urls)}, ensure_ascii=False).encode("utf-8", "replace")


def _refusal(status: int, key: HostKey, urls: Sequence[str], text: str) -> str:
    """Return what the endpoint refused: the key, the URLs that its message names, or the batch."""
    rejected_urls = [url for url in urls if url in text][:3]
    batch = f"{quantity(len(urls), 'URL')} of {key.host}, from {urls[0]} to {urls[-1]}"
    what = {
        400: f"it cannot read the request with {batch}",
        403: f"it does not accept the key at {key.location}",
        422: f"{', '.join(rejected_urls) or f'one of {batch},'} is not on {key.host}, or not covered by the key at "
        f"{key.location}",
    }[status]
    quoted = safe(" ".join(text.split())[:QUOTED])
    return f"{what}; it says: {quoted}" if quoted else what


def _contradiction(text: str, content_type: str) -> tuple[Verdict, str] | None:
    """Return why a successful response does not confirm that URLs were received; None if it does.

    Login and consent pages, portals, and proxies return HTML with status 200, and some servers return errors as JSON.
    """
    text = text.strip("\ufeff \t\r\n")
    if text.startswith("<") or ("html" in content_type.lower() and "<" in text):
        what = "a page (HTML or XML) that does not confirm the URLs; check the URL of the endpoint, and the proxy"
        return Verdict.UNAVAILABLE, what
    try:
        value = decode_json(text)
    except ValueError:
        return None
    if any(map(_is_error, value if isinstance(value, list) else [value])):
        return Verdict.REFUSED, f"an error: {safe(' '.join(text.split())[:QUOTED])}"
    return None


def _is_error(value: object) -> bool:
    """Return whether a JSON value says that a request failed."""
    if not isinstance(value, dict):
        return False
    values = {str(name).lower().replace("_", ""): each for name, each in value.items()}
    if str(values.get("success", values.get("ok", True))).lower() in ("false", "0", "no"):
        return True
    if any(values.get(name) not in (None, False, 0, "", "0", [], {}) for name in _ERRORS):
        return True
    code = str(values.get("code", "ok")).lower()
    states = [code, *(str(values.get(name)).lower() for name in ("status", "statuscode", "result"))]
    return (not code.isdecimal() and code not in _SUCCESSES) or any(
        state in _FAILURES or (state.isdecimal() and int(state[:9]) >= HTTPStatus.BAD_REQUEST) for state in states
    )
