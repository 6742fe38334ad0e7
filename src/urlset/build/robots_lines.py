"""The `Sitemap:` lines of a robots.txt: those of a set are put right, every other byte is left alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from urlset.errors import InputError
from urlset.robots import Robots

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")


def with_sitemaps(
    content: bytes, urls: Sequence[str], is_stale: Callable[[str], bool], name: str = "robots.txt"
) -> bytes:
    r"""A robots.txt that names these sitemaps.

    Lines that name them already stay as they are, wherever they stand. Where a stale one stood, its line goes, or the
    first missing one takes its place. What is missing otherwise is added after the last `Sitemap:` line, or at the end.

    Args:
        content: The file; empty for none.
        urls: The sitemaps that it has to name.
        is_stale: Whether a sitemap that is not among them is one of ours that it must not name any more.
        name: The file, for messages.

    Raises:
        InputError: It is in UTF-16, which crawlers do not read and to which no line can be added.

    Example:
        >>> with_sitemaps(b"User-agent: *\r\nDisallow:\r\n", ["https://example.com/sitemap.xml"], lambda url: False)
        b'User-agent: *\r\nDisallow:\r\nSitemap: https://example.com/sitemap.xml\r\n'
    """
    if content.startswith(_UTF_16):
        raise InputError(name, "is in UTF-16, which crawlers do not read: save it as UTF-8")
    lines = [line for line in _LINE.findall(content) if line]
    parsed = Robots.parse(content)
    ours = set(urls)
    missing = [url for url in dict.fromkeys(urls) if url not in {one.url for one in parsed.sitemaps}]
    ending = _ending(lines)
    last = -1
    for one in parsed.sitemaps:
        place = one.line - 1
        if one.url not in ours and is_stale(one.url):
            lines[place] = _line(missing.pop(0), _ending(lines[place : place + 1], ending)) if missing else b""
        if lines[place]:
            last = place
    if not missing:
        kept = _joined(lines)
        # Bytes that are no text, and would now be taken for the mark of UTF-16, keep an empty line before them.
        return ending + kept if kept.startswith(_UTF_16) else kept
    if parsed.facts["bytes_unread"]:
        # Crawlers read no more than so much of it: lines at the end would not be seen.
        mark = b"\xef\xbb\xbf" if content.startswith(b"\xef\xbb\xbf") else b""
        return mark + _lines(missing, ending, b"") + _joined(lines).removeprefix(mark)
    place = last + 1 if last >= 0 else len(lines)
    if place and not lines[place - 1].endswith((b"\r", b"\n")):
        # The one byte sequence that is added to a line of others: the end that it lacks.
        lines[place - 1] += ending
    rest = _joined(lines[place:])
    return _joined(lines[:place]) + _lines(missing, ending, rest) + rest


def _joined(lines: Sequence[bytes]) -> bytes:
    """Lines one after the other; where one between went, the ends of two must not become one."""
    joined: list[bytes] = []
    for line in lines:
        if line.startswith(b"\n") and joined and joined[-1].endswith(b"\r"):
            joined.append(b"\n")
        if line:
            joined.append(line)
    return b"".join(joined)


def _line(url: str, ending: bytes) -> bytes:
    return b"Sitemap: " + url.encode("ascii") + ending


def _lines(urls: Sequence[str], ending: bytes, following: bytes) -> bytes:
    """Lines for these sitemaps; an end that would make one of two with what follows is written out."""
    if ending == b"\r" and following.startswith(b"\n"):
        ending = b"\r\n"
    return b"".join(_line(url, ending) for url in urls)


def _ending(lines: Sequence[bytes], otherwise: bytes = b"\n") -> bytes:
    """How the lines of a file end, by the first of them."""
    for ending in (b"\r\n", b"\n", b"\r"):
        if lines and lines[0].endswith(ending):
            return ending
    return otherwise
