"""What an earlier process left of a run in a store, so that a run that was killed is resumed where it stopped.

The outcomes of documents are recorded in the order of their numbers. So what an earlier process committed is the
beginning of the whole: what is in it is taken from the store, and what comes after it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlset.documents import Facts
from urlset.errors import Unreadable
from urlset.masking import shown_target
from urlset.model.document import LeftOut
from urlset.net.origin import Origin
from urlset.pipeline.outcomes import (
    DuplicateOf,
    NotSitemap,
    Resumed,
    RobotsTxt,
    Unfetched,
    UnreadableDocument,
)
from urlset.pipeline.seeds import Seeds
from urlset.sources import Source, SourceKind
from urlset.store.reading import (
    READ_TO_THE_END,
    kept_begun,
    kept_children,
    kept_documents,
    kept_endings,
    kept_robots,
    kept_rows,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset._core import Table
    from urlset.pipeline.outcomes import KnownOutcome
    from urlset.store.file import Store


class Earlier:
    """What an earlier process committed of the reading of a run; nothing, for a new run.

    Attributes:
        seeds: What the run begins with; None if that is not known.
        bounds: How far it followed indexes.
        is_whole: Whether everything was read.
    """

    def __init__(self, store: Store, run_id: int, targets: Sequence[str] = ()) -> None:
        """Load what is known.

        Args:
            store: The store.
            run_id: The run in it.
            targets: What the user gives now: passwords in URLs are not kept.
        """
        self._store = store
        self._run_id = run_id
        self.seeds: Seeds | None = None
        self.bounds: Mapping[str, object] | None = None
        self.is_whole = False
        self._outcomes: dict[int, KnownOutcome] = {}
        self._reach = 0
        if (begun := kept_begun(store, run_id)) is not None:
            self._load(begun, targets)

    def settled(self, number: int) -> bool | None:
        """Return whether an earlier process took a document; False if a bound cut it, None if it is not known."""
        if number in self._outcomes:
            return True
        return False if self.knows(number) else None

    def knows(self, number: int) -> bool:
        """Return whether an earlier process came as far as this document."""
        return self.is_whole or number < self._reach

    def outcome(self, number: int) -> KnownOutcome | None:
        """Return what became of a document, once; None if that is not known."""
        return self._outcomes.pop(number, None)

    def children(self, facts: Mapping[str, Any]) -> Sequence[Table]:
        """Return what a document lists that was read."""
        if facts["kind"] != "sitemapindex":
            return ()
        return list(kept_children(self._store, self._run_id, facts["document_id"]))

    def rows(self, numbers: Sequence[int]) -> Iterator[dict[str, Table]]:
        """Return the rows of documents that were read, some at a time."""
        return kept_rows(self._store, self._run_id, numbers)

    def _load(self, begun: Mapping[str, Any], targets: Sequence[str]) -> None:
        given: dict[str, list[str]] = {}
        for target in targets:
            given.setdefault(shown_target(target), []).append(target)
        sources = [_source(one, given) for one in begun["sources"]]
        unreadable = [Unreadable(**one) for one in begun["unreadable"]]
        self.seeds = Seeds(sources, {}, unreadable, list(begun["notes"]))
        self.bounds = begun["bounds"]
        robots = dict(kept_robots(self._store, self._run_id))
        for row in kept_documents(self._store, self._run_id):
            number = row["document_id"]
            facts = Facts(row)
            if number in robots:
                self._outcomes[number] = RobotsTxt(facts, robots[number])
            else:
                self._outcomes[number] = Unfetched(facts) if row["kind"] is None else Resumed(facts)
        for ending_of, kind, values in kept_endings(self._store, self._run_id):
            if kind == READ_TO_THE_END:
                self.is_whole = True
            elif ending_of is not None:
                self._outcomes[ending_of] = _without_row(ending_of, kind, values)
        self._reach = max(self._outcomes, default=-1) + 1


def _source(kept: Mapping[str, Any], given: Mapping[str, list[str]]) -> Source:
    """Return a document that the run began with; its password comes from what the user gives now."""
    via = kept.get("via")
    if kept["found_by"] == "given" and (again := given.get(str(kept["place"]))):
        kept = {**kept, "place": again.pop(0)}
    return Source(**{**kept, "kind": SourceKind(kept["kind"]), "via": None if via is None else Origin(*via)})


def _without_row(number: int, kind: str, values: Mapping[str, Any]) -> KnownOutcome:
    """Return the outcome of a document that has no row in `documents`."""
    final_url = values.get("final_url")
    match kind:
        case "read-as":
            return DuplicateOf(number, values["owner"], values["final_url"])
        case "unreadable":
            return UnreadableDocument(number, Unreadable(values["target"], values["reason"]), final_url)
        case _:
            return NotSitemap(number, LeftOut(**values))
