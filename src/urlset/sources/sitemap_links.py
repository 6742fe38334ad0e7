"""Finds links to sitemaps in a home page: `<link rel="sitemap">` in its HTML, and the `Link` header.

The core parses the HTML like a browser, so that links in comments, scripts, and templates are ignored, and an unclosed
tag does not hide links.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from urlset.net.urlparts import join_url, split_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from urlset.web.html_page import PageFacts

REL = "sitemap"
"""The link relation, which several generators use. https://microformats.org/wiki/existing-rel-values"""

MAX_LINKS = 100
"""Maximum number of links to follow from a page or header."""

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
# https://www.rfc-editor.org/rfc/rfc8288#section-3: <target>; name=token; name="quoted"
_VALUE = rf"""(?:\s*=\s*(?:({_TOKEN})|"((?:[^"\\]|\\.)*)"))?"""
_LINK_VALUE = re.compile(rf"[\s,]*<([^>]*)>((?:\s*;\s*{_TOKEN}{_VALUE})*)[\s;]*")
_PARAMETER = re.compile(rf"({_TOKEN}){_VALUE}")


class Link(Struct, frozen=True):
    """A link to a sitemap.

    Attributes:
        as_written: The target as written.
        url: The absolute URL; None if the target is not an HTTP(S) URL.
    """

    as_written: str
    url: str | None


def links_of_header(value: str, base: str) -> list[Link]:
    """Return the links to sitemaps in a `Link` header.

    Args:
        value: The header; several headers are joined by commas, as in HTTP.
        base: The URL of the page, to resolve relative targets.

    Example:
        >>> [link.url for link in links_of_header('</a.xml>; rel="sitemap"; type="a,b", </b>; rel=next', "https://e.org/x")]
        ['https://e.org/a.xml']
    """
    return _first_of_each([_link(target, base) for target, _ in link_values(value, REL)])


def link_values(value: str, relation: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield the links with a relation in a `Link` header: each target as written, and its parameters by name.

    Links for another context (`anchor`) are ignored.

    Args:
        value: The header; several headers are joined by commas, as in HTTP.
        relation: The relation, in lowercase.

    Example:
        >>> list(link_values('</de>; rel=alternate; hreflang=de', "alternate"))
        [('/de', {'rel': 'alternate', 'hreflang': 'de'})]
    """
    place = 0
    while (match := _LINK_VALUE.match(value, place)) is not None:
        place = match.end()
        parameters: dict[str, str] = {}
        for name, token, quoted in _PARAMETER.findall(match[2]):
            # Only the first rel counts: https://www.rfc-editor.org/rfc/rfc8288#section-3.3
            parameters.setdefault(name.lower(), token or re.sub(r"\\(.)", r"\1", quoted))
        if relation in parameters.get("rel", "").lower().split() and "anchor" not in parameters:
            yield match[1], parameters


def sitemap_links(page: PageFacts, url: str) -> list[Link]:
    """Return the links to sitemaps in a page, in document order; `url` is its URL."""
    base = base_of(page, url)
    return _first_of_each([_link(href, base) for href in page.sitemaps])


def base_of(page: PageFacts, url: str) -> str:
    """Return the URL that relative links of a page are resolved against; `url` is its URL."""
    return (absolute_url(url, page.base) if page.base is not None else None) or url


def _link(written: str, base: str) -> Link:
    return Link(written, absolute_url(base, written))


def absolute_url(base: str, target: str) -> str | None:
    """Return the absolute HTTP(S) URL of a link; None if it has no such URL."""
    # Like a browser: https://url.spec.whatwg.org/#concept-basic-url-parser
    target = re.sub(r"[\t\n\r]", "", target.strip())
    url = join_url(base, target)
    parts = split_url(url)
    return url if parts.scheme in ("http", "https") and parts.hostname else None


def _first_of_each(links: list[Link]) -> list[Link]:
    return list(dict.fromkeys(links))[:MAX_LINKS]
