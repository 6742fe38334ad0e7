"""Compare robots.txt by meaning (which URLs crawlers may fetch) and llms.txt by links."""

from __future__ import annotations

from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from urlset.database.connections import batches
from urlset.model.page_changes import BlockedUrl, CrawlerChange, LlmsChanges, RobotsChanges
from urlset.net.urlparts import host_of, split_url
from urlset.store.page_selection import host_urls
from urlset.store.stored_values import stored_values
from urlset.tables import LLMS_LINKS, URLS
from urlset.web.agents import KNOWN_AGENTS, Obedience, is_of_google, obedience_of
from urlset.web.robots_txt import Availability, Robots, lines_by_agent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import duckdb

    from urlset._core import Table
    from urlset.comparison.run_tables import RunTables

ROBOTS = "urlset_robots"
"""The table with the bytes of the robots.txt files of runs."""

URLS_AT_ONCE = 100_000
"""Number of URLs to apply robots.txt to at once."""

OTHER_AGENT = "ExampleBot"
"""A crawler that no robots.txt names, to find out what applies to all others."""

ALL_OTHERS = "*"
"""Stands for all crawlers that a robots.txt does not name."""


def robots_changes(
    connection: duckdb.DuckDBPyConnection, before: RunTables, after: RunTables, max_examples: int
) -> Iterator[RobotsChanges]:
    """Yield what changed in the robots.txt files that both runs requested."""
    for old, new in _pairs(_files(connection, before), _files(connection, after)):
        if old.content == new.content and old.availability is new.availability:
            continue
        parts = split_url(new.url or "")
        urls = host_urls(after.rows(URLS), parts.scheme, host_of(new.url or "") or "")
        statement = f"{urls} ORDER BY document_id, ordinal"
        with closing(connection.cursor()) as cursor:
            changes = compare_robots(old, new, batches(cursor, statement, URLS_AT_ONCE), max_examples)
        if changes is not None:
            yield changes


def _files(connection: duckdb.DuckDBPyConnection, run: RunTables) -> list[Robots]:
    if not run.columns.get(ROBOTS):
        # A run on Spark keeps rows only.
        return []
    rows = connection.execute(
        f"SELECT url, availability, content FROM {run.prefix}{ROBOTS} WHERE {run.condition} ORDER BY document_id"
    ).fetchall()
    with stored_values(f"run {run.run_id}", "the robots.txt files"):
        return [Robots(content, url, Availability(availability)) for url, availability, content in rows]


def _pairs(before: Sequence[Robots], after: Sequence[Robots]) -> Iterator[tuple[Robots, Robots]]:
    """Yield the files of the same URL in pairs, or the only file of each side, such as that of a preview host."""
    if len(before) == len(after) == 1:
        yield before[0], after[0]
        return
    later = {robots.url: robots for robots in after}
    yield from ((robots, later[robots.url]) for robots in before if robots.url in later)


def compare_robots(old: Robots, new: Robots, urls: Iterable[Table], max_examples: int) -> RobotsChanges | None:
    """Return what changed between two robots.txt files; None if their meaning is the same.

    Args:
        urls: The listed URLs on the host of the new file, in batches, with the columns of `urls` for robots.txt.
        max_examples: Maximum number of URLs per crawler to return.
    """
    old_lines, new_lines = _lines(old), _lines(new)
    # The old rules are applied to the host of the new file, which may be another.
    listed, crawlers = _crawlers(Robots(old.content, new.url, old.availability), new, urls, max_examples)
    changes = RobotsChanges(
        url=new.url or "robots.txt",
        before=old.availability,
        after=new.availability,
        listed=listed,
        crawlers=tuple(sorted(crawlers, key=lambda change: (-change.lost - change.gained, change.agents))),
        lines_added=tuple(sorted(new_lines - old_lines)),
        lines_removed=tuple(sorted(old_lines - new_lines)),
    )
    is_changed = changes.crawlers or changes.lines_added or changes.lines_removed or changes.before is not changes.after
    return changes if is_changed else None


def _lines(robots: Robots) -> set[str]:
    lines = {f"Sitemap: {line.url}" for line in robots.sitemaps}
    return lines | {
        f"{line} (for {agent})" if agent != ALL_OTHERS else line
        for agent, own in lines_by_agent(robots).items()
        for line in own
    }


class _Rules(NamedTuple):
    """The rules of a robots.txt for a crawler, regardless of their order."""

    availability: Availability
    follows: str
    is_of_google: bool
    rules: frozenset[tuple[bool, str]]


def _rules_for(robots: Robots, agent: str) -> _Rules:
    groups = robots.group_of(agent) if robots.availability is Availability.READ else ()
    rules = frozenset((rule.allow, rule.pattern) for group in groups for rule in group.rules if rule.pattern)
    is_named = any(line.value.strip() != "*" for group in groups for line in group.agents)
    follows = f"{obedience_of(agent)}{' named' if is_named else ''}"
    return _Rules(robots.availability, follows, is_of_google(agent), rules)


