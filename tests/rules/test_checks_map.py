"""Every check of the catalogue is covered by a rule or has a reason why not, and never both."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from urlset.rules import registry

DOCS = Path(__file__).parents[2] / "docs"
REASONS = tomllib.loads((DOCS / "checks-reasons.toml").read_text("utf-8"))
CHECKS = [f"{family}{number:02}" for family, ids in REASONS["families"].items() for number in range(1, ids + 1)]
COVERED = {check for rule in registry.all_rules() for check in rule.checks}


def test_every_check_once() -> None:
    assert len(CHECKS) == 205
    reasons = REASONS.keys() - {"families"}
    assert set(CHECKS) == COVERED | reasons
    assert not COVERED & reasons
    assert all(REASONS[check]["name"] and REASONS[check]["reason"].endswith(".") for check in reasons)


def test_the_page_has_every_check_once() -> None:
    rows = re.findall(r"^\| ([A-K]\d\d) \|", (DOCS / "contributing" / "checks-map.md").read_text("utf-8"), re.MULTILINE)
    assert rows == CHECKS
