"""A store from someone else in the workbench: what is damaged in it is named, and never run."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest
from tests.store.test_hostile_stores import SHAPES, VALUES

from urlset.errors import OutputError

from .conftest import opened

ADDRESSES = ("/", "/runs", "/runs/2", "/runs/2/pages", "/runs/2/findings", "/monitor", "/explore/urls?run=2")


def damaged(made: Path, tmp_path: Path, sql: str) -> Path:
    store = tmp_path / "theirs.duckdb"
    shutil.copyfile(made, store)
    with duckdb.connect(store) as connection:
        connection.execute(sql)
    return store


@pytest.mark.sampled(4)
@pytest.mark.parametrize("shape", SHAPES)
def test_what_no_store_has_is_refused_at_the_start(made: Path, tmp_path: Path, shape: str) -> None:
    store = damaged(made, tmp_path, SHAPES[shape])
    with pytest.raises(OutputError, match=r"urlset\.duckdb: is "), opened(tmp_path, store):
        pass


@pytest.mark.sampled(4)
@pytest.mark.parametrize("value", VALUES)
def test_damaged_values_are_named(made: Path, tmp_path: Path, value: str) -> None:
    store = damaged(made, tmp_path, VALUES[value][0])
    with opened(tmp_path, store) as bench:
        for address in ADDRESSES:
            response = bench.client.get(address)
            assert "internal error" not in response.text.lower(), address
            assert response.status_code in (200, 202) or "urlset.duckdb" in response.text, address
