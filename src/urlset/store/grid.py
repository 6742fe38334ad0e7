"""Shows the rows of a table of a run a page at a time: any columns, any filter, any order, without counting pages.

A page begins after the last row of the one before it (keyset pagination), so that the last page is as fast as the
first. Values of users are parameters; names of columns come from `tables.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from urlset import _core
from urlset.engine.rule_sql import SQL_TYPES, identifier_list, quote, text_literal
from urlset.errors import InputError, UsageError
from urlset.store.file import RUN_ID
from urlset.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.store.file import Store
    from urlset.tables import Table


EXAMPLE = """SELECT reason, count(*) AS pages
FROM pages
GROUP BY ALL
ORDER BY pages DESC"""
"""A query to start with."""


class Operator(StrEnum):
    """The comparison of a column with a value."""

    CONTAINS = "contains"
    IS = "is"
    IS_NOT = "is-not"
    LESS = "less"
    MORE = "more"
    EMPTY = "empty"
    NOT_EMPTY = "not-empty"


_SQL = {
    Operator.CONTAINS: "contains(lower({column}::VARCHAR), lower({value}))",
    Operator.IS: "{column} = {value}",
    Operator.IS_NOT: "{column} IS DISTINCT FROM {value}",
    Operator.LESS: "{column} < {value}",
    Operator.MORE: "{column} > {value}",
    Operator.EMPTY: "{column} IS NULL",
    Operator.NOT_EMPTY: "{column} IS NOT NULL",
}


HASHES = {("urls", "loc"): "loc_hash", ("pages", "url"): "loc_hash", ("alternates", "href"): "href_hash"}
"""Columns of URLs, and those with their hashes: numbers are compared twenty times as fast."""


@dataclass(frozen=True, slots=True)
class GridFilter:
    """A condition on a column.

    Attributes:
        value: What it is compared with, as text.
    """

    column: str
    operator: Operator
    value: str = ""


@dataclass(frozen=True, slots=True)
class GridView:
    """Which rows and columns of a table to show, and in which order.

    Attributes:
        filters: The conditions, all of which apply.
        sort: The column to sort by; None for the order in which the rows were stored.
    """

    table: Table
    columns: Sequence[str]
    filters: Sequence[GridFilter] = ()
    sort: str | None = None
    descending: bool = False


Place = tuple[object, int]
"""The place of a row in the order of a view: the value that it is sorted by, and its number in the table."""


def grid_tables(store: Store) -> list[Table]:
    return [table for name, table in TABLES.items() if store.has_table(name)]


def count_rows(store: Store, run_id: int, table: Table) -> int:
    [(count,)] = store.rows(f"SELECT count(*) FROM {quote(table.name)} WHERE {_of_run(table, run_id)}")
    return int(count)


def grid_places(store: Store, run_id: int, view: GridView, limit: int, after: Place | None = None) -> list[Place]:
    """Return the places of the first `limit` rows of a view, or of the first ones after a place.

    Raises:
        UsageError: A column does not exist, or a value does not fit its column.
    """
    _check(view)
    try:
        if view.sort is None or after is None:
            return _places(store, run_id, view, limit, after, "true")
        places: list[Place] = []
        if after[0] is not None:
            places = _places(store, run_id, view, limit, after, f"{quote(view.sort)} IS NOT NULL")
            after = None
        if len(places) < limit:
            # Rows without a value come last in either order.
            places += _places(store, run_id, view, limit - len(places), after, f"{quote(view.sort)} IS NULL")
        return places
    except InputError as error:
        # A store says of each error that it cannot be read.
        _, found, reason = str(error).partition("Conversion Error: ")
        if not found:
            raise
        raise UsageError(reason) from None


def _places(store: Store, run_id: int, view: GridView, limit: int, after: Place | None, presence: str) -> list[Place]:
    values: list[object] = []
    conditions = [_of_run(view.table, run_id), presence]
    conditions += [_condition(condition, view.table, values) for condition in view.filters]
    if after is not None:
        conditions.append(_condition_after(after, view, values))
    sort, order = "NULL", "rowid"
    if view.sort is not None:
        sort = quote(view.sort)
        order = f"{sort} {'DESC' if view.descending else 'ASC'} NULLS LAST, rowid"
    return store.rows(
        f"SELECT {sort}, rowid FROM {quote(view.table.name)} WHERE {' AND '.join(conditions)} "
        f"ORDER BY {order} LIMIT {limit:d}",
        values,
    )


def grid_rows(store: Store, view: GridView, places: Sequence[Place]) -> list[tuple[object, ...]]:
    """Return the rows at these places, with the columns of the view.

    Only they are read in full: to sort all columns of ten million rows takes seconds.
    """
    _check(view)
    if not places:
        return []
    rows = store.rows(
        f"SELECT rowid, {identifier_list(view.columns)} FROM {quote(view.table.name)} "
        f"WHERE rowid IN ({', '.join(f'{number:d}' for _, number in places)})"
    )
    by_number = {row[0]: row[1:] for row in rows}
    return [by_number[number] for _, number in places]


def grid_sql(view: GridView) -> str:
    """Return a view as a query for `urlset sql`, to change it, or to write all of its rows."""
    _check(view)
    conditions = [_condition(condition, view.table, None) for condition in view.filters]
    where = f"\nWHERE {' AND '.join(conditions)}" if conditions else ""
    order = ""
    if view.sort is not None:
        order = f"\nORDER BY {quote(view.sort)}{' DESC' if view.descending else ''} NULLS LAST"
    return f"SELECT {identifier_list(view.columns)}\nFROM {quote(view.table.name)}{where}{order}"


def _of_run(table: Table, run_id: int) -> str:
    return f"{RUN_ID} = {run_id:d}" if table.of_run else "true"


def _check(view: GridView) -> None:
    names = view.table.column_names
    for name in (*view.columns, *(condition.column for condition in view.filters), *([view.sort] if view.sort else [])):
        if name not in names:
            raise UsageError(f"table {view.table.name} has no column {name}")
    if not view.columns:
        raise UsageError("no column to show")


def _condition(condition: GridFilter, table: Table, values: list[object] | None) -> str:
    """Return a condition as SQL; its value becomes a parameter if there is a list of them."""
    kind = "VARCHAR" if condition.operator is Operator.CONTAINS else SQL_TYPES[table.column(condition.column).type]
    value = text_literal(condition.value)
    if values is not None and condition.operator not in (Operator.EMPTY, Operator.NOT_EMPTY):
        values.append(condition.value)
        value = f"${len(values)}"
    if kind != "VARCHAR":
        value = f"CAST({value} AS {kind})"
    number = (
        HASHES.get((table.name, condition.column)) if condition.operator is Operator.IS and values is not None else None
    )
    # Older versions of urlset took the hash of the URL as written.
    if number is not None and _core.normal_url(condition.value) == condition.value:
        return f"{quote(number)} = {_core.url_hash(condition.value):d} AND {quote(condition.column)} = {value}"
    return _SQL[condition.operator].format(column=quote(condition.column), value=value)


def _condition_after(after: Place, view: GridView, values: list[object]) -> str:
    """Return the condition for the rows after a place, among those with a value, or among those without one."""
    value, number = after
    if view.sort is None or value is None:
        return f"rowid > {number:d}"
    sort = quote(view.sort)
    values.append(value)
    parameter = f"CAST(${len(values)} AS {SQL_TYPES[view.table.column(view.sort).type]})"
    beyond = "<" if view.descending else ">"
    return f"{sort} {beyond}= {parameter} AND ({sort} {beyond} {parameter} OR rowid > {number:d})"
