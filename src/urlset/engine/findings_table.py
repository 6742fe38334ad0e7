"""Converts findings to a table with the columns of `tables.FINDINGS`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset import _core
from urlset.model.finding import as_rows
from urlset.tables import FINDINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from urlset.model.finding import Finding


def findings_table(findings: Iterable[Finding], document_urls: Mapping[int, str]) -> _core.Table:
    """Return an Arrow table with the columns of `tables.FINDINGS`.

    Args:
        findings: The findings; a finding without examples has one row with its count.
        document_urls: The URL or path of each document, by its number.
    """
    columns = [(column.name, column.type) for column in FINDINGS.columns]
    return _core.Table.from_rows(columns, list(as_rows(findings, document_urls)))
