"""The sequencer of the read stage, which passes on documents in the order of their numbers, level by level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.errors import Unreadable, internal_error
from urlset.stages.outcomes import (
    Assumed,
    DocumentRead,
    DuplicateOf,
    NotSitemap,
    ReadSummary,
    UnreadableDocument,
)
from urlset.text.progress import ProgressEvent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.document import SkippedFile
    from urlset.stages.follow import Follower
    from urlset.stages.outcomes import DocumentOutcome, Outcome
    from urlset.stages.previous import PreviousRun
    from urlset.stages.scheduler import Arrival, Scheduler
    from urlset.stages.seeds import Seeds
    from urlset.text.progress import Progress


class Sequencer:
    """Passes on outcomes in order, and follows the entries of a document once the next stage has used it.

    A slow document delays later ones only if holding these would take too much memory.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        follower: Follower,
        seeds: Seeds,
        progress: Progress | None,
        previous: PreviousRun | None,
    ) -> None:
        self._scheduler = scheduler
        self._follower = follower
        self._progress = progress
        self._previous = previous
        self._targets = seeds.unreadable
        self._notes = tuple(seeds.notes)
        self._keys = tuple(seeds.keys)
        self._early_arrivals: dict[int, Arrival] = {}
        self._unreadable: list[Unreadable] = []
        self._left_out_files: list[SkippedFile] = []
        self._done_count, self._urls, self._bytes = 0, 0, 0

    def outcomes(self) -> Iterator[Outcome]:
        """Yield the outcome of each document, then the summary.

        Raises:
            BaseException: An error that concerns the whole run.
        """
        for target in self._targets:
            self._done_count += 1
            yield self._note(UnreadableDocument(None, target))
        while True:
            while self._scheduler.turn is not None:
                arrival = self._next_arrival(self._scheduler.turn)
                if isinstance(arrival.outcome, BaseException):
                    raise arrival.outcome
                if arrival.outcome is None:
                    continue
                yield self._note(arrival.outcome)
                yield from self._afterwards(arrival.outcome)
                self._tell(arrival)
            is_more = self._follower.next_level()
            yield from self._unfollowed_documents()
            if not is_more:
                break
            self._scheduler.begin_more()
        cuts = tuple(cut.as_row() for cut in self._follower.frontier.cuts)
        notes = () if self._previous is None else self._previous.notes
        yield ReadSummary(
            tuple(self._unreadable), tuple(self._left_out_files), (*self._notes, *notes), cuts, self._keys
        )

    def _next_arrival(self, turn: int) -> Arrival:
        """Wait for the next document in order."""
        while turn not in self._early_arrivals:
            arrival = self._scheduler.next_arrival()
            self._early_arrivals[arrival.number] = arrival
        arrival = self._early_arrivals.pop(turn)
        self._scheduler.handed_on(arrival)
        return arrival

    def _note(self, outcome: DocumentOutcome) -> DocumentOutcome:
        """Return an outcome, and add it to the summary."""
        match outcome:
            case UnreadableDocument(unreadable=why):
                self._unreadable.append(why)
            case NotSitemap(file=file):
                self._left_out_files.append(file)
        return outcome

    def _afterwards(self, outcome: DocumentOutcome) -> Iterator[DocumentOutcome]:
        """Follow the entries of a document, and yield its error, if any, after it was passed on."""
        match outcome:
            case DocumentRead(document=document):
                if document.failure is not None:
                    yield self._note(UnreadableDocument(outcome.number, document.failure))
                reader = document.reader
                self._follower.take(outcome.number, reader.facts, reader.children)
                reader.children = []
            case Assumed(facts):
                assert self._previous is not None
                self._follower.take(outcome.number, facts, self._previous.children(outcome))
        yield from self._unfollowed_documents()

    def _unfollowed_documents(self) -> Iterator[DocumentOutcome]:
        """Yield the documents whose entries could not be followed."""
        for number, error in self._follower.failures:
            name = self._follower.frontier.source(number).name
            yield self._note(UnreadableDocument(None, Unreadable(name, internal_error(error))))
        self._follower.failures.clear()

    def _tell(self, arrival: Arrival) -> None:
        if isinstance(arrival.outcome, DuplicateOf):
            return
        self._done_count += 1
        if isinstance(arrival.outcome, DocumentRead | Assumed):
            facts = arrival.outcome.facts
            self._bytes += facts.get("bytes") or 0
            if facts.get("kind") != "sitemapindex":
                self._urls += facts.get("entries") or 0
        if self._progress is not None:
            known_count = max(self._follower.frontier.document_count, self._done_count)
            self._progress(ProgressEvent(self._done_count, known_count, arrival.source.name, self._urls, self._bytes))
