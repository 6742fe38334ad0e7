"""Stores and reads how many listed URLs of a run are blocked for crawlers: its rows of `access`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.audit import AgentAccess
from urlset.store.file import RUN_ID
from urlset.tables import ACCESS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from urlset.store.file import Store
    from urlset.web.agents import KnownAgent

MAX_SECTIONS = 20
"""Maximum number of sections to list per crawler."""


def read_access(store: Store, run_id: int, agents: Iterable[KnownAgent]) -> tuple[AgentAccess, ...]:
    """Return what robots.txt blocks for each crawler in a run, the sections with the most blocked URLs first."""
    rows = store.rows(
        f"SELECT agent, host || section AS place, sum(urls), sum(blocked) FROM {ACCESS.name} "
        f"WHERE {RUN_ID} = {run_id:d} GROUP BY agent, place ORDER BY sum(blocked) DESC, place"
    )
    if not rows:
        return ()
    access = []
    for agent in agents:
        own = [(place, int(urls), int(blocked)) for name, place, urls, blocked in rows if name == agent.name]
        closed = tuple(section for section in own if section[2])
        urls, blocked = sum(section[1] for section in own), sum(section[2] for section in own)
        access.append(AgentAccess(agent, urls, blocked, closed[:MAX_SECTIONS]))
    return tuple(access)
