"""Update the `Sitemap:` lines of a robots.txt for a set, without changing any other byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.errors import InputError
from urlset.web.managed_blocks import LINE
from urlset.web.robots_txt import Robots

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def check_text(content: bytes, name: str) -> None:
    """Check that lines can be added to a robots.txt.

    Raises:
        InputError: It is in UTF-16, or binary.
    """
    if content.startswith(_UTF_16):
        raise InputError(name, "is in UTF-16, which crawlers cannot read; save it as UTF-8")
    if b"\0" in content:
        raise InputError(name, "is a binary file; name a robots.txt")


def with_sitemaps(
    content: bytes, urls: Sequence[str], is_stale: Callable[[str], bool], name: str = "robots.txt"
) -> bytes:
    r"""Return a robots.txt that lists these sitemaps.

    Existing lines for them are unchanged. A stale line is removed, or replaced by the first missing one. Other missing
    lines are added after the last `Sitemap:` line, or at the end.

    Args:
        content: The content of the file; empty if it does not exist.
        is_stale: Returns whether another sitemap belongs to this set and must no longer be listed.
        name: The file, for messages.

    Raises:
        InputError: It is in UTF-16, or binary.

    Example:
        >>> with_sitemaps(b"User-agent: *\r\nDisallow:\r\n", ["https://example.com/sitemap.xml"], lambda url: False)
        b'User-agent: *\r\nDisallow:\r\nSitemap: https://example.com/sitemap.xml\r\n'
    """
    check_text(content, name)
    lines = [line for line in LINE.findall(content) if line]
    parsed = Robots.parse(content)
    ours = set(urls)
    missing = [url for url in dict.fromkeys(urls) if url not in {sitemap.url for sitemap in parsed.sitemaps}]
    ending = ending_of(lines)
    last = -1
    for sitemap in parsed.sitemaps:
        place = sitemap.line - 1
        if sitemap.url not in ours and is_stale(sitemap.url):
            lines[place] = _line(missing.pop(0), ending_of(lines[place : place + 1], ending)) if missing else b""
        if lines[place]:
            last = place
    if not missing:
        text = _join(lines)
        # Keep an empty line before binary data that would otherwise look like a UTF-16 byte order mark.
        return ending + text if text.startswith(_UTF_16) else text
    if parsed.facts["bytes_unread"]:
        # Crawlers only read the beginning of the file, so they would not see lines at the end.
        mark = b"\xef\xbb\xbf" if content.startswith(b"\xef\xbb\xbf") else b""
        return mark + _lines(missing, ending, b"") + _join(lines).removeprefix(mark)
    place = last + 1 if last >= 0 else len(lines)
    if place and not lines[place - 1].endswith((b"\r", b"\n")):
        # The only bytes added to an existing line: a missing line ending.
        lines[place - 1] += ending
    rest = _join(lines[place:])
    return _join(lines[:place]) + _lines(missing, ending, rest) + rest


def _join(lines: Sequence[bytes]) -> bytes:
    """Join lines; if a line between two was removed, their line endings must not merge."""
    pieces: list[bytes] = []
    for line in lines:
        if line.startswith(b"\n") and pieces and pieces[-1].endswith(b"\r"):
            pieces.append(b"\n")
        if line:
            pieces.append(line)
    return b"".join(pieces)


def _line(url: str, ending: bytes) -> bytes:
    return b"Sitemap: " + url.encode("ascii") + ending


def _lines(urls: Sequence[str], ending: bytes, following: bytes) -> bytes:
    """Return the lines for these sitemaps; a line ending that would merge with what follows is written out."""
    if ending == b"\r" and following.startswith(b"\n"):
        ending = b"\r\n"
    return b"".join(_line(url, ending) for url in urls)


def ending_of(lines: Sequence[bytes], otherwise: bytes = b"\n") -> bytes:
    """Return the line ending of a file, from its first line."""
    for ending in (b"\r\n", b"\n", b"\r"):
        if lines and lines[0].endswith(ending):
            return ending
    return otherwise
