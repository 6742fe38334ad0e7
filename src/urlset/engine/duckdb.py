"""The embedded engine: runs rules over Arrow tables in DuckDB and gives findings back."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import duckdb

from urlset import _core
from urlset.engine.messages import Template, as_text
from urlset.engine.session import Session, usual_threads
from urlset.engine.sql import (
    BREACH_COLUMNS,
    EngineError,
    Parameter,
    QueryRule,
    RowRule,
    check_parameters,
    compile_query_rule,
    compile_row_rule,
    count_statement,
    create_table,
    example_statement,
    listed,
    only_statement,
    quote,
)
from urlset.errors import MisuseError
from urlset.findings import Example, Finding, in_report_order
from urlset.rules.derived import DERIVED, DERIVED_OF_RUN
from urlset.rules.rule import Rule, Scope, Span
from urlset.tables import ANOMALIES, CHUNK_TABLES, DOCUMENTS, MEDIA, PAGES, RUN_TABLES, SITEMAP_LINES, TABLES, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

MEMORY_PER_THREAD = 64
"""Megabytes that DuckDB may hold for each thread, unless told otherwise, before it writes to its temporary folder."""

MOST_DOUBLINGS = 4
"""How often the memory is doubled for a statement that cannot do with it even on disk, before giving up."""

CHUNK = "chunk"
"""Schema with a table for each one of the reader: for rows that are loaded; a chunk's own tables hide it."""

