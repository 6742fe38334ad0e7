"""Write what a run loads about the rules: fields, explanations, the columns that they read, conditions on documents.

Usage: python scripts/make_rules.py
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from typing import TYPE_CHECKING

import msgspec

from urlset.database.connections import connect
from urlset.engine.conditions import condition_tree
from urlset.engine.known_conditions import CONDITIONS
from urlset.engine.known_needs import NEEDS_FILE
from urlset.engine.needs import derive
from urlset.engine.rule_sql import condition_of
from urlset.rules.families import FAMILIES
from urlset.rules.registry import EXPLANATIONS, RULES
from urlset.rules.rule import SetRule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import ModuleType

    from urlset.rules.rule import Rule

_RULE_MODULE = re.compile(r"[a-z]{3}\d{3}_[a-z0-9_]+")


def rule_modules() -> Iterator[ModuleType]:
    """Import and yield every rule module, ordered by family and code."""
    for family in FAMILIES:
        package = importlib.import_module(f"urlset.rules.{family.folder}")
        for name in sorted(info.name for info in pkgutil.iter_modules(package.__path__)):
            if _RULE_MODULE.fullmatch(name):
                yield importlib.import_module(f"{package.__name__}.{name}")


def rules_as_json(rules: tuple[Rule, ...]) -> str:
    """Return the text of rules.json."""
    return msgspec.json.encode(rules).decode()


def explanations_as_json(modules: tuple[ModuleType, ...]) -> str:
    """Return the text of explanations.json."""
    explained = {module.RULE.code: (module.__doc__ or "").strip() for module in modules}
    return json.dumps(explained, ensure_ascii=False)


def needs_as_json(rules: tuple[Rule, ...]) -> str:
    """Return the text of needs.json."""
    with connect({"threads": 1}) as connection:
        across = [rule for rule in rules if isinstance(rule, SetRule) and rule.spans_run]
        needs = {rule.query: derive(rule.query, connection) for rule in across}
    return json.dumps(needs)


def conditions_as_json(rules: tuple[Rule, ...]) -> str:
    """Return the text of conditions.json."""
    with connect({"threads": 1}) as connection:
        conditions = {sql for rule in rules if (sql := condition_of(rule)) is not None}
        trees = {sql: condition_tree(sql, connection) for sql in sorted(conditions)}
    return json.dumps(trees)


def texts() -> dict[Path, str]:
    """Return the text of each generated file."""
    modules = tuple(rule_modules())
    rules: tuple[Rule, ...] = tuple(module.RULE for module in modules)
    return {
        RULES: rules_as_json(rules),
        EXPLANATIONS: explanations_as_json(modules),
        NEEDS_FILE: needs_as_json(rules),
        CONDITIONS: conditions_as_json(rules),
    }


if __name__ == "__main__":
    for path, text in texts().items():
        path.write_text(text, "utf-8")
