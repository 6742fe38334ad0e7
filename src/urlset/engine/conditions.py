"""Derives trees from the SQL of conditions on documents, from DuckDB's own parse tree.

`engine.known_conditions` evaluates them. What it cannot evaluate becomes `["undecided"]`, and DuckDB decides it.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from urlset.engine.documents_table import storable
from urlset.tables import DOCUMENTS

if TYPE_CHECKING:
    import duckdb

    from urlset.engine.known_conditions import Tree

UNDECIDED: list[str] = ["undecided"]
"""A part that Python does not evaluate."""

_MICROSECONDS = {"to_days": 86_400_000_000, "to_hours": 3_600_000_000, "to_minutes": 60_000_000}

_COMPARISONS = {
    "COMPARE_EQUAL": "=", "COMPARE_NOTEQUAL": "<>", "COMPARE_LESSTHAN": "<", "COMPARE_LESSTHANOREQUALTO": "<=",
    "COMPARE_GREATERTHAN": ">", "COMPARE_GREATERTHANOREQUALTO": ">=",
}  # fmt: skip
_OPERATORS = {
    "CONJUNCTION_AND": "and", "CONJUNCTION_OR": "or", "OPERATOR_NOT": "not", "OPERATOR_IS_NULL": "is-null",
    "OPERATOR_COALESCE": "coalesce", "COMPARE_IN": "in",
}  # fmt: skip
_FUNCTIONS = {
    "+": "+", "-": "-", "*": "*", "&": "&", "||": "||", "~~": "like", "least": "least", "lower": "lower", "len": "len",
    "ends_with": "ends-with",
}  # fmt: skip


def condition_tree(sql: str, connection: duckdb.DuckDBPyConnection) -> Tree:
    """Return the tree of a condition on `documents`.

    Args:
        sql: The condition, with `$name` for parameters.
        connection: object database; only its parser is used.
    """
    [(text,)] = connection.execute("SELECT json_serialize_sql($1)", [f"SELECT (\n{sql}\n)"]).fetchall()
    parsed = json.loads(text)
    if parsed["error"]:
        return UNDECIDED
    [expression] = parsed["statements"][0]["node"]["select_list"]
    return _tree(expression)


def _tree(node: dict[str, Any]) -> Tree:
    match node["class"]:
        case "COLUMN_REF":
            name = node["column_names"][-1].lower()
            is_column = len(node["column_names"]) == 1 and name in DOCUMENTS.column_names
            return ["column", name] if is_column else UNDECIDED
        case "PARAMETER":
            return ["parameter", node["identifier"]]
        case "CONSTANT":
            return _constant(node["literal"])
        case "COMPARISON" if node["type"] in _COMPARISONS:
            return [_COMPARISONS[node["type"]], _tree(node["left"]), _tree(node["right"])]
        case "BETWEEN":
            value = _tree(node["input"])
            return ["and", [">=", value, _tree(node["lower"])], ["<=", value, _tree(node["upper"])]]
        case "CAST" if node["type_expr"].get("type_name") == "TIMESTAMP" and node["child"]["class"] == "CONSTANT":
            return ["constant", storable(datetime.fromisoformat(node["child"]["literal"]["text"]))]
        case "CONJUNCTION" | "OPERATOR":
            return _operator(node["type"], [_tree(child) for child in node["children"]])
        case "FUNCTION":
            return _function(node["function_name"], [argument["expression"] for argument in node["arguments"]])
    return UNDECIDED


def _constant(literal: dict[str, Any]) -> Tree:
    match literal["kind"]:
        case "STRING":
            return ["constant", literal["text"]]
        case "INTEGER":
            return ["constant", int(literal["text"])]
    return UNDECIDED


def _operator(kind: str, operands: list[Tree]) -> Tree:
    match kind, operands:
        case "OPERATOR_IS_NOT_NULL", _:
            return ["not", ["is-null", *operands]]
        case "ARRAY_EXTRACT", [value, ["constant", 1]]:
            return ["first", value]
        case _ if kind in _OPERATORS:
            return [_OPERATORS[kind], *operands]
    return UNDECIDED


def _function(name: str, arguments: list[dict[str, Any]]) -> Tree:
    if name in _MICROSECONDS:
        number = arguments[0]
        # INTERVAL '1' DAY is to_days(CAST(trunc(CAST('1' AS DOUBLE)) AS INTEGER)).
        while number["class"] in ("CAST", "FUNCTION"):
            number = number["child"] if number["class"] == "CAST" else number["arguments"][0]["expression"]
        is_whole = number["class"] == "CONSTANT" and number["literal"]["text"].isdecimal()
        return ["constant", int(number["literal"]["text"]) * _MICROSECONDS[name]] if is_whole else UNDECIDED
    operands = [_tree(argument) for argument in arguments]
    match name, operands:
        case "!~~", _:
            return ["not", ["like", *operands]]
        case "array_to_string", [value, ["constant", " "]]:
            return ["joined", value]
        case "-", [_]:
            return UNDECIDED
        case _ if name in _FUNCTIONS:
            return [_FUNCTIONS[name], *operands]
    return UNDECIDED
