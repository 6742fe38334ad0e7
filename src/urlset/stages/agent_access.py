"""Count which listed URLs robots.txt blocks for which crawlers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.store.access import read_access
from urlset.store.page_selection import urls_of_host
from urlset.tables import ACCESS
from urlset.web.agents import KNOWN_AGENTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.model.audit import AgentAccess
    from urlset.store.file import Store
    from urlset.store.run import Run
    from urlset.web.robots_txt import Robots

AUDITED_AGENTS = (
    "Googlebot", "Bingbot", "GPTBot", "OAI-SearchBot", "ClaudeBot", "PerplexityBot", "Google-Extended",
    "Applebot-Extended", "CCBot", "meta-externalagent", "Amazonbot", "Bytespider",
)  # fmt: skip
"""The crawlers that an audit reports on: those of the large search engines, and well-known AI crawlers."""


def access_of_agents(
    store: Store, run: Run, robots: Mapping[str, tuple[int, Robots]], agents: Sequence[str] = AUDITED_AGENTS
) -> tuple[AgentAccess, ...]:
    """Count the listed URLs of a run that are blocked for crawlers, and store the counts in the table `access`.

    Args:
        robots: robots.txt with its document, by origin such as `https://example.com`.
        agents: The product tokens of the crawlers.
    """
    agents_by_name = {agent.name.lower(): agent for agent in KNOWN_AGENTS}
    chosen = [agents_by_name[name.lower()] for name in agents]
    for origin, (document_id, rules) in robots.items():
        scheme, _, place = origin.partition("://")
        host = place.rpartition(":")[0] if place.rpartition(":")[2].isdecimal() else place
        rows: dict[str, tuple[int, list[int]]] = {}
        for urls in urls_of_host(store, run.run_id, scheme, host):
            for section, access in rules.access(urls, [agent.name for agent in chosen]).items():
                count, forbidden = rows.get(section, (0, [0] * len(chosen)))
                summed = [a + b for a, b in zip(forbidden, access.forbidden, strict=True)]
                rows[section] = (count + access.urls, summed)
        run.add_rows(
            ACCESS.name,
            [
                {
                    "document_id": document_id, "host": host, "section": section, "agent": agent.name,
                    "urls": count, "blocked": closed,
                }
                for section, (count, forbidden) in rows.items()
                for agent, closed in zip(chosen, forbidden, strict=True)
            ],
        )  # fmt: skip
    run.commit()
    return read_access(store, run.run_id, chosen)