RUN = "run"
"""Schema with what the rules that look at the whole run need."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Row: TypeAlias = tuple[object, ...]
Result = TypeVar("Result")
Compiled = TypeVar("Compiled", RowRule, QueryRule, RowRule | QueryRule)


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
    ) -> None:
        """Prepares the rules and opens the engine.

        Args:
            rules: The rules to run, in any order.
            parameters: Value of each `$name` that the rules use; datetimes without timezone count as UTC.
            max_examples: How many examples a finding keeps at most.
            threads: How many threads to use; None for one per core, at most four.
            memory_limit: How much memory DuckDB may use, as it writes it (`256MB`); None for 64 MB a thread.
            required_urls: The rows of the table `required_urls`, which only rules across documents see.

        Raises:
            MisuseError: A parameter is unknown or of the wrong type.
            EngineError: A rule names a table, column or parameter that does not exist.
        """
        literals = check_parameters(parameters)
        self._max_examples = max_examples
        self._row_rules: defaultdict[str, list[RowRule]] = defaultdict(list)
        self._document_rules: list[QueryRule] = []
        self._run_rules: list[QueryRule] = []
        for rule in rules:
            if rule.scope is not Scope.SET:
                row_rule = compile_row_rule(rule, literals)
                self._row_rules[row_rule.table.name].append(row_rule)
            elif rule.span is Span.RUN:
                self._run_rules.append(compile_query_rule(rule, literals))
            else:
                self._document_rules.append(compile_query_rule(rule, literals))
        self._kept = self._columns_to_keep()
        set_rules = (*self._document_rules, *self._run_rules)
        self._wants_derived = any(rule.rule.only_of in DERIVED for rule in set_rules)
        self._loaded: set[str] = set()
        self._required_urls = list(required_urls)
        # In memory, but in a bounded one: past the limit DuckDB moves tables and intermediate results to the folder.
        # A database file would keep the same bound at three times the cost of every insert.
        threads = threads or usual_threads()
        super().__init__(
            {"threads": threads, "memory_limit": memory_limit or f"{max(threads, 2) * MEMORY_PER_THREAD}MB"},
            ["enable_external_access = false", "preserve_insertion_order = false"],
        )

    def _prepare(self) -> None:
        self._connection.execute(f"CREATE SCHEMA {CHUNK}; CREATE SCHEMA {RUN}")
        for schema, names in ((CHUNK, (*CHUNK_TABLES, *DERIVED)), (RUN, RUN_TABLES)):
            for name in names:
                self._connection.execute(create_table(TABLES[name], TABLES[name].columns, schema))
        for name, columns in self._kept.items():
            kept = [TABLES[name].column(column) for column in columns]
            self._connection.execute(create_table(TABLES[name], kept, RUN))
        self._connection.execute(f"SET search_path = '{CHUNK},{RUN}'")
        self._connection.execute(f"CREATE TABLE {RUN}.required_urls (url VARCHAR)")
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
            MisuseError: The chunk has a table that is none of `tables.CHUNK_TABLES`.
            EngineError: The SQL of a rule fails.
        """
        _check_names(chunk, CHUNK_TABLES)
        try:
            for name, rows in chunk.items():
                self._connection.register(name, rows)
            return self._check_tables(set(chunk), documents)
        finally:
            for name in chunk:
                self._connection.unregister(name)

    def load(self, batch: Mapping[str, object]) -> None:
        """Takes some rows of a document that is too large to be held in memory; what does not fit goes to disk.

        Args:
            batch: As `check` takes it, but not all rows of the document.

        Raises:
            MisuseError: The batch has a table that is none of `tables.CHUNK_TABLES`.
        """
        _check_names(batch, CHUNK_TABLES)
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
            MisuseError: A table is none of those.
        """
        _check_names(facts, RUN_TABLES)
        for name, rows in facts.items():
            self._connection.register("given", rows)
            self._connection.execute(f"INSERT INTO {RUN}.{quote(name)} FROM given")
            self._connection.unregister("given")

    def check_loaded(self, documents: Sequence[Mapping[str, object]]) -> list[Finding]:
        """As `check`, for the rows that were loaded, which are forgotten then."""
        try:
            return self._check_tables(self._loaded, documents)
        finally:
            self.unload()

    def unload(self) -> None:
        """Forgets the rows that were loaded."""
        for name in self._loaded:
            self._connection.execute(f"TRUNCATE {CHUNK}.{quote(name)}")
        self._loaded = set()

    def _check_tables(self, names: AbstractSet[str], documents: Sequence[Mapping[str, object]]) -> list[Finding]:
        findings: list[Finding] = []
        self._connection.register("documents", documents_table(documents))
        derived = self._derive(names)
        # What a rule finds are rows of its table: where there are none, it need not look.
        with_rows = {*names, "documents"}
        row_rules = [rule for name in sorted(names) for rule in self._row_rules.get(name, ())]
        set_rules = [rule for rule in self._document_rules if rule.rule.table in with_rows]
        due = self._due((*row_rules, *set_rules))
        for name in sorted(names):
            rules = [rule for rule in self._row_rules.get(name, ()) if rule.rule.code in due]
            findings += self._run_row_rules(TABLES[name], rules, names)
        findings += self._run_query_rules([rule for rule in set_rules if rule.rule.code in due])
        for name in (names | derived) & self._kept.keys():
            columns = listed(self._kept[name])
            self._connection.execute(f"INSERT INTO {RUN}.{quote(name)} SELECT {columns} FROM {quote(name)}")
        for name in derived:
            self._connection.execute(f"DROP TABLE temp.{quote(name)}")
        return in_report_order(findings)

    def _derive(self, names: AbstractSet[str]) -> set[str]:
        """Makes the tables that rules share of those of the chunk; none more once one has no rows."""
        made: set[str] = set()
        if "link_sets" not in names or not self._wants_derived:
            return made
        for name, query in DERIVED.items():
            made.add(name)
            if self._patiently(partial(self._create_derived, name, query)) == 0:
                break
        return made

    def _create_derived(self, name: str, query: str) -> int:
        self._connection.execute(f"CREATE OR REPLACE TEMP TABLE {quote(name)} AS {query}")
        [(count,)] = self._rows(f"SELECT count(*) FROM temp.{quote(name)}")
        return _whole(count)

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
        of_documents = self._row_rules.get(DOCUMENTS.name, [])
        due = self._due(of_documents)
        findings += self._run_row_rules(
            DOCUMENTS, [rule for rule in of_documents if rule.rule.code in due], frozenset()
        )
        for name in RUN_TABLES:
            findings += self._run_row_rules(TABLES[name], self._row_rules.get(name, ()), frozenset())
        for name, query in DERIVED_OF_RUN.items():
            if any(rule.rule.only_of == name for rule in self._run_rules):
                self._patiently(partial(self._create_derived, name, query))
        due = self._due(self._run_rules)
        findings += self._run_query_rules([rule for rule in self._run_rules if rule.rule.code in due])
        return in_report_order(findings)

    def _due(self, rules: Sequence[RowRule | QueryRule]) -> set[str]:
        """The codes of the rules that some of the documents may break, as far as their facts can tell."""
        due = {rule.rule.code for rule in rules if rule.only is None}
        for table in dict.fromkeys(rule.rule.only_of for rule in rules if rule.only is not None):
            asked = [rule for rule in rules if rule.only is not None and rule.rule.only_of == table]
            [answers] = self._try_rules(asked, lambda some: self._rows(only_statement(some)))
            due |= {rule.rule.code for rule, answer in zip(asked, answers, strict=True) if answer}
        return due

    def _columns_to_keep(self) -> dict[str, tuple[str, ...]]:
        kept: dict[str, tuple[str, ...]] = {}
        for query_rule in self._run_rules:
            for name, columns in query_rule.rule.needs.items():
                if name in CHUNK_TABLES or name in DERIVED:
                    kept[name] = tuple(dict.fromkeys((*kept.get(name, ()), *columns)))
        return kept

    # Rules on single rows.

    def _run_row_rules(self, table: Table, rules: Sequence[RowRule], names: AbstractSet[str]) -> list[Finding]:
        if not rules:
            return []
        most = self._max_examples
        counted = self._try_rules(rules, lambda some: self._rows(count_statement(table, some, most)))
        counts: dict[tuple[object, str], object] = {}
        firsts: set[tuple[object, object]] = set()
        for document_id, *row in counted:
            for rule, count, keys in zip(rules, row[::2], row[1::2], strict=True):
                if count:
                    counts[document_id, rule.rule.code] = count
                    firsts.update((document_id, key) for key in (keys if isinstance(keys, list) else ()))
        hit = [rule for rule in rules if any(code == rule.rule.code for _, code in counts)]
        examples = self._row_examples(table, hit, names, firsts) if firsts else {}
        by_code = {rule.rule.code: rule.rule for rule in hit}
        return [
            Finding(by_code[code], _whole(document_id), _whole(count), tuple(examples.get((document_id, code), ())))
            for (document_id, code), count in counts.items()
        ]

    def _row_examples(
        self,
        table: Table,
        rules: Sequence[RowRule],
        names: AbstractSet[str],
        wanted: AbstractSet[tuple[object, object]],
    ) -> dict[tuple[object, str], list[Example]]:
        most = self._max_examples
        parameters = [[document_id for document_id, _ in wanted], [key for _, key in wanted]]
        _, columns = example_statement(table, rules)
        fetched = self._try_rules(rules, lambda some: self._rows(example_statement(table, some)[0], parameters))
        width = 1 + 3 * len(rules)
        if table is ANOMALIES:
            # They may share a key: the rest of the row settles their order, the same in every run.
            fetched.sort(key=lambda row: (row[0], [as_text(cell) for cell in row[width:]]))
        else:
            fetched.sort(key=lambda row: _whole(row[0]))
        chosen: defaultdict[tuple[object, str], list[tuple[RowRule, dict[str, object]]]] = defaultdict(list)
        for row in fetched:
            cells = dict(zip(columns, row[width:], strict=True))
            asked = zip(rules, row[1:width:3], row[2:width:3], row[3:width:3], strict=True)
            for rule, is_broken, value, detail in asked:
                places = chosen[cells["document_id"], rule.rule.code] if is_broken else None
                if places is not None and len(places) < most:
                    places.append((rule, {**cells, "value": value, "detail": detail}))
        urls = self._urls_of(table, (cells for places in chosen.values() for _, cells in places), names)
        return {
            key: [
                _row_example(rule, cells, urls.get((cells["document_id"], cells.get("ordinal"))))
                for rule, cells in places
            ]
            for key, places in chosen.items()
        }

    def _urls_of(
        self, table: Table, rows: Iterable[Mapping[str, object]], names: AbstractSet[str]
    ) -> dict[tuple[object, object], object]:
        """The loc of the entries that these rows belong to, by document and ordinal."""
        if "ordinal" not in table.column_names:
            return {}
        if table.name in ("urls", "children", SITEMAP_LINES.name):
            return {(row["document_id"], row["ordinal"]): row["loc"] for row in rows}
        if table in (PAGES, MEDIA):
            return {(row["document_id"], row["ordinal"]): row["url"] for row in rows}
        wanted = sorted({(row["document_id"], row["ordinal"]) for row in rows if row["ordinal"] is not None})
        urls: dict[tuple[object, object], object] = {}
        for name in ("children", "urls"):
            if wanted and name in names:
                found = self._connection.execute(
                    f"SELECT document_id, ordinal, loc FROM {name} WHERE (document_id, ordinal) IN "
                    "(SELECT unnest($1::INTEGER[]), unnest($2::INTEGER[]))",
                    [[document for document, _ in wanted], [ordinal for _, ordinal in wanted]],
                ).fetchall()
                urls |= {(document_id, ordinal): loc for document_id, ordinal, loc in found}
        return urls

    # Rules on sets of rows.

    def _run_query_rules(self, rules: Sequence[QueryRule]) -> list[Finding]:
        findings: list[Finding] = []
        for rule in rules:
            try:
                findings += self._patiently(partial(self._run_query, rule))
            except duckdb.Error as error:
                raise EngineError(rule.rule.code, _first_line(error)) from error
        return findings

    def _run_query(self, query_rule: QueryRule) -> list[Finding]:
        rule, source = query_rule.rule, f"(\n{query_rule.query}\n)"
        # Most rules find nothing, and counting lets DuckDB leave out the columns that only examples need. A query over
        # the whole run is worth keeping instead of running twice; what is kept may spill.
        keep = rule.span is Span.RUN
        if keep:
            self._connection.execute(f"CREATE OR REPLACE TEMP TABLE breaches AS FROM {source}")
            source = "breaches"
        counted = self._rows(f"SELECT document_id, count(*) FROM {source} GROUP BY document_id")
        examples = self._set_examples(query_rule, source) if counted and self._max_examples else {}
        if keep:
            self._connection.execute("DROP TABLE breaches")
        if any(document_id is None for document_id, _ in counted):
            raise EngineError(rule.code, "its query yields a row without document_id")
        return [
            Finding(rule, _whole(document_id), _whole(count), tuple(examples.get(document_id, ())))
            for document_id, count in counted
        ]

    def _set_examples(self, query_rule: QueryRule, source: str) -> dict[object, list[Example]]:
        names = tuple(str(name) for name, *_ in self._rows(f"DESCRIBE FROM {source}"))
        if missing := [name for name in (*BREACH_COLUMNS, *query_rule.template.names) if name not in names]:
            raise EngineError(query_rule.rule.code, f"its query yields no column {missing[0]}")
        # Every column takes part, so that the examples are the same in every run, however the threads ran.
        order = ", ".join(f"{quote(name)} NULLS FIRST" for name in dict.fromkeys((*BREACH_COLUMNS[1:], *names)))
        examples: defaultdict[object, list[Example]] = defaultdict(list)
        for row in self._rows(
            f"SELECT * FROM {source} QUALIFY row_number() OVER (PARTITION BY document_id ORDER BY {order}) "
            f"<= {self._max_examples} ORDER BY document_id, {order}"
        ):
            cells = dict(zip(names, row, strict=True))
            examples[cells["document_id"]].append(_set_example(query_rule, cells))
        return examples

    # Running statements.

    def _rows(self, statement: str, parameters: Sequence[object] = ()) -> list[Row]:
        rows: list[Row] = self._connection.execute(statement, parameters).fetchall()
        return rows

    def _patiently(self, run: Callable[[], Result]) -> Result:
        """Runs something, with more memory where the limit is too low for it: some operators cannot spill below one."""
        for _ in range(MOST_DOUBLINGS):
            try:
                return run()
            except duckdb.OutOfMemoryException:
                [(limit,)] = self._rows("SELECT current_setting('memory_limit')")
                amount, unit = str(limit).split()
                self._connection.execute(f"SET memory_limit = '{2 * float(amount)}{unit}'")
        return run()

    def _try_rules(self, rules: Sequence[Compiled], run: Callable[[Sequence[Compiled]], list[Row]]) -> list[Row]:
        """Runs a statement made of several rules; if it fails, finds the rule to blame."""
        try:
            return self._patiently(lambda: run(rules))
        except duckdb.Error as error:
            for rule in rules:
                try:
                    run([rule])
                except duckdb.Error as alone:
                    raise EngineError(rule.rule.code, _first_line(alone)) from alone
            raise EngineError(", ".join(rule.rule.code for rule in rules), _first_line(error)) from error


def _row_example(row_rule: RowRule, cells: Mapping[str, object], url: object) -> Example:
    line, column = next(
        ((cells[line], cells[col]) for line, col in row_rule.place if cells[line] is not None), (None, None)
    )
    field = row_rule.rule.field or (cells["field"] if row_rule.rule.scope is Scope.ANOMALY else None)
    return _example(row_rule.template, cells, (line, column), url, field)


def _set_example(query_rule: QueryRule, cells: Mapping[str, object]) -> Example:
    return _example(query_rule.template, cells, (cells["line"], cells["col"]), cells["url"], query_rule.rule.field)


def _example(
    template: Template, cells: Mapping[str, object], place: tuple[object, object], url: object, field: object
) -> Example:
    line, column = place
    value = cells["value"]
    return Example(
        ordinal=None if cells.get("ordinal") is None else _whole(cells["ordinal"]),
        line=None if line is None else _whole(line),
        column=None if column is None else _whole(column),
        url=None if url is None else as_text(url),
        field=None if field is None else as_text(field),
        value=None if value is None else as_text(value),
        message=template.fill(cells),
    )


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"expected a whole number, got {value!r}")
    return value


def _check_names(tables: Mapping[str, object], known: Sequence[str]) -> None:
    if unknown := set(tables) - set(known):
        raise MisuseError(f"there is no table {min(unknown)!r} here, only {', '.join(known)}")


def documents_table(documents: Sequence[Mapping[str, object]]) -> _core.Table:
    """Rows of `documents` as a table that DuckDB reads."""
    columns = [(column.name, column.type) for column in DOCUMENTS.columns]
    tables = [
        _core.Table.from_rows(columns, [storable_row(document) for document in some])
        # A run may have a hundred thousand; as dictionaries they would take several times the table.
        for some in (documents[begin : begin + 1_000] for begin in range(0, max(len(documents), 1), 1_000))
    ]
    return _core.Table.concat(tables)


_AS_IT_IS = frozenset({int, float, bool, list, type(None)})


def storable_row(row: Mapping[str, object]) -> dict[str, object]:
    """The values of a row as a table takes them."""
    return {name: value if type(value) in _AS_IT_IS else storable(value) for name, value in row.items()}


def storable(value: object) -> object:
    """A value as a table takes it: instants in microseconds since 1970, text that is valid Unicode."""
    match value:
        case datetime():
            at = value if value.tzinfo else value.replace(tzinfo=UTC)
            return (at - EPOCH) // timedelta(microseconds=1)
        case str() if not value.isascii():
            # The name of a file may hold bytes that are no text; Python keeps them as lone surrogates.
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
        case tuple():
            return list(value)
        case _:
            return value


def _first_line(error: duckdb.Error) -> str:
    return str(error).strip().split("\n", 1)[0]
