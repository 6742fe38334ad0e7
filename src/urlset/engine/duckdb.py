"""The embedded engine: runs rules on Arrow tables in DuckDB and returns findings."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Self

import _duckdb as duckdb

from urlset import _core
from urlset.engine.applicable import applicable_codes
from urlset.engine.cross_document_rows import CrossDocumentRows
from urlset.engine.documents_table import documents_table
from urlset.engine.examples import integer_of
from urlset.engine.memory_database import ROWS_FOR_THREADS, Config, MemoryDatabase, default_threads
from urlset.engine.open_sets import OpenSets
from urlset.engine.row_rules import RowRules
from urlset.engine.rule_sql import (
    EngineError,
    Parameter,
    QueryRule,
    RowRule,
    check_parameters,
    compile_query_rule,
    compile_row_rule,
    identifier_list,
    quote,
)
from urlset.engine.run_views import of_documents
from urlset.engine.schemas import CHUNK, RUN, Schemas
from urlset.engine.set_rules import SetRules
from urlset.engine.silencing import Silencing
from urlset.engine.statements import ResourceLimits, Statements
from urlset.errors import UsageError
from urlset.model.finding import in_report_order
from urlset.rules.derived import DERIVED, DERIVED_OF_RUN, sources
from urlset.rules.rule import SetRule
from urlset.tables import CHUNK_TABLES, DOCUMENTS, RUN_TABLES, TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from types import TracebackType

    from urlset.engine.run_views import RunViews
    from urlset.model.finding import Finding
    from urlset.rules.rule import Rule
    from urlset.tables import Table

MEMORY_PER_THREAD = 40
"""Default memory per thread, in megabytes, before DuckDB writes to its temporary folder."""


class Engine:
    """Runs a set of rules on the documents of a run.

    Pass every document once, in chunks, to `check`, then call `finish`. Each returns its own findings; no finding is
    returned twice. Pass facts about the run other than its documents to `add`. Of a stored run, which has all rows,
    pass the documents to `check_stored` instead. Not thread-safe; DuckDB uses its own threads.

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
        required_urls: Sequence[str] = (),
        bounds: ResourceLimits | None = None,
        stored: RunViews | None = None,
        connection: duckdb.DuckDBPyConnection | None = None,
    ) -> None:
        """Prepare the rules and open the engine.

        Args:
            rules: The rules to run, in any order.
            parameters: Value of each `$name` that the rules use; datetimes without a time zone are UTC.
            max_examples: Maximum number of examples per finding.
            threads: Number of threads; None for one per core, at most four. Not for a stored run.
            required_urls: The rows of the table `required_urls`, which only rules across documents can read.
            bounds: Resource limits for some rules, each on its own; None for no limits.
            stored: The tables of a stored run, whose connection the engine then uses, and leaves open.
            connection: A connection to an empty database in memory, which the engine uses with its limits, and leaves
                open; None to open one.

        Raises:
            UsageError: A parameter is unknown or has the wrong type.
            EngineError: A rule names a table, column or parameter that does not exist.
        """
        literals = check_parameters(parameters)
        rules = tuple(rules)
        self.silencing = Silencing(rules)
        self._parameters = dict(parameters)
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
        self._loaded_tables: set[str] = set()
        self._filled_tables = {DOCUMENTS.name}
        self._required_urls = list(required_urls)
        self._limited_codes = frozenset() if bounds is None else bounds.codes
        self._stored = stored
        self._threads = threads or default_threads()
        self._has_threads = stored is not None or (threads is not None and connection is None)
        self._memory: MemoryDatabase | None = None
        if stored is not None:
            self._connection = stored.connection
        elif connection is not None:
            self._connection = connection
        else:
            # In memory, but limited: beyond the limit DuckDB moves tables and intermediate results to the temporary
            # folder. A database file would keep the same limit, but make every insert three times as expensive.
            config: Config = {
                "threads": self._threads if self._has_threads else 1,
                "memory_limit": f"{max(self._threads, 2) * MEMORY_PER_THREAD}MB",
            }
            self._memory = MemoryDatabase(config, ["preserve_insertion_order = false"])
            self._connection = self._memory.connection
        try:
            self._prepare()
            self._statements = Statements(self._connection, bounds)
            if stored is not None:
                self._show_stored(stored)
        except BaseException:
            self.close()
            raise
        self._cross_document_rows = CrossDocumentRows(self._connection, self._schemas, self._run_columns)
        columns = self._run_columns.get("open_sets", ())
        self._open_sets = OpenSets(self._statements, self._schemas, self._cross_document_rows, columns)
        self._on_rows = RowRules(self._statements, max_examples)
        self._on_sets = SetRules(self._statements, max_examples)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database in memory, if there is one. Can be called repeatedly."""
        if self._memory is not None:
            self._memory.close()

    def _prepare(self) -> None:
        self._run_columns = self._columns_to_keep()
        # Custom rules may read the derived tables of a chunk, too.
        read_by_queries = {name for rule in self._document_rules for name in sources(rule.query, DERIVED)}
        read_at_once = read_by_queries.union(*(rule.rule.needs for rule in self._document_rules))
        self._needs_derived = not DERIVED.keys().isdisjoint(read_at_once | self._run_columns.keys())
        # Of a stored run, rules across documents read those of all documents at once.
        read_in_chunks = read_at_once if self._stored is not None else read_at_once | self._run_columns.keys()
        self._derives_documents = not DERIVED.keys().isdisjoint(read_in_chunks)
        self._closes_sets = (
            self._stored is None
            and not self._limited_codes
            and not read_by_queries
            and {"open_sets", "open_links"} <= self._run_columns.keys()
        )
        # Tables that only rules across documents read are built in their place.
        self._read_at_once = read_at_once | {name for query in DERIVED.values() for name in sources(query, DERIVED)}
        self._schemas = Schemas(
            self._connection, self._run_columns, None if self._stored is None else self._stored.names
        )
        if self._limited_codes:
            # Custom rules may write the names of tables in ways that only DuckDB can read.
            self._schemas.create(CHUNK, (*CHUNK_TABLES, *DERIVED))
            self._schemas.create(RUN, dict.fromkeys((*RUN_TABLES, *self._run_columns)))
        if self._required_urls:
            place = RUN if self._stored is None else "temp"
            insert = f"INSERT INTO {place}.required_urls SELECT DISTINCT unnest($1::VARCHAR[]), unnest($2::BIGINT[])"
            self._connection.execute(insert, [self._required_urls, [*map(_core.url_hash, self._required_urls)]])

    def _show_stored(self, stored: RunViews) -> None:
        """Show the rows of a stored run, but not those of entries that rules with `silences` suppress."""
        self._filled_tables |= stored.names
        stored.show(stored.names)
        self.silencing.apply(self._statements, stored.names & {*CHUNK_TABLES}, stored.remove)

    def check_stored(self, documents: Sequence[Mapping[str, object]], *, is_whole: bool) -> list[Finding]:
        """Run all rules on single documents on some documents of a stored run; otherwise like `check`.

        Args:
            documents: Their rows of `documents`, in the order of their numbers; all of those between the first and the
                last.
            is_whole: Whether these are all documents.
        """
        assert self._stored is not None
        names = self._stored.names & {*CHUNK_TABLES}
        self._stored.show(names, "TRUE" if is_whole else of_documents(documents))
        return self._check_tables(names, documents)

    def check(self, chunk: Mapping[str, object], documents: Sequence[Mapping[str, object]]) -> list[Finding]:
        """Run all rules on single documents, and keep the data that other rules need.

        Args:
            chunk: All rows of some documents: an object with `__arrow_c_stream__` for each of `tables.CHUNK_TABLES`,
                with the columns of `tables.py`. Each is read several times. A missing table is treated as empty.
            documents: The rows of `documents` for these documents.

        Returns:
            One finding per broken rule and document, in report order.

        Raises:
            UsageError: The chunk has a table that is not in `tables.CHUNK_TABLES`.
            EngineError: The SQL of a rule fails.
        """
        _check_names(chunk, CHUNK_TABLES)
        if sum(getattr(rows, "num_rows", 0) for rows in chunk.values()) >= ROWS_FOR_THREADS:
            self._use_threads()
        if self._is_to_be_silent(chunk):
            # Rows can only be removed from loaded tables.
            self.load(chunk)
            return self.check_loaded(documents)
        try:
            for name, rows in chunk.items():
                self._connection.register(name, rows)
            return self._check_tables(set(chunk), documents, chunk)
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
        """Load some rows of a document that may not fit in memory; the excess goes to disk.

        Args:
            batch: Like the chunk of `check`, but with only some rows of the document.

        Raises:
            UsageError: The batch has a table that is not in `tables.CHUNK_TABLES`.
        """
        _check_names(batch, CHUNK_TABLES)
        self._use_threads()
        self._schemas.create(CHUNK, batch)
        for name, rows in batch.items():
            self._connection.register("given", rows)
            self._connection.execute(f"INSERT INTO {CHUNK}.{quote(name)} FROM given")
            self._connection.unregister("given")
            self._loaded_tables.add(name)

    def add(self, facts: Mapping[str, object]) -> None:
        """Add rows about the run as a whole, such as robots.txt files and listed documents that were not followed.

        Rules on sets see the rows that were added before they run: rules on single documents those added before
        `check`, rules across documents those added before `finish`.

        Args:
            facts: An object with `__arrow_c_stream__` for tables of `tables.RUN_TABLES`, with their columns.

        Raises:
            UsageError: A table is not in `tables.RUN_TABLES`.
        """
        _check_names(facts, RUN_TABLES)
        self._schemas.create(RUN, facts)
        for name, rows in facts.items():
            self._connection.register("given", rows)
            self._connection.execute(f"INSERT INTO {RUN}.{quote(name)} FROM given")
            self._connection.unregister("given")
            self._filled_tables.add(name)

    def check_loaded(self, documents: Sequence[Mapping[str, object]]) -> list[Finding]:
        """Run `check` on the loaded rows, and then discard them."""
        try:
            self.silencing.apply(self._statements, self._loaded_tables, self._remove_loaded)
            return self._check_tables(self._loaded_tables, documents)
        finally:
            self.unload()

    def _remove_loaded(self, name: str, condition: str) -> None:
        self._connection.execute(f"DELETE FROM {CHUNK}.{quote(name)} WHERE {condition}")

    def check_document(
        self, batches: Iterator[Mapping[str, object]], facts: Callable[[], Mapping[str, object]]
    ) -> list[Finding]:
        """Run `check` on one document of any size: if it has more than one batch, they are loaded.

        Args:
            batches: Its rows.
            facts: Returns its row of `documents`; called after the last batch.
        """
        first, second = next(batches, {}), next(batches, None)
        if second is None:
            return self.check(first, [facts()])
        for batch in chain((first, second), batches):
            self.load(batch)
        return self.check_loaded([facts()])

    def unload(self) -> None:
        """Discard the loaded rows."""
        for name in self._loaded_tables:
            self._connection.execute(f"TRUNCATE {CHUNK}.{quote(name)}")
        self._loaded_tables = set()

    def _check_tables(
        self,
        names: AbstractSet[str],
        documents: Sequence[Mapping[str, object]],
        chunk: Mapping[str, object] | None = None,
    ) -> list[Finding]:
        """Run the rules on the tables with these names: those of a chunk, or the loaded ones."""
        chunk = chunk or {}
        findings: list[Finding] = []
        self._connection.register("documents", documents_table(documents))
        derived: set[str] = set()
        has_sets = self._closes_sets and {"link_sets", "alternates"} <= chunk.keys()
        if has_sets:
            is_open = self._open_sets.add(chunk["link_sets"], chunk["alternates"])
            filled = set(DERIVED if is_open else ())
        else:
            derived, filled = self._derive(names, self._read_at_once) if self._derives_documents else (set(), set())
        self._filled_tables |= names | filled
        # A rule finds rows of its table, so it can be skipped if the table is empty.
        with_rows = {*names, "documents"}
        row_rules = [rule for name in sorted(names) for rule in self._row_rules.get(name, ())]
        set_rules = [rule for rule in self._document_rules if rule.rule.table in with_rows]
        codes = self._applicable_codes(
            (*row_rules, *set_rules), documents, {*names, *filled, *(self._filled_tables - {*CHUNK_TABLES, *DERIVED})}
        )
        for name in sorted(names):
            rules = [rule for rule in self._row_rules.get(name, ()) if rule.rule.code in codes]
            findings += self._run_on_rows(TABLES[name], rules, names)
        set_rules = [rule for rule in set_rules if rule.rule.code in codes]
        self._schemas.create_for(set_rules, CHUNK, {*CHUNK_TABLES, *DERIVED} - names - derived)
        self._schemas.create_for(set_rules, RUN, RUN_TABLES)
        findings += self._on_sets.run(set_rules)
        if self._stored is None:
            self._keep(names if has_sets else names | filled, filled - derived, chunk)
        for name in derived:
            self._connection.execute(f"DROP TABLE temp.{quote(name)}")
        self._schemas.forget(derived)
        return in_report_order(self.silencing.remove_silenced(findings))

    def _keep(self, names: AbstractSet[str], queried: AbstractSet[str], chunk: Mapping[str, object]) -> None:
        """Keep the rows of the tables that rules across documents read.

        Args:
            names: The tables.
            queried: Those that are only queries.
            chunk: The rows of those that are not in the database.
        """
        for name in sorted(names & self._run_columns.keys()):
            if name in chunk:
                self._cross_document_rows.add(name, chunk[name])
                continue
            self._schemas.create(RUN, [name])
            source = f"({DERIVED[name]})" if name in queried else quote(name)
            columns = identifier_list(self._run_columns[name])
            self._connection.execute(f"INSERT INTO {RUN}.{quote(name)} SELECT {columns} FROM {source}")

    def _asks_for(self, name: str) -> bool:
        """Return whether a rule across documents reads a derived table."""
        return any(sources(rule.query, [name]) for rule in self._run_rules)

    def _derive(self, names: AbstractSet[str], wanted: AbstractSet[str]) -> tuple[set[str], set[str]]:
        """Create the shared tables that are derived from other tables, up to the first one that is empty.

        Args:
            names: The tables that have rows.
            wanted: The tables to create.

        Returns:
            The names of the tables, and of all that have rows, including those that are only kept.
        """
        created: set[str] = set()
        filled: set[str] = set()
        if "link_sets" not in names:
            return created, filled
        self._schemas.create(CHUNK, {"alternates"} - names)
        for name, query in DERIVED.items():
            if name in wanted:
                created.add(name)
                if self._statements.patiently(partial(self._create_derived, name, query)) == 0:
                    break
            filled.add(name)
        return created, filled

    def _create_derived(self, name: str, query: str) -> int:
        [(count,)] = self._statements.rows(f"CREATE OR REPLACE TEMP TABLE {quote(name)} AS {query}")
        return integer_of(count)

    def finish(self, documents: Sequence[Mapping[str, object]]) -> list[Finding]:
        """Run the rules across documents, and the rules on facts about documents.

        Args:
            documents: All rows of `documents` of the run, including those that were never passed to `check`.

        Returns:
            One finding per broken rule and document, in report order.

        Raises:
            EngineError: The SQL of a rule fails.
        """
        self._connection.register("documents", documents_table(documents))
        findings: list[Finding] = []
        if self._stored is not None:
            self._stored.show(self._stored.names & {*CHUNK_TABLES})
            if self._needs_derived:
                derived, filled = self._derive(self._stored.names, DERIVED.keys())
                self._schemas.add(derived)
                self._filled_tables |= filled
        else:
            self._connection.execute(f"SET schema = '{RUN}'")
            self._cross_document_rows.flush()
            if self._closes_sets:
                self._open_sets.flush()
        for name, query in DERIVED_OF_RUN.items():
            read = sources(query, self._run_columns)
            if self._filled_tables.isdisjoint(read) or not self._asks_for(name):
                continue
            self._schemas.create(RUN, read)
            if self._statements.patiently(partial(self._create_derived, name, query)):
                self._filled_tables.add(name)
        row_rules = {
            name: self._row_rules[name]
            for name in (DOCUMENTS.name, *RUN_TABLES)
            if name in self._filled_tables and name in self._row_rules
        }
        codes = self._applicable_codes((*chain(*row_rules.values()), *self._run_rules), documents, self._filled_tables)
        for name, rules in row_rules.items():
            rules = [rule for rule in rules if rule.rule.code in codes]
            findings += self._run_on_rows(TABLES[name], rules, frozenset())
        run_rules = [rule for rule in self._run_rules if rule.rule.code in codes]
        self._schemas.create_for(run_rules, RUN, {*RUN_TABLES, *self._run_columns})
        findings += self._on_sets.run(run_rules)
        return in_report_order(self.silencing.remove_silenced(findings))

    def _run_on_rows(self, table: Table, rules: Sequence[RowRule], names: AbstractSet[str]) -> list[Finding]:
        """Run rules on the rows of a table in one scan, but each rule with limits in its own scan."""
        findings = self._on_rows.run(
            table, [rule for rule in rules if rule.rule.code not in self._limited_codes], names
        )
        for rule in rules:
            if rule.rule.code in self._limited_codes:
                with self._statements.apply_limits(rule.rule.code):
                    findings += self._on_rows.run(table, [rule], names)
        return findings

    def _applicable_codes(
        self,
        rules: Sequence[RowRule | QueryRule],
        documents: Sequence[Mapping[str, object]],
        filled: AbstractSet[str],
    ) -> set[str]:
        """Return the codes of the rules that some document may break, by their traits and the filled tables."""
        of = [rule.rule for rule in rules]
        return applicable_codes(of, documents, self._parameters, filled, self._statements.rows)

    def _columns_to_keep(self) -> dict[str, tuple[str, ...]]:
        columns_of: dict[str, tuple[str, ...]] = {}
        for query_rule in self._run_rules:
            for name, columns in query_rule.rule.reads or self._columns_read(query_rule):
                if name in CHUNK_TABLES or name in DERIVED:
                    columns_of[name] = tuple(dict.fromkeys((*columns_of.get(name, ()), *columns)))
        return columns_of

    def _columns_read(self, query_rule: QueryRule) -> Iterable[tuple[str, tuple[str, ...]]]:
        from urlset.database.select_only import NotReadingError
        from urlset.engine.columns_read import columns_read

        try:
            return columns_read(query_rule.query, self._connection).items()
        except (NotReadingError, duckdb.Error) as error:
            raise EngineError(query_rule.rule.code, str(error)) from error


def _check_names(tables: Mapping[str, object], names: Sequence[str]) -> None:
    if unknown := set(tables) - set(names):
        raise UsageError(f"unknown table {min(unknown)!r}; expected one of: {', '.join(names)}")
