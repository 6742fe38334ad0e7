"""Result of comparing what a site declares to crawlers with what it answers, and with what access logs show."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated

from msgspec import Struct

from urlset.model.fields import NonNegativeInt, PositiveInt, about
from urlset.rules.rule import Severity
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


class Statement(Struct, frozen=True, kw_only=True):
    """What one place says about uses of the content."""

    where: Annotated[str, about("The place, such as `robots.txt line 4` or `header X-Robots-Tag`.")]
    key: Annotated[
        str, about("`Content-Signal`, `Content-Usage`, `X-Robots-Tag`, `TDM-Reservation`, `meta robots`, or `RSL`.")
    ]
    text: Annotated[str, about("The value as written.")]
    agents: Annotated[tuple[str, ...], about("The product tokens that it applies to; empty for all crawlers.")] = ()
    uses: Annotated[dict[Use, bool], about("Whether it allows each use that it mentions.")]
    problem: Annotated[str | None, about("What is wrong with it, as a phrase; None if it is valid.")] = None

    @property
    def is_in_robots(self) -> bool:
        """Whether it is in robots.txt."""
        return self.where.startswith("robots.txt")


class License(Struct, frozen=True, kw_only=True):
    """A license that robots.txt or the header `Link` of the page declares."""

    url: Annotated[str, about("Its URL.")]
    where: Annotated[str, about("Where it is declared, such as `robots.txt line 2 and header Link`.")]
    line: Annotated[PositiveInt | None, about("The line of robots.txt; None if only a header declares it.")]
    status: Annotated[NonNegativeInt | None, about("The HTTP status code; None without an answer.")]
    problem: Annotated[str | None, about("Why it is missing or invalid, as a phrase; None if it is valid.")] = None
    permits: Annotated[tuple[str, ...], about("The uses that it permits for the address, as written.")] = ()
    prohibits: Annotated[tuple[str, ...], about("The uses that it prohibits for the address, as written.")] = ()
    payments: Annotated[
        tuple[str, ...], about("Types of payment that it asks for, each with the amount if it states one.")
    ] = ()

    @property
    def terms(self) -> str:
        """What it says about the address; empty if it says nothing."""
        terms = [f"permits {enumeration(self.permits)}"] if self.permits else []
        terms += [f"prohibits {enumeration(self.prohibits)}"] if self.prohibits else []
        terms += [f"payment: {enumeration(self.payments)}"] if self.payments else []
        return "; ".join(terms)


class LlmsFound(Struct, frozen=True, kw_only=True):
    """The llms.txt of the site."""

    url: Annotated[str, about("Its URL.")]
    status: Annotated[NonNegativeInt | None, about("The HTTP status code; None without an answer.")]
    is_found: Annotated[bool, about("Whether it is a text file.")]
    title: Annotated[str | None, about("Its title; None without one.")] = None
    links: Annotated[NonNegativeInt, about("Number of its links.")] = 0


class CrawlerAnswer(Struct, frozen=True, kw_only=True):
    """What the site answers to a crawler, asked under its user agent."""

    reply: Annotated[Reply, about("What it means.")]
    status: Annotated[NonNegativeInt | None, about("The HTTP status code; None without an answer.")]
    detail: Annotated[
        str | None, about("The name of the challenge, the price, or the error; None if the status says all.")
    ] = None


class Visits(Struct, frozen=True, kw_only=True):
    """The requests of a crawler in access logs, verified by its addresses."""

    hits: Annotated[NonNegativeInt, about("Number of requests.")]
    answered: Annotated[NonNegativeInt, about("Number of them that were answered with 2xx or 304.")]
    refused: Annotated[NonNegativeInt, about("Number of them that were answered with 401, 402, or 403.")]
    first_on: Annotated[date, about("The first day.")]
    last_on: Annotated[date, about("The last day.")]


class CrawlerPolicy(Struct, frozen=True, kw_only=True):
    """What is declared to a crawler, what it is answered, and what it did."""

    agent: Annotated[str, about("Its product token.")]
    operator: Annotated[str, about("The company that runs it.")]
    purpose: Annotated[
        str, about("What it fetches pages for: `search`, `ai-search`, `ai-training`, `user`, or `service`.")
    ]
    source: Annotated[str, about("The documentation that these facts come from.")]
    source_date: Annotated[date, about("The day on which they were last compared with it.")]
    follows: Annotated[str, about("Which part of robots.txt it follows: `follows`, `own-group`, or `ignores`.")]
    allowed: Annotated[bool, about("Whether robots.txt allows the address.")]
    reason: Annotated[str, about("Why, as in `urlset robots`.")]
    line: Annotated[PositiveInt | None, about("The line of the rule that decides; None if no rule does.")] = None
    group: Annotated[str | None, about("The `User-agent` of the group that applies; None if there is none.")] = None
    use: Annotated[Use | None, about("The use that its purpose is; None for other services.")] = None
    stated: Annotated[
        str | None,
        about("Whether this use is stated to be allowed: `yes`, `no`, or `contradictory`; None if nothing states it."),
    ] = None
    stated_by: Annotated[tuple[str, ...], about("The places that state it.")] = ()
    answer: Annotated[
        CrawlerAnswer | None, about("What the site answers to it; None if it was not asked as this crawler.")
    ] = None
    not_asked: Annotated[str | None, about("Why no request was sent; None if one was, or if none was planned.")] = None
    visits: Annotated[Visits | None, about("Its verified requests in the access logs; None without any.")] = None


class PolicyFinding(Struct, frozen=True, kw_only=True):
    """A contradiction. All of them are infos: what is meant is up to the owner of the site."""

    kind: Annotated[Contradiction, about("Its kind.")]
    severity: Annotated[Severity, about("Always info.")]
    title: Annotated[str, about("What is contradictory.")]
    evidence: Annotated[str, about("What was seen.")]
    fix: Annotated[str, about("What to do.")]
    agents: Annotated[tuple[str, ...], about("The crawlers that it is about; empty for all.")]
    seen_on: Annotated[date, about("The day on which it was seen.")]
    source: Annotated[str, about("The specification or documentation that it is based on.")]


class PolicyReport(Struct, frozen=True, kw_only=True):
    """The policy of a site for crawlers."""

    url: Annotated[str, about("The URL that was requested.")]
    checked_at: Annotated[datetime, about("When, UTC.")]
    robots_url: Annotated[str, about("The robots.txt.")]
    robots_status: Annotated[NonNegativeInt | None, about("Its HTTP status code; None without an answer.")]
    availability: Annotated[str, about("Whether it could be read: `read`, `unavailable`, or `unreachable`.")]
    page_status: Annotated[
        NonNegativeInt | None,
        about("The HTTP status code of the address, asked for as urlset; None without an answer."),
    ]
    page_error: Annotated[str | None, about("Why the headers of the address are not known; None if they are.")]
    statements: Annotated[tuple[Statement, ...], about("What is stated about uses of the content.")]
    licenses: Annotated[
        tuple[License, ...], about("The licenses that robots.txt and the header `Link` of the page declare.")
    ]
    llms: Annotated[LlmsFound | None, about("The llms.txt; None if nothing is known about it.")]
    crawlers: Annotated[tuple[CrawlerPolicy, ...], about("The crawlers, by operator and purpose.")]
    findings: Annotated[tuple[PolicyFinding, ...], about("The contradictions.")]
    logs_from: Annotated[datetime | None, about("The start of the access logs; None without logs.")] = None
    logs_to: Annotated[datetime | None, about("Their end.")] = None
    unknown: Annotated[tuple[str, ...], about("What this check cannot tell.")] = ()

    def crawler(self, agent: str) -> CrawlerPolicy | None:
        """Return what applies to a crawler by its product token; None if it was not compared."""
        return next((crawler for crawler in self.crawlers if crawler.agent.lower() == agent.lower()), None)
