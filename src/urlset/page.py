"""What one HTML page says of itself: canonical links, robots directives, languages, dates, a hash of its main text.

The page is read in the core, into the tree that a browser would build, with the interpreter's lock released: threads
read pages beside each other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from urlset import _core


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFacts:
    """The facts of a page: values as written, outer white space removed. Lists hold at most 1,000 each.

    Attributes:
        title: The first `<title>`, white space collapsed; None without one.
        heading: The text of the first `<h1>`, likewise.
        lang: `<html lang>`.
        base: The first `<base href>`.
        canonicals: `<link rel=canonical href>` in the head, where search engines heed it.
        robots: `<meta name=robots>` and those for single crawlers in the head: name in lower case, content.
        alternates: `<link rel=alternate hreflang href>` in the head: hreflang, href.
        body_canonicals: Canonical links in the body, which search engines pass over.
        body_robots: Robots directives in the body.
        body_alternates: Language alternates in the body.
        refresh: The first `<meta http-equiv=refresh>` that works: seconds, target; a target of None is the page itself.
        dates: Where a date stands and its value, in the order of the page. Where is one of `article:modified_time`,
            `article:published_time`, `og:updated_time`, `dcterms.modified`, `meta:last-modified`, `meta:revised`,
            `meta:dateModified`, `json-ld:dateModified`, `json-ld:datePublished`, `itemprop:dateModified`,
            `itemprop:datePublished`, `time.updated` and `time`.
        sitemaps: `<link rel=sitemap href>`.
        feeds: `<link rel=alternate href>` of the types of RSS and Atom.
        images: `<img src>` of the page's own content; empty unless asked for.
        has_password_field: Whether there is an `<input type=password>`.
        content_hash: 64 bits, signed, of the main text: that of `<main>` if it has any, else of all that is not
            navigation, header, footer or aside. Copyright years, dates and marks of the build, times told from now and
            hashes in names of assets do not count.
        words: Number of words of that text.
        encoding: The encoding that was read, by its WHATWG name: that of a byte order mark, else of the header, else of
            `<meta charset>`, else UTF-8 if the bytes are that and windows-1252 if not.
        complete: False if a bound was reached, so that something may be missing.
    """

    title: str | None
    heading: str | None
    lang: str | None
    base: str | None
    canonicals: tuple[str, ...]
    robots: tuple[tuple[str, str], ...]
    alternates: tuple[tuple[str, str], ...]
    body_canonicals: tuple[str, ...]
    body_robots: tuple[tuple[str, str], ...]
    body_alternates: tuple[tuple[str, str], ...]
    refresh: tuple[float, str | None] | None
    dates: tuple[tuple[str, str], ...]
    sitemaps: tuple[str, ...]
    feeds: tuple[str, ...]
    images: tuple[str, ...]
    has_password_field: bool
    content_hash: int
    words: int
    encoding: str
    complete: bool


MODIFIED = (
    "article:modified_time", "json-ld:dateModified", "itemprop:dateModified", "og:updated_time", "dcterms.modified",
    "meta:last-modified", "meta:dateModified", "meta:revised", "time.updated",
)  # fmt: skip
"""Where among its dates a page says when it was changed, the plainest first."""

_CHARSET = re.compile(r"""charset\s*=\s*["']?([^\s"';]+)""", re.IGNORECASE)


def charset_of(content_type: str | None) -> str | None:
    """The charset that a Content-Type names.

    Example:
        >>> charset_of('text/html; Charset="UTF-8"')
        'UTF-8'
    """
    named = _CHARSET.search(content_type or "")
    return named and named[1]


def read_page(data: bytes, *, charset: str | None = None, images: bool = False) -> PageFacts:
    """Reads the facts of one page. Any bytes are a page: what is not there is not in the facts.

    Args:
        data: The page; what is beyond 15 MiB is not read.
        charset: The charset that the header Content-Type names, if it names one.
        images: Whether the addresses of images are wanted.

    Example:
        >>> page = read_page(b'<html lang=en><title>Shop</title><link rel=canonical href="/shop"><p>Two words')
        >>> page.title, page.lang, page.canonicals, page.words
        ('Shop', 'en', ('/shop',), 2)
    """
    return PageFacts(**dict(zip(_NAMES, _core.read_page(data, charset, images), strict=True)))


_NAMES: tuple[str, ...] = PageFacts.__slots__
