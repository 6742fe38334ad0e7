"""Conditions that are decided without a query: the answer is DuckDB's, or none."""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import duckdb
import msgspec
import pytest
from tests.cases import case_table

from urlset import _core
from urlset.engine.conditions import UNDECIDED, condition_tree
from urlset.engine.documents_table import documents_table, storable
from urlset.engine.known_conditions import CONDITIONS, is_met
from urlset.engine.rule_sql import bind, check_parameters, condition_of
from urlset.rules.registry import all_rules
from urlset.stages.ruleset import default_limits
from urlset.tables import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from urlset.engine.known_conditions import Tree

NOW = datetime(2026, 2, 3, 4, 5, 6, 789, tzinfo=UTC)
PARAMETERS = {**default_limits(), "now": NOW}
LITERALS = check_parameters(PARAMETERS)
VALUES = {name: storable(value) for name, value in PARAMETERS.items()}
KNOWN: dict[str, Tree] = msgspec.json.decode(CONDITIONS.read_bytes())
ROWS_FOR_EACH = 300

TEXTS = sorted(
    {text for sql in KNOWN for text in re.findall(r"'([^']*)'", sql)} | {"", "É.GZ", "a\ud800", "https://É/"}
)
NUMBERS = (
    0,
    1,
    2,
    5,
    9,
    10,
    19,
    20,
    99,
    100,
    200,
    299,
    300,
    404,
    500,
    2_048,
    2_049,
    10_001,
    50_000,
    52_428_800,
    1 << 17,
)
TIMES = tuple(NOW + timedelta(**{unit: n}) for unit in ("days", "minutes") for n in (-365, -30, -10, -1, 0, 1, 2))
BY_TYPE: Mapping[str, tuple[object, ...]] = {
    "int32": (*NUMBERS, -1),
    "int64": (*NUMBERS, 1 << 40),
    "double": (0.0, 0.5, 1.0, 1e300),
    "bool": (True, False),
    "text": (*TEXTS, "https://example.com/sitemap.xml.gz", "/a/b.txt", "HTTPS:"),
    "text[]": ([], ["http://a.example"], ["https://a.example", "http://a.example"], ["=https://É.example/", "a"]),
    "int64[]": ([], [1], [2, 3]),
    "timestamp": (*TIMES, datetime(1989, 12, 31, tzinfo=UTC), datetime(1990, 1, 1, tzinfo=UTC)),
}


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as one:
        yield one


def some_row(chance: random.Random) -> dict[str, object]:
    return {
        column.name: None if chance.random() < 0.3 else chance.choice(BY_TYPE[column.type])
        for column in DOCUMENTS.columns
    }


@case_table("sql", list(KNOWN), ids=lambda sql: " ".join(sql.split())[:60])
def test_the_answer_is_that_of_duckdb(sql: str, connection: duckdb.DuckDBPyConnection) -> None:
    chance = random.Random(sql)
    rows = [{**some_row(chance), "document_id": number} for number in range(ROWS_FOR_EACH)]
    connection.register("documents", documents_table(rows))
    condition = bind(sql, LITERALS, "TST001")
    answers = connection.execute(
        f"SELECT coalesce(({condition}), FALSE) FROM documents ORDER BY document_id"
    ).fetchall()
    for row, (answer,) in zip(rows, answers, strict=True):
        assert is_met(sql, [row], VALUES) in (answer, None)
    assert is_met(sql, rows, VALUES) in (any(answer for (answer,) in answers), None)


def test_conditions_on_a_local_file_need_no_query() -> None:
    text = (
        b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://a.example/</loc></url></urlset>'
    )
    reader = _core.Reader(text)
    assert list(reader)
    undecided = {
        rule.code
        for rule in all_rules()
        if (sql := condition_of(rule)) is not None and is_met(sql, [reader.facts()], VALUES) is None
    }
    assert not undecided


@pytest.mark.parametrize(
    ("sql", "tree"),
    [
        ("a_column_that_is_missing > 1", [">", UNDECIDED, ["constant", 1]]),
        ("other.entries > 1", [">", UNDECIDED, ["constant", 1]]),
        ("regexp_matches(site_path, 'a')", UNDECIDED),
        ("sites[2] = 'a'", ["=", UNDECIDED, ["constant", "a"]]),
        ("entries > 1.5", [">", ["column", "entries"], UNDECIDED]),
        ("entries = -images", ["=", ["column", "entries"], UNDECIDED]),
        ("entries IN (SELECT 1)", UNDECIDED),
        ("lastmod_newest < $now - INTERVAL 2 MINUTE",
         ["<", ["column", "lastmod_newest"], ["-", ["parameter", "now"], ["constant", 120_000_000]]]),
        ("entries > ; DROP", UNDECIDED),
    ],
)  # fmt: skip
def test_trees(sql: str, tree: Tree, connection: duckdb.DuckDBPyConnection) -> None:
    assert condition_tree(sql, connection) == tree


def test_other_sql_is_not_decided() -> None:
    assert is_met("entries > 12345", [{"entries": 0}], VALUES) is None
    assert is_met(None, [{"entries": 0}], VALUES) is None
