"""The temporary database in which two runs are compared: stores are attached to it, and targets are read into it."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING

import _duckdb
from msgspec import Struct

from urlset.comparison.run_tables import RunTables
from urlset.database.connections import attach_empty, cursor_for
from urlset.engine.memory_database import MemoryDatabase
from urlset.engine.rule_sql import quote
from urlset.store.file import IN_UTC, RUN_ID, Store
from urlset.tables import CUTS, DOCUMENTS, FINDINGS, RUNS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    import duckdb

READING_MEMORY = "96MB"
"""Memory limit while targets are read, beyond which DuckDB writes to its temporary folder."""

JUDGING_MEMORY = "144MB"
"""The same while rules run on them."""

MEMORY = "256MB"
"""Memory limit while runs are compared. With twice as much, it is not faster."""

COMPARED = {
    name: {column: quote(column) for column in columns}
    for name, columns in {
        **{table.name: table.column_names for table in (RUNS, DOCUMENTS, CUTS, FINDINGS)},
        "urls": ("document_id", "loc", "loc_length", "loc_hash", "lastmod", "lastmod_at"),
        "children": ("document_id", "loc", "loc_hash"),
    }.items()
}
"""The tables and columns of a target that a comparison reads."""


RULES = "rules"
"""The name of the database for rules."""


class OpenStore(Struct, frozen=True):
    """A store in the database.

    Attributes:
        store: The store, with a connection of its own.
        prefix: The name of its database or schema with a dot; empty for the temporary store.
        columns: The columns of its tables.
    """

    store: Store
    prefix: str
    columns: Mapping[str, Collection[str]]

    def run(self, run_id: int) -> RunTables:
        return RunTables(self.prefix, run_id, self.columns)


class RunDatabase(MemoryDatabase):
    """A database in memory with the runs of stores, which are attached read-only, and of targets.

    Args:
        stores: The stores to attach.
        output: A file that a comparison may write.
    """

    def __init__(self, stores: Iterable[Path] = (), output: Path | None = None) -> None:
        paths = list(dict.fromkeys(stores))
        self.names = " and ".join(map(str, paths))
        self._attached: dict[Path, OpenStore] = {}
        super().__init__(
            {"memory_limit": READING_MEMORY, "threads": 1, "preserve_insertion_order": False},
            [f"GLOBAL {IN_UTC}"],
            readable=[*paths, *([] if output is None else [output])],
        )

    @cached_property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The connection for comparisons, whose errors name the stores."""
        self._connection.execute(f"SET memory_limit = '{MEMORY}'; SET threads = {os.cpu_count() or 1:d}")
        return cursor_for(self._connection, self.names or None)

    @cached_property
    def temporary(self) -> OpenStore:
        """The store that targets are read into."""
        store = Store.temporary(self._scratch.path, self._connection, COMPARED)
        return OpenStore(store, "", {name: {RUN_ID, *columns} for name, columns in COMPARED.items()})

    @contextmanager
    def for_rules(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a connection to an empty database within this one, for the rules on a target."""
        attach_empty(self._connection, RULES)
        self._connection.execute(f"SET memory_limit = '{JUDGING_MEMORY}'")
        connection = cursor_for(self._connection, None)
        try:
            connection.execute(f"USE {RULES}")
            yield connection
        finally:
            connection.close()
            # After Ctrl-C, the database may be closed already.
            with suppress(_duckdb.ConnectionException):
                self._connection.execute(f"DETACH {RULES}")

    def attach(self, path: Path) -> OpenStore:
        """Return a store, or a run as a folder.

        Raises:
            InputError: It cannot be read.
        """
        place = path.resolve()
        if place not in self._attached:
            name = f"store_{len(self._attached) + 1}"
            store, columns = Store.attach(self._connection, path, name)
            self._attached[place] = OpenStore(store, f"{name}.", columns)
        return self._attached[place]

    def close(self) -> None:
        for attached in self._attached.values():
            attached.store.close()
        if "connection" in self.__dict__:
            self.connection.close()
        super().close()
