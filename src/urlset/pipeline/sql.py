"""`sql`: targets ─> seeds ─> read ─> tee into the tables of a query (─> judge, if it uses the findings)."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from urlset.errors import UsageError
from urlset.model.query import QueryReport
from urlset.pipeline.judging import JudgePlan, judge
from urlset.pipeline.outcomes import ReadSummary, used_up
from urlset.pipeline.reader import read
from urlset.pipeline.seeds import find_seeds
from urlset.pipeline.sides import store_of
from urlset.pipeline.tee import tee
from urlset.store.file import Store
from urlset.tables import FINDINGS, TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from urlset.engine.query import Query
    from urlset.errors import Unreadable
    from urlset.model.document import LeftOut
    from urlset.model.query import QueryResult
    from urlset.options.querying import QueryOptions
    from urlset.options.verbs import ValidateOptions
    from urlset.progress import Progress
    from urlset.sources import Target
    from urlset.tables import Table

DOCUMENTS_AT_ONCE = 1_000
"""Rows of `documents` that are added together: each insert has a cost of its own."""


@dataclass(frozen=True, slots=True)
class OpenQuery:
    """A query that is open: its SQL is checked, and its tables wait for rows.

    Attributes:
        targets: What it is asked of.
        options: How that is read, and what the query may use.
        engine: What runs it.
        is_of_store: Whether its tables are those of a run of a store, so that nothing has to be read.
    """

    targets: Sequence[Target]
    options: QueryOptions
    engine: Query
    is_of_store: bool

    def read(self, progress: Progress | None = None) -> tuple[Sequence[Unreadable], Sequence[LeftOut]]:
        """Read the targets into the tables, as `load` does."""
        return ((), ()) if self.is_of_store else load(self.engine, self.targets, self.options, progress)

    def run(self) -> QueryResult:
        """Run the query; its rows are fetched while it is open."""
        return self.engine.run()

    def write_parquet(self) -> int:
        """Write the rows to the file that the query was opened with, and return their number."""
        return self.engine.write_parquet()


@contextmanager
def opened(
    sql: str, targets: Sequence[Target], options: QueryOptions, parquet: Path | None = None
) -> Iterator[OpenQuery]:
    """Open a query of targets, or of a run of a store, and check it before anything is read.

    Args:
        sql: A SELECT in DuckDB's dialect.
        targets: What to read, or one store.
        options: How to read, which rules to run, and what the query may do and use.
        parquet: The file that `write_parquet` writes.

    Raises:
        QueryError: The SQL is wrong, or it cannot be run.
        UsageError: It is not a single SELECT, or a target or an option makes no sense.
        InputError: The store cannot be read, or has no such run.
    """
    from urlset.engine.query import Query

    if not targets:
        raise UsageError("no target to query; give files, directories, URLs, or a store")
    kept = run_asked(targets)
    with Query(
        sql,
        allow_files=options.allow_files,
        parquet=parquet,
        memory=options.memory,
        seconds=options.max_time,
        store=kept,
    ) as engine:
        yield OpenQuery(targets, options, engine, kept is not None)


def tables() -> Iterator[tuple[Table, bool]]:
    """Yield each table that a query can use, and whether only a store has it."""
    from urlset.engine.query import QUERY_TABLES, STORE_TABLES

    for name in dict.fromkeys((*QUERY_TABLES, *STORE_TABLES)):
        yield TABLES[name], name not in QUERY_TABLES


def query(sql: str, targets: Sequence[Target], options: QueryOptions) -> QueryReport:
    """Run a query and return all of its rows; raises as `opened` does."""
    with opened(sql, targets, options) as asked:
        unreadable, left_out = asked.read()
        result = asked.run()
        return QueryReport(result.columns, result.types, list(result.rows), unreadable, left_out)


def run_asked(targets: Sequence[Target]) -> tuple[Path, int] | None:
    """The store and the run that a query is asked of; None if its targets are to be read.

    Raises:
        UsageError: A store stands beside other targets.
        InputError: It is no store, or has no such run.
    """
    found = [store_of(os.fspath(target)) for target in targets if isinstance(target, str | os.PathLike)]
    stores = [one for one in found if one is not None]
    if not stores:
        return None
    if len(targets) > 1:
        raise UsageError("a store is asked alone: its tables are those of one run, FILE.duckdb@3 for run 3")
    path, wanted = stores[0]
    with Store.read(path) as store:
        return path, store.run(wanted).run_id


def load(
    query: Query,
    targets: Sequence[Target],
    options: ValidateOptions,
    progress: Progress | None = None,
) -> tuple[Sequence[Unreadable], Sequence[LeftOut]]:
    """Read documents into the tables that a query uses, in their order and in bounded memory.

    Args:
        query: What the rows are added to.
        targets: What to read.
        options: How to read, and which rules to run if the query uses the table `findings`; none is run otherwise.
        progress: Called after each document.

    Returns:
        What could not be read, and which files of folders were left out since they are not sitemaps. Neither leaves
        a row behind; what is listed and could not be fetched leaves that of `documents`.
    """
    if FINDINGS.name in query.tables:
        return _load_with_findings(query, targets, options, progress)
    documents = _Documents(query)
    summary = ReadSummary()
    with find_seeds(targets, options) as seeds, read(seeds, options, progress) as outcomes:
        for outcome in tee(outcomes, query):
            if isinstance(outcome, ReadSummary):
                summary = outcome
            elif (facts := used_up(outcome)) is not None:
                documents.add(facts)
    documents.finish()
    return summary.unreadable, summary.left_out


def _load_with_findings(
    query: Query, targets: Sequence[Target], options: ValidateOptions, progress: Progress | None
) -> tuple[Sequence[Unreadable], Sequence[LeftOut]]:
    plan = JudgePlan.of(replace(options, xsd=None))
    with find_seeds(targets, plan.reading) as seeds, read(seeds, plan.reading, progress) as outcomes:
        report = judge(tee(outcomes, query), plan)
    documents = _Documents(query)
    for row in report.documents:
        documents.add(row)
    documents.finish()
    query.add_findings(report.findings, report.document_urls)
    return report.unreadable, report.left_out


@dataclass
class _Documents:
    """Adds rows of `documents` to a query, many at a time."""

    query: Query
    waiting: list[Mapping[str, Any]] = field(default_factory=list)

    def add(self, facts: Mapping[str, Any]) -> None:
        """Add a row, sooner or later."""
        self.waiting.append(facts)
        if len(self.waiting) == DOCUMENTS_AT_ONCE:
            self.finish()

    def finish(self) -> None:
        """Add the rows that wait."""
        self.query.add_documents(self.waiting)
        self.waiting = []
