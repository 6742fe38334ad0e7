"""The rows of a run as the tables that rules read, and what their findings need of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.engine.rule_sql import identifier_list, quote, text_literal
from urlset.engine.run_views import RunViews
from urlset.rules.queries import sql_list
from urlset.store.file import RUN_ID
from urlset.store.page_selection import OF_URL
from urlset.store.run_documents import stream
from urlset.tables import CHUNK_TABLES, RUN_TABLES, TABLES
from urlset.web.indexability import PageReason

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from urlset import _core
    from urlset.store.file import Store

_EVERY = tuple(name for name in (*CHUNK_TABLES, *RUN_TABLES) if TABLES[name].built_by != "engine")
"""The tables that rules read and a store has."""

_THERE = (PageReason.NOINDEX, PageReason.NOINDEX_IN_BODY, PageReason.EXPIRED, PageReason.NOT_HTML)
"""Why pages that exist are not indexable. One with the canonical or the content of another page may not be meant."""

HAS_PAGE = (
    "coalesce(loc_hash IN (SELECT loc_hash FROM pages WHERE status = 200 "
    f"AND coalesce(reason, 'noindex') IN {sql_list(_THERE)}), true)"
)
"""SQL for whether a page was found at the URL of an entry; true if nobody can say."""


def tables_for_rules(store: Store, run_id: int, names: Sequence[str] = _EVERY) -> RunViews:
    """Return the tables of a run, whose rows must be committed.

    Args:
        names: The tables that the rules may read.
    """
    [(database,)] = store.rows("SELECT current_database()")
    of_run = f"WHERE {RUN_ID} = {run_id:d}"
    places = {name: f"{quote(database)}.main.{quote(name)}" for name in names}
    # Not by EXISTS, which takes four times as long to plan.
    first = (f"(SELECT {text_literal(name)} FROM {place} {of_run} LIMIT 1)" for name, place in places.items())
    queries = {
        name: f"SELECT {identifier_list(TABLES[name].column_names)} FROM {places[name]} {of_run}"
        for (name,) in store.rows(" UNION ALL ".join(first))
    }
    return RunViews(store.connection.cursor(), queries)


def listed_urls(store: Store, run_id: int) -> Iterator[_core.Table]:
    """Yield the entries of a run in batches, with the columns of `urls` that checks against robots.txt need."""
    yield from stream(store, f"SELECT {identifier_list(OF_URL)} FROM urls WHERE {RUN_ID} = {run_id:d}")


def urls_of_entries(store: Store, run_id: int, wanted: Mapping[int, Collection[int]]) -> dict[int, dict[int, str]]:
    """Return the URLs of entries by document and ordinal.

    Args:
        wanted: The ordinals, by document.
    """
    if not wanted:
        return {}
    rows = store.rows(
        f"SELECT document_id, ordinal, loc FROM urls WHERE {RUN_ID} = {run_id:d} AND (document_id, ordinal) IN "
        "(SELECT unnest($1::INTEGER[]), unnest($2::INTEGER[]))",
        [
            [document_id for document_id, ordinals in wanted.items() for _ in ordinals],
            [ordinal for ordinals in wanted.values() for ordinal in ordinals],
        ],
    )
    urls: dict[int, dict[int, str]] = {document_id: {} for document_id in wanted}
    for document_id, ordinal, loc in rows:
        urls[document_id][ordinal] = loc
    return urls
