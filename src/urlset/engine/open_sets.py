"""Keeps the hreflang links that rules across documents need, without those of closed sets.

Most links are in closed sets: all targets have an entry with the same links. Once its last entry was read, the links of
a closed set are known from its entries, and are dropped. An entry that is read later may open the set again.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from urlset import _core
from urlset.database.connections import ROW_GROUP
from urlset.engine.examples import integer_of
from urlset.engine.schemas import RUN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.engine.cross_document_rows import CrossDocumentRows
    from urlset.engine.schemas import Schemas
    from urlset.engine.statements import Statements

OPEN_TABLES = ("open_sets", "open_links", "open_hrefs")
"""The tables of open sets."""

BETWEEN_REMOVALS = 100_000
"""Minimum number of entries between two removals of closed sets."""

MAX_BYTES = 64 * 1024 * 1024
"""Memory of open sets from which on DuckDB keeps them, which can move them to disk."""

# Entries with the same links as an open set, or of a URL that an open set has, too.
_FIND = f"""
CREATE OR REPLACE TEMP TABLE reopened AS
SELECT DISTINCT set_hash FROM {RUN}.closed_sets
WHERE set_hash IN (SELECT set_hash FROM {RUN}.open_sets) OR loc_hash IN (SELECT loc_hash FROM {RUN}.open_sets)
"""

_RESTORE = f"""
CREATE TEMP TABLE restored AS SELECT s.* FROM {RUN}.closed_sets AS s SEMI JOIN reopened USING (set_hash);
DELETE FROM {RUN}.closed_sets WHERE set_hash IN (SELECT set_hash FROM reopened);
INSERT INTO {RUN}.open_sets FROM restored;
INSERT INTO {RUN}.open_links
    SELECT s.document_id, s.ordinal, t.loc_hash AS href_hash FROM restored AS s JOIN restored AS t USING (set_hash);
DROP TABLE restored
"""


class OpenSets:
    """The open sets of a run, for rules across documents.

    Args:
        statements: Runs SQL statements.
        schemas: The tables.
        rows: Keeps the rows that rules across documents read.
        columns: The columns of `open_sets` that they read.
    """

    def __init__(
        self, statements: Statements, schemas: Schemas, rows: CrossDocumentRows, columns: Sequence[str]
    ) -> None:
        self._statements = statements
        self._schemas = schemas
        self._rows = rows
        self._columns = list(columns)
        self._sets = _core.OpenSets(BETWEEN_REMOVALS)
        self._has_closed = False

    def add(self, link_sets: object, alternates: object) -> bool:
        """Add the rows of whole documents, and return whether they leave some of their sets open.

        Args:
            link_sets: An object with `__arrow_c_stream__` with the columns of the table, in the order of documents and
                entries.
            alternates: The same for the links of these entries.
        """
        newly_open = self._sets.add(link_sets, alternates)
        if self._sets.closed_entries >= ROW_GROUP:
            self._keep_closed()
        if self._sets.nbytes > MAX_BYTES:
            self._keep_open()
        return newly_open > 0

    def flush(self) -> None:
        """Store the open sets in the tables that rules read.

        Closed sets are restored if they are no longer closed, or have entries of the same URLs as an open set.
        """
        self._keep_open()
        self._rows.flush()
        self._schemas.create(RUN, OPEN_TABLES)
        if self._sets.closed_entries:
            self._keep_closed()
        while self._has_closed and self._count("open_sets"):
            self._run(_FIND)
            [(count,)] = self._statements.rows("SELECT count(*) FROM reopened")
            if not count:
                return
            self._run(_RESTORE)

    def _keep_open(self) -> None:
        for name, rows in zip(OPEN_TABLES, self._sets.drain(self._columns), strict=True):
            if rows.num_rows:
                self._rows.add(name, rows)

    def _keep_closed(self) -> None:
        if not self._has_closed:
            self._has_closed = True
            self._schemas.create(RUN, ["open_sets"])
            self._statements.execute(f"CREATE TABLE {RUN}.closed_sets AS FROM {RUN}.open_sets LIMIT 0")
        self._rows.insert("closed_sets", self._sets.closed(self._columns), self._columns)

    def _run(self, statements: str) -> None:
        for statement in statements.split(";"):
            self._statements.patiently(partial(self._statements.execute, statement))

    def _count(self, name: str) -> int:
        [(rows,)] = self._statements.rows(f"SELECT count(*) FROM {RUN}.{name}")
        return integer_of(rows)
