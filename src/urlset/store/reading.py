"""What a run read, kept so that it can go on without reading it again: documents, robots.txt, what was not followed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from urlset import _core
from urlset.engine.sql import listed, quote
from urlset.robots import Availability, Robots
from urlset.store.file import RUN_ID
from urlset.tables import CUTS, DOCUMENTS, READER_TABLES, TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset.store.file import Store
    from urlset.store.run import Run
    from urlset.tables import Table

ROWS_AT_ONCE = 100_000
"""Rows of a document that are held at once."""


def keep_reading(
    run: Run,
    documents: Sequence[Mapping[str, Any]],
    robots: Sequence[tuple[int, Robots]],
    rest: Mapping[str, object],
) -> None:
    """Commits that a run has read everything.

    Args:
        run: The run, which has the rows of its documents already.
        documents: Its rows of `documents`.
        robots: Each robots.txt, with the number of its document.
        rest: What else is to be known when it goes on, as JSON has it.
    """
    run.add_documents(documents)
    with run.writing() as connection:
        for document_id, one in robots:
            connection.execute(
                "INSERT INTO urlset_robots VALUES ($1, $2, $3, $4, $5)",
                [run.run_id, document_id, one.url, one.availability.value, one.content],
            )
        connection.execute("INSERT INTO urlset_readings VALUES ($1, $2)", [run.run_id, json.dumps(rest)])
    for document_id, one in robots:
        run.add(one.tables(document_id))
    run.commit()


def kept_reading(store: Store, run_id: int) -> dict[str, Any] | None:
    """What `keep_reading` kept of the rest; None if the run was not yet through with reading."""
    rows = store.connection.execute("SELECT facts FROM urlset_readings WHERE run_id = $1", [run_id]).fetchall()
    if not rows:
        return None
    facts: dict[str, Any] = json.loads(rows[0][0])
    return facts


def kept_robots(store: Store, run_id: int) -> list[tuple[int, Robots]]:
    """Each robots.txt of a run, with the number of its document."""
    rows = store.connection.execute(
        "SELECT document_id, url, availability, content FROM urlset_robots WHERE run_id = $1 ORDER BY document_id",
        [run_id],
    ).fetchall()
    return [
        (document_id, Robots(content, url, Availability(availability)))
        for document_id, url, availability, content in rows
    ]


def kept_documents(store: Store, run_id: int) -> list[dict[str, Any]]:
    """The rows of `documents` of a run, by number; indexes come last, as they are judged last."""
    return _rows_of(store, run_id, DOCUMENTS, "kind = 'sitemapindex', document_id")


def kept_cuts(store: Store, run_id: int) -> list[dict[str, Any]]:
    """The rows of `cuts` of a run."""
    return _rows_of(store, run_id, CUTS, "document_id, ordinal")


def _rows_of(store: Store, run_id: int, table: Table, order: str) -> list[dict[str, Any]]:
    rows = store.connection.execute(
        f"SELECT {listed(table.column_names)} FROM {table.name} WHERE {RUN_ID} = {run_id:d} ORDER BY {order}"
    ).fetchall()
    return [dict(zip(table.column_names, row, strict=True)) for row in rows]


def kept_entries(store: Store, run_id: int, document_id: int) -> Iterator[_core.Table]:
    """Ordinal and URL of the entries of a document, in their order, some at a time."""
    cursor = store.connection.cursor()
    try:
        wanted = f"{RUN_ID} = {run_id:d} AND document_id = {document_id:d}"
        entries = cursor.sql(f"SELECT ordinal, loc FROM urls WHERE {wanted} ORDER BY ordinal")
        yield from _core.Table.stream(entries, ROWS_AT_ONCE)
    finally:
        cursor.close()


def kept_rows(store: Store, run_id: int, document_id: int) -> Iterator[dict[str, _core.Table]]:
    """The rows of a document, some at a time, table by table."""
    cursor = store.connection.cursor()
    try:
        for name in READER_TABLES:
            columns = listed(TABLES[name].column_names)
            statement = (
                f"SELECT {columns} FROM {quote(name)} WHERE {RUN_ID} = {run_id:d} AND document_id = {document_id:d}"
            )
            for table in _core.Table.stream(cursor.sql(statement), ROWS_AT_ONCE):
                yield {name: table}
    finally:
        cursor.close()
