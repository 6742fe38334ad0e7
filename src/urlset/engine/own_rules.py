"""Compiles user-defined rules, and ensures that they only read the documented tables.

There are two safeguards, since either alone might have a gap. DuckDB parses the SQL, and its syntax tree may only
contain what is known to be harmless: one SELECT, the documented tables, and functions that depend only on their
arguments. Then the SQL is compiled against empty tables in a DuckDB that cannot open files, load extensions, or change
these settings. The engine that runs it later cannot open files either.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Self, TypedDict

import _duckdb as duckdb

from urlset.database import interrupts
from urlset.database.connections import connect
from urlset.database.memory_limit import limit_memory
from urlset.database.select_only import NotReadingError, check_brackets, nodes
from urlset.engine.columns_read import HARMLESS_FUNCTIONS
from urlset.engine.rule_sql import (
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
    first_line,
    quote,
)
from urlset.errors import ConfigError, ExitCode, MemoryLimitError
from urlset.files.structured import TOO_DEEP, decode_json
from urlset.rules.families import TITLES
from urlset.rules.rule import EntryRule, Rule, RuleScope, SetRule, Severity
from urlset.tables import CHUNK_TABLES, COVERAGE, DOCUMENTS, RUN_TABLES, TABLES
from urlset.text.sizes import MiB

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from types import TracebackType

    from urlset.options.judging import CustomRule

READABLE = (*CHUNK_TABLES, *(name for name in RUN_TABLES if name != COVERAGE.name), DOCUMENTS.name)
"""The tables that a rule may read."""

SOURCES = frozenset({"BASE_TABLE", "JOIN", "SUBQUERY", "EXPRESSION_LIST", "EMPTY", "TABLE_FUNCTION"})
"""Node types allowed in FROM, as the parser names them."""

QUERIES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "CTE_NODE"})
"""Allowed types of queries, as the parser names them. Recursive queries are not allowed, since they may not end."""

# DuckDB does not mark macros that depend only on their arguments, so they are listed here.
_MACROS = re.compile(
    r"(list|array)_\w+|split_part|nullif|if|date_add|days_in_month|fdiv|fmod|geomean|geometric_mean|histogram|wavg|"
    r"weighted_avg|map_contains_(entry|value)"
)
# Marked as depending only on their arguments, but they expose the database, the machine, or other statements.
_FORBIDDEN_FUNCTIONS = re.compile(
    r"pg_|current_|has_|inet_|duckdb_|txid_|write_|read_|getenv|getvariable|set(val|seed)|.*_sql$|parse_duckdb|parse_path"
    r"|query|error$|sleep|in_search_path|parquet|glob"
)
_PLAIN_NAME = re.compile(r"[A-Za-z_]\w*")
_CODE = re.compile(r"([A-Z]{2,8})[0-9]{3}")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_PREDICATE = "SELECT 1 FROM {table} WHERE (\n{predicate}\n)"


SECONDS_TO_COMPILE = 20.0
"""Time limit for compiling a rule."""

MEMORY = 64 * MiB
"""Memory limit for compiling a rule, in bytes."""

SLOW = f"its SQL takes more than {SECONDS_TO_COMPILE:g} s to compile; simplify it"


class _NotAllowedError(Exception):
    """A rule uses something that is not allowed; the message names it."""


def own_rules(written: Iterable[CustomRule], parameters: Mapping[str, Parameter]) -> tuple[Rule, ...]:
    """Create rules from the configuration, and check each of them.

    Raises:
        ConfigError: A code is already used, a value is invalid, or the SQL cannot be compiled or reads more than the
            documented tables. The message names the file, the rule, and the reason.
        MemoryLimitError: The SQL of a rule needs too much memory to compile.
    """
    rules: list[Rule] = []
    with _Checker(parameters) as checker:
        for own in written:
            try:
                _check_words(own, {rule.code for rule in rules})
                # DuckDB evaluates constant expressions when it compiles.
                slow = f"{own.label}: {SLOW}"
                with interrupts.end_after(SECONDS_TO_COMPILE, slow, ExitCode.USAGE), limit_memory(MEMORY):
                    rules.append(checker.check_rule(own))
            except _NotAllowedError as reason:
                raise ConfigError(f"{own.label}: {reason}") from None
            except EngineError as error:
                raise ConfigError(f"{own.label}: {error.reason}") from None
            except (duckdb.OutOfMemoryException, MemoryError):
                raise MemoryLimitError(f"{own.label}: its SQL needs too much memory to compile; simplify it") from None
            except duckdb.Error as error:
                raise ConfigError(f"{own.label}: its SQL is invalid: {first_line(error)}") from None
    return tuple(rules)


def _check_words(own: CustomRule, codes: set[str]) -> None:
    match = _CODE.fullmatch(own.code)
    if match is None:
        raise _NotAllowedError("code must be two to eight uppercase letters and three digits, such as SHOP001")
    if match[1] in TITLES:
        raise _NotAllowedError(f"the prefix {match[1]} is reserved for urlset ({TITLES[match[1]]}); choose another")
    if own.code in codes:
        raise _NotAllowedError("another rule already has this code")
    for key in ("message", "example", "fix"):
        if not (getattr(own, key) or "").isprintable():
            raise _NotAllowedError(f"{key} must be a single line without control characters")
    if not all(source.isprintable() for source in own.sources):
        raise _NotAllowedError("sources must not contain line breaks or control characters")
    if own.name and not _NAME.fullmatch(own.name):
        raise _NotAllowedError(f"name must be lowercase words separated by hyphens, not {own.name!r}")
    if own.table is not None and own.table not in READABLE:
        raise _NotAllowedError(f"unknown table {own.table!r}; expected one of: {', '.join(READABLE)}")


class _Checker:
    """A DuckDB with empty tables that only compiles SQL."""

    def __init__(self, parameters: Mapping[str, Parameter]) -> None:
        self._literals = check_parameters(parameters)
        self._connection = connect({"threads": 1, "memory_limit": f"{MEMORY // MiB}MiB"})
        for name in READABLE:
            self._connection.execute(create_table(TABLES[name], TABLES[name].columns, "main"))
        self._functions = self._harmless_functions()
        # Only compile: the optimizer would evaluate what it can.
        self._connection.execute("PRAGMA disable_optimizer")
        self._connection.execute("SET lock_configuration = true")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def check_rule(self, own: CustomRule) -> Rule:
        """Return the rule if its SQL is harmless and compiles."""
        return self._predicate_rule(own) if own.where is not None else self._query_rule(own)

    def _predicate_rule(self, own: CustomRule) -> Rule:
        table = TABLES[own.table or "urls"]
        where = bind(own.where or "", self._literals, own.code)
        tree = self._parse(_PREDICATE.format(table=quote(table.name), predicate=where))
        neutral = self._parse(_PREDICATE.format(table=quote(table.name), predicate="true"))
        # Anything else in the text, such as a UNION or a GROUP BY, is not part of a predicate.
        if _without_places(tree | {"where_clause": None}) != _without_places(neutral | {"where_clause": None}):
            raise _NotAllowedError("where must be a single predicate")
        if any(node.get("class") == "SUBQUERY" for node in nodes(tree)):
            raise _NotAllowedError("where applies to a single row, so it cannot contain a SELECT; use query instead")
        self._refuse_harmful(tree)
        rule = EntryRule(**_info(own, table.name), where=own.where)
        compiled = compile_row_rule(rule, self._literals)
        self._connection.execute(f"EXPLAIN {count_statement(table, [compiled], 1)}").fetchall()
        self._connection.execute(f"EXPLAIN {example_statement(table, [compiled])[0]}", [[], []]).fetchall()
        return rule

    def _query_rule(self, own: CustomRule) -> Rule:
        if own.field is not None:
            raise _NotAllowedError("field is only for rules with where; a query returns its value as the column value")
        query = bind(own.query or "", self._literals, own.code)
        tree = self._parse(query)
        self._refuse_harmful(tree)
        columns = self._connection.execute(f"DESCRIBE FROM (\n{query}\n)").fetchall()
        names = [str(name) for name, *_ in columns]
        if "document_id" not in names:
            raise _NotAllowedError("its query must return the column document_id")
        added = "".join(f", NULL AS {quote(name)}" for name in BREACH_COLUMNS if name not in names)
        whole = f"SELECT breach.*{added} FROM (\n{own.query}\n) AS breach"
        rule = SetRule(**_info(own, own.table or "documents"), query=whole, scope=RuleScope(own.span))
        compiled = compile_query_rule(rule, self._literals)
        if missing := [name for name in compiled.template.names if name not in {*names, *BREACH_COLUMNS}]:
            raise _NotAllowedError(f"its example uses {missing[0]}, which its query does not return")
        self._connection.execute(f"EXPLAIN {compiled.query}").fetchall()
        return rule

    def _parse(self, sql: str) -> dict[str, object]:
        """Return the syntax tree of a single query from DuckDB's own parser."""
        try:
            check_brackets(sql)
        except NotReadingError:
            raise _NotAllowedError(f"its SQL is {TOO_DEEP}") from None
        if len(self._connection.extract_statements(sql)) != 1:
            raise _NotAllowedError("its SQL must be a single statement")
        [(text,)] = self._connection.execute("SELECT json_serialize_sql($1::VARCHAR)", [sql]).fetchall()
        try:
            parsed = decode_json(text)
        except ValueError:
            raise _NotAllowedError(f"its SQL is {TOO_DEEP}") from None
        if parsed["error"]:
            reason = parsed["error_message"]
            if parsed["error_type"] == "not implemented":
                reason = "its SQL must be a SELECT: a rule can only read the tables"
            raise _NotAllowedError(reason)
        statements: Sequence[dict[str, dict[str, object]]] = parsed["statements"]
        if len(statements) != 1:
            raise _NotAllowedError("its SQL must be a single statement")
        return statements[0]["node"]

    def _refuse_harmful(self, tree: dict[str, object]) -> None:
        views = {
            str(entry["key"]).lower() for node in nodes(tree) for entry in (node.get("cte_map") or {}).get("map", ())
        }
        if strange := [name for name in views if not _PLAIN_NAME.fullmatch(name)]:
            raise _NotAllowedError(f"{strange[0]!r} is not a plain name")
        for node in nodes(tree):
            if "cte_map" in node and node["type"] not in QUERIES:
                raise _NotAllowedError("the query of a rule cannot be recursive")
            if "sample" in node and "cte_map" not in node and "select_list" not in node:
                self._refuse_source(node, views)
            if node.get("class") == "PARAMETER":
                raise _NotAllowedError("its SQL has a placeholder without a name")
            if node.get("class") in ("FUNCTION", "WINDOW"):
                self._refuse_function(node)

    def _refuse_source(self, node: dict[str, object], views: set[str]) -> None:
        if node["type"] not in SOURCES:
            raise _NotAllowedError(f"{str(node['type']).replace('_', ' ').lower()} is not allowed in a rule")
        if node["type"] != "BASE_TABLE":
            return
        name = str(node["table_name"])
        if node["schema_name"] or node["catalog_name"] or name.lower() not in {*READABLE, *views}:
            raise _NotAllowedError(f"its SQL reads the unknown table {name!r}; expected one of: {', '.join(READABLE)}")

    def _refuse_function(self, node: dict[str, object]) -> None:
        name = str(node["function_name"]).lower()
        if node.get("schema") or node.get("catalog") or name not in self._functions | HARMLESS_FUNCTIONS:
            raise _NotAllowedError(
                f"its SQL uses the function {name}, which does not exist or is not allowed: functions must depend only "
                "on their arguments, so they cannot read files, settings, or clocks ($now is the time of the check)"
            )

    def _harmless_functions(self) -> frozenset[str]:
        rows = self._connection.execute(
            "SELECT DISTINCT function_name, function_type, stability FROM duckdb_functions() "
            "WHERE function_type IN ('scalar', 'aggregate', 'macro', 'window')"
        ).fetchall()
        allowed: set[str] = set()
        denied: set[str] = set()
        for name, kind, stability in rows:
            harmless = _MACROS.fullmatch(name) if kind == "macro" else stability in ("CONSISTENT", None)
            (allowed if harmless and not _FORBIDDEN_FUNCTIONS.match(name) else denied).add(str(name).lower())
        return frozenset(allowed - denied)


class _Info(TypedDict):
    """Fields that both kinds of rules have."""

    code: str
    name: str
    severity: Severity
    sources: tuple[str, ...]
    message: str
    example: str
    fix: str
    table: str
    field: str | None


def _info(own: CustomRule, table: str) -> _Info:
    words = own.message.rstrip(".")
    plain = words.replace("{", "{{").replace("}", "}}")
    return _Info(
        code=own.code,
        name=own.name or own.code.lower(),
        severity=Severity(own.severity),
        sources=own.sources,
        message=words,
        example=own.example or (f"{plain}: {{value}}" if own.field is not None else plain),
        fix=own.fix or "Fix the cause; this rule has no further instructions.",
        table=table,
        field=own.field,
    )


def _without_places(tree: object) -> object:
    """Return a parsed statement without positions in the text, which depend on its length."""
    if isinstance(tree, dict):
        return {key: _without_places(value) for key, value in tree.items() if not key.startswith("query_location")}
    return [_without_places(item) for item in tree] if isinstance(tree, list) else tree
