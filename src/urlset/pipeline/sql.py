"""`sql`: targets ─> seeds ─> read ─> tee into the tables of a query (─> judge, if the query uses findings)."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from urlset.comparison.sides import store_of
from urlset.errors import UsageError
from urlset.model.query import QueryReport
from urlset.stages.judge import JudgePlan, judge
from urlset.stages.outcomes import ReadSummary, read_to_end
from urlset.stages.session import Session
from urlset.stages.tee import tee
from urlset.store.file import Store
from urlset.tables import FINDINGS, TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from urlset.engine.user_query import QueryDatabase
    from urlset.errors import Unreadable
    from urlset.model.document import SkippedFile
    from urlset.model.query import QueryResult
    from urlset.options.querying import QueryOptions
    from urlset.options.verbs import ValidateOptions
    from urlset.sources import Target
    from urlset.tables import Table
    from urlset.text.progress import Progress

DOCUMENTS_AT_ONCE = 1_000
"""Rows of `documents` per insert, because each insert has a fixed cost."""


@dataclass(frozen=True, slots=True)
class OpenQuery:
    """An open query, whose SQL is checked and whose tables can receive rows.

    If `is_of_store`, it queries a run of a store, so that nothing has to be read.
    """

    targets: Sequence[Target]
    options: QueryOptions
    engine: QueryDatabase
    is_of_store: bool

    def read(self, progress: Progress | None = None) -> tuple[Sequence[Unreadable], Sequence[SkippedFile]]:
        """Read the targets into the tables with `load`."""
        return ((), ()) if self.is_of_store else load(self.engine, self.targets, self.options, progress)

    def run(self) -> QueryResult:
        """Run the query; its rows are fetched while it is open."""
        return self.engine.run()

    def collect(self) -> tuple[Sequence[str], Sequence[str], Sequence[tuple[object, ...]]]:
        """Run the query, and return the names and types of its columns, and all rows, which outlive it."""
        return self.engine.collect()

    def write_parquet(self) -> int:
        """Write the rows to the Parquet file that the query was opened with, and return their number."""
        return self.engine.write_parquet()


@contextmanager
def open_query(
    sql: str, targets: Sequence[Target], options: QueryOptions, parquet: Path | None = None
) -> Iterator[OpenQuery]:
    """Open a query on targets or on a run of a store, and check it before anything is read.

    Args:
        sql: A SELECT statement in DuckDB's dialect.
        targets: The targets, or a single store.
        parquet: The file for `write_parquet`.

    Raises:
        QueryError: The SQL is invalid, or cannot be run.
        UsageError: The SQL is not a single SELECT statement, or a target or option is invalid.
        InputError: The store cannot be read, or the run does not exist.
    """
    from urlset.engine.user_query import QueryDatabase

    if not targets:
        raise UsageError("no target to query; give files, directories, URLs, or a store")
    stored = requested_run(targets)
    with QueryDatabase(
        sql,
        allow_files=options.allow_files,
        parquet=parquet,
        memory=options.memory,
        seconds=options.max_time,
        store=stored,
    ) as engine:
        yield OpenQuery(targets, options, engine, stored is not None)


def tables() -> Iterator[tuple[Table, bool]]:
    """Yield each table that a query can use, and whether it is only available in a store."""
    from urlset.engine.user_query import QUERY_TABLES, STORE_TABLES

    for name in dict.fromkeys((*QUERY_TABLES, *STORE_TABLES)):
        yield TABLES[name], name not in QUERY_TABLES


def query(sql: str, targets: Sequence[Target], options: QueryOptions) -> QueryReport:
    """Run a query and return all of its rows; raises the same errors as `open_query`."""
    from urlset.engine.result_arrow import arrow_stream

    with open_query(sql, targets, options) as opened_query:
        unreadable, skipped = opened_query.read()
        columns, types, rows = opened_query.collect()
        return QueryReport(tuple(columns), tuple(types), rows, unreadable, skipped, arrow_stream)


def requested_run(targets: Sequence[Target]) -> tuple[Path, int] | None:
    """Return the store and run that a query refers to; None if it queries targets.

    Raises:
        UsageError: A store is combined with other targets.
        InputError: The file is not a store, or the run does not exist.
    """
    found_stores = [store_of(os.fspath(target)) for target in targets if isinstance(target, str | os.PathLike)]
    stores = [found_store for found_store in found_stores if found_store is not None]
    if not stores:
        return None
    if len(targets) > 1:
        raise UsageError("a store cannot be combined with other targets; to query run 3, use FILE.duckdb@3")
    path, run_id = stores[0]
    with Store.read(path) as store:
        return path, store.run_to_query(run_id)


def load(
    query: QueryDatabase,
    targets: Sequence[Target],
    options: ValidateOptions,
    progress: Progress | None = None,
) -> tuple[Sequence[Unreadable], Sequence[SkippedFile]]:
    """Read documents into the tables that a query uses, in order and in bounded memory.

    Args:
        options: How to read, and which rules to run if the query uses the table `findings`.
        progress: Called after each document.

    Returns:
        Targets that could not be read, and skipped files of directories. Neither adds a row; a listed document that
        could not be fetched has a row in `documents`.
    """
    if FINDINGS.name in query.tables:
        return _load_with_findings(query, targets, options, progress)
    documents = _Documents(query)
    summary = ReadSummary()
    with Session.over(targets, options, progress) as session, session.read(targets, options) as outcomes:
        for outcome in tee(outcomes, query):
            if isinstance(outcome, ReadSummary):
                summary = outcome
            elif (facts := read_to_end(outcome)) is not None:
                documents.add(facts)
    documents.finish()
    return summary.unreadable, summary.skipped


def _load_with_findings(
    query: QueryDatabase, targets: Sequence[Target], options: ValidateOptions, progress: Progress | None
) -> tuple[Sequence[Unreadable], Sequence[SkippedFile]]:
    plan = JudgePlan.of(options)
    with Session.over(targets, options, progress) as session, session.read(targets, plan.options) as outcomes:
        report = judge(tee(outcomes, query), plan)
    documents = _Documents(query)
    for row in report.documents:
        documents.add(row)
    documents.finish()
    query.add_findings(report.findings, report.document_urls)
    return report.unreadable, report.skipped


@dataclass
class _Documents:
    """Adds rows of `documents` to a query in batches."""

    query: QueryDatabase
    waiting: list[Mapping[str, object]] = field(default_factory=list)

    def add(self, facts: Mapping[str, object]) -> None:
        self.waiting.append(facts)
        if len(self.waiting) == DOCUMENTS_AT_ONCE:
            self.finish()

    def finish(self) -> None:
        self.query.add_documents(self.waiting)
        self.waiting = []
