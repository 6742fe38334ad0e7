"""Result of comparing what a site declares to crawlers with what it answers, and with what access logs show."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated

from msgspec import Struct, field

from urlset.model.fields import NonNegativeInt, PositiveInt, about
from urlset.rules.rule import Severity
from urlset.text.sizes import enumeration
from urlset.web.managed_blocks import ManagedBlock


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
    INTENT_NOT_DECLARED = "intent-not-declared"
    INTENT_NOT_ANSWERED = "intent-not-answered"


class Intent(Struct, frozen=True, kw_only=True):
    """The uses of its content that the site intends to allow, from `[policy]` of the configuration file."""

    search: Annotated[bool | None, about("Whether search engines may use the pages; None if it is not stated.")] = None
    ai_answers: Annotated[
        bool | None, about("Whether AI search engines may use them in answers; None if it is not stated.")
    ] = None
    training: Annotated[bool | None, about("Whether models may be trained on them; None if it is not stated.")] = None
    agents: Annotated[
        bool | None, about("Whether assistants may fetch them on request of a user; None if it is not stated.")
    ] = None
    denied: Annotated[
        Mapping[str, tuple[str, ...]],
        about("The uses that are not allowed below a path, by path: search, ai-answers, training, or ai-agents."),
    ] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """What is stated, such as `search yes, training no, no training of /members/`; empty if nothing is."""
        stated = {
            "search": self.search,
            "AI answers": self.ai_answers,
            "training": self.training,
            "agents": self.agents,
        }
        words = [f"{name} {'yes' if value else 'no'}" for name, value in stated.items() if value is not None]
        words += [f"{path}: no {enumeration(uses, 'or')}" for path, uses in self.denied.items()]
        return ", ".join(words)


class Statement(Struct, frozen=True, kw_only=True):
    """What one place says about uses of the content."""

    where: Annotated[str, about("The place, such as `robots.txt line 4` or `header X-Robots-Tag`.")]
    key: Annotated[
        str,
        about(
            "`Content-Signal`, `Content-Usage`, `X-Robots-Tag`, `TDM-Reservation`, `meta robots`, `RSL`, or "
            "`training preference`."
        ),
    ]
    text: Annotated[str, about("The value as written.")]
    agents: Annotated[tuple[str, ...], about("The product tokens that it applies to; empty for all crawlers.")] = ()
    uses: Annotated[dict[Use, bool], about("Whether it allows each use that it mentions.")]
    problem: Annotated[str | None, about("What is wrong with it, as a phrase; None if it is valid.")] = None
    written_by: Annotated[
        str | None, about("The network that adds the line to robots.txt, such as `Cloudflare`; None if none does.")
    ] = None

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
    may_ignore: Annotated[
        bool, about("True if the operator of the crawler says that requests on behalf of users may ignore robots.txt.")
    ]
    allowed: Annotated[bool, about("Whether robots.txt allows the address.")]
    reason: Annotated[str, about("Why, as in `urlset robots`.")]
    line: Annotated[PositiveInt | None, about("The line of the rule that decides; None if no rule does.")] = None
    group: Annotated[str | None, about("The `User-agent` of the group that applies; None if there is none.")] = None
    line_written_by: Annotated[
        str | None, about("The network that adds this line to robots.txt, such as `Cloudflare`; None if none does.")
    ] = None
    intended: Annotated[bool | None, about("Whether `[policy]` intends its use; None if it does not say.")] = None
    use: Annotated[Use | None, about("The use that its purpose is; None for other services.")] = None
    stated: Annotated[
        str | None,
        about("Whether this use is stated to be allowed: `yes`, `no`, or `contradictory`; None if nothing states it."),
    ] = None
    stated_by: Annotated[tuple[str, ...], about("The places that state it.")] = ()
    answer: Annotated[
        CrawlerAnswer | None, about("Response of the site to it; None if no request was sent as this crawler.")
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
    intent: Annotated[Intent | None, about("Content of `[policy]` in the configuration file; None without it.")] = None
    managed: Annotated[
        tuple[ManagedBlock, ...], about("The blocks of robots.txt that a network or urlset writes, with their lines.")
    ] = ()
    crawlers: Annotated[tuple[CrawlerPolicy, ...], about("The crawlers, by operator and purpose.")]
    findings: Annotated[tuple[PolicyFinding, ...], about("The contradictions.")]
    logs_from: Annotated[datetime | None, about("The start of the access logs; None without logs.")] = None
    logs_to: Annotated[datetime | None, about("Their end.")] = None
    unknown: Annotated[tuple[str, ...], about("What this check cannot tell.")] = ()

    def crawler(self, agent: str) -> CrawlerPolicy | None:
        """Return what applies to a crawler by its product token; None if it was not compared."""
        return next((crawler for crawler in self.crawlers if crawler.agent.lower() == agent.lower()), None)


class PolicyGroup(Struct, frozen=True, kw_only=True):
    """A group that `--write-policy` writes, for the crawlers of one operator."""

    operator: Annotated[str, about("The company that runs them; empty for the groups that are about no crawler.")]
    purpose: Annotated[str, about("What they fetch pages for, or what the group states.")]
    agents: Annotated[tuple[str, ...], about("Their product tokens.")]
    lines: Annotated[tuple[str, ...], about("The lines below the `User-agent` lines.")]
    source: Annotated[str, about("The documentation that says what they follow.")]
    source_date: Annotated[date | None, about("The day on which it was last read; None for specifications.")] = None


class UnwrittenCrawler(Struct, frozen=True, kw_only=True):
    """A crawler that the policy is about, and for which no group is written."""

    agent: Annotated[str, about("Its product token.")]
    operator: Annotated[str, about("The company that runs it.")]
    reason: Annotated[str, about("Why, as a phrase.")]
    source: Annotated[str, about("The documentation that says so.")]


class CrawlerVerdicts(Struct, frozen=True, kw_only=True):
    """How many of the URLs a crawler may fetch, before and after."""

    agent: Annotated[str, about("Its product token.")]
    operator: Annotated[str, about("The company that runs it.")]
    before: Annotated[NonNegativeInt, about("Number of URLs that the present file allows.")]
    after: Annotated[NonNegativeInt, about("Number of URLs that the new file allows.")]


class PolicyFile(Struct, frozen=True, kw_only=True):
    """What `robots --write-policy` writes into a robots.txt, and which verdicts it changes."""

    path: Annotated[str, about("The robots.txt.")]
    intent: Annotated[Intent, about("Content of `[policy]` in the configuration file.")]
    is_changed: Annotated[bool, about("Whether the new file differs from the present one.")]
    is_new: Annotated[bool, about("Whether the file does not exist yet.")]
    groups: Annotated[tuple[PolicyGroup, ...], about("The groups between the markers.")]
    unwritten: Annotated[tuple[UnwrittenCrawler, ...], about("The crawlers that no group is written for.")]
    urls: Annotated[NonNegativeInt, about("Number of URLs for which the verdicts were compared.")]
    sitemaps: Annotated[tuple[str, ...], about("The sitemaps or lists that these URLs are from.")]
    crawlers: Annotated[
        tuple[CrawlerVerdicts, ...],
        about("The verdicts of the crawlers that change, and of the requested ones."),
    ]
    unchanged: Annotated[NonNegativeInt, about("Number of known crawlers without a changed verdict.")]
    notes: Annotated[tuple[str, ...], about("Contradictions of the policy, and crawlers that it does not reach.")]
    block: Annotated[str, about("The lines that are written, with their markers.")]
