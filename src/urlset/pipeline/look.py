"""Looking at listed pages on behalf of a run: from the URLs of its store to the rows of `pages` in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.agents import KNOWN_AGENTS
from urlset.engine.sql import quote
from urlset.errors import Unreadable
from urlset.model.audit import AgentAccess, Inventory, MediaSeen, PagesSeen, Share
from urlset.probe.facts import PRIVATE, ROBOTS_UNREACHABLE, Wanted
from urlset.probe.looking import Prober
from urlset.probe.media import MediaLook
from urlset.store.file import RUN_ID, empty
from urlset.store.media import MediaSelection
from urlset.store.pages import Selection, Wish, urls_of_host
from urlset.store.reading import origins_of_documents
from urlset.tables import ACCESS, MEDIA, PAGES, URLS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from urlset.agents import KnownAgent
    from urlset.fetch.fetcher import Fetcher
    from urlset.options.probing import ProbingOptions
    from urlset.probe.looking import Spent
    from urlset.robots import Robots
    from urlset.store.file import Store
    from urlset.store.pages import Chosen
    from urlset.store.run import Run
    from urlset.tables import Table

AUDITED_AGENTS = (
    "Googlebot", "Bingbot", "GPTBot", "OAI-SearchBot", "ClaudeBot", "PerplexityBot", "Google-Extended",
    "Applebot-Extended", "CCBot", "meta-externalagent", "Amazonbot", "Bytespider",
)  # fmt: skip
"""The crawlers that an audit speaks of: those of the large engines, and those of AI that people allow or forbid."""

MOST_SECTIONS = 20
"""Sections that are named for a crawler, at most."""

GOOD = """status BETWEEN 200 AND 299 AND coalesce(trouble, 'too-large') = 'too-large' AND noindex IS NULL
    AND coalesce(len(hops), 0) = 0 AND coalesce(canonical_is_self, true)"""
"""SQL for a page that can be indexed under the address that is listed."""


def look_at_pages(
    store: Store,
    run: Run,
    fetcher: Fetcher,
    wish: Wish,
    options: ProbingOptions,
    robots: Mapping[str, Robots],
    progress: Callable[[int, int, int], None] | None = None,
    failures: list[Unreadable] | None = None,
) -> PagesSeen:
    """Looks at the pages of a run that were not looked at yet; each batch is committed as it comes.

    Args:
        store: The store.
        run: The run in it, whose entries are there.
        fetcher: What pages are fetched with.
        wish: Which of them are wanted.
        options: How they are looked at.
        robots: robots.txt of origins that are known already.
        progress: Told how many were looked at, of how many, and how many bytes came.
        failures: Extended by the pages that an internal error left without a result.
    """
    selection = Selection(store, run.run_id, wish)
    prober = Prober(fetcher, options, _handing_out(selection, store, run), robots)
    _keep_seen(store, run, PAGES, selection, prober, progress)
    _note_failures(prober.spent, failures)
    return _seen(store, run.run_id, selection, prober.spent.stopped_by)


def _handing_out(selection: Chosen, store: Store, run: Run) -> Callable[[int], list[Wanted]]:
    """What gives a prober the next of a selection."""
    origins = origins_of_documents(store, run.run_id)
    return lambda most: [Wanted(row["url"], row, origins[row["document_id"]]) for row in selection.next(most)]


def _keep_seen(
    store: Store,
    run: Run,
    table: Table,
    selection: Chosen,
    prober: Prober,
    progress: Callable[[int, int, int], None] | None,
) -> None:
    """Commits each batch of a prober as it comes, and gives back what looking took."""
    done = selection.chosen - selection.left
    with store.holding_little():
        for batch in prober:
            run.add_rows(table.name, batch)
            run.commit()
            done += len(batch)
            if progress is not None:
                progress(done, selection.chosen, prober.spent.bytes)
        selection.forget()
        run.settle()


def _note_failures(spent: Spent, failures: list[Unreadable] | None) -> None:
    if failures is None or not spent.failed:
        return
    failures += spent.failures
    if (more := spent.failed - len(spent.failures)) > 0:
        last = spent.failures[-1]
        failures.append(Unreadable(f"{more:,} more", last.reason))


def _seen(store: Store, run_id: int, selection: Selection, stopped_by: str | None) -> PagesSeen:
    [(looked_at, forbidden, private, unreachable, good, partial)] = store.connection.execute(
        "SELECT count(*) FILTER (left_out IS NULL), count(*) FILTER (left_out = 'robots'), "
        f"count(*) FILTER (left_out = '{PRIVATE}'), "
        f"count(*) FILTER (left_out = 'robots' AND forbidden_by = '{ROBOTS_UNREACHABLE}'), count(*) FILTER ({GOOD}), "
        "count(*) FILTER (NOT complete) "
        f"FROM {PAGES.name} WHERE {RUN_ID} = {run_id:d}"
    ).fetchall()
    # Whether these are indexable is not known.
    unknown = private + unreachable
    return PagesSeen(
        selection.total,
        selection.chosen,
        looked_at,
        forbidden,
        stopped_by,
        _statuses(store, run_id, PAGES.name),
        Share.of(good, looked_at + forbidden - unreachable, selection.total - unknown),
        private,
        unreachable,
        partial,
    )


def _statuses(store: Store, run_id: int, table: str) -> dict[str, int]:
    """How many answered what, the most frequent first."""
    return dict(
        store.connection.execute(
            f"SELECT coalesce(status::VARCHAR, 'no answer') AS answer, count(*) AS size FROM {table} "
            f"WHERE {RUN_ID} = {run_id:d} AND left_out IS NULL GROUP BY answer ORDER BY size DESC, answer"
        ).fetchall()
    )


def look_at_media(
    store: Store,
    run: Run,
    fetcher: Fetcher,
    wish: Wish,
    options: ProbingOptions,
    robots: Mapping[str, Robots],
    agents: Sequence[str],
    progress: Callable[[int, int, int], None] | None = None,
    failures: list[Unreadable] | None = None,
) -> MediaSeen:
    """Looks at the images, thumbnails and videos that the entries of the chosen pages name, as `look_at_pages` does.

    Args:
        store: As there, and so are those that are not named here.
        run: The run.
        fetcher: What they are fetched with.
        wish: Which pages are wanted.
        options: How they are looked at.
        robots: robots.txt of origins that are known already.
        agents: Crawlers that robots.txt is asked about.
        progress: Told as there.
        failures: Extended as there.
    """
    selection = MediaSelection(store, run.run_id, wish)
    prober = Prober(fetcher, options, _handing_out(selection, store, run), robots, MediaLook(options.method, agents))
    _keep_seen(store, run, MEDIA, selection, prober, progress)
    _note_failures(prober.spent, failures)
    [(looked_at, videos, forbidden)] = store.connection.execute(
        f"SELECT count(*) FILTER (left_out IS NULL), count(*) FILTER (left_out = 'video'), "
        f"count(*) FILTER (left_out IN ('robots', '{PRIVATE}')) FROM {MEDIA.name} WHERE {RUN_ID} = {run.run_id:d}"
    ).fetchall()
    statuses = _statuses(store, run.run_id, MEDIA.name)
    return MediaSeen(selection.chosen, looked_at, videos, forbidden, prober.spent.stopped_by, statuses)


def access_of_agents(
    store: Store, run: Run, robots: Mapping[str, tuple[int, Robots]], agents: Sequence[str] = AUDITED_AGENTS
) -> tuple[AgentAccess, ...]:
    """Counts what crawlers may not fetch of what a run lists, and keeps it in the table `access`.

    Args:
        store: The store.
        run: The run in it.
        robots: robots.txt with its document, by origin: `https://example.com`.
        agents: The product tokens of the crawlers.
    """
    # A run that goes on counts once more.
    with run.writing() as connection:
        empty(connection, run.run_id, [ACCESS.name])
    known = {agent.name.lower(): agent for agent in KNOWN_AGENTS}
    asked = [known[name.lower()] for name in agents]
    for origin, (document_id, one) in robots.items():
        scheme, _, place = origin.partition("://")
        host = place.rpartition(":")[0] if place.rpartition(":")[2].isdecimal() else place
        rows: dict[str, tuple[int, list[int]]] = {}
        for urls in urls_of_host(store, run.run_id, scheme, host):
            for section, access in one.access(urls, [agent.name for agent in asked]).items():
                count, forbidden = rows.get(section, (0, [0] * len(asked)))
                summed = [a + b for a, b in zip(forbidden, access.forbidden, strict=True)]
                rows[section] = (count + access.urls, summed)
        run.add_rows(
            ACCESS.name,
            [
                {
                    "document_id": document_id, "host": host, "section": section, "agent": agent.name,
                    "urls": count, "forbidden": closed,
                }
                for section, (count, forbidden) in rows.items()
                for agent, closed in zip(asked, forbidden, strict=True)
            ],
        )  # fmt: skip
    run.commit()
    return _access(store, run.run_id, asked)


def _access(store: Store, run_id: int, asked: Iterable[KnownAgent]) -> tuple[AgentAccess, ...]:
    rows = store.connection.execute(
        f"SELECT agent, host || section AS place, sum(urls), sum(forbidden) FROM {ACCESS.name} "
        f"WHERE {RUN_ID} = {run_id:d} GROUP BY agent, place ORDER BY sum(forbidden) DESC, place"
    ).fetchall()
    if not rows:
        return ()
    found = []
    for agent in asked:
        own = [(place, int(urls), int(forbidden)) for name, place, urls, forbidden in rows if name == agent.name]
        closed = tuple(one for one in own if one[2])
        urls, forbidden = sum(one[1] for one in own), sum(one[2] for one in own)
        found.append(AgentAccess(agent, urls, forbidden, closed[:MOST_SECTIONS]))
    return tuple(found)


def compare_inventory(store: Store, run_id: int, known: Iterable[str], most: int) -> Inventory:
    """Holds what a run lists against a list of what is known to be there.

    Args:
        store: The store.
        run_id: The run.
        known: The URLs that are there.
        most: How many examples are kept.
    """
    connection = store.connection
    connection.execute("CREATE OR REPLACE TEMP TABLE inventory (url VARCHAR)")
    rows = [url for url in known if url]
    connection.execute("INSERT INTO inventory SELECT DISTINCT unnest($1::VARCHAR[])", [rows])
    listed = f"(SELECT DISTINCT loc AS url FROM {quote(URLS.name)} WHERE {RUN_ID} = {run_id:d} AND loc <> '')"
    unlisted = f"SELECT url FROM inventory WHERE url NOT IN (SELECT url FROM {listed})"
    unknown = f"SELECT url FROM {listed} WHERE url NOT IN (SELECT url FROM inventory)"

    def number(statement: str) -> int:
        [(count,)] = connection.execute(f"SELECT count(*) FROM ({statement})").fetchall()
        return int(count)

    def first(statement: str) -> tuple[str, ...]:
        return tuple(url for (url,) in connection.execute(f"{statement} ORDER BY url LIMIT {most:d}").fetchall())

    return Inventory(number("FROM inventory"), number(unlisted), first(unlisted), number(unknown), first(unknown))
