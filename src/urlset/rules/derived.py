"""SQL of derived tables that several rules need, and that the engine computes once from the reader's tables.

In DuckDB they contain the documents of one chunk; rules across documents get the tables of all chunks combined. If all
data is available at once, as in Spark, they are views of the same SQL.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CLOSED_SETS = """
            SELECT set_hash
            FROM open_sets
            GROUP BY set_hash
            HAVING count(*) = max(targets) AND bit_xor(loc_hash) = max(targets_hash)
"""
"""Link sets whose targets are all listed with the same set: as many entries as targets, and the same URLs."""

DERIVED: Mapping[str, str] = {
    "open_sets": f"""
        SELECT s.*
        FROM link_sets AS s
        LEFT JOIN ({CLOSED_SETS.replace("open_sets", "link_sets")}) AS c ON c.set_hash = s.set_hash
        WHERE c.set_hash IS NULL
    """,
    "open_links": """
        SELECT a.document_id, a.ordinal, a.href_hash
        FROM alternates AS a
        JOIN open_sets AS s ON s.document_id = a.document_id AND s.ordinal = a.ordinal
        WHERE a.href_problem IS NULL
    """,
    "open_hrefs": """
        SELECT a.document_id, a.ordinal, a.href_hash, a.href
        FROM alternates AS a
        JOIN open_sets AS s ON s.document_id = a.document_id AND s.ordinal = a.ordinal
        WHERE a.ordinal < 100 AND a.href_problem IS NULL
    """,
}
"""The query of each table that is derived per chunk, in the order in which they are built."""


DERIVED_OF_RUN: Mapping[str, str] = {
    "shared_locs": "SELECT loc_hash FROM urls WHERE loc_hash IS NOT NULL GROUP BY loc_hash HAVING count(*) > 1",
    "open_pairs": f"""
        WITH sets AS MATERIALIZED (
            SELECT s.document_id, s.ordinal, s.line, s.col, s.loc_hash
            FROM open_sets AS s
            LEFT JOIN ({CLOSED_SETS}) AS c ON c.set_hash = s.set_hash
            WHERE c.set_hash IS NULL
        )
        SELECT DISTINCT
            s.document_id, s.ordinal, s.line, s.col, s.loc_hash AS source, a.href_hash AS target, h.href
        FROM open_links AS a
        JOIN sets AS s ON s.document_id = a.document_id AND s.ordinal = a.ordinal
        LEFT JOIN open_hrefs AS h
            ON h.document_id = a.document_id AND h.ordinal = a.ordinal AND h.href_hash = a.href_hash
        WHERE a.href_hash <> s.loc_hash
    """,
}
"""The query of each table that is derived from the whole run."""


def sources(query: str, tables: Iterable[str]) -> list[str]:
    """Return those of these tables that the query of a derived table reads."""
    # Most names do not occur in the text, and `in` is many times as fast as the regular expression.
    return [name for name in tables if name in query and re.search(rf"\b{name}\b", query)]
