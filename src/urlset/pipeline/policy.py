"""`robots --policy`: what a site declares to crawlers, what it answers to them, and what access logs show."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlunsplit

from urlset.access_logs.visits import verified_visits
from urlset.clients.policy import (
    UNKNOWN,
    UNREQUESTED,
    Declarations,
    by_operator,
    contradictions,
    crawler_policy,
    default_agents,
    license_of,
    licenses_declared,
    llms_of,
    statements_of,
)
from urlset.clients.policy_block import intent_of
from urlset.clients.requests import FIRST, Group, Request, requests_as
from urlset.clients.send import Sender
from urlset.errors import UsageError
from urlset.model.client_check import NotTried
from urlset.model.policy import PolicyReport
from urlset.net.origin import origin_of, origin_url
from urlset.net.urlparts import split_url
from urlset.pipeline.clients import check_direct
from urlset.sources import url_of
from urlset.stages.named import trust_in
from urlset.stages.session import Session
from urlset.store.file import Store
from urlset.text.masking import mask_url
from urlset.text.progress import ProgressEvent
from urlset.web.agents import DEFAULT_AGENTS, KNOWN_AGENTS, age_of_list, known_agent
from urlset.web.managed_blocks import managed_blocks
from urlset.web.robots_txt import Robots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.clients.send import Observed
    from urlset.model.policy import License, Statement, Visits
    from urlset.options.verbs import PolicyOptions
    from urlset.text.progress import Progress
    from urlset.web.agents import KnownAgent

MAX_LICENSES = 5
"""Licenses to request. Our choice."""

TOKENS_ONLY = "a token to opt out, which fetches nothing"
NO_USER_AGENT = "no user agent of it is published"


class _Observations:
    """What was observed of a site."""

    def __init__(self, url: str) -> None:
        self.page: Observed | None = None
        self.llms: Observed | None = None
        self.robots_status: int | None = None
        self.robots = Robots.of_answer(None, None, url)
        self.statements: list[Statement] = []
        self.licenses: list[License] = []
        self.crawlers: dict[str, Observed] = {}


def policy(target: str, options: PolicyOptions, progress: Progress | None = None) -> PolicyReport:
    """Compare what a site declares to crawlers with what it answers, and with what access logs show.

    Args:
        target: The site, or the URL of one of its pages.
        progress: Called after each request.

    Raises:
        InputError: The store cannot be read, or has no access logs.
        UsageError: The target is not a URL, or a proxy is configured.
    """
    url = _page_url(target)
    check_direct(options, "--policy")
    agents = crawlers_of(options)
    visits: dict[str, Visits] = {}
    since = until = None
    if options.store is not None:
        with Store.read(options.store) as store:
            visits, since, until = verified_visits(store, origin_url(url))
    observations = _Observations(url)
    with Session(options, trust_in([url], options, discover=False), progress) as session:
        asyncio.run(_ask(session, url, agents if options.clients else (), observations, options.policy_training_token))
    checked_at = datetime.now(UTC)
    declared = Declarations(
        url, observations.robots, tuple(observations.statements), tuple(observations.licenses), intent_of(options)
    )
    crawlers = tuple(
        crawler_policy(
            agent,
            declared,
            observations.crawlers.get(agent.name),
            _why_not(agent) if options.clients else None,
            visits.get(agent.name),
        )
        for agent in agents
    )
    first = None if observations.page is None else observations.page.answer
    return PolicyReport(
        url=mask_url(url),
        checked_at=checked_at,
        robots_url=mask_url(_at(url, "/robots.txt")),
        robots_status=observations.robots_status,
        availability=observations.robots.availability.value,
        page_status=None if first is None else first.status,
        page_error=_page_error(observations.page),
        statements=declared.statements,
        licenses=declared.licenses,
        llms=llms_of(observations.llms, mask_url(_at(url, "/llms.txt"))),
        intent=declared.intent,
        managed=managed_blocks(observations.robots.content),
        crawlers=crawlers,
        findings=contradictions(declared, crawlers, first, checked_at.date()),
        logs_from=since,
        logs_to=until,
        unknown=(*UNKNOWN, *([age] if (age := age_of_list(checked_at.date())) is not None else [])),
    )


def crawlers_of(options: PolicyOptions) -> tuple[KnownAgent, ...]:
    """Return the crawlers to compare, by operator and purpose.

    Raises:
        UsageError: A crawler is not known.
    """
    if tuple(options.agents) == DEFAULT_AGENTS:
        return by_operator(KNOWN_AGENTS if options.all_agents else default_agents())
    chosen = []
    for name in options.agents:
        if (agent := known_agent(name)) is None:
            raise UsageError(f"{name} is not a crawler that urlset knows; `urlset robots --list-agents` lists them")
        chosen.append(agent)
    return by_operator(chosen)


def _why_not(agent: KnownAgent) -> str | None:
    return None if agent.user_agent else NO_USER_AGENT if agent.fetches else TOKENS_ONLY


def _page_url(target: str) -> str:
    url = url_of(target)
    if url is None or origin_of(url) is None:
        raise UsageError(
            "--policy requires a site or the URL of a page, not a file; it compares robots.txt with what the site "
            "declares elsewhere, and with how its server responds (--all-agents shows how a file applies to each "
            "crawler)"
        )
    parts = split_url(url)
    return urlunsplit(parts._replace(path="/" if parts.path in ("", "/robots.txt") else parts.path, fragment=""))


def _at(url: str, path: str) -> str:
    return urlunsplit(split_url(url)._replace(path=path, query=""))


def _page_error(page: Observed | None) -> str | None:
    if page is None:
        return UNREQUESTED
    return None if page.answer.is_read else page.answer.error or f"HTTP {page.answer.status}"


async def _ask(
    session: Session, url: str, agents: Sequence[KnownAgent], observations: _Observations, training_token: str | None
) -> None:
    async with Sender(session) as sender:
        await _send_all(sender, url, agents, observations, session.progress)
    # Licenses are statements as well.
    in_files = statements_of(observations.robots, observations.page, url, training_token)
    observations.statements = [*in_files, *observations.statements]


async def _send_all(
    sender: Sender, url: str, agents: Sequence[KnownAgent], observations: _Observations, progress: Progress | None
) -> None:
    origin = origin_of(url)
    count = 0
    as_crawlers = list(requests_as(agents))

    async def get(request: Request, *, is_linked: bool = False) -> Observed | None:
        nonlocal count
        sent = await sender.send(request, url, None, via=origin if is_linked else None)
        count += 1
        if progress is not None:
            progress(ProgressEvent(count, 3 + len(observations.licenses) + len(as_crawlers), request.about))
        return None if isinstance(sent, NotTried) else sent

    def file(name: str, address: str) -> Request:
        return Request(name=name, group=Group.ROBOTS, about=name, url=address, reads_all=True)

    observed = await get(file("robots.txt", _at(url, "/robots.txt")))
    if observed is not None:
        answer = observed.answer
        observations.robots_status = answer.status
        # A redirect that leads nowhere means that there is no robots.txt: RFC 9309, section 2.3.1.2.
        content = observed.start if answer.is_read else None
        status = answer.status if answer.error_kind is None or not answer.is_read else None
        observations.robots = Robots.of_answer(status, content, _at(url, "/robots.txt"))
    observations.page = await get(Request(name=FIRST, group=Group.SAME, about="as urlset"))
    observations.llms = await get(file("llms.txt", _at(url, "/llms.txt")))
    for place, where in list(licenses_declared(observations.robots, observations.page).items())[:MAX_LICENSES]:
        observed = await get(file("license", place), is_linked=True)
        declared, statement = license_of(mask_url(place), where, observed, url)
        observations.licenses.append(declared)
        observations.statements += [statement] if statement is not None else []
    for request in as_crawlers:
        observed = await get(request)
        if observed is not None:
            observations.crawlers[request.name] = observed
