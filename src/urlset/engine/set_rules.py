"""Runs rules on sets of rows: one query per rule."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import _duckdb as duckdb

from urlset.engine.examples import integer_of, set_example
from urlset.engine.row_rules import findings_of_parts
from urlset.engine.rule_sql import BREACH_COLUMNS, EngineError, QueryRule, first_line, quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.engine.row_rules import Part
    from urlset.engine.statements import Statements
    from urlset.model.finding import Example, Finding


CAUSE = "urlset_cause"
"""The column with the code of the rule that causes a violation."""

Cell: TypeAlias = tuple[object, object]
"""A document, and the code of the rule that causes its violations, as the engine returns them."""


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
        rows = self._statements.rows(
            f"SELECT document_id, {query_rule.cause} AS {CAUSE}, count(*) FROM breaches GROUP BY document_id, {CAUSE}"
        )
        examples = self._examples(query_rule) if self._max_examples > 0 else {}
        self._statements.execute("DROP TABLE breaches")
        return findings_of_rows(query_rule, rows, examples, self._max_examples)

    def _examples(self, query_rule: QueryRule) -> dict[Cell, list[Example]]:
        """Return the first rows of each document and cause as examples."""
        names = tuple(str(name) for name, *_ in self._statements.rows("DESCRIBE breaches"))
        if missing := [name for name in (*BREACH_COLUMNS, *query_rule.template.names) if name not in names]:
            raise EngineError(query_rule.rule.code, f"its query does not return the column {missing[0]}")
        # Sort by every column, so that the examples are the same in every run, whatever the order of the threads.
        order = ", ".join(f"{quote(name)} NULLS FIRST" for name in dict.fromkeys((*BREACH_COLUMNS[1:], *names)))
        examples: defaultdict[Cell, list[Example]] = defaultdict(list)
        for cause, *row in self._statements.rows(
            f"SELECT {query_rule.cause} AS {CAUSE}, * FROM breaches "
            f"QUALIFY row_number() OVER (PARTITION BY document_id, {CAUSE} ORDER BY {order}) <= {self._max_examples} "
            f"ORDER BY document_id, {order}"
        ):
            cells = dict(zip(names, row, strict=True))
            examples[cells["document_id"], cause].append(set_example(query_rule, cells))
        return examples


def findings_of_rows(
    query_rule: QueryRule, rows: Sequence[tuple[object, ...]], examples: Mapping[Cell, Sequence[Example]], limit: int
) -> list[Finding]:
    """Return a finding for each document.

    Args:
        rows: The number of violations by document and cause: document_id, cause, number.
        examples: The first violations, by document and cause.
        limit: Maximum number of examples per finding.
    """
    code = query_rule.rule.code
    if any(document_id is None for document_id, *_ in rows):
        raise EngineError(code, "its query returns a row without document_id")

    def part(document_id: object, cause: object) -> Part:
        return integer_of(document_id), code, None if cause is None else str(cause)

    counts = {part(document_id, cause): integer_of(count) for document_id, cause, count in rows}
    firsts = {part(*cell): some for cell, some in examples.items()}
    return findings_of_parts([query_rule], counts, firsts, limit)
