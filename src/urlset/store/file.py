"""The file of a store: opens, checks, and locks it, and lists its runs."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import _duckdb as duckdb
from msgspec.structs import replace

from urlset.database.connections import (
    TEMPORARY_SUFFIX,
    connect,
    cursor_for,
    first_line,
    is_from_duckdb,
    path_problem,
    system_reason,
)
from urlset.engine.page_verdicts import REASON, pages_query, select_list, update_verdicts
from urlset.engine.rule_sql import SQL_TYPES, identifier_list, quote
from urlset.engine.run_folder import attach_run, columns_of, create_views, is_run_folder
from urlset.engine.store_tables import (
    MARK,
    OF_RUN,
    column_types,
    columns_in,
    create_statement,
    is_checked,
    is_complete,
    remember,
    shape_problem,
    state_of,
)
from urlset.errors import InputError, OutputError, UsageError, is_out_of_resources
from urlset.model.run import RunRow
from urlset.objects.object_address import original_url
from urlset.options.storing import DEFAULT_STORE
from urlset.store.sites import finished_runs, of_one_site
from urlset.store.stored_values import run_settings, stored_values
from urlset.store.url_hashes import fill_hashes, renew_hashes
from urlset.tables import DOCUMENTS, LOG_FILES, PAGES, RUNS, TABLES, URLS
from urlset.text.masking import mask_target, mask_url
from urlset.text.sizes import MiB

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from urlset.engine.store_tables import Columns
    from urlset.tables import Column, Table

STORE_VERSION = 1
"""Version of the format: increased if older versions of urlset cannot read it."""

DEFAULT_MEMORY = "1GB"
"""Default memory limit, beyond which DuckDB writes to its temporary folder."""

LITTLE_MEMORY = "64MB"
"""Memory limit while pages are fetched, or read again for the rules. With 1 GB, a checkpoint of 200,000 wide rows takes
250 MB more (measured)."""

READING_MEMORY = "128MB"
"""Memory limit while documents are read. With 1 GB, storing 2,000,000 URLs takes 420 MB more, because DuckDB keeps what
it has written, and as much time; with 200 MB, storing 10,000,000 takes 75 MB more (measured)."""

JUDGING_MEMORY = "160MB"
"""Memory limit while rules run, beyond which DuckDB writes to its temporary folder."""

STORED = tuple(table for table in TABLES.values() if table.built_by != "engine")
"""The tables of a store: the others are computed when they are needed."""

RUN_ID = "run_id"

THREADS = os.cpu_count() or 1

SMALL_STORE = 16 * MiB
"""Size of a file in bytes below which one thread is enough: DuckDB divides what it reads by row groups, and a store of
20,000 URLs with their pages is larger."""


IN_UTC = "TimeZone = 'UTC'"
"""Setting for every connection to a store."""


Fields: TypeAlias = tuple[Any, ...]
"""The fields of a row that a statement returns; their types are those of its columns."""


def missing(path: Path) -> str:
    """Return what to do if there is no store at a path."""
    if path == DEFAULT_STORE:
        return "no such store, and no directory was audited from here; run `urlset audit TARGET`, or name a store"
    return "no such store; create it with `urlset audit TARGET --store FILE`"


class Store:
    """An open store. While a process writes to it, no other process can read it: DuckDB locks the file."""

    def __init__(self, path: Path, connection: duckdb.DuckDBPyConnection) -> None:
        self.path = path
        self.connection = connection
        self._threads = THREADS
        self._limits: tuple[str, int | None] = (DEFAULT_MEMORY, None)
        self._is_checked = self._is_complete = self._is_new = False

    @classmethod
    def create(cls, path: Path) -> Store:
        """Open a store for writing, and create it if it does not exist.

        As a context, a new store that nothing was written to is removed at the end.

        Raises:
            OutputError: It cannot be opened, or is not a store that this version supports.
            UsageError: It is in an object store.
        """
        _check_local(path)
        if is_run_folder(path):
            raise OutputError(f"{path}: is a run as a folder, which is never changed; name a DuckDB file")
        if (wrong := path_problem(path)) is not None:
            raise OutputError(f"{path}: {wrong}")
        state, is_new = state_of(path), not path.exists()
        try:
            store = cls._open(path, read_only=False)
        except duckdb.Error as error:
            raise OutputError(f"{path}: {_reason(error)}") from None
        try:
            if not is_complete(state):
                store._prepare(is_new=is_new)
            store._is_checked = store._is_complete = True
            store._is_new = is_new
        except BaseException:
            store.close()
            raise
        _remove_spilled_files(path)
        return store

    @classmethod
    def _open(cls, path: Path, *, read_only: bool) -> Self:
        is_small = not path.exists() or path.stat().st_size < SMALL_STORE
        # DuckDB opens a file twice only with the same configuration, and the file may have grown since.
        store = cls(path, connect(_config(1), [IN_UTC], path=path, read_only=read_only, store=str(path)))
        store._threads = 1
        if not is_small:
            store.use_threads()
        return store

    @classmethod
    def temporary(
        cls, path: Path, connection: duckdb.DuckDBPyConnection, tables: Mapping[str, Collection[str]]
    ) -> Store:
        """Create some tables of a store, with some of their columns, in a database in memory.

        Args:
            path: The directory of the database for what exceeds its memory, for errors.
        """
        store = cls(path, connection)
        connection.execute("; ".join(_create(TABLES[name], columns) for name, columns in tables.items()))
        store._tables = set(tables)
        return store

    @classmethod
    def attach(cls, connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> tuple[Store, Columns]:
        """Attach a store, or a run as a folder, to a database in memory, to read it.

        Args:
            connection: The connection, opened with the path among `readable`.
            name: The name to attach it as.

        Returns:
            The store, with a connection of its own, and the types of its columns, by table and column.

        Raises:
            InputError: It cannot be opened, or is not a store that this version supports.
            UsageError: It is in an object store.
        """
        _check_local(path)
        is_folder = is_run_folder(path)
        if not is_folder and path_problem(path) is None and not path.exists():
            raise InputError(str(path), missing(path))
        try:
            columns = attach_run(connection, path, name)
        except duckdb.Error as error:
            raise InputError(str(path), _reason(error)) from None
        store = cls(path, cursor_for(connection, str(path)))
        store._tables = set(columns)
        try:
            store.connection.execute(f"USE {name}")
            if not is_folder and (problem := store._format_problem(columns)) is not None:
                raise InputError(str(path), problem)
        except BaseException:
            store.close()
            raise
        return store, columns

    @classmethod
    def read(cls, path: Path) -> Store:
        """Open a store for reading.

        Raises:
            InputError: It cannot be opened, or is not a store that this version supports.
            UsageError: It is in an object store.
        """
        _check_local(path)
        if is_run_folder(path):
            return _FolderStore.open_folder(path)
        if (wrong := path_problem(path)) is not None:
            raise InputError(str(path), wrong)
        if not path.exists():
            raise InputError(str(path), missing(path))
        state = state_of(path)
        try:
            store = cls._open(path, read_only=True)
        except duckdb.Error as error:
            raise InputError(str(path), _reason(error)) from None
        try:
            if not is_checked(state):
                columns = columns_in(store.connection)
                if (problem := store._problem(columns)) is not None:
                    raise InputError(str(path), problem)
                store._tables = set(columns)
                remember(state, is_complete=False)
        except BaseException:
            store.close()
            raise
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        is_unused = self._is_new and self._is_unused()
        self.close()
        if is_unused:
            self.path.resolve().unlink(missing_ok=True)
        if (named := self._named(error)) is not None:
            raise named from None

    @contextmanager
    def naming_errors(self) -> Iterator[None]:
        """Name the store in errors of reading it in the block, as using it as a context does."""
        try:
            yield
        except Exception as error:
            if (named := self._named(error)) is not None:
                raise named from None
            raise

    def _named(self, error: BaseException | None) -> InputError | None:
        """Return an error of reading the store with its name; None for other errors."""
        if isinstance(error, duckdb.Error) and is_from_duckdb(error) and not is_out_of_resources(error):
            return InputError(str(self.path), f"cannot be read: {first_line(error)}")
        if isinstance(error, InputError) and error.target == _A_STORE:
            return InputError(str(self.path), error.reason)
        return None

    def close(self) -> None:
        """Close the file. Can be called repeatedly."""
        self.connection.close()
        if self._is_checked:
            self._is_checked = False
            remember(state_of(self.path), is_complete=self._is_complete)

    def _is_unused(self) -> bool:
        """Return whether no table has a row."""
        try:
            if self._is_complete and self.rows(f"SELECT 1 FROM {RUNS.name} LIMIT 1"):
                return False
            names = [name for name in columns_in(self.connection) if name != MARK]
            return not any(self.rows(f"SELECT 1 FROM {quote(name)} LIMIT 1") for name in names)
        except duckdb.Error:
            return False

    def share(self) -> Store:
        """Return the store for another thread, which shares what is open; closing it does not close this one."""
        connection = self.connection.cursor()
        connection.execute(f"SET {IN_UTC}")
        store = Store(self.path, connection)
        store._threads, store._limits = self._threads, self._limits
        return store

    def rows(self, statement: str, values: Sequence[object] | None = None) -> list[Fields]:
        return self.connection.execute(statement, values).fetchall()

    def runs(self) -> tuple[RunRow, ...]:
        """Return the runs in the store, oldest first."""
        names = identifier_list(RunRow.__struct_fields__)
        rows = self.rows(f"SELECT {names} FROM {RUNS.name} ORDER BY {RUN_ID}")
        with stored_values(self.path, f"the table {RUNS.name}"):
            runs = tuple(map(_run, rows))
        return tuple(run if run.finished_at is not None else self._so_far(run) for run in runs)

    def _so_far(self, run: RunRow) -> RunRow:
        """Return an unfinished run with the numbers of what it has read so far."""
        of_run = f"WHERE {RUN_ID} = {run.run_id:d}"
        [numbers] = self.rows(
            f"SELECT (SELECT count(*) FROM {DOCUMENTS.name} {of_run} AND kind IS NOT NULL), "
            f"(SELECT count(*) FROM {URLS.name} {of_run}), "
            f"(SELECT count(*) FROM {PAGES.name} {of_run} AND skipped IS NULL)"
        )
        documents, urls, pages = numbers
        return replace(run, documents=documents, urls=urls, pages=pages)

    def run(self, run_id: int | None = None) -> RunRow:
        """Return a run; by default, the last finished run.

        Raises:
            InputError: The store has no such run.
        """
        runs = self.runs()
        if run_id is None:
            if ended := finished_runs(runs) or [run for run in runs if run.finished_at is not None]:
                return ended[-1]
            raise InputError(str(self.path), "no finished run in the store")
        for run in runs:
            if run.run_id == run_id:
                return run
        numbers = ", ".join(str(run.run_id) for run in runs) or "none"
        raise InputError(str(self.path), f"no run {run_id} in the store; available runs: {numbers}")

    def run_of_site(
        self, run_id: int | None = None, how: Callable[[int], str] = "--run {}".format, hosts: Collection[str] = ()
    ) -> RunRow:
        """Return a run; by default, the last finished run of the only site in the store.

        Args:
            how: Returns how to choose a run, for messages.
            hosts: The sites that are meant, as `urlset.store.sites` names them; none for all.

        Raises:
            InputError: The store has no such run.
            UsageError: The store has runs of several sites.
        """
        if run_id is not None:
            return self.run(run_id)
        runs = of_one_site(self.path, finished_runs(self.runs()), how, hosts)
        return runs[-1] if runs else self.run()

    def run_to_query(self, run_id: int | None = None) -> int:
        """Return the number of a run; by default, of the last finished run, or 0 if there are only access logs.

        Raises:
            InputError: The store has no such run.
        """
        if run_id is None and self.has_table(LOG_FILES.name) and not any(run.finished_at for run in self.runs()):
            [(logs,)] = self.rows(f"SELECT count(*) FROM {LOG_FILES.name}")
            if logs:
                return 0
        return self.run(run_id).run_id

    @contextmanager
    def transaction(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Commit what the block writes, all of it or nothing.

        Raises:
            OutputError: It cannot be written.
        """
        try:
            self.connection.begin()
            yield self.connection
            self.connection.commit()
        except duckdb.Error as error:
            raise unwritten(self.path, error) from None

    def forget(self, run_id: int) -> None:
        """Remove a run atomically."""
        self.connection.begin()
        delete_rows(
            self.connection,
            run_id,
            (RUNS.name, *(table.name for table in STORED if table.of_run), *OF_RUN),
        )
        self.connection.commit()

    def _prepare(self, *, is_new: bool) -> None:
        # The first question about columns takes 25 ms.
        columns = {} if is_new else columns_in(self.connection)
        if MARK not in columns:
            if columns:
                raise OutputError(f"{self.path}: is a DuckDB file of another program, with a table {min(columns)}")
            statements = [
                *map(_create, STORED),
                *map(create_statement, (*OF_RUN, MARK)),
                f"INSERT INTO {MARK} VALUES ({STORE_VERSION})",
            ]
            self.connection.execute(";".join(("BEGIN", *statements, "COMMIT")))
            return
        if (problem := self._problem(columns)) is not None:
            raise OutputError(f"{self.path}: {problem}")
        self._complete(columns)

    def _complete(self, columns: Columns) -> None:
        """Add the tables and columns that the store lacks because an older urlset created it."""
        if PAGES.name in columns and "spelling_hash" not in columns[PAGES.name]:
            renew_hashes(self.connection, {table.name: columns.get(table.name, ()) for table in STORED})
        self.connection.begin()
        # Older versions created tables that only a query fills: empty, they look like an answer.
        for table in TABLES.values():
            if table not in STORED and table.name in columns:
                self.connection.execute(f"DROP TABLE {quote(table.name)}")
        for table in STORED:
            if table.name not in columns:
                self.connection.execute(_create(table))
                continue
            for column in table.columns:
                if column.name not in columns[table.name]:
                    added = f"{quote(column.name)} {SQL_TYPES[column.type]}"
                    self.connection.execute(f"ALTER TABLE {quote(table.name)} ADD COLUMN {added}")
                    fill_hashes(self.connection, table.name, columns[table.name], column.name)
        if REASON not in columns.get(PAGES.name, {}):
            runs = self.rows(f"SELECT DISTINCT {RUN_ID} FROM {PAGES.name}")
            for (run_id,) in runs:
                self.connection.execute(update_verdicts(f"{RUN_ID} = {run_id:d}"))
        for name in OF_RUN:
            self.connection.execute(create_statement(name))
        self.connection.commit()

    def _problem(self, columns: Columns) -> str | None:
        """Return why this urlset cannot use the file; None if it can."""
        if MARK in columns and (problem := shape_problem(self.connection, columns)) is not None:
            return problem
        return self._format_problem(columns)

    def _format_problem(self, columns: Columns) -> str | None:
        """Return why this urlset cannot use a file with these tables, whose shape is right; None if it can."""
        if MARK not in columns:
            return "is a DuckDB file, but not a store of urlset"
        versions = self.rows(f"SELECT max(version) FROM {MARK} HAVING count(*) = 1")
        if not versions or (version := versions[0][0]) is None:
            return f"is not a store of urlset, or damaged: {MARK} does not have the version of its format"
        if version > STORE_VERSION:
            return f"was written by a newer urlset (format {version}; this version supports {STORE_VERSION})"
        return None

    def has_table(self, name: str) -> bool:
        """Return whether the store has a table; a store from an older urlset may lack it."""
        return name in self._tables

    @contextmanager
    def holding(self, memory: str, *, threads: int | None = None) -> Iterator[None]:
        """Use a lower memory limit in the block, for long work with few rows at a time.

        Args:
            threads: Number of threads of DuckDB; None for as many as before. With more than one, adding batches takes
                more CPU time (measured: URLs a quarter, 20,000 links four times), because DuckDB compresses parts of
                the batch in each thread, and merges them again.
        """
        before, self._limits = self._limits, (memory, threads or self._limits[1])
        self._limit()
        try:
            yield
        finally:
            self._limits = before
            # After Ctrl-C, the connection may be closed already. After a failed statement or on a full disk, nothing
            # can be set.
            with suppress(duckdb.ConnectionException, duckdb.TransactionException, duckdb.FatalException):
                self._limit()

    def use_threads(self) -> None:
        """Use a thread per core from now on, except in blocks that hold other numbers: the store is no longer small."""
        if self._threads < THREADS:
            self._threads = THREADS
            self._limit()

    def _limit(self) -> None:
        memory, threads = self._limits
        self.connection.execute(f"SET memory_limit = '{memory}'; SET threads = {threads or self._threads:d}")

    def selection(self, table: Table) -> str:
        """Return SQL for the columns of a table, with null for columns that the store lacks."""
        return select_list(table.column_names, self.columns(table.name), column_types(table))

    def pages(self, run_id: int, *names: str) -> str:
        """Return a query for the pages of a run, also if an older urlset stored them.

        Args:
            names: The columns of `pages` to return; by default, all.
        """
        of_run = f"(SELECT * FROM {PAGES.name} WHERE {RUN_ID} = {run_id:d})"
        return pages_query(of_run, self.columns(PAGES.name), names or PAGES.column_names)

    def columns(self, table: str) -> frozenset[str]:
        """Return the columns that a table of the store has; a store from an older urlset may lack some, or all."""
        if self._is_complete:
            return frozenset(TABLES[table].column_names)
        try:
            return columns_of(self.connection, quote(table))
        except duckdb.CatalogException:
            return frozenset()

    @cached_property
    def _tables(self) -> set[str]:
        return set(columns_in(self.connection))


