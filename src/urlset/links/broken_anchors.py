"""Finds links to anchors that do not exist, and stores them in `broken_anchors`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.engine.rule_sql import identifier_list
from urlset.store.file import RUN_ID
from urlset.tables import ANCHORS, BROKEN_ANCHORS, LINKED_ANCHORS

if TYPE_CHECKING:
    import _duckdb as duckdb

MIN_OF_TEMPLATE = 3
"""Minimum number of pages that link to the same anchor on themselves and lack it, to report them as one."""

# `link_pages` are the pages of the run, and `link_copies` those whose links another page has, too (`link_graph.py`).
_JUDGED = f"""
CREATE OR REPLACE TEMP TABLE link_anchors AS
WITH linked AS (
    SELECT to_hash, fragment, any_value(wanted) AS wanted, count(*) AS links, min(from_hash) AS first_from,
        bool_and(from_hash = to_hash) AS is_own
    FROM {LINKED_ANCHORS.name}
    WHERE {{run}} AND from_hash NOT IN (SELECT page_hash FROM link_copies)
    GROUP BY to_hash, fragment
)
SELECT l.to_hash, l.fragment, l.links, l.first_from, l.is_own, p.url, a.complete
FROM linked AS l
JOIN link_pages AS p ON p.page_hash = l.to_hash
JOIN (SELECT page_hash, hashes, complete FROM {ANCHORS.name} WHERE {{run}}) AS a ON a.page_hash = l.to_hash
WHERE p.status BETWEEN 200 AND 299 AND (p.not_a_page IS NULL OR NOT a.complete)
    AND NOT list_has_any(a.hashes, l.wanted)
"""

_BROKEN = f"""
WITH broken AS (
    SELECT *, CASE WHEN is_own THEN count(*) OVER (PARTITION BY fragment, is_own) ELSE 1 END AS lacking
    FROM link_anchors WHERE complete
), grouped AS (
    SELECT url, fragment, links, first_from, 1 AS pages FROM broken WHERE lacking < {MIN_OF_TEMPLATE}
    UNION ALL
    SELECT min(url), fragment, count(*), arg_min(first_from, url), count(*) FROM broken
    WHERE lacking >= {MIN_OF_TEMPLATE} GROUP BY fragment
)
SELECT coalesce(f.document_id, (SELECT min(document_id) FROM link_pages), 0) AS document_id, f.ordinal, f.line, f.col,
    g.url || '#' || g.fragment AS url, g.links, g.pages, f.url AS linked_from
FROM grouped AS g JOIN link_pages AS f ON f.page_hash = g.first_from
"""


def store_broken_anchors(connection: duckdb.DuckDBPyConnection, run_id: int) -> int:
    """Add the rows of `broken_anchors` to a run.

    Args:
        connection: Of the store, with the temporary tables of the link graph.

    Returns:
        The number of linked anchors of which it is unknown whether their page has them.
    """
    names = identifier_list(BROKEN_ANCHORS.column_names)
    connection.execute(
        f"{_JUDGED.format(run=f'{RUN_ID} = {run_id:d}')};"
        f"INSERT INTO {BROKEN_ANCHORS.name} ({RUN_ID}, {names}) SELECT {run_id:d}, {names} "
        f"FROM (SELECT row_number() OVER () - 1 AS number, * FROM (FROM ({_BROKEN}) ORDER BY url))"
    )
    [(unknown,)] = connection.execute("SELECT count(*) FROM link_anchors WHERE NOT complete").fetchall()
    connection.execute("DROP TABLE link_anchors")
    return int(unknown)
