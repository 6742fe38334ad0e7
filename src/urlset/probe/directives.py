"""Read the robots directives of a page: robots meta tags and X-Robots-Tag, by agent.

https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

EVERYBODY = frozenset({"*", "robots", "googlebot", "bingbot"})
"""The agents whose noindex keeps a page out of a large search engine: all crawlers, Googlebot, or Bingbot."""

WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
"""Directives with a value after a colon. Any other word before a colon is the name of an agent."""

_AGENT = re.compile(r"\s*([A-Za-z][A-Za-z0-9_.-]*)\s*:\s*(.*)", re.DOTALL)
_WEEKDAY = re.compile(r"(mon|tue|wed|thu|fri|sat|sun)[a-z]*", re.IGNORECASE)


class Directives(Struct, frozen=True):
    """What the directives mean for indexing.

    Attributes:
        noindex: The directive that keeps large search engines from indexing the page, with its place; None without one.
        noindex_agents: The agents with noindex or none, by name, `*` for all.
        unavailable_after: The earliest date from which to leave the page out; None without a date.
        nofollow: Whether large search engines may follow no link of the page.
    """

    noindex: str | None = None
    noindex_agents: tuple[str, ...] = ()
    unavailable_after: datetime | None = None
    nofollow: bool = False


class Directive(Struct, frozen=True):
    """One directive.

    Attributes:
        where: Its place: `meta robots`, `X-Robots-Tag`, or `X-Robots-Tag googlebot`.
        agent: The agent it applies to, in lowercase; `*` for all.
        name: The directive in lowercase.
        value: The value after the colon; None without a colon.
    """

    where: str
    agent: str
    name: str
    value: str | None


def directives_of(meta: Iterable[tuple[str, str]], header: str | None) -> Directives:
    """Return what the robots meta tags and the header mean together.

    Args:
        meta: Name and content of each robots meta tag.
        header: X-Robots-Tag; several headers are joined with commas, as in HTTP. An agent name applies until the next
            one, so if several headers were joined, everything after an agent's directives counts as directed at it.

    Example:
        >>> directives_of([("robots", "NOINDEX, follow")], "otherbot: noarchive").noindex
        'meta robots: noindex'
    """
    return _directives_of(tuple(meta), header)


# Most pages of a site have the same directives.
@lru_cache(maxsize=256)
def _directives_of(meta: tuple[tuple[str, str], ...], header: str | None) -> Directives:
    directives = [directive for name, content in meta for directive in of_meta(name, content)]
    directives += of_header(header or "")
    noindex, nofollow, agents, moments = None, False, [], []
    for directive in directives:
        nofollow |= directive.name in ("nofollow", "none") and directive.agent in EVERYBODY
        if directive.name in ("noindex", "none"):
            agents.append(directive.agent)
            if noindex is None and directive.agent in EVERYBODY:
                noindex = f"{directive.where}: {directive.name}"
        elif directive.name == "unavailable_after" and directive.agent in EVERYBODY and directive.value:
            moment = moment_of(directive.value)
            if moment is not None:
                moments.append(moment)
    return Directives(noindex, tuple(dict.fromkeys(agents)), min(moments, default=None), nofollow)


def of_meta(name: str, content: str) -> Iterator[Directive]:
    agent = name.strip().lower()
    for directive, value in _directives(_parts(content)):
        yield Directive(f"meta {agent}", "*" if agent == "robots" else agent, directive, value)


def of_header(header: str) -> Iterator[Directive]:
    agent = None
    for part in _parts(header):
        match = _AGENT.fullmatch(part)
        if match is not None and match[1].lower() not in WITH_VALUE:
            agent, part = match[1].lower(), match[2]
        for directive, value in _directives([part]):
            where = "X-Robots-Tag" if agent is None else f"X-Robots-Tag {agent}"
            yield Directive(where, agent or "*", directive, value)


def _parts(text: str) -> Iterator[str]:
    """Split at commas, except the comma after the weekday of a date."""
    pieces = text.split(",")
    while pieces:
        piece = pieces.pop(0)
        if pieces and _WEEKDAY.fullmatch(piece.rpartition(":")[2].strip()):
            piece = f"{piece},{pieces.pop(0)}"
        yield piece


def _directives(parts: Iterator[str] | Sequence[str]) -> Iterator[tuple[str, str | None]]:
    for part in parts:
        name, colon, value = part.partition(":")
        if name.strip():
            yield name.strip().lower(), value.strip() if colon else None


def moment_of(text: str) -> datetime | None:
    """Return the time of a date in RFC 822, RFC 850, or ISO 8601; UTC without a time zone. None for anything else."""
    text = text.strip()
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        # Files of a directory have no such dates, and importing this takes long.
        from email.utils import parsedate_to_datetime

        try:
            moment = parsedate_to_datetime(text)
        except (ValueError, TypeError, IndexError, OverflowError):
            return None
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:  # A date at the edge of the supported range.
        return None
