"""No rule on sets joins everything with everything: what an operator yields stays in proportion to what was read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from urlset import _core
from urlset.documents import DocumentReader, concatenate
from urlset.engine.duckdb import Engine
from urlset.engine.rule_sql import QueryRule
from urlset.engine.set_rules import SetRules
from urlset.engine.statements import Statements
from urlset.fetch import fetch
from urlset.model.finding import Finding
from urlset.options import ReadOptions
from urlset.rules import registry
from urlset.rules.families import DEFAULT_LIMITS
from urlset.sources import as_targets, sources_of
from urlset.tables import CUTS

OPEN = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
SITE = "https://example.com"
MOST = 20
"""Rows that an operator may yield for each row that was read, at most."""


class WatchedRules(SetRules):
    """Notes for each rule how many rows its largest step yields."""

    def __init__(self, statements: Statements) -> None:
        super().__init__(statements, max_examples=10)
        self.largest: dict[str, int] = {}

    def _run_one(self, query_rule: QueryRule) -> list[Finding]:
        [(_, plan)] = self._statements.rows(f"EXPLAIN (ANALYZE, FORMAT json) {query_rule.query}")
        self.largest[query_rule.rule.code] = max(_yields(json.loads(str(plan))["operator"]))
        return super()._run_one(query_rule)


class Watched(Engine):
    """Has every rule on sets watched."""

    def __init__(self) -> None:
        super().__init__(registry.all_rules(), {**DEFAULT_LIMITS, "now": datetime(2026, 1, 1, tzinfo=UTC)})
        self._on_sets = self.watched = WatchedRules(self._statements)


def _yields(operators: list[dict[str, Any]]) -> Iterator[int]:
    for operator in operators:
        yield operator["intermediate_rows"]
        yield from _yields(operator.get("children", []))


def sitemap(entries: Iterator[tuple[str, list[str]]]) -> bytes:
    return (
        OPEN
        + "".join(
            f"<url><loc>{SITE}{path}</loc><lastmod>2025-01-{1 + number % 28:02}</lastmod>"
            + "".join(f'<xhtml:link rel="alternate" hreflang="{to[1:3]}" href="{SITE}{to}"/>' for to in links)
            + "</url>\n"
            for number, (path, links) in enumerate(entries)
        )
        + "</urlset>"
    ).encode()


def same_everywhere(number: int) -> bytes:
    """A hundred pages that every document lists, with other links each time."""
    return sitemap((f"/p{page}", [f"/p{page}", f"/q{number}", f"/p{(page + number) % 100}"]) for page in range(100))


def one_language(number: int) -> bytes:
    """One language of a thousand pages; the third of them is listed nowhere."""
    names = ("de", "fr", "it")
    return sitemap((f"/{names[number]}/{page}", [f"/{name}/{page}" for name in names]) for page in range(1_000))


def one_page(_: int) -> bytes:
    return sitemap(iter([("/a", ["/a", "/b"])] * 1_000 + [("/a/", [])] * 1_000))


def one_child(_: int) -> bytes:
    child = f"<sitemap><loc>{SITE}/a.xml</loc><lastmod>2020-01-01</lastmod></sitemap>\n"
    return f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{child * 2_000}</sitemapindex>'.encode()


@pytest.mark.long("slow cases")
@pytest.mark.parametrize(
    ("document", "times"),
    [(same_everywhere, 20), (one_language, 2), (one_page, 3), (one_child, 3)],
    ids=lambda given: getattr(given, "__name__", ""),
)
def test_no_step_yields_much_more_than_was_read(document: Any, times: int) -> None:
    options = ReadOptions()
    with Watched() as engine:
        documents, read = [], 0
        for number in range(times):
            [target] = as_targets(document(number))
            [source] = sources_of(target)
            reader = DocumentReader(source, fetch(source, options), number, options)
            tables = concatenate(list(reader))
            read += sum(table.num_rows for table in tables.values())
            documents.append(reader.facts)
            engine.check(tables, [reader.facts])
        columns = [(column.name, column.type) for column in CUTS.columns]
        cut = {"document_id": 0, "line": 1, "col": 1, "kind": "repeated", "url": f"{SITE}/a.xml", "count": 1}
        engine.add({"cuts": _core.Table.from_rows(columns, [cut | {"ordinal": number} for number in range(2_000)])})
        engine.finish(documents)
    assert engine.watched.largest
    assert {code: most for code, most in engine.watched.largest.items() if most > MOST * read} == {}
