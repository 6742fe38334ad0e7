"""Template filters: they turn values, including untrusted text, into safe HTML."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from urlset.report.html import charts
from urlset.report.words import instant
from urlset.text.safe import safe

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from urlset.model.run import Section

MAX_URL = 200
"""Longest URL to show in full, in characters."""

_ORIGIN = re.compile(r"https?://[\w.:\[\]-]+(?=/|$)")


def prose(text: str) -> Markup:
    """Return a paragraph of a rule's page, with text in backticks as code and links as their text."""
    plain = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    pieces = re.split(r"`([^`]+)`", plain)
    return Markup("").join(
        Markup("<code>{}</code>").format(safe(piece)) if number % 2 else escape(safe(piece))
        for number, piece in enumerate(pieces)
    )


def exact(value: object) -> Markup:
    """Return the value of a form field, which is sent back as it is: a reference for what `safe` would escape."""
    return Markup("".join(char if safe(char) == char else f"&#{ord(char)};" for char in escape(value)))


def lines(text: str) -> Markup:
    """Return the lines of a text for preformatted text, each as visible as `safe` makes it."""
    return Markup("\n").join(safe(line.expandtabs()) for line in text.replace("\r\n", "\n").split("\n"))


def place(text: str | None, home: str | None = None) -> Markup:
    """Return a URL or path, shortened if it is long; an http(s) URL without escaped characters becomes a link.

    Args:
        home: The origin that the page names once; of URLs on it, only the path is shown.
    """
    if text is None:
        return Markup()
    plain = safe(text)
    shown = without_home(plain, home)
    markup = breakable(shown)
    if len(shown) > MAX_URL:
        half = MAX_URL // 2
        markup = Markup("{}<mark>…</mark>{} <small>({} characters)</small>").format(
            breakable(shown[:half]), breakable(shown[-half:]), f"{len(text):,}"
        )
    # A URL with escaped characters is not linked: its text differs from its target.
    if plain == text and text[:8].lower().startswith(("http://", "https://")) and len(text) <= MAX_URL * 10:
        return Markup('<a class="url" href="{}" rel="noopener noreferrer nofollow" target="_blank">{}</a>').format(
            text, markup
        )
    return Markup('<span class="url">{}</span>').format(markup)


def without_home(url: str, home: str | None) -> str:
    """Return the path of a URL on this origin, or of a section such as `example.com/blog/`; any other URL as it is.

    The URL of the home page also stays as it is.
    """
    if not home:
        return url
    if url.startswith(f"{home.partition('://')[2]}/"):
        return url[url.index("/") :]
    return url[len(home) :] if url.startswith(f"{home}/") and len(url) > len(home) + 1 else url


def home_of(urls: Iterable[str]) -> str | None:
    """Return the origin of most of these URLs, as written; None if none of them has one that can be shown as it is."""
    origins = Counter(match[0] for url in urls if (match := _ORIGIN.match(url)) is not None)
    return next((origin for origin, _ in origins.most_common(1) if safe(origin) == origin), None)


def link_urls(text: str, home: str | None = None) -> Markup:
    """Return a text in which http(s) URLs are links, and text in backticks is code. A shortened URL is not a link."""
    pieces = re.split(r"(`(?!https?:)[^`\n]+`|https?://[^\s<>\"“”'`…]*[^\s<>\"“”'`….,:;!?)](?![^\s<>\"“”'`]*…))", text)
    return Markup("").join(
        escape(safe(piece))
        if number % 2 == 0
        else Markup("<code>{}</code>").format(safe(piece[1:-1]))
        if piece.startswith("`")
        else place(piece, home)
        for number, piece in enumerate(pieces)
    )


def breakable(text: str) -> Markup:
    """Return text with line break opportunities after slashes."""
    return Markup("<wbr>").join(re.split(r"(?<=[^/]/)(?=[^/])", text))


def moment(at: datetime) -> Markup:
    """Return an instant as a `time` element, which the script formats for the reader's locale."""
    return Markup('<time datetime="{}">{}</time>').format(
        at.replace(tzinfo=None).isoformat(timespec="seconds") + "Z", instant(at.replace(microsecond=0))
    )


def as_row(part: charts.Bar | Section) -> tuple[str, int]:
    """Return an item of a chart as a row of the table next to it."""
    return (part.label, part.count) if isinstance(part, charts.Bar) else (part.name, part.urls)


def sentence(note: str) -> str:
    """Return a note with a full stop, and with a capital unless it begins with a URL or the name of a file."""
    first = note.partition(" ")[0]
    return f"{safe(note[:1].upper() + note[1:] if first.isalpha() else note)}."
