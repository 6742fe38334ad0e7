"""`check --clients`: ask for an address in the ways that crawlers ask, and name what stops them from reading it."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.clients.causes import UNKNOWN, Observations, findings
from urlset.clients.requests import FIRST, requests_for
from urlset.clients.send import Sender
from urlset.coverage.reported import copies_in, reported_reading
from urlset.errors import UsageError
from urlset.fetch.request_url import address_of
from urlset.model.client_check import ClientCheck, Content, NotTried
from urlset.model.discovery import FoundBy
from urlset.net.urlparts import split_url
from urlset.pipeline.check import WHERE_TO_LOOK
from urlset.rules.rule import Severity
from urlset.sources import SITEMAP_SUFFIXES, is_url, uncompressed_name
from urlset.sources.user_origin import parse_origin
from urlset.stages.discover import discover
from urlset.stages.named import trust_in
from urlset.stages.session import Session
from urlset.text.masking import mask_target
from urlset.text.progress import ProgressEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from urlset.clients.send import Observed, Resolver
    from urlset.fetch.client import Client
    from urlset.options.coverage import ClientsOptions
    from urlset.options.verbs import ReadOptions
    from urlset.sources.user_origin import SiteOrigin
    from urlset.text.progress import Progress


def check_clients(
    target: str,
    options: ClientsOptions,
    progress: Progress | None = None,
    *,
    resolver: Resolver | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> ClientCheck:
    """Check what an address answers to crawlers.

    Args:
        target: The URL of a sitemap or page. For a site without a path, its sitemap is searched first.
        options: How to fetch. Credentials are not sent.
        progress: Called after each request.
        resolver: The DNS resolver; by default that of the system.
        clock: Returns seconds, for the time to the first byte.

    Raises:
        InputError: The store cannot be read, or the API of a search engine that there are credentials for.
        UsageError: The target is not an address, a proxy is configured, or credentials are refused.
    """
    with Session(options, trust_in([target], options, discover=True), progress) as session:
        return check_clients_in(session, target, options, resolver, clock)


def check_clients_in(
    session: Session,
    target: str,
    options: ClientsOptions,
    resolver: Resolver | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> ClientCheck:
    """Do the same in a session that may have searched the site."""
    check_direct(options, "--clients")
    url, found_by = _address(target, session)
    copies = [] if options.store is None else copies_in(options.store, [url]).get(url, [])
    checked = _check(url, found_by, session, resolver, clock)
    first = checked.answer(FIRST)
    assert first is not None
    return structs.replace(checked, readings=reported_reading(session, options, first, copies))


def check_pages(session: Session, urls: Sequence[str]) -> tuple[ClientCheck, ...]:
    """Check what pages answer to crawlers, one after the other. Credentials are not sent."""
    return tuple(_check(url, None, session) for url in urls)


def check_direct(options: ReadOptions, name: str) -> None:
    """Check that responses are those of the server to a crawler.

    Args:
        name: The option that asks for it.

    Raises:
        UsageError: A proxy is configured, or requests would be signed.
    """
    if options.sign is not None:
        raise UsageError(f"{name} asks as others do, who do not have your key; remove --sign")
    if options.proxy is not None:
        raise UsageError(f"{name} asks the server directly, without --proxy: a proxy would change the answers")


def _check(
    url: str,
    found_by: str | None,
    session: Session,
    resolver: Resolver | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> ClientCheck:
    async def work() -> tuple[list[Observed], list[NotTried]]:
        async with Sender(session, resolver, clock) as sender:
            return await _send_all(sender, url, session.progress)

    observed, not_tried = asyncio.run(work())
    is_sitemap = found_by is not None or _looks_like_sitemap(url, observed)
    observations = Observations(observed, url, is_sitemap=is_sitemap)
    causes = findings(observations)
    severities = {finding.severity for finding in causes}
    return ClientCheck(
        url=observations.first.url,
        found_by=found_by,
        status="fail" if Severity.ERROR in severities else "warn" if Severity.WARNING in severities else "pass",
        findings=causes,
        answers=tuple(reply.answer for reply in observed),
        not_tried=tuple(not_tried),
        unknown=UNKNOWN,
    )


async def _send_all(sender: Sender, url: str, progress: Progress | None) -> tuple[list[Observed], list[NotTried]]:
    observed: list[Observed] = []
    not_tried: list[NotTried] = []
    requests = list(requests_for(url))
    for number, request in enumerate(requests, start=1):
        first = observed[0].answer if observed else None
        sent = await sender.send(request, url, first)
        if isinstance(sent, NotTried):
            not_tried.append(sent)
        else:
            observed.append(sent)
        if progress is not None:
            progress(ProgressEvent(number, len(requests), request.about))
    assert observed[0].answer.request == FIRST
    return observed, not_tried


def _address(target: str, session: Session) -> tuple[str, str | None]:
    """Return the address to ask for, and how it was found if the target is a site."""
    if is_url(target):
        try:
            address_of(target)
        except ValueError as error:
            raise UsageError(f"{mask_target(target)}: not a URL that can be requested: {error}") from None
    if is_url(target) and split_url(target).path not in ("", "/"):
        return target, None
    site = parse_origin(target)
    if site.path != "/":
        return site.home, None

    async def search(site: SiteOrigin, client: Client) -> tuple[str, str] | None:
        discovered = await discover(site, client, session.options, WHERE_TO_LOOK)
        try:
            # A declared sitemap that cannot be read is the one to explain.
            declared = [candidate for candidate in discovered.tried if candidate.finds[0].way is FoundBy.ROBOTS]
            best = next(iter((*discovered.candidates, *declared)), None)
            return None if best is None else (best.url, best.finds[0].way.value)
        finally:
            discovered.close()

    [sitemap] = session.each_site([site], search)
    return sitemap or (f"{site.url}/sitemap.xml", FoundBy.WELL_KNOWN.value)


def _looks_like_sitemap(url: str, observed: list[Observed]) -> bool:
    first = observed[0].answer
    is_xml = first.is_read and first.content is Content.XML
    return is_xml or uncompressed_name(split_url(url).path).endswith(SITEMAP_SUFFIXES)
