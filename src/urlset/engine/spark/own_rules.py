"""User-defined rules on Spark: only SQL that is known to mean the same there, within a limit on time.

The built-in rules are tested on both engines. A user-defined rule can use whatever they use; anything else might be a
function of another name, or one with another result, so that the rule would silently find something else.
"""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

from sqlglot import exp

from urlset.engine.rule_sql import EngineError, QueryRule, check_parameters, compile_query_rule, compile_row_rule
from urlset.engine.spark.dialect import TranslationError, parse, to_spark
from urlset.rules import registry
from urlset.rules.families import DEFAULT_LIMITS
from urlset.rules.rule import SetRule

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from pyspark.sql import SparkSession

    from urlset.engine.rule_sql import Parameter, RowRule
    from urlset.rules.rule import Rule

SECONDS_BETWEEN_CANCELLATIONS = 0.5

ELSEWHERE = "use --engine duckdb"

OF_ASCII = frozenset({"levenshtein"})
"""Functions that built-in rules use only on ASCII text: DuckDB counts bytes, and Spark counts characters."""

_ANY_TIME = datetime(2026, 1, 1, tzinfo=UTC)


class OwnRules:
    """The limits of user-defined rules.

    Args:
        session: The session that runs them.
        codes: Their codes.
        seconds: Time limit per rule; 0 for no limit.
    """

    def __init__(self, session: SparkSession, codes: Collection[str], seconds: float) -> None:
        self._context = session.sparkContext
        self._codes = frozenset(codes)
        self._seconds = seconds

    def __contains__(self, code: object) -> bool:
        return code in self._codes

    @contextmanager
    def apply_limits(self, code: str) -> Iterator[None]:
        """Apply the time limit to the jobs that the block starts in this thread, if the rule is one of these.

        Raises:
            EngineError: The limit was exceeded.
        """
        if code not in self._codes or not self._seconds:
            yield
            return
        tag, began, ended = f"urlset-{code}", monotonic(), Event()
        self._context.addJobTag(tag)
        Thread(target=self._cancel_overdue, args=(tag, ended), name="urlset-rule-time", daemon=True).start()
        try:
            yield
        except EngineError:
            if monotonic() - began < self._seconds:
                raise
            late = f"it ran longer than {self._seconds:g} s; raise the limit with --rule-time"
            raise EngineError(code, late) from None
        finally:
            ended.set()
            self._context.removeJobTag(tag)

    def _cancel_overdue(self, tag: str, ended: Event) -> None:
        """Cancel the jobs with a tag once the time is over, also those that start only then."""
        wait = self._seconds
        while not ended.wait(wait):
            self._context.cancelJobsWithTag(tag)
            wait = SECONDS_BETWEEN_CANCELLATIONS


def check_translation(rule: Rule, parameters: Mapping[str, Parameter]) -> None:
    """Check that a user-defined rule means the same on Spark.

    Raises:
        EngineError: Its SQL cannot be translated, or uses something that no built-in rule uses.
    """
    tested = _tested_constructs()
    for sql in statements_of(compile_rule(rule, check_parameters(parameters))):
        try:
            to_spark(sql)
            used = {_name_of(node) for node in parse(sql).walk()}
            patterns = [node.expression for node in parse(sql).find_all(exp.Like, exp.ILike)]
        except TranslationError as error:
            raise EngineError(rule.code, f"its SQL has no equivalent on Spark ({error}); {ELSEWHERE}") from None
        if strange := sorted(used - tested):
            raise EngineError(rule.code, f"its SQL uses {strange[0]}, which may differ on Spark; {ELSEWHERE}")
        if any(not isinstance(pattern, exp.Literal) or "\\" in pattern.name for pattern in patterns):
            raise EngineError(rule.code, f"its pattern of LIKE may match something else on Spark; {ELSEWHERE}")


def compile_rule(rule: Rule, literals: Mapping[str, str]) -> RowRule | QueryRule:
    """Compile a rule of any kind.

    Raises:
        EngineError: It names a table, column or parameter that does not exist.
    """
    return compile_query_rule(rule, literals) if isinstance(rule, SetRule) else compile_row_rule(rule, literals)


def statements_of(rule: RowRule | QueryRule) -> list[str]:
    """Return the SQL of a compiled rule, as statements."""
    if isinstance(rule, QueryRule):
        return [rule.query]
    expressions = (rule.predicate, rule.value, rule.detail, rule.field_of)
    return [f"SELECT (\n{sql}\n)" for sql in expressions if sql is not None]


@cache
def _tested_constructs() -> frozenset[str]:
    """Return the constructs that built-in rules use on any text."""
    literals = check_parameters({**DEFAULT_LIMITS, "now": _ANY_TIME})
    compiled_rules = (compile_rule(rule, literals) for rule in registry.all_rules())
    return frozenset(
        _name_of(node) for rule in compiled_rules for sql in statements_of(rule) for node in parse(sql).walk()
    ).difference(OF_ASCII)


def _name_of(node: exp.Expr) -> str:
    """Return the name of a construct: that of the function, or of the syntax."""
    if isinstance(node, exp.Anonymous):
        return str(node.name).lower()
    if isinstance(node, exp.Cast):
        return f"a cast to {node.to.sql('duckdb')}"
    return node.sql_name().lower() if isinstance(node, exp.Func) else node.key
