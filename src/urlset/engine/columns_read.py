"""Derives the columns that a query may read or describes from the syntax tree of DuckDB's own parser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from urlset.database.select_only import NotReadingError, nodes, tree_of
from urlset.rules.derived import DERIVED_OF_RUN
from urlset.tables import TABLES

if TYPE_CHECKING:
    import duckdb

    from urlset.tables import Table


Node: TypeAlias = Mapping[str, Any]

HARMLESS_FUNCTIONS = frozenset({"unnest", "range", "generate_series"})
"""Table functions that read no table by its name."""


def columns_read(sql: str, connection: duckdb.DuckDBPyConnection) -> dict[str, tuple[str, ...]]:
    """Return the tables that a query reads, with all columns that it may read.

    The result may have too many tables and columns, but never too few.

    Args:
        sql: A SELECT.
        connection: The connection whose parser is used; nothing is run.

    Raises:
        NotReadingError: The SQL is not a SELECT.
    """
    tree = tree_of(connection, sql)
    if any(_reads_without_names(node) for node in nodes(tree)):
        return {name: table.column_names for name, table in TABLES.items()}
    read: dict[str, set[str]] = {}
    _visit(tree, read)
    for name, query in DERIVED_OF_RUN.items():
        if name in read:
            _visit(tree_of(connection, query), read)
    return {
        # A query without columns still needs the rows.
        name: tuple(column for column in table.column_names if column in read[name]) or ("document_id",)
        for name, table in TABLES.items()
        if name in read
    }


def described_table(sql: str, connection: duckdb.DuckDBPyConnection) -> Table | None:
    """Return the table that a query describes, as `DESCRIBE urls` does; None if it does anything else.

    Args:
        sql: A query.
        connection: The connection whose parser is used; nothing is run.
    """
    try:
        statement: Node = tree_of(connection, sql)
    except NotReadingError:
        return None
    shown: Any = statement.get("from_table")
    if not isinstance(shown, dict) or shown["type"] != "SHOW_REF" or shown["show_type"] not in ("DESCRIBE", "SHOW"):
        return None
    query: Node = shown["query"] or {"type": "SELECT_NODE", "select_list": [{"class": "STAR"}], "from_table": shown}
    if query["type"] != "SELECT_NODE":
        return None
    source: Node = query["from_table"]
    [column, *more] = query["select_list"]
    is_renamed = any(column.get(name) for name in ("expr", "replace_list", "rename_list"))
    if more or column["class"] != "STAR" or is_renamed or source.get("column_name_alias"):
        return None
    if any(node.get("cte_map", {}).get("map") for node in (statement, query)):
        # A subquery may have the name of a table.
        return None
    return TABLES.get(str(source.get("table_name")).lower())


def describes(sql: str, connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether a query, or a subquery of it, describes a table.

    Args:
        connection: The connection whose parser is used; nothing is run.
    """
    try:
        tree = tree_of(connection, sql)
    except NotReadingError:
        return False
    return any(node.get("type") == "SHOW_REF" for node in nodes(tree))


def _reads_without_names(node: Node) -> bool:
    """Return whether a node may read tables or columns without naming them."""
    if node.get("type") == "TABLE_FUNCTION":
        return str(node["function"]["function_name"]).lower() not in HARMLESS_FUNCTIONS
    return node.get("type") in ("PIVOT", "SHOW_REF", "POSITIONAL_REFERENCE")


@dataclass
class _Scope:
    """The sources of a SELECT.

    Attributes:
        tables: Its tables by alias.
        renamed: Those whose columns get other names by their places.
        other_aliases: Aliases of its subqueries and other sources.
    """

    tables: dict[str, str] = field(default_factory=dict)
    renamed: set[str] = field(default_factory=set)
    other_aliases: set[str] = field(default_factory=set)


def _visit(tree: object, read: dict[str, set[str]]) -> None:
    """Collect the columns that a tree refers to."""
    # Each part with the enclosing SELECTs, the innermost last.
    waiting: list[tuple[object, tuple[_Scope, ...]]] = [(tree, ())]
    while waiting:
        node, scopes = waiting.pop()
        if isinstance(node, list):
            waiting += ((item, scopes) for item in node)
        if not isinstance(node, dict):
            continue
        if node.get("type") == "SELECT_NODE":
            scopes = (*scopes, _scope_of(node.get("from_table")))
            for table in scopes[-1].tables.values():
                read.setdefault(table, set())
            for table in scopes[-1].renamed:
                read[table].update(TABLES[table].column_names)
        for table, column in _references(node, scopes):
            read[table].update(TABLES[table].column_names if column is None else (column,))
        waiting += ((value, scopes) for value in node.values())


def _scope_of(source: object) -> _Scope:
    """Return the sources of a FROM clause, without those of its subqueries."""
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
        # A subquery may have the name of a table; the columns of the table then count as read, too.
        if node.get("type") == "BASE_TABLE" and name in TABLES:
            scope.tables[alias] = name
            if node.get("column_name_alias"):
                scope.renamed.add(name)
        else:
            scope.other_aliases.add(alias)
    return scope


def _references(node: Node, scopes: tuple[_Scope, ...]) -> Iterator[tuple[str, str | None]]:
    """Yield the tables and columns that a node refers to; None for all columns."""
    if node.get("class") == "STAR":
        yield from _star_references(str(node.get("relation_name") or "").lower(), scopes)
    elif node.get("class") == "COLUMN_REF":
        yield from _column_references([str(name).lower() for name in node["column_names"]], scopes)
    elif node.get("type") == "JOIN":
        columns = [str(name).lower() for name in node.get("using_columns") or ()]
        for table in scopes[-1].tables.values() if scopes else ():
            if node.get("ref_type") == "NATURAL":
                yield table, None
            yield from ((table, column) for column in columns)


def _star_references(alias: str, scopes: tuple[_Scope, ...]) -> Iterator[tuple[str, None]]:
    for scope in reversed(scopes):
        if not alias or alias in scope.tables:
            yield from ((table, None) for name, table in scope.tables.items() if alias in ("", name))
            return
        if alias in scope.other_aliases:
            return
    yield from _everything(scopes)


def _column_references(names: list[str], scopes: tuple[_Scope, ...]) -> Iterator[tuple[str, str | None]]:
    qualifier, column = names[0], names[1] if len(names) > 1 else None
    for scope in reversed(scopes):
        if qualifier in scope.tables:
            # An alias alone refers to the whole row.
            yield scope.tables[qualifier], column
            return
        if column is not None and qualifier in scope.other_aliases:
            return
    # Not the name of a source: a column of the innermost table that has one of this name, or of a subquery, if any.
    for scope in reversed(scopes):
        owners = [table for table in scope.tables.values() if qualifier in TABLES[table].column_names]
        yield from ((table, qualifier) for table in owners)
        if owners:
            return
    for scope in scopes:
        yield from ((table, name) for table in scope.tables.values() for name in names)


def _everything(scopes: tuple[_Scope, ...]) -> Iterator[tuple[str, None]]:
    for scope in scopes:
        yield from ((table, None) for table in scope.tables.values())
