"""The rules: every module in the folder of a family whose name starts with a code.

They are loaded from `rules.json` and `explanations.json`, since importing a module for each rule takes 20 times as
long. `scripts/make_rules.py` writes both from the modules, which are not part of the wheel, and a test compares them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import json

from urlset.errors import UsageError
from urlset.rules.families import DEFAULT_LIMITS
from urlset.rules.rule import Rule
from urlset.rules.templates import fill_limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


_USE_XSD = "`urlset validate --xsd DIR` validates against the official schemas"

REMOVED: Mapping[str, str] = {f"XSD{number:03}": _USE_XSD for number in range(1, 9)}
"""Codes of rules that were removed, and what replaces them. No other rule may get one."""

RULES = Path(__file__).with_name("rules.json")
"""The rules as data; written by `scripts/make_rules.py`."""

MAX_NAMED = 6
"""Maximum rules to suggest for a word in their names; a word of more, such as url, says too little."""

MISTYPED = 0.85
"""Least similarity of a mistyped name to the one that is meant; then others are not suggested."""

EXPLANATIONS = Path(__file__).with_name("explanations.json")
"""The docstring of each rule module by code; written by `scripts/make_rules.py`."""


@cache
def rule_templates() -> tuple[Rule, ...]:
    """Return every rule as written, with the names of limits in its texts, ordered by family and code."""
    return json.decode(RULES.read_bytes(), type=tuple[Rule, ...])


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return every rule with the default limits in its texts, ordered by family and code."""
    return tuple(fill_limits(template, DEFAULT_LIMITS) for template in rule_templates())


def rule(code: str) -> Rule:
    """Return the rule with this code or name, in any case.

    Raises:
        UsageError: The rule does not exist; the message suggests similar ones.
    """
    name = code.strip()
    match = _by_code().get(name.upper()) or next(
        (candidate for candidate in all_rules() if candidate.name == name.lower()), None
    )
    if match is None:
        raise unknown_rule(code, all_rules())
    return match


def docstring(code: str) -> str | None:
    """Return the docstring of the rule module with this code, in uppercase; None if the rule does not exist."""
    return _docstrings().get(code)


def select(rules: Iterable[Rule], select: Sequence[str] = (), ignore: Sequence[str] = ()) -> tuple[Rule, ...]:
    """Return the rules that are selected by code prefix.

    The longest prefix that matches a code decides: `select=["LOC"], ignore=["LOC003"]` returns all of LOC except
    LOC003, and `select=["LOC003"], ignore=["LOC"]` returns LOC003. A rule whose prefix is in both is ignored.

    Args:
        rules: The rules to select from; their order is kept.
        select: Code prefixes, in any case; an empty list selects every rule.
        ignore: Code prefixes to exclude.

    Raises:
        UsageError: No rule code starts with one of the prefixes; the message suggests similar ones.
    """
    candidates = tuple(rules)
    chosen, left_out = _prefixes(select, candidates), _prefixes(ignore, candidates)
    return tuple(
        candidate
        for candidate in candidates
        if _longest(candidate.code, chosen, -1 if select else 0) > _longest(candidate.code, left_out, -1)
    )


def _longest(code: str, prefixes: Iterable[str], otherwise: int) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=otherwise)


def _prefixes(texts: Sequence[str], rules: Sequence[Rule]) -> tuple[str, ...]:
    prefixes = tuple(prefix.strip().upper() for prefix in texts)
    for prefix, as_written in zip(prefixes, texts, strict=True):
        if not prefix or not any(candidate.code.startswith(prefix) for candidate in rules):
            raise UsageError(removed_rule(prefix) or f"no rule code starts with {as_written!r}{_near(prefix, rules)}")
    return prefixes


@cache
def _docstrings() -> dict[str, str]:
    return json.decode(EXPLANATIONS.read_bytes(), type=dict[str, str])


@cache
def _by_code() -> dict[str, Rule]:
    return {each.code: each for each in all_rules()}


def unknown_rule(code: str, rules: Sequence[Rule], reasons: Sequence[str] = ()) -> UsageError:
    """Return the error for a code that none of these rules has; the message suggests similar ones.

    Args:
        reasons: Names of reasons that are valid, too.
    """
    name = code.strip().upper()
    what = "rule or reason" if reasons else "rule"
    return UsageError(removed_rule(name) or f"unknown {what} {code!r}{_near(name, rules, reasons)}")


def removed_rule(prefix: str) -> str | None:
    """Return what replaces the first removed rule whose code starts with a prefix; None if no code does."""
    code = next((code for code in REMOVED if prefix and code.startswith(prefix)), None)
    return None if code is None else f"rule {code} was removed: {REMOVED[code]}"


def _near(code: str, rules: Sequence[Rule], reasons: Sequence[str] = ()) -> str:
    """Return the end of an error message: similar codes, families, and reasons."""
    from difflib import get_close_matches

    codes = {each.upper(): str(each) for each in reasons}
    codes |= {each.code: each.code for each in rules} | {each.family: each.family for each in rules}
    codes |= {each.name.upper(): f"{each.code} ({each.name})" for each in rules}
    # A word of a name, such as noindex, is what people look for.
    named = [each for each in rules if code in each.name.upper().split("-")]
    if 0 < len(named) <= MAX_NAMED and code not in codes:
        return f"; did you mean {' or '.join(f'{each.code} ({each.name})' for each in named)}?"
    matches = get_close_matches(code, codes, n=3, cutoff=MISTYPED) or get_close_matches(code, codes, n=3, cutoff=0.5)
    if near := list(dict.fromkeys(codes[match] for match in matches)):
        return f"; did you mean {' or '.join(near)}?"
    families = dict.fromkeys(each.family for each in rules)
    return f"; the families are {', '.join(families)}" if families else ""
