"""Stores each robots.txt of a run, and reads the documents of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlset.database.connections import batches
from urlset.engine.rule_sql import identifier_list
from urlset.net.origin import document_origin
from urlset.store.file import RUN_ID, with_zones
from urlset.store.stored_values import stored_values
from urlset.tables import CHILDREN, DOCUMENTS
from urlset.web.robots_txt import Availability, Robots

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset import _core
    from urlset.net.origin import Origin
    from urlset.store.file import Store
    from urlset.store.run import Run

ROWS_AT_ONCE = 100_000
"""Number of rows of documents to read at once."""

DOCUMENTS_AT_ONCE = 1_000


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
    cursor = store.connection.cursor()
    try:
        cursor.execute(_of_run(store, run_id))
        while rows := cursor.fetchmany(DOCUMENTS_AT_ONCE):
            yield from map(_as_document, rows)
    finally:
        cursor.close()


def all_documents(store: Store, run_id: int) -> tuple[dict[str, Any], ...]:
    """Return the rows of `documents` of a run, by number; the store can be one that is attached."""
    return tuple(map(_as_document, store.rows(_of_run(store, run_id))))


def _of_run(store: Store, run_id: int) -> str:
    return f"SELECT {store.selection(DOCUMENTS)} FROM {DOCUMENTS.name} WHERE {RUN_ID} = {run_id:d} ORDER BY document_id"


def _as_document(row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(DOCUMENTS.column_names, with_zones(DOCUMENTS.columns, row), strict=True))


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


def stream(store: Store, statement: str, rows: int = ROWS_AT_ONCE) -> Iterator[_core.Table]:
    """Yield the rows of a statement in batches. It does not see rows that are not committed yet."""
    cursor = store.connection.cursor()
    try:
        yield from batches(cursor, statement, rows)
    finally:
        cursor.close()
