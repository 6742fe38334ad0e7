"""Looks up the URLs of entries for examples of rows that do not have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from urlset.engine.spark.statements import SparkStatements
    from urlset.tables import Table

PLACES = "urlset_wanted"
"""View of the entries to look up."""


class EntryUrls:
    """Looks up the URLs of entries.

    Args:
        statements: Runs the SQL statements.
        tables: The tables that have rows.
    """

    def __init__(self, statements: SparkStatements, tables: Iterable[str]) -> None:
        self._statements = statements
        self._tables = [name for name in ("children", "urls") if name in tables]

    def of(self, table: Table, rows: Iterable[Mapping[str, object]]) -> dict[tuple[object, object], object]:
        """Return the loc of the entries that rows without a URL belong to, by document and ordinal."""
        if "ordinal" not in table.column_names or table.url_column is not None:
            return {}
        return self.at((row["document_id"], row["ordinal"]) for row in rows if row["ordinal"] is not None)

    def at(self, places: Iterable[tuple[object, object]]) -> dict[tuple[object, object], object]:
        """Return the loc of entries, by document and ordinal."""
        keys = sorted(set(places))
        urls: dict[tuple[object, object], object] = {}
        if not keys:
            return urls
        session = self._statements.session
        pairs = session.createDataFrame(keys, "document_id int, ordinal int").hint("broadcast")
        for name in self._tables:
            # Spark skips the row groups of other documents.
            first, last = keys[0][0], keys[-1][0]
            entries = session.table(TABLES[name].name).where(f"document_id BETWEEN {first} AND {last}")
            rows = entries.join(pairs, ["document_id", "ordinal"]).select("document_id", "ordinal", "loc")
            urls |= {(document_id, ordinal): loc for document_id, ordinal, loc in self._statements.rows("urls", rows)}
        return urls
