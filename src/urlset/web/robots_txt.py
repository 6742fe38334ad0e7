"""Parse robots.txt, and decide whether an agent may fetch a URL. No I/O: bytes in, verdicts and tables out.

Matching follows RFC 9309, <https://www.rfc-editor.org/rfc/rfc9309>: all groups for the agent's product token are
merged, the longest matching rule decides, and Allow wins a tie. `*` matches any characters, and `$` matches the end.
What real files need beyond that follows Google's parser. Every line that was repaired or ignored is a `Problem`. For
Google's own crawlers, `Allow: /folder/index.html` also allows `/folder/`, as in that parser; the reason states it.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Struct

from urlset import _core
from urlset.errors import UsageError
from urlset.model.fields import PositiveInt, about
from urlset.net.origin import DEFAULT_PORTS
from urlset.net.urlparts import host_of, split_url, without_surrogates
from urlset.tables import BLOCKED_URLS, ROBOTS_FILES
from urlset.web.agents import Obedience, is_of_google, may_ignore, obedience_of, tokens_of
from urlset.web.robots_content import AgentLine, ExtensionLine, Group, Problem, RobotsRule, SitemapLine

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset._core import Table

EMPTY_TABLES: Mapping[str, Table] = MappingProxyType(_core.robots_schemas())
"""An empty table for each table that a robots.txt fills."""


class Availability(StrEnum):
    """Whether robots.txt could be read, and what applies if not: RFC 9309, section 2.3.1."""

    READ = "read"
    """It was read: its rules apply."""
    UNAVAILABLE = "unavailable"
    """It does not exist: everything is allowed."""
    UNREACHABLE = "unreachable"
    """It cannot be read: nothing is allowed until it can."""


class VerdictReason(StrEnum):
    """Why a URL is allowed or disallowed."""

    RULE = "rule"
    """A rule of the agent's group decides."""
    INDEX_PAGE = "index-page"
    """An Allow rule for index.htm or index.html decides, which Google's crawlers also apply to its folder."""
    NO_RULE = "no-rule"
    """No rule of the agent's group matches: allowed."""
    NO_GROUP = "no-group"
    """There is no group for the agent or for all agents: allowed."""
    NOT_UTF8 = "not-utf8"
    """The file is in UTF-16, in which crawlers find no rule: allowed."""
    OWN_GROUP = "own-group"
    """The agent only follows a group that names it, and there is none: allowed."""
    IGNORED = "ignored"
    """The agent does not follow robots.txt, according to its operator: allowed."""
    OWN_PATH = "own-path"
    """The URL is robots.txt itself, which is always allowed."""
    UNAVAILABLE = "unavailable"
    """There is no robots.txt: allowed."""
    UNREACHABLE = "unreachable"
    """robots.txt cannot be read: disallowed."""


class SectionAccess(Struct, frozen=True):
    """One section of a site, and how many of its listed URLs are blocked.

    Attributes:
        urls: Number of listed URLs.
        forbidden: Number of them that are blocked for each agent.
    """

    urls: int
    forbidden: tuple[int, ...]


class IgnoredRule(Struct, frozen=True):
    """What robots.txt says about a URL for an agent that does not follow it."""

    allowed: Annotated[bool, about("Whether robots.txt allows it.")]
    line: Annotated[PositiveInt | None, about("The line of the rule that says so; None if no rule matches.")]
    pattern: Annotated[str | None, about("The path of that rule as written.")]
    group: Annotated[str | None, about("The value of the `User-agent:` line of its group.")]


class Verdict(Struct, frozen=True):
    """Whether an agent may fetch a URL, and why."""

    allowed: Annotated[bool, about("Whether the agent may fetch it.")]
    reason: Annotated[VerdictReason, about("Why.")]
    line: Annotated[PositiveInt | None, about("The line of the rule that decides; None if no rule does.")] = None
    pattern: Annotated[str | None, about("The path of that rule as written; None if no rule decides.")] = None
    group: Annotated[
        str | None, about("The value of the `User-agent:` line that selects the group; None if no group applies.")
    ] = None
    ignored: Annotated[
        IgnoredRule | None,
        about("What robots.txt says if the agent ignores it, or ignores groups for `*`; None if the agent follows it."),
    ] = None
    may_ignore: Annotated[
        bool, about("True if the operator of the agent says that requests on behalf of users may ignore robots.txt.")
    ] = False


