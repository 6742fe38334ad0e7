"""`sql`: targets ─> seeds ─> read ─> tee into the tables of a query (─> judge, if it uses the findings)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from urlset.errors import UsageError
from urlset.pipeline.judging import JudgePlan, judge
from urlset.pipeline.outcomes import ReadSummary, used_up
from urlset.pipeline.reader import read
from urlset.pipeline.seeds import find_seeds
from urlset.pipeline.sides import store_of
from urlset.pipeline.tee import tee
from urlset.store.file import Store
from urlset.tables import FINDINGS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from urlset.engine.query import Query
    from urlset.errors import Unreadable
    from urlset.model.document import LeftOut
    from urlset.options.verbs import ValidateOptions
    from urlset.progress import Progress
    from urlset.sources import Target

DOCUMENTS_AT_ONCE = 1_000
"""Rows of `documents` that are added together: each insert has a cost of its own."""


def run_asked(targets: Sequence[str]) -> tuple[Path, int] | None:
    """The store and the run that a query is asked of; None if its targets are to be read.

    Raises:
        UsageError: A store stands beside other targets.
        InputError: It is no store, or has no such run.
    """
    found = [store_of(target) for target in targets]
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
