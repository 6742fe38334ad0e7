"""States of pages: of the runs in a store, and of deleted runs, whose states `page_states` keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from urlset.engine.page_verdicts import INDEXABLE, IS_SERVED, REASON, TEXT_VERSION, select_list
from urlset.engine.rule_sql import identifier_list
from urlset.engine.store_tables import column_types
from urlset.store.file import RUN_ID, utc, without_zone
from urlset.store.possible import POSSIBLE_REPORT
from urlset.store.sites import by_site
from urlset.store.stored_values import stored_values
from urlset.tables import (
    INDEX_STATES,
    PAGE_CRAWLS,
    PAGE_STATES,
    PAGES,
    RUNS,
    SEARCH_ANALYTICS,
    SEARCH_ANALYTICS_DAYS,
    SITEMAP_FETCHES,
    SITEMAP_READINGS,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from urlset.model.run import RunRow
    from urlset.store.file import Store

_COLUMNS = identifier_list(PAGE_STATES.column_names)

_STATE = ("lastmod_at", "content_hash", "text_version", "is_indexable", "reason")

_NEEDED = (
    *("document_id", "ordinal", "page_hash", "fetched_at", "lastmod_at", "status", "hops", "complete"),
    *("spelling_hash", "final_spelling_hash", "content_hash", INDEXABLE, REASON),
)

# Of an error page, or of another page that a URL redirects to, the main text is not that of the page.
_OF_RUNS = f"""
SELECT page_hash, coalesce(fetched_at, ended_at) AS first_at, first_at AS last_at, lastmod_at,
    CASE WHEN {IS_SERVED} AND coalesce(complete, true) THEN content_hash END AS content_hash,
    text_version, is_indexable, reason
FROM (SELECT {RUN_ID}, {{columns}} FROM {PAGES.name} WHERE {{chosen}})
JOIN (SELECT {RUN_ID}, coalesce(finished_at, started_at) AS ended_at, {{text_version}} AS text_version FROM {RUNS.name})
    USING ({RUN_ID})
QUALIFY row_number() OVER (PARTITION BY {RUN_ID}, page_hash ORDER BY document_id, ordinal) = 1
"""

# A state that goes on only gets another end.
_EXTEND = f"""
UPDATE {PAGE_STATES.name} AS s SET last_at = greatest(s.last_at, n.last_at)
FROM state_of_run AS n
WHERE s.page_hash = n.page_hash AND {" AND ".join(f"s.{name} IS NOT DISTINCT FROM n.{name}" for name in _STATE)}
    AND s.first_at <= n.first_at
    AND NOT EXISTS (
        FROM {PAGE_STATES.name} AS later WHERE later.page_hash = s.page_hash AND later.first_at > s.first_at
    )
