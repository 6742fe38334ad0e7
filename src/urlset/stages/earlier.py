"""Load what an earlier process recorded of a run, so that an interrupted run resumes where it stopped.

Outcomes of documents are recorded in the order of their numbers, so an earlier process recorded the first ones. These
are taken from the store, and the others are requested.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlset.documents import DocumentFacts
from urlset.errors import Unreadable
from urlset.model.discovery import KeyHint, KeyWay
from urlset.model.document import SkippedFile
from urlset.net.origin import Origin
from urlset.sources import Source, SourceKind
from urlset.stages.outcomes import (
    Assumed,
    DuplicateOf,
    NotSitemap,
    Resumed,
    RobotsTxt,
    Unfetched,
    UnreadableDocument,
)
from urlset.stages.seeds import Seeds
from urlset.store.run_documents import (
    READ_TO_THE_END,
    read_begin,
    read_children,
    read_documents,
    read_endings,
    read_robots_files,
    read_rows,
)
from urlset.store.stored_values import stored_values
from urlset.text.masking import mask_target

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset._core import Table
    from urlset.stages.outcomes import KnownOutcome
    from urlset.stages.previous import PreviousRun
    from urlset.store.file import Store


class Earlier:
    """The documents and rows that an earlier process committed of a run; empty for a new run.

    Attributes:
        seeds: The first documents of the run; None if unknown.
        is_whole: Whether all documents were read.
    """

    def __init__(
        self, store: Store, run_id: int, targets: Sequence[str] = (), previous: PreviousRun | None = None
    ) -> None:
        """Load the records of a run.

        Args:
            targets: The targets given now, because passwords in URLs are not stored.
            previous: The previous run, whose documents are assumed to be unchanged if their index says so.
        """
        self._previous = previous
        self._store = store
        self._run_id = run_id
        self.seeds: Seeds | None = None
        self.is_whole = False
        self._outcomes: dict[int, KnownOutcome] = {}
        self._reach = 0
        if (stored := read_begin(store, run_id)) is not None:
            with stored_values(store.path, f"the start of run {run_id}"):
                self._load(stored, targets)

    def was_read(self, number: int) -> bool | None:
        """Return whether an earlier process read a document; False if a limit excluded it, None if unknown."""
        if number in self._outcomes:
            return True
        return False if self.knows(number) else None

    def knows(self, number: int) -> bool:
        """Return whether an earlier process recorded this document."""
        return self.is_whole or number < self._reach

    def outcome(self, number: int, source: Source) -> KnownOutcome | None:
        """Return the recorded outcome of a document, once, or that of the previous run; None if there is neither."""
        outcome = self._outcomes.pop(number, None)
        if outcome is None and self._previous is not None:
            return self._previous.outcome(number, source)
        return outcome

    def children(self, resumed: Resumed) -> Sequence[Table]:
        """Return the entries of a recorded index; none for other documents."""
        if resumed.facts["kind"] != "sitemapindex":
            return ()
        if isinstance(resumed, Assumed):
            assert self._previous is not None
            return self._previous.children(resumed)
        return list(read_children(self._store, self._run_id, resumed.number))

    def rows(self, numbers: Sequence[int]) -> Iterator[dict[str, Table]]:
        unchanged = {} if self._previous is None else self._previous.among(numbers)
        if own := [number for number in numbers if number not in unchanged]:
            yield from read_rows(self._store, self._run_id, own)
        if unchanged and self._previous is not None:
            yield from self._previous.rows(unchanged)

    @property
    def notes(self) -> Sequence[str]:
        """Notes on documents that were not requested."""
        return () if self._previous is None else self._previous.notes

    def _load(self, stored: Mapping[str, Any], targets: Sequence[str]) -> None:
        by_name: dict[str, list[str]] = {}
        for target in targets:
            by_name.setdefault(mask_target(target), []).append(target)
        sources = [_source(source, by_name) for source in stored["sources"]]
        unreadable = [Unreadable(**failure) for failure in stored["unreadable"]]
        # A run that an older urlset began has no keys.
        keys = [KeyHint(**{**key, "way": KeyWay(key["way"])}) for key in stored.get("keys", ())]
        self.seeds = Seeds(sources, {}, unreadable, list(stored["notes"]), keys)
        robots = dict(read_robots_files(self._store, self._run_id))
        for row in read_documents(self._store, self._run_id):
            number = row["document_id"]
            facts = DocumentFacts(row)
            if number in robots:
                self._outcomes[number] = RobotsTxt(facts, robots[number])
            else:
                self._outcomes[number] = Unfetched(facts) if row["kind"] is None else Resumed(facts)
        for ending_of, kind, values in read_endings(self._store, self._run_id):
            if kind == READ_TO_THE_END:
                self.is_whole = True
            elif ending_of is not None:
                self._outcomes[ending_of] = _without_row(ending_of, kind, values)
        self._reach = max(self._outcomes, default=-1) + 1


def _source(values: Mapping[str, Any], by_name: Mapping[str, list[str]]) -> Source:
    """Return one of the first documents of the run, with its password from the targets given now."""
    via = values.get("via")
    if values["found_by"] == "given" and (again := by_name.get(str(values["place"]))):
        values = {**values, "place": again.pop(0)}
    return Source(**{**values, "kind": SourceKind(values["kind"]), "via": None if via is None else Origin(*via)})


def _without_row(number: int, kind: str, values: Mapping[str, Any]) -> KnownOutcome:
    """Return the outcome of a document that has no row in `documents`."""
    final_url = values.get("final_url")
    match kind:
        case "read-as":
            return DuplicateOf(number, values["owner"], values["final_url"])
        case "unreadable":
            return UnreadableDocument(number, Unreadable(values["target"], values["reason"]), final_url)
        case _:
            return NotSitemap(number, SkippedFile(**values))
