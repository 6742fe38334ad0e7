"""Decides which rules can find anything in some documents, by the traits that the documents and the run have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.rules.rule import EntryRule
from urlset.rules.traits import ROW_TRAITS, traits_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from urlset.rules.rule import Rule


def applicable_codes(
    rules: Sequence[Rule],
    documents: Sequence[Mapping[str, object]],
    parameters: Mapping[str, object],
    filled: AbstractSet[str],
    rows: Callable[[str], Sequence[Sequence[object]]],
) -> set[str]:
    """Return the codes of the rules that some document may violate.

    Args:
        rules: The rules.
        documents: Rows of `documents`.
        parameters: The limits of the run, and `now`.
        filled: The tables that have rows.
        rows: Runs a query on these tables and returns its rows.
    """
    found = traits_of(documents, parameters, _traits_needed(rules)) | filled
    # First as if every table with rows had all of its traits: most rules need no query to be ruled out.
    possible = found.union(*(traits for table, traits in ROW_TRAITS.items() if table in filled))
    candidates = [rule for rule in rules if _can_apply(rule, possible)]
    needed = _traits_needed(candidates)
    for table, predicates in ROW_TRAITS.items():
        asked = [trait for trait in predicates if trait in needed and table in filled]
        if asked:
            columns = ", ".join(f"coalesce(bool_or({predicates[trait]}), FALSE)" for trait in asked)
            [answers] = rows(f"SELECT {columns} FROM {table}")
            found |= {trait for trait, has in zip(asked, answers, strict=True) if has}
    return {rule.code for rule in candidates if _can_apply(rule, found)}


def _can_apply(rule: Rule, traits: AbstractSet[str]) -> bool:
    return all(not traits.isdisjoint(need) for need in _needs(rule))


def _traits_needed(rules: Sequence[Rule]) -> set[str]:
    return {trait for rule in rules for need in _needs(rule) for trait in need}


def _needs(rule: Rule) -> Iterator[Sequence[str]]:
    """Yield alternatives, of each of which a document that violates a rule has at least one."""
    for need in rule.needs:
        yield need.split("|")
    if isinstance(rule, EntryRule) and rule.traits:
        yield rule.traits
