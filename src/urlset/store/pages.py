"""Which listed pages of a run are looked at, and their rows once they were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from urlset import _core
from urlset.engine.sql import listed, quote, text_literal
from urlset.masking import same_targets
from urlset.store.file import RUN_ID
from urlset.tables import PAGES, URLS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset.store.file import Store
    from urlset.tables import Table

ROWS_AT_ONCE = 10_000
"""Rows of a table that are held at once."""

# What an entry says of its page, by the columns of `pages`.
_OF_ENTRY = {
    "document_id": "document_id",
    "ordinal": "ordinal",
    "line": "coalesce(loc_line, line)",
    "col": "coalesce(loc_col, col)",
    "url": "loc",
    "loc_hash": "loc_hash",
    "lastmod": "lastmod",
    "lastmod_at": "lastmod_at",
    "lastmod_precision": "lastmod_precision",
}

# A URL that several entries list is looked at once, for the first of them. A sample is spaced evenly over the entries
# in their order, so that each document has its share.
_CHOSEN = """
CREATE OR REPLACE TEMP TABLE {name} AS
WITH firsts AS (
    SELECT {columns}
    FROM urls
    WHERE {run} AND loc_problem IS NULL AND scheme IN ('http', 'https') AND {wanted}
    QUALIFY row_number() OVER (PARTITION BY loc_hash, loc ORDER BY document_id, ordinal) = 1
), numbered AS (
    SELECT *, row_number() OVER (ORDER BY document_id, ordinal) AS place, count(*) OVER () AS total FROM firsts
)
SELECT * FROM numbered WHERE {sampled} ORDER BY place
"""


_OF_URL = ("document_id", "ordinal", "line", "col", "loc", "loc_line", "loc_col", "scheme", "host", "port")
"""The columns of `urls` that robots.txt is asked about."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Which pages are wanted.

    Attributes:
        include: Globs of URLs; only those that match one are looked at, if there are any.
        exclude: Globs of URLs that are not looked at.
        sample: How many pages, spaced evenly over all; None for all.
        most: How many pages at most, the first ones; None for no bound.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    sample: int | None = None
    most: int | None = None


class Chosen:
    """What is to be looked at and was not yet: a temporary table whose rows are numbered by `place`.

    Attributes:
        chosen: How many are to be looked at, those that were already included.
        left: How many were not looked at yet.
    """

    def __init__(self, store: Store, run_id: int, name: str, columns: Sequence[str], seen: Table, key: str) -> None:
        """Takes out of a temporary table what the run has looked at.

        Args:
            store: The store.
            run_id: The run.
            name: The temporary table.
            columns: Those of its columns that are given.
            seen: What was looked at already.
            key: The columns by which that is known.
        """
        self._connection = store.connection
        self._name = name
        self._columns = tuple(columns)
        self._place = 0
        self.chosen = self._number("count(*)")
        done = f"SELECT {key} FROM {seen.name} WHERE {RUN_ID} = {run_id:d}"
        self._connection.execute(f"DELETE FROM {name} WHERE ({key}) IN ({done})")
        self.left = self._number("count(*)")

    def next(self, most: int) -> list[Mapping[str, Any]]:
        """The next rows, at most so many."""
        rows = self._connection.execute(
            f"SELECT place, {listed(self._columns)} FROM {self._name} WHERE place > {self._place:d} "
            f"ORDER BY place LIMIT {most:d}"
        ).fetchall()
        if rows:
            self._place = rows[-1][0]
        return [dict(zip(self._columns, row[1:], strict=True)) for row in rows]

    def forget(self) -> None:
        """Gives back the memory of the table, which is of no use any more."""
        self._connection.execute(f"DROP TABLE IF EXISTS {self._name}")

    def _number(self, expression: str) -> int:
        [(number,)] = self._connection.execute(f"SELECT {expression} FROM {self._name}").fetchall()
        return int(number)


