"""Sets aside the hreflang links that rules across documents do not need, while documents are still being checked.

Most links are in closed sets: all targets have an entry with the same links. Once its last entry was read, the links of
a closed set are known from its entries, and are dropped. An entry that is read later may open the set again.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from urlset.engine.examples import whole
from urlset.engine.schemas import RUN
from urlset.rules.derived import CLOSED_SETS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.engine.statements import Statements

ROWS_BETWEEN_SEARCHES = 500_000
"""Minimum number of new rows of `open_sets` between searches for closed sets. There are at least as many as rows were
left by the last search, so that the cost of all searches is linear."""

TABLES_READ = frozenset({"open_sets", "open_links"})
"""The tables that are searched, of those that the engine keeps for rules across documents."""

_MOVE = f"""
CREATE TEMP TABLE closed AS {CLOSED_SETS.replace("open_sets", f"{RUN}.open_sets")};
INSERT INTO {RUN}.closed_sets SELECT s.* FROM {RUN}.open_sets AS s SEMI JOIN closed USING (set_hash);
CREATE TABLE {RUN}.left_sets AS SELECT s.* FROM {RUN}.open_sets AS s ANTI JOIN closed USING (set_hash);
CREATE TABLE {RUN}.left_links AS
    SELECT l.* FROM {RUN}.open_links AS l SEMI JOIN {RUN}.left_sets USING (document_id, ordinal);
DROP TABLE {RUN}.open_sets;
ALTER TABLE {RUN}.left_sets RENAME TO open_sets;
DROP TABLE {RUN}.open_links;
ALTER TABLE {RUN}.left_links RENAME TO open_links;
DROP TABLE closed
"""

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


class ClosedSets:
    """Moves closed sets out of the tables that the engine keeps for rules across documents.

    Args:
        statements: Runs the SQL statements.
        kept: The columns that the engine keeps, by table.
    """

    def __init__(self, statements: Statements, kept: Mapping[str, Sequence[str]]) -> None:
        self._statements = statements
        self._is_needed = kept.keys() >= TABLES_READ and {"document_id", "ordinal"} <= set(kept["open_links"])
        self._rows_left = 0
        self._has_closed = False

    def set_aside(self) -> None:
        """Set the closed sets aside if there are many new rows. The tables of the last chunk must still exist."""
        if not self._is_needed:
            return
        [(problems,)] = self._statements.rows("SELECT count(href_problem) FROM alternates")
        if problems:
            # Only valid hrefs are links of a set, and entries do not tell which of their targets are valid.
            self._is_needed = False
            return
        rows = self._rows("open_sets")
        if rows < self._rows_left + max(ROWS_BETWEEN_SEARCHES, self._rows_left):
            return
        if not self._has_closed:
            self._statements.execute(f"CREATE TABLE {RUN}.closed_sets AS FROM {RUN}.open_sets LIMIT 0")
            self._has_closed = True
        self._run(_MOVE)
        self._rows_left = self._rows("open_sets")

    def restore(self) -> None:
        """Restore the sets that are no longer closed, and those with entries of the same URLs as an open set."""
        while self._has_closed and self._rows("open_sets"):
            self._run(_FIND)
            [(found,)] = self._statements.rows("SELECT count(*) FROM reopened")
            if not found:
                return
            self._run(_RESTORE)

    def _run(self, statements: str) -> None:
        for statement in statements.split(";"):
            self._statements.patiently(partial(self._statements.execute, statement))

    def _rows(self, name: str) -> int:
        [(rows,)] = self._statements.rows(f"SELECT count(*) FROM {RUN}.{name}")
        return whole(rows)
