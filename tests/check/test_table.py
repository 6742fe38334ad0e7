"""The table of the specification names tests that exist, and no test of the specification is missing from it."""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path

from tests.cases import case_table

from urlset.model.specification import EARNED, STEPS
from urlset.rules.registry import all_rules
from urlset.rules.rule import CheckEffect, CheckStep

ROOT = Path(__file__).parents[2]
TABLE = tomllib.loads((ROOT / "docs" / "check-sentences.toml").read_text(encoding="utf-8"))
SENTENCES = [(section["title"], sentence) for section in TABLE["section"] for sentence in section["sentence"]]


@cache
def functions_of(name: str) -> set[str]:
    tree = ast.parse((Path(__file__).parent / name).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


@case_table("section, sentence", SENTENCES, ids=lambda row: row[1]["says"][:40])
def test_every_sentence_has_a_test_or_says_why_none(section: str, sentence: dict[str, object]) -> None:
    tests = sentence.get("tests")
    if tests is None:
        assert str(sentence["why_none"]).strip()
        return
    assert isinstance(tests, list)
    assert tests
    assert set(tests) <= functions_of("test_specification.py")


def test_every_test_proves_a_sentence() -> None:
    named = {name for _, sentence in SENTENCES for name in sentence.get("tests", ())}
    decided = {name for decision in TABLE["decision"] for name in decision["tests"]}
    assert functions_of("test_specification.py") == named | decided


def test_no_sentence_stands_there_twice() -> None:
    assert len({(section, sentence["says"]) for section, sentence in SENTENCES}) == len(SENTENCES)


def test_every_rule_with_an_effect_has_a_step() -> None:
    for rule in all_rules():
        assert rule.check_step is not None or rule.check_effect is CheckEffect.NONE, rule.code
    without_effect = [rule.code for rule in all_rules() if rule.check_step and rule.check_effect is CheckEffect.NONE]
    assert without_effect == ["ENC001"]
    assert {step.value for step in CheckStep} <= {step.id.value for step in STEPS}
    assert {rule.check_step for rule in all_rules()} == {None, *CheckStep}


def test_the_steps_make_one() -> None:
    assert sum(round(step.weight * 100) for step in STEPS) == 100
    assert sorted(EARNED.values()) == [0.0, 0.0, 0.5, 1.0]
