"""Every rule that says it is fixable is: shown by the very cases that it fails."""

from __future__ import annotations

from typing import Any

import pytest
from tests.cases import case_table
from tests.fix.test_cases import ALL_CASES as FIX_CASES
from tests.rules.test_cases import ALL_CASES, NOW, SETTINGS, Case, bytes_of

import urlset
from urlset.model.fix import FixOutcome
from urlset.rules.registry import all_rules
from urlset.rules.rule import Fixable

BESIDE = "https://example.com/beside-what-fails"
SHOWN_ELSEWHERE = {"LIM001", "LIM002"}
"""Rules whose repair takes more than one file: `test_files.py` shows it."""

RULES = {rule.code: rule for rule in all_rules()}
FAILING = [case for case in ALL_CASES if case.sort == "fails" and "documents" not in case.data]
ALWAYS = [case for case in FAILING if RULES[case.code].fixable is Fixable.ALWAYS]
SOMETIMES = sorted(code for code, rule in RULES.items() if rule.fixable is Fixable.SOMETIMES)


def count(case: Case, content: bytes) -> int:
    settings: dict[str, Any] = {name: case.data[name] for name in SETTINGS & case.data.keys()}
    report = urlset.validate(content, select=[case.code], now=NOW, **settings)
    return sum(finding.count for finding in report.findings)


def with_a_good_entry(case: Case) -> bytes:
    """The document with an entry that can stay, where none of its own can: a sitemap is not emptied."""
    entry = f"<url><loc>{BESIDE}</loc></url>"
    data = dict(case.data)
    if "index_entries" in data:
        data["index_entries"] += entry.replace("url>", "sitemap>")
    elif "entries" in data:
        data["entries"] += entry
    elif "document" in data and "<" not in data["document"]:
        data["document"] += f"\n{BESIDE}\n"
    elif "document" in data:
        data["document"] = data["document"].replace("</urlset>", f"{entry}</urlset>")
    else:
        return bytes_of(data).replace(b"</urlset>", f"{entry}</urlset>".encode())
    return bytes_of(data)


@pytest.mark.long("slow cases")
@case_table("case", ALWAYS)
def test_always_means_that_nothing_is_left_of_it(case: Case) -> None:
    # That it raises the rule, the tests of the rules show.
    (document,) = urlset.fix(with_a_good_entry(case)).documents
    assert document.outcome is FixOutcome.REPAIRED, document.reason
    assert document.content is not None
    assert count(case, document.content) == 0


@pytest.mark.parametrize("code", SOMETIMES)
def test_sometimes_means_at_least_one_case(code: str) -> None:
    assert code in SHOWN_ELSEWHERE or any(code in case.data.get("rules", ()) for case in FIX_CASES)


def test_each_rule_that_is_always_fixed_has_a_case() -> None:
    always = {code for code, rule in RULES.items() if rule.fixable is Fixable.ALWAYS}
    assert always == {case.code for case in ALWAYS}
