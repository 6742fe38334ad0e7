"""The rules as a run wants them: with the severities and the limits of a profile and of the configuration."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from urlset import _core
from urlset.errors import MisuseError
from urlset.rules.profiles import PROFILES, Changes
from urlset.rules.rule import PARAMETERS, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from urlset.config import Limit

LIMITS: frozenset[str] = PARAMETERS - {"now"}
"""Names of the limits that a profile or a configuration may change."""

USUAL_LIMITS: Mapping[str, Limit] = {
    name: value for name, value in {**_core.protocol_limits(), **_core.parameter_lists()}.items() if name in LIMITS
}
"""The limits of the protocol and of urlset, by name."""

TRAITS_OF_LISTS: Mapping[str, str] = {"secret_parameters": "sensitive", "sensitive_parameters": "sensitive"}
"""Lists that the core knows as well, and the trait that it gives to URLs by its own list."""


def changes_of(profile: str | None) -> Changes:
    """What a profile changes; nothing for None."""
    return Changes() if profile is None else PROFILES[profile]


def adjust(
    rules: Iterable[Rule],
    profile: str | None,
    severity: Mapping[str, str],
    limits: Mapping[str, Limit],
    usual_limits: Mapping[str, Limit],
) -> tuple[Rule, ...]:
    """The rules with the severity they have in this run, and with this run's limits in their words.

    Every consumer reads a rule's severity from the rule, so none can show or count another one.

    Args:
        rules: The rules to run; their order is kept.
        profile: The profile, or None.
        severity: Prefixes of codes and the severity that those rules get; these win over the profile, and of several
            prefixes the longest decides.
        limits: The limits of this run, the profile's included.
        usual_limits: The limits that the rules' words name.

    Raises:
        MisuseError: A severity is none.
    """
    by_profile = changes_of(profile).severity
    wanted = {prefix.upper(): _severity(value) for prefix, value in severity.items()}
    adjusted = []
    for rule in rules:
        own = _longest_prefix(rule.code, wanted)
        profiles = _longest_prefix(rule.code, by_profile)
        if own is not None:
            changed: Severity | None = wanted[own]
        elif profiles is not None:
            changed = by_profile[profiles]
        else:
            changed = rule.severity
        if changed is not None:
            adjusted.append(_in_words(dataclasses.replace(rule, severity=changed), limits, usual_limits))
    return tuple(adjusted)


def _severity(value: str) -> Severity:
    try:
        return Severity(value)
    except ValueError:
        raise MisuseError(f"{value!r} is no severity; there are: {', '.join(Severity)}") from None


def _longest_prefix(code: str, prefixes: Iterable[str]) -> str | None:
    return max((prefix for prefix in prefixes if code.startswith(prefix)), key=len, default=None)


def _in_words(rule: Rule, limits: Mapping[str, Limit], usual: Mapping[str, Limit]) -> Rule:
    """The rule with the limits of this run where its words name the usual ones: a message must not name another."""
    sql = " ".join(part for part in (rule.where, rule.query, rule.detail) if part)
    rule = _with_own_lists(rule, sql, limits, usual)
    texts: dict[str, str | None] = {
        name: getattr(rule, name) for name in ("message", "example", "fix", "detail", "where", "query")
    }
    words = ("message", "example", "fix", "detail")
    for name, value in limits.items():
        before = usual[name]
        if f"${name}" in sql and isinstance(value, int | float) and isinstance(before, int | float) and value != before:
            for old, new in _figures(name, before, value):
                texts |= {word: text.replace(old, new) for word in words if (text := texts[word]) is not None}
    changed = {name: texts[name] for name in words if texts[name] != getattr(rule, name)}
    return dataclasses.replace(rule, **changed) if changed else rule  # type: ignore[arg-type]


def _with_own_lists(rule: Rule, sql: str, limits: Mapping[str, Limit], usual: Mapping[str, Limit]) -> Rule:
    """The rule without a trait that would skip URLs: the core does not know names that a configuration adds."""
    unknown = {
        TRAITS_OF_LISTS[name]
        for name in TRAITS_OF_LISTS
        if f"${name}" in sql and not set(_names(limits[name])) <= set(_names(usual[name]))
    }
    return dataclasses.replace(rule, traits=tuple(one for one in rule.traits if one not in unknown))


def _names(limit: Limit) -> tuple[str, ...]:
    return limit if isinstance(limit, tuple) else ()


def _figures(name: str, usual: float, value: float) -> list[tuple[str, str]]:
    """How the words of rules write a limit, and how they would write the other value; the longest form first."""
    if name == "max_bytes":
        mebibytes = f"{usual / 1024**2:.0f} MB"
        new = f"{value:,} bytes"
        return [(f"{mebibytes} ({usual:,} bytes)", new), (mebibytes, new), (f"{usual:,}", f"{value:,}")]
    return [(f"{usual:,}", f"{value:,}")]
