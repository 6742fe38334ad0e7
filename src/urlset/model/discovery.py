"""Results of sitemap discovery: plain values, which the score and the reports are based on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import TYPE_CHECKING

from urlset import _core
from urlset.model.result import JsonValues, with_short_repr
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from urlset.web.llms_txt import LlmsText


class FoundBy(StrEnum):
    """How a sitemap was found: the values of `documents.found_by`, in the order of discovery."""

    GIVEN = "given"
    """It was given as a target."""
    ROBOTS = "robots"
    """A `Sitemap:` line of robots.txt lists it."""
    WELL_KNOWN = "well-known"
    """It is at a well-known path."""
    HTML_LINK = "html-link"
    """A `<link rel="sitemap">` on the home page points to it."""
    HTTP_HEADER = "http-header"
    """A `Link` header of the home page points to it."""
    INDEX = "index"
    """A sitemap index lists it."""


@dataclass(frozen=True, slots=True)
class Find(JsonValues):
    """One way in which a candidate was found.

    Attributes:
        way: The way.
        line: The line of robots.txt that lists it, from 1; None for other ways.
        written: The URL as written, if it is not an absolute URL.
        url: The URL that was found, if it is a different URL that redirects to the candidate.
    """

    way: FoundBy
    line: int | None = None
    written: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate(JsonValues):
    """A URL that may be a sitemap, and the result of fetching it.

    Attributes:
        url: The URL, or the text of a Sitemap line that is not an absolute URL.
        finds: All ways in which it was found, in the order of discovery.
        final_url: The URL after redirects.
        status: HTTP status of the last response; None without a response or request.
        error_kind: Name of the error that prevented fetching it completely; None if it was fetched.
        kind: Kind of its content (a DocumentKind): urlset, sitemapindex, text, rss, atom, html …; None if not read.
        entries: Number of entries; None if it was not read.
        bytes: Size after decompression, in bytes; None if it was not read.
        wire_bytes: Size as received, in bytes; None if it was not read.
        why_not: Why it is not a sitemap; None if it is one.
        is_well_formed: Whether it is well-formed XML; None if it is not XML, or was not read.
        is_conventional: Whether it is at a path where most sites have their sitemap.
    """

    url: str
    finds: tuple[Find, ...]
    final_url: str
    status: int | None = None
    error_kind: str | None = None
    kind: str | None = None
    entries: int | None = None
    bytes: int | None = None
    wire_bytes: int | None = None
    why_not: str | None = None
    is_well_formed: bool | None = None
    is_conventional: bool = False

    @property
    def found_by(self) -> FoundBy:
        """The first way in which it was found."""
        return self.finds[0].way

    @property
    def line(self) -> int | None:
        """The line of robots.txt that lists it, if any."""
        return next((find.line for find in self.finds if find.line is not None), None)

    @property
    def moved_to(self) -> str | None:
        """The URL that it redirects to; None if that is the same URL in another spelling."""
        return None if _core.page_key(self.final_url) == _core.page_key(self.url) else self.final_url

    @property
    def is_sitemap(self) -> bool:
        """Whether its content is a sitemap, a sitemap index, or a feed."""
        return self.why_not is None

    @property
    def is_declared(self) -> bool:
        """Whether the site declares it, in robots.txt or on its home page."""
        return any(find.way is not FoundBy.WELL_KNOWN for find in self.finds)

    @property
    def asked(self) -> bool:
        """Whether it was requested."""
        return self.status is not None or self.error_kind is not None

    @property
    def answered(self) -> bool:
        """Whether the response has a successful HTTP status (2xx)."""
        return self.status is not None and 200 <= self.status < 300


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitedPage:
    """A page that discovery fetched to find sitemaps: robots.txt or the home page.

    Attributes:
        url: Its URL after redirects.
        status: Its HTTP status; None without a response.
        reason: Why it could not be used; None if it could.
        named: Number of sitemaps that it declares.
    """

    url: str
    status: int | None
    reason: str | None
    named: int = 0


class KeyWay(StrEnum):
    """How a site declares its IndexNow key: the values of `key_files.declared_by`."""

    ROBOTS = "robots"
    """An `IndexNow-Key:` line of robots.txt has the key."""
    LINK = "link"
    """A `<link rel="indexnow-key">` on the home page points to the key file."""
    META = "meta"
    """A `<meta name="indexnow-key-location">` on the home page has the URL of the key file."""


@dataclass(frozen=True, slots=True)
class KeyHint:
    """A place where a site declares its IndexNow key.

    Attributes:
        way: The way.
        page: The URL of robots.txt or of the home page.
        written: The value as written.
        line: The line of robots.txt, from 1; None for other ways.
        column: Column of the key on that line, in code points, from 1; None for other ways.
        key: The key; None if only its file is declared.
        url: URL of the key file; None if the declared value is not an http(s) URL.
    """

    way: KeyWay
    page: str
    written: str
    line: int | None
    column: int | None
    key: str | None
    url: str | None


@dataclass(frozen=True, slots=True)
class LlmsFile:
    """The llms.txt of a site, which no search engine promises to read.

    Attributes:
        url: Its URL after redirects.
        text: What it contains.
    """

    url: str
    text: LlmsText


@with_short_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """Result of sitemap discovery on one site.

    Attributes:
        written: The origin as given.
        origin: Scheme, host, and port that were searched: `https://example.com`.
        candidates: The sitemaps, in the order of discovery: robots.txt, well-known paths, HTML link, HTTP header.
        tried: Other URLs that were tried, in the same order, each with the reason why it is not a sitemap.
        robots: Result of fetching robots.txt.
        home: Result of fetching the home page; None if it was not fetched.
        keys: Where the site declares its IndexNow key, in robots.txt and on the home page.
        llms: Its llms.txt; None if it does not exist, or was not requested.
        notes: Notes on how the site was searched.
        unreachable: Why the site is unreachable; None if it is reachable.
    """

    written: str
    origin: str
    candidates: tuple[Candidate, ...] = ()
    tried: tuple[Candidate, ...] = ()
    robots: VisitedPage | None = None
    home: VisitedPage | None = None
    keys: tuple[KeyHint, ...] = ()
    llms: LlmsFile | None = None
    notes: tuple[str, ...] = ()
    unreachable: str | None = None

    @property
    def refused(self) -> str | None:
        """Why it is unknown whether the site has a sitemap: its server refuses requests, or fails; None if it does not.

        Example:
            >>> answer = VisitedPage(url="https://example.com/robots.txt", status=503, reason=None)
            >>> Discovery(written="example.com", origin="https://example.com", robots=answer).refused
            'the server returned 503 Service Unavailable for https://example.com/robots.txt'
        """
        if self.candidates:
            return None
        answers = [] if self.robots is None else [(self.robots.url, self.robots.status, True)]
        answers += [(tried.url, tried.status, tried.is_declared or tried.is_conventional) for tried in self.tried]
        refused = [answer for answer in answers if answer[1] is not None and is_refusal(answer[1])]
        # Some servers refuse a single unusual path.
        is_unusual = not any(is_usual for *_, is_usual in refused) and len(refused) * 2 < len(answers)
        if not refused or is_unusual:
            return None
        url, status, _ = refused[0]
        phrase = f" {HTTPStatus(status).phrase}" if status in set(HTTPStatus) else ""
        more = f" and {quantity(len(refused) - 1, 'more location')}" if len(refused) > 1 else ""
        return f"the server returned {status}{phrase} for {url}{more}"


def is_refusal(status: int) -> bool:
    """Return whether a status code says nothing about what is at a URL, as the server refuses this client or fails."""
    return status in (401, 402, 403, 407, 429) or status >= 500