Place = tuple[int, int]
Blocks = dict[Place, tuple[int | None, str | None]]
"""The rule that blocks each entry: its line and path."""


@dataclass
class _Found:
    """The listed URLs that some crawlers lost and gained."""

    lost: int = 0
    gained: int = 0
    lost_urls: list[BlockedUrl] = field(default_factory=list)
    gained_urls: list[BlockedUrl] = field(default_factory=list)
    digest: int = 0

    def add(self, before: Blocks, after: Blocks, url_at: Mapping[Place, str], limit: int) -> None:
        lost = [place for place in after if place not in before]
        gained = [place for place in before if place not in after]
        self.lost += len(lost)
        self.gained += len(gained)
        self.lost_urls += [BlockedUrl(url_at[place], *after[place]) for place in lost[: limit - len(self.lost_urls)]]
        self.gained_urls += [
            BlockedUrl(url_at[place], *before[place]) for place in gained[: limit - len(self.gained_urls)]
        ]
        self.digest = hash((self.digest, tuple(lost), tuple(gained)))


def _crawlers(old: Robots, new: Robots, urls: Iterable[Table], limit: int) -> tuple[int, list[CrawlerChange]]:
    """Return the number of listed URLs, and the crawlers that lost or gained some."""
    alike: dict[tuple[_Rules, _Rules], list[str]] = defaultdict(list)
    for agent in _agents(old, new):
        rules = _rules_for(old, agent), _rules_for(new, agent)
        if rules[0] != rules[1]:
            alike[rules].append(agent)
    names = list(alike.values())
    found = [_Found() for _ in names]
    listed = 0
    for batch in urls:
        listed += batch.num_rows
        places = list(zip(batch.column("document_id"), batch.column("ordinal"), strict=True))
        url_at = dict(zip(places, batch.column("loc"), strict=True))
        blocked = (_blocked(robots, batch, [first for first, *_ in names], places) for robots in (old, new))
        for one, before, after in zip(found, *blocked, strict=True):
            one.add(before, after, url_at, limit)
    same: dict[int, CrawlerChange] = {}
    for agents, one in zip(names, found, strict=True):
        if one.lost or one.gained:
            others = same[one.digest].agents if one.digest in same else ()
            together = tuple(sorted({*others, *(ALL_OTHERS if name == OTHER_AGENT else name for name in agents)}))
            same[one.digest] = CrawlerChange(
                together, one.lost, one.gained, tuple(one.lost_urls), tuple(one.gained_urls)
            )
    return listed, list(same.values())


def _agents(old: Robots, new: Robots) -> Iterable[str]:
    """Return the known crawlers, those that a file names, and one that stands for all others."""
    agents = {agent.name.lower(): agent.name for agent in KNOWN_AGENTS}
    for group in (*old.groups, *new.groups):
        for line in group.agents:
            name = line.value.partition("/")[0].strip()
            if name not in ("*", ""):
                agents.setdefault(name.lower(), name)
    return (*agents.values(), OTHER_AGENT)


def _blocked(robots: Robots, urls: Table, agents: Sequence[str], places: Sequence[Place]) -> list[Blocks]:
    """Return the entries that each crawler must not fetch."""
    if robots.availability is Availability.UNREACHABLE:
        everything: Blocks = dict.fromkeys(places, (None, None))
        return [{} if obedience_of(agent) is Obedience.IGNORES else everything for agent in agents]
    blocked: list[Blocks] = [{} for _ in agents]
    names = ("position", "document_id", "ordinal", "robots_line", "pattern")
    rows = robots.blocked_urls(urls, agents, 0)
    for position, document_id, ordinal, line, pattern in zip(*(rows.column(name) for name in names), strict=True):
        blocked[position][document_id, ordinal] = line, pattern
    return blocked


# At most 1,000 links of a file are kept.
_LLMS = """
WITH before AS ({}), after AS ({})
SELECT url, coalesce(list(n.link ORDER BY n.link) FILTER (o.link IS NULL), []),
    coalesce(list(o.link ORDER BY o.link) FILTER (n.link IS NULL), [])
FROM before AS o FULL JOIN after AS n USING (url, link)
WHERE url IN (SELECT url FROM before) AND url IN (SELECT url FROM after)
GROUP BY url HAVING count(*) > count(o.link) OR count(*) > count(n.link)
ORDER BY url
"""


def llms_changes(
    connection: duckdb.DuckDBPyConnection, before: RunTables, after: RunTables, max_examples: int
) -> Iterator[LlmsChanges]:
    """Yield the changed links of each llms.txt that both runs read."""
    if not all(LLMS_LINKS.name in run.columns for run in (before, after)):
        return
    links = (
        f"SELECT DISTINCT url, coalesce(target, written) AS link FROM {run.rows(LLMS_LINKS)}" for run in (before, after)
    )
    for url, added, removed in connection.execute(_LLMS.format(*links)).fetchall():
        yield LlmsChanges(url, len(added), len(removed), tuple(added[:max_examples]), tuple(removed[:max_examples]))
