"""The tables that the core builds are those that `urlset.tables` promises: names, order and types."""

from __future__ import annotations

import pytest

from urlset import _core
from urlset.tables import TABLES

BUILT = {name: table for name, table in TABLES.items() if table.built_by == "core"}


def test_the_core_builds_these_tables() -> None:
    assert list(_core.reader_schemas()) == list(BUILT)


@pytest.mark.parametrize("name", BUILT)
def test_columns(name: str) -> None:
    built = _core.reader_schemas()[name]
    promised = [(column.name, column.type) for column in BUILT[name].columns]
    assert list(zip(built.column_names, built.column_types, strict=True)) == promised


@pytest.mark.parametrize("name", BUILT)
def test_rows_have_the_columns_of_the_schema(name: str) -> None:
    ns = "http://www.google.com/schemas/sitemap-"
    document = f"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:i="{ns}image/1.1"
      xmlns:v="{ns}video/1.1" xmlns:n="{ns}news/0.9" xmlns:x="http://www.w3.org/1999/xhtml">
      <url><loc> a </loc><i:image/><v:video/><n:news/><x:link href="b"/></url><sitemap/></urlset>"""
    tables = [batch[name] for batch in _core.Reader(document.encode()) if name in batch]
    assert [table.column_names for table in tables] == [_core.reader_schemas()[name].column_names]
    assert [table.column_types for table in tables] == [_core.reader_schemas()[name].column_types]
    assert [table.num_rows for table in tables if name != "anomalies"] in ([1], [])