class _FolderStore(Store):
    """A run as a folder of Parquet, opened for reading: a store with a single run."""

    @classmethod
    def open_folder(cls, path: Path) -> Store:
        """Open the folder.

        Raises:
            InputError: The run is incomplete, or its files cannot be read.
        """
        store = cls(path, connect(_config(THREADS), [IN_UTC], readable=[path], store=str(path)))
        try:
            store._tables = set(create_views(store.connection, path, "main"))
        except duckdb.Error as error:
            store.close()
            raise InputError(str(path), _reason(error)) from None
        except BaseException:
            store.close()
            raise
        return store


def delete_rows(connection: duckdb.DuckDBPyConnection, run_id: int, tables: Iterable[str]) -> None:
    """Remove the rows of a run from these tables."""
    for name in tables:
        connection.execute(f"DELETE FROM {quote(name)} WHERE {RUN_ID} = {run_id:d}")


def _run(row: Fields) -> RunRow:
    run_id, started, finished, targets, settings, version, *counts = row
    run_settings(settings)
    if not isinstance(run_id, int) or not isinstance(version, str):
        raise TypeError("a run has no number or no version")
    targets = tuple(map(mask_target, targets))
    return RunRow(run_id, utc(started), finished and utc(finished), targets, settings, version, *counts)


