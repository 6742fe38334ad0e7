"""Runs rules on single rows: all rules of a table in one scan, and a second scan for the examples."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from urlset.engine.examples import in_document_order, integer_of, row_example
from urlset.engine.rule_sql import RowRule, count_statement, example_statement, mask_count, rule_places
from urlset.model.finding import Example, Finding
from urlset.rules.rule import AnomalyRule

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from urlset.engine.rule_sql import QueryRule
    from urlset.engine.statements import Statements
    from urlset.tables import Table


class RowRules:
    """Runs rules on single rows.

    Args:
        statements: Runs the SQL statements.
        max_examples: Maximum number of examples per finding.
    """

    def __init__(self, statements: Statements, max_examples: int) -> None:
        self._statements = statements
        self._max_examples = max_examples

    def run(self, table: Table, rules: Sequence[RowRule], names: AbstractSet[str]) -> list[Finding]:
        """Return one finding for each broken rule and document.

        Args:
            table: The table.
            rules: Rules on its rows.
            names: The tables of the chunk, for the URLs of entries.
        """
        if any(isinstance(rule.rule, AnomalyRule) for rule in rules):
            rules = self._with_anomalies(rules)
        if not rules:
            return []
        rules = [part for rule in rules for part in rule.parts()]
        limit = self._max_examples
        counted = self._statements.of_rules(
            rules, lambda part: self._statements.rows(count_statement(table, part, limit))
        )
        counts: Counts = defaultdict(int)
        keys_of: defaultdict[Part, list[int]] = defaultdict(list)
        for document_id, *masks, count, keys in counted:
            for place in rule_places(masks):
                part = part_of(document_id, rules[place])
                counts[part] += integer_of(count)
                keys_of[part] += keys if isinstance(keys, list) else ()
        firsts = {(document_id, key) for (document_id, *_), keys in keys_of.items() for key in sorted(keys)[:limit]}
        hit = parts_with_rows(rules, counts)
        examples = self._examples(table, hit, names, firsts) if firsts else {}
        return findings_of_parts(hit, counts, examples, limit)

    def _with_anomalies(self, rules: Sequence[RowRule]) -> list[RowRule]:
        """Return the rules without those on kinds of anomaly that are absent, as most are."""
        kinds = {kind for (kind,) in self._statements.rows("SELECT DISTINCT kind FROM anomalies")}
        return [
            rule for rule in rules if not isinstance(rule.rule, AnomalyRule) or not kinds.isdisjoint(rule.rule.kinds)
        ]

    def _examples(
        self,
        table: Table,
        rules: Sequence[RowRule],
        names: AbstractSet[str],
        keys: AbstractSet[tuple[object, object]],
    ) -> dict[Part, list[Example]]:
        limit = self._max_examples
        parameters = [[document_id for document_id, _ in keys], [key for _, key in keys]]
        _, columns = example_statement(table, rules)
        fetched = self._statements.of_rules(
            rules, lambda part: self._statements.rows(example_statement(table, part)[0], parameters)
        )
        key = mask_count(rules)
        width = key + 1 + 3 * len(rules)
        pairs = [(row, dict(zip(columns, row[width:], strict=True))) for row in fetched]
        pairs.sort(key=lambda pair: in_document_order(table, pair[0][key], pair[1]))
        cells_of: defaultdict[Part, list[tuple[RowRule, dict[str, object]]]] = defaultdict(list)
        for row, cells in pairs:
            for place in rule_places(row[:key]):
                places = cells_of[part_of(cells["document_id"], rules[place])]
                if len(places) < limit:
                    first = key + 1 + 3 * place
                    value, detail, field = row[first : first + 3]
                    places.append((rules[place], {**cells, "value": value, "detail": detail, "at_fault": field}))
        placed = [cells for places in cells_of.values() for _, cells in places]
        urls = self._urls_of(table, placed, names)
        return {
            key: [row_example(rule, cells, url_of(table, cells, urls)) for rule, cells in places]
            for key, places in cells_of.items()
        }

    def _urls_of(
        self, table: Table, rows: Iterable[Mapping[str, object]], names: AbstractSet[str]
    ) -> dict[tuple[object, object], object]:
        """Return the loc of the entries that these rows belong to, by document and ordinal."""
        if "ordinal" not in table.column_names or table.url_column is not None:
            return {}
        places = sorted({(row["document_id"], row["ordinal"]) for row in rows if row["ordinal"] is not None})
        urls: dict[tuple[object, object], object] = {}
        for name in ("children", "urls"):
            if places and name in names:
                locs = self._statements.rows(
                    f"SELECT document_id, ordinal, loc FROM {name} WHERE (document_id, ordinal) IN "
                    "(SELECT unnest($1::INTEGER[]), unnest($2::INTEGER[]))",
                    [[document for document, _ in places], [ordinal for _, ordinal in places]],
                )
                urls |= {(document_id, ordinal): loc for document_id, ordinal, loc in locs}
        return urls


Part: TypeAlias = tuple[int, str, str | None]
"""A document, a rule by its code, and the code of the rule that causes these violations."""

Counts: TypeAlias = defaultdict[Part, int]


def part_of(document_id: object, rule: RowRule) -> Part:
    return integer_of(document_id), rule.rule.code, rule.cause


def parts_with_rows(rules: Iterable[RowRule], counts: Mapping[Part, int]) -> list[RowRule]:
    """Return the parts of rules that some row breaks."""
    broken = {(code, cause) for _, code, cause in counts}
    return [rule for rule in rules if (rule.rule.code, rule.cause) in broken]


def findings_of_parts(
    rules: Iterable[RowRule | QueryRule],
    counts: Mapping[Part, int],
    examples: Mapping[Part, Sequence[Example]],
    limit: int,
) -> list[Finding]:
    """Return a finding for each rule and document, from the number of violations by cause and the first of them."""
    by_code = {rule.rule.code: rule.rule for rule in rules}
    parts: defaultdict[tuple[int, str], list[tuple[str | None, int, Sequence[Example]]]] = defaultdict(list)
    for part, count in counts.items():
        document_id, code, cause = part
        parts[document_id, code].append((cause, count, examples.get(part, ())))
    return [Finding.of_parts(by_code[code], document_id, some, limit) for (document_id, code), some in parts.items()]


def url_of(table: Table, row: Mapping[str, object], urls: Mapping[tuple[object, object], object]) -> object:
    """Return the URL of a row: its own, if the table has one, else that of its entry, by document and ordinal."""
    if "ordinal" not in row:
        return None
    # Several rows may belong to an entry, such as the pages that one page links to.
    return urls.get((row["document_id"], row["ordinal"])) if table.url_column is None else row[table.url_column]
