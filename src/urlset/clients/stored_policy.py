"""The policy of a site for crawlers, from a stored run: what was declared then, and what access logs show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.access_logs.visits import has_logs, verified_visits
from urlset.clients.policy import (
    UNREQUESTED,
    Declarations,
    by_operator,
    contradictions,
    crawler_policy,
    default_agents,
    licenses_declared,
    statements_of_page,
    statements_of_robots,
)
from urlset.clients.policy_block import intent_of
from urlset.model.policy import License, LlmsFound, PolicyReport
from urlset.net.origin import origin_url
from urlset.store.run_documents import read_robots_files
from urlset.store.site_files import policy_facts
from urlset.store.sites import site_of_url, sites_of
from urlset.store.stored_values import run_settings
from urlset.text.masking import mask_url
from urlset.web.managed_blocks import managed_blocks

if TYPE_CHECKING:
    from urlset.model.policy import Visits
    from urlset.model.run import RunRow
    from urlset.store.file import Store


def stored_policy(store: Store, run: RunRow) -> PolicyReport | None:
    """Return the policy of the site of a run; None if the run has no robots.txt of it, or of several sites."""
    sites = sites_of(run.targets)
    robots_files = [
        row
        for row in read_robots_files(store, run.run_id)
        # A run of a directory has the robots.txt of one site.
        if not sites or site_of_url(row[1].url or "") in sites
    ]
    if len(robots_files) != 1:
        return None
    [(document_id, robots)] = robots_files
    address = robots.url or ""
    home = f"{origin_url(address)}/"
    facts = policy_facts(store, run.run_id, document_id, home)
    settings = run_settings(run.settings)
    token = settings.policy_training_token
    statements = (*statements_of_robots(robots, home, token), *statements_of_page(facts.headers, facts.meta))
    declared = Declarations(home, robots, statements, (), intent_of(settings))
    visits: dict[str, Visits] = {}
    since = until = None
    if has_logs(store):
        visits, since, until = verified_visits(store, origin_url(address))
    crawlers = tuple(
        crawler_policy(agent, declared, None, None, visits.get(agent.name)) for agent in by_operator(default_agents())
    )
    made_at = run.finished_at or run.started_at
    return PolicyReport(
        url=mask_url(home),
        checked_at=made_at,
        robots_url=mask_url(address),
        robots_status=facts.robots_status,
        availability=robots.availability.value,
        page_status=facts.status,
        page_error=None if facts.status is not None else "the run did not request it",
        statements=statements,
        licenses=tuple(
            License(url=mask_url(url), where=declaration.where, line=declaration.line, status=None, problem=UNREQUESTED)
            for url, declaration in licenses_declared(robots, None).items()
        ),
        llms=None
        if facts.llms_url is None
        else LlmsFound(url=facts.llms_url, status=None, is_found=True, links=facts.llms_links),
        intent=declared.intent,
        managed=managed_blocks(robots.content),
        crawlers=crawlers,
        findings=contradictions(declared, crawlers, None, made_at.date()),
        logs_from=since,
        logs_to=until,
    )
