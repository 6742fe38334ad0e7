"""Runs rules on sets of rows on Spark: one query per rule."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from urlset.engine.examples import integer_of, set_example
from urlset.engine.sql import BREACH_COLUMNS, EngineError
from urlset.model.finding import Finding

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from urlset.engine.spark.statements import SparkStatements
    from urlset.engine.sql import QueryRule
    from urlset.model.finding import Example

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
        breaches = self._statements.frame(rule.code, query_rule.query)
        if missing := [name for name in (*BREACH_COLUMNS, *query_rule.template.names) if name not in breaches.columns]:
            raise EngineError(rule.code, f"its query does not return the column {missing[0]}")
        # Most rules find nothing. What a query over the whole run finds is kept instead of running it twice.
        if rule.spans_run:
            breaches = breaches.persist()
        try:
            counted = self._statements.rows(rule.code, breaches.groupBy("document_id").count())
            examples = self._examples(query_rule, breaches) if counted and self._max_examples else {}
        finally:
            if rule.spans_run:
                breaches.unpersist()
        if any(document_id is None for document_id, _ in counted):
            raise EngineError(rule.code, "its query returns a row without document_id")
        return [
            Finding(rule, integer_of(document_id), integer_of(count), tuple(examples.get(document_id, ())))
            for document_id, count in counted
        ]

    def _examples(self, query_rule: QueryRule, breaches: DataFrame) -> dict[object, list[Example]]:
        from pyspark.sql import Window
        from pyspark.sql.functions import col, row_number

        names = tuple(breaches.columns)
        # By every column, so that the examples are the same in every run, as in the embedded engine.
        order = [col(name).asc_nulls_first() for name in dict.fromkeys((*BREACH_COLUMNS[1:], *names))]
        place = row_number().over(Window.partitionBy("document_id").orderBy(*order))
        first = breaches.withColumn(PLACE, place).where(col(PLACE) <= self._max_examples).orderBy("document_id", PLACE)
        examples: defaultdict[object, list[Example]] = defaultdict(list)
        for row in self._statements.rows(query_rule.rule.code, first):
            cells = dict(zip((*names, PLACE), row, strict=True))
            examples[cells["document_id"]].append(set_example(query_rule, cells))
        return examples
