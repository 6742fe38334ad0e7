"""Stores what a run has read, so that a resumed run need not read it again: its start, and each document.

The rows of documents are in the documented tables. Other data is in undocumented tables of the store.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from urlset.database.connections import batches
from urlset.engine.rule_sql import identifier_list, quote
from urlset.files.structured import decode_json
from urlset.net.origin import document_origin
from urlset.rules.queries import has_trait, sql_list
from urlset.store.file import RUN_ID, with_zones
from urlset.store.stored_values import stored_values
from urlset.tables import CHILDREN, DOCUMENTS, READER_TABLES, TABLES, URLS
from urlset.web.indexability import PageReason
from urlset.web.robots_txt import Availability, Robots

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset import _core
    from urlset.net.origin import Origin
    from urlset.store.file import Store
    from urlset.store.run import Run

ROWS_AT_ONCE = 100_000
"""Number of rows of documents to read at once."""

DOCUMENTS_AT_ONCE = 1_000

READ_TO_THE_END = "end"
"""The outcome, without a document, that marks the end of reading."""


def store_begin(run: Run, facts: Mapping[str, object]) -> None:
    """Store the facts at the start of a run, which must be JSON values."""
    with run.writing() as connection:
        connection.execute("INSERT INTO urlset_readings VALUES ($1, $2)", [run.run_id, json.dumps(facts)])


def read_begin(store: Store, run_id: int) -> dict[str, object] | None:
    """Return what `store_begin` stored; None if the run did not get that far."""
    rows = store.rows("SELECT facts FROM urlset_readings WHERE run_id = $1", [run_id])
    if not rows:
        return None
    with stored_values(store.path, f"the start of run {run_id}"):
        return decode_json(rows[0][0], dict[str, object])


def keep_ending(run: Run, document_id: int | None, kind: str, facts: Mapping[str, object]) -> None:
    """Store the outcome of a document that has no row in `documents`."""
    with run.writing() as connection:
        connection.execute(
            "INSERT INTO urlset_endings VALUES ($1, $2, $3, $4)", [run.run_id, document_id, kind, json.dumps(facts)]
        )


def read_endings(store: Store, run_id: int) -> list[tuple[int | None, str, dict[str, object]]]:
    """Return what `keep_ending` stored: number, kind, and facts."""
    rows = store.rows("SELECT document_id, kind, facts FROM urlset_endings WHERE run_id = $1", [run_id])
    with stored_values(store.path, f"the documents of run {run_id}"):
        return [(number, kind, decode_json(facts, dict[str, object])) for number, kind, facts in rows]


def keep_robots(run: Run, document_id: int, robots: Robots) -> None:
    """Store a robots.txt: its bytes and its rows."""
    with run.writing() as connection:
        connection.execute(
            "INSERT INTO urlset_robots VALUES ($1, $2, $3, $4, $5)",
            [run.run_id, document_id, robots.url, robots.availability.value, robots.content],
        )
    run.add(robots.tables(document_id))


def read_robots_files(store: Store, run_id: int) -> list[tuple[int, Robots]]:
    """Return each robots.txt of a run with its document number."""
    if not store.has_table("urlset_robots"):
        # A run on Spark keeps rows only.
        return []
    rows = store.rows(
        "SELECT document_id, url, availability, content FROM urlset_robots WHERE run_id = $1 ORDER BY document_id",
        [run_id],
    )
    with stored_values(store.path, f"the robots.txt files of run {run_id}"):
        return [
            (document_id, Robots(content, url, Availability(availability)))
            for document_id, url, availability, content in rows
        ]


def read_documents(store: Store, run_id: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of `documents` of a run, by number."""
    names = DOCUMENTS.column_names
    cursor = store.connection.cursor()
    try:
        condition = f"{RUN_ID} = {run_id:d} ORDER BY document_id"
        cursor.execute(f"SELECT {store.selection(DOCUMENTS)} FROM {DOCUMENTS.name} WHERE {condition}")
        while rows := cursor.fetchmany(DOCUMENTS_AT_ONCE):
            for row in rows:
                yield dict(zip(names, with_zones(DOCUMENTS.columns, row), strict=True))
    finally:
        cursor.close()


