"""Write what a run loads about the rules: their fields, the columns that they read, and their explanations.

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
from urlset.engine.columns_read import columns_read
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


def rules_of(modules: tuple[ModuleType, ...]) -> tuple[Rule, ...]:
    """Return the rules of modules, with the columns that those on a run read."""
    with connect({"threads": 1}) as connection:
        return tuple(
            msgspec.structs.replace(rule, reads=tuple(columns_read(rule.query, connection).items()))
            if isinstance(rule, SetRule) and rule.spans_run
            else rule
            for rule in (module.RULE for module in modules)
        )


def rules_as_json(rules: tuple[Rule, ...]) -> str:
    """Return the text of rules.json."""
    return msgspec.json.encode(rules).decode()


def explanations_as_json(modules: tuple[ModuleType, ...]) -> str:
    """Return the text of explanations.json."""
    explained = {module.RULE.code: (module.__doc__ or "").strip() for module in modules}
    return json.dumps(explained, ensure_ascii=False)


def texts() -> dict[Path, str]:
    """Return the text of each generated file."""
    modules = tuple(rule_modules())
    return {RULES: rules_as_json(rules_of(modules)), EXPLANATIONS: explanations_as_json(modules)}


if __name__ == "__main__":
    for path, text in texts().items():
        path.write_text(text, "utf-8")
