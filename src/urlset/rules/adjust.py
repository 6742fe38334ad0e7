"""Adjusts the rules for a run: applies the severities and limits of the profile and the configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from urlset.errors import UsageError
from urlset.rules.profiles import PROFILES, Changes
from urlset.rules.rule import Rule, SetRule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from urlset.options.judging import Limit

TRAITS_OF_LISTS: Mapping[str, str] = {"secret_parameters": "sensitive", "sensitive_parameters": "sensitive"}
"""Lists that the core also has, and the trait that the core gives to matching URLs."""


def changes_of(profile: str | None) -> Changes:
    """Return the changes of a profile; no changes for None."""
    return Changes() if profile is None else PROFILES[profile]


def adjust(
    rules: Iterable[Rule],
    profile: str | None,
    severity: Mapping[str, str],
    limits: Mapping[str, Limit],
    default_limits: Mapping[str, Limit],
) -> tuple[Rule, ...]:
    """Return the rules with the severity and the traits that apply in this run.

    All code reads the severity of a rule from the rule, so all output agrees on it.

    Args:
        rules: The rules to run; their order is kept.
        profile: The profile, or None.
        severity: Code prefixes and the severity of those rules. They override the profile, and the longest matching
            prefix decides.
        limits: The limits of this run, including those of the profile.
        usual_limits: The limits that the core uses.

    Raises:
        UsageError: A severity is invalid.
    """
    by_profile = changes_of(profile).severity
    severities = {prefix.upper(): _severity(value) for prefix, value in severity.items()}
    adjusted = []
    for rule in rules:
        own = _longest_prefix(rule.code, severities)
        profiles = _longest_prefix(rule.code, by_profile)
        if own is not None:
            changed: Severity | None = severities[own]
        elif profiles is not None:
            changed = by_profile[profiles]
        else:
            changed = rule.severity
        if changed is not None:
            adjusted.append(_with_own_lists(structs.replace(rule, severity=changed), limits, default_limits))
    return tuple(adjusted)


def _severity(value: str) -> Severity:
    try:
        return Severity(value)
    except ValueError:
        raise UsageError(f"invalid severity {value!r}; use one of {', '.join(Severity)}") from None


def _longest_prefix(code: str, prefixes: Iterable[str]) -> str | None:
    return max((prefix for prefix in prefixes if code.startswith(prefix)), key=len, default=None)


def _with_own_lists(rule: Rule, limits: Mapping[str, Limit], defaults: Mapping[str, Limit]) -> Rule:
    """Return the rule without traits that would skip URLs: the core does not know names from the configuration."""
    sql = rule.query if isinstance(rule, SetRule) else rule.where or ""
    unknown = {
        TRAITS_OF_LISTS[name]
        for name in TRAITS_OF_LISTS
        if f"${name}" in sql and not set(_names(limits[name])) <= set(_names(defaults[name]))
    }
    return structs.replace(rule, needs=tuple(trait for trait in rule.needs if trait not in unknown))


def _names(limit: Limit) -> tuple[str, ...]:
    return limit if isinstance(limit, tuple) else ()
