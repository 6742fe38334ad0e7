"""Record a run in a store: its documents and its results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.documents import DocumentFacts
from urlset.stages.outcomes import (
    Assumed,
    DocumentRead,
    ReadSummary,
    RobotsTxt,
    Unfetched,
)
from urlset.stages.tee import tee
from urlset.store.run_documents import keep_robots
from urlset.store.unchanged import copy_rows
from urlset.tables import CUTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from urlset.model.report import Report
    from urlset.stages.outcomes import DocumentOutcome, Outcome
    from urlset.store.run import Run


def record(outcomes: Iterable[Outcome], run: Run) -> Iterator[Outcome]:
    """Pass on outcomes, record each once the next stage has used it, and commit about once per second."""
    recorder = _Recorder(run)
    for outcome in tee(outcomes, run):
        yield outcome
        match outcome:
            case ReadSummary(cuts=cuts):
                recorder.end(cuts)
            case DocumentRead() if outcome.failed:
                pass  # The next outcome reports that it cannot be read.
            case _:
                recorder.note(outcome)


class _Recorder:
    """Records outcomes, whose rows are already in the run, and commits both together."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._documents: list[DocumentFacts] = []
        self._assumed_documents: dict[int, int] = {}
        self._assumed_from = 0

    def note(self, outcome: DocumentOutcome) -> None:
        run = self._run
        match outcome:
            case Assumed(facts, previous_id):
                self._documents.append(DocumentFacts(facts))
                self._assumed_documents[outcome.number] = previous_id
                self._assumed_from = facts["assumed_from"]
            case DocumentRead():
                self._documents.append(DocumentFacts(outcome.facts))
            case Unfetched(facts):
                self._documents.append(DocumentFacts(facts))
            case RobotsTxt(facts, robots):
                self._documents.append(DocumentFacts(facts))
                keep_robots(run, outcome.number, robots)
        if run.is_commit_due:
            self._commit()

    def end(self, cuts: Sequence[Mapping[str, object]]) -> None:
        """Commit that all documents were read."""
        self._run.add_rows(CUTS.name, list(cuts))
        self._commit()

    def _commit(self) -> None:
        self._run.add_documents(self._documents)
        self._documents = []
        if self._assumed_documents:
            copy_rows(self._run, self._assumed_from, self._assumed_documents)
            self._assumed_documents = {}
        self._run.commit()


def record_findings(run: Run, report: Report, more: Mapping[str, int]) -> None:
    """Commit the findings and the end of the run.

    Args:
        run: The run, which already has its documents.
        more: Further counts for its row of `runs`.

    Raises:
        OutputError: The store cannot be written.
    """
    run.add_findings(report.findings, report.document_urls)
    summary = report.summary
    numbers = {name: getattr(summary, name) for name in ("documents", "urls", "errors", "warnings", "infos")}
    run.finish({**numbers, **more})
