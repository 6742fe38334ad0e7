"""Record a run in a store: its first documents, the outcome of each document, and its results."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.documents import DocumentFacts
from urlset.stages.outcomes import (
    Assumed,
    DocumentRead,
    DuplicateOf,
    NotSitemap,
    ReadSummary,
    Resumed,
    RobotsTxt,
    Unfetched,
    UnreadableDocument,
)
from urlset.stages.tee import tee
from urlset.store.run_documents import READ_TO_THE_END, keep_ending, keep_robots, store_begin
from urlset.store.unchanged import copy_rows
from urlset.tables import CUTS
from urlset.text.masking import mask_target

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from urlset.model.report import Report
    from urlset.sources import Source
    from urlset.stages.earlier import Earlier
    from urlset.stages.outcomes import DocumentOutcome, Outcome
    from urlset.stages.seeds import Seeds
    from urlset.store.run import Run


def record_seeds(run: Run, seeds: Seeds) -> None:
    """Commit the first documents of a run."""
    facts = {
        "sources": [dataclasses.asdict(_without_password(source)) for source in seeds.sources],
        "unreadable": [dataclasses.asdict(target) for target in seeds.unreadable],
        "notes": seeds.notes,
        "keys": [structs.asdict(key) for key in seeds.keys],
    }
    store_begin(run, facts)
    run.commit()


def record(outcomes: Iterable[Outcome], run: Run, earlier: Earlier) -> Iterator[Outcome]:
    """Pass on outcomes, record each once the next stage has used it, and commit about once per second."""
    recorder = _Recorder(run)
    for outcome in tee(outcomes, run):
        yield outcome
        match outcome:
            case ReadSummary(cuts=cuts):
                if not earlier.is_whole:
                    recorder.end(cuts)
            case DocumentRead() if outcome.failed:
                pass  # The next outcome reports that it cannot be read.
            case _ if outcome.number is not None and not earlier.knows(outcome.number):
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
            case Resumed():
                return
            case DocumentRead():
                self._documents.append(DocumentFacts(outcome.facts))
            case Unfetched(facts):
                self._documents.append(DocumentFacts(facts))
            case RobotsTxt(facts, robots):
                self._documents.append(DocumentFacts(facts))
                keep_robots(run, outcome.number, robots)
            case DuplicateOf(number, owner, final_url):
                keep_ending(run, number, "read-as", {"owner": owner, "final_url": final_url})
            case UnreadableDocument(number=int(number), unreadable=why, final_url=final_url):
                keep_ending(run, number, "unreadable", {**dataclasses.asdict(why), "final_url": final_url})
            case NotSitemap(number, file):
                keep_ending(run, number, "left-out", structs.asdict(file))
        if run.is_commit_due:
            self._commit()

    def end(self, cuts: Sequence[Mapping[str, object]]) -> None:
        """Commit that all documents were read."""
        self._run.add_rows(CUTS.name, list(cuts))
        keep_ending(self._run, None, READ_TO_THE_END, {})
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


def _without_password(source: Source) -> Source:
    if source.found_by != "given" or not isinstance(source.place, str):
        return source
    return dataclasses.replace(source, place=mask_target(source.place))
