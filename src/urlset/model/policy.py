"""Result of comparing what a site declares to crawlers with what it answers, and with what access logs show."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime  # noqa: TC003 - msgspec reads the annotations
from enum import StrEnum

from urlset.rules.rule import Severity  # noqa: TC001 - msgspec reads the annotations
from urlset.text.sizes import enumeration


class Use(StrEnum):
    """A use of content that a site can allow or disallow."""

    SEARCH = "search"
    AI_INPUT = "ai-input"
    """As input of a model, such as to ground an answer."""
    AI_TRAIN = "ai-train"


class Reply(StrEnum):
    """What the answer to a crawler means."""

    ANSWERED = "answered"
    LOGIN = "login"
    """401."""
    PAYMENT = "payment"
    """402."""
    REFUSED = "refused"
    """403, or the connection is dropped."""
    CHALLENGE = "challenge"
    ERROR = "error"
    """Anything else, such as 404 or 503, which is not about the crawler."""


class Contradiction(StrEnum):
    """What does not fit together."""

    ALLOWED_BUT_REFUSED = "allowed-but-refused"
    FORBIDDEN_BUT_ANSWERED = "forbidden-but-answered"
    DECLARED_TWICE = "declared-twice"
    LICENSE_MISSING = "license-missing"
    LICENSE_INVALID = "license-invalid"
    HEADER_CONTRADICTS = "header-contradicts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What one place says about uses of the content.

    Attributes:
        where: The place, such as `robots.txt line 4` or `header X-Robots-Tag`.
        key: `Content-Signal`, `Content-Usage`, `X-Robots-Tag`, `TDM-Reservation`, `meta robots`, or `RSL`.
        text: The value as written.
        agents: The product tokens that it applies to; empty for all crawlers.
        uses: Whether it allows each use that it mentions.
        problem: What is wrong with it, as a phrase; None if it is valid.
    """

    where: str
    key: str
    text: str
    agents: tuple[str, ...] = ()
    uses: dict[Use, bool]
    problem: str | None = None

    @property
    def is_in_robots(self) -> bool:
        """Whether it is in robots.txt."""
        return self.where.startswith("robots.txt")