_EVERYWHERE = {
    Availability.UNAVAILABLE: Verdict(allowed=True, reason=VerdictReason.UNAVAILABLE),
    Availability.UNREACHABLE: Verdict(allowed=False, reason=VerdictReason.UNREACHABLE),
}


class Robots:
    r"""A robots.txt.

    Example:
        >>> robots = Robots.parse(b"User-agent: *\nDisallow: /private/\nAllow: /private/press/\n")
        >>> robots.is_allowed("Googlebot", "https://example.com/private/a")
        False
        >>> robots.verdict("Googlebot", "/private/press/a").line
        3
    """

    def __init__(self, content: bytes, url: str | None, availability: Availability, problem: str | None = None) -> None:
        """Restore a stored robots.txt. Use `parse` or `of_answer` for a new one.

        Args:
            content: Its bytes; empty if it could not be read.
            url: Its URL, before redirects; None if unknown.
            problem: Why it is unreachable; None if it is not, or if the reason is not known.
        """
        url = None if url is None else without_surrogates(url)
        self._core = _core.Robots(content, url)
        self.content = content
        self.url = url
        self.availability = availability
        self.problem = problem

    @classmethod
    def parse(cls, content: bytes, url: str | None = None) -> Robots:
        """Parse the bytes of a robots.txt. Any bytes are accepted.

        Args:
            content: The bytes. At most 500 KiB are read; `bytes_unread` counts the rest.
            url: Its URL, before redirects. Its rules apply to that origin: RFC 9309, section 2.3.1.2.
        """
        return cls(content, url, Availability.READ)

    @classmethod
    def of_answer(
        cls, status: int | None, content: bytes | None, url: str | None = None, problem: str | None = None
    ) -> Robots:
        """Return the robots.txt that a response is: RFC 9309, section 2.3.1.

        2xx is read. 4xx means that it does not exist, and so does a redirect that leads nowhere. 5xx and a missing
        response disallow everything. So does 429, which the RFC leaves open and Google's crawlers treat as a server
        error: https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt#http-status-codes.

        Args:
            status: The status code of the last response; None if no response came.
            content: Its body, which counts for 2xx only.
            url: Its URL, before redirects.
            problem: Why there is no complete response with content.
        """
        if status is not None and 200 <= status < 300:
            return cls.parse(content or b"", url)
        is_absent = status is not None and 300 <= status < 500 and status != 429
        if is_absent:
            return cls(b"", url, Availability.UNAVAILABLE)
        return cls(b"", url, Availability.UNREACHABLE, problem)

    def __repr__(self) -> str:
        return f"<Robots {self.url or 'without URL'}: {self.availability.value}, {len(self.groups)} groups>"

    # Content.

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
    def extensions(self) -> tuple[ExtensionLine, ...]:
        """The lines of other specifications, such as `Content-Signal:` and `Crawl-delay:`, in the order of the file."""
        names = ExtensionLine.__struct_fields__
        rows = self._core.tables(0)["robots_extensions"].to_dicts()
        return tuple(
            ExtensionLine(**{name: row["col" if name == "column" else name] for name in names}) for row in rows
        )

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """The lines that were repaired or ignored; `facts["problems_unlisted"]` counts those beyond the limit."""
        return tuple(Problem(*problem) for problem in self._core.problems())

    @property
    def cuts(self) -> list[str]:
        """What was left out because of a limit, as sentences for reports that do not list the problems."""
        return [
            f"{self.url or 'robots.txt'}: {problem.about[:-1]} ({problem.evidence})"
            for problem in self.problems
            if problem.kind in ("too-many-rules", "too-many-stars")
        ]

    @cached_property
    def facts(self) -> Mapping[str, Any]:
        """Facts about the file: bytes, bytes_unread, lines, encoding, has_bom, is_html, problems_unlisted."""
        return MappingProxyType(self._core.facts)

    # Verdicts.

    def is_allowed(self, agent: str, url: str) -> bool:
        """Return whether an agent may fetch a URL; see `verdict`."""
        return self.verdict(agent, url).allowed

    def verdict(self, agent: str, url: str) -> Verdict:
        """Return whether an agent may fetch a URL, and the rule that decides.

        Args:
            agent: The agent's product token (`Googlebot`); a version after a slash is ignored.
                `urlset.web.agents` lists the known crawlers that use the group of another one if there is no group for
                them, and those that ignore groups for `*` or the whole file.
            url: An absolute URL, or a path with or without query. Host and scheme are ignored; `covers` returns whether
                this robots.txt applies to them.

        Raises:
            UsageError: `url` is neither.
        """
        obedience = obedience_of(agent)
        if self.availability is not Availability.READ:
            if obedience is Obedience.IGNORES:
                return Verdict(allowed=True, reason=VerdictReason.IGNORED)
            return _EVERYWHERE[self.availability]
        allowed, reason, line, pattern, group = self._decide(_agent_for_core(agent), url)
        why = VerdictReason(reason)
        ignored = None
        if why is VerdictReason.NO_GROUP and obedience is not Obedience.IGNORES and self.facts["encoding"] != "UTF-8":
            why = VerdictReason.NOT_UTF8
        elif why is VerdictReason.NO_GROUP and obedience is not Obedience.FOLLOWS:
            why = VerdictReason.OWN_GROUP if obedience is Obedience.OWN_GROUP else VerdictReason.IGNORED
            says, _, its_line, its_pattern, its_group = self._decide(_as_follower(agent), url)
            ignored = IgnoredRule(says, its_line, its_pattern, its_group)
        return Verdict(allowed, why, line, pattern, group, ignored, may_ignore(agent))

    def _decide(
        self, agent: tuple[str, tuple[str, ...], str], url: str
    ) -> tuple[bool, str, int | None, str | None, str | None]:
        try:
            return self._core.verdict(agent, url)
        except ValueError as error:
            raise UsageError(f"{url!r} is {error}") from None

    def crawl_delay(self, agent: str) -> ExtensionLine | None:
        """Return the `Crawl-delay:` line for an agent; None if there is none, or if it is invalid."""
        lines = {line.group_line: line for line in self.extensions if line.key == "Crawl-delay" and not line.problem}
        groups = self.group_of(agent) if lines else ()
        return next((lines[line] for group in groups if (line := group.agents[0].line) in lines), None)

    def group_of(self, agent: str) -> tuple[Group, ...]:
        """Return the groups that apply to an agent: those that name it or, without any, those for all agents."""
        for token in (*tokens_of(agent), "*"):
            groups = [group for group in self.groups if any(_is_named(token, line.value) for line in group.agents)]
            if groups:
                return tuple(groups)
        return ()

    def covers(self, url: str) -> bool:
        """Return whether this robots.txt applies to a URL: same scheme, host, and port. True if its URL is unknown."""
        covered = self._core.covers(without_surrogates(url))
        return covered is None or covered

    # Tables.

    def tables(self, document_id: int) -> dict[str, Table]:
        """Return the tables of `ROBOTS_TABLES` for this file, and `robots_files`, described in `urlset.tables`."""
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

    def blocked_urls(self, urls: Table, agents: Sequence[str], robots_id: int) -> Table:
        """Return the table `blocked_urls`: a row for each entry that a rule blocks for an agent.

        Entries on other origins are skipped. If robots.txt could not be read, no rule blocks anything and the table is
        empty; check `availability`.

        Args:
            urls: The table `urls` or `children`, or a part of it.
            agents: Product tokens, as for `verdict`. Agents that share a group cost no more than one of them.
            robots_id: The document_id of this robots.txt.
        """
        return self._core.forbidden(urls, [_agent_for_core(agent) for agent in agents], robots_id)

    def access(self, urls: Table, agents: Sequence[str]) -> dict[str, SectionAccess]:
        """Return how many listed URLs of each section of the site are blocked for agents.

        A section is the first folder of a path, such as `/blog/`, or `/` for paths without a folder. Entries on other
        origins are skipped. If robots.txt is unreachable, everything is disallowed (RFC 9309, section 2.3.1.4).

        Args:
            urls: The table `urls`, or a part of it.
            agents: As for `forbidden`.

        Returns:
            For each section, its number of URLs, and how many of them are blocked for each agent, in the order of
            `agents`.
        """
        is_blocked = self.availability is Availability.UNREACHABLE
        heed = [obedience_of(agent) is not Obedience.IGNORES for agent in agents]
        return {
            section: SectionAccess(count, tuple(count * heeds for heeds in heed) if is_blocked else tuple(forbidden))
            for section, count, forbidden in self._core.access(urls, [_agent_for_core(agent) for agent in agents])
        }

    def blocked_documents(
        self, documents: Sequence[Mapping[str, object]], agents: Sequence[str], robots_id: int
    ) -> Table:
        """Return the table `blocked_urls` for documents, without ordinals: sitemaps that are blocked for agents.

        Args:
            documents: Rows of the table `documents`. Those on other origins and those without a URL are skipped.
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
        return _core.Table.from_rows([(column.name, column.type) for column in BLOCKED_URLS.columns], rows)


def lines_by_agent(robots: Robots) -> dict[str, set[str]]:
    """Return the rules and extensions that apply to each named crawler, whatever the order of groups and lines.

    Names are lowercase; `*` has what applies to all others, and the extensions outside of groups.
    """
    lines: dict[str, set[str]] = {}
    names_at: dict[int, list[str]] = {}
    for group in robots.groups:
        names = [agent.value.strip().lower() for agent in group.agents]
        names_at |= {agent.line: names for agent in group.agents}
        for name in names:
            lines.setdefault(name, set()).update(
                f"{'Allow' if rule.allow else 'Disallow'}: {rule.pattern}" for rule in group.rules if rule.pattern
            )
    for line in robots.extensions:
        for name in names_at.get(line.group_line or 0, ("*",)):
            lines.setdefault(name, set()).add(f"{line.key}: {line.value}")
    return lines


_TOKEN = re.compile(r"\*(?=\s|$)|[A-Za-z0-9_-]+")


def product_token(value: str) -> str:
    """Return the product token of the value of a `User-agent:` line, in lowercase, as the core reads it.

    Example:
        >>> product_token("Googlebot/2.1"), product_token("* (all)"), product_token("(none)")
        ('googlebot', '*', '')
    """
    match = _TOKEN.match(value.strip())
    return "" if match is None else match[0].lower()


def _is_named(token: str, value: str) -> bool:
    """Return whether the value of a `User-agent:` line names a product token; a version after a slash is ignored."""
    return product_token(value) == token.partition("/")[0].strip().lower()


def _agent_for_core(agent: str) -> tuple[str, tuple[str, ...], str]:
    """Return an agent as the core takes it: its name, its product tokens, and how it reads rules."""
    obedience = obedience_of(agent)
    if obedience is Obedience.FOLLOWS:
        return _as_follower(agent)
    return agent, () if obedience is Obedience.IGNORES else tokens_of(agent), "google-special"


def _as_follower(agent: str) -> tuple[str, tuple[str, ...], str]:
    """Return an agent as the core takes one that follows robots.txt."""
    return agent, tokens_of(agent), "google" if is_of_google(agent) else "rfc"


def _origin_of(url: str | None) -> dict[str, object]:
    """Return scheme, host, and port of an http or https URL; an empty mapping for anything else."""
    parts, host = split_url(url or ""), host_of(url or "")
    try:
        port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return {}
    return {"scheme": parts.scheme, "host": host, "port": port} if port and host else {}
