"""Find the sites among targets, and the hosts that the user trusts by giving them.

This is the only place that creates a `Trust`. Every command gets it from here, once, and passes it on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from urlset.errors import UsageError
from urlset.net.origin import origin_url
from urlset.net.previews import previews_of
from urlset.net.trust import Trust
from urlset.net.urlparts import split_url
from urlset.sources import SITEMAP_SUFFIXES, uncompressed_name, url_of
from urlset.sources.user_origin import SiteOrigin, parse_origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from urlset.hosting.site import FolderSite
    from urlset.net.origin import Origin
    from urlset.net.trust import HeaderPairs
    from urlset.options.fetching import FetchingOptions
    from urlset.sources import Target

T = TypeVar("T")


def trust_in(targets: Iterable[Target], fetch: FetchingOptions, *, discover: bool) -> Trust:
    """Return the trust that follows from the given targets.

    Args:
        targets: The targets. Files, directories, and bytes do not add trusted hosts.
        discover: Whether targets may be sites, which are searched for their sitemaps.
    """
    sites = ((target, site_of(target) if discover else None) for target in targets)
    urls = [site.url if site is not None else _url_of(target) for target, site in sites]
    trust = with_previews(Trust(), fetch)
    urls += [origin.url for preview in trust.previews for origin in (preview.site, preview.origin)]
    named = Trust.of((url for url in urls if url is not None), allow_private=fetch.allow_private)
    return replace(named, previews=trust.previews)


def with_previews(trust: Trust, fetch: FetchingOptions) -> Trust:
    """Return the trust with the previews of the options, unless it has its own, or nothing is requested.

    Previews of a trust that does not name them lead to public addresses only, and receive no credentials.
    """
    if trust.previews or trust.folder is not None or not fetch.map:
        return trust
    return replace(trust, previews=previews_of(fetch.map))


def at_sites(targets: Sequence[T], trust: Trust) -> tuple[T | str, ...]:
    """Return targets with the sites that are meant in place of their previews."""
    return tuple(_moved(target, trust.site_url) for target in targets) if trust.previews else tuple(targets)


def at_previews(targets: Sequence[str], trust: Trust) -> tuple[str, ...]:
    """Return targets with the previews that answer in place of their sites."""
    return tuple(_moved(target, trust.preview_url) for target in targets) if trust.previews else tuple(targets)


def _moved(target: T, to: Callable[[str], str]) -> T | str:
    """Return the target at another host; itself if it has no preview."""
    url = _url_of(target)
    if url is None or (moved := to(url)) == url:
        return target
    return moved


def trust_with_store(targets: Iterable[Target], fetch: FetchingOptions) -> Trust:
    """Return the trust for what a store says, such as its targets and URLs: only in what the user gives along with it.

    A store can be from someone else. Without a target that the user gives again, what it says leads to public addresses
    only, and receives no credentials.

    Args:
        targets: The targets that the user gives, without those that are stores.
    """
    return trust_in(targets, fetch, discover=True)


def trust_in_none() -> Trust:
    """Return the trust in no host, for runs without a target."""
    return Trust()


def trust_of_assistant() -> Trust:
    """Return the trust in targets that an assistant names, which a site may have told it to name: in no host.

    They lead to public addresses only, and receive no credentials.
    """
    return Trust(way_out="`urlset mcp` requests public addresses only; run urlset in a terminal instead")


def trust_in_given(headers: Mapping[Origin, HeaderPairs], *, allow_private: bool) -> Trust:
    """Return the trust for targets that a browser names: only in the origins that the command line gives headers for.

    Others lead to public addresses only, unless private ones are allowed.
    """
    way_out = "start `urlset serve` with --allow-private to allow it"
    return Trust(frozenset(headers), allow_private, headers=headers, way_out=way_out)


def trust_in_folder(site: FolderSite) -> Trust:
    """Return the trust for the site of a directory, which answers all requests."""
    return replace(Trust.of([site.base]), folder=site)


def trust_in_others(trust: Trust, fetch: FetchingOptions) -> Trust:
    """Return the trust for links to other sites, which is that in the targets; a directory names no host."""
    return trust if trust.folder is None else Trust(allow_private=fetch.allow_private)


def trust_in_sites(sites: Iterable[SiteOrigin], fetch: FetchingOptions) -> Trust:
    return Trust.of((site.url for site in sites), allow_private=fetch.allow_private)


def homes_of(targets: Iterable[Target]) -> list[str]:
    """Return the home pages of the hosts that the targets name, without duplicates; files have none."""
    urls = (site.url if (site := site_of(target)) is not None else _url_of(target) for target in targets)
    homes = (origin_url(url) for url in urls if url is not None)
    return list(dict.fromkeys(f"{home}/" for home in homes if home))


def _url_of(target: object) -> str | None:
    return url_of(target) if isinstance(target, str) else None


def page_of(target: Target, *, home: bool = False) -> str | None:
    """Return the URL of a page that a target is; None for sites, sitemaps, files, and directories.

    Args:
        home: Whether the home page of a site is meant as a page.
    """
    if site_of(target) is None or (url := _url_of(target)) is None:
        return None
    parts = split_url(url)
    return url if home or parts.path not in ("", "/") or parts.query else None


def site_of(target: Target) -> SiteOrigin | None:
    """Return the site that a target refers to; None for files, directories, and URLs of sitemaps."""
    if not isinstance(target, str) or target == "-":
        return None
    if (url := url_of(target)) is None or uncompressed_name(url.partition("?")[0]).endswith(SITEMAP_SUFFIXES):
        return None
    try:
        return parse_origin(target)
    except UsageError:
        return None
