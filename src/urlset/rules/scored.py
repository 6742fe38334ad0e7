"""The rules whose findings are evidence in `urlset check`, as its specification defines them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from urlset.rules.registry import all_rules
from urlset.rules.rule import EntryRule

if TYPE_CHECKING:
    from urlset.rules.rule import Rule


def scored_rules() -> tuple[Rule, ...]:
    """Return the rules with a step of the check, in any lifecycle, narrowed to what the specification counts."""
    return tuple(_specified_rule(rule) for rule in all_rules() if rule.check_step is not None)


def _specified_rule(rule: Rule) -> Rule:
    if not isinstance(rule, EntryRule) or rule.check_where is None:
        return rule
    return structs.replace(rule, where=f"({rule.where}) AND ({rule.check_where})")
