"""Which columns of which tables a query may read, by the tree that DuckDB's own parser makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from urlset.rules.derived import DERIVED_OF_RUN
from urlset.select_only import tree_of
from urlset.tables import TABLES

if TYPE_CHECKING:
    import duckdb

    from urlset.engine.known_needs import Needs

Node: TypeAlias = Mapping[str, Any]


def derive(sql: str, connection: duckdb.DuckDBPyConnection) -> Needs:
    """Return the tables that a query reads, and of each the columns that it may need; never too few.

    Args:
        sql: One SELECT.
        connection: Parses it; nothing is run.

    Raises:
        NotReadingError: It is no SELECT.
    """
    tree = tree_of(connection, sql)
    needed: dict[str, set[str]] = {}
    _visit(tree, (), needed)
    if not DERIVED_OF_RUN.keys().isdisjoint(needed):
        # They hold nothing but loc_hash of urls.
        needed.setdefault("urls", set()).add("loc_hash")
    return {
        # A query that names no column still needs the rows.
        name: tuple(column for column in table.column_names if column in (needed[name] or {"document_id"}))
        for name, table in TABLES.items()
        if name in needed
    }


@dataclass
class _Scope:
    """What one SELECT reads from.

    Attributes:
        tables: Its tables by alias.
        others: Aliases of its subqueries and of its other sources.
    """

    tables: dict[str, str] = field(default_factory=dict)
    others: set[str] = field(default_factory=set)


def _visit(node: object, scopes: tuple[_Scope, ...], needed: dict[str, set[str]]) -> None:
    """Collects what a part of the tree names; `scopes` are the SELECTs around it, the innermost last."""
    if isinstance(node, list):
        for item in node:
            _visit(item, scopes, needed)
    if not isinstance(node, dict):
        return
    if node.get("type") == "SELECT_NODE":
        scopes = (*scopes, _scope_of(node.get("from_table")))
        for table in scopes[-1].tables.values():
            needed.setdefault(table, set())
    for table, column in _named_by(node, scopes):
        needed[table] |= set(TABLES[table].column_names) if column is None else {column}
    for value in node.values():
        _visit(value, scopes, needed)


def _scope_of(source: object) -> _Scope:
    """The sources of one FROM, without looking into its subqueries."""
    scope, waiting = _Scope(), [source]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        if node.get("type") == "JOIN":
            waiting += [node["left"], node["right"]]
            continue
        name = str(node.get("table_name") or "").lower()
        alias = str(node.get("alias") or name).lower()
        # A subquery may have the name of a table; what the table has then is taken as needed too.
        if node.get("type") == "BASE_TABLE" and name in TABLES:
            scope.tables[alias] = name
        else:
            scope.others.add(alias)
    return scope


def _named_by(node: Node, scopes: tuple[_Scope, ...]) -> Iterator[tuple[str, str | None]]:
    """The columns of tables that a node names; None for every column."""
    if node.get("class") == "STAR":
        yield from _starred(str(node.get("relation_name") or "").lower(), scopes)
    elif node.get("class") == "COLUMN_REF":
        yield from _referred([str(name).lower() for name in node["column_names"]], scopes)
    elif node.get("type") == "JOIN":
        columns = [str(name).lower() for name in node.get("using_columns") or ()]
        for table in scopes[-1].tables.values() if scopes else ():
            if node.get("ref_type") == "NATURAL":
                yield table, None
            yield from ((table, column) for column in columns)


def _starred(alias: str, scopes: tuple[_Scope, ...]) -> Iterator[tuple[str, None]]:
    for scope in reversed(scopes):
        if not alias or alias in scope.tables:
            yield from ((table, None) for name, table in scope.tables.items() if alias in ("", name))
            return
        if alias in scope.others:
            return
    yield from _everything(scopes)


def _referred(names: list[str], scopes: tuple[_Scope, ...]) -> Iterator[tuple[str, str | None]]:
    qualifier, column = names[0], names[1] if len(names) > 1 else None
    for scope in reversed(scopes):
        if qualifier in scope.tables:
            # An alias alone is the whole row.
            yield scope.tables[qualifier], column
            return
        if column is not None and qualifier in scope.others:
            return
    # Not the name of a source: a column of any table around, or a part of one.
    for scope in scopes:
        yield from ((table, name) for table in scope.tables.values() for name in names)


def _everything(scopes: tuple[_Scope, ...]) -> Iterator[tuple[str, None]]:
    for scope in scopes:
        yield from ((table, None) for table in scope.tables.values())
