"""Text of `notify` and `notify key`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.notification import NotifyOutcome, NotSent, UrlChange
from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.text.safe import safe
from urlset.text.sizes import inflect, quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.notification import EndpointUse, NewKey, NotifyResult

GOOGLE = "Google does not take part in IndexNow; it reads sitemaps and their lastmod."

_NOT_SENT = {
    NotSent.SAME_CONTENT: "lastmod is later, but the content is the same",
    NotSent.NO_LATER_LASTMOD: "lastmod was added, removed, rewritten, or moved back",
    NotSent.LASTMOD_UNCHANGED: "the content changed, but lastmod did not; correct lastmod to have it sent",
    NotSent.STILL_THERE: "no longer listed, but the page still exists",
    NotSent.UNKNOWN: "no longer listed, but the server does not say that the page is gone",
    NotSent.NO_RESPONSE: "no longer listed, but there is no response: a private address, robots.txt, or an error",
    NotSent.NOT_A_URL: "not an absolute http(s) URL",
}

_ALTERED = {
    UrlChange.ESCAPED: "percent-encoded, as RFC 3986 requires",
    UrlChange.FRAGMENT_REMOVED: "sent without the fragment (#…)",
    UrlChange.CREDENTIALS_REMOVED: "sent without the user name and password",
}


def notify(result: NotifyResult, style: Style = Style()) -> Iterator[str]:
    details = [*_difference_lines(result, style), *_hosts(result, style), *_live_pages(result)]
    for use in result.endpoints:
        details += _endpoint(use)
    yield from details
    if details:
        yield ""
    yield from _end(result, style)
    yield style.paint(f"Ledger of what was accepted: {safe(str(result.ledger))}. {GOOGLE}", Role.FAINT)


def _difference_lines(result: NotifyResult, style: Style) -> Iterator[str]:
    for kind, count in result.found.items():
        yield style.paint(f"{quantity(count, 'URL')} {kind.value}", Role.HEADING)
        yield from (f"  {safe(one.url)}" for one in result.examples if one.kind is kind)
    for change, count in result.altered.items():
        yield f"{quantity(count, 'URL')} {_ALTERED[change]}"
    for reason, count in result.not_sent.items():
        yield f"{quantity(count, 'URL')} not sent: {_NOT_SENT[reason]}"
    if result.already:
        yield f"{quantity(result.already, 'URL')} accepted before in the same version, and not sent again"


def _live_pages(result: NotifyResult) -> Iterator[str]:
    if result.live_pages:
        yield f"{quantity(result.live_pages, 'page')} online with the new main text"


def _hosts(result: NotifyResult, style: Style) -> Iterator[str]:
    for host in result.hosts:
        key = "" if host.key_location is None else f", key at {safe(host.key_location)}"
        yield f"{style.paint(safe(host.host), Role.PLACE)}: {quantity(host.urls, 'URL')} to send{key}"


def _endpoint(use: EndpointUse) -> Iterator[str]:
    if not use.statuses:
        return
    responses = ", ".join(
        quantity(count, "request") + (f" with HTTP {status}" if status else " without a response")
        for status, count in use.statuses.items()
    )
    yield f"{safe(use.endpoint)}: accepted {quantity(use.accepted, 'URL')} ({responses})"


def _end(result: NotifyResult, style: Style) -> Iterator[str]:
    remaining = result.urls - result.accepted
    match result.outcome:
        case NotifyOutcome.DRY_RUN:
            yield f"Dry run: would send {quantity(result.urls, 'URL')}."
        case NotifyOutcome.SENT if not result.urls:
            yield "Nothing to send."
        case NotifyOutcome.SENT:
            yield style.paint(f"Sent {quantity(result.accepted, 'URL')}.", Role.GOOD)
        case _:
            yield style.paint(f"error: {safe(result.reason or '')}", Role.ERROR)
            yield (
                f"Sent {quantity(result.accepted, 'URL')}; {quantity(remaining, 'URL')} "
                f"{inflect(remaining, 'is', 'are')} left. Once the cause of the error is resolved, "
                f"repeat the command to send {inflect(remaining, 'it', 'them')}."
            )


def key(key: NewKey, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - as every renderer
    path = safe(str(key.path))
    yield f"Wrote {path}."
    yield f"Publish it as /{safe(key.path.name)} of each host, then run `urlset notify OLD NEW --key-file {path}`."
