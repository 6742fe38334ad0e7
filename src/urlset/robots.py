"""robots.txt: parsed once, asked often. No I/O: bytes in, verdicts and tables out.

The matching is that of RFC 9309, <https://www.rfc-editor.org/rfc/rfc9309>: all groups of the agent's product token,
merged; the longest rule decides, and between equals the one that allows; `*`, and `$` at the end. What real files need
beyond it is taken from Google's parser, and every line that was repaired or passed over is a `Problem`. For Google's
own crawlers `Allow: /folder/index.html` allows `/folder/`, too, as in that parser; the reason says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from urlset import _core
from urlset.agents import is_of_google, tokens_of
from urlset.errors import MisuseError
from urlset.net.urlparts import host_of, split_url, without_surrogates
from urlset.tables import FORBIDDEN, ROBOTS_FILES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset._core import Table

EMPTY_TABLES: Mapping[str, Table] = MappingProxyType(_core.robots_schemas())
"""An empty table for each one that a robots.txt is made into."""


class Availability(StrEnum):
    """Whether there is a robots.txt to go by, and what holds if there is none: RFC 9309, section 2.3.1."""

    READ = "read"
    """It was read: its rules hold."""
    UNAVAILABLE = "unavailable"
    """There is none: everything is allowed."""
    UNREACHABLE = "unreachable"
    """Nobody can tell: nothing is allowed until it can be read."""


class Reason(StrEnum):
    """Why a URL is allowed or forbidden."""

    RULE = "rule"
    """A rule of the agent's group decides."""
    INDEX_PAGE = "index-page"
    """An Allow rule for the folder's index.htm or index.html decides, which Google's crawlers apply to the folder."""
    NO_RULE = "no-rule"
    """No rule of the agent's group matches: allowed."""
    NO_GROUP = "no-group"
    """No group is for the agent, and none for all: allowed."""
    OWN_PATH = "own-path"
    """It is robots.txt itself, which is always allowed."""
    UNAVAILABLE = "unavailable"
    """There is no robots.txt: allowed."""
    UNREACHABLE = "unreachable"
    """robots.txt cannot be read: forbidden."""


@dataclass(frozen=True, slots=True)
class AgentLine:
    """One `User-agent:` line: its number from 1, and its value as written."""

    line: int
    value: str


@dataclass(frozen=True, slots=True)
class SectionAccess:
    """One section of a site: how many of its listed URLs agents may not fetch.

    Attributes:
        urls: Its listed URLs.
        forbidden: How many of those are forbidden to each agent asked about.
    """

    urls: int
    forbidden: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RobotsRule:
    """One `Allow:` or `Disallow:` line: its number from 1, and its path as written; an empty one says nothing."""

    line: int
    allow: bool
    pattern: str


@dataclass(frozen=True, slots=True)
class Group:
    """Consecutive `User-agent:` lines and the rules that follow them."""

    agents: tuple[AgentLine, ...]
    rules: tuple[RobotsRule, ...]


@dataclass(frozen=True, slots=True)
class SitemapLine:
    """One `Sitemap:` line.

    Attributes:
        line: Its number, from 1.
        column: Column of the value, in code points from 1.
        key: The key as written.
        value: The value as written, without a comment.
        url: The value, made absolute if it was relative and the URL of robots.txt is known.
        is_relative: Whether the value lacks a scheme.
        problem: What is wrong with `url` (a UrlProblem); None when it is a good URL.
    """

    line: int
    column: int
    key: str
    value: str
    url: str
    is_relative: bool
    problem: str | None


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that was repaired or passed over, or a fault of the whole file.

    Attributes:
        kind: What it is: one of the closed set RobotsProblem.
        line: Line, from 1; None for what concerns the whole file.
        column: Column in code points, from 1; None as `line`.
        evidence: What was seen, at most 120 characters, safe to print.
    """

    kind: str
    line: int | None
    column: int | None
    evidence: str

    @property
    def about(self) -> str:
        """What its kind means, in a sentence."""
        return str(_core.vocabularies()["robots_problems"][self.kind])


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an agent may fetch a URL, and why.

    Attributes:
        allowed: Whether it may.
        reason: Why.
        line: The line of the rule that decides; None when no rule does.
        pattern: That rule's path as written; None as `line`.
        group: The value of the `User-agent:` line that makes its group count; None when no group does.
    """

    allowed: bool
    reason: Reason
    line: int | None = None
    pattern: str | None = None
    group: str | None = None


