"""The HTML report: from a run in a store to the values that the page shows."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec import to_builtins
from msgspec.structs import replace

from urlset import _core
from urlset.access_logs.judge_logs import has_log_findings, judge_logs
from urlset.access_logs.memory import memory_of
from urlset.clients.stored_policy import stored_policy
from urlset.comparison.compare import Comparer
from urlset.comparison.page_words import PageWords
from urlset.comparison.run_database import RunDatabase
from urlset.coverage.site_impressions import impressions_of_run
from urlset.model.comparison import State
from urlset.model.finding import in_report_order
from urlset.model.report_page import ChangesSince, Page
from urlset.options.comparing import PageProperty
from urlset.options.judging import AdjustedRuleOptions
from urlset.pipeline.coverage import coverage_of_run
from urlset.pipeline.validate import validating
from urlset.stages.judge import JudgePlan, judge
from urlset.stages.session import Session
from urlset.stages.tee import tee
from urlset.store.file import READING_MEMORY, Store
from urlset.store.overview import OverviewRows, overview
from urlset.store.page_list import not_indexable
from urlset.store.probed import recount
from urlset.store.results import read_report, read_results
from urlset.store.rules_run import AppliedRules
from urlset.text.masking import are_same_targets, mask_target

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from urlset.files.scratch import Scratch
    from urlset.model.check import CheckResult
    from urlset.model.crawl_report import CrawlReport
    from urlset.model.report import Report
    from urlset.model.run import RunRow
    from urlset.options.verbs import ValidateOptions
    from urlset.sources import Target
    from urlset.text.progress import Progress

MAX_RUNS = 20
"""Maximum runs in a trend."""

MAX_SECTIONS = 20
"""Maximum sections of the funnel, and of impressions, to show."""

MAX_PAGES = 20
"""Maximum pages with changes, and with impressions, to show."""

MAX_CHANGES = 50
"""Maximum findings of each state to show."""


def page_of_run(
    path: Path,
    run_id: int | None = None,
    report: Report | None = None,
    crawl: CrawlReport | None = None,
    *,
    command: str = "audit",
    is_temporary: bool = False,
    is_compared: bool = True,
    has_impressions: bool = False,
) -> Page:
    """Return the page of a run.

    Args:
        run_id: The run; by default the latest finished run.
        report: The report to show; by default the stored one.
        crawl: The findings on access logs that were compared with the run; by default the stored ones, or those of
            the default rules if the comparison was interrupted.
        command: The command that the page is of.
        is_temporary: Whether the store will be removed, so that the page does not name it.
        is_compared: Whether to compare it with the run before, which takes longest.
        has_impressions: Whether to show impressions and clicks.

    Raises:
        InputError: The store cannot be read, or the run does not exist.
    """
    with Store.read(path) as store:
        run = store.run_of_site(run_id)
        results = read_results(store, run.run_id)
        page_report = report or read_report(store, run, results)
        is_kept = crawl is None and has_log_findings(run)
        crawl = crawl or judge_logs(store, run, AdjustedRuleOptions(), memory_of())
        if not is_kept:
            page_report = _with_logs(page_report, crawl)
        coverage = coverage_of_run(store, run.run_id, MAX_SECTIONS)
        if coverage is not None:
            findings = in_report_order([*page_report.findings, *coverage.findings])
            page_report = replace(page_report, findings=tuple(findings))
        runs = [
            other
            for other in store.runs()
            if are_same_targets(other.targets, run.targets)
            and other.run_id <= run.run_id
            and other.finished_at is not None
        ]
        page = Page(
            command=command,
            targets=run.targets,
            site=run.site,
            made_at=run.finished_at or run.started_at,
            version=run.version,
            report=page_report,
            checks=to_builtins(results.checks),
            overview=overview(store, run.run_id),
            pages=results.pages and recount(store, run.run_id, results.pages),
            media=results.media,
            links=results.links,
            llms=results.llms,
            twins=results.twins,
            crawl=None if crawl is None else replace(crawl.overview, notes=tuple(crawl.report.notes)),
            agents=results.access,
            policy=stored_policy(store, run),
            inventory=results.inventory,
            not_indexable=not_indexable(store, run.run_id),
            coverage=None if coverage is None else coverage.funnel,
            impressions=impressions_of_run(store, run.run_id, MAX_SECTIONS, MAX_PAGES) if has_impressions else None,
            runs=runs[-MAX_RUNS:],
            store=None if is_temporary else path.name,
            run_id=None if is_temporary else run.run_id,
        )
    before = [earlier for earlier in runs if earlier.run_id < run.run_id and is_compared]
    return replace(page, since=_changes_since(path, before[-1], run)) if before else page


def _with_logs(report: Report, crawl: CrawlReport | None) -> Report:
    """Return a report with these findings on access logs instead of the stored ones."""
    if crawl is None:
        return report
    others = (finding for finding in report.findings if not finding.rule.needs_logs)
    return replace(report, findings=tuple(in_report_order([*others, *crawl.report.findings])))


def _changes_since(path: Path, before: RunRow, run: RunRow) -> ChangesSince:
    with RunDatabase([path]) as database:
        runs = database.attach(path)
        comparer = Comparer(database, runs.run(before.run_id), runs.run(run.run_id), MAX_PAGES)
        urls = comparer.one_sided()
        pages = comparer.page_changes(tuple(PageProperty))
        findings, only_after = comparer.findings(AppliedRules.of(before), AppliedRules.of(run))
        counts = Counter(finding.state for finding in findings)
        return ChangesSince(
            before,
            urls.added.count,
            urls.removed.count,
            comparer.lastmods()[0].count,
            {state: counts[state] for state in State if counts[state]},
            tuple(
                first
                for state in State
                for first in [finding for finding in findings if finding.state is state][:MAX_CHANGES]
            ),
            only_after,
            urls.respelled.count,
            urls.moved.count,
            (*PageWords().lists(pages, urls.moved, *comparer.site_file_changes()),),
        )


def page_of_checks(results: Sequence[CheckResult]) -> Page:
    return Page(
        command="check",
        targets=[check.origin for check in results],
        made_at=datetime.now(UTC),
        version=_core.__version__,
        checks=[check.to_dict() for check in results],
    )


def page_of_report(targets: Sequence[str], report: Report) -> Page:
    """Return the page of an audit whose run was not saved."""
    return Page(
        command="audit",
        targets=tuple(map(mask_target, targets)),
        made_at=datetime.now(UTC),
        version=report.tool_version,
        report=report,
    )


class StoredValidation:
    """A validation whose tables are stored on disk, because they grow with the site, until its page is rendered."""

    def __init__(self, scratch: Scratch) -> None:
        self._path = scratch.path / "run.duckdb"

    def validate(self, targets: Sequence[Target], options: ValidateOptions, progress: Progress | None = None) -> Report:
        """Validate like `pipeline.validate.validate`, with a tee into the store before the judge.

        Raises:
            OutputError: The tables cannot be written, such as on a full disk.
        """
        plan, buffer = JudgePlan.of(options), validating(options)
        with Store.create(self._path) as store:
            names = [target if isinstance(target, str) else "<bytes>" for target in targets]
            rows = OverviewRows(store, names)
            with (
                Session.over(targets, options, progress) as session,
                session.read(targets, plan.options, buffer) as outcomes,
                store.holding(READING_MEMORY, threads=1),
            ):
                report = judge(tee(outcomes, rows), plan)
            rows.finish()
        return report

    def page(self, report: Report) -> Page:
        return page_of_run(self._path, report=report, command="validate", is_temporary=True)