"""

_ADD = f"""
INSERT INTO {PAGE_STATES.name} ({_COLUMNS})
SELECT {_COLUMNS} FROM state_of_run AS n
WHERE NOT EXISTS (
    FROM {PAGE_STATES.name} AS s WHERE s.page_hash = n.page_hash AND s.first_at <= n.first_at AND s.last_at >= n.last_at
)
"""


_LAST_CHANGES = """
SELECT page_hash, max(first_at) AS changed_at
FROM (
    SELECT page_hash, first_at, row_number() OVER pages > 1 AND (
        lastmod_at IS DISTINCT FROM lag(lastmod_at) OVER pages
        OR is_indexable IS DISTINCT FROM lag(is_indexable) OVER pages
        OR text_version = lag(text_version) OVER pages AND content_hash <> lag(content_hash) OVER pages
    ) AS is_changed
    FROM ({states}) WINDOW pages AS (PARTITION BY page_hash ORDER BY first_at, last_at)
)
WHERE is_changed GROUP BY page_hash
"""

_BEFORE = {
    PAGE_STATES.name: "last_at < $1",
    PAGE_CRAWLS.name: "day < $1",
    SITEMAP_READINGS.name: "read_at < $1",
    SEARCH_ANALYTICS.name: "day < $1",
    SEARCH_ANALYTICS_DAYS.name: "day < $1",
    SITEMAP_FETCHES.name: '"at" < $1',
    INDEX_STATES.name: f"""
        "at" < $1 AND ("at", page_hash, engine, source) NOT IN (
            SELECT (max("at"), page_hash, engine, source) FROM {INDEX_STATES.name} WHERE {POSSIBLE_REPORT}
            GROUP BY page_hash, engine, source
        )
    """,
}
"""SQL for whether a row is older than a time, by table."""


class PageState(NamedTuple):
    """A state of a page over a period, in which runs found no other one."""

    first_at: datetime
    last_at: datetime
    lastmod_at: datetime | None
    content_hash: int | None
    text_version: str
    is_indexable: bool | None
    reason: str | None


def delete_runs(store: Store, run_ids: Iterable[int]) -> None:
    """Delete runs, and keep the states of their pages.

    Raises:
        OutputError: The store cannot be written.
    """
    runs = {run.run_id: run for run in store.runs()}
    for run_id in sorted(run_ids):
        if runs[run_id].finished_at is not None:
            _keep_states(store, run_id, extends=_is_oldest(runs[run_id], tuple(runs.values())))
        store.forget(run_id)
        del runs[run_id]


def _is_oldest(run: RunRow, runs: Sequence[RunRow]) -> bool:
    """Return whether a store has no older run of the same site, whose states could lie between."""
    return any(group[0] is run for group in by_site(runs))


def _keep_states(store: Store, run_id: int, *, extends: bool) -> None:
    query = _query(store, f"{RUN_ID} = {run_id:d} AND page_hash IS NOT NULL")
    with store.transaction() as connection:
        connection.execute(f"CREATE OR REPLACE TEMP TABLE state_of_run AS {query}")
        if extends:
            connection.execute(_EXTEND)
        connection.execute(_ADD)
        connection.execute("DROP TABLE state_of_run")


def delete_dates(store: Store, start: datetime) -> int:
    """Delete what the store has on pages from before a time, apart from its runs, and return the number of rows.

    The last report of each search engine on a URL stays.

    Raises:
        OutputError: The store cannot be written.
    """
    deleted = 0
    with store.transaction():
        for table, condition in _BEFORE.items():
            [(rows,)] = store.rows(f"DELETE FROM {table} WHERE {condition}", [without_zone(start)])
            deleted += rows
    return deleted


def states_of_page(store: Store, page_hash: int, runs: Iterable[RunRow]) -> list[PageState]:
    """Return the states of a page in these runs and in deleted ones, oldest first.

    Raises:
        InputError: The store is damaged.
    """
    names = identifier_list(PAGE_STATES.column_names[1:])
    query = states_query(store, f"page_hash = {page_hash:d}", runs)
    rows = store.rows(f"SELECT {names} FROM ({query}) ORDER BY first_at, last_at")
    with stored_values(store.path, "the states of a page"):
        return [
            PageState(utc(first), utc(last), None if lastmod is None else utc(lastmod), *rest)
            for first, last, lastmod, *rest in rows
        ]


def states_query(store: Store, pages: str, runs: Iterable[RunRow]) -> str:
    """Return a query for the states of pages in runs that the store still has, and in deleted ones.

    Args:
        pages: SQL for whether a row is of one of the pages, by its `page_hash`.
    """
    numbers = ", ".join(f"{run.run_id:d}" for run in runs) or "NULL"
    query = _query(store, f"{pages} AND {RUN_ID} IN ({numbers})")
    if store.has_table(PAGE_STATES.name):
        query += f" UNION ALL SELECT {_COLUMNS} FROM {PAGE_STATES.name} WHERE {pages}"
    return query


def last_changes(store: Store) -> str:
    """Return a query for when a run first found the last state of each page that had another one: `changed_at`."""
    runs = [run for run in store.runs() if run.finished_at is not None]
    return _LAST_CHANGES.format(states=states_query(store, "page_hash IS NOT NULL", runs))


def _query(store: Store, chosen: str) -> str:
    """Return a query for the states of pages in runs that the store still has; an older urlset stored fewer columns."""
    there = store.columns(PAGES.name)
    version = TEXT_VERSION if "text_version" in store.columns(RUNS.name) else "version"
    columns = select_list(_NEEDED, there, column_types(PAGES))
    return _OF_RUNS.format(columns=columns, text_version=version, chosen=chosen)
