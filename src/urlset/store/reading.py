"""What a run read, kept so that it goes on without reading it again: its beginning, and what came of each document.

The rows of documents are in the tables of the contract. What they do not say stands in tables of the store alone.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from urlset import _core
from urlset.engine.sql import listed, quote
from urlset.net.origin import document_origin
from urlset.robots import Availability, Robots
from urlset.store.file import RUN_ID, utc
from urlset.tables import CHILDREN, DOCUMENTS, READER_TABLES, TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset.net.origin import Origin
    from urlset.store.file import Store
    from urlset.store.run import Run

ROWS_AT_ONCE = 100_000
"""Rows of documents that are held at once."""

DOCUMENTS_AT_ONCE = 1_000
"""Rows of `documents` that are fetched at once."""

READ_TO_THE_END = "end"
"""The ending of no document, which says that there is nothing more to read."""


def keep_begun(run: Run, facts: Mapping[str, object]) -> None:
    """Keeps what a run begins with, as JSON has it."""
    with run.writing() as connection:
        connection.execute("INSERT INTO urlset_readings VALUES ($1, $2)", [run.run_id, json.dumps(facts)])


def kept_begun(store: Store, run_id: int) -> dict[str, Any] | None:
    """What `keep_begun` kept; None if the run did not come so far."""
    rows = store.connection.execute("SELECT facts FROM urlset_readings WHERE run_id = $1", [run_id]).fetchall()
    if not rows:
        return None
    facts: dict[str, Any] = json.loads(rows[0][0])
    return facts


def keep_ending(run: Run, document_id: int | None, kind: str, facts: Mapping[str, object]) -> None:
    """Keeps what became of a document that has no row in `documents`."""
    with run.writing() as connection:
        connection.execute(
            "INSERT INTO urlset_endings VALUES ($1, $2, $3, $4)", [run.run_id, document_id, kind, json.dumps(facts)]
        )


def kept_endings(store: Store, run_id: int) -> list[tuple[int | None, str, dict[str, Any]]]:
    """What `keep_ending` kept: number, kind and facts."""
    rows = store.connection.execute(
        "SELECT document_id, kind, facts FROM urlset_endings WHERE run_id = $1", [run_id]
    ).fetchall()
    return [(number, kind, json.loads(facts)) for number, kind, facts in rows]


def keep_robots(run: Run, document_id: int, robots: Robots) -> None:
    """Keeps a robots.txt: its bytes and the rows that are made of it."""
    with run.writing() as connection:
        connection.execute(
            "INSERT INTO urlset_robots VALUES ($1, $2, $3, $4, $5)",
            [run.run_id, document_id, robots.url, robots.availability.value, robots.content],
        )
    run.add(robots.tables(document_id))


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


def kept_documents(store: Store, run_id: int) -> Iterator[dict[str, Any]]:
    """The rows of `documents` of a run, by number."""
    names = DOCUMENTS.column_names
    cursor = store.connection.cursor()
    try:
        wanted = f"{RUN_ID} = {run_id:d} ORDER BY document_id"
        cursor.execute(f"SELECT {store.selection(DOCUMENTS)} FROM {DOCUMENTS.name} WHERE {wanted}")
        while some := cursor.fetchmany(DOCUMENTS_AT_ONCE):
            for row in some:
                values = (utc(value) if isinstance(value, datetime) else value for value in row)
                yield dict(zip(names, values, strict=True))
    finally:
        cursor.close()


def origins_of_documents(store: Store, run_id: int) -> dict[int, Origin]:
    """Return where each document of a run came from, after redirects; `LOCAL` for a local file."""
    rows = store.connection.execute(
        f"SELECT document_id, final_url FROM {DOCUMENTS.name} WHERE {RUN_ID} = {run_id:d}"
    ).fetchall()
    known: dict[Origin, Origin] = {}
    return {
        number: known.setdefault(origin, origin)
        for number, origin in ((n, document_origin(url or "")) for n, url in rows)
    }


def refused_documents(store: Store, run_id: int) -> frozenset[int]:
    """The documents of a run that were not asked for, since their hosts are private."""
    rows = store.connection.execute(
        f"SELECT document_id FROM {DOCUMENTS.name} WHERE {RUN_ID} = {run_id:d} AND trouble = 'private-address'"
    ).fetchall()
    return frozenset(number for (number,) in rows)


def kept_children(store: Store, run_id: int, document_id: int) -> Iterator[_core.Table]:
    """What an index lists, in its order, some at a time."""
    yield from _stream(
        store,
        f"SELECT {listed(CHILDREN.column_names)} FROM {CHILDREN.name} "
        f"WHERE {RUN_ID} = {run_id:d} AND document_id = {document_id:d} ORDER BY ordinal",
    )


def kept_entries(store: Store, run_id: int, document_id: int) -> Iterator[_core.Table]:
    """Ordinal and URL of the entries of a document, in their order, some at a time."""
    wanted = f"{RUN_ID} = {run_id:d} AND document_id = {document_id:d}"
    yield from _stream(store, f"SELECT ordinal, loc FROM urls WHERE {wanted} ORDER BY ordinal")


def kept_rows(store: Store, run_id: int, document_ids: Sequence[int]) -> Iterator[dict[str, _core.Table]]:
    """The rows of some documents, some at a time, table by table."""
    numbers = ", ".join(f"{number:d}" for number in document_ids)
    first, last = min(document_ids), max(document_ids)
    for name in READER_TABLES:
        columns = listed(TABLES[name].column_names)
        # The bounds are what whole row groups are left out by.
        statement = (
            f"SELECT {columns} FROM {quote(name)} WHERE {RUN_ID} = {run_id:d} "
            f"AND document_id BETWEEN {first:d} AND {last:d} AND document_id IN ({numbers})"
        )
        for table in _stream(store, statement):
            yield {name: table}


def _stream(store: Store, statement: str) -> Iterator[_core.Table]:
    cursor = store.connection.cursor()
    try:
        yield from _core.Table.stream(cursor.sql(statement), ROWS_AT_ONCE)
    finally:
        cursor.close()
