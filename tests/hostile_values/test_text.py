"""JSON, TOML, YAML, and SQL with values of odd size or depth are refused with one plain sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.cases import case_table

import urlset
from urlset.build.sources import front_matter
from urlset.database.select_only import NotReadingError, check_statement
from urlset.files.structured import decode_json, decode_toml

PACKAGE = Path(urlset.__file__).parent

DEEP = 100_000

TEXTS: dict[str, tuple[Callable[[str], object], str, str]] = {
    "JSON: lists": (decode_json, "[" * DEEP + "]" * DEEP, "nested too deeply"),
    "JSON: objects": (decode_json, '{"a":' * DEEP + "1" + "}" * DEEP, "nested too deeply"),
    "JSON: an integer": (decode_json, "9" * 5_000, "Integer value out of range"),
    "JSON: a number": (decode_json, "1e999", "Number out of range"),
    "JSON: not a number": (decode_json, "NaN", "JSON is malformed"),
    "JSON: half a character": (decode_json, '"\ud800"', "surrogates not allowed"),
    "TOML: lists": (decode_toml, "a=" + "[" * DEEP, "nested too deeply"),
    "TOML: tables": (decode_toml, "a=" + "{a=" * DEEP, "nested too deeply"),
    "TOML: an integer": (decode_toml, "a=" + "9" * 5_000, "an integer has more than 64 bits"),
    "TOML: an integer in hexadecimal": (
        decode_toml,
        "a=[{b=0x" + "f" * 5_000 + "}]",
        "an integer has more than 64 bits",
    ),
    "TOML: a key": (decode_toml, ".".join("a" * 33) + "=1", "a key has more than 32 parts"),
    "YAML: an alias within itself": (front_matter.parse, "---\na: &a\n  <<: *a\n---\n", "the alias a refers to itself"),
    "YAML: depth": (front_matter.parse, "---\na: " + "[" * DEEP + "\n---\n", "nested more than 100 levels deep"),
}


@case_table("read,text,reason", TEXTS)
def test_texts_are_refused(read: Callable[[str], object], text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as refused:
        read(text)
    assert "\n" not in str(refused.value)


def test_ordinary_texts_are_read() -> None:
    assert decode_json('{"a": [1, 0.5, "x"]}') == {"a": [1, 0.5, "x"]}
    dots = ".".join("a" * 100)
    text = f"a.b = \"{dots}\" # {dots}\nc = '''{dots}\n'''\n\"{dots}\" = {2**63 - 1}"
    assert decode_toml(text) == {"a": {"b": dots}, "c": f"{dots}\n", dots: 2**63 - 1}
    merged = "base: &base\n  draft: true\nsitemap:\n  <<: *base\n  other: [*base, *base]"
    assert front_matter.parse(f"---\n{merged}\n---\n")["sitemap"] == {
        "draft": True,
        "other": [{"draft": True}, {"draft": True}],
    }


def test_nothing_else_decodes_what_comes_from_outside() -> None:
    """What these decode was written by urlset itself: in the package, in the same process, or with DuckDB or Spark.

    The settings of a run (`model/run.py`) were decoded in a type when the run was read.
    """
    own = {
        "web/agents.py", "cli/suggestions.py", "cluster/read_documents.py", "cluster/write_set.py",
        "comparison/notices.py", "model/run.py", "monitor/sinks.py",
        "rules/registry.py", "serve/jobs.py", "serve/views.py", "files/structured.py",
    }  # fmt: skip
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for text in [path.read_text("utf-8")]
        if any(name in text for name in ("json.loads(", "json.load(", "json.decode(", "tomllib.load"))
    }
    assert found <= own


QUERIES: dict[str, str] = {
    "tables": "SELECT * FROM (" * 1_200 + "SELECT 1" + ")" * 1_200,
    "very many tables": "SELECT * FROM (" * DEEP + "SELECT 1" + ")" * DEEP,
    "values": "SELECT " + "(SELECT " * 300 + "1" + ")" * 300,
    "with": "WITH " + "a AS (WITH " * 300 + "a AS (SELECT 1) SELECT 1" + ") SELECT 1" * 300,
    "explained": "EXPLAIN " + "SELECT * FROM (" * 1_200 + "SELECT 1" + ")" * 1_200,
    "lambdas": "SELECT " + "list_transform([1], x -> " * 300 + "1" + ")" * 300,
    "pivots": "PIVOT (" * DEEP + "SELECT 1 AS a" + ") ON a" * DEEP,
}


@case_table("sql", QUERIES)
def test_deep_queries_are_refused(sql: str) -> None:
    with duckdb.connect() as connection, pytest.raises(NotReadingError, match=r"^the query is nested too deeply; use "):
        check_statement(connection, sql)


@pytest.mark.parametrize("depth", [1_200, DEEP])
def test_deep_queries_of_own_rules_are_refused(cli: Any, depth: int, tmp_path: Path) -> None:
    query = "SELECT * FROM (" * depth + "SELECT document_id FROM documents" + ")" * depth
    config = tmp_path / "urlset.toml"
    config.write_text(
        f'[[rule]]\ncode = "OWN001"\nname = "own"\nseverity = "info"\nmessage = "own"\nquery = {json.dumps(query)}\n'
    )
    (tmp_path / "sitemap.xml").write_text("<urlset/>")
    outcome = cli("validate", str(tmp_path / "sitemap.xml"), "--config", str(config))
    assert (outcome.code, "its SQL is nested too deeply" in outcome.err) == (2, True), outcome.err
