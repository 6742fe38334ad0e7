"""Runs statements in DuckDB: with more memory where they lack it, and with the rule to blame where they fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

import duckdb

from urlset.engine.sql import EngineError, QueryRule, RowRule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST_DOUBLINGS = 4
"""How often the memory is doubled for a statement that cannot do with it even on disk, before giving up."""

Row: TypeAlias = tuple[object, ...]
Result = TypeVar("Result")
Compiled = TypeVar("Compiled", RowRule, QueryRule, RowRule | QueryRule)


class Statements:
    """Runs statements over a connection."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def execute(self, statement: str) -> None:
        """Runs a statement that gives nothing."""
        self._connection.execute(statement)

    def rows(self, statement: str, parameters: Sequence[object] = ()) -> list[Row]:
        """Every row of a statement."""
        rows: list[Row] = self._connection.execute(statement, parameters).fetchall()
        return rows

    def patiently(self, run: Callable[[], Result]) -> Result:
        """Runs something, with more memory where the limit is too low for it: some operators cannot spill below one."""
        for _ in range(MOST_DOUBLINGS):
            try:
                return run()
            except duckdb.OutOfMemoryException:
                [(limit,)] = self.rows("SELECT current_setting('memory_limit')")
                amount, unit = str(limit).split()
                self._connection.execute(f"SET memory_limit = '{2 * float(amount)}{unit}'")
        return run()

    def of_rules(self, rules: Sequence[Compiled], run: Callable[[Sequence[Compiled]], list[Row]]) -> list[Row]:
        """Runs a statement made of several rules; if it fails, finds the rule to blame."""
        try:
            return self.patiently(lambda: run(rules))
        except duckdb.Error as error:
            for rule in rules:
                try:
                    run([rule])
                except duckdb.Error as alone:
                    raise EngineError(rule.rule.code, first_line(alone)) from alone
            raise EngineError(", ".join(rule.rule.code for rule in rules), first_line(error)) from error


def first_line(error: duckdb.Error) -> str:
    """What DuckDB says is wrong, without the excerpt of the statement."""
    return str(error).strip().split("\n", 1)[0]
