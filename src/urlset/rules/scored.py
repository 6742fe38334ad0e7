"""The rules that feed the scored check, as its specification has them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from urlset.rules.registry import all_rules
from urlset.rules.rule import EntryRule

if TYPE_CHECKING:
    from collections.abc import Collection

    from urlset.rules.rule import Rule


def scored_rules(codes: Collection[str]) -> tuple[Rule, ...]:
    """Return these rules as the specification has them, whatever their lifecycle.

    It accepts dates in the form of W3C or of ISO 8601, so a time without a time zone is not a fault. Of the rules on
    `lastmod` only the one on indexes does not tell this fault from the others.
    """
    rules = {rule.code: rule for rule in all_rules() if rule.code in codes}
    dates = rules["IDX007"]
    assert isinstance(dates, EntryRule)
    rules["IDX007"] = replace(dates, where=f"({dates.where}) AND lastmod_problem <> 'no-timezone'")
    return tuple(rules.values())