def origins_of_documents(store: Store, run_id: int) -> dict[int, Origin]:
    """Return the origin of each document of a run after redirects; `LOCAL` for a local file."""
    rows = store.rows(f"SELECT document_id, final_url FROM {DOCUMENTS.name} WHERE {RUN_ID} = {run_id:d}")
    origins: dict[Origin, Origin] = {}
    return {
        number: origins.setdefault(origin, origin)
        for number, origin in ((n, document_origin(url or "")) for n, url in rows)
    }


def refused_documents(store: Store, run_id: int) -> frozenset[int]:
    """Return the documents of a run that were not requested because their hosts are private."""
    rows = store.rows(
        f"SELECT document_id FROM {DOCUMENTS.name} WHERE {RUN_ID} = {run_id:d} AND error_kind = 'private-address'"
    )
    return frozenset(number for (number,) in rows)


def read_children(store: Store, run_id: int, document_id: int) -> Iterator[_core.Table]:
    """Yield the entries of an index in order, in batches."""
    yield from stream(
        store,
        f"SELECT {identifier_list(CHILDREN.column_names)} FROM {CHILDREN.name} "
        f"WHERE {RUN_ID} = {run_id:d} AND document_id = {document_id:d} ORDER BY ordinal",
    )


def read_entries(store: Store, run_id: int, document_id: int) -> Iterator[_core.Table]:
    """Yield ordinal and URL of the entries of a document in order, in batches."""
    condition = f"{RUN_ID} = {run_id:d} AND document_id = {document_id:d}"
    yield from stream(store, f"SELECT ordinal, loc FROM urls WHERE {condition} ORDER BY ordinal")


def read_rows(store: Store, run_id: int, document_ids: Sequence[int]) -> Iterator[dict[str, _core.Table]]:
    """Yield the rows of some documents in batches, table by table."""
    numbers = ", ".join(f"{number:d}" for number in document_ids)
    first, last = min(document_ids), max(document_ids)
    for name in READER_TABLES:
        columns = identifier_list(TABLES[name].column_names)
        # DuckDB skips whole row groups by these bounds.
        statement = (
            f"SELECT {columns} FROM {quote(name)} WHERE {RUN_ID} = {run_id:d} "
            f"AND document_id BETWEEN {first:d} AND {last:d} AND document_id IN ({numbers})"
        )
        for table in stream(store, statement):
            yield {name: table}


_THERE = (PageReason.NOINDEX, PageReason.NOINDEX_IN_BODY, PageReason.EXPIRED, PageReason.NOT_HTML)
"""Why pages that exist are not indexable. One with the canonical or the content of another page may not be meant."""


def listed_without_page(
    store: Store, run_id: int, document_ids: Sequence[int], traits: Sequence[str]
) -> Iterator[_core.Table]:
    """Yield the entries of some documents that have one of these traits and at whose URL a run found no page."""
    columns, of_run = identifier_list(URLS.column_names), f"{RUN_ID} = {run_id:d}"
    numbers = ", ".join(f"{number:d}" for number in document_ids)
    there = f"status = 200 AND coalesce(reason, 'noindex') IN {sql_list(_THERE)}"
    yield from stream(
        store,
        f"SELECT {columns} FROM {URLS.name} WHERE {of_run} AND document_id IN ({numbers}) AND {has_trait(traits)} "
        f"AND loc_hash NOT IN (SELECT loc_hash FROM ({store.pages(run_id)}) AS pages WHERE {there}) "
        "ORDER BY document_id, ordinal",
    )


def stream(store: Store, statement: str, rows: int = ROWS_AT_ONCE) -> Iterator[_core.Table]:
    """Yield the rows of a statement in batches. It does not see rows that are not committed yet."""
    cursor = store.connection.cursor()
    try:
        yield from batches(cursor, statement, rows)
    finally:
        cursor.close()
