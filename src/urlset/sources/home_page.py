"""Home pages that are given as targets where the sitemaps of the site are meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.sources.bare_hosts import is_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.options.following import FollowingOptions

HOME_PAGE = "an HTML page, not a sitemap; add --discover to find the sitemaps of the site"


def is_home_page(facts: Mapping[str, object], options: FollowingOptions) -> bool:
    """Return whether a document is an HTML page whose URL is a target, and sites are not searched."""
    is_given = facts.get("found_by") == "given" and is_url(str(facts["url"]))
    return is_given and facts["kind"] == "html" and not options.discover
