"""The ledger of a reading: what became of each document, in a store, so that a reading that was killed goes on.

Documents come to their ends in the order of their numbers, and are committed in it. So what an earlier process
committed is a beginning of the whole: what is in it is taken from the store, and what comes after it is asked for.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from urlset.config import ExpandOptions, shown_target
from urlset.documents import Facts
from urlset.errors import Unreadable
from urlset.model.document import LeftOut
from urlset.net.origin import Origin
from urlset.pipeline.outcomes import Came, Known, ReadAs, RobotsTxt, Unfetched
from urlset.pipeline.start import Found
from urlset.sources import Source, SourceKind
from urlset.store.reading import (
    READ_TO_THE_END,
    keep_begun,
    keep_ending,
    keep_robots,
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
    from urlset.pipeline.outcomes import Ending
    from urlset.store.file import Store
    from urlset.store.run import Run


class Ledger:
    """What became of the documents of a run, and becomes of them.

    Attributes:
        begun: What an earlier process found to begin with; None if there was none, or it did not come that far.
        bounds: How far it followed indexes.
        is_whole: Whether everything was read.
    """

    def __init__(self, store: Store, run: Run, targets: Sequence[str] = ()) -> None:
        """Takes up what is known.

        Args:
            store: The store.
            run: The run in it.
            targets: What the user gives now: passwords in addresses are not kept.
        """
        self._given: dict[str, list[str]] = {}
        for target in targets:
            self._given.setdefault(shown_target(target), []).append(target)
        self._store = store
        self._run = run
        self._rows: list[Facts] = []
        self.begun: Found | None = None
        self.bounds: ExpandOptions | None = None
        self.is_whole = False
        self._endings: dict[int, Known | Unfetched | RobotsTxt | ReadAs | Unreadable | LeftOut] = {}
        self._final_urls: dict[int, str] = {}
        self._reach = 0
        if (begun := kept_begun(store, run.run_id)) is not None:
            self._recall(begun)

    def begin(self, found: Found, bounds: ExpandOptions | None) -> None:
        """Commits what a run begins with."""
        facts = {
            "sources": [dataclasses.asdict(_without_password(source)) for source in found.sources],
            "unreadable": [dataclasses.asdict(one) for one in found.unreadable],
            "notes": found.notes,
            "bounds": None if bounds is None else dataclasses.asdict(bounds),
        }
        keep_begun(self._run, facts)
        self.commit()

    # What is known.

    def settled(self, number: int) -> bool | None:
        """Whether an earlier process took a document, or left it out for a bound; None if it did not come so far."""
        if number in self._endings:
            return True
        return False if self.is_whole or number < self._reach else None

    def ending(self, number: int) -> Known | Unfetched | RobotsTxt | ReadAs | Unreadable | LeftOut | None:
        """What became of a document; None if that is not known. It is told once."""
        return self._endings.pop(number, None)

    def final_url(self, number: int) -> str | None:
        """Where the redirects of a document that has an ending led; None if it was not asked for."""
        return self._final_urls.pop(number, None)

    def children(self, facts: Mapping[str, Any]) -> Sequence[Table]:
        """What a document lists that has an ending."""
        if facts["kind"] != "sitemapindex":
            return ()
        return list(kept_children(self._store, self._run.run_id, facts["document_id"]))

    def rows(self, numbers: Sequence[int]) -> Iterator[dict[str, Table]]:
        """The rows of documents that have an ending, some at a time."""
        return kept_rows(self._store, self._run.run_id, numbers)

    # What becomes known.

    def note(self, number: int, ending: Ending[Any], final_url: str | None) -> None:
        """Takes what became of a document, whose rows are in the run; they are committed together."""
        match ending:
            case Known():
                return
            case Came(reader=reader):
                self._rows.append(Facts(reader.facts))
            case Unfetched(facts):
                self._rows.append(Facts(facts))
            case RobotsTxt(facts, robots):
                self._rows.append(Facts(facts))
                keep_robots(self._run, number, robots)
            case ReadAs(owner=owner):
                keep_ending(self._run, number, "read-as", {"owner": owner, "final_url": final_url})
            case Unreadable():
                keep_ending(self._run, number, "unreadable", {**dataclasses.asdict(ending), "final_url": final_url})
            case LeftOut():
                keep_ending(self._run, number, "left-out", dataclasses.asdict(ending))
        if self._run.is_commit_due:
            self.commit()

    def end(self) -> None:
        """Commits that everything was read."""
        keep_ending(self._run, None, READ_TO_THE_END, {})
        self.commit()

    def commit(self) -> None:
        """Commits what was noted."""
        self._run.add_documents(self._rows)
        self._rows = []
        self._run.commit()

    def _recall(self, begun: Mapping[str, Any]) -> None:
        run_id = self._run.run_id
        sources = [self._source(one) for one in begun["sources"]]
        unreadable = [Unreadable(**one) for one in begun["unreadable"]]
        self.begun = Found(sources, {}, unreadable, list(begun["notes"]))
        self.bounds = None if begun["bounds"] is None else ExpandOptions(**begun["bounds"])
        robots = dict(kept_robots(self._store, run_id))
        for row in kept_documents(self._store, run_id):
            number = row["document_id"]
            facts = Facts(row)
            self._final_urls[number] = row["final_url"]
            if number in robots:
                self._endings[number] = RobotsTxt(facts, robots[number])
            else:
                self._endings[number] = Unfetched(facts) if row["kind"] is None else Known(facts)
        for ending_of, kind, values in kept_endings(self._store, run_id):
            self._recall_ending(ending_of, kind, values)
        self._reach = max(self._endings, default=-1) + 1

    def _source(self, kept: Mapping[str, Any]) -> Source:
        """A document that the run began with."""
        via = kept.get("via")
        if kept["found_by"] == "given" and (given := self._given.get(str(kept["place"]))):
            kept = {**kept, "place": given.pop(0)}
        return Source(**{**kept, "kind": SourceKind(kept["kind"]), "via": None if via is None else Origin(*via)})

    def _recall_ending(self, number: int | None, kind: str, facts: dict[str, Any]) -> None:
        if number is None:
            self.is_whole = True
            return
        final_url = facts.pop("final_url", None)
        if final_url is not None:
            self._final_urls[number] = final_url
        match kind:
            case "read-as":
                self._endings[number] = ReadAs(facts["owner"], final_url)
            case "unreadable":
                self._endings[number] = Unreadable(**facts)
            case _:
                self._endings[number] = LeftOut(**facts)


def _without_password(source: Source) -> Source:
    """What is kept of a document that a run begins with: the user's passwords are not."""
    if source.found_by != "given" or not isinstance(source.place, str):
        return source
    return dataclasses.replace(source, place=shown_target(source.place))
