"""Record a run in a store: its documents and its results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from urlset.documents import DocumentFacts
from urlset.stages.outcomes import Assumed, DocumentRead, ReadSummary, RobotsTxt, read_to_end, verdicts_of
from urlset.stages.tee import tee
from urlset.store.file import READING_MEMORY
from urlset.store.run_documents import keep_robots
from urlset.store.unchanged import copy_rows
from urlset.tables import CUTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from urlset.model.report import Report
    from urlset.model.schema import SchemaVerdict
    from urlset.stages.outcomes import Outcome
    from urlset.store.run import Run
    from urlset.web.robots_txt import Robots


class Recorded(Struct):
    """What was recorded, apart from rows.

    Attributes:
        documents: Rows of `documents`, in the order of their numbers.
        robots: Every requested robots.txt, with its number.
        verdicts: Results of schema validation, if requested.
        summary: The results of reading.
    """

    documents: list[DocumentFacts] = field(default_factory=list)
    robots: list[tuple[int, Robots]] = field(default_factory=list)
    verdicts: list[SchemaVerdict] = field(default_factory=list)
    summary: ReadSummary = field(default_factory=ReadSummary)


def record(outcomes: Iterable[Outcome], run: Run) -> Recorded:
    """Record outcomes, commit about once per second, and commit the end of reading."""
    recorded, recorder = Recorded(), _Recorder(run)
    with run.store.holding(READING_MEMORY, threads=1):
        for outcome in tee(outcomes, run):
            facts = read_to_end(outcome)
            if facts is not None:
                recorded.documents.append(DocumentFacts(facts))
                recorder.note(outcome, recorded.documents[-1])
            match outcome:
                case RobotsTxt(_, robots):
                    recorded.robots.append((outcome.number, robots))
                case DocumentRead() if facts is not None:
                    recorded.verdicts += verdicts_of(outcome)
                case ReadSummary():
                    recorded.summary = outcome
        recorder.end(recorded.summary.cuts)
    return recorded


class _Recorder:
    """Records outcomes, whose rows are already in the run, and commits both together."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._documents: list[DocumentFacts] = []
        self._assumed_documents: dict[int, int] = {}
        self._assumed_from = 0

    def note(self, outcome: Outcome, facts: DocumentFacts) -> None:
        run = self._run
        self._documents.append(facts)
        match outcome:
            case Assumed(_, previous_id):
                self._assumed_documents[outcome.number] = previous_id
                self._assumed_from = facts["assumed_from"]
            case RobotsTxt(_, robots):
                keep_robots(run, outcome.number, robots)
        if run.is_commit_due:
            self._commit()

    def end(self, cuts: Sequence[Mapping[str, object]]) -> None:
        """Commit that all documents were read."""
        self._run.add_rows(CUTS.name, cuts)
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
