"""Read the store for the pages of the workbench. The stages decide, not this module."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.coverage.clock import clock_of_run
from urlset.errors import InputError, UsageError
from urlset.monitor.store import MonitorStore, has_rounds
from urlset.options.comparing import DiffOptions
from urlset.pipeline.diff import diff
from urlset.pipeline.report_page import page_of_run
from urlset.pipeline.stored_run import stored_audit
from urlset.report.html.view import by_rule
from urlset.report.pages import headline, sentence_on_pages
from urlset.rules.registry import all_rules
from urlset.rules.rule import Severity
from urlset.serve.processes import call_in_process
from urlset.stages import baseline
from urlset.store.grid import Place, count_rows, grid_places, grid_rows, grid_tables
from urlset.store.page_evidence import page_of_store
from urlset.store.page_list import PageFilter, page_facets, read_pages
from urlset.store.probed import recount
from urlset.store.results import read_results
from urlset.store.sites import by_subject, name_of
from urlset.store.url_facts import url_facts
from urlset.store.url_history import language_links, links_from, url_in_runs
from urlset.text.masking import mask_target

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from urlset.model.audit import AuditResult, PageCounts
    from urlset.model.clock import ClockResult
    from urlset.model.comparison import Comparison
    from urlset.model.monitoring import Alarm, StoredRound, WaitingMessages
    from urlset.model.page_explanation import StoredPage
    from urlset.model.page_list import PageVerdict
    from urlset.model.report import Report
    from urlset.model.report_page import Page
    from urlset.model.run import RunRow
    from urlset.model.url_facts import LanguageLink, UrlFacts, UrlOfRun
    from urlset.report.html.view import RuleGroup
    from urlset.serve.snapshots import Snapshot, Snapshots
    from urlset.store.grid import GridView
    from urlset.tables import Table

ROWS = 100
"""Rows of a page of a table."""

BLOCK = 20 * ROWS
"""Rows whose places are found at once; finding more takes no longer than finding the first."""

MAX_LINKS = 50
"""Maximum links of a page to show."""

LARGE = 500_000
"""Number of URLs from which a run that is read as a whole is read in a separate process."""

FACETS = 30
"""Maximum values of a facet."""

MAX_ROUNDS = 50
"""Rounds of a site to show."""

MAX_CLOSED = 20
"""Alarms to show that are over."""

IGNORED = "ignored"
"""Name of the tried-out severity with which a rule does not run at all."""


@dataclass(frozen=True, slots=True)
class PageSlice:
    """Some pages of a run.

    Attributes:
        after: The place of the last one; None if no page follows.
        counts: All pages of the run in numbers; None if they were not requested.
        facets: The values of the pages with the reason and in the section of the filter.
    """

    pages: Sequence[PageVerdict]
    after: tuple[int, int] | None
    counts: PageCounts | None
    facets: Mapping[str, Sequence[tuple[object, int]]]


@dataclass(frozen=True, slots=True)
class VisibleFindings:
    """The findings of a run, without those that the baseline hides.

    Attributes:
        groups: Its findings by rule, in the order in which to fix them.
        hidden: The entries of the baseline that are in force.
        expired: Entries that are no longer in force, but would hide a finding.
    """

    report: Report
    groups: Sequence[RuleGroup]
    hidden: Sequence[baseline.KnownFinding]
    expired: Sequence[baseline.KnownFinding]


@dataclass(frozen=True, slots=True)
class RowSlice:
    """Some rows of a table.

    Attributes:
        after: Where the next page begins: the place before its block, and the number of rows to skip in it; None if no
            row follows.
        total: Number of rows that the run has in the table.
    """

    rows: Sequence[tuple[object, ...]]
    after: tuple[Place | None, int] | None
    total: int


@dataclass(frozen=True, slots=True)
class UrlRecord:
    """All that a store has about a URL.

    Attributes:
        facts: What the run has.
        stored: Links, crawls, and reports of search engines.
        links_out: The first URLs that its page links to.
    """

    facts: UrlFacts
    stored: StoredPage
    languages: Sequence[LanguageLink]
    links_out: Sequence[str]
    runs: Sequence[UrlOfRun]


@dataclass(frozen=True, slots=True)
class SiteCard:
    """What the first page shows of a site.

    Attributes:
        runs: Number of its runs.
        last: Its newest finished run.
        before: The finished run before that; None if there is none.
        headline: What is known of the pages of the newest run; empty if none was requested.
    """

    name: str
    runs: int
    last: RunRow
    before: RunRow | None
    headline: str


@dataclass(frozen=True, slots=True)
class MonitoredSite:
    """What the rounds of `urlset monitor` found on a site.

    Attributes:
        name: The site, without credentials.
        run_id: The newest finished run of a round that the store still has; None without one.
        runs: All of these runs.
        open: Its open alarms, oldest first.
        closed: The alarms that were closed last, newest first.
        rounds: The last rounds, newest first.
        total: Number of all rounds.
    """

    name: str
    run_id: int | None
    runs: frozenset[int]
    open: Sequence[Alarm]
    closed: Sequence[Alarm]
    rounds: Sequence[StoredRound]
    total: int

    @property
    def has_errors(self) -> bool:
        """Whether an open alarm is about an error."""
        return any(alarm.severity is Severity.ERROR for alarm in self.open)


@dataclass(frozen=True, slots=True)
class Monitored:
    """The sites that `urlset monitor` checks, and the messages that could not be sent so far."""

    sites: Sequence[MonitoredSite]
    waiting: Sequence[WaitingMessages]


def site_cards(snapshot: Snapshot, most: int) -> tuple[list[SiteCard], int]:
    """Return the sites with a finished run, up to a maximum, and the number of the others."""
    finished = [
        (name, len(runs), [run for run in runs if run.finished_at is not None]) for name, runs in sites(snapshot)
    ]
    finished = [site for site in finished if site[2]]
    cards = [
        SiteCard(name, count, runs[-1], runs[-2] if len(runs) > 1 else None, headline_of(snapshot, runs[-1].run_id))
        for name, count, runs in finished[:most]
    ]
    return cards, len(finished) - len(cards)


def sites(snapshot: Snapshot) -> list[tuple[str, Sequence[RunRow]]]:
    """Return the sites of a store with their runs, oldest first; the site with the newest run comes first."""

    def make() -> tuple[list[tuple[str, Sequence[RunRow]]], int]:
        with snapshot.reading() as store:
            groups = by_subject(store.runs())
        return [(name_of(group[-1]), group) for group in reversed(groups)], 10_000

    return snapshot.get_or_make("sites", make)


def monitored(snapshot: Snapshot) -> Monitored:
    """Return the sites that `urlset monitor` checks in a store, those with an open alarm first."""
    with snapshot.reading() as store:
        if not has_rounds(store):
            return Monitored((), ())
        stored = MonitorStore(store, create=False)
        finished = {run.run_id for run in store.runs() if run.finished_at is not None}
        found = []
        for site in stored.sites():
            rounds, total = stored.rounds(site, MAX_ROUNDS)
            runs = {each.run_id for each in rounds} & finished
            newest = next((each.run_id for each in rounds if each.run_id in runs), None)
            alarms, closed = stored.open_alarms(site), stored.closed_alarms(site, MAX_CLOSED)
            found.append(
                MonitoredSite(mask_target(site), newest, frozenset(filter(None, runs)), alarms, closed, rounds, total)
            )
        found.sort(key=lambda site: not site.open)
        return Monitored(tuple(found), stored.waiting_messages())


def run_of(snapshot: Snapshot, run_id: int | None) -> RunRow:
    """Return a run; by default the newest finished one.

    Raises:
        InputError: There is no such run.
    """
    runs = sorted((run for _, group in sites(snapshot) for run in group), key=lambda run: -run.run_id)
    for run in runs:
        if run.run_id == run_id or (run_id is None and run.finished_at is not None):
            return run
    raise InputError(snapshot.path.name, "has no finished run" if run_id is None else f"has no run {run_id}")


def report_page(snapshot: Snapshot, run_id: int, *, is_file: bool = False) -> Page:
    """Return the page of the report of a run; of a large one, changes since the run before are in the file only."""
    if _is_large(snapshot, run_id):
        return call_in_process(partial(page_of_run, is_compared=is_file), snapshot.path, run_id)
    return page_of_run(snapshot.path, run_id)


def _is_large(snapshot: Snapshot, *run_ids: int) -> bool:
    """Return whether what reads all of these runs takes more time and memory than a server should."""
    return any((run_of(snapshot, run_id).urls or 0) > LARGE for run_id in run_ids)


def audit_of(snapshot: Snapshot, run_id: int) -> AuditResult:
    def make() -> tuple[AuditResult, int]:
        audit = stored_audit(snapshot.path, run_id)
        report = audit.report
        examples = sum(len(finding.examples) for finding in report.findings)
        # Measured: about 1 KiB per example, and as much per document and listed page.
        pages = 0 if audit.not_indexable is None else len(audit.not_indexable.pages)
        return audit, 1_000 * (examples + len(report.findings) + len(report.documents) + pages)

    return snapshot.get_or_make(("audit", run_id), make)


def headline_of(snapshot: Snapshot, run_id: int) -> str:
    """Return the first sentence of the report on the pages of a run, without a period; empty if none was requested."""
    pages = stored_page_counts(snapshot, run_id)
    if pages is None or not pages.checked:
        return ""
    if pages.reasons:
        return headline(pages.reasons, pages.checked, is_all=pages.checked == pages.listed)
    # What else keeps pages out of an index is said only of those that nothing on the page keeps out.
    if _is_large(snapshot, run_id):
        return snapshot.get_or_make(
            ("headline", run_id), lambda: (call_in_process(_stored_headline, snapshot.path, run_id), 1_000)
        )
    return sentence_on_pages(pages.reasons, pages, audit_of(snapshot, run_id).report)


def _stored_headline(path: Path, run_id: int) -> str:
    audit = stored_audit(path, run_id)
    return "" if audit.pages is None else sentence_on_pages(audit.pages.reasons, audit.pages, audit.report)


def pages_of(snapshot: Snapshot, run_id: int, chosen: PageFilter, after: tuple[int, int] | None) -> PageSlice:
    """Return the next `ROWS` pages of a run that a filter chooses."""
    # Not of every filter, so that people who filter in different ways share what takes longest.
    widest = PageFilter(chosen.reason, chosen.under)

    counts = stored_page_counts(snapshot, run_id)
    with snapshot.reading() as store:
        pages = read_pages(store, run_id, chosen, ROWS + 1, after)
    shown = pages[:ROWS]
    if counts is not None and counts.checked > LARGE and widest == PageFilter():
        for reason in ("all", "indexable"):
            snapshot.ahead(partial(_facets, snapshot, run_id, PageFilter(reason)))
    return PageSlice(
        [page for page, _ in shown],
        shown[-1][1] if len(pages) > ROWS else None,
        counts,
        _facets(snapshot, run_id, widest),
    )


def _facets(snapshot: Snapshot, run_id: int, chosen: PageFilter) -> Mapping[str, Sequence[tuple[object, int]]]:
    def make() -> tuple[Mapping[str, Sequence[tuple[object, int]]], int]:
        with snapshot.reading() as store:
            return page_facets(store, run_id, chosen, FACETS), 20_000

    return snapshot.get_or_make(("facets", run_id, chosen), make)


def url_of(snapshot: Snapshot, run: RunRow, url: str) -> UrlRecord:
    with snapshot.reading() as store:
        [facts] = url_facts(store, run.run_id, url)
        return UrlRecord(
            facts,
            page_of_store(store, url, run),
            language_links(store, run.run_id, url),
            links_from(store, run.run_id, url, MAX_LINKS + 1),
            url_in_runs(store, url),
        )


def clock_of(snapshot: Snapshot, run: RunRow) -> ClockResult:
    def make() -> tuple[ClockResult, int]:
        with snapshot.reading() as store:
            return clock_of_run(store, run, None, FACETS), 50_000

    return snapshot.get_or_make(("clock", run.run_id), make)


def findings_of(snapshot: Snapshot, run_id: int, path: Path, severities: Mapping[str, str]) -> VisibleFindings:
    """Return the findings of a run, without those that the baseline hides, with severities that are tried out.

    Args:
        path: The baseline, which may not exist.
        severities: By code of a rule, its severity, or `ignored`.
    """
    audit = audit_of(snapshot, run_id)
    report = audit.report.without_quiet()
    hidden: tuple[baseline.KnownFinding, ...] = ()
    expired: tuple[baseline.KnownFinding, ...] = ()
    if path.exists():
        entries, today = baseline.read(path), datetime.now(UTC).date()
        outcome = baseline.compare(report.findings, entries, baseline.names_from(path, report.document_url), today)
        report = structs.replace(
            report.without(outcome.new_findings, "known: it is in the baseline"), known=outcome.known_count
        )
        hidden, expired = tuple(entry for entry in entries if not entry.is_over(today)), outcome.expired_findings
    findings = [
        structs.replace(finding, rule=structs.replace(finding.rule, severity=Severity(severity)))
        if severity is not None
        else finding
        for finding in report.findings
        if (severity := severities.get(finding.rule.code)) != IGNORED
    ]
    report = structs.replace(report, findings=findings)
    return VisibleFindings(report, by_rule(report, audit.not_indexable), hidden, expired)


def severities_of(texts: Sequence[str]) -> dict[str, str]:
    """Return severities to try out, from texts such as `LOC003:warning`.

    Raises:
        UsageError: A rule or a severity does not exist.
    """
    severities = {}
    codes = {rule.code for rule in all_rules()}
    for text in texts:
        code, _, name = text.partition(":")
        if code not in codes:
            raise UsageError(f"no such rule: {code}")
        if name not in (*Severity, IGNORED):
            raise UsageError(f"{code}: severity must be one of {', '.join(Severity)}, or {IGNORED}")
        severities[code] = name
    return severities


def configuration(severities: Mapping[str, str]) -> str:
    """Return severities as lines of `urlset.toml`."""
    ignored = [code for code, name in severities.items() if name == IGNORED]
    lines = [f"ignore = {json.dumps(ignored)}"] if ignored else []
    changed = [f'{code} = "{name}"' for code, name in severities.items() if name != IGNORED]
    return "\n".join([*lines, *(["", "[severity]", *changed] if changed else []), ""]).lstrip("\n")


def comparison_of(snapshots: Snapshots, snapshot: Snapshot, before: int, after: int) -> Comparison:
    def make() -> tuple[Comparison, int]:
        arguments = f"{snapshot.path}@{before}", f"{snapshot.path}@{after}", DiffOptions(ask_removed=None)
        comparison = call_in_process(diff, *arguments) if _is_large(snapshot, before, after) else diff(*arguments)
        return comparison, 1_000 * len(comparison.findings or ()) + 100_000

    sides = run_of(snapshot, before), run_of(snapshot, after)
    return snapshots.prepare(snapshot, ("diff", before, after), make, *sides)


def tables_of(snapshot: Snapshot, run_id: int) -> list[tuple[Table, int]]:
    """Return the tables of the store, with the number of rows that a run has in each."""

    def make() -> tuple[list[tuple[Table, int]], int]:
        with snapshot.reading() as store:
            return [(table, count_rows(store, run_id, table)) for table in grid_tables(store)], 10_000

    return snapshot.get_or_make(("tables", run_id), make)


def rows_of(snapshot: Snapshot, run_id: int, view: GridView, begin: tuple[Place | None, int]) -> RowSlice:
    """Return a page of the rows of a table.

    Args:
        begin: The place before the block of the page, and the number of rows to skip in it.
    """
    before, skipped = begin
    block = _block(snapshot, run_id, view, before)
    shown = block[skipped : skipped + ROWS]
    if skipped + ROWS < min(len(block), BLOCK):
        after: tuple[Place | None, int] | None = (before, skipped + ROWS)
    else:
        after = (shown[-1], 0) if len(block) > BLOCK and shown else None
    with snapshot.reading() as store:
        rows = grid_rows(store, view, shown)
    total = next((count for table, count in tables_of(snapshot, run_id) if table.name == view.table.name), 0)
    if total > LARGE:
        for start, place in _likely(view, block, before, skipped):
            snapshot.ahead(partial(_block, snapshot, run_id, start, place))
    return RowSlice(rows, after, total)


def _block(snapshot: Snapshot, run_id: int, view: GridView, before: Place | None) -> list[Place]:
    """Return the places of the rows of a block, and of one more."""

    def make() -> tuple[list[Place], int]:
        with snapshot.reading() as store:
            places = grid_places(store, run_id, view, BLOCK + 1, before)
        return places, sum(100 + sys.getsizeof(value) for value, _ in places)

    of_view = view.table.name, tuple(view.filters), view.sort, view.descending
    return snapshot.get_or_make(("places", run_id, of_view, before), make)


def _likely(
    view: GridView, block: Sequence[Place], before: Place | None, skipped: int
) -> Iterator[tuple[GridView, Place | None]]:
    """Yield the views, each with the place before its block, that a viewer of this one is likely to ask for next.

    To sort ten million texts takes a second, in which a viewer reads the page.
    """
    if skipped >= BLOCK // 2 and len(block) > BLOCK:
        yield view, block[BLOCK - 1]
    if view.sort is not None and not view.descending and before is None:
        yield replace(view, descending=True), None
    if view.sort is None and not view.filters:
        for name in view.columns:
            if view.table.column(name).type == "text":
                yield replace(view, sort=name), None


def stored_page_counts(snapshot: Snapshot, run_id: int) -> PageCounts | None:
    """Return counts of the pages of a run; None if they were not requested."""

    def make() -> tuple[PageCounts | None, int]:
        with snapshot.reading() as store:
            pages = read_results(store, run_id).pages
            return pages and recount(store, run_id, pages), 2_000

    return snapshot.get_or_make(("counts", run_id), make)
