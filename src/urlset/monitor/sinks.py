"""Sends messages about alarms: signed JSON to webhooks, text to the services of Apprise, and issues of a project."""

from __future__ import annotations

import hmac
import json
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, Protocol

from urlset.errors import UsageError, requiring_extra
from urlset.files.structured import decode_json
from urlset.model.monitoring import ClosedBy, Message, Sent
from urlset.monitor.issue_sink import IssueSink
from urlset.net.origin import origin_url
from urlset.text.safe import safe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import ModuleType

    from urlset.fetch.fetcher import Fetcher
    from urlset.model.monitoring import Alarm, Delivery
    from urlset.options.monitoring import AppriseSpec, IssueSpec, WebhookSpec
    from urlset.stages.session import Session

VERSION = 1
"""Version of the messages."""

SIGNATURE = "X-Urlset-Signature"
"""Header with `sha256=` and the HMAC-SHA256 of the body, in hexadecimal."""

DELIVERY = "X-Urlset-Delivery"
"""Header with the number of the message, which stays the same if it is sent again."""

TIMEOUT = 10.0
"""Seconds to wait for a webhook."""

MAX_RESPONSE_BYTES = 4096
"""Maximum bytes of a response to read."""


LATER = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS})
"""Answers of a webhook that takes no message for some time."""

DENIED = frozenset(
    {
        HTTPStatus.UNAUTHORIZED,
        HTTPStatus.FORBIDDEN,
        HTTPStatus.NOT_FOUND,
        HTTPStatus.METHOD_NOT_ALLOWED,
        HTTPStatus.PROXY_AUTHENTICATION_REQUIRED,
        HTTPStatus.GONE,
    }
)
"""Answers that are about the webhook, and not about the message, as long as it takes no other one."""

MAX_DENIED = 10
"""Maximum requests per round with these answers."""


class Sink(Protocol):
    """Takes messages.

    Attributes:
        name: What the store and messages call it, without secrets.
    """

    name: str

    def send(self, deliveries: Sequence[Delivery]) -> Iterator[Sent]:
        """Send messages, oldest first, and return what became of each that was tried. The others wait."""


class Webhook:
    """Takes messages as JSON. Redirects are not followed.

    A message that it does not accept is not sent again. What stops all messages, until somebody changes the webhook or
    for some time, loses none.
    """

    def __init__(self, spec: WebhookSpec, fetcher: Callable[[], Fetcher]) -> None:
        self._spec = spec
        self._fetcher = fetcher
        # The path of many webhooks is a secret.
        self.name = f"webhook {origin_url(spec.url)} {_digest(spec.url)}"

    def send(self, deliveries: Sequence[Delivery]) -> Iterator[Sent]:
        denied: list[tuple[Delivery, str | None]] = []
        last: Delivery | None = None
        for number, delivery in enumerate(deliveries):
            # The last request is for the oldest of those that were tried least, so that each has its turn, in order.
            if len(denied) == MAX_DENIED - 1 and last is None:
                last = min(deliveries[number:], key=lambda one: one.tries)
            if last is not None and delivery is not last:
                continue
            status, problem = self._send(delivery)
            if status in DENIED:
                denied.append((delivery, problem))
                continue
            if problem is None:
                # It takes this one, so it refused the others for what they say.
                yield from (Sent(deliveries=(one,), problem=reason, is_refused=True) for one, reason in denied)
                denied.clear()
                last = None
            is_refused = status is not None and 400 <= status < 500 and status not in LATER
            yield Sent(deliveries=(delivery,), problem=problem, is_refused=is_refused)
            if problem is not None and not is_refused:
                break
        yield from (Sent(deliveries=(one,), problem=f"{reason}; check its url and secret") for one, reason in denied)

    def _send(self, delivery: Delivery) -> tuple[int | None, str | None]:
        """Send a message, and return the status, and why it was not taken."""
        body = delivery.content.encode()
        headers = {"Content-Type": "application/json", DELIVERY: str(delivery.delivery_id)}
        if (secret := self._spec.secret) is not None:
            headers[SIGNATURE] = signature(secret, body)
        answer = self._fetcher().call("POST", self._spec.url, headers=headers, body=body, max_bytes=MAX_RESPONSE_BYTES)
        answer.close()
        if answer.status is not None and 200 <= answer.status < 300:
            return answer.status, None
        return answer.status, answer.reason or f"returned HTTP {answer.status}"


class AppriseSink:
    """Takes messages as text, through one URL of Apprise."""

    def __init__(self, url: str, apprise: ModuleType) -> None:
        self.name = f"apprise {url.partition(':')[0]} {_digest(url)}"
        self._service = apprise.Apprise()
        self.is_valid = bool(self._service.add(url))

    def send(self, deliveries: Sequence[Delivery]) -> Iterator[Sent]:
        for delivery in deliveries:
            problem = self._send(delivery)
            yield Sent(deliveries=(delivery,), problem=problem)
            if problem is not None:
                return

    def _send(self, delivery: Delivery) -> str | None:
        message = decode_json(delivery.content, Message)
        try:
            is_sent = self._service.notify(title=f"urlset: {message.site}", body="\n".join(_lines(message)))
        except Exception as error:  # noqa: BLE001 - of any of more than a hundred services
            # The text of an error can contain the URL, with its secrets.
            return f"Apprise could not send the message: {type(error).__name__}"
        return None if is_sent else "Apprise could not send the message"


def sinks_of(
    webhooks: Sequence[WebhookSpec], apprise: AppriseSpec | None, issue: IssueSpec | None, session: Session
) -> tuple[Sink, ...]:
    """Return the sinks of a file; only the hosts of webhooks and of the API of issues are trusted.

    Raises:
        MissingExtraError: Apprise is needed, and not installed.
        UsageError: Apprise does not know a URL.
    """
    urls = [spec.url for spec in webhooks] + ([] if issue is None else [issue.api_url])
    sinks: list[Sink] = [Webhook(spec, lambda: session.sinks(urls, TIMEOUT)) for spec in webhooks]
    if issue is not None:
        sinks.append(IssueSink(issue, lambda: session.sinks(urls, TIMEOUT)))
    if apprise is not None:
        with requiring_extra("monitor", "Apprise requires"):
            import apprise as package
        for number, url in enumerate(apprise.all_urls, start=1):
            sink = AppriseSink(url, package)
            if not sink.is_valid:
                raise UsageError(f"[apprise]: Apprise does not support URL {number}")
            sinks.append(sink)
    return tuple(sinks)


def message_of(
    site: str, at: str, opened_alarms: Sequence[Alarm], closed: Sequence[Alarm], still_open: Sequence[Alarm]
) -> str:
    content = {
        "version": VERSION,
        "site": site,
        "at": at,
        "opened": [alarm.to_dict() for alarm in opened_alarms],
        "closed": [alarm.to_dict() for alarm in closed],
        "still_open": [alarm.to_dict() for alarm in still_open],
    }
    return json.dumps(content, ensure_ascii=True)


def signature(secret: bytes, body: bytes) -> str:
    """Return the value of the header that signs a body."""
    return f"sha256={hmac.new(secret, body, sha256).hexdigest()}"


def _lines(message: Message) -> Iterable[str]:
    for alarm in message.opened:
        yield f"{alarm.severity}: {safe(alarm.title)}"
        yield from (f"  {safe(detail)}" for detail in alarm.details)
    for alarm in message.closed:
        yield f"{(alarm.closed_by or ClosedBy.USUAL).words}: {safe(alarm.title)}"


def _digest(url: str) -> str:
    return sha256(url.encode()).hexdigest()[:8]
