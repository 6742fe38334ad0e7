"""Runs rules on sets of rows: one query per rule."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING

import _duckdb as duckdb

from urlset.engine.examples import integer_of, set_example
from urlset.engine.sql import BREACH_COLUMNS, EngineError, QueryRule, first_line, quote
from urlset.model.finding import Example, Finding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.engine.statements import Statements


class SetRules:
    """Runs rules on sets of rows.

    Args:
        statements: Runs the queries.
        max_examples: Maximum number of examples per finding.
    """

    def __init__(self, statements: Statements, max_examples: int) -> None:
        self._statements = statements
        self._max_examples = max_examples

    def run(self, rules: Sequence[QueryRule]) -> list[Finding]:
        """Return one finding for each broken rule and document."""
        findings: list[Finding] = []
        for rule in rules:
            try:
                with self._statements.apply_limits(rule.rule.code):
                    findings += self._statements.patiently(partial(self._run_one, rule))
            except duckdb.Error as error:
                raise EngineError(rule.rule.code, first_line(error)) from error
        return findings

    def _run_one(self, query_rule: QueryRule) -> list[Finding]:
        # The result is stored, so that the query is planned and run once; it can spill to disk.
        [(total,)] = self._statements.rows(f"CREATE OR REPLACE TEMP TABLE breaches AS FROM (\n{query_rule.query}\n)")
        if not total:
            return []
        rows = self._statements.rows("SELECT document_id, count(*) FROM breaches GROUP BY document_id")
        examples = self._examples(query_rule) if self._max_examples > 0 else {}
        self._statements.execute("DROP TABLE breaches")
        if any(document_id is None for document_id, _ in rows):
            raise EngineError(query_rule.rule.code, "its query returns a row without document_id")
        return [
            Finding(query_rule.rule, integer_of(document_id), integer_of(count), tuple(examples.get(document_id, ())))
            for document_id, count in rows
        ]

    def _examples(self, query_rule: QueryRule) -> dict[object, list[Example]]:
        """Return the first rows of each document as examples."""
        names = tuple(str(name) for name, *_ in self._statements.rows("DESCRIBE breaches"))
        if missing := [name for name in (*BREACH_COLUMNS, *query_rule.template.names) if name not in names]:
            raise EngineError(query_rule.rule.code, f"its query does not return the column {missing[0]}")
        # Sort by every column, so that the examples are the same in every run, whatever the order of the threads.
        order = ", ".join(f"{quote(name)} NULLS FIRST" for name in dict.fromkeys((*BREACH_COLUMNS[1:], *names)))
        examples: defaultdict[object, list[Example]] = defaultdict(list)
        for row in self._statements.rows(
            "FROM breaches "
            f"QUALIFY row_number() OVER (PARTITION BY document_id ORDER BY {order}) <= {self._max_examples} "
            f"ORDER BY document_id, {order}"
        ):
            cells = dict(zip(names, row, strict=True))
            examples[cells["document_id"]].append(set_example(query_rule, cells))
        return examples
