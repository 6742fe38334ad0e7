"""What targets name: the sites among them, and whom a user trusts who gives them.

The only place where a `Trust` is made. Every command takes it from here, once, and hands it down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.errors import UsageError
from urlset.net.trust import Trust
from urlset.sources import SITEMAP_SUFFIXES, url_of
from urlset.sources.origin import Origin, parse_origin

if TYPE_CHECKING:
    from collections.abc import Iterable

    from urlset.options.fetching import FetchingOptions
    from urlset.sources import Target


def trust_in(targets: Iterable[Target], fetch: FetchingOptions, *, discover: bool) -> Trust:
    """Return whom a user trusts who gives these targets.

    Args:
        targets: The targets. Those that are files, folders or bytes name nobody.
        fetch: How to fetch.
        discover: Whether targets may be sites, which are searched for their sitemaps.
    """
    sites = ((target, site_named(target) if discover else None) for target in targets)
    named = (site.url if site is not None else _url_of(target) for target, site in sites)
    return Trust.of((url for url in named if url is not None), allow_private=fetch.allow_private)


def trust_in_sites(sites: Iterable[Origin], fetch: FetchingOptions) -> Trust:
    """Return whom a user trusts who gives these sites."""
    return Trust.of((site.url for site in sites), allow_private=fetch.allow_private)


def _url_of(target: Target) -> str | None:
    return url_of(target) if isinstance(target, str) else None


def site_named(target: Target) -> Origin | None:
    """The site that a target names; None for what is read as it is: files, folders, and URLs of sitemaps."""
    if not isinstance(target, str) or target == "-":
        return None
    if (url := url_of(target)) is None or url.partition("?")[0].lower().removesuffix(".gz").endswith(SITEMAP_SUFFIXES):
        return None
    try:
        return parse_origin(target)
    except UsageError:
        return None
