"""Runs the user's SQL on the tables of documents or a store."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING

import _duckdb as duckdb

from urlset.database import interrupts
from urlset.database.connections import batches, is_late, memory_limit, system_reason
from urlset.database.memory_limit import limit_memory
from urlset.database.select_only import NotReadingError, check_statement
from urlset.engine.columns_read import columns_read, described_table, describes
from urlset.engine.documents_table import documents_table
from urlset.engine.findings_table import findings_table
from urlset.engine.memory_database import Config, MemoryDatabase, default_threads
from urlset.engine.page_verdicts import pages_query, select_list
from urlset.engine.result_rows import COLUMNAR, ResultRows
from urlset.engine.row_groups import RowGroups
from urlset.engine.rule_sql import create_table, identifier_list, quote, text_literal
from urlset.engine.run_folder import attach_run
from urlset.engine.store_tables import column_types
from urlset.errors import ExitCode, InputError, QueryError, UsageError
from urlset.model.query import MEANING, QueryResult
from urlset.options.querying import DEFAULT_MEMORY, DEFAULT_SECONDS
from urlset.tables import DOCUMENTS, FINDINGS, PAGES, READER_TABLES, TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from urlset import _core
    from urlset.model.finding import Finding
    from urlset.tables import Table

QUERY_TABLES: tuple[str, ...] = (DOCUMENTS.name, *READER_TABLES, FINDINGS.name)
"""The tables for queries of documents."""

STORE_TABLES: tuple[str, ...] = tuple(name for name, table in TABLES.items() if table.built_by != "engine")
"""The tables for queries of a run in a store."""

STORE = "store"
"""Name of the whole store in a query of one of its runs: `store.urls` has the rows of all runs."""

DEFAULT_DISK = "20GB"
"""Default size limit of the temporary folder."""

ROWS_AT_ONCE = 4_096
"""Number of rows to fetch from the engine at once."""

TABLE_ROWS = 65_536
"""Minimum number of rows to fetch at once in columns."""

SCHEMA = "main"

_WITH_TIMEZONE = "TIMESTAMP WITH TIME ZONE"


class QueryDatabase(MemoryDatabase):
    """A query and its tables, which are kept in memory up to a limit and on disk beyond it.

    The SQL is checked first, so that mistakes are reported before anything is read. It may only read, and only these
    tables unless `allow_files` is set: a query copied from the web should not open files unexpectedly.
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
        """Open the engine and check the query.

        Args:
            sql: A SELECT in DuckDB's dialect.
            allow_files: Allow it to read local files.
            parquet: The file that `write_parquet` writes.
            memory: Memory that DuckDB may use, in its syntax (`256MB`).
            disk: Maximum size of its temporary folder, in the same syntax.
            seconds: Time limit of the query; 0 for no limit.
            store: A store and a run in it to query instead of documents.

        Raises:
            QueryError: The SQL is invalid.
            UsageError: The SQL is not a single SELECT, or `memory` is not a size.
        """
        self._sql = sql
        self._parquet = parquet
        self._memory = memory
        self._disk = disk
        self._store = store
        self._seconds = seconds
        self._groups = RowGroups(self._insert)
        readable = [path for path in (parquet, store[0] if store else None) if path is not None]
        config: Config = {"threads": default_threads(), "max_temp_directory_size": disk}
        super().__init__(config, ["TimeZone = 'UTC'"], files=allow_files, readable=readable)

    def _prepare(self) -> None:
        try:
            self._connection.execute("SET memory_limit = $1", [self._memory])
        except duckdb.Error as error:
            raise UsageError(f"memory: must be a size such as 2GB, not {self._memory!r}: {error}") from None
        self._max_memory = memory_limit(self._connection)
        if self._store is None:
            for name in QUERY_TABLES:
                self._connection.execute(create_table(TABLES[name], TABLES[name].columns, SCHEMA))
        else:
            self._create_run_views(*self._store)
        if self._seconds:
            self._connection.execute(f"SET max_execution_time = {math.ceil(self._seconds * 1000):d}")
        self._connection.execute("SET lock_configuration = true")
        self._check()
        self.tables = self._used_tables()
        self._columns = {name: TABLES[name].column_names for name in self.tables}
        if self._store is None:
            self._drop_unread()
        if (table := described_table(self._sql, self._connection)) is not None:
            self._sql = _with_sentences(self._sql, table)

    def _create_run_views(self, path: Path, run_id: int) -> None:
        """Create views of a run in a store, which is opened read-only."""
        try:
            stored = attach_run(self._connection, path, STORE)
        except duckdb.Error as error:
            raise InputError(str(path), f"cannot be opened: {system_reason(error)}") from None
        names = self._names()
        # An error proposes similar names, so that it needs all tables.
        used = sorted(names) if names and names <= set(STORE_TABLES) else STORE_TABLES
        for name in used:
            table, there = TABLES[name], stored.get(name, {})
            if not there:
                # An older urlset wrote the store, without this table.
                self._connection.execute(create_table(table, table.columns, SCHEMA))
                continue
            where = f" WHERE run_id = {run_id:d}" if table.of_run else ""
            source = f"(SELECT * FROM {STORE}.{quote(name)}{where}) AS stored"
            if name == PAGES.name:
                select = pages_query(source, there)
            else:
                select = f"SELECT {select_list(table.column_names, there, column_types(table))} FROM {source}"
            self._connection.execute(f"CREATE VIEW {SCHEMA}.{quote(name)} AS {select}")

    def add(self, batch: Mapping[str, object]) -> None:
        """Add rows: an object with `__arrow_c_stream__` per table. Tables that the query does not use are ignored."""
        for name in batch.keys() & self.tables:
            self._groups.add(name, batch[name], self._columns[name])

    def _insert(self, name: str, rows: object, columns: Sequence[str]) -> None:
        self._connection.register("batch", rows)
        try:
            self._connection.execute(f"INSERT INTO {SCHEMA}.{quote(name)} SELECT {identifier_list(columns)} FROM batch")
        except duckdb.Error as error:
            raise self._explain(error) from None
        finally:
            self._connection.unregister("batch")

    def add_documents(self, documents: Sequence[Mapping[str, object]]) -> None:
        """Add rows of `documents`."""
        if documents:
            self.add({DOCUMENTS.name: documents_table(documents)})

    def add_findings(self, findings: Iterable[Finding], document_urls: Mapping[int, str]) -> None:
        """Add rows of `findings`."""
        self.add({FINDINGS.name: findings_table(findings, document_urls)})

    def remove(self, document_id: int) -> None:
        """Remove the rows of a document."""
        self._groups.finish()
        for name in self.tables & set(READER_TABLES):
            self._connection.execute(f"DELETE FROM {SCHEMA}.{quote(name)} WHERE document_id = {document_id:d}")

    def run(self) -> QueryResult:
        """Run the query.

        Raises:
            QueryError: The query fails; fetching the rows may raise it, too.
        """
        self._groups.finish()
        with self._apply_limits():
            cursor = self._connection.execute(self._sql)
            columns, types = _describe(cursor)
            if _WITH_TIMEZONE in types:
                # Python would need another package for time zones, and all instants are UTC anyway.
                listed = (f"CAST(c{n} AS TIMESTAMP)" if t == _WITH_TIMEZONE else f"c{n}" for n, t in enumerate(types))
                cursor = self._connection.execute(self._wrap(", ".join(listed), len(types)))
        return QueryResult(_distinct(columns), types, self._rows(cursor))

    def collect(self) -> tuple[Sequence[str], Sequence[str], Sequence[tuple[object, ...]]]:
        """Run the query, and return the names and types of its columns, and all rows, in columns as far as possible.

        Raises:
            QueryError: The query fails.
        """
        self._groups.finish()
        columns, types = self._result_columns()
        if not types or not set(types) <= {*COLUMNAR, _WITH_TIMEZONE}:
            result = self.run()
            return result.columns, result.types, list(result.rows)
        names = _distinct(columns)
        statement = self._sql
        if names != columns or _WITH_TIMEZONE in types:
            cast = (f"CAST(c{n} AS TIMESTAMP)" if t == _WITH_TIMEZONE else f"c{n}" for n, t in enumerate(types))
            statement = self._wrap(
                ", ".join(f"{value} AS {quote(name)}" for value, name in zip(cast, names, strict=True)), len(types)
            )
        tables = list(self._tables(statement))
        return names, types, ResultRows(tables) if tables else []

    def _result_columns(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names and types of the columns, without running the query; none if DuckDB cannot tell."""
        with self._apply_limits():
            try:
                described = self._connection.execute(f"DESCRIBE {self._sql}").fetchall()
            except (duckdb.ParserException, duckdb.BinderException, duckdb.NotImplementedException):
                # An EXPLAIN or a PIVOT, for example.
                return (), ()
        return tuple(str(name) for name, *_ in described), tuple(str(kind) for _, kind, *_ in described)

    def _tables(self, statement: str) -> Iterator[_core.Table]:
        rows = batches(self._connection, statement, TABLE_ROWS)
        while True:
            with self._apply_limits():
                try:
                    table = next(rows, None)
                except (OSError, ValueError) as error:
                    raise _stream_error(error) from None
            if table is None:
                return
            yield table

    def write_parquet(self) -> int:
        """Write the rows to the Parquet file, and return their number.

        Raises:
            QueryError: The query fails.
        """
        self._groups.finish()
        path = text_literal(str(self._parquet))
        with self._apply_limits():
            columns, types = _describe(self._connection.execute(self._sql))
            listed = ", ".join(f"c{n} AS {quote(name)}" for n, name in enumerate(_distinct(columns)))
            wrapped = self._wrap(listed, len(types))
            row = self._connection.execute(
                f"COPY ({wrapped}) TO {path} (FORMAT parquet, USE_TMP_FILE false)"
            ).fetchone()
        return int(row[0]) if row else 0

    def _check(self) -> None:
        try:
            with self._apply_limits():
                runnable = check_statement(self._connection, self._sql)
        except NotReadingError as reason:
            raise UsageError(str(reason)) from None
        if runnable != self._sql or self._connection.extract_statements(runnable)[0].type.name != "SELECT":
            # An EXPLAIN or a PIVOT, which cannot be explained again.
            self._sql = runnable
            return
        with self._apply_limits():
            try:
                self._connection.execute(f"EXPLAIN {self._sql}").fetchall()
            except duckdb.Error:
                # Raises the same error again, with positions in the SQL of the user; the tables are still empty.
                self._connection.execute(self._sql).fetchall()

    def _used_tables(self) -> frozenset[str]:
        names = self._names()
        return frozenset(QUERY_TABLES) if names is None else names & set(QUERY_TABLES)

    def _names(self) -> frozenset[str] | None:
        """Return the names of the tables in the query; None if DuckDB cannot tell, as for a PIVOT."""
        try:
            return frozenset(name.lower() for name in self._connection.get_table_names(self._sql))
        except duckdb.Error:
            return None

    def _drop_unread(self) -> None:
        """Drop the columns that the query does not read, while the tables are empty."""
        try:
            read = columns_read(self._sql, self._connection)
        except NotReadingError:
            # A PIVOT, for example, which has no syntax tree.
            return
        for name in self.tables & read.keys():
            self._columns[name] = read[name]
            columns = [TABLES[name].column(column) for column in read[name]]
            self._connection.execute(f"DROP TABLE {SCHEMA}.{quote(name)}")
            self._connection.execute(create_table(TABLES[name], columns, SCHEMA))

    @contextmanager
    def _apply_limits(self) -> Iterator[None]:
        """Apply the limits of time and memory to the block, and convert its errors to errors of the query."""
        late = self._timeout_error().on_command_line
        with interrupts.end_after(self._seconds, late, ExitCode.USAGE), limit_memory(self._max_memory):
            try:
                yield
            except (duckdb.Error, MemoryError) as error:
                raise self._explain(error) from None

    def _rows(self, cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[object, ...]]:
        while True:
            with self._apply_limits():
                rows = cursor.fetchmany(ROWS_AT_ONCE)
            if not rows:
                return
            yield from rows

    def _timeout_error(self) -> QueryError:
        text = f"the query ran longer than {self._seconds:g} s; raise the limit with "
        return QueryError(text, ", 0 for no limit", "max_time")

    def _explain(self, error: duckdb.Error | MemoryError) -> QueryError:
        text = str(error).strip()
        if is_late(error):
            return self._timeout_error()
        if isinstance(error, duckdb.PermissionException):
            text += "\nA query can only read the tables of its targets; allow it to read files with "
            return QueryError(text, "", "allow_files")
        if isinstance(error, duckdb.OutOfMemoryException | MemoryError):
            text = f"the query needs more than {self._memory} of memory or {self._disk} of disk; raise the limit with "
            return QueryError(text, "", "memory", ExitCode.UNREADABLE)
        if (
            isinstance(error, duckdb.BinderException)
            and f'column "{MEANING}" not found' in text
            and describes(self._sql, self._connection)
        ):
            text += (
                f"\n`describe TABLE` has the column {MEANING} only as a query of its own, not as a subquery; "
                "`urlset sql --tables` lists all columns with their meaning"
            )
        return QueryError(text)

    def _wrap(self, columns: str, width: int) -> str:
        names = ", ".join(f"c{number}" for number in range(width))
        return f"SELECT {columns} FROM (\n{_without_semicolon(self._sql)}\n) AS result({names})"


def _stream_error(error: Exception) -> duckdb.Error:
    """Return the error of DuckDB with which a stream of Arrow ended, which has only its text."""
    text = str(error).partition("Producer error: ")[2] or str(error)
    kinds = (duckdb.OutOfMemoryException, "Out of Memory"), (duckdb.PermissionException, "Permission")
    kind = next((kind for kind, name in kinds if text.startswith(f"{name} Error: ")), duckdb.Error)
    return kind(text)


def _with_sentences(sql: str, table: Table) -> str:
    """Return a DESCRIBE that says what each column means, instead of what is the same for all columns."""
    texts = ", ".join(f"{text_literal(column.name)}: {text_literal(column.about)}" for column in table.columns)
    return (
        f"SELECT column_name, column_type, MAP {{{texts}}}[column_name] AS {MEANING}\n"
        f"FROM (\n{_without_semicolon(sql)}\n) AS described"
    )


def _describe(cursor: duckdb.DuckDBPyConnection) -> tuple[tuple[str, ...], tuple[str, ...]]:
    description = cursor.description or []
    return tuple(str(column[0]) for column in description), tuple(str(column[1]) for column in description)


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names, with a number added to repeated ones: JSON and Parquet would lose these columns otherwise."""
    used: set[str] = set()
    result = []
    for name in names:
        number, fresh = 1, name
        while fresh.lower() in used:
            fresh = f"{name}_{number}"
            number += 1
        used.add(fresh.lower())
        result.append(fresh)
    return tuple(result)


def _without_semicolon(sql: str) -> str:
    for offset, _ in reversed(duckdb.tokenize(sql)):
        if sql.startswith(";", offset):
            return sql[:offset]
    return sql
