"""The engine on Spark finds what the embedded engine finds: on the cases of all rules, with examples and messages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests import tiers
from tests.rules.case_tables import case_tables
from tests.rules.runs import CaseTables, combined
from tests.rules.test_cases import ALL_CASES
from tests.tiers import sampled

from urlset.engine.rule_sql import EngineError, compile_query_rule, compile_row_rule
from urlset.engine.spark.dialect import to_spark
from urlset.engine.spark.engine import SparkEngine
from urlset.model.finding import Finding
from urlset.rules import registry
from urlset.rules.rule import EntryRule, SetRule

from .whole import LITERALS, PARAMETERS, as_parquet, by_duckdb, comparable

RULES = [
    *sampled([rule for rule in registry.all_rules() if isinstance(rule, SetRule)], 4),
    *sampled([rule for rule in registry.all_rules() if not isinstance(rule, SetRule)], 6),
]

MAX_ROWS = 2_000
"""Rows of a case up to which it is judged together with all others; a larger one only needs its own rule."""

LARGE = ("IDX001", "IDX021", "IMG002", "LIM001", "LIM003", "NWS002")
"""Rules with larger cases."""

SILENT = ("COV001", "COV002", "HRL013", "HRL017", "IDX020", "ROB001")
"""Rules across documents that find nothing in the cases as one run, because a case is the counterexample of another."""


def by_spark(spark: Any, tables: CaseTables, rules: Any, folder: Path, **options: Any) -> list[Finding]:
    engine = SparkEngine(spark, rules, PARAMETERS, **options)
    frames = {name: engine.session.read.parquet(str(folder / f"{name}.parquet")) for name in as_parquet(tables, folder)}
    return engine.check(frames, tables.documents)


@pytest.fixture(scope="module")
def cases() -> tuple[CaseTables, dict[str, CaseTables]]:
    """The tables of all cases in one run, and those of large ones by their rules.

    In `make test`, these are cases of the rules that it runs, and one large case of each rule that has some.
    """
    codes = {rule.code for rule in RULES} | set(LARGE)
    together: list[CaseTables] = []
    large: dict[str, list[CaseTables]] = {}
    first = 0
    for case in ALL_CASES:
        if not tiers.IS_LONG and (case.code not in codes or case.code in large):
            continue
        tables = case_tables(case, first)
        is_large = sum(map(len, tables.chunk.values())) > MAX_ROWS
        first += len(tables.documents)
        (large.setdefault(case.code, []) if is_large else together).append(tables)
    return combined(together), {code: combined(parts) for code, parts in large.items()}


def test_the_sql_of_every_rule_is_valid(spark: Any) -> None:
    parser = spark._jsparkSession.sessionState().sqlParser()
    for rule in registry.all_rules():
        if isinstance(rule, SetRule):
            parser.parsePlan(to_spark(compile_query_rule(rule, LITERALS).query))
            continue
        row_rule = compile_row_rule(rule, LITERALS)
        for sql in (row_rule.predicate, row_rule.value, row_rule.detail, row_rule.field_of):
            if sql is not None:
                parser.parsePlan(to_spark(f"SELECT (\n{sql}\n)"))


def test_all_cases(spark: Any, cases: tuple[CaseTables, dict[str, CaseTables]], tmp_path: Path) -> None:
    tables, large = cases
    expected = by_duckdb(tables, RULES)
    found = by_spark(spark, tables, RULES, tmp_path)
    assert comparable(found) == comparable(expected)
    silent = {rule.code for rule in RULES} - {finding.rule.code for finding in found} - large.keys()
    assert silent == set(SILENT) & {rule.code for rule in RULES}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("code", SILENT)
def test_cases_one_by_one(spark: Any, code: str, tmp_path: Path, amount: Callable[[str], int]) -> None:
    most = amount("cases that others answer, on Spark")
    for case in [case for case in ALL_CASES if case.code == code and case.sort == "fails"][:most]:
        tables, rules = combined([case_tables(case, 0)]), [registry.rule(code)]
        given = {name: case.data[name] for name in ("required_urls",) if name in case.data}
        folder = tmp_path / str(case.number)
        folder.mkdir()
        found = by_spark(spark, tables, rules, folder, **given)
        assert found
        assert comparable(found) == comparable(by_duckdb(tables, rules, **given))


@pytest.mark.long("slow cases on Spark")
def test_large_cases(spark: Any, cases: tuple[CaseTables, dict[str, CaseTables]], tmp_path: Path) -> None:
    _, large = cases
    assert large.keys() == set(LARGE)
    rules = [registry.rule(code) for code in large]
    tables = combined(large.values())
    found = by_spark(spark, tables, rules, tmp_path, max_examples=2)
    assert found
    assert comparable(found) == comparable(by_duckdb(tables, rules, max_examples=2))


@pytest.mark.long("slow cases on Spark")
def test_without_examples(spark: Any, tmp_path: Path) -> None:
    tables = case_tables(next(case for case in ALL_CASES if str(case).startswith("LOC001-fails-0")), 0)
    rules = [registry.rule("LOC001"), registry.rule("LOC003")]
    found = by_spark(spark, tables, rules, tmp_path, max_examples=0)
    assert comparable(found) == comparable(by_duckdb(tables, rules, max_examples=0))
    assert [finding.examples for finding in found] == [()]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"query": "SELECT nothing FROM urls"}, r"rule LOC001 cannot be run.*nothing"),
        ({"query": "SELECT document_id FROM urls"}, "its query does not return the column ordinal"),
        ({"query": "SELECT regexp_matches(loc, path) FROM urls"}, "must be a constant"),
    ],
)
def test_a_rule_that_cannot_run_is_an_error(spark: Any, tmp_path: Path, changes: dict[str, str], reason: str) -> None:
    from msgspec import structs

    rule = registry.rule("LOC001")
    assert isinstance(rule, SetRule)
    tables = case_tables(next(case for case in ALL_CASES if case.code == "LOC001"), 0)
    with pytest.raises(EngineError, match=reason):
        by_spark(spark, tables, [structs.replace(rule, **changes)], tmp_path)


@pytest.mark.long("slow cases on Spark")
def test_a_value_that_makes_a_rule_fail_is_an_error(spark: Any, tmp_path: Path) -> None:
    from msgspec import structs

    rule = registry.rule("LOC003")
    assert isinstance(rule, EntryRule)
    tables = case_tables(next(case for case in ALL_CASES if case.code == "LOC001"), 0)
    with pytest.raises(EngineError, match=r"rule LOC003 cannot be run.*CAST_INVALID_INPUT"):
        by_spark(spark, tables, [structs.replace(rule, where="loc::INTEGER > 1", needs=())], tmp_path)
