"""Rows of a SQL query on DuckDB and the files that it reads, on SQLite, or on PostgreSQL."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.build.sources import postgres, tabular
from urlset.build.sources.partition import Rows
from urlset.build.sources.source import absolute, entry_filler
from urlset.database import interrupts
from urlset.database.connections import SQLITE_SIGNATURE, attach, is_signed, path_problem
from urlset.database.select_only import NotReadingError, check_statement
from urlset.errors import InputError, UsageError
from urlset.files.repository_links import LEADS_OUT, leads_out

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

    from urlset.build.sources.source import SourceContext
    from urlset.options.sources import Query

SQLITE_READING = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)
"""Actions that SQLite's authorizer allows. https://www.sqlite.org/c3ref/c_alter_table.html"""


def entries(spec: Query, context: SourceContext, resources: ExitStack) -> object:
    """Return the entries as columns, or for SQLite as an iterator over the rows.

    SQLite is queried with Python's library and therefore in its own dialect; DuckDB would download an extension.

    Raises:
        InputError: The database cannot be opened, or the query cannot be run.
        MissingExtraError: The driver for PostgreSQL is not installed.
        UsageError: The query has no column with URLs, or the kind of the database is unknown.
    """
    database = spec.database
    if database is None:
        return _of_duckdb(spec, context, resources.enter_context(tabular.open_duckdb(spec.folder)), "the query")
    if database.startswith(postgres.SCHEMES):
        return postgres.entries(spec, context, resources)
    if "://" in database:
        # The text after the scheme may contain a password.
        scheme = database.partition("://")[0]
        raise UsageError(f"{scheme}://… is not supported; use an SQLite or DuckDB file, or a postgresql:// URL")
    path = spec.folder / Path(database).expanduser()
    if leads_out(path):
        raise UsageError(f"database: {database} {LEADS_OUT}")
    if not path.is_file():
        raise InputError(str(path), "no such file")
    with path.open("rb") as file:
        start = file.read(16)
    if start == SQLITE_SIGNATURE:
        return _of_sqlite(spec, context, path, resources)
    if not is_signed(start):
        raise InputError(str(path), "is neither an SQLite nor a DuckDB database")
    if (problem := path_problem(path)) is not None:
        raise InputError(str(path), problem)
    connection = resources.enter_context(tabular.open_duckdb(spec.folder, readable=[path]))
    with tabular.readable(str(path)):
        attach(connection, path, "given")
        connection.execute("USE given")
    return _of_duckdb(spec, context, connection, f"the query of {path}")


def _of_duckdb(
    spec: Query, context: SourceContext, connection: duckdb.DuckDBPyConnection, what: str
) -> tabular.Columns:
    with tabular.readable(what):
        try:
            sql = check_statement(connection, spec.sql)
        except NotReadingError as reason:
            raise UsageError(f"{what}: {reason}") from None
        return tabular.entries(connection.sql(sql), spec, context, {}, what, tabular.IN_QUERY)


def _of_sqlite(
    spec: Query, context: SourceContext, path: Path, resources: ExitStack
) -> Iterator[dict[str, object]] | Rows:
    """Return the rows of an SQLite query.

    Even in read-only mode, SQLite can attach other files and write copies of the database, so an authorizer checks
    every action of the statement.
    """
    connection = resources.enter_context(closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)))
    refused: list[int] = []

    def permit(action: int, first: str | None, second: str | None, *_: str | None) -> int:
        if action in SQLITE_READING and second != "load_extension":
            return sqlite3.SQLITE_OK
        # SQLite registers table-valued functions such as json_each with this action; the file is not written.
        if action == sqlite3.SQLITE_UPDATE and first == "sqlite_master":
            return sqlite3.SQLITE_OK
        refused.append(action)
        return sqlite3.SQLITE_DENY

    connection.set_authorizer(permit)
    interrupts.on_interrupt(connection, connection.interrupt)
    resources.callback(interrupts.forget, connection)
    what = f"the query of {path}"
    try:
        cursor = connection.execute(spec.sql)
    except (sqlite3.Error, sqlite3.Warning) as error:
        if refused:
            raise UsageError(f"{what}: can only read, so it must be a SELECT") from None
        raise InputError(str(path), f"the query cannot be run: {error}") from None
    if cursor.description is None:
        raise UsageError(f"{what}: must be a single SELECT")
    columns = [column[0] for column in cursor.description]
    part_by = spec.parted_by
    by_column = None if part_by is None or part_by.column == "lastmod" else part_by.column
    chosen = tabular.choose_columns(columns, {}, context, what, tabular.IN_QUERY, by_column)
    places = [(field, columns.index(name)) for field, name in chosen.items()]
    if part_by is None or by_column is None:
        return (entry for _, entry in _rows(spec, context, cursor, places, path))
    part = columns.index(tabular.part_column(by_column, columns, what))
    rows = _rows(spec, context, cursor, places, path)
    if part_by.by_month:
        return Rows((tabular.month_of(row[part]), entry) for row, entry in rows)
    return Rows((row[part], entry) for row, entry in rows)


def _rows(
    spec: Query, context: SourceContext, cursor: sqlite3.Cursor, places: list[tuple[str, int]], path: Path
) -> Iterator[tuple[tuple[object, ...], dict[str, object]]]:
    """Yield each row with its entry."""
    place = context.place(spec)
    fill = entry_filler(spec, context)
    try:
        for row in cursor:
            entry = {field: value for field, at in places if (value := row[at]) not in (None, "")}
            if "loc" in entry:
                entry["loc"] = absolute(place, str(entry["loc"]).strip(), bare_paths=context.bare_paths)
            if context.lets_pass(entry.get("loc", "")):
                yield row, fill(entry)
    except sqlite3.Error as error:
        raise InputError(str(path), f"the query failed: {error}") from None
