"""Runs rules on sets of rows on Spark: one query per rule."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from urlset.engine.examples import set_example, whole
from urlset.engine.sql import BREACH_COLUMNS, EngineError
from urlset.model.finding import Finding

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from urlset.engine.spark.statements import SparkStatements
    from urlset.engine.sql import QueryRule
    from urlset.model.finding import Example

PLACE, COUNT = "urlset_place", "urlset_count"
"""The number of a violation within its document, and how many that document has."""


class SparkSetRules:
    """Runs rules on sets of rows.

    Args:
        statements: Runs the queries.
        max_examples: Maximum number of examples per finding.
    """

    def __init__(self, statements: SparkStatements, max_examples: int) -> None:
        self._statements = statements
        self._most = max_examples

    def run(self, query_rule: QueryRule) -> list[Finding]:
        """Return one finding for each document that breaks a rule."""
        rule = query_rule.rule
        breaches = self._statements.frame(rule.code, query_rule.query)
        if missing := [name for name in (*BREACH_COLUMNS, *query_rule.template.names) if name not in breaches.columns]:
            raise EngineError(rule.code, f"its query does not return the column {missing[0]}")
        names = (*breaches.columns, COUNT, PLACE)
        rows = [dict(zip(names, row, strict=True)) for row in self._statements.rows(rule.code, self._first(breaches))]
        if any(cells["document_id"] is None for cells in rows):
            raise EngineError(rule.code, "its query returns a row without document_id")
        rows.sort(key=lambda cells: (whole(cells["document_id"]), whole(cells[PLACE])))
        counts = {whole(cells["document_id"]): whole(cells[COUNT]) for cells in rows}
        examples: defaultdict[int, list[Example]] = defaultdict(list)
        for cells in rows if self._most else ():
            examples[whole(cells["document_id"])].append(set_example(query_rule, cells))
        return [
            Finding(rule, document_id, count, tuple(examples[document_id])) for document_id, count in counts.items()
        ]

    def _first(self, breaches: DataFrame) -> DataFrame:
        """Return the first violations of each document, with their count, so that the query of a rule runs once."""
        from pyspark.sql import Window
        from pyspark.sql.functions import col, count, lit, row_number

        # By every column, so that the examples are the same in every run, as in the embedded engine.
        order = [col(name).asc_nulls_first() for name in dict.fromkeys((*BREACH_COLUMNS[1:], *breaches.columns))]
        document = Window.partitionBy("document_id")
        counted = breaches.withColumn(COUNT, count(lit(1)).over(document))
        placed = counted.withColumn(PLACE, row_number().over(document.orderBy(*order)))
        return placed.where(col(PLACE) <= max(self._most, 1))
