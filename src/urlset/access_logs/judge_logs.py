"""Judges access logs against a run: crawls in a store ─> compare with the run ─> run the rules on logs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from urlset.access_logs.log_overview import crawl_overview, is_compared
from urlset.access_logs.log_tables import LogPeriod, LogTables
from urlset.coverage.join import known_hosts
from urlset.engine.memory_database import default_threads
from urlset.model.crawl_report import CrawlReport
from urlset.rules.registry import all_rules
from urlset.stages.judge import engine_of, report_on
from urlset.stages.outcomes import ReadSummary
from urlset.stages.ruleset import limits_of, log_rules_of
from urlset.store.rules_run import AppliedRules, keep_findings_since
from urlset.store.run import Run
from urlset.store.run_documents import read_documents
from urlset.store.sites import by_site, finished_runs, name_of, sites_of
from urlset.store.tables_for_rules import tables_for_rules
from urlset.tables import LOG_CRAWLERS, LOG_SITEMAPS, LOG_URLS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.crawl_report import CrawlOverview
    from urlset.model.report import Report
    from urlset.model.run import RunRow
    from urlset.options.judging import AdjustedRuleOptions, Limit
    from urlset.rules.rule import Rule
    from urlset.store.file import Store

NO_RUN = "the store has no run to compare the logs with; create one with `urlset audit`"
SEVERAL_SITES = "the store has runs and logs of several sites ({}); keep each site in a store of its own"
NO_TIMES = "no log has requests for the sites of the last run"


def compare_logs(store: Store, memory: int) -> RunRow | str:
    """Compare the access logs in a store with its last finished run.

    Args:
        store: The store, open for writing.
        memory: Memory limit of DuckDB, in bytes.

    Returns:
        The run, or why there is nothing to compare.
    """
    ended = finished_runs(store.runs())
    if not ended:
        return NO_RUN
    groups = by_site(ended)
    hosts = known_hosts(store)
    matches = [group for group in groups if not sites_of(group[-1].targets).isdisjoint(hosts)] or groups
    if len(matches) > 1:
        return SEVERAL_SITES.format(", ".join(name_of(group[-1]) for group in matches))
    run = matches[-1][-1]
    period = LogPeriod.of(store, run.run_id)
    if period is None:
        return NO_TIMES
    with store.holding(f"{memory}B"):
        LogTables(store, Run(store, run.run_id), period).store()
    return run


def judge_logs(store: Store, run: RunRow, options: AdjustedRuleOptions, memory: int) -> CrawlReport | None:
    """Run the rules on access logs.

    Args:
        run: The run that the logs were compared with.
        memory: Memory limit of DuckDB, in bytes.

    Returns:
        The findings; None if no logs were compared with the run.

    Raises:
        UsageError: A rule code prefix is unknown.
    """
    if not is_compared(store, run.run_id):
        return None
    rules, limits = log_rules_of(options), limits_of(options)
    with store.holding(f"{memory}B"):
        overview = crawl_overview(store, run.run_id)
    documents = list(read_documents(store, run.run_id))
    names = [table.name for table in (LOG_URLS, LOG_CRAWLERS, LOG_SITEMAPS)]
    with (
        store.holding(f"{memory}B", threads=options.threads or default_threads()),
        tables_for_rules(store, run.run_id, names) as tables,
        engine_of(rules, options, datetime.now(UTC), tables) as engine,
    ):
        findings = engine.finish(documents)
    notes = tuple(_notes(overview, rules, limits))
    report = report_on(documents, findings, ReadSummary(notes=notes), rules, engine.silencing, options)
    return CrawlReport(overview=overview, report=report)


def record_log_findings(store: Store, run: RunRow, report: Report) -> None:
    """Add the findings on access logs to those of the run, instead of those of an earlier comparison.

    Raises:
        OutputError: The store cannot be written.
    """
    on_logs = [rule for rule in all_rules() if rule.needs_logs]
    keep_findings_since(Run(store, run.run_id), run, on_logs, report.rules, report)


def has_log_findings(run: RunRow) -> bool:
    codes = AppliedRules.of(run).codes
    return codes is not None and any(rule.needs_logs and rule.code in codes for rule in all_rules())


def _notes(overview: CrawlOverview, rules: Sequence[Rule], limits: dict[str, Limit]) -> Iterator[str]:
    """Yield notes on the days that the logs cover, and on what the rules could not check."""
    yield f"the logs cover {overview.period} and were compared with run {overview.run_id}"
    least = limits["min_log_days"]
    if isinstance(least, int | float) and overview.days < least:
        yield (
            f"the logs cover only {overview.days:.1f} days; listed URLs without requests are reported from {least} "
            "days on"
        )
    unchecked = [rule.code for rule in rules if rule.of_verified]
    if unchecked and not overview.is_verified:
        yield f"{', '.join(unchecked)} need verified crawlers (--ranges or --dns), and found nothing"
    yield from overview.notes
