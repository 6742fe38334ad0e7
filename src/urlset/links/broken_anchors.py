"""Finds links to anchors that do not exist, and stores them in `broken_anchors`.

A script may add an anchor to its page, or use a link as a button. So the anchors of two kinds of links are unknown on
pages with scripts: links that many pages have in common, to an anchor that no page has (`#menu`), and those whose
fragment looks like parameters (`#tab=2`).
"""

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
_LACKING = f"""
CREATE OR REPLACE TEMP TABLE link_anchors AS
WITH linked AS (
    SELECT to_hash, fragment, any_value(wanted) AS wanted, count(*) AS links, min(from_hash) AS first_from,
        bool_and(from_hash = to_hash) AS is_own
    FROM {LINKED_ANCHORS.name}
    WHERE {{run}} AND from_hash NOT IN (SELECT page_hash FROM link_copies)
    GROUP BY to_hash, fragment
)
SELECT l.fragment, l.wanted, l.links, l.first_from, p.url, a.complete, coalesce(p.has_script, true) AS has_script,
    CASE WHEN l.is_own THEN count(*) OVER (PARTITION BY l.fragment, l.is_own, a.complete) ELSE 1 END AS pages
FROM linked AS l
JOIN link_pages AS p ON p.page_hash = l.to_hash
JOIN (SELECT page_hash, hashes, complete FROM {ANCHORS.name} WHERE {{run}}) AS a ON a.page_hash = l.to_hash
WHERE p.status BETWEEN 200 AND 299 AND (p.not_a_page IS NULL OR NOT a.complete)
    AND NOT list_has_any(a.hashes, l.wanted)
"""

_JUDGED = f"""
CREATE OR REPLACE TEMP TABLE link_anchors AS
WITH shared AS (
    SELECT DISTINCT fragment, unnest(wanted) AS hash FROM link_anchors WHERE pages >= {MIN_OF_TEMPLATE}
), elsewhere AS (
    SELECT DISTINCT fragment
    FROM shared JOIN (SELECT unnest(hashes) AS hash FROM {ANCHORS.name} WHERE {{run}}) USING (hash)
)
SELECT *,
    complete AND NOT (
        has_script AND (
            pages >= {MIN_OF_TEMPLATE} AND fragment NOT IN (FROM elsewhere)
            OR contains(url_decode(fragment), ':') OR contains(url_decode(fragment), '=')
        )
    ) AS is_known
FROM link_anchors
"""

_BROKEN = f"""
WITH grouped AS (
    SELECT url, fragment, links, first_from, 1 AS pages FROM link_anchors WHERE is_known AND pages < {MIN_OF_TEMPLATE}
    UNION ALL
    SELECT min(url), fragment, count(*), arg_min(first_from, url), count(*) FROM link_anchors
    WHERE is_known AND pages >= {MIN_OF_TEMPLATE} GROUP BY fragment
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
    run = f"{RUN_ID} = {run_id:d}"
    connection.execute(
        f"{_LACKING.format(run=run)};{_JUDGED.format(run=run)};"
        f"INSERT INTO {BROKEN_ANCHORS.name} ({RUN_ID}, {names}) SELECT {run_id:d}, {names} "
        f"FROM (SELECT row_number() OVER () - 1 AS number, * FROM (FROM ({_BROKEN}) ORDER BY url))"
    )
    [(unknown,)] = connection.execute("SELECT count(*) FROM link_anchors WHERE NOT is_known").fetchall()
    connection.execute("DROP TABLE link_anchors")
    return int(unknown)
