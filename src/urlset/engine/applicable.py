"""Decides which rules can find anything in some documents, by the traits that the documents and the run have."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from urlset.rules.rule import EntryRule
from urlset.rules.traits import ROW_TRAITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from urlset.rules.rule import Rule


def applicable_codes(
    rules: Iterable[Rule], present: AbstractSet[str], rows: Callable[[str], Sequence[Sequence[object]]]
) -> set[str]:
    """Return the codes of the rules that some document may violate.

    Args:
        rules: The rules.
        present: The traits of the documents (`traits_of`), and the tables that have rows.
        rows: Runs a query on these tables and returns its rows.
    """
    # First as if every table with rows had all of its traits: most rules need no query to be ruled out.
    possible = present | set(chain.from_iterable(traits for table, traits in ROW_TRAITS.items() if table in present))
    candidates = [rule for rule in rules if _can_apply(rule, possible)]
    needed = {trait for rule in candidates for need in _needs(rule) for trait in need}
    found = set(present)
    for table, predicates in ROW_TRAITS.items():
        asked = [trait for trait in predicates if trait in needed and table in present]
        if asked:
            columns = ", ".join(f"coalesce(bool_or({predicates[trait]}), FALSE)" for trait in asked)
            [answers] = rows(f"SELECT {columns} FROM {table}")
            found |= {trait for trait, has in zip(asked, answers, strict=True) if has}
    return {rule.code for rule in candidates if _can_apply(rule, found)}


def _can_apply(rule: Rule, traits: AbstractSet[str]) -> bool:
    return all(not traits.isdisjoint(need) for need in _needs(rule))


def _needs(rule: Rule) -> Iterator[Sequence[str]]:
    """Yield alternatives, of each of which a document that violates a rule has at least one."""
    for need in rule.needs:
        yield need.split("|")
    if isinstance(rule, EntryRule) and rule.traits:
        yield rule.traits
