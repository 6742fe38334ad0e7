"""The sides of a comparison: each is a run of a store, either an existing one or a new one for a target."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.comparison.deferred import DeferredDocuments, OtherFiles
from urlset.comparison.shared_documents import signature_of, signatures_in, signed_values_in
from urlset.comparison.side_rows import SideRows
from urlset.documents import DocumentFacts
from urlset.errors import InputError, UsageError
from urlset.model.comparison import Gaps
from urlset.sources import is_url, url_of
from urlset.stages.judge import JudgePlan, judge
from urlset.stages.named import trust_with_store
from urlset.stages.outcomes import ReadSummary, read_to_end
from urlset.stages.record import record_findings
from urlset.stages.ruleset import rules_of
from urlset.stages.tee import tee_each
from urlset.tables import CUTS
from urlset.text.masking import mask_target
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from urlset.comparison.compare import Comparer
    from urlset.comparison.shared_documents import Signature
    from urlset.comparison.side_rows import ReadAgain
    from urlset.model.audit import PageCounts
    from urlset.model.run import RunRow
    from urlset.net.trust import Trust
    from urlset.options.comparing import DiffOptions
    from urlset.options.fetching import FetchingOptions
    from urlset.options.verbs import InspectOptions, ValidateOptions
    from urlset.sources import Source, Target
    from urlset.stages.outcomes import DocumentRead, Outcome
    from urlset.stages.session import Session
    from urlset.stages.tee import TableSink
    from urlset.store.run import Run

STORE_SUFFIX = ".duckdb"

GAPS_NAMED = 10
"""Maximum number of incomplete documents of a side to name when URLs are listed."""


@dataclass(frozen=True, slots=True)
class StoredSide:
    """A side as a run of a store.

    Attributes:
        row: Its row of `runs`.
        name: Name to show.
        is_judged: Whether rules were run on it.
        is_named: Whether it is an existing run given by the user.
        summary: What could not be read, what was skipped, and notes.
        signatures: The signatures of its documents if the other side is a target; none if another version of urlset
            read them.
        unstored: Documents whose rows are not stored, because the other side has the same.
        read_again: Reads documents again whose rows are not stored; None if all are.
    """

    path: Path
    row: RunRow
    name: str
    is_judged: bool
    is_named: bool
    summary: ReadSummary
    signatures: frozenset[Signature] = frozenset()
    unstored: frozenset[int] = frozenset()
    read_again: ReadAgain | None = None

    @property
    def run(self) -> tuple[Path, int]:
        """The store, and the run in it."""
        return self.path, self.row.run_id


def trust_in_sides(sides: Sequence[str], options: FetchingOptions) -> Trust:
    """Return the trusted hosts: those of the sides that are URLs. What a store says is not trusted."""
    urls = (side for side in sides if store_of(side) is None and url_of(side) is not None)
    return trust_with_store(urls, options)


def stored_sides(
    before: str,
    after: str,
    folder: Path,
    options: DiffOptions,
    session: Session,
    *,
    skip_unchanged: bool = True,
    can_read_again: bool = False,
) -> tuple[StoredSide, StoredSide]:
    """Return both sides as runs of stores: existing ones, or new ones that the targets are read into.

    Args:
        folder: A temporary directory for new stores.
        skip_unchanged: Whether to leave out URLs of the later side in documents that the earlier side has, too.
        can_read_again: Whether to store only hashes of URLs of the earlier side in files that the later side may have,
            too; `read_again` of the earlier side then returns their rows.

    Raises:
        InputError: A side cannot be read.
        UsageError: A side is invalid.
    """
    other_files = OtherFiles.of(after) if can_read_again else None
    old = _stored_side(
        before,
        folder / f"before{STORE_SUFFIX}",
        options,
        session,
        other_files=other_files,
        reads_signatures=skip_unchanged and store_of(after) is None,
    )
    new_file = folder / f"after{STORE_SUFFIX}"
    return old, _stored_side(after, new_file, options, session, signatures=old.signatures)


def _stored_side(
    side: str,
    place: Path,
    options: DiffOptions,
    session: Session,
    *,
    signatures: frozenset[Signature] = frozenset(),
    other_files: OtherFiles | None = None,
    reads_signatures: bool = False,
) -> StoredSide:
    """Return a side as a run of a store.

    Args:
        side: The target, or the store with the number of a run.
        place: The file of a new store.
        signatures: The signatures of the other side's documents, which need not be stored again.
        other_files: The files of the other side if it is read later; None to store all rows.
        reads_signatures: Whether to read the signatures of its documents, which the other side needs.
    """
    from urlset.comparison.compare import COMPARED, READ
    from urlset.store.file import LITTLE_MEMORY, READING_MEMORY, Store
    from urlset.store.run import Run

    if (stored := store_of(side)) is not None:
        return _run_of_store(side, *stored, reads_signatures=reads_signatures)
    with Store.create(place, READ) as store:
        reading = _reading(side, options)
        run = Run.begin(store, [side], _settings(reading) if options.rules else {}, tables=COMPARED)
        copied = Copied(run, signatures, other_files)
        if options.rules:
            with store.holding(READING_MEMORY, threads=1):
                summary = read_and_judge(copied, [side], reading, session)
        else:
            # Rows are only written here, so that what DuckDB keeps of them in memory would be of no use.
            with store.holding(LITTLE_MEMORY, threads=1):
                summary = _read_urls(copied, [side], reading, session)
        row = store.run(run.run_id)
        own_signatures = signatures_in(store, row) if reads_signatures else frozenset()
        read_again = None
        if other_files is not None:
            read_again = DeferredDocuments(copied.sources, signed_values_in(store, run.run_id), reading).rows
    if not row.documents:
        reason = summary.unreadable[0].reason if summary.unreadable else "it contains no sitemap"
        raise InputError(mask_target(side), reason)
    return StoredSide(
        place,
        row,
        mask_target(side),
        options.rules,
        is_named=False,
        summary=summary,
        signatures=own_signatures,
        unstored=frozenset(copied.unstored),
        read_again=read_again,
    )


def _run_of_store(side: str, path: Path, run_number: int | None, *, reads_signatures: bool) -> StoredSide:
    from urlset.store.file import Store
    from urlset.store.probed import recount
    from urlset.store.results import read_results

    with Store.read(path) as store:
        row = store.run_of_site(run_number, lambda run_id: f"{path}@{run_id}")
        results = read_results(store, row.run_id)
        pages = results.pages and recount(store, row.run_id, results.pages)
        signatures = signatures_in(store, row) if reads_signatures else frozenset()
    if row.finished_at is None:
        raise InputError(mask_target(side), f"run {row.run_id} is unfinished")
    name = f"{path}, run {row.run_id}"
    # The other notes of a run are on everything that it did, not only on what it read.
    summary = ReadSummary(results.unreadable, results.skipped, _notes_on_pages(pages))
    is_judged = row.errors is not None
    return StoredSide(path, row, name, is_judged, is_named=True, summary=summary, signatures=signatures)


def _notes_on_pages(pages: PageCounts | None) -> tuple[str, ...]:
    """Return a note if a run requested only some of the listed pages."""
    if pages is None or pages.checked >= pages.listed:
        return ()
    listed = quantity(pages.listed, "listed page")
    return (f"the run requested only {pages.checked:,} of {listed}, so findings on the others are missing",)


@dataclass(frozen=True, slots=True)
class Copied:
    """Copies the rows of documents to a run. Their URLs are left out if the other side has the same document.

    Attributes:
        known_signatures: The signatures of the other side's documents.
        other_files: The files of the other side, of which only hashes of the URLs are stored; None to store all rows.
        unstored: The documents whose URLs were left out.
        sources: The documents of which hashes were stored, by number.
    """

    run: Run
    known_signatures: frozenset[Signature] = frozenset()
    other_files: OtherFiles | None = None
    unstored: set[int] = field(default_factory=set)
    sources: dict[int, Source] = field(default_factory=dict)

    def tee(self, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
        """Copy the rows while the next stage reads them. This run is never resumed, so it has a single commit."""
        rows = SideRows(self.run, has_hashes=self.other_files is not None)
        yield from tee_each(outcomes, lambda document: self._sink_of(document, rows))
        rows.finish()

    def _sink_of(self, document: DocumentRead, rows: SideRows) -> TableSink:
        # A document has its signature by now if all of its rows are in memory.
        if signature_of(document.facts) in self.known_signatures:
            self.unstored.add(document.number)
            return rows.without_urls
        if self.other_files is not None and self.other_files.may_include(document.source):
            self.sources[document.number] = document.source
            return rows.with_hashes
        return rows.all_rows


def gaps_of(name: str, side: StoredSide, comparer: Comparer, limit: int = GAPS_NAMED) -> Gaps:
    """Return what a side lacks.

    Args:
        name: `before` or `after`.
        limit: Maximum number of incomplete documents to name.
    """
    summary = side.summary
    return Gaps(summary.unreadable, comparer.incomplete(name, limit), summary.skipped, summary.notes)


def read_and_judge(
    copied: Copied,
    targets: Sequence[Target],
    options: ValidateOptions,
    session: Session,
) -> ReadSummary:
    """Read and judge targets, and store everything in a run: targets ─> seeds ─> read ─> tee ─> judge ─> record.

    Raises:
        OutputError: The store cannot be written.
    """
    plan = JudgePlan.of(options)
    with session.read(targets, plan.options) as outcomes:
        report = judge(copied.tee(outcomes), plan)
    copied.run.add_documents(report.documents)
    copied.run.add_rows(CUTS.name, report.cuts)
    record_findings(copied.run, report, {})
    return ReadSummary(tuple(report.unreadable), tuple(report.skipped), tuple(report.notes))


def _read_urls(copied: Copied, targets: Sequence[Target], options: InspectOptions, session: Session) -> ReadSummary:
    """Read targets and store what they list in a run: targets ─> seeds ─> read ─> tee."""
    rows: list[DocumentFacts] = []
    summary = ReadSummary()
    with session.read(targets, options) as outcomes:
        for outcome in copied.tee(outcomes):
            if isinstance(outcome, ReadSummary):
                summary = outcome
            elif (facts := read_to_end(outcome)) is not None:
                rows.append(DocumentFacts(facts))
    copied.run.add_documents(rows)
    copied.run.add_rows(CUTS.name, summary.cuts)
    urls = sum(int(row["entries"] or 0) for row in rows if row["kind"] != "sitemapindex")
    copied.run.finish({"documents": len(rows), "urls": urls})
    return summary


def _settings(options: ValidateOptions) -> dict[str, object]:
    """Return the record of the rules that a side is judged by."""
    from urlset.store.rules_run import settings_of

    return settings_of(
        options, rules_of(options, options.now or datetime.now(UTC)), pages=False, images=False, links=False
    )


def _reading(side: str, options: ValidateOptions) -> ValidateOptions:
    """Return how a side is read: a site is searched and its indexes followed; local files are complete."""
    return options if url_of(side) is None else replace(options, discover=True, expand=True)


def store_of(side: str) -> tuple[Path, int | None] | None:
    """Return the store and run that a side or target refers to; None if it is not a store.

    Raises:
        UsageError: The text after @ is not a run.
    """
    if is_url(side) or side == "-":
        return None
    name, at, number = side.rpartition("@")
    if at and _is_store(Path(name)):
        if not number.isdecimal() or not number.isascii():
            raise UsageError(f"{side}: the text after @ must be the number of a run, not {number!r}")
        return Path(name), int(number)
    return (Path(side), None) if _is_store(Path(side)) else None


def _is_store(path: Path) -> bool:
    from urlset.database.connections import is_signed
    from urlset.engine.run_folder import is_run_folder

    if path.is_dir():
        return is_run_folder(path)
    if path.is_file():
        with path.open("rb") as file:
            return is_signed(file.read(12))
    return path.suffix == STORE_SUFFIX and not path.exists()
