"""From targets to a run kept in a store: documents go in as they pass on their way to the rules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from urlset.documents import Facts
from urlset.errors import InputError
from urlset.pipeline.many import Came, ReadMany
from urlset.pipeline.read import Held, hold
from urlset.pipeline.validate import validate
from urlset.tables import READER_TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset._core import Table
    from urlset.config import Progress, ValidateOptions
    from urlset.documents import DocumentReader
    from urlset.errors import Unreadable
    from urlset.report.model import LeftOut, Report
    from urlset.sources import Target
    from urlset.store.run import Run

LISTING_TABLES = frozenset({"runs", "documents", "urls", "children", "findings"})
"""The tables that say what is listed, and what is wrong with it."""


@dataclass
class Keeping:
    """Puts documents into a run as they pass."""

    run: Run
    documents: list[Mapping[str, Any]] = field(default_factory=list)

    def watch(self, reader: DocumentReader, held: Held) -> Held:
        """The same document; its rows are added, those held at once, the rest while it is read."""
        self.run.add(held.tables)
        if held.rest is None:
            self.run.offer_commit()
            return held
        return replace(held, rest=self._passing(reader, held.rest))

    def _passing(self, reader: DocumentReader, rest: Iterator[dict[str, Table]]) -> Iterator[dict[str, Table]]:
        try:
            for batch in rest:
                self.run.add(batch)
                yield batch
        except InputError:
            self.run.take_back(reader.facts["document_id"], READER_TABLES)
            raise
        self.run.offer_commit()


def keep_judged(
    run: Run, targets: Sequence[Target], options: ValidateOptions, progress: Progress | None = None
) -> Report:
    """Reads and judges targets, and keeps everything in a run.

    Args:
        run: Where it goes.
        targets: What to read.
        options: How to read, and which rules to run.
        progress: Told after each document.

    Returns:
        The report, as `validate` gives it.

    Raises:
        OutputError: The store cannot be written.
    """
    keeping = Keeping(run)
    report = validate(targets, replace(options, xsd=None), progress, watch=keeping.watch)
    run.add_documents(report.documents)
    run.add_findings(
        report.findings, {finding.document_id: report.document_url(finding.document_id) for finding in report.findings}
    )
    summary = report.summary
    numbers = {name: getattr(summary, name) for name in ("documents", "urls", "errors", "warnings", "infos")}
    run.finish(numbers)
    return report


def keep_listed(
    run: Run, targets: Sequence[Target], options: ValidateOptions, progress: Progress | None = None
) -> tuple[Sequence[Unreadable], Sequence[LeftOut]]:
    """Reads targets and keeps what they list in a run; no rule is run.

    Args:
        run: Where it goes.
        targets: What to read.
        options: How to read.
        progress: Told after each document.

    Returns:
        What could not be read, and which files of folders were left out.

    Raises:
        OutputError: The store cannot be written.
    """
    keeping = Keeping(run)
    rows: list[Mapping[str, Any]] = []
    with ReadMany(targets, options.read, hold, progress) as documents:
        for document in documents:
            if isinstance(document, Came):
                try:
                    for _ in keeping.watch(document.reader, document.kept).rest or ():
                        pass
                except InputError as error:
                    documents.failed(error)
                    continue
            rows.append(Facts(document.facts))
    run.add_documents(rows)
    urls = sum(int(row["entries"] or 0) for row in rows if row["kind"] != "sitemapindex")
    run.finish({"documents": len(rows), "urls": urls})
    return documents.unreadable, documents.left_out
