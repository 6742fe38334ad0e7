"""The raw findings as Parquet, one row an example with the count of its finding.

DuckDB's own writer makes it, so that no library more is needed.

It lives here and not among the renderers because only the engine may know DuckDB, and because what it writes is a table
of the contract (`tables.FINDINGS`) and not a report: other programs join it with tables of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.database import connect
from urlset.engine.findings_table import findings_table
from urlset.engine.sql import listed, text_literal
from urlset.scratch import Scratch
from urlset.tables import FINDINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from urlset.model.finding import Finding


def findings_as_parquet(findings: Iterable[Finding], document_urls: Mapping[int, str]) -> bytes:
    """A Parquet file with the columns of `tables.FINDINGS`.

    Args:
        findings: The findings; one without examples has a row that bears its count.
        document_urls: What each document was called, by its number.
    """
    # DuckDB cannot open every path that the system can (a name may hold bytes that are no text), so it writes to a
    # place of ours. Findings are few: a run keeps a handful of examples of each.
    with Scratch() as scratch:
        path = scratch.path / "findings.parquet"
        with connect(readable=[path]) as connection:
            connection.register("findings", findings_table(findings, document_urls))
            names, target = listed(FINDINGS.column_names), text_literal(str(path))
            connection.execute(f"COPY (SELECT {names} FROM findings) TO {target} (FORMAT parquet, COMPRESSION zstd)")
        return path.read_bytes()
