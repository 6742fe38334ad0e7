"""One DuckDB for the engines of a worker, and one empty store for its stores: opening them takes most of a test."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import local
from typing import Any

import pytest

import urlset.database.connections
from urlset.database.connections import path_problem
from urlset.engine.duckdb import Engine
from urlset.engine.store_tables import is_checked, is_complete, remember, state_of
from urlset.store.file import Store

OPENED = urlset.database.connections._connect
CREATE_STORE = Store.create.__func__  # type: ignore[attr-defined]
START_ENGINE = Engine.__init__


class _Inner:
    """A connection to an empty database in memory inside the shared one; closing it removes that database."""

    def __init__(self, shared: Any, name: str) -> None:
        self._plain, self._name, self._is_open = shared.cursor(), name, True
        self._plain.execute(f"ATTACH ':memory:' AS {name}")
        self._plain.execute(f"USE {name}")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plain, name)

    def execute(self, statement: str, *values: Any) -> Any:
        """Run a statement. Settings are those of the shared database, like the configuration when it is opened."""
        is_shared = statement.startswith("SET ") and not statement.startswith("SET schema")
        return self._plain if is_shared else self._plain.execute(statement, *values)

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._plain.execute("USE memory")
            self._plain.execute(f"DETACH {self._name}")
            self._plain.close()


class SharedDatabase:
    """Opens the database of an engine inside one that stays open (0.6 ms instead of 30), whose limits they share.

    An engine with limits for some rules opens its own, as does whatever reads files.
    """

    def __init__(self) -> None:
        self._shared: Any = OPENED(":memory:", {"threads": 1, "enable_external_access": False})
        self._count = 0
        self._thread = local()

    def share(self, patch: pytest.MonkeyPatch) -> None:
        def start(engine: Engine, *arguments: Any, **named: Any) -> None:
            bounds = named.get("bounds")
            self._thread.is_engine = bounds is None or not bounds.codes
            try:
                START_ENGINE(engine, *arguments, **named)
            finally:
                self._thread.is_engine = False

        patch.setattr(Engine, "__init__", start)
        patch.setattr(urlset.database.connections, "_connect", self._opened)
        patch.setattr(urlset.database.connections, "open_ahead", lambda: None)

    def _opened(self, name: str, config: Mapping[str, Any], *, read_only: bool = False) -> Any:
        if not getattr(self._thread, "is_engine", False):
            return OPENED(name, config, read_only=read_only)
        self._count += 1
        return _Inner(self._shared, f"database_{self._count}")

    def close(self) -> None:
        self._shared.close()


def copy_store(store: Path, path: Path) -> Path:
    """Copy a store. If this process has checked it, it does not check the copy, which takes as long as a small run."""
    state = state_of(store)
    shutil.copyfile(store, path)
    if is_checked(state):
        remember(state_of(path), is_complete=is_complete(state))
    return path


def share_empty_store(patch: pytest.MonkeyPatch) -> None:
    """Let a store that does not exist yet be a copy of one that was created (5 ms instead of 90)."""

    @cache
    def empty() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "empty.duckdb"
            CREATE_STORE(Store, path).close()
            return path.read_bytes()

    empty()  # before a test lets the disk be full

    def create(cls: type[Store], path: Path) -> Store:
        is_new = not path.exists()
        if is_new and path_problem(path) is None:
            with suppress(OSError):
                path.write_bytes(empty())
                remember(state_of(path), is_complete=True)
        store: Store = CREATE_STORE(cls, path)
        store._is_new = is_new
        return store

    patch.setattr(Store, "create", classmethod(create))