_EVERYWHERE = {
    Availability.UNAVAILABLE: Verdict(allowed=True, reason=Reason.UNAVAILABLE),
    Availability.UNREACHABLE: Verdict(allowed=False, reason=Reason.UNREACHABLE),
}


class Robots:
    r"""A robots.txt.

    Example:
        >>> robots = Robots.parse(b"User-agent: *\nDisallow: /private/\nAllow: /private/press/\n")
        >>> robots.allowed("Googlebot", "https://example.com/private/a")
        False
        >>> robots.verdict("Googlebot", "/private/press/a").line
        3
    """

    def __init__(self, content: bytes, url: str | None, availability: Availability) -> None:
        """Use `parse` or `of_answer`; this is for what was kept of one.

        Args:
            content: Its bytes; none unless it could be read.
            url: Where it was asked for, before redirects.
            availability: Whether it could be read at all.
        """
        url = None if url is None else without_surrogates(url)
        self._core = _core.Robots(content, url)
        self.content = content
        """Its bytes."""
        self.url = url
        """Where it is from; None if that is not known."""
        self.availability = availability
        """Whether it could be read at all."""

    @classmethod
    def parse(cls, content: bytes, url: str | None = None) -> Robots:
        """Parses the bytes of a robots.txt, whatever they are.

        Args:
            content: The bytes. No more than 500 KiB are read; `bytes_unread` tells how many were left.
            url: Where it was asked for, before redirects: its rules are for that origin, RFC 9309, section 2.3.1.2.
        """
        return cls(content, url, Availability.READ)

    @classmethod
    def of_answer(cls, status: int | None, content: bytes | None, url: str | None = None) -> Robots:
        """What holds after asking for a robots.txt: RFC 9309, section 2.3.1.

        2xx is read. 4xx means that there is none, and so does a redirect that leads nowhere. 5xx and no answer forbid
        everything, and so does 429, which the RFC leaves open and Google's crawlers take for a fault of the server:
        https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt#http-status-codes.

        Args:
            status: The status of the last response; None if there was none.
            content: Its body; counts for 2xx only.
            url: Where it was asked for.
        """
        if status is not None and 200 <= status < 300:
            return cls.parse(content or b"", url)
        is_absent = status is not None and 300 <= status < 500 and status != 429
        availability = Availability.UNAVAILABLE if is_absent else Availability.UNREACHABLE
        return cls(b"", url, availability)

    def __repr__(self) -> str:
        return f"<Robots {self.url or 'of no known URL'}: {self.availability.value}, {len(self.groups)} groups>"

    # What it says.

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The groups, in the order of the file."""
        return tuple(
            Group(tuple(AgentLine(*agent) for agent in agents), tuple(RobotsRule(*rule) for rule in rules))
            for agents, rules in self._core.groups()
        )

    @cached_property
    def sitemaps(self) -> tuple[SitemapLine, ...]:
        """The `Sitemap:` lines that have a value, in the order of the file."""
        rows = self._core.tables(0)["sitemap_lines"].to_dicts()
        return tuple(
            SitemapLine(
                line=row["line"],
                column=row["loc_col"],
                key=row["key"],
                value=row["value"],
                url=row["loc"],
                is_relative=row["is_relative"],
                problem=row["loc_problem"],
            )
            for row in rows
        )

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What was repaired or passed over; `facts["problems_unlisted"]` more may not be listed."""
        return tuple(Problem(*problem) for problem in self._core.problems())

    @property
    def cuts(self) -> list[str]:
        """Return what a limit left out, as sentences, for reports that do not list the problems."""
        return [
            f"{self.url or 'robots.txt'}: {problem.about[:-1]} ({problem.evidence})"
            for problem in self.problems
            if problem.kind in ("too-many-rules", "too-many-stars")
        ]

    @cached_property
    def facts(self) -> Mapping[str, Any]:
        """The file: bytes, bytes_unread, lines, encoding, has_bom, is_html, problems_unlisted."""
        return MappingProxyType(self._core.facts)

    # What follows from it.

    def allowed(self, agent: str, url: str) -> bool:
        """Whether an agent may fetch a URL; as `verdict`."""
        return self.verdict(agent, url).allowed

    def verdict(self, agent: str, url: str) -> Verdict:
        """Whether an agent may fetch a URL, and the rule that decides.

        Args:
            agent: The agent's product token (`Googlebot`); a version behind a slash is passed over. Known crawlers that
                heed the group of another when there is none of their own are listed in `urlset.agents`.
            url: An absolute URL, or a path with or without query. Host and scheme do not count: `covers` tells whether
                this robots.txt speaks for it.

        Raises:
            MisuseError: `url` is neither.
        """
        if self.availability is not Availability.READ:
            return _EVERYWHERE[self.availability]
        try:
            allowed, reason, line, pattern, group = self._core.verdict(tokens_of(agent), is_of_google(agent), url)
        except ValueError as error:
            raise MisuseError(f"{url!r} is {error}") from None
        return Verdict(allowed, Reason(reason), line, pattern, group)

    def covers(self, url: str) -> bool:
        """Whether this robots.txt speaks for a URL: same scheme, host and port. True if its own URL is not known."""
        covered = self._core.covers(without_surrogates(url))
        return covered is None or covered

    # As tables.

    def tables(self, document_id: int) -> dict[str, Table]:
        """The tables `robots`, `sitemap_lines` and `robots_files`, as `urlset.tables` describes them."""
        facts = self.facts
        row = {
            "document_id": document_id,
            "url": self.url,
            **_origin_of(self.url),
            "availability": self.availability.value,
            "bytes": facts["bytes"],
            "bytes_unread": facts["bytes_unread"],
            "is_html": facts["is_html"],
            "sitemaps": len(self.sitemaps),
        }
        columns = [(column.name, column.type) for column in ROBOTS_FILES.columns]
        return {**self._core.tables(document_id), "robots_files": _core.Table.from_rows(columns, [row])}

    def forbidden(self, urls: Table, agents: Sequence[str], robots_id: int) -> Table:
        """The table `forbidden`: a row for each entry and agent that a rule forbids.

        Entries of another origin than this file's are passed over. Where robots.txt could not be read, no rule forbids
        anything and the table is empty: `availability` tells.

        Args:
            urls: The table `urls` or `children`, or a part of it.
            agents: Product tokens, as for `verdict`. Those that share a group cost no more than one of them.
            robots_id: The document_id of this robots.txt.
        """
        asked = [(agent, tokens_of(agent), is_of_google(agent)) for agent in agents]
        return self._core.forbidden(urls, asked, robots_id)

    def access(self, urls: Table, agents: Sequence[str]) -> dict[str, SectionAccess]:
        """How many listed URLs of each section of the site agents may not fetch.

        A section is the first folder of a path, `/blog/`, or `/` for what lies in none. Entries of another origin than
        this file's are passed over. Where robots.txt cannot be reached, everything is forbidden (RFC 9309, 2.3.1.4).

        Args:
            urls: The table `urls`, or a part of it.
            agents: As for `forbidden`.

        Returns:
            For each section its URLs, and how many of them each agent may not fetch, in the order of `agents`.
        """
        asked = [(agent, tokens_of(agent), is_of_google(agent)) for agent in agents]
        closed = self.availability is Availability.UNREACHABLE
        return {
            section: SectionAccess(count, (count,) * len(agents) if closed else tuple(forbidden))
            for section, count, forbidden in self._core.access(urls, asked)
        }

    def forbidden_documents(
        self, documents: Sequence[Mapping[str, Any]], agents: Sequence[str], robots_id: int
    ) -> Table:
        """The table `forbidden` for documents themselves, with no ordinal: sitemaps that agents may not fetch.

        Args:
            documents: Rows of the table `documents`; those of another origin, and those without a URL, are passed over.
            agents: As for `forbidden`.
            robots_id: The document_id of this robots.txt.
        """
        rows = []
        for document in documents:
            url = str(document["url"])
            if self._core.covers(url) is not True or self.availability is not Availability.READ:
                continue
            for position, agent in enumerate(agents):
                verdict = self.verdict(agent, url)
                if not verdict.allowed:
                    rows.append(
                        {
                            "document_id": document["document_id"],
                            "position": position,
                            "agent": agent,
                            "robots_id": robots_id,
                            "robots_line": verdict.line,
                            "pattern": verdict.pattern,
                        }
                    )
        return _core.Table.from_rows([(column.name, column.type) for column in FORBIDDEN.columns], rows)


def _origin_of(url: str | None) -> dict[str, object]:
    """Scheme, host and port of an http or https URL; nothing for anything else."""
    parts, host = split_url(url or ""), host_of(url or "")
    try:
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return {}
    return {"scheme": parts.scheme, "host": host, "port": port} if port and host else {}
