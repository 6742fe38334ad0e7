"""The tests of rules run an engine per case, all of them in one DuckDB."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.shared_database import SharedDatabase


@pytest.fixture(scope="package", autouse=True)
def shared_database() -> Iterator[None]:
    shared = SharedDatabase()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("urlset.database._opened", shared.opened)
        yield
    shared.close()
