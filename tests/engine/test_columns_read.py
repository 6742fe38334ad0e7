"""A query of documents keeps only the columns that it may read, and its result is the same."""

from __future__ import annotations

import pytest

from urlset.database.connections import connect
from urlset.database.select_only import NotReadingError
from urlset.engine.columns_read import columns_read
from urlset.engine.user_query import QueryDatabase
from urlset.errors import QueryError
from urlset.model.query import QueryResult
from urlset.options import QueryOptions
from urlset.pipeline.sql import query
from urlset.report.command_tables import QUERY
from urlset.report.rows import MAX_CELL
from urlset.report.style import Style
from urlset.tables import TABLES, URLS

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


ANY = "any"


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        ("SELECT document_id FROM urls", {"urls": "document_id"}),
        ("SELECT count(*) FROM urls", {"urls": "document_id"}),
        ("SELECT * FROM news", {"news": ANY}),
        ("SELECT u.* FROM urls AS u JOIN news AS n ON n.ordinal = u.ordinal", {"urls": ANY, "news": "ordinal"}),
        ("SELECT u FROM urls AS u", {"urls": ANY}),
        ("SELECT COLUMNS('loc.*') FROM urls", {"urls": ANY}),
        ("SELECT LOC, u.Line FROM URLS AS U", {"urls": "line loc"}),
        ("SELECT host FROM urls, documents", {"urls": "host", "documents": "host"}),
        ("SELECT d.host, u.loc_hash FROM urls u, documents d", {"urls": "loc_hash", "documents": "host"}),
        ("SELECT loc FROM urls JOIN news USING (document_id, ordinal)",
         {"urls": "document_id ordinal loc", "news": "document_id ordinal"}),
        ("SELECT 1 FROM cuts NATURAL JOIN news", {"cuts": ANY, "news": ANY}),
        ("WITH a AS (SELECT loc AS x FROM urls) SELECT * FROM a", {"urls": "loc"}),
        ("WITH urls AS (SELECT loc AS x FROM urls) SELECT x FROM urls", {"urls": "loc"}),
        ("SELECT * FROM (SELECT line FROM urls) AS s", {"urls": "line"}),
        ("SELECT 1 FROM urls u WHERE EXISTS (SELECT 1 FROM news n WHERE n.ordinal = u.ordinal AND title = u.loc)",
         {"urls": "ordinal loc", "news": "ordinal title"}),
        ("SELECT 1 FROM urls u WHERE EXISTS (SELECT 1 FROM news WHERE ordinal = line)",
         {"urls": "document_id", "news": "ordinal line"}),
        ("SELECT 1 FROM urls u WHERE EXISTS (SELECT 1 FROM news WHERE ordinal = loc)",
         {"urls": "loc", "news": "ordinal"}),
        ("SELECT 1 FROM urls WHERE EXISTS (SELECT 1 FROM news, (SELECT 1 AS x) AS s WHERE loc = x)",
         {"urls": "loc", "news": "document_id"}),
        ("SELECT loc FROM urls UNION ALL SELECT title FROM news ORDER BY 1", {"urls": "loc", "news": "title"}),
        ("SELECT line FROM urls GROUP BY line HAVING max(col) > 1 ORDER BY min(byte_offset) LIMIT 3",
         {"urls": "line col byte_offset"}),
        ("SELECT row_number() OVER (PARTITION BY scheme ORDER BY port) FROM urls QUALIFY min(path) OVER () > ''",
         {"urls": "scheme port path"}),
        ("SELECT list_transform(tags, lambda x: x || title) FROM videos", {"videos": "title tags"}),
        ("SELECT t FROM videos, unnest(tags) AS s(t)", {"videos": "tags"}),
        ("SELECT loc_hash FROM shared_locs", {"urls": "loc_hash", "shared_locs": "loc_hash"}),
        ("SELECT loc FROM urls WHERE lastmod_at > $now", {"urls": "loc lastmod_at"}),
        ("SELECT c FROM urls AS u(a, b, c), news", {"urls": ANY, "news": "document_id"}),
    ],
)  # fmt: skip
def test_the_columns_of_each_table(sql: str, columns: dict[str, str]) -> None:
    found = columns_read(sql, connect())
    assert {name: set(read) for name, read in found.items()} == {
        name: set(TABLES[name].column_names if names == ANY else names.split()) for name, names in columns.items()
    }


def test_a_table_function_may_read_any_column() -> None:
    found = columns_read("SELECT loc FROM urls, query_table('urls')", connect())
    assert found == {name: table.column_names for name, table in TABLES.items()}


def test_only_a_select_can_be_read() -> None:
    with pytest.raises(NotReadingError, match="Only SELECT"):
        columns_read("DROP TABLE urls", connect())


@pytest.mark.parametrize(
    "sql",
    ["DESCRIBE urls", "desc main.URLS; -- all", "SHOW urls", "DESCRIBE FROM urls", "DESCRIBE SELECT * FROM urls"],
)
def test_a_description_has_the_meaning_of_each_column(sql: str) -> None:
    found = query(sql, [SITEMAP], QueryOptions())
    assert found.columns == ("column_name", "column_type", "about")
    assert [(name, about) for name, _, about in found.rows] == [(column.name, column.about) for column in URLS.columns]


def test_the_table_of_a_description_has_whole_sentences() -> None:
    found = query("DESCRIBE urls", [SITEMAP], QueryOptions())
    longest = max((str(about) for _, _, about in found.rows), key=len)
    assert len(longest) > MAX_CELL
    result = QueryResult(tuple(found.columns), tuple(found.types), iter(found.rows))
    lines = list(QUERY.text(result, Style(max_rows=0)))
    assert longest in " ".join(" ".join(lines).split())


@pytest.mark.parametrize("sql", ["SELECT about FROM (DESCRIBE urls)", "WITH d AS (DESCRIBE urls) SELECT about FROM d"])
def test_a_query_on_a_description_says_where_the_meaning_is(sql: str) -> None:
    with pytest.raises(QueryError, match="`describe TABLE` has the column about only as a query"):
        query(sql, [SITEMAP], QueryOptions())
    with pytest.raises(QueryError) as raised:
        query("SELECT about FROM urls", [SITEMAP], QueryOptions())
    assert "describe TABLE" not in str(raised.value)


@pytest.mark.parametrize(
    "sql",
    [
        "DESCRIBE SELECT line AS loc FROM urls",
        "DESCRIBE SELECT * RENAME (line AS document) FROM urls",
        "DESCRIBE SELECT * REPLACE (1 AS loc) FROM urls",
        "DESCRIBE SELECT COLUMNS('loc.*') FROM urls",
        "DESCRIBE FROM urls AS u(loc)",
        "DESCRIBE FROM urls JOIN images USING (ordinal)",
        "DESCRIBE WITH urls AS (SELECT 1 AS loc) FROM urls",
        "DESCRIBE FROM urls UNION ALL FROM urls",
        "DESCRIBE VALUES (1)",
        "FROM (DESCRIBE urls)",
        "SHOW TABLES",
    ],
)
def test_other_descriptions_are_those_of_duckdb(sql: str) -> None:
    assert "about" not in query(sql, [SITEMAP], QueryOptions()).columns
