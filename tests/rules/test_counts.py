"""Counts agree with their nouns in the texts of all rules: "0 URLs", "1 URL", "2 URLs"."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime

import duckdb
import pytest
from tests.agreement import disagreements
from tests.cases import case_table

from urlset.engine.columns_read import columns_read
from urlset.engine.messages import Template
from urlset.engine.rule_sql import bind, check_parameters, create_table
from urlset.rules import registry
from urlset.rules.derived import DERIVED, DERIVED_OF_RUN
from urlset.rules.families import DEFAULT_LIMITS
from urlset.rules.rule import Rule, SetRule
from urlset.rules.templates import fill_limits
from urlset.tables import CHUNK_TABLES, RUN_TABLES, TABLES

TEMPLATES = registry.rule_templates()
PARAMETERS = check_parameters({**DEFAULT_LIMITS, "now": datetime(2026, 1, 1, tzinfo=UTC)})

NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UINTEGER", "UBIGINT", "FLOAT", "DOUBLE", "DECIMAL")
"""Beginnings of the names that DuckDB has for types of numbers."""

NOT_COUNTS = frozenset({"line", "first_line", "other_line", "robots_line", "column", "http_status", "status", "port"})
"""Columns with numbers that do not count anything."""


@pytest.fixture(scope="module")
def all_columns() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database with all tables and columns, which rules that do not compare documents read."""
    with duckdb.connect() as connection:
        create_tables(connection, {table.name: table.column_names for table in TABLES.values()})
        yield connection


def create_tables(connection: duckdb.DuckDBPyConnection, columns: Mapping[str, Collection[str]]) -> None:
    """Create the tables that rules read, with some columns."""
    for name in (*RUN_TABLES, *CHUNK_TABLES, *DERIVED, *DERIVED_OF_RUN, "documents"):
        table = TABLES[name]
        if some := tuple(table.column(column) for column in columns.get(name, ())):
            connection.execute(create_table(table, some, "main"))
    connection.execute("CREATE TABLE required_urls (url VARCHAR, url_hash BIGINT)")


def numeric_names(rule: Rule, all_columns: duckdb.DuckDBPyConnection) -> set[str]:
    """Return the placeholders of the example of a rule whose values are numbers."""
    if isinstance(rule, SetRule):
        query = rule.query
    else:
        more = {"value": rule.value or rule.field, "detail": rule.detail}
        computed = [f"({sql}) AS {name}" for name, sql in more.items() if sql is not None]
        query = f"SELECT {', '.join([*computed, '*'])} FROM {rule.table}"
    describe = f"DESCRIBE {bind(query, PARAMETERS, rule.code)}"
    if rule.spans_run:
        with duckdb.connect() as connection:
            needs = columns_read(query, connection)
            create_tables(connection, {**needs, **{name: TABLES[name].column_names for name in RUN_TABLES}})
            described = connection.execute(describe).fetchall()
    else:
        described = all_columns.execute(describe).fetchall()
    types = {name: str(kind) for name, kind, *_ in reversed(described)}
    return {name for name in rule.example_names if types.get(name, "").startswith(NUMBERS)} - NOT_COUNTS


@pytest.mark.sampled(60)
@case_table("rule", TEMPLATES, ids=lambda rule: rule.code)
def test_counts_agree_with_their_nouns(rule: Rule, all_columns: duckdb.DuckDBPyConnection) -> None:
    numbers = numeric_names(rule, all_columns)
    wrong = []
    for number in (0, 1, 2):
        limits = {name: number if isinstance(usual, int) else usual for name, usual in DEFAULT_LIMITS.items()}
        shown = fill_limits(rule, limits)
        template = Template.parse(shown.example)
        row = {name: number if name in numbers else "«text»" for name in template.names}
        for text in (shown.message, template.fill(row), shown.fix, shown.advice):
            wrong += disagreements(text)
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("1 URLs and 0 URL", ["1 URLs", "0 URL"]),
        ("2 entry, 1,204 entry, 1 entry", ["2 entry", "1,204 entry"]),
        ("of 1 listed pages", ["1 listed pages"]),
        ("1 are days, 2 have a time", ["1 are"]),
        ("1 of 2 entries have no lastmod", ["1 of 2 entries have"]),
        ("1 URL, 2 URLs, 0 entries in line 2 of a file, at 10:1 URLs, page 2 has", ["2 has"]),
    ],
)
def test_what_disagrees(text: str, wrong: list[str]) -> None:
    assert disagreements(text) == wrong


def test_the_noun_of_a_number() -> None:
    template = Template.parse("{count:entry|entries} of {total:,}, {rest:does|do} not")
    rows = [{"count": count, "total": 1_204, "rest": count} for count in (0, 1, 1_204, 1.0, None)]
    assert [template.fill(row) for row in rows] == [
        "0 entries of 1,204, 0 do not",
        "1 entry of 1,204, 1 does not",
        "1,204 entries of 1,204, 1,204 do not",
        "1.0 entry of 1,204, 1.0 does not",
        "– entries of 1,204, – do not",
    ]
