"""The engine on Spark: runs rules on the tables of a whole run and returns findings."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING

from urlset import _core
from urlset.engine.applicable import applicable_codes
from urlset.engine.examples import integer_of
from urlset.engine.rule_sql import (
    SQL_TYPES,
    Parameter,
    QueryRule,
    RowRule,
    check_parameters,
    quote,
)
from urlset.engine.silencing import Silencing
from urlset.engine.spark.entries import EntryUrls
from urlset.engine.spark.own_rules import OwnRules, compile_rule
from urlset.engine.spark.row_rules import SparkRowRules
from urlset.engine.spark.set_rules import SparkSetRules
from urlset.engine.spark.statements import SparkStatements, each_at_once
from urlset.model.finding import in_report_order
from urlset.rules.derived import DERIVED, DERIVED_OF_RUN, sources
from urlset.tables import ANOMALIES, CHUNK_TABLES, DOCUMENTS, RUN_TABLES, TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from pyspark.sql import DataFrame, SparkSession

    from urlset.model.finding import Finding
    from urlset.rules.rule import Rule

REQUIRED_URLS = "required_urls"


class SparkEngine:
    """Runs a set of rules on the tables of a run, all of which are available at once.

    Attributes:
        session: The session to read the tables with.
        silencing: What rules with `silences` suppress.
    """

    def __init__(
        self,
        session: SparkSession,
        rules: Iterable[Rule],
        parameters: Mapping[str, Parameter],
        max_examples: int = 10,
        required_urls: Sequence[str] = (),
        own: Collection[str] = (),
        seconds: float = 0.0,
    ) -> None:
        """Prepare the rules.

        Args:
            session: The user's session, whose settings and views are not changed.
            rules: The rules to run, in any order.
            parameters: Value of each `$name` that the rules use; datetimes without a time zone are UTC.
            max_examples: Maximum number of examples per finding.
            required_urls: The rows of the table `required_urls`.
            own: The codes of user-defined rules.
            seconds: Time limit for each of these; 0 for no limit.

        Raises:
            UsageError: A parameter is unknown or has the wrong type.
            EngineError: A rule names a table, column or parameter that does not exist.
        """
        literals = check_parameters(parameters)
        self._parameters = dict(parameters)
        rules = tuple(rules)
        self.silencing = Silencing(rules)
        self._row_rules: defaultdict[str, list[RowRule]] = defaultdict(list)
        self._set_rules: list[QueryRule] = []
        for rule in rules:
            runnable = compile_rule(rule, literals)
            if isinstance(runnable, QueryRule):
                self._set_rules.append(runnable)
            else:
                self._row_rules[runnable.table.name].append(runnable)
        self._required_urls = sorted(set(required_urls))
        self._max_examples = max_examples
        self._statements = SparkStatements(session)
        self.session = self._statements.session
        self._own = OwnRules(self.session, own, seconds)

    def check(self, tables: Mapping[str, DataFrame], documents: Sequence[Mapping[str, object]]) -> list[Finding]:
        """Run all rules.

        Args:
            tables: The tables of the run that have rows, with the columns of `tables.py`, read with `session`.
            documents: The rows of `documents`.

        Returns:
            One finding per broken rule and document, in report order.

        Raises:
            EngineError: A rule cannot be run on Spark, or fails on a value.
        """
        frames: list[DataFrame] = []
        try:
            return self._check(tables, documents, frames)
        finally:
            for frame in frames:
                frame.unpersist()

    def urls_at(self, places: Iterable[tuple[int, int]]) -> dict[tuple[object, object], object]:
        """Return the loc of entries, by document and ordinal; call after `check`."""
        return EntryUrls(self._statements, ("urls",)).at(places)

    def _check(
        self, tables: Mapping[str, DataFrame], facts: Sequence[Mapping[str, object]], frames: list[DataFrame]
    ) -> list[Finding]:
        documents = tables[DOCUMENTS.name].persist()
        frames.append(documents)
        self._register({**tables, DOCUMENTS.name: documents})
        [(entries,)] = self.rows("documents", f"SELECT coalesce(sum(entries), 0)::BIGINT FROM {DOCUMENTS.name}")
        if self._statements.expect(integer_of(entries)):
            # What is in one partition is joined and grouped without an exchange.
            tables = {name: frame.coalesce(1) for name, frame in {**tables, DOCUMENTS.name: documents}.items()}
            for name, frame in tables.items():
                frame.createOrReplaceTempView(name)
        self._silence(tables, frames)
        filled = set(tables)
        if "link_sets" in filled:
            filled |= self._derive(DERIVED, frames)
        of_run = {name: query for name, query in DERIVED_OF_RUN.items() if sources(query, filled)}
        filled |= self._derive(of_run, frames)
        codes = self._applicable_codes(filled, facts)
        on_rows = SparkRowRules(self._statements, EntryUrls(self._statements, filled), self._max_examples)
        on_sets = SparkSetRules(self._statements, self._max_examples)
        runs: list[Callable[[], list[Finding]]] = []
        for name in sorted(filled):
            rules = [rule for rule in self._row_rules.get(name, ()) if rule.rule.code in codes]
            runs.append(partial(on_rows.run, TABLES[name], [rule for rule in rules if rule.rule.code not in self._own]))
            runs += [
                partial(self._run_within_limits, rule.rule.code, partial(on_rows.run, TABLES[name], [rule]))
                for rule in rules
                if rule.rule.code in self._own
            ]
        for query_rule in self._set_rules:
            if query_rule.rule.code in codes:
                runs.append(partial(self._run_within_limits, query_rule.rule.code, partial(on_sets.run, query_rule)))
        findings = [finding for part in each_at_once(self.session, lambda run: run(), runs) for finding in part]
        return in_report_order(self.silencing.remove_silenced(findings))

    def _run_within_limits(self, code: str, run: Callable[[], list[Finding]]) -> list[Finding]:
        with self._own.apply_limits(code):
            return run()

    def _register(self, tables: Mapping[str, DataFrame]) -> None:
        """Create a view of each table that rules can read; those without rows are empty."""
        for name in (DOCUMENTS.name, *CHUNK_TABLES, *RUN_TABLES, *DERIVED, *DERIVED_OF_RUN):
            frame = tables.get(name)
            if frame is None:
                columns = ", ".join(
                    f"CAST(NULL AS {SQL_TYPES[column.type]}) AS {quote(column.name)}" for column in TABLES[name].columns
                )
                frame = self._statements.frame(name, f"SELECT {columns} WHERE FALSE")
            frame.createOrReplaceTempView(name)
        urls = [(url, _core.url_hash(url)) for url in self._required_urls]
        self.session.createDataFrame(urls, "url string, url_hash bigint").createOrReplaceTempView(REQUIRED_URLS)

    def _derive(self, queries: Mapping[str, str], frames: list[DataFrame]) -> set[str]:
        """Create the shared tables that are derived from others, and return their names."""
        for name, query in queries.items():
            frame = self._statements.frame(name, query).persist()
            frames.append(frame)
            frame.createOrReplaceTempView(name)
        return set(queries)

    def _silence(self, tables: Mapping[str, DataFrame], frames: list[DataFrame]) -> None:
        """Remove the rows of entries that no other rule applies to."""
        if ANOMALIES.name not in tables or not self.rows("silencing", self.silencing.match_query()):
            return
        names = set(tables) & set(CHUNK_TABLES)
        entries = self._statements.frame("silencing", self.silencing.entries_query(names)).persist()
        frames.append(entries)
        self.silencing.entries += entries.count()
        self.silencing.note(partial(self.rows, "silencing"))
        for name in sorted(names):
            table = tables[name]
            remainder = table.join(entries, ["document_id", "ordinal"], "left_anti")
            if name == ANOMALIES.name:
                # The anomalies that break the rule itself stay.
                own = f"kind IN ({self.silencing.kinds})"
                remainder = remainder.where(f"NOT ({own})").unionByName(table.where(own))
            remainder.createOrReplaceTempView(name)

    def _applicable_codes(self, filled: AbstractSet[str], documents: Sequence[Mapping[str, object]]) -> set[str]:
        """Return the codes of the rules that some document may break, by their traits and the filled tables."""
        # A rule finds rows of its table, so it can be skipped if the table is empty.
        rules: list[Rule] = [rule.rule for name in sorted(filled) for rule in self._row_rules.get(name, ())]
        rules += [rule.rule for rule in self._set_rules if rule.rule.spans_run or rule.rule.table in filled]
        return applicable_codes(rules, documents, self._parameters, filled, partial(self.rows, "traits"))

    def frame(self, code: str, sql: str) -> DataFrame:
        """Return the result of a query in DuckDB's SQL on the tables of the run."""
        return self._statements.frame(code, sql)

    def rows(self, code: str, sql: str) -> list[tuple[object, ...]]:
        """Return the rows of a query in DuckDB's SQL on the tables of the run."""
        return self._statements.rows(code, self._statements.frame(code, sql))
