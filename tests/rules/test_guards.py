"""A guard saves time and changes nothing: without `needs` every rule finds the same.

A wrong guard is a rule that stays silent where it should speak, which no other test would notice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from msgspec import structs
from tests.cases import case_table
from tests.corpus.real_sites import ABSENT, IS_ABSENT, files
from tests.tiers import sampled

import urlset
from urlset.model.finding import Finding
from urlset.rules import registry
from urlset.rules.rule import Rule

from .runs import run_documents
from .test_cases import ALL_CASES, NOW, Case, bytes_of

EXAMPLES = Path(__file__).parents[2] / "examples"
RULES = registry.all_rules()
RUN_CASES = [case for case in ALL_CASES if "run" in case.data]


def unguarded(rule: Rule) -> Rule:
    """The rule without its guards; `traits` are none: they are what it looks for."""
    return structs.replace(rule, needs=())


def findings(targets: Sequence[bytes | Path]) -> list[tuple[object, ...]]:
    """What every rule with a guard finds, those in preview and those of profiles included."""
    codes = [rule.code for rule in RULES if unguarded(rule) != rule]
    return comparable(urlset.validate(targets, select=codes, now=NOW, max_examples=3).findings)


def comparable(found: Sequence[Finding]) -> list[tuple[object, ...]]:
    return sorted((one.rule.code, one.document_id, one.count, repr(one.examples)) for one in found)


def assert_same(targets: Sequence[bytes | Path], monkeypatch: pytest.MonkeyPatch) -> None:
    guarded = findings(targets)
    assert guarded
    monkeypatch.setattr("urlset.stages.ruleset.rule_templates", lambda: tuple(map(unguarded, RULES)))
    assert findings(targets) == guarded


def test_many_rules_have_a_guard() -> None:
    assert sum(unguarded(rule) != rule for rule in RULES) > 140


def test_on_the_documents_of_all_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [bytes_of(case.data) for case in ALL_CASES if not {"run", "documents"} & case.data.keys()]
    documents += [bytes_of(one) for case in ALL_CASES for one in case.data.get("documents", ())]
    # Each by itself and all in one run: a guard looks at the facts of one document, or at those of all.
    small = [document for document in documents if len(document) < 1_000_000]
    assert_same(sampled(small, 120), monkeypatch)


@pytest.mark.long("guards of rules")
def test_on_the_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_same(sorted(path for path in EXAMPLES.rglob("*.xml*") if path.is_file()), monkeypatch)


@pytest.mark.long("guards of rules")
@pytest.mark.skipif(IS_ABSENT, reason=ABSENT)
def test_on_real_sites(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_same(sampled(list(files().values()), 30), monkeypatch)


@case_table("number, case", {str(case): (number, case) for number, case in enumerate(RUN_CASES)})
def test_on_the_runs_of_cases(
    number: int, case: Case, monkeypatch: pytest.MonkeyPatch, amount: Callable[[str], int]
) -> None:
    if number % amount("guards of rules"):
        return
    guarded = comparable(run_documents(case.code, case.data, bytes_of))
    rule = registry.rule(case.code)
    monkeypatch.setattr("urlset.rules.registry.rule", lambda _: unguarded(rule))
    assert comparable(run_documents(case.code, case.data, bytes_of)) == guarded
