"""The embedded engine: runs rules over Arrow tables in DuckDB and gives findings back."""

from __future__ import annotations

from collections import defaultdict
from functools import partial, reduce
from itertools import chain
from operator import or_
from typing import TYPE_CHECKING

import _duckdb as duckdb

from urlset.engine.documents_table import documents_table
from urlset.engine.examples import whole
from urlset.engine.known_needs import derived_before
from urlset.engine.row_rules import RowRules
from urlset.engine.session import Session, usual_threads
from urlset.engine.set_rules import SetRules
from urlset.engine.silencing import Silencing
from urlset.engine.sql import (
    EngineError,
    Parameter,
    QueryRule,
    RowRule,
    check_parameters,
    compile_query_rule,
    compile_row_rule,
    create_table,
    listed,
    only_statement,
    quote,
)
from urlset.engine.statements import Bounds, Statements
from urlset.errors import UsageError
from urlset.model.finding import in_report_order
from urlset.rules.derived import DERIVED, DERIVED_OF_RUN
from urlset.rules.rule import SetRule
from urlset.tables import CHUNK_TABLES, DOCUMENTS, RUN_TABLES, TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from urlset.engine.known_needs import Needs
    from urlset.model.finding import Finding
    from urlset.rules.rule import Rule
    from urlset.tables import Table

MEMORY_PER_THREAD = 64
"""Megabytes that DuckDB may hold for each thread, unless told otherwise, before it writes to its temporary folder."""

ROWS_FOR_THREADS = 20_000
"""Rows from which on several threads are worth their cost."""

CHUNK = "chunk"
"""Schema with a table for each one of the reader: for rows that are loaded; a chunk's own tables hide it."""

RUN = "run"
"""Schema with what the rules that look at the whole run need."""


