"""SQL of derived tables that several rules need, and that the engine computes once from the reader's tables.

In DuckDB they contain the documents of one chunk; rules across documents get the tables of all chunks combined. If all
data is available at once, as in Spark, they are views of the same SQL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        SELECT a.document_id, a.ordinal, a.href_hash, CASE WHEN a.ordinal < 100 THEN a.href END AS href
        FROM alternates AS a
        JOIN open_sets AS s ON s.document_id = a.document_id AND s.ordinal = a.ordinal
        WHERE a.href_problem IS NULL
    """,
}
"""The query of each table that is derived per chunk, in the order in which they are built."""

DERIVED_OF_RUN: Mapping[str, str] = {
    "shared_locs": "SELECT loc_hash FROM urls WHERE loc_hash IS NOT NULL GROUP BY loc_hash HAVING count(*) > 1",
}
"""The query of each table that is derived from the whole run."""
