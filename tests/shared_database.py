"""One DuckDB for many engines: opening a database takes 30 ms, and another one inside of it 3 ms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import urlset.database

OPENED = urlset.database._opened


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
    """Opens databases in memory inside one that stays open, whose memory and threads they share."""

    def __init__(self) -> None:
        self._shared: Any = OPENED(":memory:", {"threads": 1})
        self._count = 0

    def opened(self, name: str, config: Mapping[str, Any], *, read_only: bool = False) -> Any:
        if name != ":memory:":
            return OPENED(name, config, read_only=read_only)
        self._count += 1
        return _Inner(self._shared, f"database_{self._count}")

    def close(self) -> None:
        self._shared.close()
