"""Say what a site declares to crawlers, what it answers to them, and where the two contradict each other.

Nothing is requested here: `pipeline/policy.py` does that. A contradiction is never called a mistake, because only the
owner of the site knows which side is meant.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from urlset.clients.causes import GOOGLE_ROBOTS, Observations, challenge_in, is_dropped
from urlset.clients.policy_block import PURPOSES, TRAINING, intended
from urlset.clients.rsl import RslError, parse_rsl
from urlset.model.client_check import Content
from urlset.model.policy import (
    Contradiction,
    CrawlerAnswer,
    CrawlerPolicy,
    Intent,
    License,
    LlmsFound,
    PolicyFinding,
    Reply,
    Statement,
    Use,
)
from urlset.net.status import TO_US
from urlset.net.urlparts import split_url
from urlset.probe.directives import of_header, of_meta
from urlset.rules.rule import Severity
from urlset.sources.sitemap_links import absolute_url, link_values
from urlset.text.sizes import enumeration, quantity
from urlset.web.agents import KNOWN_AGENTS, Obedience, Purpose, known_agent, tokens_of
from urlset.web.html_page import charset_of, read_page
from urlset.web.llms_txt import is_html, parse_llms
from urlset.web.managed_blocks import managed_blocks, writer_of
from urlset.web.robots_txt import Availability, Robots, VerdictReason, product_token

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from urlset.clients.send import Observed
    from urlset.model.client_check import Answer
    from urlset.model.policy import Visits
    from urlset.probe.directives import Directive
    from urlset.web.agents import KnownAgent
    from urlset.web.robots_content import ExtensionLine

RSL = "https://rslstandard.org/rsl"
SIGNALS = "https://contentsignals.org/"
USAGE = "https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/"
NOAI = "https://www.deviantart.com/team/journal/UPDATE-All-Deviations-Are-Opted-Out-of-AI-Datasets-934500371"
TDM = "https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/"

USE_OF: Mapping[Purpose, Use] = {
    Purpose.SEARCH: Use.SEARCH,
    Purpose.AI_SEARCH: Use.AI_INPUT,
    Purpose.AI_TRAINING: Use.AI_TRAIN,
    Purpose.USER: Use.AI_INPUT,
}
"""The use of content that the purpose of a crawler is."""

DIRECTIVES: Mapping[str, dict[Use, bool]] = {"noai": {Use.AI_TRAIN: False}, "noimageai": {}}
"""Directives of X-Robots-Tag and `<meta name=robots>` about AI. `noimageai` is about images, not pages."""

POLICY = "https://www.rfc-editor.org/rfc/rfc9309#section-2.2.1"
"""How a crawler finds the group that applies to it."""

UNKNOWN = (
    "whether your firewall tells real crawlers from others by their addresses: their user agents were sent from this "
    "machine",
    "whether a crawler follows what is declared; robots.txt and the other declarations are requests",
)
"""Limits of this comparison, as notes."""


UNREQUESTED = "it was not requested"
"""The reason why a license or page is not known."""


TRAINING_PREFERENCE = "training preference"
"""The key of a statement that is a group of robots.txt for the token of the draft."""


class Declarations(NamedTuple):
    """The statements and licenses that a site declares, and what its owner intends."""

    url: str
    robots: Robots
    statements: tuple[Statement, ...]
    licenses: tuple[License, ...]
    intent: Intent | None = None


def default_agents() -> list[KnownAgent]:
    """Return the crawlers to compare by default.

    They are those of search engines and AI that have a published user agent, and the tokens to opt out.
    """
    return [
        agent
        for agent in KNOWN_AGENTS
        if agent.purpose is not Purpose.SERVICE and (agent.user_agent or not agent.fetches)
    ]


def by_operator(agents: Iterable[KnownAgent]) -> tuple[KnownAgent, ...]:
    """Return crawlers by operator and purpose, each once."""
    chosen = list(dict.fromkeys(agents))
    operators = list(dict.fromkeys(agent.operator for agent in chosen))
    purposes = list(Purpose)
    return tuple(sorted(chosen, key=lambda agent: (operators.index(agent.operator), purposes.index(agent.purpose))))


def matches(pattern: str, url: str) -> bool:
    """Return whether a pattern, a path as in robots.txt or a URL, covers a URL.

    Example:
        >>> matches("/blog/*.html$", "https://example.com/blog/a.html"), matches("/blog/", "https://example.com/")
        (True, False)
    """
    line = re.sub(r"[\r\n#]", "", re.sub(r"^[a-z]+://[^/]*", "", pattern)) or "/"
    return not Robots.parse(f"User-agent: *\nDisallow: {line}".encode()).is_allowed("urlset", url)


def statements_of(
    robots: Robots, page: Observed | None, url: str, training_token: str | None = None
) -> Iterator[Statement]:
    """Yield what robots.txt, and the headers and robots directives of a page, state about uses.

    Args:
        training_token: The token that stands for AI training in robots.txt, if it is known.
    """
    yield from statements_of_robots(robots, url, training_token)
    if page is None or not page.answer.is_read:
        return
    headers = page.answer.headers
    is_html = page.answer.content is Content.HTML
    meta = read_page(page.start, charset=charset_of(headers.get("content-type"))).robots if is_html else ()
    yield from statements_of_page(headers, meta)


def statements_of_robots(robots: Robots, url: str, training_token: str | None = None) -> Iterator[Statement]:
    """Yield what robots.txt states about the uses of a URL; `training_token` as in `statements_of`."""
    groups = {group.agents[0].line: tuple(agent.value for agent in group.agents) for group in robots.groups}
    blocks = managed_blocks(robots.content)
    for line in robots.extensions:
        if line.key in ("Content-Signal", "Content-Usage"):
            agents = groups.get(line.group_line or 0, ())
            path = line.value.split(maxsplit=1)[0] if line.value.startswith("/") else "/"
            yield Statement(
                where=f"robots.txt line {line.line}",
                key=line.key,
                text=line.value,
                agents=() if "*" in agents else agents,
                uses=_uses(line) if agents and line.problem is None and matches(path, url) else {},
                problem=line.about or (None if agents else "it belongs to no group of robots.txt, so to no crawler"),
                written_by=writer_of(blocks, line.line),
            )
    if training_token is not None:
        yield from _training_preference(robots, url, training_token)


def _training_preference(robots: Robots, url: str, token: str) -> Iterator[Statement]:
    """Yield what the group for the token of the draft states; without such a group, nothing is stated."""
    agents = [agent for group in robots.groups for agent in group.agents if product_token(agent.value) == token.lower()]
    if agents:
        verdict = robots.verdict(token, url)
        line = verdict.line or agents[0].line
        yield Statement(
            where=f"robots.txt line {line}",
            key=TRAINING_PREFERENCE,
            text=f"{token}: {'allowed' if verdict.allowed else 'disallowed'}",
            uses={Use.AI_TRAIN: verdict.allowed},
            written_by=writer_of(managed_blocks(robots.content), line),
        )


def statements_of_page(headers: Mapping[str, str], meta: Iterable[tuple[str, str]]) -> Iterator[Statement]:
    """Yield what the headers of a page, by lowercase name, and its robots meta elements state about uses."""
    for key in ("Content-Signal", "Content-Usage"):
        if (value := headers.get(key.lower())) is not None:
            lines = Robots.parse(f"User-agent: *\n{key}: {_one_line(value)}".encode()).extensions
            uses = _uses(lines[0]) if lines and lines[0].problem is None else {}
            problem = lines[0].about if lines else None
            yield Statement(where=f"header {key}", key=key, text=value, uses=uses, problem=problem)
    if (tag := headers.get("x-robots-tag")) is not None:
        yield from _about_ai("header X-Robots-Tag", "X-Robots-Tag", of_header(tag))
    if headers.get("tdm-reservation", "").strip() in ("0", "1"):
        value = headers["tdm-reservation"].strip()
        uses = {Use.AI_TRAIN: False} if value == "1" else {}
        yield Statement(where="header TDM-Reservation", key="TDM-Reservation", text=value, uses=uses)
    for name, content in meta:
        yield from _about_ai(f"meta {name}", "meta robots", of_meta(name, content))


def _one_line(text: str) -> str:
    return re.sub(r"[\r\n#]", " ", text)


def _uses(line: ExtensionLine) -> dict[Use, bool]:
    signals = {Use.SEARCH: line.search, Use.AI_INPUT: line.ai_input, Use.AI_TRAIN: line.ai_train}
    return {use: allowed for use, allowed in signals.items() if allowed is not None}


def _about_ai(where: str, key: str, directives: Iterable[Directive]) -> Iterator[Statement]:
    for directive in directives:
        if directive.name in DIRECTIVES:
            agents = () if directive.agent == "*" else (directive.agent,)
            yield Statement(where=where, key=key, text=directive.name, agents=agents, uses=DIRECTIVES[directive.name])


class Declared(NamedTuple):
    """Where a license is declared.

    Attributes:
        line: The line of robots.txt.
        is_in_header: Whether the header `Link` names it.
        written: The value of the line, if it is relative.
    """

    line: int | None
    is_in_header: bool
    written: str | None = None

    @property
    def where(self) -> str:
        relative = "" if self.written is None else f", as the relative {self.written}"
        places = [] if self.line is None else [f"robots.txt line {self.line}{relative}"]
        return " and ".join([*places, "header Link"] if self.is_in_header else places)


def licenses_declared(robots: Robots, page: Observed | None) -> Mapping[str, Declared]:
    """Return the URLs of the licenses that robots.txt and the header `Link` of a page declare, with their places.

    RSL wants an absolute URL in robots.txt. A path is resolved as a browser would, to show what was meant.
    """
    lines: dict[str, Declared] = {}
    for line in robots.extensions:
        if line.key == "License" and not line.problem:
            lines.setdefault(line.value, Declared(line.line, False))
        elif line.key == "License" and line.value.startswith(("/", "./", "../")) and robots.url is not None:
            resolved = absolute_url(robots.url, line.value)
            if resolved is not None:
                lines.setdefault(resolved, Declared(line.line, False, line.value))
    found: list[str | None] = []
    if page is not None and page.answer.is_read:
        links = link_values(page.answer.headers.get("link", ""), "license")
        found = [absolute_url(page.answer.final_url, target) for target, _ in links]
    urls = dict.fromkeys([*lines, *(url for url in found if url is not None)])
    return {url: lines.get(url, Declared(None, False))._replace(is_in_header=url in found) for url in urls}


def license_of(
    url: str, declared: Declared, answered: Observed | None, address: str
) -> tuple[License, Statement | None]:
    """Return a declared license, and what it states about the uses of an address."""
    where, line = declared.where, declared.line
    answer = None if answered is None else answered.answer
    if answered is None or answer is None or not answer.is_read:
        why = UNREQUESTED if answer is None else answer.error or f"HTTP {answer.status}"
        status = None if answer is None else answer.status
        return License(url=url, where=where, line=line, status=status, problem=f"cannot be read: {why}"), None
    if not answer.is_whole or answer.bytes > len(answered.start):
        problem = "is too large to be read"
        return License(url=url, where=where, line=line, status=answer.status, problem=problem), None
    try:
        licenses = parse_rsl(answered.start)
    except RslError as error:
        return License(url=url, where=where, line=line, status=answer.status, problem=str(error)), None
    fitting = [rsl for rsl in licenses if matches(rsl.path, address)]
    longest = max((len(rsl.path) for rsl in fitting), default=0)
    fitting = [rsl for rsl in fitting if len(rsl.path) == longest]
    uses: dict[Use, bool] = {}
    for rsl in fitting:
        for use, allowed in rsl.uses().items():
            # Several licenses are a choice.
            uses[use] = uses.get(use, False) or allowed
    written = License(
        url=url,
        where=where,
        line=line,
        status=answer.status,
        permits=_once(name for rsl in fitting for name in rsl.permits),
        prohibits=_once(name for rsl in fitting for name in rsl.prohibits),
        payments=_once(name for rsl in fitting for name in rsl.payments),
    )
    text = written.terms or "nothing about this address"
    return written, Statement(where=f"license {url}", key="RSL", text=text, uses=uses)


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def llms_of(observed: Observed | None, url: str) -> LlmsFound:
    if observed is None or not observed.answer.is_read or is_html(observed.start) or not observed.start.strip():
        return LlmsFound(url=url, status=None if observed is None else observed.answer.status, is_found=False)
    text = parse_llms(observed.start)
    return LlmsFound(url=url, status=observed.answer.status, is_found=True, title=text.title, links=len(text.links))


def answer_of(observed: Observed) -> CrawlerAnswer:
    """Return what an answer means to a crawler."""
    answer = observed.answer
    challenge = challenge_in(Observations([observed], answer.url, is_sitemap=False), answer)
    if challenge is not None:
        return CrawlerAnswer(reply=Reply.CHALLENGE, status=answer.status, detail=challenge)
    if answer.is_read:
        return CrawlerAnswer(reply=Reply.ANSWERED, status=answer.status)
    if answer.status == 402:
        return CrawlerAnswer(reply=Reply.PAYMENT, status=402, detail=answer.headers.get("crawler-price"))
    if answer.status == 401:
        return CrawlerAnswer(reply=Reply.LOGIN, status=401)
    if (answer.status in TO_US and answer.status != 429) or answer.status in (406, 451) or is_dropped(answer):
        return CrawlerAnswer(reply=Reply.REFUSED, status=answer.status, detail=answer.error)
    return CrawlerAnswer(reply=Reply.ERROR, status=answer.status, detail=answer.error)


def crawler_policy(
    agent: KnownAgent,
    declared: Declarations,
    observed: Observed | None,
    not_asked: str | None,
    visits: Visits | None,
) -> CrawlerPolicy:
    verdict = declared.robots.verdict(agent.name, declared.url)
    is_intended = intended(declared.intent, agent.purpose, split_url(declared.url).path or "/")
    use = USE_OF.get(agent.purpose)
    statements = [] if use is None else [statement for statement in _for(declared, agent) if use in statement.uses]
    values = {statement.uses[use] for statement in statements} if use is not None else set()
    return CrawlerPolicy(
        agent=agent.name,
        operator=agent.operator,
        purpose=agent.purpose.value,
        source=agent.source,
        source_date=agent.date,
        follows=agent.robots.value,
        may_ignore=agent.may_ignore,
        allowed=verdict.allowed,
        reason=verdict.reason.value,
        line=verdict.line,
        group=verdict.group,
        line_written_by=writer_of(managed_blocks(declared.robots.content), verdict.line),
        intended=is_intended,
        use=use,
        stated=None if not values else "contradictory" if len(values) > 1 else "yes" if True in values else "no",
        stated_by=tuple(statement.where for statement in statements),
        answer=None if observed is None else answer_of(observed),
        not_asked=not_asked,
        # They are those of the site, which do not show what is done below a path.
        visits=visits if is_intended is intended(declared.intent, agent.purpose) else None,
    )


def _for(declared: Declarations, agent: KnownAgent) -> Iterator[Statement]:
    """Yield the statements that apply to a crawler. A group of robots.txt that names it replaces the group for all."""
    tokens = {token.lower() for token in tokens_of(agent.name)}
    own = declared.robots.group_of(agent.name)
    lines = {group.agents[0].line for group in own}
    in_own = {f"robots.txt line {line.line}" for line in declared.robots.extensions if line.group_line in lines}
    for statement in declared.statements:
        if statement.key == TRAINING_PREFERENCE:
            yield statement
        elif statement.is_in_robots:
            if statement.where in in_own and agent.robots is not Obedience.IGNORES:
                yield statement
        elif not statement.agents or tokens & {name.lower() for name in statement.agents}:
            yield statement


def contradictions(
    declared: Declarations, crawlers: Sequence[CrawlerPolicy], first: Answer | None, today: date
) -> tuple[PolicyFinding, ...]:
    evidence = [
        *_allowed_but_refused(declared, crawlers, first),
        *_forbidden_but_answered(declared, crawlers),
        *_twice(declared, crawlers),
        *_licenses(declared),
        *_intent(crawlers),
    ]
    return tuple(
        PolicyFinding(
            kind=item.kind,
            severity=Severity.INFO,
            title=_TITLES[item.kind],
            evidence=item.evidence,
            fix=_FIXES[item.kind],
            agents=tuple(item.agents),
            seen_on=today,
            source=item.source,
        )
        for item in evidence
    )


_TITLES = {
    Contradiction.ALLOWED_BUT_REFUSED: "robots.txt allows crawlers that are refused",
    Contradiction.FORBIDDEN_BUT_ANSWERED: "robots.txt disallows crawlers that are answered",
    Contradiction.DECLARED_TWICE: "Two declarations contradict each other",
    Contradiction.LICENSE_MISSING: "A declared license cannot be read",
    Contradiction.LICENSE_INVALID: "A declared license is not valid RSL",
    Contradiction.HEADER_CONTRADICTS: "The page and robots.txt contradict each other",
    Contradiction.INTENT_NOT_DECLARED: "The site's declarations contradict [policy]",
    Contradiction.INTENT_NOT_ANSWERED: "The server's responses contradict [policy]",
}
_FIXES = {
    Contradiction.ALLOWED_BUT_REFUSED: "Disallow them in robots.txt, or let them in: at the firewall, by the addresses "
    "that their operators publish. If only the real crawlers are let in, `--store` with access logs shows it.",
    Contradiction.FORBIDDEN_BUT_ANSWERED: "Refuse them at the edge, too, if you mean to enforce it; robots.txt is a "
    "request.",
    Contradiction.DECLARED_TWICE: "State each use once, or with the same meaning everywhere.",
    Contradiction.LICENSE_MISSING: "Publish the license at this URL, or remove the line.",
    Contradiction.LICENSE_INVALID: "Correct the document as RSL 1.0 describes.",
    Contradiction.HEADER_CONTRADICTS: "Send the same policy in the headers and in robots.txt.",
    Contradiction.INTENT_NOT_DECLARED: "Run `urlset robots FILE --write-policy`, or change [policy]. Lines that a "
    "network writes are changed in its settings.",
    Contradiction.INTENT_NOT_ANSWERED: "Change how the server responds to these crawlers, or change [policy].",
}


class _Evidence(NamedTuple):
    kind: Contradiction
    evidence: str
    source: str
    agents: Sequence[str] = ()


def _allowed_but_refused(
    declared: Declarations, crawlers: Sequence[CrawlerPolicy], first: Answer | None
) -> Iterator[_Evidence]:
    if declared.robots.availability is Availability.UNREACHABLE:
        return
    asks_for_money = any(terms.payments for terms in declared.licenses)
    refused: dict[str, list[str]] = {}
    for crawler in crawlers:
        answer, visits = crawler.answer, crawler.visits
        if not crawler.allowed or crawler.reason == VerdictReason.IGNORED:
            continue
        if visits is not None and visits.refused and not visits.answered:
            text = (
                f"the access logs have {quantity(visits.refused, 'verified request')}, last on {visits.last_on}, and "
            )
            refused.setdefault(f"{text}all were refused", []).append(crawler.agent)
        elif answer is not None and answer.reply not in (Reply.ANSWERED, Reply.ERROR):
            is_let_in = visits is not None and visits.answered > visits.refused
            if not (is_let_in or (answer.reply is Reply.PAYMENT and asks_for_money)):
                refused.setdefault(_reply(answer), []).append(crawler.agent)
    for reply, names in refused.items():
        own = "" if first is None or first.status is None else f" (to urlset: HTTP {first.status})"
        yield _Evidence(Contradiction.ALLOWED_BUT_REFUSED, f"{enumeration(names)}: {reply}{own}", GOOGLE_ROBOTS, names)


def _reply(answer: CrawlerAnswer) -> str:
    status = answer.detail or "no response" if answer.status is None else f"HTTP {answer.status}"
    detail = f", {answer.detail}" if answer.detail and answer.status is not None else ""
    return f"{status}{detail}"


def _forbidden_but_answered(declared: Declarations, crawlers: Sequence[CrawlerPolicy]) -> Iterator[_Evidence]:
    if declared.robots.availability is not Availability.READ:
        return
    source = "https://www.rfc-editor.org/rfc/rfc9309#section-3"
    closed = [crawler for crawler in crawlers if not crawler.allowed]
    answered = [
        crawler.agent for crawler in closed if crawler.answer is not None and crawler.answer.reply is Reply.ANSWERED
    ]
    if answered:
        yield _Evidence(Contradiction.FORBIDDEN_BUT_ANSWERED, f"{enumeration(answered)}: HTTP 200", source, answered)
    for crawler in closed:
        visits = crawler.visits
        # robots.txt disallows every request only of a crawler that may fetch nothing.
        is_closed = not any(declared.robots.is_allowed(crawler.agent, path) for path in ("/", "/urlset-any-page"))
        if visits is not None and visits.answered and is_closed:
            text = f"{crawler.agent}: {quantity(visits.answered, 'verified request')} in the access logs, last on "
            yield _Evidence(
                Contradiction.FORBIDDEN_BUT_ANSWERED, f"{text}{visits.last_on}, were answered", source, [crawler.agent]
            )


def _twice(declared: Declarations, crawlers: Sequence[CrawlerPolicy]) -> Iterator[_Evidence]:
    """Yield statements with different meanings that apply to the same crawlers."""
    pairs: dict[tuple[str, str, Use], list[str]] = {}
    for crawler in crawlers:
        agent = known_agent(crawler.agent)
        assert agent is not None
        statements = list(_for(declared, agent))
        for use in Use:
            # One pair for each two places: robots.txt, the page, and the license.
            allowing = {
                _place(statement): statement.where
                for statement in reversed(statements)
                if statement.uses.get(use) is True
            }
            against = {
                _place(statement): statement.where
                for statement in reversed(statements)
                if statement.uses.get(use) is False
            }
            for yes in allowing.values():
                for no in against.values():
                    pairs.setdefault((yes, no, use), []).extend([crawler.agent] if crawler.use is use else [])
        # A group that names a crawler and allows it is a statement about its use.
        is_named = crawler.reason == VerdictReason.RULE and crawler.allowed and crawler.group not in (None, "*")
        denied = [
            statement.where
            for statement in statements
            if _place(statement) == "page" and crawler.use and statement.uses.get(crawler.use) is False
        ]
        if is_named and denied and crawler.use is not None:
            pairs.setdefault((f"robots.txt line {crawler.line}", denied[0], crawler.use), []).append(crawler.agent)
    by_where = {statement.where: statement for statement in declared.statements}
    for (allowing_one, against_one, use), names in pairs.items():
        first, second = by_where.get(allowing_one), by_where[against_one]
        is_page = "page" in (_place(second), "" if first is None else _place(first))
        is_robots = second.is_in_robots or first is None or first.is_in_robots
        whom = f", for {enumeration(names)}" if names and first is not None else ""
        yield _Evidence(
            Contradiction.HEADER_CONTRADICTS if is_page and is_robots else Contradiction.DECLARED_TWICE,
            f"{allowing_one} allows {enumeration(names) if first is None else use.value}, and {against_one} disallows "
            f"{use.value}{whom}",
            _SOURCES.get(second.key, USAGE),
            names,
        )


def _place(statement: Statement) -> str:
    return "robots.txt" if statement.is_in_robots else "license" if statement.key == "RSL" else "page"


def _intent(crawlers: Sequence[CrawlerPolicy]) -> Iterator[_Evidence]:
    """Yield declarations and responses that contradict `[policy]`.

    What follows from a declaration, such as that an allowed crawler is answered, is not repeated here.
    """
    access: dict[str, list[CrawlerPolicy]] = {}
    stated: dict[str, list[CrawlerPolicy]] = {}
    for crawler in crawlers:
        agent = known_agent(crawler.agent)
        if crawler.intended is None or agent is None:
            continue
        wanted = f"[policy] says {PURPOSES[agent.purpose]} {'yes' if crawler.intended else 'no'}, and"
        if agent.robots is Obedience.IGNORES:
            yield from _unfollowed(crawler, wanted)
        elif crawler.allowed is not crawler.intended and crawler.reason != VerdictReason.UNREACHABLE:
            line = "" if crawler.line is None else f" line {crawler.line}"
            written = "" if crawler.line_written_by is None else f", which {crawler.line_written_by} writes,"
            verb = "allows" if crawler.allowed else "disallows"
            access.setdefault(f"{wanted} robots.txt{line}{written} {verb}", []).append(crawler)
        # ai-input is what is intended for answers; no statement is about agents alone.
        if agent.purpose is not Purpose.USER and crawler.stated not in (None, "yes" if crawler.intended else "no"):
            places = enumeration(crawler.stated_by)
            stated.setdefault(f"{wanted} {places} says {crawler.stated} to", []).append(crawler)
    for text, several in (*access.items(), *stated.items()):
        names = [crawler.agent for crawler in several]
        answered = sum(crawler.visits.answered for crawler in several if crawler.visits is not None)
        logged = f"; the access logs have {quantity(answered, 'answered request')}" if answered else ""
        yield _Evidence(Contradiction.INTENT_NOT_DECLARED, f"{text} {enumeration(names)}{logged}", POLICY, names)


def _unfollowed(crawler: CrawlerPolicy, wanted: str) -> Iterator[_Evidence]:
    """Yield what a crawler that does not follow robots.txt is answered against the intent: only the server decides."""
    visits, answer = crawler.visits, crawler.answer
    if visits is not None:
        count = visits.refused if crawler.intended else visits.answered
        verb = "refused" if crawler.intended else "answered"
        seen = f"the access logs have {quantity(count, f'{verb} request')} of {crawler.agent}" if count else None
    elif answer is not None and answer.reply is not Reply.ERROR:
        is_answered = answer.reply is Reply.ANSWERED
        seen = None if is_answered is crawler.intended else f"{crawler.agent} gets {_reply(answer)}"
    else:
        seen = None
    if seen is not None:
        text = f"{wanted} {seen}; it does not follow robots.txt"
        yield _Evidence(Contradiction.INTENT_NOT_ANSWERED, text, crawler.source, [crawler.agent])


_SOURCES = {
    "Content-Signal": SIGNALS,
    "Content-Usage": USAGE,
    "X-Robots-Tag": NOAI,
    "meta robots": NOAI,
    "TDM-Reservation": TDM,
    "RSL": RSL,
    TRAINING_PREFERENCE: TRAINING,
}


def _licenses(declared: Declarations) -> Iterator[_Evidence]:
    for terms in declared.licenses:
        if terms.problem is not None:
            is_missing = terms.problem.startswith("cannot be read: ") and not (
                terms.status and 200 <= terms.status < 300
            )
            kind = Contradiction.LICENSE_MISSING if is_missing else Contradiction.LICENSE_INVALID
            yield _Evidence(kind, f"{terms.where}: {terms.url} {terms.problem}", RSL)
