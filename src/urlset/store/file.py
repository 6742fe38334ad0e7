"""A store's file: opened, checked and locked; which runs it keeps."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from datetime import UTC
from typing import TYPE_CHECKING, Self

import _duckdb as duckdb

from urlset.database import connect, path_problem
from urlset.engine.sql import SQL_TYPES, listed, quote
from urlset.errors import InputError, OutputError
from urlset.masking import shown_target
from urlset.model.run import RunRow
from urlset.tables import RUNS, TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from pathlib import Path
    from types import TracebackType

    from urlset.tables import Table

STORE_VERSION = 1
"""Version of the form: raised when an older urlset could not read it."""

MARK = "urlset_store"
"""The table, of one row, that says that a DuckDB file is a store, and of which version."""

DEFAULT_MEMORY = "1GB"
"""How much DuckDB may hold in memory before it writes to its temporary folder."""

LITTLE_MEMORY = "64MB"
"""The same while pages are looked at. With 1 GB a checkpoint of 200,000 wide rows takes 250 MB more, as measured."""

RUN_ID = "run_id"

OWN_TABLES = {
    "urlset_readings": "run_id INTEGER, facts VARCHAR",
    "urlset_endings": "run_id INTEGER, document_id INTEGER, kind VARCHAR, facts VARCHAR",
    "urlset_robots": "run_id INTEGER, document_id INTEGER, url VARCHAR, availability VARCHAR, content BLOB",
    "urlset_results": "run_id INTEGER, facts VARCHAR",
}
"""Tables that are no part of the contract: what going on with a run needs besides."""

IN_UTC = "TimeZone = 'UTC'"
"""What every connection to a store is set to."""


class Store:
    """An open store. One process writes it at a time, and nobody reads it meanwhile: DuckDB locks the file."""

    def __init__(self, path: Path, connection: duckdb.DuckDBPyConnection) -> None:
        self.path = path
        self.connection = connection

    @classmethod
    def create(cls, path: Path) -> Store:
        """Opens a store to write to it, and makes it if there is none.

        Raises:
            OutputError: It cannot be opened, or is no store of this version.
        """
        if (wrong := path_problem(path)) is not None:
            raise OutputError(f"{path}: {wrong}")
        try:
            store = cls(path, _connected(path, read_only=False))
        except duckdb.Error as error:
            raise OutputError(_why(path, error)) from None
        try:
            store._prepare()
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def read(cls, path: Path) -> Store:
        """Opens a store to look at it.

        Raises:
            InputError: It cannot be opened, or is no store of this version.
        """
        if (wrong := path_problem(path)) is not None:
            raise InputError(str(path), wrong)
        if not path.exists():
            raise InputError(str(path), "there is no such store")
        try:
            store = cls(path, _connected(path, read_only=True))
        except duckdb.Error as error:
            raise InputError(str(path), _reason(error)) from None
        try:
            if (problem := store._problem()) is not None:
                raise InputError(str(path), problem)
        except BaseException:
            store.close()
            raise
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file. May be called again."""
        self.connection.close()

    def runs(self) -> tuple[RunRow, ...]:
        """The runs that it keeps, oldest first."""
        names = listed(RUNS.column_names)
        rows = self.connection.execute(f"SELECT {names} FROM {RUNS.name} ORDER BY {RUN_ID}").fetchall()
        return tuple(
            RunRow(run_id, utc(started), finished and utc(finished), tuple(map(shown_target, targets)), *rest)
            for run_id, started, finished, targets, *rest in rows
        )

    def run(self, run_id: int | None = None) -> RunRow:
        """One run; the newest that came to its end unless a number is given.

        Raises:
            InputError: There is no such run.
        """
        runs = self.runs()
        if run_id is None:
            if ended := [run for run in runs if run.finished_at is not None]:
                return ended[-1]
            raise InputError(str(self.path), "keeps no run that came to its end")
        for run in runs:
            if run.run_id == run_id:
                return run
        known = ", ".join(str(run.run_id) for run in runs) or "none"
        raise InputError(str(self.path), f"keeps no run {run_id}; there are: {known}")

    def forget(self, run_id: int) -> None:
        """Removes a run, whole or not at all."""
        self.connection.begin()
        empty(self.connection, run_id, (*TABLES, *OWN_TABLES))
        self.connection.commit()

    def _prepare(self) -> None:
        tables = self._table_names()
        if MARK not in tables:
            if tables:
                raise OutputError(f"{self.path}: is a DuckDB file of something else, with a table {min(tables)}")
            self.connection.begin()
            for table in TABLES.values():
                self.connection.execute(_create(table))
            for name, columns in OWN_TABLES.items():
                self.connection.execute(f"CREATE TABLE {name} ({columns})")
            self.connection.execute(f"CREATE TABLE {MARK} AS SELECT {STORE_VERSION} AS version")
            self.connection.commit()
            return
        if (problem := self._problem()) is not None:
            raise OutputError(f"{self.path}: {problem}")
        self._complete(tables)

    def _complete(self, tables: set[str]) -> None:
        """Adds the tables and columns that the urlset which made the file did not know yet."""
        known = set(self.connection.execute("SELECT table_name, column_name FROM duckdb_columns()").fetchall())
        self.connection.begin()
        for table in TABLES.values():
            if table.name not in tables:
                self.connection.execute(_create(table))
                continue
            for column in table.columns:
                if (table.name, column.name) not in known:
                    added = f"{quote(column.name)} {SQL_TYPES[column.type]}"
                    self.connection.execute(f"ALTER TABLE {quote(table.name)} ADD COLUMN {added}")
        for name, columns in OWN_TABLES.items():
            if name not in tables:
                self.connection.execute(f"CREATE TABLE {name} ({columns})")
        self.connection.commit()

    def _problem(self) -> str | None:
        """Why this urlset cannot use the file; None if it can."""
        if MARK not in self._table_names():
            return "is a DuckDB file, but no store of urlset"
        [(version,)] = self.connection.execute(f"SELECT version FROM {MARK}").fetchall()
        if version > STORE_VERSION:
            return f"was written by a newer urlset (form {version}; this one knows {STORE_VERSION})"
        return None

    def has_table(self, name: str) -> bool:
        """Whether it has this table: a store of an earlier urlset may lack one."""
        return name in self._table_names()

    @contextmanager
    def holding_little(self) -> Iterator[None]:
        """Has DuckDB write to disk early: for long work in which rows come few at a time, and memory is others'."""
        self.connection.execute(f"SET memory_limit = '{LITTLE_MEMORY}'")
        try:
            yield
        finally:
            # After Ctrl-C the connection may be closed already.
            with suppress(duckdb.ConnectionException):
                self.connection.execute(f"SET memory_limit = '{DEFAULT_MEMORY}'")

    def selection(self, table: Table) -> str:
        """SQL for the columns of a table; null for those that the urlset which made the file did not know yet."""
        rows = self.connection.execute(
            "SELECT column_name FROM duckdb_columns() WHERE table_name = $1", [table.name]
        ).fetchall()
        there = {name for (name,) in rows}
        return ", ".join(quote(name) if name in there else f"NULL AS {quote(name)}" for name in table.column_names)

    def _table_names(self) -> set[str]:
        return {str(name) for (name,) in self.connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}


