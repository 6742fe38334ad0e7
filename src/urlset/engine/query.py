"""Queries: the user's own SQL over the tables of whatever was read."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING

import _duckdb as duckdb

from urlset import interrupts
from urlset.database import attach, is_late, path_problem
from urlset.engine.documents_table import documents_table
from urlset.engine.findings_table import findings_table
from urlset.engine.session import Config, Session, usual_threads
from urlset.engine.sql import create_table, listed, quote, text_literal
from urlset.errors import ExitCode, InputError, QueryError, UsageError
from urlset.model.query import QueryResult
from urlset.select_only import NotReadingError, checked
from urlset.tables import DOCUMENTS, FINDINGS, READER_TABLES, RUNS, TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from urlset.model.finding import Finding

QUERY_TABLES: tuple[str, ...] = (DOCUMENTS.name, *READER_TABLES, FINDINGS.name)
"""The tables that a query of what is read may use."""

STORE_TABLES: tuple[str, ...] = tuple(name for name, table in TABLES.items() if table.built_by != "engine")
"""The tables that a query of a run of a store may use."""

STORE = "store"
"""What the whole store is called in a query of one of its runs: `store.urls` has the rows of every run."""

DEFAULT_MEMORY = "512MB"
"""How much DuckDB may hold in memory before it writes to its temporary folder."""

DEFAULT_DISK = "20GB"
"""How much it may write to its temporary folder."""

DEFAULT_SECONDS = 300.0
"""How long a query may run."""

ROWS_AT_ONCE = 4_096
"""Rows that are fetched from the engine at a time."""

SCHEMA = "main"

_WITH_TIMEZONE = "TIMESTAMP WITH TIME ZONE"


class Query(Session):
    """One query and the tables that it is asked of, which are kept in memory up to a bound and beyond that on disk.

    The SQL is checked when the query is made, so that a slip is known before anything is read. It may only read, and
    only these tables unless `allow_files` is given: a query found on the web should not open a file by surprise.
    """

    def __init__(
        self,
        sql: str,
        *,
        allow_files: bool = False,
        parquet: Path | None = None,
        memory: str = DEFAULT_MEMORY,
        disk: str = DEFAULT_DISK,
        seconds: float = DEFAULT_SECONDS,
        store: tuple[Path, int] | None = None,
    ) -> None:
        """Opens the engine and checks the query.

        Args:
            sql: A SELECT in DuckDB's dialect.
            allow_files: Let it read files of this machine too.
            parquet: The one file that `write_parquet` will write.
            memory: How much memory DuckDB may use, as it writes it (`512MB`).
            disk: How much it may write to its temporary folder, in the same form.
            seconds: How long the query may run; 0 for no bound.
            store: The store and the run in it that are asked, instead of what is read.

        Raises:
            QueryError: The SQL is wrong.
            UsageError: It is no single SELECT, or `memory` is no size.
        """
        self._sql = sql
        self._allow_files = allow_files
        self._parquet = parquet
        self._memory = memory
        self._disk = disk
        self._store = store
        self._seconds = seconds
        readable = [path for path in (parquet, store[0] if store else None) if path is not None]
        config: Config = {"threads": usual_threads(), "max_temp_directory_size": disk}
        super().__init__(config, ["TimeZone = 'UTC'"], files=allow_files, readable=readable)

    def _prepare(self) -> None:
        try:
            self._connection.execute("SET memory_limit = $1", [self._memory])
        except duckdb.Error as error:
            raise UsageError(f"{self._memory!r} is no amount of memory, such as 2GB: {error}") from None
        if self._store is None:
            for name in QUERY_TABLES:
                self._connection.execute(create_table(TABLES[name], TABLES[name].columns, SCHEMA))
        else:
            self._look_into(*self._store)
        if self._seconds:
            self._connection.execute(f"SET max_execution_time = {math.ceil(self._seconds * 1000):d}")
        self._connection.execute("SET lock_configuration = true")
        self._check()
        self.tables = self._tables_used()

    def _look_into(self, path: Path, run_id: int) -> None:
        """Has the tables show a run of a store, which nothing can be written to."""
        if (wrong := path_problem(path)) is not None:
            raise InputError(str(path), wrong)
        try:
            attach(self._connection, path, STORE)
        except duckdb.Error as error:
            raise InputError(str(path), f"cannot be opened: {str(error).splitlines()[0]}") from None
        rows = self._connection.execute(
            f"SELECT table_name, column_name FROM duckdb_columns() WHERE database_name = '{STORE}'"
        ).fetchall()
        known = set(rows)
        for name in STORE_TABLES:
            columns = TABLES[name].columns
            if all((name, column.name) in known for column in columns):
                where = "" if name == RUNS.name else f" WHERE run_id = {run_id:d}"
                shown = f"SELECT {listed(TABLES[name].column_names)} FROM {STORE}.{quote(name)}{where}"
                self._connection.execute(f"CREATE VIEW {SCHEMA}.{quote(name)} AS {shown}")
            else:
                # An older urlset wrote it, which knew less.
                self._connection.execute(create_table(TABLES[name], columns, SCHEMA))

    def add(self, batch: Mapping[str, object]) -> None:
        """Adds rows: an object with `__arrow_c_stream__` for each table; tables that are not asked of are ignored."""
        for name in batch.keys() & self.tables:
            names = listed(TABLES[name].column_names)
            self._connection.register("batch", batch[name])
            try:
                self._connection.execute(f"INSERT INTO {SCHEMA}.{quote(name)} SELECT {names} FROM batch")
            except duckdb.Error as error:
                raise self._explained(error) from None
            finally:
                self._connection.unregister("batch")

    def add_documents(self, documents: Sequence[Mapping[str, object]]) -> None:
        """Adds rows of `documents`."""
        if documents:
            self.add({DOCUMENTS.name: documents_table(documents)})

    def add_findings(self, findings: Iterable[Finding], document_urls: Mapping[int, str]) -> None:
        """Adds rows of `findings`."""
        self.add({FINDINGS.name: findings_table(findings, document_urls)})

    def remove(self, document_id: int) -> None:
        """Takes back the rows of one document."""
        for name in self.tables & set(READER_TABLES):
            self._connection.execute(f"DELETE FROM {SCHEMA}.{quote(name)} WHERE document_id = {document_id:d}")

    def run(self) -> QueryResult:
        """Runs it.

        Raises:
            QueryError: It cannot be run; the rows may still raise it while they are fetched.
        """
        with self._bounded():
            cursor = self._connection.execute(self._sql)
            columns, types = _described(cursor)
            if _WITH_TIMEZONE in types:
                # Python would need a package for what is UTC anyway.
                listed = (f"CAST(c{n} AS TIMESTAMP)" if t == _WITH_TIMEZONE else f"c{n}" for n, t in enumerate(types))
                cursor = self._connection.execute(self._wrapped(", ".join(listed), len(types)))
        return QueryResult(_distinct(columns), types, self._rows(cursor))

    def write_parquet(self) -> int:
        """Writes the rows to the file named when it was opened, and says how many there are.

        Raises:
            QueryError: It cannot be run.
        """
        path = text_literal(str(self._parquet))
        with self._bounded():
            columns, types = _described(self._connection.execute(self._sql))
            listed = ", ".join(f"c{n} AS {quote(name)}" for n, name in enumerate(_distinct(columns)))
            wrapped = self._wrapped(listed, len(types))
            written = self._connection.execute(
                f"COPY ({wrapped}) TO {path} (FORMAT parquet, USE_TMP_FILE false)"
            ).fetchone()
        return int(written[0]) if written else 0

    def _check(self) -> None:
        try:
            with self._bounded():
                runnable = checked(self._connection, self._sql)
        except NotReadingError as reason:
            raise UsageError(str(reason)) from None
        if runnable != self._sql or self._connection.extract_statements(runnable)[0].type.name != "SELECT":
            # An EXPLAIN or a PIVOT, which cannot be explained once more.
            self._sql = runnable
            return
        with self._bounded():
            try:
                self._connection.execute(f"EXPLAIN {self._sql}").fetchall()
            except duckdb.Error:
                # The same fault again, with the place counted in what the user wrote; the tables are still empty.
                self._connection.execute(self._sql).fetchall()

    def _tables_used(self) -> frozenset[str]:
        try:
            names = self._connection.get_table_names(self._sql)
        except duckdb.Error:
            # What DuckDB cannot say of a PIVOT, for one.
            return frozenset(QUERY_TABLES)
        return frozenset(QUERY_TABLES) & {name.lower() for name in names}

    @contextmanager
    def _bounded(self) -> Iterator[None]:
        """Has what is inside end in its time, and its errors told as those of the query."""
        with interrupts.ended_after(self._seconds, self._late(), ExitCode.USAGE):
            try:
                yield
            except duckdb.Error as error:
                raise self._explained(error) from None

    def _rows(self, cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[object, ...]]:
        while True:
            with self._bounded():
                rows = cursor.fetchmany(ROWS_AT_ONCE)
            if not rows:
                return
            yield from rows

    def _late(self) -> str:
        return f"the query ran longer than {self._seconds:g} s; --max-time lets it run longer, 0 without a bound"

    def _explained(self, error: duckdb.Error) -> QueryError:
        text = str(error).strip()
        if is_late(error):
            return QueryError(self._late())
        if isinstance(error, duckdb.PermissionException):
            text += "\nA query reads only the tables of what was given; --allow-files lets it read files too."
        if isinstance(error, duckdb.OutOfMemoryException):
            text += f"\nThe query may use {self._memory} of memory and {self._disk} of disk; --memory lets it use more."
        return QueryError(text)

    def _wrapped(self, listed: str, width: int) -> str:
        names = ", ".join(f"c{number}" for number in range(width))
        return f"SELECT {listed} FROM (\n{_without_semicolon(self._sql)}\n) AS result({names})"


def _described(cursor: duckdb.DuckDBPyConnection) -> tuple[tuple[str, ...], tuple[str, ...]]:
    description = cursor.description or []
    return tuple(str(column[0]) for column in description), tuple(str(column[1]) for column in description)


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names, those that occur again with a number: JSON and Parquet would lose a column otherwise."""
    taken: set[str] = set()
    result = []
    for name in names:
        number, fresh = 1, name
        while fresh.lower() in taken:
            fresh = f"{name}_{number}"
            number += 1
        taken.add(fresh.lower())
        result.append(fresh)
    return tuple(result)


def _without_semicolon(sql: str) -> str:
    """The one statement, cut before the semicolon that may end it."""
    for offset, _ in reversed(duckdb.tokenize(sql)):
        if sql.startswith(";", offset):
            return sql[:offset]
    return sql
