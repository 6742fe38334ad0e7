"""Links to sitemaps in what a home page sends: `<link rel="sitemap">` in its HTML, and the header `Link`.

The HTML is read by the core into the tree that a browser would build: what stands in a comment, a script or a template
is no link, and an unclosed tag hides none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.net.urlparts import join_url, split_url
from urlset.page import charset_of, read_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

REL = "sitemap"
"""The relation: https://microformats.org/wiki/existing-rel-values lists it, and several generators write it."""

MOST_LINKS = 100
"""Links taken of one page or header, at most."""

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
# https://www.rfc-editor.org/rfc/rfc8288#section-3: <target>; name=token; name="quoted"
_VALUE = rf"""(?:\s*=\s*(?:({_TOKEN})|"((?:[^"\\]|\\.)*)"))?"""
_LINK_VALUE = re.compile(rf"[\s,]*<([^>]*)>((?:\s*;\s*{_TOKEN}{_VALUE})*)[\s;]*")
_PARAMETER = re.compile(rf"({_TOKEN}){_VALUE}")


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a sitemap.

    Attributes:
        written: The target as written.
        url: The absolute URL that is meant; None if there is none.
    """

    written: str
    url: str | None


def links_of_header(value: str, base: str) -> list[Link]:
    """The sitemaps that a `Link` header names.

    Args:
        value: The header; several are joined by commas, as HTTP does.
        base: The URL of the page, which relative targets are resolved with.

    Example:
        >>> [link.url for link in links_of_header('</a.xml>; rel="sitemap"; type="a,b", </b>; rel=next', "https://e.org/x")]
        ['https://e.org/a.xml']
    """
    return _first_of_each([_link(target, base) for target, _ in link_values(value, REL)])


def link_values(value: str, relation: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The links of a `Link` header that have a relation: each target as written, and its parameters by name.

    Links of another resource (`anchor`) are passed over.

    Args:
        value: The header; several are joined by commas, as HTTP does.
        relation: The relation, in lower case.

    Example:
        >>> list(link_values('</de>; rel=alternate; hreflang=de', "alternate"))
        [('/de', {'rel': 'alternate', 'hreflang': 'de'})]
    """
    place = 0
    while (match := _LINK_VALUE.match(value, place)) is not None:
        place = match.end()
        parameters: dict[str, str] = {}
        for name, token, quoted in _PARAMETER.findall(match[2]):
            # The first rel counts, later ones do not: https://www.rfc-editor.org/rfc/rfc8288#section-3.3
            parameters.setdefault(name.lower(), token or re.sub(r"\\(.)", r"\1", quoted))
        if relation in parameters.get("rel", "").lower().split() and "anchor" not in parameters:
            yield match[1], parameters


def links_of_page(content: bytes, content_type: str | None, base: str) -> list[Link]:
    """The sitemaps that a page of HTML names in `<link rel="sitemap" href="…">`, in the order of the page.

    Args:
        content: The page, or the beginning of it.
        content_type: Its Content-Type, whose charset counts.
        base: Its URL; a `<base href>` in it counts.
    """
    page = read_page(content, charset=charset_of(content_type))
    if page.base is not None:
        base = joined(base, page.base) or base
    return _first_of_each([_link(href, base) for href in page.sitemaps])


def _link(written: str, base: str) -> Link:
    return Link(written, joined(base, written))


_ABSOLUTE = re.compile(r"https?://[A-Za-z0-9][A-Za-z0-9.-]*(?::[0-9]+)?(?:/[A-Za-z0-9!$&'()*+,=:@/%~._-]*)?")
"""A URL that is the same wherever it stands, as most are written."""


def joined(base: str, target: str) -> str | None:
    """The absolute http(s) URL that a link means; None if it means none."""
    return target if _ABSOLUTE.fullmatch(target) else _joined(base, target)


def _joined(base: str, target: str) -> str | None:
    # As a browser does it: https://url.spec.whatwg.org/#concept-basic-url-parser
    target = re.sub(r"[\t\n\r]", "", target.strip())
    url = join_url(base, target)
    parts = split_url(url)
    return url if parts.scheme in ("http", "https") and parts.hostname else None


def _first_of_each(links: list[Link]) -> list[Link]:
    return list(dict.fromkeys(links))[:MOST_LINKS]