@dataclass(frozen=True, slots=True, kw_only=True)
class License:
    """A license that robots.txt or the header `Link` of the page declares.

    Attributes:
        url: Its URL.
        where: Where it is declared, such as `robots.txt line 2 and header Link`.
        line: The line of robots.txt; None if only a header declares it.
        status: The HTTP status code; None without an answer.
        problem: Why it is missing or invalid, as a phrase; None if it is valid.
        permits: The uses that it permits for the address, as written.
        prohibits: The uses that it prohibits for the address, as written.
        payments: Types of payment that it asks for, each with the amount if it states one.
    """

    url: str
    where: str
    line: int | None
    status: int | None
    problem: str | None = None
    permits: tuple[str, ...] = ()
    prohibits: tuple[str, ...] = ()
    payments: tuple[str, ...] = ()

    @property
    def terms(self) -> str:
        """What it says about the address; empty if it says nothing."""
        terms = [f"permits {enumeration(self.permits)}"] if self.permits else []
        terms += [f"prohibits {enumeration(self.prohibits)}"] if self.prohibits else []
        terms += [f"payment: {enumeration(self.payments)}"] if self.payments else []
        return "; ".join(terms)


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmsFound:
    """The llms.txt of the site.

    Attributes:
        url: Its URL.
        status: The HTTP status code; None without an answer.
        is_found: Whether it is a text file.
        title: Its title; None without one.
        links: Number of its links.
    """

    url: str
    status: int | None
    is_found: bool
    title: str | None = None
    links: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlerAnswer:
    """What the site answers to a crawler, asked under its user agent.

    Attributes:
        reply: What it means.
        status: The HTTP status code; None without an answer.
        detail: The name of the challenge, the price, or the error; None if the status says all.
    """

    reply: Reply
    status: int | None
    detail: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Visits:
    """The requests of a crawler in access logs, verified by its addresses.

    Attributes:
        hits: Number of requests.
        answered: Number of them that were answered with 2xx or 304.
        refused: Number of them that were answered with 401, 402, or 403.
        first_on: The first day.
        last_on: The last day.
    """

    hits: int
    answered: int
    refused: int
    first_on: date
    last_on: date


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlerPolicy:
    """What is declared to a crawler, what it is answered, and what it did.

    Attributes:
        agent: Its product token.
        operator: The company that runs it.
        purpose: What it fetches pages for: `search`, `ai-search`, `ai-training`, `user`, or `service`.
        source: The documentation that these facts come from.
        source_date: The day on which they were last compared with it.
        follows: Which part of robots.txt it follows: `follows`, `own-group`, or `ignores`.
        allowed: Whether robots.txt allows the address.
        reason: Why, as in `urlset robots`.
        line: The line of the rule that decides; None if no rule does.
        group: The `User-agent` of the group that applies; None if there is none.
        use: The use that its purpose is; None for other services.
        stated: Whether this use is stated to be allowed: `yes`, `no`, or `contradictory`; None if nothing states it.
        stated_by: The places that state it.
        answer: What the site answers to it; None if it was not asked as this crawler.
        not_asked: Why no request was sent; None if one was, or if none was planned.
        visits: Its verified requests in the access logs; None without any.
    """

    agent: str
    operator: str
    purpose: str
    source: str
    source_date: date
    follows: str
    allowed: bool
    reason: str
    line: int | None = None
    group: str | None = None
    use: Use | None = None
    stated: str | None = None
    stated_by: tuple[str, ...] = ()
    answer: CrawlerAnswer | None = None
    not_asked: str | None = None
    visits: Visits | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyFinding:
    """A contradiction. All of them are infos: what is meant is up to the owner of the site.

    Attributes:
        kind: Its kind.
        severity: Always info.
        title: What is contradictory.
        evidence: What was seen.
        fix: What to do.
        agents: The crawlers that it is about; empty for all.
        seen_on: The day on which it was seen.
        source: The specification or documentation that it is based on.
    """

    kind: Contradiction
    severity: Severity
    title: str
    evidence: str
    fix: str
    agents: tuple[str, ...]
    seen_on: date
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyReport:
    """The policy of a site for crawlers.

    Attributes:
        url: The URL that was requested.
        checked_at: When, UTC.
        robots_url: The robots.txt.
        robots_status: Its HTTP status code; None without an answer.
        availability: Whether it could be read: `read`, `unavailable`, or `unreachable`.
        page_status: The HTTP status code of the address, asked for as urlset; None without an answer.
        page_error: Why the headers of the address are not known; None if they are.
        statements: What is stated about uses of the content.
        licenses: The licenses that robots.txt and the header `Link` of the page declare.
        llms: The llms.txt; None if nothing is known about it.
        crawlers: The crawlers, by operator and purpose.
        findings: The contradictions.
        logs_from: The start of the access logs; None without logs.
        logs_to: Their end.
        unknown: What cannot be known from here.
    """

    url: str
    checked_at: datetime
    robots_url: str
    robots_status: int | None
    availability: str
    page_status: int | None
    page_error: str | None
    statements: tuple[Statement, ...]
    licenses: tuple[License, ...]
    llms: LlmsFound | None
    crawlers: tuple[CrawlerPolicy, ...]
    findings: tuple[PolicyFinding, ...]
    logs_from: datetime | None = None
    logs_to: datetime | None = None
    unknown: tuple[str, ...] = ()

    def crawler(self, agent: str) -> CrawlerPolicy | None:
        """Return what applies to a crawler by its product token; None if it was not compared."""
        return next((crawler for crawler in self.crawlers if crawler.agent.lower() == agent.lower()), None)
