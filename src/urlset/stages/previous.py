"""The previous run of an audit: its documents are assumed unchanged if their index still lists the same lastmod."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset import _core
from urlset.documents import DocumentFacts
from urlset.sources import SourceKind
from urlset.stages.outcomes import Assumed
from urlset.store.run_documents import read_children, read_documents
from urlset.store.unchanged import (
    RUNS_IN_BETWEEN,
    previous_run,
    runs_without_all,
    stale_lastmods,
    trusted_documents,
)
from urlset.tables import STALE_LASTMODS
from urlset.text.sizes import inflect, quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset._core import Table
    from urlset.sources import Source
    from urlset.store.file import Store
    from urlset.store.run import Run


class PreviousRun:
    """The last finished run on the same targets."""

    def __init__(self, store: Store, run_id: int) -> None:
        """Load the documents that may be taken from the previous run, `run_id`."""
        self._store = store
        self._run_id = run_id
        self._reason_to_request_all = _reason_to_request_all(store, run_id)
        self._lastmods = {} if self._reason_to_request_all else trusted_documents(store, run_id)
        self._documents: dict[str, DocumentFacts] = {}
        if self._lastmods:
            rows = (row for row in read_documents(store, run_id) if row["document_id"] in self._lastmods)
            self._documents = {row["url"]: DocumentFacts(row) for row in rows}
        self._unchanged_sitemaps: set[int] = set()

    @classmethod
    def of(cls, store: Store, run_id: int) -> PreviousRun | None:
        """Return the run before a run; None for the first run."""
        before = previous_run(store, run_id)
        return None if before is None else cls(store, before)

    def outcome(self, number: int, source: Source) -> Assumed | None:
        """Return a document as it was in the previous run; None if it has to be requested."""
        if source.kind is not SourceKind.URL or source.found_by != "index" or source.is_robots:
            return None
        facts = self._documents.get(source.name)
        if facts is None or source.lastmod is None or source.lastmod != self._lastmods[facts["document_id"]]:
            return None
        previous_id = int(facts["document_id"])
        self._unchanged_sitemaps.add(number)
        now = {
            "document_id": number,
            "parent_id": source.parent_id,
            "parent_ordinal": source.parent_ordinal,
            "depth": source.depth,
            "assumed_from": self._run_id,
        }
        return Assumed(DocumentFacts({**facts, **now}), previous_id)

    def children(self, assumed: Assumed) -> Sequence[Table]:
        """Return the entries of an index; none for other documents."""
        if assumed.facts["kind"] != "sitemapindex":
            return ()
        return list(read_children(self._store, self._run_id, assumed.previous_id))

    @property
    def notes(self) -> Sequence[str]:
        """Notes on sitemaps that were assumed to be unchanged, or on why all were requested."""
        if self._reason_to_request_all:
            return (f"all sitemaps were requested, because {self._reason_to_request_all}",)
        if not self._unchanged_sitemaps:
            return ()
        what = quantity(len(self._unchanged_sitemaps), "sitemap was", "sitemaps were")
        lastmods = inflect(len(self._unchanged_sitemaps), "its lastmod", "their lastmods")
        return (f"{what} not requested but taken from run {self._run_id}: {lastmods} in the index did not change",)

    def record_changed(self, run: Run) -> None:
        """Store which documents were requested and differ although their lastmod does not.

        Raises:
            OutputError: They cannot be written.
        """
        run.add_rows(STALE_LASTMODS.name, stale_lastmods(self._store, run.run_id, self._run_id))
        run.commit()


def _reason_to_request_all(store: Store, run_id: int) -> str | None:
    """Return why all documents must be requested; None if those of the previous run may be taken."""
    version = store.run(run_id).version
    if version != _core.__version__:
        # Another version may have read other facts of the same bytes.
        return f"run {run_id} is of urlset {version}"
    if runs_without_all(store, run_id) >= RUNS_IN_BETWEEN:
        return f"the last {RUNS_IN_BETWEEN} runs trusted their lastmods"
    return None
