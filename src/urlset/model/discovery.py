"""Results of sitemap discovery: plain values, which the score and the reports are based on."""

from __future__ import annotations

from enum import StrEnum
from http import HTTPStatus
from typing import Annotated

from msgspec import Struct, field

from urlset import _core
from urlset.model.fields import NOT_IN_JSON, Flat, NonNegativeInt, PositiveInt, about, computed
from urlset.model.result import JsonValues, with_short_repr
from urlset.text.sizes import quantity
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


class Find(Struct, JsonValues, frozen=True):
    """One way in which a candidate was found."""

    way: Annotated[FoundBy, about("The way.")]
    line: Annotated[PositiveInt | None, about("The line of robots.txt that lists it, from 1; None for other ways.")] = (
        None
    )
    written: Annotated[str | None, about("The URL as written, if it is not an absolute URL.")] = None
    url: Annotated[
        str | None, about("The URL that was found, if it is a different URL that redirects to the candidate.")
    ] = None


class Candidate(Struct, JsonValues, frozen=True, kw_only=True):
    """A URL that may be a sitemap, and the result of fetching it."""

    url: Annotated[str, about("The URL, or the text of a Sitemap line that is not an absolute URL.")]
    finds: Annotated[tuple[Find, ...], about("All ways in which it was found, in the order of discovery.")] = field(
        name="found_by"
    )
    final_url: Annotated[str, about("The URL after redirects.")]
    status: Annotated[
        NonNegativeInt | None, about("HTTP status of the last response; None without a response or request.")
    ] = field(default=None, name="http_status")
    error_kind: Annotated[
        str | None, about("Name of the error that prevented fetching it completely; None if it was fetched.")
    ] = None
    why_not: Annotated[str | None, about("Why it is not a sitemap; None if it is one.")] = None
    kind: Annotated[
        str | None,
        about("Kind of its content (a DocumentKind): urlset, sitemapindex, text, rss, atom, html …; None if not read."),
    ] = None
    entries: Annotated[NonNegativeInt | None, about("Number of entries; None if it was not read.")] = None
    bytes: Annotated[NonNegativeInt | None, about("Size after decompression, in bytes; None if it was not read.")] = (
        None
    )
    wire_bytes: Annotated[NonNegativeInt | None, about("Size as received, in bytes; None if it was not read.")] = None
    is_well_formed: Annotated[
        bool | None, NOT_IN_JSON, about("Whether it is well-formed XML; None if it is not XML, or was not read.")
    ] = None
    is_conventional: Annotated[
        bool, NOT_IN_JSON, about("Whether it is at a path where most sites have their sitemap.")
    ] = False

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
    @computed(before="why_not")
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


class VisitedPage(Struct, frozen=True, kw_only=True):
    """A page that discovery fetched to find sitemaps: robots.txt or the home page."""

    url: Annotated[str, about("Its URL after redirects.")]
    status: Annotated[NonNegativeInt | None, about("Its HTTP status; None without a response.")] = field(
        name="http_status"
    )
    reason: Annotated[str | None, about("Why it could not be used; None if it could.")]
    named: Annotated[NonNegativeInt, about("Number of sitemaps that it declares.")] = 0


class KeyWay(StrEnum):
    """How a site declares its IndexNow key: the values of `key_files.declared_by`."""

    ROBOTS = "robots"
    """An `IndexNow-Key:` line of robots.txt has the key."""
    LINK = "link"
    """A `<link rel="indexnow-key">` on the home page points to the key file."""
    META = "meta"
    """A `<meta name="indexnow-key-location">` on the home page has the URL of the key file."""


class KeyHint(Struct, frozen=True, kw_only=True):
    """A place where a site declares its IndexNow key."""

    way: Annotated[KeyWay, about("The way.")] = field(name="declared_by")
    page: Annotated[str, about("The URL of robots.txt or of the home page.")]
    line: Annotated[PositiveInt | None, about("The line of robots.txt, from 1; None for other ways.")]
    written: Annotated[str, about("The value as written.")]
    column: Annotated[
        int | None, NOT_IN_JSON, about("Column of the key on that line, in code points, from 1; None for other ways.")
    ] = None
    key: Annotated[str | None, about("The key; None if only its file is declared.")] = None
    url: Annotated[str | None, about("URL of the key file; None if the declared value is not an http(s) URL.")]


class LlmsFile(Struct, frozen=True):
    """The llms.txt of a site, which no search engine promises to read."""

    url: Annotated[str, about("Its URL after redirects.")]
    text: Annotated[
        LlmsText, Flat("bytes", "title", "sections", "links", "problems=faults"), about("What it contains.")
    ]


@with_short_repr
class Discovery(Struct, frozen=True, kw_only=True):
    """Result of sitemap discovery on one site."""

    written: Annotated[str, about("The origin as given.")]
    origin: Annotated[str, about("Scheme, host, and port that were searched: `https://example.com`.")]
    unreachable: Annotated[str | None, about("Why the site is unreachable; None if it is reachable.")] = None
    candidates: Annotated[
        tuple[Candidate, ...],
        about("The sitemaps, in the order of discovery: robots.txt, well-known paths, HTML link, HTTP header."),
    ] = field(default=(), name="sitemaps")
    tried: Annotated[
        tuple[Candidate, ...],
        about("Other URLs that were tried, in the same order, each with the reason why it is not a sitemap."),
    ] = ()
    robots: Annotated[VisitedPage | None, about("Result of fetching robots.txt.")] = None
    home: Annotated[VisitedPage | None, about("Result of fetching the home page; None if it was not fetched.")] = None
    keys: Annotated[
        tuple[KeyHint, ...], about("Where the site declares its IndexNow key, in robots.txt and on the home page.")
    ] = field(default=(), name="indexnow_keys")
    llms: Annotated[LlmsFile | None, about("Its llms.txt; None if it does not exist, or was not requested.")] = field(
        default=None, name="llms_txt"
    )
    notes: Annotated[tuple[str, ...], about("Notes on how the site was searched.")] = ()

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
