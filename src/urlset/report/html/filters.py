"""What the template of the page writes values with: text from outside as HTML that stays text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from urlset.report.html import charts
from urlset.report.words import instant
from urlset.safe import safe

if TYPE_CHECKING:
    from datetime import datetime

    from urlset.model.run import Section

URL_SHOWN = 200
"""Longest URL that is shown whole, in characters."""


def prose(text: str) -> Markup:
    """A paragraph of a rule's page: what stands between backticks as code, links as their text."""
    plain = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    pieces = re.split(r"`([^`]+)`", plain)
    return Markup("").join(
        Markup("<code>{}</code>").format(safe(piece)) if number % 2 else escape(safe(piece))
        for number, piece in enumerate(pieces)
    )


def place(text: str | None) -> Markup:
    """A URL or a path as text that is safe to show: a link if it is one of the web and harmless, shortened if long."""
    if text is None:
        return Markup()
    plain = safe(text)
    shown = _breakable(plain)
    if len(plain) > URL_SHOWN:
        half = URL_SHOWN // 2
        shown = Markup("{}<mark>…</mark>{} <small>({} characters)</small>").format(
            _breakable(plain[:half]), _breakable(plain[-half:]), f"{len(text):,}"
        )
    # Whatever had to be escaped leads elsewhere than it says.
    if plain == text and text[:8].lower().startswith(("http://", "https://")) and len(text) <= URL_SHOWN * 10:
        return Markup('<a class="url" href="{}" rel="noopener noreferrer nofollow" target="_blank">{}</a>').format(
            text, shown
        )
    return Markup('<span class="url">{}</span>').format(shown)


def _breakable(text: str) -> Markup:
    """Text that may go on in the next line behind a slash, before it has to in the middle of a word."""
    return Markup("<wbr>").join(re.split(r"(?<=[^/]/)(?=[^/])", text))


def moment(at: datetime) -> Markup:
    """An instant; the script puts it into the reader's words."""
    return Markup('<time datetime="{}">{}</time>').format(
        at.replace(tzinfo=None).isoformat(timespec="seconds") + "Z", instant(at.replace(microsecond=0))
    )


def as_row(one: charts.Bar | Section) -> tuple[str, int]:
    """What a chart shows, as a row of the table beside it."""
    return (one.label, one.count) if isinstance(one, charts.Bar) else (one.name, one.urls)
