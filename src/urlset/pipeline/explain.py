"""`explain`: the page of a rule, with the severity and the limits in force."""

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
        code: The code of the rule, in upper or lower case.
        resolved: The configuration, with the rules of the user's own.

    Raises:
        UsageError: There is no such rule.
        ConfigError: The configuration names a rule that does not exist, or a rule of the user's own is wrong.
    """
    in_force = {each.code: each for each in rules_in_force(resolved)}
    own = in_force.get(code.strip().upper())
    if own is not None and usual_severity(own.code) is None:
        return own_page(own)
    usual = rule(code)
    shown = in_force[usual.code]
    changed = "" if shown.severity is usual.severity else f" (default: {usual.severity.value})"
    return page(shown, f"Severity: {shown.severity.value}{changed}. {usual.standing}")
