"""Find the sites among targets, and the hosts that the user trusts by giving them.

This is the only place that creates a `Trust`. Every command gets it from here, once, and passes it on.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.errors import UsageError
from urlset.net.trust import Trust
from urlset.sources import SITEMAP_SUFFIXES, is_url
from urlset.sources.origin import Origin, parse_origin

if TYPE_CHECKING:
    from collections.abc import Iterable

    from urlset.options.fetching import FetchingOptions
    from urlset.sources import Target


def trust_in(targets: Iterable[Target], fetch: FetchingOptions, *, discover: bool) -> Trust:
    """Return the trust that follows from the given targets.

    Args:
        targets: The targets. Files, directories, and bytes do not add trusted hosts.
        fetch: How to fetch.
        discover: Whether targets may be sites, which are searched for their sitemaps.
    """
    sites = ((target, site_named(target) if discover else None) for target in targets)
    named = (site.url if site is not None else target for target, site in sites)
    return Trust.of((url for url in named if isinstance(url, str)), allow_private=fetch.allow_private)


def trust_in_sites(sites: Iterable[Origin], fetch: FetchingOptions) -> Trust:
    """Return the trust that follows from the given sites."""
    return Trust.of((site.url for site in sites), allow_private=fetch.allow_private)


def site_named(target: Target) -> Origin | None:
    """Return the site that a target refers to; None for files, directories, and URLs of sitemaps."""
    if not isinstance(target, str) or target == "-":
        return None
    path = target.partition("?")[0] if is_url(target) else target
    if path.lower().removesuffix(".gz").endswith(SITEMAP_SUFFIXES):
        return None
    if not is_url(target) and (os.sep in target.rstrip("/") or Path(target).exists()):
        return None
    # A single word is more likely a missing directory than a host.
    if not is_url(target) and not any(mark in target for mark in ".:") and target.rstrip("/") != "localhost":
        return None
    try:
        return parse_origin(target)
    except UsageError:
        return None
