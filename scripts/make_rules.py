"""Write what a run loads about the rules: the rules themselves, and the columns that rules across documents read.

Usage: python scripts/make_rules.py [--check]
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import msgspec

from urlset.database import connect
from urlset.engine.known_needs import DERIVED_BEFORE, digest
from urlset.engine.needs import derive
from urlset.rules.registry import RULES, rule_modules
from urlset.rules.rule import SetRule

if TYPE_CHECKING:
    from pathlib import Path

    from urlset.rules.rule import Rule


def rules_as_json(rules: tuple[Rule, ...]) -> str:
    """Return the text of rules.json."""
    return msgspec.json.format(msgspec.json.encode(rules), indent=1).decode() + "\n"


def needs_as_json(rules: tuple[Rule, ...]) -> str:
    """Return the text of needs.json."""
    with connect({"threads": 1}) as connection:
        across = [rule for rule in rules if isinstance(rule, SetRule) and rule.spans_run]
        needs = {digest(rule.query): derive(rule.query, connection) for rule in across}
    return json.dumps(needs, indent=1, sort_keys=True) + "\n"


def texts() -> dict[Path, str]:
    """Return the text of each generated file."""
    rules: tuple[Rule, ...] = tuple(module.RULE for module in rule_modules())
    return {RULES: rules_as_json(rules), DERIVED_BEFORE: needs_as_json(rules)}


def main() -> int:
    """Write the files, or check them."""
    old = [path for path, text in texts().items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" in sys.argv[1:]:
        for path in old:
            print(f"{path.name} is out of date; run `make rules`")
        return bool(old)
    for path, text in texts().items():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
