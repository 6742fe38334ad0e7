"""`coverage sitemaps`: what search engines say about submitted sitemaps, and about the address of a check."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from msgspec import structs

from urlset import _core
from urlset.coverage.credentials import Account
from urlset.coverage.index_states import add_readings
from urlset.coverage.sitemap_reports import GoogleSitemaps, bing_sitemaps, key_in
from urlset.errors import UsageError
from urlset.model.reported import NAMES, ReportedReading, ReportedSitemap, ReportedSitemaps
from urlset.net.origin import origin_url
from urlset.options.coverage import DOMAIN
from urlset.options.storing import DEFAULT_STORE
from urlset.options.values import check_confidential
from urlset.stages.named import trust_in_none
from urlset.stages.session import Session
from urlset.store.copies import Copy, changed_since, copies_of
from urlset.store.file import Store

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from urlset.fetch.fetcher import Fetcher
    from urlset.model.client_check import Answer
    from urlset.options.coverage import ClientsOptions, ReportedSitemapsOptions

NOT_SENT = "headers and passwords of --header and --auth are for the site; they were not sent to search engines"


def reported_sitemaps(options: ReportedSitemapsOptions) -> ReportedSitemaps:
    """Ask search engines about the sitemaps that were submitted to them.

    Raises:
        InputError: An API cannot be reached, or returns something else.
        MissingExtraError: google-auth is not installed.
        OutputError: The store cannot be written.
        UsageError: Nothing says what to ask, or the credentials are refused.
    """
    if options.credentials is None and options.bing_key is None:
        raise UsageError("sitemaps needs --property PROPERTY and --credentials FILE, or --bing-key FILE")
    sitemaps: list[ReportedSitemap] = []
    sites: dict[str, str] = {}
    with Session(options, trust_in_none()) as session:
        engines = _Engines(session, options)
        if options.credentials is not None:
            sitemaps += engines.google().submitted_sitemaps()
            sites["google"] = str(options.property)
        if options.bing_key is not None:
            site = _site_of(options, None)
            sitemaps += engines.bing(site)
            sites["bing"] = site
    notes = [NOT_SENT] if options.header or options.auth else []
    if any(sitemap.read_at for sitemap in sitemaps):
        if options.store == DEFAULT_STORE and not options.store.exists():
            notes.append(
                f"{options.store} does not exist, so these readings are not stored, and changes since then are unknown"
            )
        else:
            copies = copies_in(options.store, (sitemap.url for sitemap in sitemaps))
            with Store.create(options.store) as store:
                add_readings(store, sitemaps, datetime.now(UTC))
            sitemaps = [_compare(sitemap, copies.get(sitemap.url, ())) for sitemap in sitemaps]
    return ReportedSitemaps(sitemaps=tuple(sitemaps), asked=sites, notes=tuple(notes))


def copies_in(path: Path, urls: Iterable[str]) -> dict[str, list[Copy]]:
    """Return the copies of sitemaps that the runs of a store have fetched, by URL.

    Raises:
        InputError: The store cannot be read.
    """
    with Store.read(path) as store:
        return copies_of(store, urls)


def _compare(sitemap: ReportedSitemap, copies: Iterable[Copy]) -> ReportedSitemap:
    verdict = None if sitemap.read_at is None else changed_since(copies, sitemap.read_at)
    has_changed, description = verdict or (None, None)
    return structs.replace(sitemap, has_changed=has_changed, bytes_seen=description)


def reported_reading(
    session: Session, options: ClientsOptions, first: Answer, copies: Sequence[Copy] = ()
) -> tuple[ReportedReading, ...]:
    """Ask search engines about the address of a check, as far as there are credentials; errors as above.

    Args:
        first: The answer to the first request.
        copies: The copies of the address that runs have fetched.
    """
    readings: dict[str, ReportedSitemap | None] = {}
    engines = _Engines(session, options)
    if options.credentials is not None:
        readings["google"] = engines.google().get(first.url)
    if options.bing_key is not None:
        site = _site_of(options, first.url)
        key = _core.page_key(first.url)
        same = (sitemap for sitemap in engines.bing(site) if _core.page_key(sitemap.url) == key)
        readings["bing"] = next(same, None)
    if first.is_read and first.whole_sha256 is not None:
        copies = [*copies, Copy(datetime.now(UTC), first.whole_sha256)]
    return tuple(_reading(engine, sitemap and _compare(sitemap, copies), first) for engine, sitemap in readings.items())


def _reading(engine: str, sitemap: ReportedSitemap | None, first: Answer) -> ReportedReading:
    if sitemap is None:
        sentence = f"{NAMES[engine]} does not list it among the submitted sitemaps"
        return ReportedReading(engine=engine, sitemap=None, has_changed=None, sentence=sentence)
    if sitemap.has_changed is not None:
        return ReportedReading(
            engine=engine, sitemap=sitemap, has_changed=sitemap.has_changed, sentence=sitemap.sentence()
        )
    changed = _last_modified(first)
    has_changed = None if changed is None or sitemap.read_at is None else changed > sitemap.read_at
    since = {True: "; since then it has changed", False: "; it has not changed since then", None: ""}[has_changed]
    source = f", according to its Last-Modified of {changed:%Y-%m-%d}" if since and changed is not None else ""
    return ReportedReading(
        engine=engine, sitemap=sitemap, has_changed=has_changed, sentence=f"{sitemap.sentence()}{since}{source}"
    )


def _last_modified(first: Answer) -> datetime | None:
    try:
        moment = parsedate_to_datetime(first.headers.get("last-modified", ""))
    except ValueError:
        return None
    # A date without a zone cannot be compared.
    return moment if moment.tzinfo is not None else None


class _Engines:
    """What asks the search engines that there are credentials for. The headers and passwords of the site stay away."""

    def __init__(self, session: Session, options: ReportedSitemapsOptions | ClientsOptions) -> None:
        self._session = session
        self._options = options
        self._account = None if options.credentials is None else Account(options.credentials)

    def google(self) -> GoogleSitemaps:
        options, account = self._options, self._account
        if options.property is None or account is None:
            raise UsageError("--credentials needs --property PROPERTY")
        check_confidential("api", options.api)
        return GoogleSitemaps(self._fetcher(), account, options.api, options.property)

    def bing(self, site: str) -> tuple[ReportedSitemap, ...]:
        options = self._options
        assert options.bing_key is not None
        check_confidential("bing_api", options.bing_api)
        return bing_sitemaps(self._fetcher(), options.bing_api, site, key_in(options.bing_key))

    def _fetcher(self) -> Fetcher:
        tokens = [] if self._account is None else [self._account.token_url]
        return self._session.engines([self._options.api, self._options.bing_api, *tokens])


def _site_of(options: ReportedSitemapsOptions | ClientsOptions, url: str | None) -> str:
    """Return the site as Bing names it: as given, the home page of the property, or that of the address."""
    if options.bing_site is not None:
        return options.bing_site
    if options.property is not None and options.property.startswith(DOMAIN):
        return f"https://{options.property.removeprefix(DOMAIN)}/"
    if (of := options.property or url) is None:
        raise UsageError("--bing-key needs --bing-site URL or --property PROPERTY")
    return f"{origin_url(of)}/"
