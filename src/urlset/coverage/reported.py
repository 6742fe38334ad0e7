"""`coverage sitemaps`: what search engines say about submitted sitemaps, and about the address of a check."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from msgspec import structs

from urlset import _core
from urlset.coverage.credentials import Account, check_confidential
from urlset.coverage.sitemap_reports import GoogleSitemaps, bing_sitemaps, key_in
from urlset.errors import UsageError
from urlset.fetch.fetcher import Fetcher
from urlset.model.reported import NAMES, ReportedReading, ReportedSitemap, ReportedSitemaps
from urlset.net.origin import origin_url
from urlset.options.coverage import DOMAIN
from urlset.options.storing import DEFAULT_STORE
from urlset.stages.named import trust_in
from urlset.store.copies import Copy, changed_since, copies_of
from urlset.store.file import Store

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from urlset.model.client_check import Answer
    from urlset.options.coverage import ClientsOptions, ReportedSitemapsOptions

NOT_SENT = "headers and passwords of --header and --auth are for the site; they were not sent to search engines"


def reported_sitemaps(options: ReportedSitemapsOptions) -> ReportedSitemaps:
    """Ask search engines about the sitemaps that were submitted to them.

    Raises:
        InputError: An API cannot be reached, or returns something else.
        MissingExtraError: google-auth is not installed.
        UsageError: Nothing says what to ask, or the credentials are refused.
    """
    if options.credentials is None and options.bing_key is None:
        raise UsageError("sitemaps needs --property PROPERTY and --credentials FILE, or --bing-key FILE")
    sitemaps: list[ReportedSitemap] = []
    sites: dict[str, str] = {}
    if options.credentials is not None:
        with _google(options) as google:
            sitemaps += google.submitted_sitemaps()
        sites["google"] = str(options.property)
    if options.bing_key is not None:
        site = _site_of(options, None)
        sitemaps += _bing(options, site)
        sites["bing"] = site
    notes = [NOT_SENT] if options.header or options.auth else []
    if any(sitemap.read_at for sitemap in sitemaps):
        if options.store == DEFAULT_STORE and not options.store.exists():
            notes.append(f"{options.store} does not exist, so it is not known what has changed since these readings")
        else:
            copies = copies_in(options.store, (sitemap.url for sitemap in sitemaps))
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
    options: ClientsOptions, first: Answer, copies: Sequence[Copy] = ()
) -> tuple[ReportedReading, ...]:
    """Ask search engines about the address of a check, as far as there are credentials; errors as above.

    Args:
        first: The answer to the first request.
        copies: The copies of the address that runs have fetched.
    """
    readings: dict[str, ReportedSitemap | None] = {}
    if options.credentials is not None:
        with _google(options) as google:
            readings["google"] = google.get(first.url)
    if options.bing_key is not None:
        site = _site_of(options, first.url)
        key = _core.page_key(first.url)
        same = (sitemap for sitemap in _bing(options, site) if _core.page_key(sitemap.url) == key)
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


def _fetching(options: ReportedSitemapsOptions | ClientsOptions) -> ReportedSitemapsOptions | ClientsOptions:
    """Return the options without what is for the site: headers and passwords."""
    return replace(options, cache=False, header=(), auth=None, sign=None)


@contextmanager
def _google(options: ReportedSitemapsOptions | ClientsOptions) -> Iterator[GoogleSitemaps]:
    if options.property is None or options.credentials is None:
        raise UsageError("--credentials needs --property PROPERTY")
    check_confidential("api", options.api)
    account = Account(options.credentials)
    trust = trust_in((options.api, account.token_url), options, discover=False)
    with Fetcher(_fetching(options), trust) as fetcher:
        yield GoogleSitemaps(fetcher, account, options.api, options.property)


def _bing(options: ReportedSitemapsOptions | ClientsOptions, site: str) -> tuple[ReportedSitemap, ...]:
    assert options.bing_key is not None
    check_confidential("bing_api", options.bing_api)
    key = key_in(options.bing_key)
    trust = trust_in((options.bing_api,), options, discover=False)
    with Fetcher(_fetching(options), trust) as fetcher:
        return bing_sitemaps(fetcher, options.bing_api, site, key)


def _site_of(options: ReportedSitemapsOptions | ClientsOptions, url: str | None) -> str:
    """Return the site as Bing names it: as given, the home page of the property, or that of the address."""
    if options.bing_site is not None:
        return options.bing_site
    if options.property is not None and options.property.startswith(DOMAIN):
        return f"https://{options.property.removeprefix(DOMAIN)}/"
    if (of := options.property or url) is None:
        raise UsageError("--bing-key needs --bing-site URL or --property PROPERTY")
    return f"{origin_url(of)}/"
