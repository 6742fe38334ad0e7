"""Finds where a site declares its IndexNow key: in robots.txt, and on its home page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.discovery import KeyHint, KeyWay
from urlset.net.origin import origin_url
from urlset.sources.sitemap_links import absolute_url, base_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.web.html_page import PageFacts
    from urlset.web.robots_txt import Robots

MAX_KEYS = 10
"""Maximum number of declarations to take from a robots.txt or home page. A host has one key."""

KEY_LINE = "IndexNow-Key"


def keys_of_robots(robots: Robots, url: str) -> Iterator[KeyHint]:
    """Yield the keys that a robots.txt declares, whose files are in the root directory: `/<key>.txt`.

    Invalid ones are left out, which a rule reports.
    """
    for line in robots.extensions:
        if line.key == KEY_LINE and line.problem is None:
            location = f"{origin_url(url)}/{line.value}.txt"
            yield KeyHint(
                way=KeyWay.ROBOTS,
                page=url,
                line=line.line,
                written=line.value,
                column=line.column,
                key=line.value,
                url=location,
            )


def keys_of_page(page: PageFacts, url: str) -> Iterator[KeyHint]:
    """Yield the key files that a home page declares."""
    base = base_of(page, url)
    for way, written in page.indexnow_keys:
        location = absolute_url(base, written) if written else None
        yield KeyHint(way=KeyWay(way), page=url, line=None, written=written, url=location)
