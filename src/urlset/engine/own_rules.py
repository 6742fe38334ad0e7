"""Users' own rules: made into rules, and held to reading the documented tables and nothing else.

Two guards, since either alone might have a gap. The SQL is parsed by DuckDB itself, and its tree may hold only what
is known to be harmless: one SELECT, the documented tables, functions that depend on nothing but their arguments. And
it is compiled, against empty tables, by a DuckDB that opens no file, loads no extension and lets nobody change that;
the engine that runs it later opens no file either.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Self, TypedDict

import _duckdb as duckdb

from urlset import interrupts
from urlset.database import connect
from urlset.engine.sql import (
    BREACH_COLUMNS,
    EngineError,
    Parameter,
    bind,
    check_parameters,
    compile_query_rule,
    compile_row_rule,
    count_statement,
    create_table,
    example_statement,
    quote,
)
from urlset.errors import ConfigError, ExitCode
from urlset.rules.registry import FAMILIES
from urlset.rules.rule import EntryRule, Rule, RuleScope, SetRule, Severity
from urlset.select_only import nodes
from urlset.tables import CHUNK_TABLES, DOCUMENTS, RUN_TABLES, TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from types import TracebackType

    from urlset.options.judging import OwnRule

READABLE = (*CHUNK_TABLES, *RUN_TABLES, DOCUMENTS.name)
"""The tables that a rule may read."""

TABLE_FUNCTIONS = frozenset({"unnest", "range", "generate_series"})
"""Functions that may stand in place of a table."""

SOURCES = frozenset({"BASE_TABLE", "JOIN", "SUBQUERY", "EXPRESSION_LIST", "EMPTY", "TABLE_FUNCTION"})
"""What may stand after FROM, as the parser calls it."""

QUERIES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "CTE_NODE"})
"""Forms of a query, as the parser calls them: no recursion, which need not end."""

# Macros are not marked as depending on their arguments alone, so that those which do are named.
_MACROS = re.compile(
    r"(list|array)_\w+|split_part|nullif|if|date_add|days_in_month|fdiv|fmod|geomean|geometric_mean|histogram|wavg|"
    r"weighted_avg|map_contains_(entry|value)"
)
# Marked as depending on their arguments alone, but they speak of the database, the machine or other statements.
_REFUSED = re.compile(
    r"pg_|current_|has_|inet_|duckdb_|txid_|write_|read_|getenv|getvariable|set(val|seed)|.*_sql$|parse_duckdb|parse_path"
    r"|query|error$|sleep|in_search_path|parquet|glob"
)
_PLAIN_NAME = re.compile(r"[A-Za-z_]\w*")
_CODE = re.compile(r"([A-Z]{2,8})[0-9]{3}")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_PREDICATE = "SELECT 1 FROM {table} WHERE (\n{predicate}\n)"


SECONDS_TO_COMPILE = 20.0
"""How long DuckDB may take to compile a rule."""

SLOW = f"its SQL cannot be compiled in {SECONDS_TO_COMPILE:g} s"


class _RefusedError(Exception):
    """A rule asks for what it may not have; the text says what."""


def own_rules(written: Iterable[OwnRule], parameters: Mapping[str, Parameter]) -> tuple[Rule, ...]:
    """Makes rules of what the configuration says, and checks each of them.

    Raises:
        ConfigError: A code is taken, a word is none of those allowed, or the SQL cannot be compiled or asks for more
            than the documented tables. The message names the file, the rule and the reason.
    """
    rules: list[Rule] = []
    with _Checker(parameters) as checker:
        for own in written:
            try:
                _check_words(own, {rule.code for rule in rules})
                # DuckDB computes what is constant when it compiles.
                with interrupts.ended_after(SECONDS_TO_COMPILE, f"{own.label}: {SLOW}", ExitCode.USAGE):
                    rules.append(checker.checked(own))
            except _RefusedError as reason:
                raise ConfigError(f"{own.label}: {reason}") from None
            except EngineError as error:
                raise ConfigError(f"{own.label}: {error.reason}") from None
            except duckdb.Error as error:
                raise ConfigError(f"{own.label}: its SQL is wrong: {_first_line(error)}") from None
    return tuple(rules)


def _check_words(own: OwnRule, taken: set[str]) -> None:
    families = {family.prefix: family.title for family in FAMILIES}
    match = _CODE.fullmatch(own.code)
    if match is None:
        raise _RefusedError("code must be two to eight capital letters and three digits, such as SHOP001")
    if match[1] in families:
        raise _RefusedError(f"codes that begin with {match[1]} are urlset's own ({families[match[1]]}); choose others")
    if own.code in taken:
        raise _RefusedError("another rule has this code")
    for key in ("message", "example", "fix"):
        if not (getattr(own, key) or "").isprintable():
            raise _RefusedError(f"{key} must be one line without control characters")
    if not all(source.isprintable() for source in own.sources):
        raise _RefusedError("sources must be lines without control characters")
    if own.name and not _NAME.fullmatch(own.name):
        raise _RefusedError(f"name must be lower-case words with hyphens, not {own.name!r}")
    if own.table is not None and own.table not in READABLE:
        raise _RefusedError(f"there is no table {own.table!r}; there are: {', '.join(READABLE)}")


class _Checker:
    """A DuckDB with empty tables that can do nothing but compile."""

    def __init__(self, parameters: Mapping[str, Parameter]) -> None:
        self._literals = check_parameters(parameters)
        self._connection = connect({"threads": 1, "memory_limit": "64MB"})
        for name in READABLE:
            self._connection.execute(create_table(TABLES[name], TABLES[name].columns, "main"))
        self._functions = self._harmless_functions()
        # Compiling is enough, and the optimizer computes what it can.
        self._connection.execute("PRAGMA disable_optimizer")
        self._connection.execute("SET lock_configuration = true")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def checked(self, own: OwnRule) -> Rule:
        """The rule, once its SQL is found to be harmless and to compile."""
        return self._predicate_rule(own) if own.where is not None else self._query_rule(own)

    def _predicate_rule(self, own: OwnRule) -> Rule:
        table = TABLES[own.table or "urls"]
        where = bind(own.where or "", self._literals, own.code)
        tree = self._parsed(_PREDICATE.format(table=quote(table.name), predicate=where))
        usual = self._parsed(_PREDICATE.format(table=quote(table.name), predicate="true"))
        # Whatever else the text brings along - a UNION, a GROUP BY - is no part of a predicate.
        if _without_places(tree | {"where_clause": None}) != _without_places(usual | {"where_clause": None}):
            raise _RefusedError("where must be one predicate and nothing else")
        if any(node.get("class") == "SUBQUERY" for node in nodes(tree)):
            raise _RefusedError("where looks at one row, so it cannot hold a SELECT; write a query instead")
        self._refuse_harmful(tree)
        rule = EntryRule(**_info(own, table.name), where=own.where)
        compiled = compile_row_rule(rule, self._literals)
        self._connection.execute(f"EXPLAIN {count_statement(table, [compiled], 1)}").fetchall()
        self._connection.execute(f"EXPLAIN {example_statement(table, [compiled])[0]}", [[], []]).fetchall()
        return rule

    def _query_rule(self, own: OwnRule) -> Rule:
        if own.field is not None:
            raise _RefusedError("field goes with where; a query names its value itself, as the column value")
        query = bind(own.query or "", self._literals, own.code)
        tree = self._parsed(query)
        self._refuse_harmful(tree)
        described = self._connection.execute(f"DESCRIBE FROM (\n{query}\n)").fetchall()
        names = [str(name) for name, *_ in described]
        if "document_id" not in names:
            raise _RefusedError("its query must yield document_id")
        added = "".join(f", NULL AS {quote(name)}" for name in BREACH_COLUMNS if name not in names)
        whole = f"SELECT breach.*{added} FROM (\n{own.query}\n) AS breach"
        rule = SetRule(**_info(own, own.table or "documents"), query=whole, scope=RuleScope(own.span))
        compiled = compile_query_rule(rule, self._literals)
        if missing := [name for name in compiled.template.names if name not in {*names, *BREACH_COLUMNS}]:
            raise _RefusedError(f"its example names {missing[0]}, which its query does not yield")
        self._connection.execute(f"EXPLAIN {compiled.query}").fetchall()
        return rule

    def _parsed(self, sql: str) -> dict[str, Any]:
        """The tree of a text that is one query, as DuckDB's own parser sees it."""
        if len(self._connection.extract_statements(sql)) != 1:
            raise _RefusedError("its SQL must be one statement")
        [(text,)] = self._connection.execute("SELECT json_serialize_sql($1::VARCHAR)", [sql]).fetchall()
        try:
            parsed = json.loads(text)
        except RecursionError:
            raise _RefusedError("its SQL is nested too deeply") from None
        if parsed["error"]:
            reason = parsed["error_message"]
            if parsed["error_type"] == "not implemented":
                reason = "its SQL must be a SELECT: a rule reads the tables and does nothing else"
            raise _RefusedError(reason)
        statements: Sequence[dict[str, Any]] = parsed["statements"]
        if len(statements) != 1:
            raise _RefusedError("its SQL must be one statement")
        node: dict[str, Any] = statements[0]["node"]
        return node

    def _refuse_harmful(self, tree: dict[str, Any]) -> None:
        views = {
            str(entry["key"]).lower() for node in nodes(tree) for entry in (node.get("cte_map") or {}).get("map", ())
        }
        if strange := [name for name in views if not _PLAIN_NAME.fullmatch(name)]:
            raise _RefusedError(f"{strange[0]!r} is no plain name")
        for node in nodes(tree):
            if "cte_map" in node and node["type"] not in QUERIES:
                raise _RefusedError("a rule's query can be no recursion")
            if "sample" in node and "cte_map" not in node and "select_list" not in node:
                self._refuse_source(node, views)
            if node.get("class") == "PARAMETER":
                raise _RefusedError("it has a placeholder without a name")
            if node.get("class") in ("FUNCTION", "WINDOW"):
                self._refuse_function(node)

    def _refuse_source(self, node: dict[str, Any], views: set[str]) -> None:
        if node["type"] not in SOURCES:
            raise _RefusedError(f"{node['type'].replace('_', ' ').lower()} may not stand in a rule")
        if node["type"] != "BASE_TABLE":
            return
        name = str(node["table_name"])
        if node["schema_name"] or node["catalog_name"] or name.lower() not in {*READABLE, *views}:
            raise _RefusedError(f"it reads {name!r}, which is no table of urlset; there are: {', '.join(READABLE)}")

    def _refuse_function(self, node: dict[str, Any]) -> None:
        name = str(node["function_name"]).lower()
        if node.get("schema") or node.get("catalog") or name not in self._functions | TABLE_FUNCTIONS:
            raise _RefusedError(
                f"it uses the function {name}, which a rule may not use or which does not exist: functions may depend "
                "on their arguments alone, so they read no files, settings or clocks ($now is the time of the check)"
            )

    def _harmless_functions(self) -> frozenset[str]:
        found = self._connection.execute(
            "SELECT DISTINCT function_name, function_type, stability FROM duckdb_functions() "
            "WHERE function_type IN ('scalar', 'aggregate', 'macro', 'window')"
        ).fetchall()
        allowed: set[str] = set()
        denied: set[str] = set()
        for name, kind, stability in found:
            harmless = _MACROS.fullmatch(name) if kind == "macro" else stability in ("CONSISTENT", None)
            (allowed if harmless and not _REFUSED.match(name) else denied).add(str(name).lower())
        return frozenset(allowed - denied)


class _Info(TypedDict):
    """What a rule of either kind has."""

    code: str
    name: str
    severity: Severity
    sources: tuple[str, ...]
    message: str
    example: str
    fix: str
    table: str
    field: str | None


def _info(own: OwnRule, table: str) -> _Info:
    words = own.message.rstrip(".")
    plain = words.replace("{", "{{").replace("}", "}}")
    return _Info(
        code=own.code,
        name=own.name or own.code.lower(),
        severity=Severity(own.severity),
        sources=own.sources,
        message=words,
        example=own.example or (f"{plain}: {{value}}" if own.field is not None else plain),
        fix=own.fix or "Mend it; the rule says no more.",
        table=table,
        field=own.field,
    )


def _without_places(tree: object) -> object:
    """A parsed statement without the places in the text, which differ with its length."""
    if isinstance(tree, dict):
        return {key: _without_places(value) for key, value in tree.items() if not key.startswith("query_location")}
    return [_without_places(item) for item in tree] if isinstance(tree, list) else tree


def _first_line(error: duckdb.Error) -> str:
    return str(error).strip().split("\n", 1)[0]
