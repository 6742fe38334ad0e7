"""Runs statements in DuckDB: retries with more memory if needed, and applies limits to user-defined rules."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import _duckdb as duckdb
from msgspec import Struct

from urlset.database import interrupts
from urlset.database.connections import is_late, memory_limit
from urlset.database.memory_limit import limit_memory
from urlset.engine.rule_sql import EngineError, QueryRule, RowRule, first_line
from urlset.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MAX_DOUBLINGS = 4
"""Maximum number of times to double the memory limit for a statement that fails even with spilling to disk."""

Row: TypeAlias = tuple[object, ...]
Result = TypeVar("Result")
Compiled = TypeVar("Compiled", RowRule, QueryRule, RowRule | QueryRule)


class ResourceLimits(Struct, frozen=True):
    """Resource limits for user-defined rules, which may be untrusted.

    Attributes:
        codes: The codes of the rules.
        seconds: Time limit per rule, for all documents together; 0 for no limit.
        memory: Memory limit per rule, in the syntax of DuckDB (`1GB`).
    """

    codes: frozenset[str] = frozenset()
    seconds: float = 60.0
    memory: str = "1GB"


DISK_OF_BOUNDED = "20GB"
"""Size limit of the temporary folder in a run with user-defined rules."""


class Statements:
    """Runs statements on a connection.

    Args:
        connection: The connection.
        bounds: Limits for some rules.

    Raises:
        UsageError: The memory limit is not a size.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, bounds: ResourceLimits | None = None) -> None:
        self._connection = connection
        self._limits = bounds or ResourceLimits()
        self._seconds_used: defaultdict[str, float] = defaultdict(float)
        self._limited_code: str | None = None
        self._max_memory = 0
        if self._limits.codes:
            connection.execute(f"SET max_temp_directory_size = '{DISK_OF_BOUNDED}'")
            with self._use_memory_limit():
                self._max_memory = memory_limit(connection)

    @contextmanager
    def apply_limits(self, code: str) -> Iterator[None]:
        """Apply the limits of a rule to the block, if it has any.

        Raises:
            EngineError: A limit was exceeded.
        """
        if code not in self._limits.codes:
            yield
            return
        seconds, memory = self._limits.seconds, self._limits.memory
        late = f"it ran longer than {seconds:g} s; raise the limit with --rule-time"
        budget = max(seconds - self._seconds_used[code], 0.001) if seconds else 0.0
        self._connection.execute(f"SET max_execution_time = {math.ceil(budget * 1000):d}")
        began = time.monotonic()
        self._limited_code = code
        try:
            with interrupts.end_after(budget, f"rule {code}: {late}", ExitCode.USAGE), limit_memory(self._max_memory):
                yield
        except (duckdb.Error, EngineError, MemoryError) as error:
            if is_late(error):
                raise EngineError(code, late) from None
            if {type(error), type(error.__cause__)} & {duckdb.OutOfMemoryException, MemoryError}:
                reason = f"it needs more than {memory} of memory; raise the limit with --rule-memory"
                raise EngineError(code, reason, ExitCode.UNREADABLE) from None
            raise
        finally:
            self._limited_code = None
            self._seconds_used[code] += time.monotonic() - began
            self._reset("max_execution_time", 0)

    @contextmanager
    def _use_memory_limit(self) -> Iterator[None]:
        """Use the memory limit of user-defined rules in the block."""
        [(before,)] = self.rows("SELECT current_setting('memory_limit')")
        try:
            self._connection.execute("SET memory_limit = $1", [self._limits.memory])
        except duckdb.Error:
            raise UsageError(f"{self._limits.memory!r} is not a memory size; use a value such as 1GB") from None
        try:
            yield
        finally:
            self._reset("memory_limit", before)

    def _reset(self, name: str, value: object) -> None:
        # After Ctrl-C the connection may be closed already.
        with suppress(duckdb.ConnectionException):
            self._connection.execute(f"SET {name} = $1", [value])

    def execute(self, statement: str) -> None:
        """Run a statement without a result."""
        self._connection.execute(statement)

    def rows(self, statement: str, parameters: Sequence[object] = ()) -> list[Row]:
        """Run a statement and return all rows."""
        rows: list[Row] = self._connection.execute(statement, parameters).fetchall()
        return rows

    def patiently(self, run: Callable[[], Result]) -> Result:
        """Call a function, and retry with more memory if needed: some operators need a minimum before they spill."""
        if self._limited_code is not None:
            try:
                return run()
            except duckdb.OutOfMemoryException:
                with self._use_memory_limit():
                    return run()
        for _ in range(MAX_DOUBLINGS):
            try:
                return run()
            except duckdb.OutOfMemoryException:
                self._connection.execute(f"SET memory_limit = '{2 * memory_limit(self._connection)}B'")
        return run()

    def of_rules(self, rules: Sequence[Compiled], run: Callable[[Sequence[Compiled]], list[Row]]) -> list[Row]:
        """Run a statement for several rules; if it fails, find the rule that caused it."""
        try:
            return self.patiently(lambda: run(rules))
        except duckdb.Error as error:
            if len(rules) == 1:
                raise EngineError(rules[0].rule.code, first_line(error)) from error
            for rule in rules:
                try:
                    run([rule])
                except duckdb.Error as alone:
                    raise EngineError(rule.rule.code, first_line(alone)) from alone
            raise EngineError(", ".join(rule.rule.code for rule in rules), first_line(error)) from error
