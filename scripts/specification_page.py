"""Generate the page of the scored check: its specification, the decisions where it is silent, and its tests."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset.model import specification
from urlset.rules import registry
from urlset.rules.rule import CheckStep

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SENTENCES = Path(__file__).resolve().parent.parent / "docs" / "check-sentences.toml"


def specification_page() -> Iterator[str]:
    """Yield the page: classification, steps, decisions, and the sentences with their tests."""
    check = specification.SPECIFICATION
    table = tomllib.loads(SENTENCES.read_text(encoding="utf-8"))
    yield f"# The check `{check.id}` {check.version}"
    yield ""
    yield f"`urlset check ORIGIN` implements the specification `{check.id}` {check.version} of the suite {check.suite}."
    yield "This page defines each step and names the tests that prove it. [The how-to](how-to/check.md) shows its use."
    yield ""
    rows = [
        ("category", check.category),
        ("subcategory", check.subcategory),
        ("check group", f"{check.group} (`{check.group_id}`)"),
        ("maturity", check.maturity),
        ("scope", check.scope),
        ("check weight", str(check.weight)),
        ("package path", f"`{check.package_path}`"),
        ("resources inspected", ", ".join(f"`{path}`" for path in check.resources)),
    ]
    yield from _table(("classification", ""), rows)
    yield ""
    yield "## Steps"
    yield ""
    yield "A step passes, warns, fails, or could not run. It earns its weight, half of it, or nothing."
    yield ""
    steps = [(f"`{step.id.value}`", step.title, f"{step.weight:g}", step.about) for step in specification.STEPS]
    yield from _table(("step", "title", "weight", "what it does"), steps)
    yield ""
    yield "Findings of these rules are evidence of a step, and change its result if they have an effect:"
    yield ""
    effects = [
        (
            f"`{step.value}`",
            f"[{rule.code}](reference/rules.md#{rule.code.lower()})",
            rule.check_effect.value,
            rule.message,
        )
        for step in CheckStep
        for rule in registry.all_rules()
        if rule.check_step is step
    ]
    yield from _table(("step", "rule", "effect", "title"), effects)
    yield ""
    yield "## Decisions where the specification is silent"
    yield ""
    yield from _table(("decision", "test"), [(_plain(one["says"]), _tests(one)) for one in table["decision"]])
    yield ""
    yield "## Sentence by sentence"
    yield ""
    yield "All tests are in `tests/check/test_specification.py`. Another test compares this table with that file."
    for section in table["section"]:
        yield ""
        yield f"### {section['title']}"
        yield ""
        yield from _table(
            ("the specification says", "proved by"), [(_plain(one["says"]), _tests(one)) for one in section["sentence"]]
        )


def _tests(sentence: dict[str, Any]) -> str:
    """Return the tests of a sentence, or the reason why it has none."""
    if "why_none" in sentence:
        return f"no test: {sentence['why_none']}"
    return ", ".join(f"`{name}`" for name in sentence["tests"])


def _plain(text: str) -> str:
    """Return text with HTML escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _table(heading: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield "| " + " | ".join(heading) + " |"
    yield "|" + "---|" * len(heading)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
