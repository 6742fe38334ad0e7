"""`sql`: from targets to the tables that a query is asked of. Documents are read several at once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from urlset.errors import MisuseError
from urlset.pipeline.diff import store_of
from urlset.pipeline.passing import Passing
from urlset.pipeline.validate import validate
from urlset.store.file import Store
from urlset.tables import FINDINGS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from urlset.config import Progress, ValidateOptions
    from urlset.engine.query import Query
    from urlset.errors import Unreadable
    from urlset.model.document import LeftOut
    from urlset.sources import Target

DOCUMENTS_AT_ONCE = 1_000
"""Rows of `documents` that are added together: each insert has a cost of its own."""


def run_asked(targets: Sequence[str]) -> tuple[Path, int] | None:
    """The store and the run that a query is asked of; None if its targets are to be read.

    Raises:
        MisuseError: A store stands beside other targets.
        InputError: It is no store, or has no such run.
    """
    found = [store_of(target) for target in targets]
    stores = [one for one in found if one is not None]
    if not stores:
        return None
    if len(targets) > 1:
        raise MisuseError("a store is asked alone: its tables are those of one run, FILE.duckdb@3 for run 3")
    path, wanted = stores[0]
    with Store.read(path) as store:
        return path, store.run(wanted).run_id


@dataclass
class _Documents:
    """Adds rows of `documents` to a query, many at a time."""

    query: Query
    waiting: list[Mapping[str, Any]] = field(default_factory=list)

    def add(self, facts: Mapping[str, Any]) -> None:
        """Adds a row, sooner or later."""
        self.waiting.append(facts)
        if len(self.waiting) == DOCUMENTS_AT_ONCE:
            self.finish()

    def finish(self) -> None:
        """Adds the rows that wait."""
        self.query.add_documents(self.waiting)
        self.waiting = []


def load(
    query: Query,
    targets: Sequence[Target],
    options: ValidateOptions,
    progress: Progress | None = None,
) -> tuple[Sequence[Unreadable], Sequence[LeftOut]]:
    """Reads documents into the tables that a query uses, in their order and in bounded memory.

    Args:
        query: What the rows are added to.
        targets: What to read.
        options: How to read, and which rules to run if the query uses the table `findings`; none is run otherwise.
        progress: Told after each document.

    Returns:
        What could not be read, and which files of folders were left out since they are no sitemaps. Neither leaves
        a row behind; what is listed and did not come leaves that of `documents`.
    """
    if FINDINGS.name in query.tables:
        return _load_with_findings(query, targets, options, progress)
    documents = _Documents(query)
    unread = Passing(query).read(targets, options.read, progress, documents.add)
    documents.finish()
    return unread


def _load_with_findings(
    query: Query, targets: Sequence[Target], options: ValidateOptions, progress: Progress | None
) -> tuple[Sequence[Unreadable], Sequence[LeftOut]]:
    report = validate(targets, replace(options, xsd=None), progress, watch=Passing(query).watch)
    documents = _Documents(query)
    for row in report.documents:
        documents.add(row)
    documents.finish()
    query.add_findings(report.findings, report.document_urls)
    return report.unreadable, report.left_out
