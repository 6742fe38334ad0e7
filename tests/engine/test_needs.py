"""Which columns a query needs: all that it names of a table, and of the other tables nothing."""

from __future__ import annotations

import duckdb
import pytest

from urlset.database.select_only import NotReadingError
from urlset.engine.needs import derive
from urlset.tables import TABLES

ALL = "all"


@pytest.mark.parametrize(
    ("sql", "needs"),
    [
        ("SELECT document_id FROM urls", {"urls": "document_id"}),
        ("SELECT count(*) FROM urls", {"urls": "document_id"}),
        ("SELECT * FROM news", {"news": ALL}),
        ("SELECT u.* FROM urls AS u JOIN news AS n ON n.ordinal = u.ordinal", {"urls": ALL, "news": "ordinal"}),
        ("SELECT u FROM urls AS u", {"urls": ALL}),
        ("SELECT COLUMNS('loc.*') FROM urls", {"urls": ALL}),
        ("SELECT LOC, u.Line FROM URLS AS U", {"urls": "line loc"}),
        ("SELECT host FROM urls, documents", {"urls": "host", "documents": "host"}),
        ("SELECT d.host, u.loc_hash FROM urls u, documents d", {"urls": "loc_hash", "documents": "host"}),
        ("SELECT loc FROM urls JOIN news USING (document_id, ordinal)",
         {"urls": "document_id ordinal loc", "news": "document_id ordinal"}),
        ("SELECT 1 FROM cuts NATURAL JOIN news", {"cuts": ALL, "news": ALL}),
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
    ],
)  # fmt: skip
def test_needs(sql: str, needs: dict[str, str]) -> None:
    with duckdb.connect() as connection:
        found = derive(sql, connection)
    assert {name: set(columns) for name, columns in found.items()} == {
        name: set(TABLES[name].column_names if columns == ALL else columns.split()) for name, columns in needs.items()
    }


def test_only_a_select_can_be_read() -> None:
    with duckdb.connect() as connection, pytest.raises(NotReadingError, match="Only SELECT"):
        derive("DROP TABLE urls", connection)
