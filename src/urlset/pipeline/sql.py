"""`sql`: from targets to the tables that a query is asked of. Documents are read several at once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from urlset.errors import InputError
from urlset.pipeline.many import Came, ReadMany
from urlset.pipeline.read import Held, hold
from urlset.pipeline.validate import validate
from urlset.tables import FINDINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset._core import Table
    from urlset.config import Progress, ValidateOptions
    from urlset.documents import DocumentReader
    from urlset.engine.query import Query
    from urlset.errors import Unreadable
    from urlset.report.model import LeftOut
    from urlset.sources import Target

DOCUMENTS_AT_ONCE = 1_000
"""Rows of `documents` that are added together: each insert has a cost of its own."""


@dataclass
class _Filling:
    """Adds documents to the tables of a query as they pass, in their order and in bounded memory."""

    query: Query
    documents: list[Mapping[str, Any]] = field(default_factory=list)

    def watch(self, reader: DocumentReader, held: Held) -> Held:
        """The same document, whose rows are added: those held at once, the rest while it is read."""
        self.query.add(held.tables)
        return held if held.rest is None else replace(held, rest=self._passing(reader, held.rest))

    def _passing(self, reader: DocumentReader, rest: Iterator[dict[str, Table]]) -> Iterator[dict[str, Table]]:
        try:
            for batch in rest:
                self.query.add(batch)
                yield batch
        except InputError:
            self.query.remove(reader.facts["document_id"])
            raise

    def add_facts(self, facts: Mapping[str, Any]) -> None:
        """Adds a row of `documents`, sooner or later."""
        self.documents.append(facts)
        if len(self.documents) == DOCUMENTS_AT_ONCE:
            self.finish()

    def finish(self) -> None:
        """Adds the rows of `documents` that wait."""
        self.query.add_documents(self.documents)
        self.documents = []


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
    filling = _Filling(query)
    with ReadMany(targets, options.read, hold, progress) as documents:
        for document in documents:
            if isinstance(document, Came):
                try:
                    for _ in filling.watch(document.reader, document.kept).rest or ():
                        pass
                except InputError as error:
                    documents.failed(error)
                    continue
            filling.add_facts(document.facts)
    filling.finish()
    return documents.unreadable, documents.left_out


def _load_with_findings(
    query: Query, targets: Sequence[Target], options: ValidateOptions, progress: Progress | None
) -> tuple[Sequence[Unreadable], Sequence[LeftOut]]:
    filling = _Filling(query)
    report = validate(targets, replace(options, xsd=None), progress, watch=filling.watch)
    for row in report.documents:
        filling.add_facts(row)
    filling.finish()
    names = {finding.document_id: report.document_url(finding.document_id) for finding in report.findings}
    query.add_findings(report.findings, names)
    return report.unreadable, report.left_out
