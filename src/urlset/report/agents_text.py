"""Text list of the known crawlers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.agents import Obedience, Purpose
from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.agents import KnownAgent

TITLES = {
    Purpose.SEARCH: "Search engines",
    Purpose.AI_SEARCH: "AI search",
    Purpose.AI_TRAINING: "AI training",
    Purpose.USER: "On request of a user",
    Purpose.SERVICE: "Other services",
}

NOTES = {
    Obedience.FOLLOWS: "",
    Obedience.OWN_GROUP: "; ignores groups for *",
    Obedience.IGNORES: "; ignores robots.txt",
}


def render(agents: Sequence[KnownAgent], style: Style = Style()) -> Iterator[str]:
    """Yield the crawlers by purpose: product token, operator, documentation, and when it was compared."""
    width = max((len(agent.name) for agent in agents), default=0)
    for purpose, title in TITLES.items():
        yield style.paint(title, Role.HEADING)
        for agent in agents:
            if agent.purpose is purpose:
                opt_out = "" if agent.fetches else "; a token to opt out, which fetches nothing"
                yield f"  {agent.name:{width}}  {agent.operator}{NOTES[agent.robots]}{opt_out}"
                yield f"  {'':{width}}  {style.paint(f'{agent.source} ({agent.date})', Role.FAINT)}"
        yield ""
    yield f"{counted(len(agents), 'crawler')}. The date is that of the last comparison with the source."
