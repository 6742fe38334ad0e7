"""Custom rules on Spark: the same findings, refused if they might find something else, and within a time limit."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import urlset
import urlset.spark
from urlset.engine.own_rules import own_rules
from urlset.engine.rule_sql import EngineError
from urlset.engine.spark.own_rules import check_translation
from urlset.errors import ConfigError, UsageError
from urlset.options import CustomRule
from urlset.rules.families import DEFAULT_LIMITS

from .test_reading import assert_same, sitemap

PARAMETERS = {**DEFAULT_LIMITS, "now": datetime(2026, 1, 1, tzinfo=UTC)}
ROW = CustomRule(code="SHOP001", message="Shop URL", where="path LIKE '/shop/%' AND length(loc) > 3", field="loc")
SET = CustomRule(
    code="SHOP002",
    message="Few URLs",
    example="URLs: {value}",
    query="SELECT document_id, count(*) AS value FROM urls GROUP BY document_id HAVING count(*) < 3",
)


def test_the_same_findings(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(sitemap("https://example.com/shop/1", "https://example.com/"))
    (tmp_path / "b.xml").write_bytes(sitemap(*(f"https://example.com/shop/{n}" for n in range(5))))
    options: dict[str, Any] = {"rule": (ROW, SET), "select": ["SHOP", "LOC002"]}
    found = urlset.spark.validate(spark, f"{tmp_path}/*.xml", **options)
    assert_same(found, urlset.validate([tmp_path / "a.xml", tmp_path / "b.xml"], **options))
    assert [(one.rule.code, one.document_id, one.count) for one in found.findings] == [
        ("SHOP001", 0, 1),
        ("SHOP002", 0, 1),
        ("SHOP001", 1, 5),
    ]


REFUSED = {
    "a function": ("levenshtein(loc, 'a') > 1", "uses levenshtein, which may differ on Spark; use --engine duckdb"),
    "a pattern that is a column": ("regexp_matches(loc, path)", "no equivalent on Spark .a regular expression must be"),
    "an escape": (r"path LIKE '\_%'", "its pattern of LIKE may match something else on Spark"),
    "another cast": ("CAST(loc AS UUID) IS NULL", "uses a cast to UUID"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_might_differ_is_refused(name: str) -> None:
    where, reason = REFUSED[name]
    [rule] = own_rules([replace(ROW, where=where)], PARAMETERS)
    with pytest.raises(EngineError, match=reason):
        check_translation(rule, PARAMETERS)


def test_it_is_refused_before_anything_is_read(spark: Any, tmp_path: Path) -> None:
    own = replace(ROW, where="levenshtein(loc, 'a') > 1")
    with pytest.raises(ConfigError, match=r"SHOP001.*levenshtein"):
        urlset.spark.validate(spark, f"{tmp_path}/*.xml", rule=(own,))
    with pytest.raises(UsageError, match="rule-memory is not available on Spark"):
        urlset.spark.validate(spark, f"{tmp_path}/*.xml", rule_memory="2GB")


def test_a_rule_that_fails_on_a_value(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(sitemap("https://example.com/"))
    own = replace(ROW, where="loc::INTEGER > 1")
    with pytest.raises(ConfigError, match=r"SHOP001.*the rule fails on these documents"):
        urlset.spark.validate(spark, f"{tmp_path}/a.xml", rule=(own,), select=["SHOP"])


@pytest.mark.long("slow cases on Spark")
def test_the_time_limit(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(sitemap(*(f"https://example.com/{n}" for n in range(400))))
    slow = replace(
        SET,
        query="SELECT a.document_id, count(DISTINCT concat(a.loc, b.loc, c.loc, d.loc)) AS value "
        "FROM urls a JOIN urls b ON a.loc <> b.loc JOIN urls c ON b.loc <> c.loc JOIN urls d ON c.loc <> d.loc "
        "GROUP BY a.document_id",
    )
    with pytest.raises(ConfigError, match="it ran longer than 1 s; raise the limit with --rule-time"):
        urlset.spark.validate(spark, f"{tmp_path}/a.xml", rule=(slow,), rule_time=1, select=["SHOP"])
