"""Reading logs into a store, and what it then has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from urlset.model.access_log import LogsResult
from urlset.options.reading_logs import LogsOptions
from urlset.pipeline.logs import logs
from urlset.store.file import Store


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "logs.duckdb"


@pytest.fixture
def read(store: Path, tmp_path: Path) -> Callable[..., LogsResult]:
    """Read targets; bytes become a file."""

    def run(*targets: str | Path | bytes, resolver: Any = None, **options: Any) -> LogsResult:
        named = []
        for number, target in enumerate(targets):
            if isinstance(target, bytes):
                path = tmp_path / f"{number}.log"
                path.write_bytes(target)
                named.append(str(path))
            else:
                named.append(str(target))
        options.setdefault("store", store)
        options.setdefault("site", "https://example.com")
        return logs(named, LogsOptions(**options), resolver=resolver)

    return run


@pytest.fixture
def rows(store: Path) -> Callable[[str], list[tuple[Any, ...]]]:
    """Query the store."""

    def run(sql: str) -> list[tuple[Any, ...]]:
        with Store.read(store) as kept:
            return kept.connection.execute(sql).fetchall()

    return run
