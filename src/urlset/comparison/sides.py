"""The sides of a comparison, as two runs in one database: stores are attached, and targets are read into it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from urlset.comparison.run_database import COMPARED, RunDatabase
from urlset.documents import DocumentFacts
from urlset.engine.row_groups import RowGroups
from urlset.errors import InputError, UsageError
from urlset.model.comparison import Gaps
from urlset.sources import is_url, url_of
from urlset.stages.judge import JudgePlan, judge
from urlset.stages.named import at_sites, trust_with_store
from urlset.stages.outcomes import ReadSummary, read_to_end
from urlset.stages.record import record_findings
from urlset.stages.tee import tee
from urlset.store.run import Run
from urlset.tables import CUTS
from urlset.text.masking import mask_target
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset.comparison.compare import Comparer
    from urlset.comparison.run_tables import RunTables
    from urlset.engine.memory_database import MemoryConnection
    from urlset.model.audit import PageCounts
    from urlset.model.run import RunRow
    from urlset.net.trust import Trust
    from urlset.options.comparing import DiffOptions
    from urlset.options.fetching import FetchingOptions
    from urlset.options.verbs import InspectOptions, ValidateOptions
    from urlset.sources import Target
    from urlset.stages.session import Session
    from urlset.store.file import Store

STORE_SUFFIX = ".duckdb"

GAPS_NAMED = 10
"""Maximum number of incomplete documents of a side to name when URLs are listed."""


class ComparedSide(Struct, frozen=True):
    """A side as a run in the database of a comparison.

    Attributes:
        store: The store of the run.
        run: Its tables there.
        row: Its row of `runs`.
        name: Name to show.
        is_judged: Whether rules were run on it.
        is_named: Whether it is an existing run given by the user.
        summary: What could not be read, what was skipped, and notes.
        has_every_page: Whether it has every page of a directory, listed or not.
    """

    store: Store
    run: RunTables
    row: RunRow
    name: str
    is_judged: bool
    is_named: bool
    summary: ReadSummary
    has_every_page: bool = False


class Sides(Struct, frozen=True):
    """Both sides of a comparison, and the database with their runs."""

    database: RunDatabase
    before: ComparedSide
    after: ComparedSide


def trust_in_sides(sides: Sequence[str], options: FetchingOptions) -> Trust:
    """Return the trusted hosts: those of the sides that are URLs. What a store says is not trusted."""
    urls = (side for side in sides if store_of(side) is None and url_of(side) is not None)
    return trust_with_store(urls, options)


@contextmanager
def open_sides(
    before: str, after: str, options: DiffOptions, session: Session, output: Path | None = None
) -> Iterator[Sides]:
    """Yield both sides as runs in a temporary database: those of stores, or new ones that targets are read into.

    Args:
        output: A file that the comparison may write.

    Raises:
        InputError: A side cannot be read.
        UsageError: A side is invalid.
    """
    stored = store_of(before), store_of(after)
    sessions = sessions_of((before, after), session)
    plan = JudgePlan.of(options).with_rules() if options.rules else None
    with RunDatabase([store[0] for store in stored if store is not None], output) as database:
        sides = [
            _attached_side(database, side, *store)
            if store is not None
            else _new_side(database, side, options, plan, session)
            for side, store, session in zip((before, after), stored, sessions, strict=True)
        ]
        yield Sides(database, *sides)


def sessions_of(sides: Sequence[str], session: Session) -> list[Session]:
    """Return the session that reads each side: if a side names a preview, the other one is not read from it."""
    is_preview = [_is_preview(side, session.trust) for side in sides]
    if not any(is_preview) or all(is_preview):
        return [session for _ in sides]
    direct = session.without_previews()
    return [session if named else direct for named in is_preview]


def _is_preview(side: str, trust: Trust) -> bool:
    """Return whether a side names a preview instead of its site."""
    return store_of(side) is None and at_sites([side], trust)[0] != side


def _new_side(
    database: RunDatabase,
    side: str,
    options: DiffOptions,
    plan: JudgePlan | None,
    session: Session,
) -> ComparedSide:
    """Read a target into a new run, and judge it if there is a plan."""
    place = database.temporary
    reading = _reading(side, options)
    if plan is None:
        run = Run.begin(place.store, [side], {}, tables=COMPARED)
        summary = _read_urls(run, [side], reading, session)
    else:
        plan = structs.replace(plan, options=reading)
        run = Run.begin(place.store, [side], _settings(plan), tables=COMPARED)
        with database.for_rules() as connection:
            summary = read_and_judge(run, [side], plan, session, connection)
    row = place.store.run(run.run_id)
    if not row.documents:
        reason = summary.unreadable[0].reason if summary.unreadable else "it contains no sitemap"
        raise InputError(mask_target(side), reason)
    name = mask_target(side)
    tables = place.run(run.run_id)
    return ComparedSide(place.store, tables, row, name, plan is not None, is_named=False, summary=summary)


def _attached_side(database: RunDatabase, side: str, path: Path, run_number: int | None) -> ComparedSide:
    from urlset.store.probed import recount
    from urlset.store.results import read_results

    place = database.attach(path)
    with place.store.naming_errors():
        row = place.store.run_of_site(run_number, lambda run_id: f"{path}@{run_id}")
        results = read_results(place.store, row.run_id)
        pages = results.pages and recount(place.store, row.run_id, results.pages)
    if row.finished_at is None:
        raise InputError(mask_target(side), f"run {row.run_id} is unfinished")
    # The other notes of a run are on everything that it did, not only on what it read.
    summary = ReadSummary(results.unreadable, results.skipped, _notes_on_pages(pages))
    name, is_judged = f"{path}, run {row.run_id}", row.errors is not None
    has_every_page = results.links is not None and results.links.basis == "directory"
    return ComparedSide(
        place.store,
        place.run(row.run_id),
        row,
        name,
        is_judged,
        is_named=True,
        summary=summary,
        has_every_page=has_every_page,
    )


def _notes_on_pages(pages: PageCounts | None) -> tuple[str, ...]:
    """Return a note if a run requested only some of the listed pages."""
    if pages is None or pages.checked >= pages.listed:
        return ()
    listed = quantity(pages.listed, "listed page")
    return (f"the run requested only {pages.checked:,} of {listed}, so findings on the others are missing",)


class _GroupedRows:
    """Adds the rows of many documents to a run, in row groups. This run has a single commit."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._groups = RowGroups(lambda table, rows, _: run.add({table: rows}))

    def add(self, batch: Mapping[str, object]) -> None:
        for table, rows in batch.items():
            if columns := self._run.columns(table):
                self._groups.add(table, rows, tuple(columns))

    def remove(self, document_id: int) -> None:
        self._groups.finish()
        self._run.remove(document_id)

    def finish(self) -> None:
        """Add the rows that do not fill a row group."""
        self._groups.finish()