class Engine(Session):
    """Runs a set of rules over the documents of one run.

    Give it every document once, in chunks, with `check`, then call `finish`. Each gives the findings it could make,
    and no finding is given twice. What is known of the run beside its documents is told with `add`. Not for use by
    several threads at once; DuckDB uses its own.

    Example:
        ```python
        with Engine(rules, {"now": now, "max_url_length": 2048}) as engine:
            for chunk, documents in chunks:
                findings += engine.check(chunk, documents)
            findings += engine.finish(all_documents)
        ```
    """

    def __init__(
        self,
        rules: Iterable[Rule],
        parameters: Mapping[str, Parameter],
        max_examples: int = 10,
        threads: int | None = None,
        memory_limit: str | None = None,
        required_urls: Sequence[str] = (),
        bounds: Bounds | None = None,
    ) -> None:
        """Prepares the rules and opens the engine.

        Args:
            rules: The rules to run, in any order.
            parameters: Value of each `$name` that the rules use; datetimes without timezone count as UTC.
            max_examples: How many examples a finding keeps at most.
            threads: How many threads to use; None for one per core, at most four.
            memory_limit: How much memory DuckDB may use, as it writes it (`256MB`); None for 64 MB a thread.
            required_urls: The rows of the table `required_urls`, which only rules across documents see.
            bounds: What some rules may take, each by itself; None to bound none.

        Raises:
            UsageError: A parameter is unknown or of the wrong type.
            EngineError: A rule names a table, column or parameter that does not exist.
        """
        literals = check_parameters(parameters)
        rules = tuple(rules)
        self.silencing = Silencing(rules)
        self._row_rules: defaultdict[str, list[RowRule]] = defaultdict(list)
        self._document_rules: list[QueryRule] = []
        self._run_rules: list[QueryRule] = []
        for rule in rules:
            if isinstance(rule, SetRule):
                set_rules = self._run_rules if rule.spans_run else self._document_rules
                set_rules.append(compile_query_rule(rule, literals))
            else:
                row_rule = compile_row_rule(rule, literals)
                self._row_rules[row_rule.table.name].append(row_rule)
        across = (*self._document_rules, *self._run_rules)
        self._wants_derived = any(rule.rule.only_of in DERIVED for rule in across)
        self._loaded: set[str] = set()
        self._filled = {DOCUMENTS.name}
        self._required_urls = list(required_urls)
        # In memory, but in a bounded one: past the limit DuckDB moves tables and intermediate results to the folder.
        # A database file would keep the same bound at three times the cost of every insert.
        self._threads = threads or usual_threads()
        self._has_threads = threads is not None
        threads = self._threads
        super().__init__(
            {
                "threads": threads if self._has_threads else 1,
                "memory_limit": memory_limit or f"{max(threads, 2) * MEMORY_PER_THREAD}MB",
            },
            ["preserve_insertion_order = false"],
        )
        self._bounded = frozenset() if bounds is None else bounds.codes
        try:
            self._statements = Statements(self._connection, bounds)
        except BaseException:
            self.close()
            raise
        self._on_rows = RowRules(self._statements, max_examples)
        self._on_sets = SetRules(self._statements, max_examples)

    def _prepare(self) -> None:
        statements = ["BEGIN", f"CREATE SCHEMA {CHUNK}", f"CREATE SCHEMA {RUN}"]
        for schema, names in ((CHUNK, (*CHUNK_TABLES, *DERIVED)), (RUN, RUN_TABLES)):
            statements += [create_table(TABLES[name], TABLES[name].columns, schema) for name in names]
        self._kept = self._columns_to_keep()
        for name, columns in self._kept.items():
            statements.append(create_table(TABLES[name], [TABLES[name].column(column) for column in columns], RUN))
        statements += [f"CREATE TABLE {RUN}.required_urls (url VARCHAR)", "COMMIT"]
        self._connection.execute("; ".join(statements))
        self._connection.execute(f"SET search_path = '{CHUNK},{RUN}'")
        if self._required_urls:
            insert = f"INSERT INTO {RUN}.required_urls SELECT DISTINCT unnest($1::VARCHAR[])"
            self._connection.execute(insert, [self._required_urls])

    def check(self, chunk: Mapping[str, object], documents: Sequence[Mapping[str, object]]) -> list[Finding]:
        """Runs every rule that looks at a document by itself, and keeps what the others will need.

        Args:
            chunk: All rows of some documents: an object with `__arrow_c_stream__` for each of `tables.CHUNK_TABLES`,
                with the columns of `tables.py`. Each is read several times. A missing table counts as empty.
            documents: The rows of `documents` for those documents.

        Returns:
            One finding for each rule broken in each document, in report order.

        Raises:
            UsageError: The chunk has a table that is none of `tables.CHUNK_TABLES`.
            EngineError: The SQL of a rule fails.
        """
        _check_names(chunk, CHUNK_TABLES)
        if sum(getattr(rows, "num_rows", 0) for rows in chunk.values()) >= ROWS_FOR_THREADS:
            self._use_threads()
        if self._is_to_be_silent(chunk):
            # Rows can be left out of loaded tables only.
            self.load(chunk)
            return self.check_loaded(documents)
        try:
            for name, rows in chunk.items():
                self._connection.register(name, rows)
            return self._check_tables(set(chunk), documents)
        finally:
            for name in chunk:
                self._connection.unregister(name)

    def _use_threads(self) -> None:
        """Has DuckDB use all threads; a small run ends before they are of use."""
        if not self._has_threads:
            self._has_threads = True
            self._connection.execute(f"SET threads = {self._threads:d}")

    def _is_to_be_silent(self, chunk: Mapping[str, object]) -> bool:
        if "anomalies" not in chunk:
            return False
        self._connection.register("anomalies", chunk["anomalies"])
        try:
            return self.silencing.is_due(self._statements)
        finally:
            self._connection.unregister("anomalies")

    def load(self, batch: Mapping[str, object]) -> None:
        """Takes some rows of a document that is too large to be held in memory; what does not fit goes to disk.

        Args:
            batch: As `check` takes it, but not all rows of the document.

        Raises:
            UsageError: The batch has a table that is none of `tables.CHUNK_TABLES`.
        """
        _check_names(batch, CHUNK_TABLES)
        self._use_threads()
        for name, rows in batch.items():
            self._connection.register("given", rows)
            self._connection.execute(f"INSERT INTO {CHUNK}.{quote(name)} FROM given")
            self._connection.unregister("given")
            self._loaded.add(name)

    def add(self, facts: Mapping[str, object]) -> None:
        """Takes rows about the run as a whole: of robots.txt files, and of what was not followed.

        Rules on sets see what was added before they run: those on single documents what was added before `check`, those
        across documents what was added before `finish`.

        Args:
            facts: An object with `__arrow_c_stream__` for tables of `tables.RUN_TABLES`, with their columns.

        Raises:
            UsageError: A table is none of those.
        """
        _check_names(facts, RUN_TABLES)
        for name, rows in facts.items():
            self._connection.register("given", rows)
            self._connection.execute(f"INSERT INTO {RUN}.{quote(name)} FROM given")
            self._connection.unregister("given")
            self._filled.add(name)

    def check_loaded(self, documents: Sequence[Mapping[str, object]]) -> list[Finding]:
        """As `check`, for the rows that were loaded, which are forgotten then."""
        try:
            self.silencing.apply(self._statements, CHUNK, self._loaded)
            return self._check_tables(self._loaded, documents)
        finally:
            self.unload()

    def check_document(
        self, batches: Iterator[Mapping[str, object]], facts: Callable[[], Mapping[str, object]]
    ) -> list[Finding]:
        """Does what `check` does for one document, however large: more than one batch of it is loaded.

        Args:
            batches: Its rows.
            facts: Gives its row of `documents`; called once the batches are used up.
        """
        first, second = next(batches, {}), next(batches, None)
        if second is None:
            return self.check(first, [facts()])
        for batch in chain((first, second), batches):
            self.load(batch)
        return self.check_loaded([facts()])

    def unload(self) -> None:
        """Forgets the rows that were loaded."""
        for name in self._loaded:
            self._connection.execute(f"TRUNCATE {CHUNK}.{quote(name)}")
        self._loaded = set()

    def _check_tables(self, names: AbstractSet[str], documents: Sequence[Mapping[str, object]]) -> list[Finding]:
        findings: list[Finding] = []
        self._connection.register("documents", documents_table(documents))
        derived = self._derive(names)
        self._filled |= names | derived
        # What a rule finds are rows of its table: where there are none, it need not look.
        with_rows = {*names, "documents"}
        row_rules = [rule for name in sorted(names) for rule in self._row_rules.get(name, ())]
        set_rules = [rule for rule in self._document_rules if rule.rule.table in with_rows]
        due = self._due((*row_rules, *set_rules), documents)
        for name in sorted(names):
            rules = [rule for rule in self._row_rules.get(name, ()) if rule.rule.code in due]
            findings += self._run_on_rows(TABLES[name], rules, names)
        findings += self._on_sets.run([rule for rule in set_rules if rule.rule.code in due])
        for name in (names | derived) & self._kept.keys():
            columns = listed(self._kept[name])
            self._connection.execute(f"INSERT INTO {RUN}.{quote(name)} SELECT {columns} FROM {quote(name)}")
        for name in derived:
            self._connection.execute(f"DROP TABLE temp.{quote(name)}")
        return in_report_order(self.silencing.left(findings))

    def _derive(self, names: AbstractSet[str]) -> set[str]:
        """Makes the tables that rules share of those of the chunk; none more once one has no rows."""
        made: set[str] = set()
        if "link_sets" not in names or not self._wants_derived:
            return made
        for name, query in DERIVED.items():
            made.add(name)
            if self._statements.patiently(partial(self._create_derived, name, query)) == 0:
                break
        return made

    def _create_derived(self, name: str, query: str) -> int:
        self._connection.execute(f"CREATE OR REPLACE TEMP TABLE {quote(name)} AS {query}")
        [(count,)] = self._statements.rows(f"SELECT count(*) FROM temp.{quote(name)}")
        return whole(count)

    def finish(self, documents: Sequence[Mapping[str, object]]) -> list[Finding]:
        """Runs the rules that look at all documents at once, and those on the documents' own facts.

        Args:
            documents: Every row of `documents` of the run, those never given to `check` included.

        Returns:
            One finding for each rule broken in each document, in report order.

        Raises:
            EngineError: The SQL of a rule fails.
        """
        self._connection.register("documents", documents_table(documents))
        self._connection.execute(f"SET schema = '{RUN}'")
        findings: list[Finding] = []
        for name, query in DERIVED_OF_RUN.items():
            if any(rule.rule.only_of == name for rule in self._run_rules):
                self._statements.patiently(partial(self._create_derived, name, query))
                self._filled.add(name)
        of_documents = self._row_rules.get(DOCUMENTS.name, [])
        due = self._due((*of_documents, *self._run_rules), documents)
        findings += self._run_on_rows(DOCUMENTS, [rule for rule in of_documents if rule.rule.code in due], frozenset())
        for name in (name for name in RUN_TABLES if name in self._filled):
            findings += self._run_on_rows(TABLES[name], self._row_rules.get(name, ()), frozenset())
        findings += self._on_sets.run([rule for rule in self._run_rules if rule.rule.code in due])
        return in_report_order(self.silencing.left(findings))

    def _run_on_rows(self, table: Table, rules: Sequence[RowRule], names: AbstractSet[str]) -> list[Finding]:
        """Runs rules on the rows of a table in one scan, but each bounded one in its own."""
        findings = self._on_rows.run(table, [rule for rule in rules if rule.rule.code not in self._bounded], names)
        for rule in rules:
            if rule.rule.code in self._bounded:
                with self._statements.bounded(rule.rule.code):
                    findings += self._on_rows.run(table, [rule], names)
        return findings

    def _due(self, rules: Sequence[RowRule | QueryRule], documents: Sequence[Mapping[str, object]]) -> set[str]:
        """The codes of the rules that some of the documents may break, as far as their facts can tell."""
        present = reduce(or_, (whole(row.get("traits") or 0) for row in documents), 0)
        guarded = [rule for rule in rules if all(guard & present for guard in rule.guards)]
        due = {rule.rule.code for rule in guarded if rule.only is None}
        for table in dict.fromkeys(rule.rule.only_of for rule in guarded if rule.only is not None):
            if table not in self._filled:
                continue
            asked = [rule for rule in guarded if rule.only is not None and rule.rule.only_of == table]
            [answers] = self._statements.of_rules(asked, lambda some: self._statements.rows(only_statement(some)))
            given = dict(zip(dict.fromkeys(rule.only for rule in asked), answers, strict=True))
            due |= {rule.rule.code for rule in asked if given[rule.only]}
        return due

    def _derived(self, query_rule: QueryRule) -> Needs:
        from urlset.engine.needs import derive
        from urlset.select_only import NotReadingError

        try:
            return derive(query_rule.query, self._connection)
        except (NotReadingError, duckdb.Error) as error:
            raise EngineError(query_rule.rule.code, str(error)) from error

    def _columns_to_keep(self) -> dict[str, tuple[str, ...]]:
        kept: dict[str, tuple[str, ...]] = {}
        for query_rule in self._run_rules:
            needs = derived_before(query_rule.rule.query)
            for name, columns in (self._derived(query_rule) if needs is None else needs).items():
                if name in CHUNK_TABLES or name in DERIVED:
                    kept[name] = tuple(dict.fromkeys((*kept.get(name, ()), *columns)))
        return kept


def _check_names(tables: Mapping[str, object], known: Sequence[str]) -> None:
    if unknown := set(tables) - set(known):
        raise UsageError(f"there is no table {min(unknown)!r} here, only {', '.join(known)}")
