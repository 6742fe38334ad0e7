"""One function creates engines: for a run of a store in its database, and for rules from elsewhere apart from it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from tests.hosting.folders import write

from urlset.engine.duckdb import Engine
from urlset.options import AuditOptions, ValidateOptions
from urlset.options.judging import CustomRule, Span
from urlset.pipeline.audit import audit
from urlset.pipeline.validate import validate

SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    "<url><loc>https://example.org/</loc></url><url><loc>https://example.org/</loc></url></urlset>"
)
OF_PAGES = "SELECT document_id, url AS value FROM pages WHERE status = 200"
OWN = (
    CustomRule(code="SHOP001", message="An entry", where="loc LIKE 'https://%'"),
    CustomRule(code="SHOP002", message="A page", query=OF_PAGES, span=Span.RUN),
)


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool, frozenset[str]]]:
    """The engines that were created: the function that did, whether it is of a store, and the codes of its rules."""
    created: list[tuple[str, bool, frozenset[str]]] = []
    create = Engine.__init__

    def noted(self: Engine, rules: Any, *arguments: Any, **named: Any) -> None:
        rules = tuple(rules)
        codes = frozenset(rule.code[:4] for rule in rules)
        created.append((sys._getframe(1).f_code.co_name, named.get("stored") is not None, codes))
        create(self, rules, *arguments, **named)

    monkeypatch.setattr(Engine, "__init__", noted)
    return created


def test_rules_of_an_audit(tmp_path: Path, engines: list[tuple[str, bool, frozenset[str]]]) -> None:
    folder = write(tmp_path / "site", {"index.html": "<title>Home</title><p>Home", "sitemap.xml": SITEMAP})
    options = AuditOptions(base_url="https://example.org/", store=tmp_path / "s.duckdb", rule=OWN)
    report = audit([str(folder)], options).report
    counts = {finding.rule.code: finding.count for finding in report.findings}
    assert (counts["SHOP001"], counts["SHOP002"], counts["DUP001"]) == (2, 1, 1)
    [(first, is_stored, codes), (second, is_other_stored, own)] = engines
    assert (first, second, is_stored, is_other_stored) == ("engine_of", "engine_of", True, False)
    assert own == {"SHOP"}
    assert "SHOP" not in codes


def test_rules_of_a_file(tmp_path: Path, engines: list[tuple[str, bool, frozenset[str]]]) -> None:
    (tmp_path / "s.xml").write_text(SITEMAP)
    validate([str(tmp_path / "s.xml")], ValidateOptions(rule=OWN[:1]))
    [(function, is_stored, codes)] = engines
    assert (function, is_stored, "SHOP" in codes) == ("engine_of", False, True)
