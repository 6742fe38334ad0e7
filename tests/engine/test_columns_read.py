"""A query of documents keeps only the columns that it may read, and its result is the same."""

from __future__ import annotations

import pytest

from urlset.database.connections import connect
from urlset.engine.needs import columns_read
from urlset.engine.user_query import QueryDatabase
from urlset.options import QueryOptions
from urlset.pipeline.sql import query
from urlset.tables import URLS

SITEMAP = b"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/a</loc><lastmod>2026-01-01</lastmod></url>
<url><loc>https://example.com/b?c</loc><priority>0.5</priority></url>
<url><loc>https://example.com/a</loc></url>
</urlset>"""

ALL = URLS.column_names

CASES = (
    ("SELECT count(*) FROM urls", ("document_id",)),
    ("SELECT count(DISTINCT loc) FROM urls", ("loc",)),
    ("SELECT u.loc FROM urls u ORDER BY u.ordinal", ("ordinal", "loc")),
    ("SELECT main.urls.path FROM main.urls ORDER BY 1", ("path",)),
    ("SELECT a.loc FROM urls a JOIN urls b USING (ordinal) ORDER BY 1", ("ordinal", "loc")),
    ("WITH c(x) AS (SELECT loc FROM urls) SELECT x FROM c ORDER BY x", ("loc",)),
    ("SELECT loc FROM urls GROUP BY loc HAVING max(priority_value) IS NULL ORDER BY 1", ("loc", "priority_value")),
    ('SELECT "LOC" FROM URLS ORDER BY 1', ("loc",)),
    (
        "SELECT (SELECT max(lastmod) FROM urls WHERE urls.line = o.line) FROM urls o ORDER BY 1",
        ("line", "lastmod"),
    ),
    ("FROM urls ORDER BY ordinal", ALL),
    ("SELECT count(*) FROM (SELECT DISTINCT * FROM urls)", ALL),
    ("SELECT count(DISTINCT u) FROM urls u", ALL),
    ("SELECT COLUMNS('loc.*') FROM urls ORDER BY ALL", ALL),
    ("SELECT count(*) FROM urls NATURAL JOIN (SELECT loc FROM urls)", ALL),
    ("SELECT a FROM urls AS u(a) ORDER BY a", ALL),
    ("SELECT #2 FROM urls ORDER BY 1", ALL),
    ("DESCRIBE urls", ALL),
    ("SUMMARIZE urls", ALL),
    ("PIVOT urls ON ordinal USING count(*) GROUP BY loc ORDER BY loc", ALL),
    ("SELECT loc, name FROM urls UNPIVOT (path FOR name IN (path, host)) ORDER BY ALL", ALL),
)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("sql", "columns"), CASES, ids=[sql for sql, _ in CASES])
def test_the_columns_and_the_result(sql: str, columns: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    with QueryDatabase(sql) as database:
        kept = database._connection.execute(
            "SELECT column_name FROM duckdb_columns() WHERE table_name = 'urls' ORDER BY column_index"
        ).fetchall()
    assert tuple(name for (name,) in kept) == columns
    found = query(sql, [SITEMAP], QueryOptions())
    monkeypatch.setattr("urlset.engine.user_query.columns_read", lambda *_: {})
    assert found == query(sql, [SITEMAP], QueryOptions())


def test_a_table_function_may_read_any_column() -> None:
    assert columns_read("SELECT loc FROM urls, query_table('urls')", connect()) == {}
