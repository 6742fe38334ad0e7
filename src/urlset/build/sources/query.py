"""The rows of a SQL query: of DuckDB and the files it reads, of SQLite, of PostgreSQL."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset.build.sources import postgres, tabular
from urlset.build.sources.parts import Rows
from urlset.build.sources.source import absolute, filled
from urlset.errors import InputError, MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.build.sources.source import Run
    from urlset.buildspec import Query

SQLITE_MAGIC = b"SQLite format 3\x00"
DUCKDB_MAGIC = b"DUCK"


def entries(spec: Query, run: Run, opened: ExitStack) -> Any:
    """What the writer takes: columns, or an iterator over the rows that SQLite gives.

    SQLite is asked by Python's own library and so in its own SQL; DuckDB would have to fetch an extension for it.

    Raises:
        InputError: The database cannot be opened, or the query cannot be run.
        MissingExtraError: There is no driver for PostgreSQL.
        MisuseError: The query has no column with URLs, or the database is of a kind that is not known.
    """
    database = spec.database
    if database is None:
        return _of_duckdb(spec, run, opened.enter_context(tabular.connect(spec.folder)), "the query")
    if database.startswith(postgres.SCHEMES):
        return postgres.entries(spec, run, opened)
    if "://" in database:
        # What comes after the scheme may hold a password.
        scheme = database.partition("://")[0]
        raise MisuseError(
            f"a query cannot be asked of {scheme}://…: of files of SQLite and DuckDB, and of postgresql://"
        )
    path = spec.folder / Path(database).expanduser()
    if not path.is_file():
        raise InputError(str(path), "no such file")
    with path.open("rb") as file:
        start = file.read(16)
    if start == SQLITE_MAGIC:
        return _of_sqlite(spec, run, path, opened)
    if start[8:12] != DUCKDB_MAGIC:
        raise InputError(str(path), "is a database neither of SQLite nor of DuckDB")
    connection = opened.enter_context(tabular.connect(spec.folder))
    with tabular.readable(str(path)):
        connection.execute(f"ATTACH {_text(str(path))} AS given (READ_ONLY)")
        connection.execute("USE given")
    return _of_duckdb(spec, run, connection, f"the query of {path}")


def _of_duckdb(spec: Query, run: Run, connection: Any, what: str) -> Any:
    import duckdb

    with tabular.readable(what):
        statements = connection.extract_statements(spec.sql)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise MisuseError(f"{what}: is one SELECT")
        return tabular.entries(connection.sql(spec.sql), spec, run, {}, what, tabular.IN_QUERY)


def _of_sqlite(spec: Query, run: Run, path: Path, opened: ExitStack) -> Iterator[dict[str, Any]] | Rows:
    """The rows of a query as SQLite gives them; the database is opened for reading alone."""
    connection = opened.enter_context(closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)))
    what = f"the query of {path}"
    try:
        cursor = connection.execute(spec.sql)
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise InputError(str(path), f"the query cannot be run: {error}") from None
    if cursor.description is None:
        raise MisuseError(f"{what}: is one SELECT")
    columns = [column[0] for column in cursor.description]
    by_column = None if spec.part_by == "lastmod" else spec.part_by
    chosen = tabular.chosen(columns, {}, run, what, tabular.IN_QUERY, by_column)
    places = [(field, columns.index(name)) for field, name in chosen.items()]
    if by_column is None:
        return (entry for _, entry in _rows(spec, run, cursor, places, path))
    part = columns.index(tabular.part_column(by_column, columns, what))
    return Rows((row[part], entry) for row, entry in _rows(spec, run, cursor, places, path))


def _rows(
    spec: Query, run: Run, cursor: sqlite3.Cursor, places: list[tuple[str, int]], path: Path
) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Each row, and the entry that it is."""
    place = run.place(spec)
    fill = filled(spec, run)
    try:
        for row in cursor:
            entry = {field: value for field, at in places if (value := row[at]) not in (None, "")}
            if "loc" in entry:
                entry["loc"] = absolute(place, str(entry["loc"]).strip(), bare_paths=run.bare_paths)
            if run.lets_pass(entry.get("loc", "")):
                yield row, fill(entry)
    except sqlite3.Error as error:
        raise InputError(str(path), f"the query cannot be run to its end: {error}") from None


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
