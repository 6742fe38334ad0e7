"""What the engine is told of the run: robots.txt files, what was not followed, what is forbidden."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from urlset.engine.duckdb import Engine
from urlset.errors import UsageError
from urlset.model.finding import Finding
from urlset.rules.rule import Rule, RuleScope, SetRule

DOCUMENTS = [{"document_id": 0, "url": "https://example.com/robots.txt"}, {"document_id": 1, "url": "s.xml"}]
LINES = [
    {"document_id": 0, "ordinal": 0, "line": 3, "col": 1, "loc": "https://example.com/a.xml", "is_relative": False},
    {
        "document_id": 0,
        "ordinal": 1,
        "line": 4,
        "col": 1,
        "loc": "/b.xml",
        "is_relative": True,
        "loc_line": 4,
        "loc_col": 10,
    },
]


def shown(findings: list[Finding]) -> list[tuple[str, int, int, list[tuple[int | None, str | None, str]]]]:
    return [
        (
            found.rule.code,
            found.document_id,
            found.count,
            [(each.line, each.url, each.message) for each in found.examples],
        )
        for found in findings
    ]


def test_an_entry_rule_on_sitemap_lines(rule: Callable[..., Rule], chunk: Callable[..., Any]) -> None:
    relative = rule(table="sitemap_lines", field="loc", where="is_relative", example="{value} is relative")
    with Engine([relative], {}) as engine:
        engine.add(chunk(sitemap_lines=LINES))
        assert engine.check({}, DOCUMENTS) == []
        found = engine.finish(DOCUMENTS)
    assert shown(found) == [("TST001", 0, 1, [(4, "/b.xml", "/b.xml is relative")])]


def test_a_rule_on_a_document_sees_what_was_added_before(rule: Callable[..., Rule], chunk: Callable[..., Any]) -> None:
    query = """
        SELECT u.document_id, u.ordinal, u.line, u.col, u.loc AS url, s.line AS value
        FROM urls AS u JOIN sitemap_lines AS s ON s.loc = u.loc
    """
    named = rule(kind=SetRule, query=query, example="named in line {value}")
    rows = chunk(urls=[{"document_id": 1, "ordinal": 0, "line": 7, "col": 1, "loc": "https://example.com/a.xml"}])
    with Engine([named], {}) as engine:
        assert engine.check(rows, DOCUMENTS[1:]) == []
        engine.add(chunk(sitemap_lines=LINES[:1]))
        engine.add(chunk(sitemap_lines=LINES[1:]))
        found = engine.check(rows, DOCUMENTS[1:])
        assert engine.finish(DOCUMENTS) == []
    assert shown(found) == [("TST001", 1, 1, [(7, "https://example.com/a.xml", "named in line 3")])]


def test_a_rule_on_the_run_sees_all(rule: Callable[..., Rule], chunk: Callable[..., Any]) -> None:
    query = """
        SELECT c.document_id, c.ordinal, c.line, c.col, c.url, f.agent AS value
        FROM cuts AS c JOIN blocked_urls AS f ON f.document_id = c.document_id
    """
    both = rule(
        kind=SetRule,
        scope=RuleScope.RUN,
        table="children",
        query=query,
        example="{value}",
    )
    with Engine([both], {}) as engine:
        engine.check(chunk(blocked_urls=[{"document_id": 1, "ordinal": 0, "position": 0, "agent": "A"}]), DOCUMENTS)
        engine.add(chunk(cuts=[{"document_id": 1, "ordinal": 2, "line": 5, "col": 6, "kind": "self", "url": "x"}]))
        found = engine.finish(DOCUMENTS)
    assert shown(found) == [("TST001", 1, 1, [(5, "x", "A")])]


def test_rows_of_forbidden_are_part_of_a_chunk(rule: Callable[..., Rule], chunk: Callable[..., Any]) -> None:
    closed = rule(table="blocked_urls", value="agent", where="pattern = '/'", example="closed to {value}")
    urls = [{"document_id": 1, "ordinal": 0, "line": 7, "col": 1, "loc": "https://example.com/a"}]
    rows = [
        {"document_id": 1, "ordinal": 0, "position": number, "line": 7, "col": 6, "agent": agent, "pattern": "/"}
        for number, agent in enumerate(("A", "B"))
    ]
    with Engine([closed], {}) as engine:
        found = engine.check(chunk(urls=urls, blocked_urls=rows), DOCUMENTS[1:])
    place = (7, "https://example.com/a")
    assert shown(found) == [("TST001", 1, 2, [(*place, "closed to A"), (*place, "closed to B")])]


@pytest.mark.parametrize("name", ["urls", "documents", "blocked_urls", "nonsense"])
def test_other_tables_are_not_of_the_run(name: str) -> None:
    with Engine([], {}) as engine, pytest.raises(UsageError, match=name):
        engine.add({name: None})
