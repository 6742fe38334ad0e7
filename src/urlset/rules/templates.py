"""Templates in the texts of rules: `{max_url_length:,}` is replaced with a limit, which can differ between runs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.rules.families import DEFAULT_LIMITS
from urlset.rules.rule import AnomalyRule, EntryRule, Rule
from urlset.text.sizes import limit_size, quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.options.judging import Limit

SIZE = "size"
"""Format of a number of bytes: `50 MiB`, or `52,428,801 bytes` if it is not a multiple of a unit."""

EXACT_SIZE = "exact-size"
"""Format of a number of bytes: `50 MiB (52,428,800 bytes)`, or `52,428,801 bytes`."""

NEXT = "next"
"""Format of the first number above a limit: `1,001st`."""

# Besides these and Python's formats, `{max_entries:URL|URLs}` is a number with its noun.
_LIMIT = re.compile(rf"\{{({'|'.join(sorted(DEFAULT_LIMITS))})(?::([^{{}}]*))?\}}")


_PLACES = re.compile(r"\{places:([^{}|]*)\|([^{}|]*)\}")


def effect_on(rule: Rule, places: int) -> str:
    """Return the effect of a rule on a number of places, in words; empty if it has none of its own."""
    return _PLACES.sub(lambda match: quantity(places, match[1], match[2]), rule.effect)


def fill_limits(rule: Rule, limits: Mapping[str, Limit]) -> Rule:
    """Return the rule with the limits filled into its texts; the engine fills all other names in braces.

    Args:
        rule: The rule.
        limits: The value of each limit that the texts name.
    """
    words = {name: getattr(rule, name) for name in ("message", "example", "effect", "fix", "advice")}
    if isinstance(rule, EntryRule | AnomalyRule) and rule.detail is not None:
        words["detail"] = rule.detail
    changed = {name: _fill(text, limits) for name, text in words.items()}
    changed = {name: text for name, text in changed.items() if text != words[name]}
    return structs.replace(rule, **changed) if changed else rule


def _fill(template: str, limits: Mapping[str, Limit]) -> str:
    if "{" not in template:
        return template
    return _LIMIT.sub(lambda match: _limit_text(limits[match[1]], match[2] or ""), template)


def _limit_text(limit: Limit, form: str) -> str:
    if isinstance(limit, tuple):
        return ", ".join(limit)
    if "|" in form:
        return quantity(int(limit), *form.split("|"))
    if form == NEXT:
        return _ordinal(int(limit) + 1)
    if form not in (SIZE, EXACT_SIZE):
        return format(limit, form)
    return limit_size(int(limit), exact=form == EXACT_SIZE)


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"