class Selection(Chosen):
    """The pages of a run that are to be looked at, and were not yet, with the columns of `pages` that entries fill.

    Attributes:
        total: Different pages that are listed and match the globs.
    """

    def __init__(self, store: Store, run_id: int, wish: Wish) -> None:
        choose(store, run_id, wish, "chosen")
        # Counted first: a run that goes on may have looked at the last of them.
        [(total,)] = store.connection.execute("SELECT coalesce(max(total), 0) FROM chosen").fetchall()
        self.total = int(total)
        super().__init__(store, run_id, "chosen", tuple(_OF_ENTRY), PAGES, "url")


def choose(store: Store, run_id: int, wish: Wish, name: str) -> None:
    """Makes a temporary table of the entries whose pages are wanted, in their order."""
    columns = ", ".join(f"{expression} AS {quote(column)}" for column, expression in _OF_ENTRY.items())
    store.connection.execute(
        _CHOSEN.replace("{name}", name)
        .replace("{columns}", columns)
        .replace("{run}", f"{RUN_ID} = {run_id:d}")
        .replace("{wanted}", _wanted(wish))
        .replace("{sampled}", _sampled(wish))
    )


def _wanted(wish: Wish) -> str:
    """SQL for whether the globs let an entry through."""
    included = " OR ".join(f"loc GLOB {text_literal(glob)}" for glob in wish.include) or "true"
    excluded = " OR ".join(f"loc GLOB {text_literal(glob)}" for glob in wish.exclude) or "false"
    return f"({included}) AND NOT ({excluded})"


def _sampled(wish: Wish) -> str:
    """SQL for which of the numbered pages are taken."""
    taken = "true"
    if wish.sample is not None:
        taken = f"(place * {wish.sample:d}) // total > ((place - 1) * {wish.sample:d}) // total"
    if wish.most is not None:
        taken += f" QUALIFY row_number() OVER (ORDER BY place) <= {wish.most:d}"
    return taken


def compare_with_earlier(store: Store, run_id: int, targets: Sequence[str]) -> int | None:
    """Puts beside each page of a run what the last whole run on the same targets knew of it.

    A user and password in a target make no difference.

    Returns:
        The number of that run; None if there is none.
    """
    whole = (run for run in store.runs() if run.run_id < run_id and run.finished_at is not None)
    earlier = max((run.run_id for run in whole if same_targets(run.targets, targets)), default=None)
    if earlier is None:
        return None
    store.connection.execute(
        f"""
        UPDATE {PAGES.name} AS now
        SET lastmod_at_before = before.lastmod_at, content_hash_before = before.content_hash
        FROM (SELECT url, lastmod_at, content_hash FROM {PAGES.name} WHERE {RUN_ID} = {earlier:d}) AS before
        WHERE now.{RUN_ID} = {run_id:d} AND now.url = before.url
        """
    )
    return earlier


def rows_of(store: Store, run_id: int, table: Table) -> Iterator[_core.Table]:
    """The rows that a table has of a run, some at a time."""
    names = listed(table.column_names)
    yield from _in_pieces(store, f"SELECT {names} FROM {table.name} WHERE {RUN_ID} = {run_id:d}")


def urls_of_host(store: Store, run_id: int, scheme: str, host: str) -> Iterator[_core.Table]:
    """The listed URLs of a host, each once, some at a time, with those columns of `urls` that name them."""
    names = listed(_OF_URL)
    yield from _in_pieces(
        store,
        f"SELECT {names} FROM {URLS.name} WHERE {RUN_ID} = {run_id:d} AND scheme = {text_literal(scheme)} "
        f"AND host = {text_literal(host)} "
        "QUALIFY row_number() OVER (PARTITION BY loc_hash, loc ORDER BY document_id, ordinal) = 1",
    )


def _in_pieces(store: Store, statement: str) -> Iterator[_core.Table]:
    cursor = store.connection.cursor()
    try:
        yield from _core.Table.stream(cursor.sql(statement), ROWS_AT_ONCE)
    finally:
        cursor.close()
