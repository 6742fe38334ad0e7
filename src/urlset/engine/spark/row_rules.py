"""Runs rules on single rows on Spark: all rules of a table in one scan, and a second scan for the examples."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from urlset.engine.examples import in_document_order, integer_of, row_example
from urlset.engine.row_rules import findings_of_parts, part_of, parts_with_rows, url_of
from urlset.engine.rule_sql import quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.engine.row_rules import Counts, Part
    from urlset.engine.rule_sql import RowRule
    from urlset.engine.spark.entries import EntryUrls
    from urlset.engine.spark.statements import Row, SparkStatements
    from urlset.model.finding import Example, Finding
    from urlset.tables import Table

RULE, KEY, RANK = "urlset_rule", "urlset_key", "urlset_rank"
"""Columns in addition to those of the table: the number of the rule, the key of the row, and its rank."""


class SparkRowRules:
    """Runs rules on single rows.

    Args:
        statements: Runs the SQL statements.
        urls: Looks up the URLs of entries.
        max_examples: Maximum number of examples per finding.
    """

    def __init__(self, statements: SparkStatements, urls: EntryUrls, max_examples: int) -> None:
        self._statements = statements
        self._urls = urls
        self._max_examples = max_examples

    def run(self, table: Table, rules: Sequence[RowRule]) -> list[Finding]:
        """Return one finding for each broken rule and document."""
        if not rules:
            return []
        rules = [part for rule in rules for part in rule.parts()]
        counts: Counts = defaultdict(int)
        for document_id, *row in self._rows(rules, _count_statement(table, rules)):
            for rule, count in zip(rules, row, strict=True):
                if count:
                    counts[part_of(document_id, rule)] = integer_of(count)
        hit = parts_with_rows(rules, counts)
        examples = self._examples(table, hit) if hit and self._max_examples else {}
        return findings_of_parts(hit, counts, examples, self._max_examples)

    def _examples(self, table: Table, rules: Sequence[RowRule]) -> dict[Part, list[Example]]:
        statement, columns = _example_statement(table, rules, self._max_examples)
        chosen: defaultdict[Part, list[tuple[object, dict[str, object]]]] = defaultdict(list)
        for number, key, *row in self._rows(rules, statement):
            place = integer_of(number)
            cells = dict(zip(columns, row[3 * len(rules) :], strict=True))
            value, detail, field = row[3 * place : 3 * place + 3]
            part = part_of(cells["document_id"], rules[place])
            chosen[part].append((key, {**cells, "value": value, "detail": detail, "at_fault": field}))
        firsts = {
            place: [
                cells for _, cells in sorted(rows, key=lambda row: in_document_order(table, *row))[: self._max_examples]
            ]
            for place, rows in chosen.items()
        }
        urls = self._urls.of(table, (cells for rows in firsts.values() for cells in rows))
        by_code = {rule.rule.code: rule for rule in rules}
        return {
            part: [row_example(by_code[part[1]], cells, url_of(table, cells, urls)) for cells in rows]
            for part, rows in firsts.items()
        }

    def _rows(self, rules: Sequence[RowRule], statement: str) -> list[Row]:
        codes = ", ".join(rule.rule.code for rule in rules)
        return self._statements.rows(codes, self._statements.frame(codes, statement))


def _count_statement(table: Table, rules: Sequence[RowRule]) -> str:
    """Return SQL that counts violations in one scan: document_id, then a count for each rule."""
    counts = ", ".join(f"{table.counted} FILTER (WHERE {rule.part_predicate})" for rule in rules)
    return f"SELECT document_id, {counts} FROM {quote(table.name)} GROUP BY document_id"


def _example_statement(table: Table, rules: Sequence[RowRule], limit: int) -> tuple[str, tuple[str, ...]]:
    """Return SQL for the first rows of each document that break each rule, and the names of the columns in them.

    Each row has the number of the rule and the key; for each rule, the value at fault, the detail, and the name of the
    column at fault, which are null for the others; and the columns of the table. Rows with equal keys have equal ranks,
    so that the result may have more than the first ones.
    """
    broken = ", ".join(f"CASE WHEN {rule.part_predicate} THEN {number} END" for number, rule in enumerate(rules))
    columns_sql = ", ".join(
        "NULL" if sql is None else f"CASE WHEN {RULE} = {number} THEN (\n{sql}\n) END"
        for number, rule in enumerate(rules)
        for sql in (rule.value, rule.detail, rule.field_of)
    )
    columns = tuple(dict.fromkeys(name for rule in rules for name in ("document_id", *rule.columns)))
    return (
        f"WITH broken AS ("
        f"SELECT *, {table.row_key} AS {KEY}, unnest(list_filter([{broken}], one -> one IS NOT NULL)) AS {RULE} "
        f"FROM {quote(table.name)}"
        f"), ranked AS ("
        f"SELECT *, rank() OVER (PARTITION BY {RULE}, document_id ORDER BY {KEY} NULLS FIRST) AS {RANK} FROM broken"
        f") SELECT {RULE}, {KEY}, {columns_sql}, {', '.join(map(quote, columns))} FROM ranked "
        f"WHERE {RANK} <= {limit:d}",
        columns,
    )
