"""The findings as a table of the contract, `tables.FINDINGS`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset import _core
from urlset.engine.documents_table import storable
from urlset.model.finding import as_rows
from urlset.tables import FINDINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from urlset.model.finding import Finding


def findings_table(findings: Iterable[Finding], document_urls: Mapping[int, str]) -> _core.Table:
    """An Arrow table with the columns of `tables.FINDINGS`.

    Args:
        findings: The findings; one without examples has a row that bears its count.
        document_urls: What each document was called, by its number.
    """
    columns = [(column.name, column.type) for column in FINDINGS.columns]
    rows = [{name: storable(value) for name, value in row.items()} for row in as_rows(findings, document_urls)]
    return _core.Table.from_rows(columns, rows)
