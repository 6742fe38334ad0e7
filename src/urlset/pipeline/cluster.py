"""`read` and `validate` on Spark: documents ─> read into a folder ─> judge ─> record."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from urlset.cluster.files import ClusterFiles
from urlset.cluster.frames import readable, tables_of
from urlset.cluster.reading import STAGING, ClusterReader, ClusterRun, finish, write_core
from urlset.cluster.session import check_classic, check_executors
from urlset.documents import DocumentFacts
from urlset.engine.findings_table import findings_table
from urlset.engine.run_folder import INCOMPLETE
from urlset.engine.sql import EngineError
from urlset.errors import ConfigError, InputError, UsageError
from urlset.model.cluster import FolderRun
from urlset.options.verbs import ValidateOptions
from urlset.pipeline.cluster_read import read_documents
from urlset.pipeline.judge import EXAMPLES_FOR_EACH_ASKED, MOST_EXAMPLES, limited
from urlset.pipeline.judging import JudgePlan, report_on
from urlset.pipeline.named import trust_in
from urlset.pipeline.outcomes import ReadSummary
from urlset.pipeline.ruleset import blaming_own, limits_of
from urlset.pipeline.url_lookup import lacks_url, with_urls
from urlset.scratch import Scratch
from urlset.sources import is_url
from urlset.store.file import utc
from urlset.store.rules_run import settings_of
from urlset.tables import CHUNK_TABLES, CUTS, DOCUMENTS, FINDINGS, PAGES, RUN_TABLES, RUNS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from urlset.engine.spark.engine import SparkEngine
    from urlset.model.finding import Finding
    from urlset.model.report import Report
    from urlset.net.trust import Trust
    from urlset.options.verbs import ReadOptions

ALONE = ("discover", "robots", "xsd")
"""Options of `validate` that only the embedded engine has."""


def read(spark: SparkSession, source: str | Sequence[str] | DataFrame, folder: str, options: ReadOptions) -> FolderRun:
    """Read documents on a cluster into a run as a folder.

    Args:
        spark: The session.
        source: Paths and globs, or a frame with `url`, or `url` and `content`.
        folder: The folder, which must not exist yet or be empty.
        options: How to read.

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
) -> Report:
    """Read documents on a cluster and run rules over them.

    Args:
        spark: The session.
        source: Paths and globs, a frame, or the folder of a run that was read already.
        options: Which rules to run, how many examples to keep, and how to read.
        folder: The folder to keep the run in; None for a temporary one, if Spark runs on this machine.

    Raises:
        UsageError: An option, the session, or the source is not supported, or the executors lack urlset.
        ConfigError: A custom rule is invalid, cannot be run on Spark, or fails on a value.
        InputError: No source has a document.
        OutputError: The folder exists, or cannot be written.
    """
    check_options(options)
    check_classic(spark)
    check_executors(spark)
    if isinstance(source, list | tuple) and len(source) == 1:
        [source] = source
    if isinstance(source, str) and not is_url(source):
        tables = ClusterFiles(spark).names(source)
        if RUNS.name in tables:
            if folder is not None:
                raise UsageError(f"{source}: is a run already, which cannot be kept again in {folder}")
            return _judged(spark, source, _plan(options, pages=PAGES.name in tables), ReadSummary())
        if {DOCUMENTS.name, STAGING} & set(tables):
            raise InputError(source, INCOMPLETE)
    plan = _plan(options, pages=False)
    with _place(spark, folder) as place:
        reader = ClusterReader(spark, source, place, plan.reading, _trust(source, options))
        run = read_documents(spark, reader, plan.reading)
        summary = ReadSummary(tuple(run.unreadable), tuple(run.skipped), tuple(run.notes))
        report = _judged(spark, place, plan, summary)
        if folder is not None:
            _record(spark, run, report, plan)
        return report


def check_options(options: ValidateOptions) -> None:
    """Check that the engine on Spark has the options that are set.

    Raises:
        UsageError: It lacks one.
    """
    for name in ALONE:
        if getattr(options, name):
            raise UsageError(f"{name.replace('_', '-')} is not available on Spark; use the engine duckdb")
    if options.rule_memory != ValidateOptions().rule_memory:
        raise UsageError("rule-memory is not available on Spark, whose executors have a limit of their own")


def _plan(options: ValidateOptions, *, pages: bool) -> JudgePlan:
    """Return the plan of a run, whose custom rules can be run on Spark.

    Raises:
        ConfigError: One cannot.
    """
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
    if not str(spark.sparkContext.master).startswith("local"):
        raise UsageError("no folder for the run; name one that every executor can reach")
    with Scratch() as scratch:
        yield str(scratch.path / "run")


def _judged(spark: SparkSession, folder: str, plan: JudgePlan, read: ReadSummary) -> Report:
    from urlset.engine.spark.engine import SparkEngine

    options, rules = plan.options, plan.rules()
    limits: Mapping[str, Any] = {**limits_of(options), "now": plan.now}
    own = [rule.code for rule in options.rule]
    with blaming_own(options.rule):
        engine = SparkEngine(spark, rules, limits, options.max_examples, options.required_urls, own, options.rule_time)
    tables = tables_of(engine.session, ClusterFiles(spark), folder, (DOCUMENTS.name, *CHUNK_TABLES, *RUN_TABLES))
    if DOCUMENTS.name not in tables:
        raise InputError(folder, "has no documents")
    tables[DOCUMENTS.name] = readable(tables[DOCUMENTS.name])
    documents = _documents(spark, folder)
    indexes = {row["document_id"] for row in documents if row["kind"] == "sitemapindex"}
    most = max(MOST_EXAMPLES, EXAMPLES_FOR_EACH_ASKED * options.max_examples)
    with blaming_own(options.rule):
        checked = engine.check(tables)
    found = sorted(checked, key=lambda one: (one.document_id in indexes, one.document_id, one.rule.code))
    findings = _named(list(limited(found, Counter(), most)), engine)
    if CUTS.name in tables:
        rows = tables[CUTS.name].orderBy("document_id", "ordinal").collect()
        read = ReadSummary(read.unreadable, read.skipped, read.notes, tuple(row.asDict() for row in rows))
    return report_on(documents, findings, read, rules, engine.silencing, options)


def _named(findings: Sequence[Finding], engine: SparkEngine) -> list[Finding]:
    """Return the findings, with missing URLs added to examples that are entries."""
    wanted = {
        (finding.document_id, example.ordinal)
        for finding in findings
        for example in finding.examples
        if example.ordinal is not None and lacks_url(finding, example)
    }
    urls: dict[int, dict[int, str]] = {}
    for (document_id, ordinal), loc in engine.urls_at(wanted).items():
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


def _record(spark: SparkSession, run: ClusterRun, report: Report, plan: JudgePlan) -> None:
    """Write the findings, and complete the run."""
    if report.findings:
        write_core(spark, run.folder, FINDINGS.name, findings_table(report.findings, report.document_urls))
    summary = report.summary
    numbers = {name: getattr(summary, name) for name in ("documents", "urls", "errors", "warnings", "infos")}
    finish(spark, run, settings_of(plan.options, plan.rules(), pages=False, images=False, links=False), numbers)
