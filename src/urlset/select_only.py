"""Checks that the user's SQL for DuckDB only reads: an allow-list on the tree that DuckDB's own parser makes of it.

The type of a statement does not tell: `WITH x AS (COPY …) SELECT …` writes a file, EXPLAIN ANALYZE runs
what it explains, and `FROM enable_logging(…)` is a table that changes a setting.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

QUERY_NODES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "CTE_NODE", "RECURSIVE_CTE_NODE"})
"""Forms of a query that only read, as the parser calls them."""

TABLE_FUNCTIONS = frozenset(
    {
        "duckdb_columns", "duckdb_constraints", "duckdb_databases", "duckdb_functions", "duckdb_indexes",
        "duckdb_keywords", "duckdb_schemas", "duckdb_settings", "duckdb_tables", "duckdb_types", "duckdb_views",
        "generate_series", "histogram", "histogram_values", "icu_calendar_names", "json_each", "json_tree",
        "pg_timezone_names", "pragma_database_size", "pragma_show", "pragma_storage_info", "pragma_table_info",
        "pragma_version", "query_table", "range", "repeat", "repeat_row", "summary", "unnest",
    }
)  # fmt: skip
"""Functions that may stand in place of a table, and read nothing else. Not `query`, which runs SQL of its own."""

FILE_FUNCTIONS = frozenset(
    {
        "glob", "parquet_bloom_probe", "parquet_file_metadata", "parquet_full_metadata", "parquet_kv_metadata",
        "parquet_metadata", "parquet_scan", "parquet_schema", "read_blob", "read_csv", "read_csv_auto", "read_duckdb",
        "read_json", "read_json_auto", "read_json_objects", "read_json_objects_auto", "read_ndjson",
        "read_ndjson_auto", "read_ndjson_objects", "read_parquet", "read_text", "sniff_csv",
    }
)  # fmt: skip
"""Those that read files. Where files are not allowed, DuckDB refuses them with a better reason than we could."""

CHANGING = ("alter", "copy", "create", "delete", "drop", "insert", "merge", "truncate", "update")
"""Words that begin a statement which changes something."""

_EXPLAIN = re.compile(r"explain\b", re.IGNORECASE)
_ANALYZE = re.compile(r"analy[sz]e\b", re.IGNORECASE)
_OPTIONS = re.compile(r"\(\s*(?:analy[sz]e|format)\b[\s\w,']*\)", re.IGNORECASE)
_SPACE = re.compile(r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*", re.DOTALL)


class NotReadingError(Exception):
    """SQL does more than read, or cannot be checked; the text says what to write instead."""


def checked(connection: duckdb.DuckDBPyConnection, sql: str) -> str:
    """Returns the SQL that may be run: one statement that only reads.

    Args:
        connection: The database that it will be asked of; nothing is run in it but the parser.
        sql: What the user wrote.

    Raises:
        NotReadingError: It is more than one statement, or does more than read.
        duckdb.Error: It is no SQL.
    """
    explain, inner = _unwrapped(sql)
    # A statement of a kind that the library has no name for raises ValueError.
    try:
        kinds = [statement.type.name for statement in connection.extract_statements(inner)]
    except ValueError:
        kinds = ["a statement"]
    if len(kinds) != 1:
        raise NotReadingError(f"one SELECT at a time, not {len(kinds)} statements")
    # A PIVOT whose columns depend on the data is two statements in one to DuckDB.
    if kinds[0] == "MULTI":
        _check_text(connection, inner)
    elif kinds[0] == "SELECT":
        check_tree(tree_of(connection, inner))
    else:
        raise NotReadingError(f"a query may only read: a SELECT (or FROM, WITH, SUMMARIZE, DESCRIBE), not {kinds[0]}")
    # What is run is what was checked, and not what the parser would have made of the beginning.
    return sql if explain is None else f"{explain} {inner}"


def _unwrapped(sql: str) -> tuple[str | None, str]:
    """A statement without the EXPLAIN before it, and that; None where there is none."""
    place = _after_space(sql, 0)
    if (found := _EXPLAIN.match(sql, place)) is None:
        return None, sql
    words = ["EXPLAIN"]
    place = _after_space(sql, found.end())
    if (analyze := _ANALYZE.match(sql, place)) is not None:
        words.append("ANALYZE")
        place = _after_space(sql, analyze.end())
    if (options := _OPTIONS.match(sql, place)) is not None:
        words.append(options[0])
        place = options.end()
    return " ".join(words), sql[place:]


def _after_space(sql: str, place: int) -> int:
    found = _SPACE.match(sql, place)
    return place if found is None else found.end()


def tree_of(connection: duckdb.DuckDBPyConnection, sql: str) -> dict[str, Any]:
    """The tree of one SELECT.

    Raises:
        NotReadingError: It is none; the text is DuckDB's.
    """
    [(text,)] = connection.execute("SELECT json_serialize_sql($1::VARCHAR)", [sql]).fetchall()
    parsed = json.loads(text)
    if parsed["error"]:
        raise NotReadingError(str(parsed["error_message"]))
    statements = parsed["statements"]
    if len(statements) != 1:
        raise NotReadingError(f"one SELECT at a time, not {len(statements)} statements")
    node: dict[str, Any] = statements[0]["node"]
    return node


def check_tree(tree: dict[str, Any]) -> None:
    """Refuses a tree that holds anything but queries, and tables and functions that only read.

    Raises:
        NotReadingError: It does.
    """
    for node in nodes(tree):
        kind = str(node.get("type"))
        if "cte_map" in node and kind not in QUERY_NODES:
            raise NotReadingError(f"a query may only read, so WITH cannot hold {kind.split('_')[0]}")
        if kind == "TABLE_FUNCTION":
            name = str(node["function"]["function_name"]).lower()
            if name not in TABLE_FUNCTIONS | FILE_FUNCTIONS:
                raise NotReadingError(f"a query may not read from {name}(…)")


def nodes(tree: object) -> Iterator[dict[str, Any]]:
    """Every node of a parsed statement."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node


def _check_text(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Refuses text of which DuckDB gives no tree, if it has a word that a tree would be refused for."""
    rows = connection.execute("SELECT function_name FROM duckdb_functions() WHERE function_type = 'table'").fetchall()
    refused = {str(name).lower() for (name,) in rows} - TABLE_FUNCTIONS - FILE_FUNCTIONS
    # A word that only looks like one of them, in a text say, is refused too: with IN there is a tree.
    for word in re.findall(r"\w+", sql.lower()):
        if word in CHANGING or word in refused:
            raise NotReadingError(f"a PIVOT with the word {word} must name its columns: ON … IN (…)")
