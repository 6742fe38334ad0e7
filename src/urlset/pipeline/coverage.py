"""`coverage`: run ─> join with logs and reports ─> judge, or with `--clock` ─> estimate how long pages wait.

`coverage import`: exports ─> read ─> store.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from msgspec import structs

from urlset import _core
from urlset.coverage.clock import clock_of_run
from urlset.coverage.exports import read_exports, rows_of
from urlset.coverage.index_states import add_states, count_reported_urls, engines_with_reports, listed_hosts
from urlset.coverage.join import Coverage, has_reports, known_hosts
from urlset.errors import InputError, UsageError
from urlset.model.coverage import CoverageResult, ImportResult
from urlset.model.report import Report
from urlset.net.origin import origin_of
from urlset.options.coverage import By
from urlset.options.judging import RuleOptions
from urlset.options.verbs import ValidateOptions
from urlset.stages.judge import engine_of
from urlset.stages.ruleset import rules_of
from urlset.store.file import Store
from urlset.store.page_timeline import ENGINES
from urlset.store.possible import AHEAD
from urlset.store.run_documents import read_documents

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from urlset.model.clock import ClockResult
    from urlset.model.coverage import Funnel
    from urlset.model.finding import Finding
    from urlset.options.coverage import CoverageOptions, ImportOptions


def coverage(options: CoverageOptions) -> CoverageResult:
    """Return how far the listed URLs of a run get, and the findings of the rules on coverage.

    Raises:
        InputError: The store cannot be read, or has no such run.
        UsageError: The store has no reports of the search engine, or a rule code is unknown.
    """
    with Store.read(options.store) as store:
        run = store.run_of_site(options.run, hosts=known_hosts(store))
        with Coverage.open(store, run.run_id, options.engine) as coverage:
            _check_engine(options, coverage.engines)
            funnel = coverage.funnel(options.by, options.rows)
            report = _report(coverage, tuple(read_documents(store, run.run_id)), options)
    return CoverageResult(options.store, run.run_id, run.finished_at or run.started_at, funnel, report)


def coverage_clock(options: CoverageOptions) -> ClockResult:
    """Return how long the pages of a run take from text to crawl, index, and impression.

    Raises:
        InputError: The store cannot be read, or has no such run.
        UsageError: The search engine is unknown, and the store has no reports of it.
    """
    with Store.read(options.store) as store:
        run = store.run_of_site(options.run, hosts=known_hosts(store))
        _check_engine(options, engines_with_reports(store), also=ENGINES.values())
        return clock_of_run(store, run, options.engine, options.rows)


def _check_engine(options: CoverageOptions, engines: Sequence[str], also: Collection[str] = ()) -> None:
    if options.engine is not None and options.engine not in (*engines, *also):
        have = f"it has those of {', '.join(engines)}" if engines else "import an export first"
        raise UsageError(f"{options.store}: no reports of {options.engine}; {have}")


class RunCoverage(NamedTuple):
    """The funnel of a run by section, and the findings of the default rules on coverage."""

    funnel: Funnel
    findings: Sequence[Finding]


def coverage_of_run(store: Store, run_id: int, limit: int) -> RunCoverage | None:
    """Return the coverage of a run; None if there is neither a report of a search engine nor an access log."""
    if not has_reports(store):
        return None
    with Coverage.open(store, run_id) as coverage:
        funnel = coverage.funnel(By.SECTION, limit)
        # Last, since it closes the connection.
        report = _report(coverage, tuple(read_documents(store, run_id)), RuleOptions())
    return RunCoverage(funnel, report.findings)


def _report(coverage: Coverage, documents: Sequence[dict[str, object]], options: RuleOptions) -> Report:
    now = datetime.now(UTC)
    # Only these options change which rules on coverage run, and how.
    judging = ValidateOptions(
        select=options.select, ignore=options.ignore, severity=options.severity, max_examples=options.max_examples
    )
    rules = tuple(rule for rule in rules_of(judging, now, coverage=True) if rule.needs_coverage)
    with coverage.tables() as tables, engine_of(rules, judging, now, tables) as engine:
        findings = engine.finish(documents)
    return Report(_core.__version__, documents, tuple(findings), rules=rules)


def import_exports(paths: Sequence[Path], options: ImportOptions) -> ImportResult:
    """Read exports of search engines, and add them to the store. Either all of them are added, or none.

    Exports of the performance or the links report, and summaries, are left out if others are among the files.

    Raises:
        InputError: A file is not an export with URLs.
        OutputError: The store cannot be written.
        UsageError: There is no file, or `fields` names a column that a file does not have.
    """
    if not paths:
        raise UsageError("name the files or directories to import, as in `urlset coverage import EXPORT.zip`")
    now = datetime.now(UTC)
    exports, others = read_exports(paths, options)
    for path, export in exports:
        if export.at is not None and export.at > now + AHEAD:
            raise InputError(
                str(path), f"its report is of {export.at:%Y-%m-%d}, in the future; use --dates, or set the clock"
            )
    read = [rows_of(export, path, now) for path, export in exports]
    with Store.create(options.store) as store:
        add_states(store, [rows for rows, _ in read])
        engines = sorted({file.engine for _, file in read})
        urls = count_reported_urls(store, engines)
        hosts = listed_hosts(store)
        files = tuple(structs.replace(file, elsewhere=_count_elsewhere(rows, hosts)) for rows, file in read)
        return ImportResult(store=options.store, urls=urls, files=files, left_out=tuple(others))


def _count_elsewhere(rows: Sequence[Mapping[str, object]], hosts: Collection[str]) -> int:
    """Return the number of URLs on other hosts; 0 if no host is known."""
    if not hosts:
        return 0
    origins = (origin_of(str(row["url"])) for row in rows)
    return sum(origin is not None and origin.host not in hosts for origin in origins)
