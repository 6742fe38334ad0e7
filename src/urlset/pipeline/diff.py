"""`diff`: two sides, each as a run of a store ─> compare.

A side that is a directory of pages is audited as its host would serve it, so that its pages are compared, too.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from urlset.comparison.sides import STORE_SUFFIX, gaps_of, open_sides, sessions_of, store_of, trust_in_sides
from urlset.errors import UsageError
from urlset.files.scratch import Scratch
from urlset.model.comparison import URL_COLUMNS, Comparison, Side, UrlChange
from urlset.model.query import QueryResult
from urlset.options.comparing import UrlSelection
from urlset.options.declare import options_of
from urlset.options.verbs import ValidateOptions
from urlset.stages.session import Session
from urlset.text.masking import mask_target

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.comparison.compare import Comparer
    from urlset.comparison.sides import ComparedSide
    from urlset.hosting.site import FolderSite
    from urlset.model.comparison import FindingChange, Gaps
    from urlset.model.report import Report
    from urlset.net.trust import Trust
    from urlset.options.auditing import AuditOptions
    from urlset.options.comparing import DiffOptions
    from urlset.store.rules_run import AppliedRules
    from urlset.text.progress import Progress


MAX_REMOVED = 10_000
"""Maximum number of removed URLs that are looked up in a later directory."""


def diff(
    before: str,
    after: str,
    options: DiffOptions,
    progress: Progress | None = None,
    trust: Trust | None = None,
    *,
    with_new_findings: bool = False,
) -> Comparison:
    """Compare two sides.

    If the later side is a directory of pages, removed URLs are looked up in it to see whether they redirect.

    Args:
        before: The earlier side: a store (`FILE.duckdb` for its latest finished run, `FILE.duckdb@3` for run 3), or a
            target as for `validate`.
        progress: Called after each document.
        trust: Trusted hosts; by default those of the sides.
        with_new_findings: Whether to add the report of the later side with its new findings only.

    Raises:
        InputError: A side cannot be read.
        UsageError: A side is invalid, or the base URL of a directory cannot be inferred.
    """
    from urlset.comparison.compare import Comparer
    from urlset.comparison.new_findings import new_findings
    from urlset.stages.finding_files import with_files
    from urlset.stages.named import trust_in_folder

    trust = trust or trust_in_sides((before, after), options)
    sites = _sites((before, after), options)
    if any(sites):
        for side, site in zip((before, after), sites, strict=True):
            if site is None:
                _check_side(side, options)
    with ExitStack() as stack:
        store = stack.enter_context(Scratch()).path / f"sides{STORE_SUFFIX}"
        audits = [
            None if site is None else _audit(side, site, store, options, progress)
            for side, site in zip((before, after), sites, strict=True)
        ]
        session = stack.enter_context(Session(options, trust, progress))
        of_removed = sessions_of((before, after), session)[1]
        if (new_site := sites[1]) is not None:
            of_removed = stack.enter_context(Session(options, trust_in_folder(new_site)))
            options = replace(options, ask_removed=options.ask_removed or MAX_REMOVED)
        places = [
            side if audited is None else audited.place for side, audited in zip((before, after), audits, strict=True)
        ]
        sides = stack.enter_context(open_sides(places[0], places[1], options, session))
        old, new = (
            side if audited is None else audited.side(side)
            for side, audited in zip((sides.before, sides.after), audits, strict=True)
        )
        comparer = Comparer(sides.database, old.run, new.run, options.max_examples)
        old_side, old_rules = _describe_side("before", old, comparer, options.max_examples)
        new_side, new_rules = _describe_side("after", new, comparer, options.max_examples)
        lastmod, moved = comparer.lastmods()
        urls = comparer.one_sided()
        has_every_page = all(site or side.has_every_page for site, side in zip(sites, (old, new), strict=True))
        renamed, new_unlisted = comparer.folder_pages() if has_every_page else (None, None)
        removed = None
        if options.ask_removed is not None:
            from urlset.comparison.removed_urls import removed_url_results

            removed = removed_url_results(comparer, options.ask_removed, options.max_examples, of_removed.site)
        findings: tuple[FindingChange, ...] | None = None
        only_after: tuple[str, ...] = ()
        report: Report | None = None
        if old.is_judged and new.is_judged:
            findings, only_after = comparer.findings(old_rules, new_rules)
            if with_new_findings:
                report = new_findings(old, new, findings)
                if new_site is not None and report.findings:
                    report = with_files(report, new_site, None)
        robots, llms = comparer.site_file_changes()
        return Comparison(
            before=old_side,
            after=new_side,
            added=urls.added,
            removed=urls.removed,
            respelled=urls.respelled,
            respelled_added=urls.respelled_added,
            moved_pages=urls.moved,
            renamed_pages=renamed,
            new_unlisted=new_unlisted,
            lastmod=lastmod,
            moved=moved,
            children_added=comparer.children("after", "before"),
            children_removed=comparer.children("before", "after"),
            findings=findings,
            new_findings=report,
            only_after=only_after,
            removed_urls=None if removed is None else removed.part,
            removed_url_counts=None if removed is None else removed.counts,
            moved_lost=0 if removed is None else removed.moved_lost,
            max_drop=options.max_drop,
            unindexed=comparer.unindexed_pages(),
            pages=comparer.page_changes(options.changes),
            robots=robots,
            llms=llms,
        )


def _check_side(side: str, options: DiffOptions) -> None:
    """Check that a store or file can be opened, before the other side is audited, which can take long.

    Raises:
        InputError: It cannot be opened, or the store has no such run.
        UsageError: It is invalid, or the store has runs of several sites.
    """
    from urlset.fetch import fetch
    from urlset.sources.targets import SourceKind, sources_of

    if (stored := store_of(side)) is not None:
        from urlset.store.file import Store

        path, run_number = stored
        with Store.read(path) as store:
            store.run_of_site(run_number, lambda run_id: f"{path}@{run_id}")
        return
    for source in sources_of(side):
        if source.kind is SourceKind.PATH:
            fetch(source, options)


def _sites(sides: Sequence[str], options: DiffOptions) -> list[FolderSite | None]:
    """Return the directories of pages among the sides; none if rules do not run, as then only URLs are compared.

    Raises:
        UsageError: There is no such directory although a base URL or a host is given, or its base URL is unknown.
    """
    sites: list[FolderSite | None] = [None, None]
    directories = [options.rules and store_of(side) is None and Path(side).is_dir() for side in sides]
    if any(directories):
        from urlset.stages.folder_audit import folder_site

        sites = [
            folder_site([side], options) if is_directory else None
            for side, is_directory in zip(sides, directories, strict=True)
        ]
    if options.asked is not None and not any(sites):
        raise UsageError(f"{options.asked} applies to a directory of pages, and neither side is one")
    return sites


class _Audited(Struct, frozen=True):
    """A directory of pages that was audited into a temporary store: a side as a run of it."""

    directory: str
    place: str
    notes: tuple[str, ...]

    def side(self, stored: ComparedSide) -> ComparedSide:
        """Return the run as the side that the user named."""
        summary = structs.replace(stored.summary, notes=self.notes)
        return structs.replace(stored, name=mask_target(self.directory), is_named=False, summary=summary)


def _audit(side: str, site: FolderSite, store: Path, options: DiffOptions, progress: Progress | None) -> _Audited:
    from urlset.pipeline.audit import audit_opened

    audited = audit_opened([side], site, _auditing(options, store), progress)
    return _Audited(side, f"{store}@{audited.run_id}", tuple(audited.report.notes))


def _auditing(options: DiffOptions, store: Path) -> AuditOptions:
    from urlset.options.auditing import AuditOptions

    shared = {option.name: getattr(options, option.name) for option in options_of(ValidateOptions)}
    shared |= {"base_url": options.base_url, "host": options.host, "robots": True}
    return AuditOptions(**shared, store=store)


@contextmanager
def changed_urls(
    before: str,
    after: str,
    selection: UrlSelection,
    options: DiffOptions,
    progress: Progress | None = None,
    parquet: Path | None = None,
) -> Iterator[tuple[QueryResult, tuple[Gaps, Gaps]]]:
    """Compare the URLs of two sides, and yield every URL that differs.

    Args:
        before: The earlier side, as for `diff`.
        parquet: A file to write all rows to; the rows are then not yielded.

    Yields:
        The rows, to be read inside the context, and what each side lacks.

    Raises:
        InputError: A side cannot be read.
        UsageError: A side is invalid.
    """
    from urlset.comparison.url_differences import UrlDifferences

    reading = replace(options, rules=False)
    trust = trust_in_sides((before, after), reading)
    changes = list(UrlChange) if selection is UrlSelection.ALL else [UrlChange(selection.value)]
    with (
        Session(reading, trust, progress) as session,
        open_sides(before, after, reading, session, parquet) as sides,
    ):
        old, new = sides.before, sides.after
        differences = UrlDifferences(sides.database, old.run, new.run, 0)
        differences.find(changes)
        rows: Iterator[tuple[object, ...]] = iter(())
        if parquet:
            differences.write_urls(parquet)
        else:
            rows = differences.urls()
        gaps = gaps_of("before", old, differences), gaps_of("after", new, differences)
        yield QueryResult(URL_COLUMNS, ("VARCHAR",) * len(URL_COLUMNS), rows), gaps


def _describe_side(name: str, side: ComparedSide, comparer: Comparer, limit: int) -> tuple[Side, AppliedRules]:
    """Return a side for the report, and the rules it was judged by."""
    from urlset.store.rules_run import AppliedRules

    side_summary = Side(
        side.name,
        side.row.run_id if side.is_named else None,
        side.row.started_at,
        side.row.documents or 0,
        comparer.url_count(name),
        gaps_of(name, side, comparer, limit),
    )
    return side_summary, AppliedRules.of(side.row)
