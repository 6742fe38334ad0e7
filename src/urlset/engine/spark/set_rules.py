"""Runs rules on sets of rows on Spark: one query per rule."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from urlset.engine.examples import set_example
from urlset.engine.rule_sql import BREACH_COLUMNS, EngineError
from urlset.engine.set_rules import CAUSE, findings_of_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from urlset.engine.rule_sql import QueryRule
    from urlset.engine.set_rules import Cell
    from urlset.engine.spark.statements import SparkStatements
    from urlset.model.finding import Example, Finding

PLACE = "urlset_place"
"""The number of a violation within its document."""


class SparkSetRules:
    """Runs rules on sets of rows.

    Args:
        statements: Runs the queries.
        max_examples: Maximum number of examples per finding.
    """

    def __init__(self, statements: SparkStatements, max_examples: int) -> None:
        self._statements = statements
        self._max_examples = max_examples

    def run(self, query_rule: QueryRule) -> list[Finding]:
        """Return one finding for each document that breaks a rule."""
        rule = query_rule.rule
        statement = f"SELECT *, {query_rule.cause} AS {CAUSE} FROM (\n{query_rule.query}\n)"
        breaches = self._statements.frame(rule.code, statement)
        if missing := [name for name in (*BREACH_COLUMNS, *query_rule.template.names) if name not in breaches.columns]:
            raise EngineError(rule.code, f"its query does not return the column {missing[0]}")
        # Most rules find nothing. What a query over the whole run finds is kept instead of running it twice.
        if rule.spans_run:
            breaches = breaches.persist()
        try:
            counted = self._statements.rows(rule.code, breaches.groupBy("document_id", CAUSE).count())
            examples = self._examples(query_rule, breaches) if counted and self._max_examples else {}
        finally:
            if rule.spans_run:
                breaches.unpersist()
        return findings_of_rows(query_rule, counted, examples, self._max_examples)

    def _examples(self, query_rule: QueryRule, breaches: DataFrame) -> dict[Cell, list[Example]]:
        from pyspark.sql import Window
        from pyspark.sql.functions import col, row_number

        names = tuple(name for name in breaches.columns if name != CAUSE)
        # By every column, so that the examples are the same in every run, as in the embedded engine.
        order = [col(name).asc_nulls_first() for name in dict.fromkeys((*BREACH_COLUMNS[1:], *names))]
        place = row_number().over(Window.partitionBy("document_id", CAUSE).orderBy(*order))
        first = breaches.withColumn(PLACE, place).where(col(PLACE) <= self._max_examples).orderBy("document_id", PLACE)
        examples: defaultdict[Cell, list[Example]] = defaultdict(list)
        for row in self._statements.rows(query_rule.rule.code, first):
            cells = dict(zip((*names, CAUSE, PLACE), row, strict=True))
            examples[cells["document_id"], cells[CAUSE]].append(set_example(query_rule, cells))
        return examples
