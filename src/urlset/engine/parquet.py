"""Writes findings as Parquet: one row per example, with the count of its finding.

DuckDB writes the file, so that no other library is needed.

This is part of the engine and not of the renderers because only the engine uses DuckDB, and because the output is a
documented table (`tables.FINDINGS`) rather than a report: other programs join it with their own tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.database.connections import connect
from urlset.engine.findings_table import findings_table
from urlset.engine.rule_sql import identifier_list, text_literal
from urlset.files.scratch import Scratch
from urlset.tables import FINDINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from urlset.model.finding import Finding


def findings_as_parquet(findings: Iterable[Finding], document_urls: Mapping[int, str]) -> bytes:
    """Return a Parquet file with the columns of `tables.FINDINGS`.

    Args:
        findings: The findings; a finding without examples has one row with its count.
        document_urls: The URL or path of each document, by its number.
    """
    # DuckDB cannot open every path that the system can (a name may have bytes that are not text), so it writes to a
    # temporary folder. The file is small: a run keeps only a few examples per finding.
    with Scratch() as scratch:
        path = scratch.path / "findings.parquet"
        with connect(readable=[path]) as connection:
            connection.register("findings", findings_table(findings, document_urls))
            names, target = identifier_list(FINDINGS.column_names), text_literal(str(path))
            connection.execute(f"COPY (SELECT {names} FROM findings) TO {target} (FORMAT parquet, COMPRESSION zstd)")
        return path.read_bytes()
