"""Checks that the user's SQL only reads: an allowlist for the syntax tree of DuckDB's own parser.

The type of a statement is not enough: `WITH x AS (COPY …) SELECT …` writes a file, EXPLAIN ANALYZE runs the statement
that it explains, and `FROM enable_logging(…)` is a table function that changes a setting.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from urlset.files.structured import TOO_DEEP, decode_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

QUERY_NODES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "CTE_NODE", "RECURSIVE_CTE_NODE"})
"""Node types of queries that only read, as the parser names them."""

TABLE_FUNCTIONS = frozenset(
    {
        "duckdb_columns", "duckdb_constraints", "duckdb_databases", "duckdb_functions", "duckdb_indexes",
        "duckdb_keywords", "duckdb_schemas", "duckdb_settings", "duckdb_tables", "duckdb_types", "duckdb_views",
        "generate_series", "histogram", "histogram_values", "icu_calendar_names", "json_each", "json_tree",
        "pg_timezone_names", "pragma_database_size", "pragma_show", "pragma_storage_info", "pragma_table_info",
        "pragma_version", "query_table", "range", "repeat", "repeat_row", "summary", "unnest",
    }
)  # fmt: skip
"""Allowed table functions, which read nothing else. `query` is not allowed, since it runs arbitrary SQL."""

FILE_FUNCTIONS = frozenset(
    {
        "glob", "parquet_bloom_probe", "parquet_file_metadata", "parquet_full_metadata", "parquet_kv_metadata",
        "parquet_metadata", "parquet_scan", "parquet_schema", "read_blob", "read_csv", "read_csv_auto", "read_duckdb",
        "read_json", "read_json_auto", "read_json_objects", "read_json_objects_auto", "read_ndjson",
        "read_ndjson_auto", "read_ndjson_objects", "read_parquet", "read_text", "sniff_csv",
    }
)  # fmt: skip
"""Table functions that read files. If files are not allowed, DuckDB rejects them with a better error message."""

CHANGING = ("alter", "copy", "create", "delete", "drop", "insert", "merge", "truncate", "update")
"""Keywords that begin statements which change something."""

_EXPLAIN = re.compile(r"explain\b", re.IGNORECASE)
_ANALYZE = re.compile(r"analy[sz]e\b", re.IGNORECASE)
_OPTIONS = re.compile(r"\(\s*(?:analy[sz]e|format)\b[\s\w,']*\)", re.IGNORECASE)
_SPACE = re.compile(r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*", re.DOTALL)


_BRACKET = re.compile(r"[(\[{]|[)\]}]")

MAX_BRACKETS = 1_000
"""Maximum brackets within each other, as in DuckDB for expressions. Its parser ends the process at 100,000 queries."""


class NotReadingError(Exception):
    """SQL does more than read, or cannot be checked; the message says what to write instead."""


def check_statement(connection: duckdb.DuckDBPyConnection, sql: str) -> str:
    """Return the SQL that can be run safely: one statement that only reads.

    Args:
        connection: The database to query; only its parser is used.

    Raises:
        NotReadingError: The SQL has more than one statement, or does more than read.
        duckdb.Error: The SQL is invalid.
    """
    check_brackets(sql)
    explain, inner = _split_explain(sql)
    # A statement type that the library has no name for raises ValueError.
    try:
        kinds = [statement.type.name for statement in connection.extract_statements(inner)]
    except ValueError:
        kinds = ["a statement"]
    if len(kinds) != 1:
        raise NotReadingError(f"a query must be a single SELECT, not {len(kinds)} statements")
    # DuckDB parses a PIVOT whose columns depend on the data as two statements.
    if kinds[0] == "MULTI":
        _check_text(connection, inner)
    elif kinds[0] == "SELECT":
        check_tree(tree_of(connection, inner))
    else:
        raise NotReadingError(f"a query can only read: use SELECT (or FROM, WITH, SUMMARIZE, DESCRIBE), not {kinds[0]}")
    # Run exactly what was checked, not how the parser would interpret the original beginning.
    return sql if explain is None else f"{explain} {inner}"


def check_brackets(sql: str) -> None:
    """Reject SQL with too many brackets within each other; those in texts count, too.

    Raises:
        NotReadingError: It has more.
    """
    depth = 0
    for bracket in _BRACKET.finditer(sql):
        depth = depth + 1 if bracket[0] in "([{" else max(depth - 1, 0)
        if depth > MAX_BRACKETS:
            raise NotReadingError(f"the query is {TOO_DEEP}; use fewer nested queries")


def _split_explain(sql: str) -> tuple[str | None, str]:
    """Split a statement into its EXPLAIN prefix, or None, and the rest."""
    place = _after_space(sql, 0)
    if (explain := _EXPLAIN.match(sql, place)) is None:
        return None, sql
    words = ["EXPLAIN"]
    place = _after_space(sql, explain.end())
    if (analyze := _ANALYZE.match(sql, place)) is not None:
        words.append("ANALYZE")
        place = _after_space(sql, analyze.end())
    if (options := _OPTIONS.match(sql, place)) is not None:
        words.append(options[0])
        place = options.end()
    return " ".join(words), sql[place:]


def _after_space(sql: str, place: int) -> int:
    space = _SPACE.match(sql, place)
    return place if space is None else space.end()


def tree_of(connection: duckdb.DuckDBPyConnection, sql: str) -> dict[str, object]:
    """Return the syntax tree of a SELECT.

    Raises:
        NotReadingError: The SQL is not a SELECT; the message is from DuckDB.
    """
    [(text,)] = connection.execute("SELECT json_serialize_sql($1::VARCHAR)", [sql]).fetchall()
    try:
        parsed = decode_json(text)
    except ValueError:
        raise NotReadingError(f"the query is {TOO_DEEP}; use fewer nested queries") from None
    if parsed["error"]:
        raise NotReadingError(str(parsed["error_message"]))
    statements = parsed["statements"]
    if len(statements) != 1:
        raise NotReadingError(f"a query must be a single SELECT, not {len(statements)} statements")
    node: dict[str, object] = statements[0]["node"]
    return node


def check_tree(tree: dict[str, object]) -> None:
    """Reject a tree with anything but queries, tables, and functions that only read.

    Raises:
        NotReadingError: The tree contains something else.
    """
    for node in nodes(tree):
        kind = str(node.get("type"))
        if "cte_map" in node and kind not in QUERY_NODES:
            raise NotReadingError(f"a query can only read, so WITH cannot contain {kind.split('_')[0]}")
        if kind == "TABLE_FUNCTION":
            name = str(node["function"]["function_name"]).lower()
            if name not in TABLE_FUNCTIONS | FILE_FUNCTIONS:
                raise NotReadingError(f"a query must not read from {name}(…)")


def nodes(tree: object) -> Iterator[dict[str, Any]]:
    """Yield every node of a parsed statement."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node


def _check_text(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Reject SQL without a syntax tree if it has a word for which a tree would be rejected."""
    rows = connection.execute("SELECT function_name FROM duckdb_functions() WHERE function_type = 'table'").fetchall()
    refused = {str(name).lower() for (name,) in rows} - TABLE_FUNCTIONS - FILE_FUNCTIONS
    # This also rejects such words in string literals, for example. With IN, DuckDB returns a tree.
    for word in re.findall(r"\w+", sql.lower()):
        if word in CHANGING or word in refused:
            raise NotReadingError(f"a PIVOT that contains the word {word} must list its columns: ON … IN (…)")