def gaps_of(name: str, side: ComparedSide, comparer: Comparer, limit: int = GAPS_NAMED) -> Gaps:
    """Return what a side lacks.

    Args:
        name: `before` or `after`.
        limit: Maximum number of incomplete documents to name.
    """
    summary = side.summary
    return Gaps(summary.unreadable, comparer.incomplete(name, limit), summary.skipped, summary.notes)


def read_and_judge(
    run: Run,
    targets: Sequence[Target],
    plan: JudgePlan,
    session: Session,
    connection: MemoryConnection | None = None,
) -> ReadSummary:
    """Read and judge targets, and store everything in a run: targets ─> seeds ─> read ─> tee ─> judge ─> record.

    Args:
        connection: A connection to an empty database in memory for the rules; None to open one.

    Raises:
        OutputError: The store cannot be written.
    """
    rows = _GroupedRows(run)
    with session.read(targets, plan.options) as outcomes:
        report = judge(tee(outcomes, rows), plan, connection=connection)
    rows.finish()
    run.add_documents(report.documents)
    run.add_rows(CUTS.name, report.cuts)
    record_findings(run, report, {})
    return ReadSummary(tuple(report.unreadable), tuple(report.skipped), tuple(report.notes))


def _read_urls(run: Run, targets: Sequence[Target], options: InspectOptions, session: Session) -> ReadSummary:
    """Read targets and store what they list in a run: targets ─> seeds ─> read ─> tee."""
    documents: list[DocumentFacts] = []
    summary = ReadSummary()
    rows = _GroupedRows(run)
    with session.read(targets, options) as outcomes:
        for outcome in tee(outcomes, rows):
            if isinstance(outcome, ReadSummary):
                summary = outcome
            elif (facts := read_to_end(outcome)) is not None:
                documents.append(DocumentFacts(facts))
    rows.finish()
    run.add_documents(documents)
    run.add_rows(CUTS.name, summary.cuts)
    urls = sum(int(row["entries"] or 0) for row in documents if row["kind"] != "sitemapindex")
    run.finish({"documents": len(documents), "urls": urls})
    return summary


def _settings(plan: JudgePlan) -> dict[str, object]:
    """Return the record of the rules that a side is judged by."""
    from urlset.store.rules_run import settings_of

    return settings_of(plan.options, plan.rules(), pages=False, images=False, links=False)


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
