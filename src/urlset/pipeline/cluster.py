"""`read`, `validate`, and `audit` on Spark: documents ─> read into a folder ─> judge ─> record."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs

from urlset import _core
from urlset.cluster.fetched_pages import run_pages, runnable
from urlset.cluster.frames import readable, tables_of, write_table
from urlset.cluster.hadoop_files import ClusterFiles
from urlset.cluster.levels import read_documents
from urlset.cluster.page_table import FetchedPages
from urlset.cluster.read_documents import STAGING, ClusterReader, ClusterRun, finish, write_core
from urlset.cluster.spark_session import check_classic, check_executors
from urlset.documents import DocumentFacts
from urlset.engine.findings_table import findings_table
from urlset.engine.rule_sql import EngineError
from urlset.engine.run_folder import INCOMPLETE
from urlset.errors import ConfigError, InputError, UsageError
from urlset.files.scratch import Scratch
from urlset.model.audit import AuditResult
from urlset.model.cluster import FolderRun
from urlset.options.verbs import ValidateOptions
from urlset.sources import is_url
from urlset.stages.document_judge import limit_examples
from urlset.stages.judge import JudgePlan, report_on
from urlset.stages.named import trust_in
from urlset.stages.outcomes import ReadSummary
from urlset.stages.ruleset import blaming_own, limits_of
from urlset.stages.url_lookup import wanted_urls, with_urls
from urlset.store.file import utc
from urlset.store.page_selection import OF_ENTRY
from urlset.store.rules_run import settings_of
from urlset.tables import CHUNK_TABLES, CUTS, DOCUMENTS, FINDINGS, PAGES, RUN_TABLES, RUNS
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from urlset.engine.rule_sql import Parameter
    from urlset.engine.spark.engine import SparkEngine
    from urlset.model.audit import PageCounts
    from urlset.model.finding import Finding
    from urlset.model.report import Report
    from urlset.net.trust import Trust
    from urlset.options.auditing import AuditOptions
    from urlset.options.verbs import ReadOptions

EMBEDDED_ONLY = ("discover", "robots", "xsd", "map")
"""Options of `validate` that only the embedded engine has."""

NO_PAGES = "pages are not fetched on Spark; name a table of fetched pages with --pages-from"


def read(spark: SparkSession, source: str | Sequence[str] | DataFrame, folder: str, options: ReadOptions) -> FolderRun:
    """Read documents on a cluster into a run as a folder.

    Args:
        source: Paths and globs, or a frame with `url`, or `url` and `content`.
        folder: The folder, which must not exist yet or be empty.

    Raises:
        UsageError: The session or the source is not supported, or the executors lack urlset.
        InputError: No source has a document.
        OutputError: The folder exists, or cannot be written.
    """
    check_classic(spark)
    check_executors(spark)
    reader = ClusterReader(spark, source, folder, options, _trust(source, options))
    run = read_documents(spark, reader, None)
    documents = _documents(spark, folder)
    numbers = _numbers(documents)
    finish(spark, run, {}, numbers)
    return FolderRun(folder, numbers["documents"], numbers["urls"], tuple(run.unreadable), tuple(run.notes))


def validate(
    spark: SparkSession,
    source: str | Sequence[str] | DataFrame,
    options: ValidateOptions,
    folder: str | None = None,
    pages: str | DataFrame | None = None,
) -> Report:
    """Read documents on a cluster and run rules over them.

    Args:
        source: Paths and globs, a frame, or the folder of a run that was read already.
        folder: The folder to keep the run in; None for a temporary one, if Spark runs on this machine.
        pages: The listed pages, which were fetched elsewhere: a frame, Parquet files, or `table:NAME`; None for those
            of the run.

    Raises:
        UsageError: An option, the session, the source, or the pages are not supported, or the executors lack urlset.
        ConfigError: A custom rule is invalid, cannot be run on Spark, or fails on a value.
        InputError: No source has a document, or the pages cannot be read.
        OutputError: The folder exists, or cannot be written.
    """
    return _check_run(spark, source, options, folder, pages).report


def audit(
    spark: SparkSession,
    source: str | Sequence[str] | DataFrame,
    options: AuditOptions,
    folder: str | None = None,
    pages: str | DataFrame | None = None,
) -> AuditResult:
    """Check documents and the listed pages, which were fetched elsewhere; arguments and errors as for `validate`."""
    # robots.txt is only read to fetch pages.
    checked = _check_run(spark, source, replace(options, robots=False, expand=True), folder, pages, on_pages=True)
    return AuditResult(
        report=checked.report, pages=checked.pages, agents=(), inventory=None, store=None, run_id=None, earlier_run=None
    )


def _check_run(
    spark: SparkSession,
    source: str | Sequence[str] | DataFrame,
    options: ValidateOptions,
    folder: str | None,
    pages: str | DataFrame | None,
    *,
    on_pages: bool = False,
) -> _RunResults:
    """Check a run that was read already, or read one and check it; arguments and errors as for `validate`.

    Args:
        on_pages: Whether to raise an error if there are no pages to check.
    """
    check_options(options)
    check_classic(spark)
    check_executors(spark)
    fetched = None if pages is None else FetchedPages(spark, pages, OF_ENTRY)
    if isinstance(source, list | tuple) and len(source) == 1:
        [source] = source
    if isinstance(source, str) and not is_url(source):
        tables = ClusterFiles(spark).names(source)
        if RUNS.name in tables:
            if folder is not None:
                raise UsageError(f"{source}: is a run already, which cannot be kept again in {folder}")
            if fetched is not None and PAGES.name in tables:
                raise UsageError(f"{source}: has pages already; remove its folder {PAGES.name} to use other ones")
            if on_pages and fetched is None and PAGES.name not in tables:
                raise UsageError(NO_PAGES)
            _check_version(spark, source)
            plan = _plan(options, pages=fetched is not None or PAGES.name in tables)
            return _judge(spark, source, plan, ReadSummary(), fetched)
        if {DOCUMENTS.name, STAGING} & set(tables):
            raise InputError(source, INCOMPLETE)
    if on_pages and fetched is None:
        raise UsageError(NO_PAGES)
    plan = _plan(options, pages=fetched is not None)
    with _place(spark, folder) as place:
        reader = ClusterReader(spark, source, place, plan.options, _trust(source, options))
        run = read_documents(spark, reader, plan.options)
        summary = ReadSummary(tuple(run.unreadable), tuple(run.skipped), tuple(run.notes))
        return _judge(spark, place, plan, summary, fetched, None if folder is None else run)


def _check_version(spark: SparkSession, folder: str) -> None:
    """Check that a run was read by this version: rules depend on facts that another version may not have stored."""
    runs = tables_of(spark, ClusterFiles(spark), folder, [RUNS.name])[RUNS.name].select("version").collect()
    if len(runs) != 1:
        raise InputError(folder, f"must be one run, but its table {RUNS.name} has {quantity(len(runs), 'row')}")
    [(version,)] = runs
    if version != _core.__version__:
        raise InputError(folder, f"was read by urlset {version}; read the sitemaps again with {_core.__version__}")


def check_options(options: ValidateOptions) -> None:
    """Check that the engine on Spark has the options that are set.

    Raises:
        UsageError: It lacks one.
    """
    for name in EMBEDDED_ONLY:
        if getattr(options, name):
            raise UsageError(f"{name.replace('_', '-')} is not available on Spark; use the engine duckdb")
    if options.rule_memory != ValidateOptions().rule_memory:
        raise UsageError("rule-memory is not available on Spark, whose executors have a limit of their own")


def _plan(options: ValidateOptions, *, pages: bool) -> JudgePlan:
    """Return the plan of a run; ConfigError if one of its custom rules cannot be run on Spark."""
    from urlset.engine.spark.own_rules import check_translation

    plan = JudgePlan.of(options, pages=pages)
    labels = {own.code: own.label for own in options.rule}
    for rule in plan.rules() if labels else ():
        if rule.code in labels:
            try:
                check_translation(rule, {**limits_of(options), "now": plan.now})
            except EngineError as error:
                raise ConfigError(f"{labels[rule.code]}: {error.reason}") from None
    return plan


def _trust(source: str | Sequence[str] | DataFrame, options: ReadOptions) -> Trust:
    """Return the trust in the hosts that are given as targets; the URLs in a frame may come from anywhere."""
    targets = [source] if isinstance(source, str) else source if isinstance(source, list | tuple) else []
    return trust_in(targets, options, discover=False)


@contextmanager
def _place(spark: SparkSession, folder: str | None) -> Iterator[str]:
    """Yield the folder of the run; a temporary one is removed at the end."""
    if folder is not None:
        yield folder.rstrip("/")
        return
    with temporary_folder(spark) as made:
        yield made


@contextmanager
def temporary_folder(spark: SparkSession) -> Iterator[str]:
    """Yield a temporary folder for a run, which all executors reach.

    Raises:
        UsageError: Spark does not run on this machine.
    """
    if not str(spark.sparkContext.master).startswith("local"):
        raise UsageError("no folder for the run; name one that every executor can reach")
    with Scratch() as scratch:
        yield str(scratch.path / "run")


class _RunResults(Struct):
    """The report of a run, and its pages in numbers; None without pages."""

    report: Report
    pages: PageCounts | None


def _judge(
    spark: SparkSession,
    folder: str,
    plan: JudgePlan,
    read: ReadSummary,
    fetched: FetchedPages | None,
    run: ClusterRun | None = None,
) -> _RunResults:
    """Run the rules on the tables of a run, and complete it if it is being written."""
    from urlset.engine.spark.engine import SparkEngine

    options = plan.options
    limits: Mapping[str, Parameter] = {**limits_of(options), "now": plan.now}
    rules, notes = runnable(plan.rules(), fetched, limits)
    own = [rule.code for rule in options.rule]
    with blaming_own(options.rule):
        engine = SparkEngine(spark, rules, limits, options.max_examples, options.required_urls, own, options.rule_time)
    tables = tables_of(engine.session, ClusterFiles(spark), folder, (DOCUMENTS.name, *CHUNK_TABLES, *RUN_TABLES))
    if DOCUMENTS.name not in tables:
        raise InputError(folder, "has no documents")
    tables[DOCUMENTS.name] = readable(tables[DOCUMENTS.name])
    documents = _documents(spark, folder)
    with run_pages(engine, tables, fetched) if plan.pages else nullcontext() as pages:
        with blaming_own(options.rule):
            checked = engine.check(tables, documents)
        findings = _limit_examples(checked, documents, engine, plan.example_limit)
        added = () if pages is None else pages.notes
        read = structs.replace(read, notes=(*read.notes, *notes, *added), cuts=_cuts(tables))
        report = report_on(documents, findings, read, rules, engine.silencing, options)
        results = _RunResults(report, None if pages is None else pages.counts())
        if run is not None:
            if fetched is not None and PAGES.name in tables:
                write_table(tables[PAGES.name], folder, PAGES.name)
            _record(spark, run, results, settings_of(options, rules, pages=plan.pages, images=False, links=False))
    return results


def _limit_examples(
    checked: Sequence[Finding], documents: Sequence[DocumentFacts], engine: SparkEngine, limit: int
) -> list[Finding]:
    """Return the findings in the order of the embedded engine, with as many examples."""
    indexes = {row["document_id"] for row in documents if row["kind"] == "sitemapindex"}
    ordered = sorted(
        checked, key=lambda finding: (finding.document_id in indexes, finding.document_id, finding.rule.code)
    )
    return _add_urls(list(limit_examples(ordered, Counter(), limit)), engine)


def _cuts(tables: Mapping[str, DataFrame]) -> tuple[dict[str, object], ...]:
    if CUTS.name not in tables:
        return ()
    return tuple(row.asDict() for row in tables[CUTS.name].orderBy("document_id", "ordinal").collect())


def _add_urls(findings: Sequence[Finding], engine: SparkEngine) -> list[Finding]:
    """Return the findings, with missing URLs added to examples that are entries."""
    places = {(document_id, ordinal) for document_id, ordinals in wanted_urls(findings) for ordinal in ordinals}
    urls: dict[int, dict[int, str]] = {}
    for (document_id, ordinal), loc in engine.urls_at(places).items():
        if isinstance(document_id, int) and isinstance(ordinal, int) and isinstance(loc, str):
            urls.setdefault(document_id, {})[ordinal] = loc
    return [with_urls(finding, urls.get(finding.document_id, {})) for finding in findings]


def _documents(spark: SparkSession, folder: str) -> list[DocumentFacts]:
    """Return the rows of `documents` of a run, by number, without targets that could not be read."""
    session = spark.newSession()
    session.conf.set("spark.sql.session.timeZone", "UTC")
    frame = tables_of(session, ClusterFiles(spark), folder, [DOCUMENTS.name])[DOCUMENTS.name]
    rows = []
    for row in readable(frame).orderBy("document_id").toLocalIterator():
        values = {name: utc(value) if isinstance(value, datetime) else value for name, value in row.asDict().items()}
        rows.append(DocumentFacts(values))
    return rows


def _numbers(documents: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    urls = sum(row["entries"] or 0 for row in documents if row["kind"] != "sitemapindex")
    return {"documents": len(documents), "urls": urls}


def _record(spark: SparkSession, run: ClusterRun, results: _RunResults, settings: Mapping[str, object]) -> None:
    """Write the findings, and complete the run."""
    report, pages = results.report, results.pages
    if report.findings:
        write_core(spark, run.folder, FINDINGS.name, findings_table(report.findings, report.document_urls))
    summary = report.summary
    numbers = {name: getattr(summary, name) for name in ("documents", "urls", "errors", "warnings", "infos")}
    run.notes = [*report.notes]
    if pages is not None:
        numbers["pages"] = pages.fetched
    finish(spark, run, settings, numbers, pages)
