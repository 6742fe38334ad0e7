"""`explain`: the page of a rule, with its effective severity and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.pipeline.ruleset import rules_in_force, usual_severity
from urlset.rules.explanation import own_page, page
from urlset.rules.registry import rule

if TYPE_CHECKING:
    from urlset.options.resolve import Resolved
    from urlset.options.verbs import ValidateOptions


def explain(code: str, resolved: Resolved[ValidateOptions]) -> str:
    """Return the page of a rule, in Markdown.

    Args:
        code: The code of the rule, case-insensitive.
        resolved: The configuration, with custom rules.

    Raises:
        UsageError: The rule does not exist.
        ConfigError: The configuration refers to a rule that does not exist, or a custom rule is invalid.
    """
    in_force = {each.code: each for each in rules_in_force(resolved)}
    own = in_force.get(code.strip().upper())
    if own is not None and usual_severity(own.code) is None:
        return own_page(own)
    usual = rule(code)
    shown = in_force[usual.code]
    changed = "" if shown.severity is usual.severity else f" (default: {usual.severity.value})"
    return page(shown, f"Severity: {shown.severity.value}{changed}. {usual.standing}")
