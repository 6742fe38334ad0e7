"""Read what an HTML page says about itself: canonical links, robots directives, languages, dates, and main text.

The core parses the page into the tree that a browser would build. It releases the GIL, so threads can read pages in
parallel.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from urlset import _core

if TYPE_CHECKING:
    from collections.abc import Sequence


class PageFacts(msgspec.Struct, frozen=True):
    """The facts of a page: values as written, without surrounding whitespace. Each list has at most 1,000 items.

    Attributes:
        title: The first `<title>`, with whitespace collapsed; None without one.
        heading: The text of the first `<h1>`, with whitespace collapsed; None without one.
        description: The first `<meta name=description>`, with whitespace collapsed; None without one.
        lang: `<html lang>`.
        base: The first `<base href>`.
        canonicals: `<link rel=canonical href>` in the head, where search engines follow it.
        robots: `<meta name=robots>` and those for single crawlers, in the head: lower-case name, content.
        alternates: `<link rel=alternate hreflang href>` in the head: hreflang, href.
        body_canonicals: Canonical links in the body, which search engines ignore.
        body_robots: Robots directives in the body.
        body_alternates: Alternate language versions in the body.
        head_end: What ended the head, as a tag or the beginning of a text, and its line; None unless something of that
            is in the body.
        refresh: The first valid `<meta http-equiv=refresh>`: seconds, target; None as the target is the page itself.
        script_target: The target, as written, of a redirect that a script does when the page is loaded: a statement
            such as `location.replace("/new")` that depends on no condition, on a page with fewer than 50 words;
            None without one.
        dates: The place of each date and its value, in page order. The place is one of `article:modified_time`,
            `article:published_time`, `og:updated_time`, `dcterms.modified`, `meta:last-modified`, `meta:revised`,
            `meta:dateModified`, `json-ld:dateModified`, `json-ld:datePublished`, `itemprop:dateModified`,
            `itemprop:datePublished`, `time.updated`, `time` and `time.last-change`, the only one on the page that
            follows a label such as "Last updated:".
        sitemaps: `<link rel=sitemap href>`.
        feeds: `<link rel=alternate href>` with the type of RSS or Atom.
        markdown: `<link rel=alternate type=text/markdown href>`, the Markdown versions of the page.
        described_by: `<link rel=describedby href>`.
        indexnow_keys: The URLs of IndexNow key files as written, and where each is: `link` for
            `<link rel=indexnow-key href>`, `meta` for `<meta name=indexnow-key-location content>`.
        images: `<img src>` of the main content; empty unless requested.
        links: The http and https URLs of `<a href>` and `<area href>`, absolute, without fragment, and each once; at
            most 10,000 links are read. None unless requested.
        has_script: Whether there is a script that browsers run.
        has_password_field: Whether there is an `<input type=password>`.
        kind: What the content is: `page`; `template`, the source of one, with front matter, program code, or tags of a
            template language where a browser would show them; `cms-admin`, the login page of a content management
            system; `empty`, `json`, `feed`, `sitemap`, `xml`, `calendar`, or `binary`.
        content_hash: A signed 64-bit hash of the main text: that of `<main>` if it has any, else everything outside
            navigation, header, footer, and aside. Copyright years, build dates and IDs, relative times, and hashes in
            asset names are ignored.
            The text of buttons is ignored unless there is little other text.
        words: Number of words in that text, with those in buttons.
        bytes: Size of the page.
        encoding: The encoding used, by its WHATWG name: from the byte order mark, else the header, else
            `<meta charset>`, else UTF-8 if the bytes are valid UTF-8, else windows-1252.
        complete: False if a limit was reached, so that something may be missing.
    """

    title: str | None
    heading: str | None
    description: str | None
    lang: str | None
    base: str | None
    canonicals: tuple[str, ...]
    robots: tuple[tuple[str, str], ...]
    alternates: tuple[tuple[str, str], ...]
    body_canonicals: tuple[str, ...]
    body_robots: tuple[tuple[str, str], ...]
    body_alternates: tuple[tuple[str, str], ...]
    head_end: tuple[str, int] | None
    refresh: tuple[float, str | None] | None
    script_target: str | None
    dates: tuple[tuple[str, str], ...]
    sitemaps: tuple[str, ...]
    feeds: tuple[str, ...]
    markdown: tuple[str, ...]
    described_by: tuple[str, ...]
    indexnow_keys: tuple[tuple[str, str], ...]
    images: tuple[str, ...]
    links: _core.PageLinks | None
    has_script: bool
    has_password_field: bool
    kind: str
    content_hash: int
    words: int
    bytes: int
    encoding: str
    complete: bool


MODIFIED = (
    "article:modified_time", "json-ld:dateModified", "itemprop:dateModified", "og:updated_time", "dcterms.modified",
    "meta:last-modified", "meta:dateModified", "meta:revised", "time.updated", "time.last-change",
)  # fmt: skip
"""The places where a page states when it was modified, most explicit first."""

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})

_CHARSET = re.compile(r"""charset\s*=\s*["']?([^\s"';]+)""", re.IGNORECASE)


def charset_of(content_type: str | None) -> str | None:
    """Return the charset in a Content-Type.

    Example:
        >>> charset_of('text/html; Charset="UTF-8"')
        'UTF-8'
    """
    match = _CHARSET.search(content_type or "")
    return match and match[1]


def is_html(content_type: str | None) -> bool:
    """Return whether to read a response as HTML. One without a Content-Type counts as HTML."""
    return content_type is None or content_type.partition(";")[0].strip().lower() in HTML_TYPES


def read_page(data: bytes, *, charset: str | None = None, images: bool = False, url: str | None = None) -> PageFacts:
    """Read the facts of a page. Any bytes are accepted.

    Args:
        data: The page. At most 15 MiB are read.
        charset: The charset in the Content-Type header; None without one.
        images: Whether to read the URLs of images.
        url: The URL of the page, to read its links to other pages; None to leave them out.

    Example:
        >>> page = read_page(b'<html lang=en><title>Shop</title><link rel=canonical href="/shop"><p>Two words')
        >>> page.title, page.lang, page.canonicals, page.words
        ('Shop', 'en', ('/shop',), 2)
    """
    [read] = _core.read_pages([(data, charset, images, url)])
    return PageFacts(*read)


def read_pages(pages: Sequence[tuple[bytes, str | None, str | None]]) -> list[PageFacts]:
    """Read the facts of several pages, one after the other.

    The GIL is released and taken again once for all of them, which takes as long as a tenth of reading a page.

    Args:
        pages: For each page its content, the charset in its Content-Type, and its URL; without it,
            its links are not read.
    """
    requests = [(data, charset, False, url) for data, charset, url in pages]
    return [PageFacts(*read) for read in _core.read_pages(requests)]


class PageText(msgspec.Struct, frozen=True):
    """The text of a page.

    Attributes:
        text: The main text, whose words `PageFacts.words` counts, without that of buttons; a line per block.
        headings: The headings of the main text, with whitespace collapsed, without empty ones.
        complete: False if a limit was reached.
    """

    text: str
    headings: tuple[str, ...]
    complete: bool


def read_text(data: bytes, *, charset: str | None = None) -> PageText:
    """Read the main text of a page. Any bytes are accepted.

    Example:
        >>> read_text(b"<h1>Chairs <b>2026</b></h1><nav>Home</nav><p>All chairs").headings
        ('Chairs 2026',)
    """
    return PageText(*_core.read_text(data, charset))


def read_page_files(
    files: Sequence[tuple[str, str | None, str | None]], max_bytes: int, *, images: bool = False
) -> list[PageFacts | OSError | None]:
    """Read the facts of pages in files, without the GIL.

    Args:
        files: For each page its file, and otherwise as for `read_pages`.
        max_bytes: Maximum size of a file, in bytes.

    Returns:
        For each file its facts, the error if it cannot be read, or None if it is too large.
    """
    requests = [(path, charset, images, url) for path, charset, url in files]
    return [
        PageFacts(*read) if isinstance(read, tuple) else read for read in _core.read_page_files(requests, max_bytes)
    ]
