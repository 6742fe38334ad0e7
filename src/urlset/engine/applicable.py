"""Decides which rules can find anything in some documents, judging by their facts and guards."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet

    from urlset.engine.rule_sql import QueryRule, RowRule


def applicable_rules(
    rules: Sequence[RowRule | QueryRule],
    present: int,
    filled: AbstractSet[str],
    ask: Callable[[Sequence[RowRule | QueryRule]], Sequence[object]],
    decide: Callable[[RowRule | QueryRule], bool | None] = lambda _: None,
) -> set[str]:
    """Return the codes of the rules that some document may break.

    Args:
        rules: The rules.
        present: All bits of traits that the entries have.
        filled: The tables that have rows.
        ask: Runs `sql.only_statement` for rules with the same `only_of`, and returns its row.
        decide: Decides a rule without a query; None if only a query can.
    """
    guarded = [rule for rule in rules if all(guard & present for guard in rule.guards)]
    codes = {rule.rule.code for rule in guarded if rule.only is None}
    for table in dict.fromkeys(rule.rule.only_of for rule in guarded if rule.only is not None):
        if table not in filled:
            continue
        candidates = [rule for rule in guarded if rule.only is not None and rule.rule.only_of == table]
        decided = {rule: decide(rule) for rule in candidates}
        codes |= {rule.rule.code for rule, is_due in decided.items() if is_due}
        candidates = [rule for rule, is_due in decided.items() if is_due is None]
        if not candidates:
            continue
        answers = dict(zip(dict.fromkeys(rule.only for rule in candidates), ask(candidates), strict=True))
        codes |= {rule.rule.code for rule in candidates if answers[rule.only]}
    return codes