def _check_local(path: Path) -> None:
    if (url := original_url(str(path))) is not None:
        raise UsageError(
            f"{mask_url(url)}: a store must be a local file, because DuckDB locks it and writes parts of it; copy it "
            "to or from the object store"
        )


def _config(threads: int) -> dict[str, object]:
    return {"memory_limit": DEFAULT_MEMORY, "threads": threads}


def _remove_spilled_files(path: Path) -> None:
    """Remove what killed processes moved from memory to disk, next to a store that only this process has open."""
    folder = path.with_name(path.name + TEMPORARY_SUFFIX)
    with suppress(OSError):
        for file in folder.glob("duckdb_temp_*"):
            if not file.name.startswith(f"duckdb_temp_{os.getpid()}_"):
                file.unlink()
        folder.rmdir()


def _create(table: Table, names: Collection[str] | None = None) -> str:
    """Return SQL that creates a table, with all of its columns or some of them."""
    columns = [
        f"{quote(name)} {kind}"
        for name, kind in column_types(table).items()
        if names is None or name == RUN_ID or name in names
    ]
    return f"CREATE TABLE {quote(table.name)} ({', '.join(columns)})"


def is_in_use(path: Path) -> bool:
    """Return whether another process has a store open. DuckDB locks the files that it only reads, too.

    Raises:
        OSError: The store cannot be opened.
    """
    if sys.platform == "win32":
        # An open file cannot be removed there.
        return False
    import fcntl

    with path.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EAGAIN):
                return True
            raise
    return False


