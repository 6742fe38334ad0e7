"""Writes a run to a store as it progresses. Rows are committed regularly, so that a killed run can be resumed."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

import _duckdb as duckdb

from urlset import _core
from urlset.database.connections import LOG_SUFFIX
from urlset.engine.batches import Batches
from urlset.engine.documents_table import documents_table, storable
from urlset.engine.findings_table import findings_table
from urlset.engine.memory_database import ROWS_FOR_THREADS
from urlset.engine.rule_sql import identifier_list, quote
from urlset.store.file import RUN_ID, unwritten
from urlset.tables import DOCUMENTS, FINDINGS, READER_TABLES, RUNS, TABLES
from urlset.text.masking import mask_target

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from urlset.model.finding import Finding
    from urlset.store.file import Store

SECONDS_BETWEEN_COMMITS = 1.0
"""Time between commits, and so the work that a kill may lose: committing every document would be slow."""

MANY_ROWS = 100_000
SECONDS_BETWEEN_LARGE_COMMITS = 4.0
"""Time between commits if there are many new rows, which were read fast and can be read again as fast. DuckDB
compresses the last rows of each commit again with those of the next: committing every second, storing 2,000,000 URLs
takes a fifth more CPU time (measured)."""


SMALL_LOG = 1024 * 1024
"""Bytes of the log that may stay there: a checkpoint writes a part of every table, which takes longer than an audit of
a few pages needs to store them."""


StoredColumns: TypeAlias = "Mapping[str, Mapping[str, str] | None]"
"""The tables of a run to store: for each, the columns with SQL for their values, or None for all columns unchanged."""


class Run:
    """Writes a run. Add related rows without interruption, then offer a commit.

    The constructor continues an existing run; `begin` starts a new one.

    Args:
        store: The store, open for writing.
        tables: The tables and columns to store; None for all.
    """

    def __init__(self, store: Store, run_id: int, tables: StoredColumns | None = None) -> None:
        self.run_id = run_id
        self.store = store
        every = {name: {column: quote(column) for column in table.column_names} for name, table in TABLES.items()}
        chosen = dict.fromkeys(every) if tables is None else tables
        self._columns = {name: columns or every[name] for name, columns in chosen.items()}
        self._batches = Batches(store.connection)
        self._pending = False
        self._committed_at = time.monotonic()
        self._new_rows = self._added_rows = 0

    @classmethod
    def begin(
        cls,
        store: Store,
        targets: Sequence[str],
        settings: Mapping[str, object],
        now: datetime | None = None,
        tables: StoredColumns | None = None,
    ) -> Run:
        """Begin a run, and commit its start.

        Args:
            targets: The targets; passwords in them are not stored.
            settings: The settings: JSON values without secrets.
            now: Start time; by default, the current time.
        """
        [(last,)] = store.rows(f"SELECT coalesce(max({RUN_ID}), 0) FROM {RUNS.name}")
        run = cls(store, int(last) + 1, tables)
        row = {
            "run_id": run.run_id,
            "started_at": now or datetime.now(UTC),
            "targets": [mask_target(target) for target in targets],
            "settings": json.dumps(settings, sort_keys=True),
            "version": _core.__version__,
            "text_version": _core.TEXT_VERSION,
        }
        run.add_rows(RUNS.name, [row])
        run.commit()
        return run

    def add(self, batch: Mapping[str, object]) -> None:
        """Add rows: an object with `__arrow_c_stream__` for each table, with the columns of `urlset.tables`.

        Raises:
            OutputError: They cannot be written, for example because the disk is full.
        """
        for name, rows in batch.items():
            columns = self.columns(name)
            count = rows.num_rows if isinstance(rows, _core.Table) else None
            if not columns or count == 0:
                continue
            table = TABLES[name]
            names, values = identifier_list(tuple(columns)), ", ".join(columns.values())
            own, value = ("", "") if table is RUNS else (f"{RUN_ID}, ", f"{self.run_id:d}, ")
            with self.writing() as connection, self._batches.show(name, rows) as view:
                connection.execute(f"INSERT INTO {quote(name)} ({own}{names}) SELECT {value}{values} FROM {view}")
            self._new_rows += count or 0
            self._added_rows += count or 0
            if self._added_rows >= ROWS_FOR_THREADS:
                self.store.use_threads()

    def columns(self, table: str) -> Mapping[str, str]:
        """Return the columns of a table that are stored, each with SQL for its values; none if the table is not."""
        return self._columns.get(table, {})

    @contextmanager
    def writing(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield the connection, for statements that are part of the next commit.

        Raises:
            OutputError: The statements fail.
        """
        try:
            self._begin()
            yield self.store.connection
        except duckdb.Error as error:
            raise unwritten(self.store.path, error) from None

    def add_rows(self, name: str, rows: Sequence[Mapping[str, object]]) -> None:
        """Add rows of a table, by column; missing values are null."""
        if not rows:
            return
        columns = [(column.name, column.type) for column in TABLES[name].columns]
        self.add({name: _core.Table.from_rows(columns, [row if isinstance(row, dict) else dict(row) for row in rows])})

    def add_documents(self, documents: Sequence[Mapping[str, object]]) -> None:
        if documents:
            self.add({DOCUMENTS.name: documents_table(documents)})

    def add_findings(self, findings: Iterable[Finding], document_urls: Mapping[int, str]) -> None:
        self.add({FINDINGS.name: findings_table(findings, document_urls)})

    def remove(self, document_id: int) -> None:
        with self.writing() as connection:
            for name in filter(self.columns, READER_TABLES):
                connection.execute(
                    f"DELETE FROM {quote(name)} WHERE {RUN_ID} = {self.run_id:d} AND document_id = {document_id:d}"
                )

    @property
    def is_commit_due(self) -> bool:
        interval = SECONDS_BETWEEN_COMMITS if self._new_rows < MANY_ROWS else SECONDS_BETWEEN_LARGE_COMMITS
        return self.seconds_since_commit >= interval

    @property
    def seconds_since_commit(self) -> float:
        """Seconds since the last commit, or since the run was opened."""
        return time.monotonic() - self._committed_at

    def commit(self) -> None:
        """Commit the added rows.

        Raises:
            OutputError: It cannot be written.
        """
        if self._pending:
            try:
                self.store.connection.commit()
            except duckdb.Error as error:
                raise unwritten(self.store.path, error) from None
            self._pending = False
        self._committed_at = time.monotonic()
        self._new_rows = 0

    def flush(self) -> None:
        """Commit the added rows, and write a log that is not small to the file, so that they are not held in memory.

        Raises:
            OutputError: It cannot be written.
        """
        self.commit()
        log = self.store.path.with_name(self.store.path.name + LOG_SUFFIX)
        if not log.exists() or log.stat().st_size < SMALL_LOG:
            return
        try:
            self.store.connection.execute("CHECKPOINT")
        except duckdb.Error as error:
            raise unwritten(self.store.path, error) from None

    def finish(self, numbers: Mapping[str, int], now: datetime | None = None) -> None:
        """Commit the end of the run.

        Args:
            numbers: The columns documents, urls, pages, errors, warnings, and infos of `runs`.
            now: End time; by default, the current time.
        """
        ended = storable(now or datetime.now(UTC))
        assigned = "".join(f", {quote(name)} = {number:d}" for name, number in numbers.items())
        of_run = f"WHERE {RUN_ID} = {self.run_id:d}"
        with self.writing() as connection:
            connection.execute(f"UPDATE {RUNS.name} SET finished_at = make_timestamp({ended}){assigned} {of_run}")
        self.commit()

    def _begin(self) -> None:
        if not self._pending:
            self.store.connection.begin()
            self._pending = True
