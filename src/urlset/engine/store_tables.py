"""The tables of a store, and the check that a file has nothing else that its queries would run.

A store may be from someone else. A view, a macro, a default, or a constraint in it would run SQL of their choice when
urlset reads or writes the table that it stands for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from urlset.database.connections import FILE_SUFFIXES
from urlset.engine.rule_sql import SQL_TYPES, quote, text_literal
from urlset.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import duckdb

    from urlset.tables import Table

Columns: TypeAlias = "Mapping[str, Mapping[str, str]]"
"""The types of columns, by table and column."""

MARK = "urlset_store"
"""The table that marks a DuckDB file as a store, with one row for the version of the format."""

RESULTS = "urlset_results"
"""The table with the results of an audit that are in no other table, as JSON."""

OF_RUN: Mapping[str, Mapping[str, str]] = {
    "urlset_robots": {
        "run_id": "INTEGER",
        "document_id": "INTEGER",
        "url": "VARCHAR",
        "availability": "VARCHAR",
        "content": "BLOB",
    },
    RESULTS: {"run_id": "INTEGER", "facts": "VARCHAR"},
}
"""Undocumented tables with rows of runs, to report them, with the types of their columns."""

UNDOCUMENTED: Mapping[str, Mapping[str, str]] = {
    **OF_RUN,
    MARK: {"version": "INTEGER"},
    "urlset_notices": {
        "url": "VARCHAR",
        "version": "VARCHAR",
        "endpoint": "VARCHAR",
        "kind": "VARCHAR",
        "status": "INTEGER",
        "accepted_at": "TIMESTAMP",
    },
    "urlset_samples": {
        "sample_id": "INTEGER",
        "site": "VARCHAR",
        "run_id": "INTEGER",
        "begun_at": "TIMESTAMP",
        "listed": "BIGINT",
        "outside": "BIGINT",
    },
    "urlset_inspections": {
        "sample_id": "INTEGER",
        "place": "BIGINT",
        "url": "VARCHAR",
        "state": "VARCHAR",
        "reason": "VARCHAR",
        "problem": "VARCHAR",
        "done_at": "TIMESTAMP",
    },
    "urlset_sites": {"site": "VARCHAR", "facts": "VARCHAR"},
    "urlset_rounds": {
        "site": "VARCHAR",
        "started_at": "TIMESTAMP",
        "run_id": "INTEGER",
        "is_complete": "BOOLEAN",
        "facts": "VARCHAR",
    },
    "urlset_alarms": {
        "alarm_id": "INTEGER",
        "site": "VARCHAR",
        "opened_at": "TIMESTAMP",
        "closed_at": "TIMESTAMP",
        "facts": "VARCHAR",
    },
    "urlset_deliveries": {
        "delivery_id": "BIGINT",
        "sink": "VARCHAR",
        "created_at": "TIMESTAMP",
        "tries": "INTEGER",
        "problem": "VARCHAR",
        "facts": "VARCHAR",
    },
    "urlset_inspection_calls": {"site": "VARCHAR", "asked_at": "TIMESTAMP"},
}
"""All undocumented tables but those with parts of `crawls` and `crawl_days`, with the types of their columns."""

PARTS = {"crawls": "urlset_crawl_parts", "crawl_days": "urlset_day_parts"}
"""Tables with rows of another one that are not merged yet."""

# What runs SQL of the file when a table is read or written. DuckDB lists the expression of a generated column as its
# default. A table in another schema could stand for one of these.
_NO_TABLES = """
SELECT 'view', view_name FROM duckdb_views() WHERE {here}
UNION ALL SELECT 'macro', function_name FROM duckdb_functions() WHERE {here}
UNION ALL SELECT 'trigger', trigger_name FROM duckdb_triggers() WHERE database_name = {database}
UNION ALL SELECT 'type', type_name FROM duckdb_types() WHERE {here}
UNION ALL SELECT 'constraint', constraint_name FROM duckdb_constraints() WHERE database_name = {database}
UNION ALL SELECT 'default or generated column', column_name FROM duckdb_columns()
    WHERE {here} AND column_default IS NOT NULL
UNION ALL SELECT 'schema', schema_name FROM duckdb_schemas() WHERE database_name = {database} AND NOT internal
LIMIT 1
"""


def create_statement(name: str) -> str:
    """Return SQL that creates an undocumented table if it does not exist."""
    columns = ", ".join(f"{column} {kind}" for column, kind in UNDOCUMENTED[name].items())
    return f"CREATE TABLE IF NOT EXISTS {name} ({columns})"


def column_types(table: Table) -> dict[str, str]:
    """Return the columns of a documented table in a store, with their types."""
    own = {"run_id": "INTEGER"} if table.of_run else {}
    return own | {column.name: SQL_TYPES[column.type] for column in table.columns}


_states: dict[tuple[int, ...], bool] = {}
"""The states of stores that this process checked; true if it created or completed them."""


def state_of(path: Path) -> tuple[int, ...] | None:
    """Return values that change with a file; None if it does not exist, or has a log that DuckDB would apply."""
    try:
        if any(path.with_name(path.name + log).exists() for log in FILE_SUFFIXES[1:]):
            return None
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def is_checked(state: tuple[int, ...] | None) -> bool:
    """Return whether this process has checked the store in this state (which takes 80 ms) or written it."""
    return state in _states


def is_complete(state: tuple[int, ...] | None) -> bool:
    """Return whether this process created or completed the store in this state, so that it has all tables."""
    return state is not None and _states.get(state, False)


def remember(state: tuple[int, ...] | None, *, is_complete: bool) -> None:
    """Take a store as checked while it stays in this state."""
    if state is not None:
        _states[state] = is_complete or _states.get(state, False)


def columns_in(connection: duckdb.DuckDBPyConnection, database: str | None = None) -> Columns:
    """Return the types of all columns, by table and column.

    Args:
        connection: A connection to the store.
        database: The name that the store is attached as; None if the connection is to the store itself.
    """
    columns: dict[str, dict[str, str]] = {}
    rows = connection.execute(
        "SELECT table_name, column_name, data_type FROM duckdb_columns() "
        f"WHERE database_name = {_name(database)} AND NOT internal"
    ).fetchall()
    for table, column, kind in rows:
        columns.setdefault(table, {})[column] = kind
    return columns


def shape_problem(connection: duckdb.DuckDBPyConnection, columns: Columns, database: str | None = None) -> str | None:
    """Return why the tables of a store must not be read; None if all are plain tables with the declared columns.

    Tables and columns that are not declared are ignored, because a newer urlset may have added them.

    Args:
        columns: Its columns, from `columns_in`; the other arguments are as there.
    """
    name = _name(database)
    # Views of the connection itself are in another database.
    places = _NO_TABLES.format(here=f"database_name = {name} AND NOT internal", database=name)
    if others := connection.execute(places).fetchall():
        [(kind, what)] = others
        return f"is not a store of urlset, or damaged: it has the {kind} {quote(str(what))}"
    declared = dict(UNDOCUMENTED)
    declared.update({name: column_types(table) for name, table in TABLES.items()})
    declared.update({part: declared[whole] for whole, part in PARTS.items()})
    for table, types in columns.items():
        for column, kind in types.items():
            expected = declared.get(table, {}).get(column, kind)
            if kind != expected:
                return f"is not a store of urlset, or damaged: {table}.{column} has the type {kind}, not {expected}"
    return None


def _name(database: str | None) -> str:
    return "current_database()" if database is None else text_literal(database)
