"""Atom or RSS feed of the newest entries of a set, which search engines accept in addition to sitemaps.

https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap#rss,
https://www.rfc-editor.org/rfc/rfc4287, https://www.rssboard.org/rss-specification
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, unescape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from urlset.build.options import BaseUrl

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_QUOTES = {'"': "&quot;"}


def feed(newest: Sequence[tuple[str, int]], path: Path, base: BaseUrl, folder: Path | None) -> bytes:
    """Create the feed of some entries.

    Entries of a sitemap have no titles, so the title is the URL. A lastmod without a time becomes midnight UTC, because
    feeds require a time.

    Args:
        newest: XML-escaped URL and lastmod in microseconds since 1970 of each entry, newest first.
        path: The file: Atom if its name is `atom.xml` or ends with `.atom`, otherwise RSS.
        folder: The directory of the set, whose files have URLs below the base URL; None for standard output.
    """
    entries = [(url, _EPOCH + timedelta(microseconds=at)) for url, at in newest]
    is_atom = path.suffix.lower() == ".atom" or path.name.lower() == "atom.xml"
    make = _atom if is_atom else _rss
    return ("\n".join(make(entries, base, _own_url(path, base, folder))) + "\n").encode()


def _own_url(path: Path, base: BaseUrl, folder: Path | None) -> str | None:
    """Return the URL of the feed, if its file is in the directory of the set."""
    if folder is None or not path.resolve().is_relative_to(folder.resolve()):
        return None
    return base.url(path.resolve().relative_to(folder.resolve()).as_posix())


def _title(base: BaseUrl) -> str:
    return escape(f"Latest changes on {base.host}")


def _rss(entries: Sequence[tuple[str, datetime]], base: BaseUrl, own: str | None) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">'
    yield "<channel>"
    yield f"<title>{_title(base)}</title>"
    yield f"<link>{escape(base.text)}</link>"
    yield f"<description>Recently changed pages on {escape(base.text)}</description>"
    if own is not None:
        yield f'<atom:link rel="self" type="application/rss+xml" href="{escape(own, _QUOTES)}"/>'
    if entries:
        yield f"<lastBuildDate>{_rfc822(entries[0][1])}</lastBuildDate>"
    for url, at in entries:
        yield (
            f'<item><title>{url}</title><link>{url}</link><guid isPermaLink="true">{url}</guid>'
            f"<pubDate>{_rfc822(at)}</pubDate></item>"
        )
    yield "</channel>"
    yield "</rss>"


def _atom(entries: Sequence[tuple[str, datetime]], base: BaseUrl, own: str | None) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<feed xmlns="http://www.w3.org/2005/Atom">'
    yield f"<title>{_title(base)}</title>"
    yield f"<id>{escape(own or base.text)}</id>"
    if own is not None:
        yield f'<link rel="self" type="application/atom+xml" href="{escape(own, _QUOTES)}"/>'
    yield f'<link rel="alternate" href="{escape(base.text, _QUOTES)}"/>'
    yield f"<updated>{(entries[0][1] if entries else _EPOCH).isoformat()}</updated>"
    yield f"<author><name>{escape(base.host)}</name></author>"
    for url, at in entries:
        # In an attribute, quotes are escaped as well.
        href = escape(unescape(url, {"&apos;": "'", "&quot;": '"'}), _QUOTES)
        yield (
            f'<entry><title>{url}</title><link href="{href}"/><id>{url}</id><updated>{at.isoformat()}</updated></entry>'
        )
    yield "</feed>"


def _rfc822(at: datetime) -> str:
    return format_datetime(at, usegmt=True)
