"""What rules need: every trait exists, and a document that violates a rule has those that the rule needs."""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import duckdb
import pytest
from tests.cases import case_table

from urlset.engine.applicable import applicable_codes
from urlset.engine.documents_table import documents_table
from urlset.engine.rule_sql import bind, check_parameters
from urlset.fetch.response import FetchError
from urlset.rules.derived import DERIVED, DERIVED_OF_RUN
from urlset.rules.families import DEFAULT_LIMITS
from urlset.rules.queries import TRAIT_BITS
from urlset.rules.registry import all_rules, rule
from urlset.rules.rule import EntryRule
from urlset.rules.traits import DOCUMENT_TRAITS, ROW_TRAITS
from urlset.tables import DOCUMENTS, SITEMAP_KINDS, TABLES

from .case_tables import case_tables
from .runs import combined
from .test_cases import ALL_CASES, Case, is_alone

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PARAMETERS = {**DEFAULT_LIMITS, "now": NOW}
LITERALS = check_parameters(PARAMETERS)
RULES = all_rules()
ON_DOCUMENTS = [rule for rule in RULES if isinstance(rule, EntryRule) and rule.table == DOCUMENTS.name]
NUMBER_OF_ROWS = 4_000

NAMED_BY_VALUE = {*SITEMAP_KINDS, "robots", *FetchError, "zstd", "br"}
OF_ROWS = {trait for traits in ROW_TRAITS.values() for trait in traits}
NEEDED = sorted({trait for rule in RULES for need in rule.needs for trait in need.split("|")})


@pytest.mark.parametrize("trait", NEEDED)
def test_a_trait_that_a_rule_needs_exists(trait: str) -> None:
    known = {*TRAIT_BITS, *DOCUMENT_TRAITS, *OF_ROWS, *TABLES, *NAMED_BY_VALUE}
    assert trait in known or re.fullmatch("http-[1-5]([0-9][0-9]|xx)", trait)


def test_every_trait_has_a_name_of_its_own_and_a_rule_that_needs_it() -> None:
    names = [*TRAIT_BITS, *DOCUMENT_TRAITS, *OF_ROWS, *TABLES, *SITEMAP_KINDS]
    assert len(names) == len(set(names))
    assert {*DOCUMENT_TRAITS, *OF_ROWS} <= set(NEEDED)


TEXTS = sorted({text for rule in ON_DOCUMENTS for text in re.findall(r"'([^'%]*)'", rule.where or "")})
NUMBERS = (0, 1, 2, 5, 9, 10, 19, 20, 99, 100, 200, 404, 500, 1_001, 2_048, 47_000, 50_001, 50_000_000, 52_428_801)
TIMES = tuple(NOW + timedelta(**{unit: n}) for unit in ("days", "minutes") for n in (-400, -366, -30, -9, -1, 0, 1, 2))
BY_TYPE: Mapping[str, tuple[object, ...]] = {
    "int32": NUMBERS,
    "int64": NUMBERS,
    "double": (0.0, 0.5, 1.0, 20_000.0),
    "bool": (True, False),
    "text": (*TEXTS, "https://example.com/sitemap.xml.gz", "/a/b.txt", "/a/b.gz", "//cdn.example/a.xsl", "1.1"),
    "text[]": ([], ["http://a.example"], ["https://a.example", "http://a.example"], ["n=/schemas/sitemap-news/0.9"]),
    "int64[]": ([], [1], [2, 3]),
    "timestamp": TIMES,
}
OFTEN: Mapping[str, tuple[object, ...]] = {
    "kind": (*SITEMAP_KINDS, "robots", "xml", "html"),
    "encoding": ("utf-8", "UTF-16LE", "windows-1252"),
    "compression": ("none", "gzip", "zstd", "br"),
    "complete": (True, True, False),
    "entries": (0, 1, 9, 20, 47_000, 50_001),
    "lastmod_missing": (0, 0, 1, 9),
    "lastmod_newest": (*TIMES, NOW, NOW),
    "lastmod_oldest": (*TIMES, NOW, NOW),
    "news": (0, 0, 1, 1_001),
    "error": (None, None, "why"),
    "error_kind": (None, None, "dns"),
    "http_status": (None, 200, 404),
}


def some_row(chance: random.Random) -> dict[str, object]:
    return {
        column.name: None
        if column.name not in OFTEN and chance.random() < 0.3
        else chance.choice(OFTEN.get(column.name) or BY_TYPE[column.type])
        for column in DOCUMENTS.columns
    }


@pytest.fixture(scope="module")
def rows() -> Sequence[dict[str, object]]:
    chance = random.Random(1)
    return [{**some_row(chance), "document_id": number} for number in range(NUMBER_OF_ROWS)]


@pytest.fixture(scope="module")
def connection(rows: Sequence[dict[str, object]]) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as one:
        one.register("documents", documents_table(rows))
        yield one


@case_table("rule", ON_DOCUMENTS, ids=lambda rule: rule.code)
def test_a_document_that_violates_a_rule_has_its_traits(
    rule: EntryRule, connection: duckdb.DuckDBPyConnection, rows: Sequence[dict[str, object]]
) -> None:
    condition = bind(rule.where or "", LITERALS, rule.code)
    violating = connection.execute(f"SELECT document_id FROM documents WHERE ({condition})").fetchall()
    assert violating or rule.code in {"XML013"}, "no row violates it: add values"
    for (number,) in violating[:100]:
        row = rows[number]
        tables = {name for name in ("images", "videos", "news", "alternates") if row[name]}
        assert applicable_codes([rule], [row], PARAMETERS, tables, no_rows) == {rule.code}


def no_rows(sql: str) -> Sequence[Sequence[object]]:
    raise AssertionError(sql)


def judged_together() -> list[Case]:
    """The cases that fail in a run with others, so that a document of one may have the traits that another lacks."""
    needing = {rule.code for rule in RULES if rule.needs and not rule.spans_run}
    failing = [case for case in ALL_CASES if case.sort == "fails" and case.code in needing]
    return [case for case in failing if "run" in case.data or not is_alone(case)]


@case_table("case", judged_together)
def test_a_case_that_fails_has_the_traits_of_its_rule(case: Case) -> None:
    tables = combined([case_tables(case, 0)])
    given = {**tables.chunk, **tables.run}
    present = {*DERIVED, *DERIVED_OF_RUN, *(name for name, table in given.items() if len(table))}

    def rows(sql: str) -> Sequence[Sequence[object]]:
        with duckdb.connect() as connection:
            for name, table in given.items():
                connection.register(name, table)
            return connection.execute(sql).fetchall()

    assert applicable_codes([rule(case.code)], tables.documents, PARAMETERS, present, rows) == {case.code}


def test_rows_of_a_table_are_asked_once_for_what_rules_need() -> None:
    asked: list[str] = []

    def answer(sql: str) -> Sequence[Sequence[object]]:
        asked.append(sql)
        return [(True, False)]

    of_links = [rule for rule in RULES if rule.code in {"HRL004", "HRL006", "DUP003"}]
    assert applicable_codes(of_links, [], PARAMETERS, {"link_sets"}, answer) == {"HRL004"}
    assert applicable_codes(of_links, [], PARAMETERS, {"shared_locs"}, no_rows) == {"DUP003"}
    assert len(asked) == 1
    assert "repeated_codes" in asked[0]
    assert "default_links" not in asked[0]
