"""What a search for sitemaps found: plain values, which the search fills in and scores and reports read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SITEMAP_KINDS = frozenset({"urlset", "sitemapindex", "text", "rss", "atom"})
"""Kinds of document that list URLs: the formats of the protocol."""


class FoundBy(StrEnum):
    """How a sitemap was found: the values of `documents.found_by`, in the order in which discovery looks."""

    GIVEN = "given"
    """The user named it."""
    ROBOTS = "robots"
    """A `Sitemap:` line of robots.txt names it."""
    WELL_KNOWN = "well-known"
    """It lies where sitemaps usually lie."""
    HTML_LINK = "html-link"
    """A `<link rel="sitemap">` of the home page names it."""
    HTTP_HEADER = "http-header"
    """A `Link` header of the home page names it."""
    INDEX = "index"
    """A sitemap index lists it."""


@dataclass(frozen=True, slots=True)
class Find:
    """One way in which a candidate was found.

    Attributes:
        way: How.
        line: The line of robots.txt that names it, from 1; None for the other ways.
        written: The URL as written there, where that is not a full one; else None.
        url: The URL that was found so, where that is another one, which redirects to the candidate; else None.
    """

    way: FoundBy
    line: int | None = None
    written: str | None = None
    url: str | None = None

    def to_dict(self) -> dict[str, object]:
        """The way as plain values, for JSON."""
        return {"way": self.way.value, "line": self.line, "written": self.written, "url": self.url}


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A URL that may be a sitemap, and what became of it.

    Attributes:
        url: The URL.
        finds: Every way in which it was found, in the order of discovery.
        final_url: The URL after redirects; the same without any.
        status: HTTP status of the last response; None if there was none, or it was not asked for.
        trouble: What kept it from being fetched whole (a `fetch.answer.Trouble`); None if nothing did.
        kind: What its content is (a DocumentKind): urlset, sitemapindex, text, rss, atom, html …; None if not read.
        entries: How many entries it has; None if it was not read.
        bytes: Its size after decompression, in bytes; None if it was not read.
        wire_bytes: Its size as received, in bytes; None if it was not read.
        why_not: Why it is no sitemap, in words; None if it is one.
    """

    url: str
    finds: tuple[Find, ...]
    final_url: str
    status: int | None = None
    trouble: str | None = None
    kind: str | None = None
    entries: int | None = None
    bytes: int | None = None
    wire_bytes: int | None = None
    why_not: str | None = None

    @property
    def found_by(self) -> FoundBy:
        """The first way in which it was found."""
        return self.finds[0].way

    @property
    def line(self) -> int | None:
        """The line of robots.txt that names it, if one does."""
        return next((find.line for find in self.finds if find.line is not None), None)

    @property
    def is_sitemap(self) -> bool:
        """Whether its content is a sitemap, a sitemap index or a feed."""
        return self.why_not is None

    @property
    def is_declared(self) -> bool:
        """Whether the site itself names it, in robots.txt or on its home page."""
        return any(find.way is not FoundBy.WELL_KNOWN for find in self.finds)

    @property
    def asked(self) -> bool:
        """Whether it was asked for at all."""
        return self.status is not None or self.trouble is not None

    @property
    def answered(self) -> bool:
        """Whether the answer has a successful HTTP status."""
        return self.status is not None and 200 <= self.status < 300

    def to_dict(self) -> dict[str, object]:
        """The candidate as plain values, for JSON."""
        return {
            "url": self.url,
            "found_by": [find.to_dict() for find in self.finds],
            "final_url": self.final_url,
            "http_status": self.status,
            "trouble": None if self.trouble is None else str(self.trouble),
            "is_sitemap": self.is_sitemap,
            "why_not": self.why_not,
            "kind": self.kind,
            "entries": self.entries,
            "bytes": self.bytes,
            "wire_bytes": self.wire_bytes,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Visited:
    """A page of the site that discovery looked at for the names of sitemaps: robots.txt or the home page.

    Attributes:
        url: Its URL after redirects.
        status: Its HTTP status; None if there was no answer.
        reason: What went wrong, in words; None if nothing did.
        named: How many sitemaps it names.
    """

    url: str
    status: int | None
    reason: str | None
    named: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """What a search of one site found.

    Attributes:
        written: The origin as the user wrote it.
        origin: Scheme, host and port that were searched: `https://example.com`.
        candidates: The sitemaps, in the order of discovery: robots.txt, well-known paths, HTML link, HTTP header.
        tried: What else was tried, in the same order, each with the reason why it is none.
        robots: What became of robots.txt.
        home: What became of the home page; None if it was not looked at.
        notes: What a user should know about how the site was searched.
        unreachable: Why the site cannot be reached at all; None if it can.
    """

    written: str
    origin: str
    candidates: tuple[Candidate, ...] = ()
    tried: tuple[Candidate, ...] = ()
    robots: Visited | None = None
    home: Visited | None = None
    notes: tuple[str, ...] = ()
    unreachable: str | None = None