def _is_locked(error: duckdb.Error) -> bool:
    return "Could not set lock" in str(error) or "Conflicting lock" in str(error)


def _reason(error: duckdb.Error) -> str:
    text = str(error)
    if _is_locked(error):
        return "is in use by another process"
    if "not a valid DuckDB database" in text:
        return "is not a DuckDB file"
    return f"cannot be opened: {system_reason(error)}"


def unwritten(path: Path, error: duckdb.Error) -> OutputError:
    """Return the error for a store that DuckDB cannot write to."""
    return OutputError(f"{path}: cannot be written: {system_reason(error)}")


def without_zone(value: datetime) -> datetime:
    """Return an instant for a column of DuckDB: in UTC, without its time zone."""
    return value.astimezone(UTC).replace(tzinfo=None)


_A_STORE = "the store"
"""The target of an error whose store is known only where it was opened."""


def utc(value: object) -> datetime:
    """Return an instant from DuckDB with its time zone.

    Raises:
        InputError: There is none, or Python has no such time, so DuckDB returned another type.
    """
    if value is None:
        raise InputError(_A_STORE, "is damaged: a time that every row has is missing")
    if not isinstance(value, datetime):
        raise InputError(_A_STORE, f"is damaged: its time {str(value)[:40]!r} is not in the years 1 to 9999")
    return value.replace(tzinfo=UTC)


def with_zones(columns: Iterable[Column], row: Fields) -> Iterator[object]:
    """Yield the values of a row with these columns, its instants with their time zone.

    Raises:
        InputError: Python has no such time.
    """
    for column, value in zip(columns, row, strict=True):
        yield utc(value) if column.type == "timestamp" and value is not None else value
