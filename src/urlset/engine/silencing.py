"""Suppresses findings that are consequences of another finding, such as a template that was not rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.engine.examples import integer_of
from urlset.engine.rule_sql import text_literal
from urlset.rules.rule import AnomalyRule
from urlset.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from collections.abc import Set as AbstractSet

    from urlset.engine.statements import Statements
    from urlset.model.finding import Finding
    from urlset.rules.rule import Rule

BEYOND = {
    "unrendered-template": r"""regexp_matches(concat_ws(' ', loc, lastmod), '\{\{.*\}\}|\{%.*%\}|<%.*%>', 's')""",
}
"""SQL that recognizes the affected entries, by kind of anomaly, if there are more than the reader has rows for."""


class Silencing:
    """Findings and entries that rules with `silences` suppress in a run.

    Attributes:
        kinds: The kinds of anomaly that break rules with `silences`, as a list of SQL literals.
        entries: Number of entries that no other rule was applied to.
        findings: Suppressed findings, in their original order.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rule for rule in rules if isinstance(rule, AnomalyRule) and rule.silences)
        self.kinds = ", ".join(text_literal(kind) for rule in self._rules for kind in rule.kinds)
        self._prefixes: dict[object, tuple[str, ...]] = {}
        self.entries = 0
        self.findings: list[Finding] = []

    def is_due(self, statements: Statements) -> bool:
        """Return whether a row of `anomalies` breaks a rule with `silences`."""
        return bool(self._rules) and bool(statements.rows(self.match_query()))

    def match_query(self) -> str:
        """Return SQL that has a row if a row of `anomalies` breaks a rule with `silences`."""
        return f"SELECT 1 FROM anomalies WHERE kind IN ({self.kinds or 'NULL'}) LIMIT 1"

    def apply(self, statements: Statements, names: AbstractSet[str], remove: Callable[[str, str], object]) -> None:
        """Remove the rows of affected entries from tables, and remember affected documents.

        Args:
            statements: Runs SQL in the database of the tables.
            names: The tables that have rows.
            remove: Removes the rows of a table for which a condition is true.
        """
        if "anomalies" not in names or not self.is_due(statements):
            return
        statements.execute(f"CREATE OR REPLACE TEMP TABLE silent_entries AS {self.entries_query(names)}")
        [(entries,)] = statements.rows("SELECT count(*) FROM silent_entries")
        self.entries += integer_of(entries)
        self.note(statements.rows)
        for name in sorted(names):
            if "ordinal" in TABLES[name].column_names:
                extra = f" AND kind NOT IN ({self.kinds})" if name == "anomalies" else ""
                remove(name, f"(document_id, ordinal) IN (FROM silent_entries){extra}")

    def note(self, rows: Callable[[str], Iterable[tuple[object, ...]]]) -> None:
        """Remember the documents that break a rule outside of fields.

        Args:
            rows: Runs a query and returns its rows.
        """
        for rule in self._rules:
            kinds = ", ".join(map(text_literal, rule.kinds))
            outside = f"kind IN ({kinds}) AND field IS NULL AND line IS NOT NULL"
            for (document_id,) in rows(f"SELECT DISTINCT document_id FROM anomalies WHERE {outside}"):
                self._prefixes[document_id] = (*self._prefixes.get(document_id, ()), *rule.silences)

    def remove_silenced(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return the findings to report; the others are added to `findings`."""
        remainder = []
        own = {rule.code for rule in self._rules}
        for finding in findings:
            code = finding.rule.code
            if code not in own and code.startswith(self._prefixes.get(finding.document_id, ())):
                self.findings.append(finding)
            else:
                remainder.append(finding)
        return remainder

    @property
    def reason(self) -> str:
        """The reason why a finding is not reported."""
        return f"caused by {self._cause}"

    @property
    def notes(self) -> list[str]:
        """A sentence on the suppressed findings; empty if there are none."""
        parts = []
        if count := len(self.findings):
            codes = ", ".join(sorted({finding.rule.code for finding in self.findings}))
            subject = "1 finding is" if count == 1 else f"{count:,} findings are"
            parts.append(f"{subject} not reported ({codes})")
        if self.entries:
            subject = "1 entry" if self.entries == 1 else f"{self.entries:,} entries"
            parts.append(f"no other rule was applied to {subject}")
        return [f"because of {self._cause}, {' and '.join(parts)}"] if parts else []

    @property
    def _cause(self) -> str:
        return " and ".join(f"{rule.code} ({rule.name})" for rule in self._rules)

    def entries_query(self, names: AbstractSet[str]) -> str:
        """Return SQL for the entries that break such a rule."""
        queries = [
            f"SELECT document_id, ordinal FROM anomalies WHERE kind IN ({self.kinds}) AND ordinal IS NOT NULL",
            *(
                f"SELECT document_id, ordinal FROM {table} WHERE {BEYOND[kind]} AND document_id IN "
                f"(SELECT document_id FROM anomalies WHERE kind = {text_literal(kind)} AND line IS NULL)"
                for rule in self._rules
                for kind in rule.kinds
                if kind in BEYOND
                for table in ("urls", "children")
                if table in names
            ),
        ]
        return " UNION ".join(queries)
