"""Finds the rules that read a column, so that those that read what is not known do not run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.database.connections import connect
from urlset.engine.columns_read import columns_read
from urlset.engine.rule_sql import QueryRule, check_parameters
from urlset.engine.spark.own_rules import compile_rule, statements_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from urlset.engine.rule_sql import Parameter
    from urlset.rules.rule import Rule


def unknown_columns(rule: Rule, table: str, unknown: Collection[str], parameters: Mapping[str, Parameter]) -> set[str]:
    """Return the unknown columns of a table that a rule may read; the result may have too many, but never too few.

    Args:
        rule: The rule.
        table: The table.
        unknown: Its columns that are not known.
        parameters: Value of each `$name` that rules use.

    Raises:
        EngineError: The rule names a table, column or parameter that does not exist.
    """
    if table not in rule.tables:
        return set()
    runnable = compile_rule(rule, check_parameters(parameters))
    columns, source = (
        (set[str](), "") if isinstance(runnable, QueryRule) else (set(runnable.columns), f" FROM {rule.table}")
    )
    with connect() as connection:
        for sql in statements_of(runnable):
            columns.update(columns_read(f"{sql}{source}", connection).get(table, ()))
    return columns & set(unknown)
