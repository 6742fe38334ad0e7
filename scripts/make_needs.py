"""Derive which columns the rules across documents read, and store them for the engine in needs.json.

Usage: python scripts/make_needs.py
"""

from __future__ import annotations

import json

from urlset.database import connect
from urlset.engine.known_needs import DERIVED_BEFORE, digest
from urlset.engine.needs import derive
from urlset.rules.registry import all_rules
from urlset.rules.rule import SetRule


def needs_as_json() -> str:
    """Return the text of needs.json."""
    with connect({"threads": 1}) as connection:
        rules = [rule for rule in all_rules() if isinstance(rule, SetRule) and rule.spans_run]
        needs = {digest(rule.query): derive(rule.query, connection) for rule in rules}
    return json.dumps(needs, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    DERIVED_BEFORE.write_text(needs_as_json(), "utf-8")
