"""`notify`: two sides ─> differences ─> ledger ─> keys ─> send, batch by batch."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.comparison.live_pages import wait_for_texts
from urlset.comparison.notices import check_share, find_notices, trust_in_notices
from urlset.errors import UsageError
from urlset.files.scratch import Scratch
from urlset.indexnow.keys import Keys, wait_until_live
from urlset.indexnow.sender import MAX_URLS, Sender, Verdict
from urlset.model.notification import NotifyOutcome, NotifyResult
from urlset.options.notifying import ENDPOINTS
from urlset.options.storing import DEFAULT_STORE
from urlset.stages.session import Session
from urlset.store.notify_ledger import Ledger
from urlset.text.progress import ProgressEvent
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.comparison.notices import Notices
    from urlset.indexnow.keys import HostKey
    from urlset.model.notification import HostNotices
    from urlset.options.notifying import NotifyOptions
    from urlset.text.progress import Progress

_OUTCOMES = {
    Verdict.REFUSED: NotifyOutcome.REFUSED,
    Verdict.LIMITED: NotifyOutcome.REFUSED,
    Verdict.UNAVAILABLE: NotifyOutcome.UNREACHABLE,
}


def notify(
    sides: Sequence[str], options: NotifyOptions, progress: Progress | None = None, *, listed: int | None = None
) -> NotifyResult:
    """Tell search engines about the URLs that differ between two sides.

    Args:
        sides: The earlier and the later side, as for `diff`; or only `-`, for URLs from standard input.
        progress: Called after each document, and after each batch.
        listed: Number of URLs of the site, if the sides are only those of its sitemaps that changed.

    Raises:
        InputError: A side cannot be read.
        OutputError: The ledger cannot be written.
        UsageError: A side, a key, or an option is invalid, or too much would be sent.
    """
    if len(sides) != 2 and tuple(sides) != ("-",):
        raise UsageError("name two sides to compare, an earlier and a later one, or - for URLs from standard input")
    # Keys that are wrong are reported before anything is read.
    keys = None if options.dry_run and not options.key_file else Keys(options.key_file, options.key_location)
    with Scratch() as scratch, Session(options, trust_in_notices(sides, options), progress) as session:
        notices = find_notices(sides, options, scratch.path, session, listed)
        path = options.ledger or notices.ledger
        # A dry run creates no store.
        place = path if path.exists() or not options.dry_run else scratch.path / DEFAULT_STORE
        with Ledger(place, options.endpoint) as ledger:
            result = structs.replace(plan_sending(notices, ledger, options), ledger=path)
            if not result.urls:
                return result
            if not options.send_all:
                check_share(result.urls, notices.listed, "to send")
            if keys is None:
                return result
            of_hosts = keys.of({host.host: url for host, url in ledger.hosts()})
            hosts = tuple(structs.replace(host, key_location=of_hosts[host.host].location) for host in result.hosts)
            check_scopes(of_hosts, ledger)
            result = structs.replace(result, hosts=hosts)
            return result if options.dry_run else send(result, of_hosts, ledger, session, options, notices.texts)


def plan_sending(notices: Notices, ledger: Ledger, options: NotifyOptions) -> NotifyResult:
    """Return what has to be sent, without what was accepted before."""
    already = ledger.plan(notices)
    return NotifyResult(
        outcome=NotifyOutcome.DRY_RUN if options.dry_run else NotifyOutcome.SENT,
        already=already,
        listed=notices.listed,
        found=dict(notices.found),
        not_sent=dict(notices.not_sent),
        hosts=tuple(host for host, _ in ledger.hosts()),
        examples=ledger.examples(options.max_examples),
        ledger=ledger.path,
        altered=dict(notices.altered),
    )


def check_scopes(keys: Mapping[str, HostKey], ledger: Ledger) -> None:
    """Check that each key is valid for all URLs of its host.

    Raises:
        UsageError: A key file is in a directory that does not contain all of them.
    """
    for key in keys.values():
        if key.scope != "/" and (outside := ledger.outside(key.host, key.scope, 1)):
            raise UsageError(
                f"the key at {key.location} covers only URLs below {key.scope}, not {outside[0]}; publish the key file "
                "in the root directory of the host"
            )


def send(
    result: NotifyResult,
    keys: Mapping[str, HostKey],
    ledger: Ledger,
    session: Session,
    options: NotifyOptions,
    texts: Mapping[str, frozenset[int]],
) -> NotifyResult:
    """Wait until the keys and the pages are online, and send everything. Stop at the first batch that is not accepted.

    Args:
        texts: The hashes of the main text of new and changed pages. Those that return another text are not sent.

    Raises:
        UsageError: A key is not online in time.
    """
    until = time.monotonic() + options.wait_live
    for key in keys.values():
        if (problem := wait_until_live(key, session.site, options.wait_live)) is not None:
            raise UsageError(f"the key for {key.host} is not online: {key.location}: {problem}")
    pending = ledger.pending([*texts])
    expected = {url: text for url, text in texts.items() if url in pending}
    late = wait_for_texts(expected, session.site, until) if expected else []
    ledger.leave_out(late)
    result = structs.replace(result, live_pages=len(expected) - len(late))
    # Only endpoints that the user named may have private addresses.
    engines = session.engines([url for url in options.endpoint if url not in ENDPOINTS])
    sender = Sender(engines, options.endpoint, options.max_wait)
    hosts: list[HostNotices] = []
    outcome, reason = result.outcome, None
    for host in result.hosts:
        accepted = 0
        if reason is None:
            accepted, verdict, reason = _send_host(keys[host.host], host.urls, sender, ledger, session.progress)
            outcome = _OUTCOMES.get(verdict, outcome)
        hosts.append(structs.replace(host, accepted=accepted))
    if late and reason is None:
        pages = quantity(len(late), "page does", "pages do")
        outcome, reason = NotifyOutcome.NOT_LIVE, f"{pages} not return the new main text yet, such as {late[0]}"
    return structs.replace(result, outcome=outcome, reason=reason, hosts=tuple(hosts), endpoints=sender.uses)


def _send_host(
    key: HostKey, urls: int, sender: Sender, ledger: Ledger, progress: Progress | None
) -> tuple[int, Verdict, str | None]:
    """Send the URLs of a host, and return how many were accepted, and why sending stopped, if it did."""
    accepted, first = 0, 0
    while True:
        batch, last = ledger.batch(key.host, first, MAX_URLS)
        if not batch:
            return accepted, Verdict.ACCEPTED, None
        delivery = sender.send(key, [change.url for change in batch])
        if delivery.verdict is not Verdict.ACCEPTED:
            return accepted, delivery.verdict, delivery.reason
        ledger.accept(key.host, first, last, delivery.endpoint, delivery.status or 0)
        accepted, first = accepted + len(batch), last
        if progress is not None:
            progress(ProgressEvent(accepted, urls, quantity(accepted, "URL")))