def empty(connection: duckdb.DuckDBPyConnection, run_id: int, tables: Iterable[str]) -> None:
    """Removes what these tables have of a run."""
    for name in tables:
        connection.execute(f"DELETE FROM {quote(name)} WHERE {RUN_ID} = {run_id:d}")


def _connected(path: Path, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    config = {"memory_limit": DEFAULT_MEMORY, "threads": os.cpu_count() or 1}
    return connect(config, [IN_UTC], path=path, read_only=read_only, relations=True)


def _create(table: Table) -> str:
    columns = [f"{RUN_ID} INTEGER"] if table is not RUNS else []
    columns += [f"{quote(column.name)} {SQL_TYPES[column.type]}" for column in table.columns]
    return f"CREATE TABLE {quote(table.name)} ({', '.join(columns)})"


def _why(path: Path, error: duckdb.Error) -> str:
    return f"{path}: {_reason(error)}"


def _reason(error: duckdb.Error) -> str:
    text = str(error)
    if "Could not set lock" in text or "Conflicting lock" in text:
        return "is in use by another process"
    if "not a valid DuckDB database" in text:
        return "is not a DuckDB file"
    return f"cannot be opened: {text.strip().splitlines()[0]}"


def utc(value: datetime) -> datetime:
    """An instant as DuckDB gives it, with its timezone."""
    return value.replace(tzinfo=UTC)
