"""One document with a planted fault for each rule on entries: every rule is named, and at the right line."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import urlset
from urlset.rules import registry
from urlset.rules.rule import SetRule

CASES = Path(__file__).parent / "cases"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'
)


def planted() -> dict[str, dict[str, Any]]:
    """The first failing case of each entry or anomaly rule that fits into one line of a urlset."""
    faults = {}
    for rule in registry.all_rules():
        if isinstance(rule, SetRule) or rule.profile is not None:
            continue
        for case in tomllib.loads((CASES / f"{rule.code}.toml").read_text("utf-8"))["fails"]:
            usable = case.keys() <= {"about", "entries", "line", "count", "value"} and case.get("line") == 3
            if usable and case.get("count") == 1 and "«" not in case["entries"] and "\n" not in case["entries"]:
                faults[rule.code] = case
                break
    return faults


def test_each_fault_is_named_at_its_line() -> None:
    faults = planted()
    assert len(faults) >= 55
    lines = {code: 3 + number for number, code in enumerate(faults)}
    document = HEAD + "\n".join(case["entries"] for case in faults.values()) + "\n</urlset>\n"
    report = urlset.validate(document.encode(), now=NOW, preview=True, max_examples=1000)
    found = {finding.rule.code: {example.line for example in finding.examples} for finding in report.findings}
    assert {code: line for code, line in lines.items() if line not in found.get(code, set())} == {}
