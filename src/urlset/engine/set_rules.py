"""Runs rules on sets of rows: one query per rule."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING

import _duckdb as duckdb

from urlset.engine.examples import set_example, whole
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
        self._most = max_examples
        # The columns of each rule that has found something.
        self._names: dict[str, tuple[str, ...]] = {}

    def run(self, rules: Sequence[QueryRule]) -> list[Finding]:
        """Return one finding for each broken rule and document."""
        findings: list[Finding] = []
        for rule in rules:
            try:
                with self._statements.bounded(rule.rule.code):
                    findings += self._statements.patiently(partial(self._run_one, rule))
            except duckdb.Error as error:
                raise EngineError(rule.rule.code, first_line(error)) from error
        return findings

    def _run_one(self, query_rule: QueryRule) -> list[Finding]:
        rule, source = query_rule.rule, f"(\n{query_rule.query}\n)"
        # The result of a query over the whole run is stored instead of running the query twice; it can spill to disk.
        keep = rule.spans_run
        if keep:
            self._statements.execute(f"CREATE OR REPLACE TEMP TABLE breaches AS FROM {source}")
            source = "breaches"
        # Most rules find nothing, and for counting, DuckDB skips columns that only examples need. A rule that found
        # something in a chunk mostly does so in the next one, too.
        is_likely = self._most > 0 and rule.code in self._names
        counts = {} if is_likely else self._counts(source)
        examples: dict[object, list[Example]] = {}
        if is_likely or (counts and self._most > 0):
            counts, examples = self._examples(query_rule, source)
        if keep:
            self._statements.execute("DROP TABLE breaches")
        if None in counts:
            raise EngineError(rule.code, "its query returns a row without document_id")
        return [
            Finding(rule, whole(document_id), whole(count), tuple(examples.get(document_id, ())))
            for document_id, count in counts.items()
        ]

    def _counts(self, source: str) -> dict[object, object]:
        """Return the number of rows of each document."""
        rows = self._statements.rows(f"SELECT document_id, count(*) FROM {source} GROUP BY document_id")
        return {row[0]: row[1] for row in rows}

    def _examples(self, query_rule: QueryRule, source: str) -> tuple[dict[object, object], dict[object, list[Example]]]:
        """Return the number of rows of each document, and its first rows as examples."""
        names = self._names_of(query_rule, source)
        # Sort by every column, so that the examples are the same in every run, whatever the order of the threads.
        order = ", ".join(f"{quote(name)} NULLS FIRST" for name in dict.fromkeys((*BREACH_COLUMNS[1:], *names)))
        counts: dict[object, object] = {}
        examples: defaultdict[object, list[Example]] = defaultdict(list)
        for count, *row in self._statements.rows(
            f"SELECT count(*) OVER (PARTITION BY document_id), * FROM {source} "
            f"QUALIFY row_number() OVER (PARTITION BY document_id ORDER BY {order}) <= {self._most} "
            f"ORDER BY document_id, {order}"
        ):
            cells = dict(zip(names, row, strict=True))
            counts[cells["document_id"]] = count
            examples[cells["document_id"]].append(set_example(query_rule, cells))
        return counts, examples

    def _names_of(self, query_rule: QueryRule, source: str) -> tuple[str, ...]:
        """Return the columns of the rows, which are the same for every chunk."""
        code = query_rule.rule.code
        if code not in self._names:
            names = tuple(str(name) for name, *_ in self._statements.rows(f"DESCRIBE FROM {source}"))
            if missing := [name for name in (*BREACH_COLUMNS, *query_rule.template.names) if name not in names]:
                raise EngineError(code, f"its query does not return the column {missing[0]}")
            self._names[code] = names
        return self._names[code]
