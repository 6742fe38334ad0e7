"""Tables that several rules need and the engine makes once of the reader's: the SQL of each.

In DuckDB they hold the documents of one chunk; rules across documents get those of all chunks together. Where
everything is at hand at once, as in Spark, they are views of the same SQL.
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
"""Sets whose targets are all listed and all have the set itself: as many entries as targets, and the same URLs."""

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
"""The query of each table that is made of a chunk, in the order in which they are made."""

DERIVED_OF_RUN: Mapping[str, str] = {
    "shared_locs": "SELECT loc_hash FROM urls WHERE loc_hash IS NOT NULL GROUP BY loc_hash HAVING count(*) > 1",
}
"""The query of each table that is made of the whole run."""
