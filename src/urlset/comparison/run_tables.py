"""The tables of a run, as SQL for queries that compare two runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from urlset.engine.page_verdicts import TEXT_VERSION, pages_query, select_list
from urlset.engine.rule_sql import quote
from urlset.engine.store_tables import column_types
from urlset.store.file import RUN_ID
from urlset.tables import PAGES, RUNS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import duckdb

    from urlset.tables import Table


class RunTables(Struct, frozen=True):
    """The tables of a run, as SQL for queries.

    Attributes:
        prefix: The name of the database or schema with a dot; empty for that of the connection.
        columns: The columns of each stored table. Missing ones, as in stores of older versions, are null.
    """

    prefix: str
    run_id: int
    columns: Mapping[str, Collection[str]]

    @property
    def condition(self) -> str:
        """SQL for whether a row of a table is of the run."""
        return f"{RUN_ID} = {self.run_id:d}"

    def rows(self, table: Table) -> str:
        """Return SQL for the rows of a table, as after FROM."""
        there = self.columns.get(table.name, ())
        selected = select_list(table.column_names, there, column_types(table))
        if not there:
            return f"(SELECT {selected} WHERE false)"
        return f"(SELECT {selected} FROM {self.prefix}{quote(table.name)} WHERE {self.condition})"

    @property
    def pages(self) -> str:
        """A query for its pages with all columns of `pages`, also if an older urlset stored them."""
        there = self.columns.get(PAGES.name, ())
        source = f"{self.prefix}{PAGES.name} WHERE {self.condition}"
        return pages_query(source, there) if there else f"SELECT * FROM {self.rows(PAGES)}"


def is_text_comparable(connection: duckdb.DuckDBPyConnection, *runs: RunTables) -> bool:
    """Return whether all runs read the main text of pages in the same way."""
    queries = (f"SELECT {TEXT_VERSION} FROM {run.rows(RUNS)}" for run in runs)
    return len(connection.execute(" UNION ".join(queries)).fetchall()) == 1
