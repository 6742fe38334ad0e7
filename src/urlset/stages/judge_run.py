"""Judge a stored run: its rows are already recorded, and the rules run once, in the database of the store."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from urlset import _core
from urlset.engine.memory_database import ROWS_FOR_THREADS, default_threads
from urlset.engine.run_views import of_documents
from urlset.rules.rule import EntryRule
from urlset.stages.document_judge import CHUNK_DOCUMENTS, CHUNK_ROWS, blocked_rows, blocks, limit_examples
from urlset.stages.judge import engine_of, report_on
from urlset.stages.ruleset import blaming_own
from urlset.stages.site_files import SiteFiles
from urlset.stages.url_lookup import wanted_urls, with_urls
from urlset.store.file import JUDGING_MEMORY
from urlset.store.tables_for_rules import HAS_PAGE, listed_urls, tables_for_rules, urls_of_entries
from urlset.tables import (
    BLOCKED_URLS,
    CHUNK_TABLES,
    KEY_FILES,
    LLMS_FILES,
    LLMS_LINKS,
    LLMS_PROBLEMS,
    PAGES,
    RUN_TABLES,
    SITE_FAULTS,
    URLS,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.documents import DocumentFacts
    from urlset.engine.duckdb import Engine
    from urlset.engine.run_views import RunViews
    from urlset.engine.silencing import Silencing
    from urlset.model.finding import Finding
    from urlset.model.report import Report
    from urlset.options.verbs import ValidateOptions
    from urlset.rules.rule import Rule
    from urlset.stages.judge import JudgePlan
    from urlset.stages.record import Recorded
    from urlset.store.run import Run

OF_FILES = (SITE_FAULTS, KEY_FILES, LLMS_FILES, LLMS_PROBLEMS, LLMS_LINKS)
"""Tables about files of a site that count as documents only in the report."""


class Judgement(Struct, frozen=True):
    """The findings of a run.

    Attributes:
        rules: The rules that ran.
        findings: Their findings.
        silencing: The findings that were suppressed because others caused them.
        files: Rows of `documents` for files with findings that are not sitemaps.
    """

    rules: tuple[Rule, ...]
    findings: tuple[Finding, ...]
    silencing: Silencing
    files: tuple[DocumentFacts, ...]


def judge_run(plan: JudgePlan, run: Run, recorded: Recorded) -> Judgement:
    """Run the rules of a plan on a run, and add the files with findings to its documents.

    Args:
        run: The run, with all rows recorded.

    Raises:
        ConfigError: A custom rule fails on a value.
    """
    run.commit()
    options = plan.options
    own = {rule.code for rule in options.rule}
    rules, documents, files = plan.rules(), recorded.documents, SiteFiles(recorded.documents)
    is_small = sum(map(_rows, documents)) < ROWS_FOR_THREADS
    threads = options.threads or (1 if is_small else default_threads())
    with (
        run.store.holding(JUDGING_MEMORY, threads=threads),
        tables_for_rules(run.store, run.run_id) as tables,
    ):
        _add_rows(tables, plan, run, recorded, files)
        with engine_of([rule for rule in rules if rule.code not in own], options, plan.now, tables) as engine:
            findings = _findings(engine, plan, documents)
        findings = _end_with_pages(findings, plan, rules, tables, documents)
        if own_rules := [rule for rule in rules if rule.code in own]:
            with blaming_own(options.rule), engine_of(own_rules, options, plan.now) as other:
                findings += engine.silencing.remove_silenced(_isolated_findings(other, plan, tables, documents))
    urls = urls_of_entries(run.store, run.run_id, dict(wanted_urls(findings)))
    findings = [with_urls(finding, urls.get(finding.document_id, {})) for finding in findings]
    located = tuple(files.documents(findings))
    run.add_documents(located)
    return Judgement(rules, tuple(findings), engine.silencing, located)


def report_on_run(judgement: Judgement, recorded: Recorded, notes: Sequence[str], options: ValidateOptions) -> Report:
    """Return the report of a run, without findings that the configuration ignores.

    Args:
        notes: Notes on the run, in addition to those on reading and judging.
    """
    cuts = (cut for _, robots in recorded.robots for cut in robots.cuts)
    read = structs.replace(recorded.summary, notes=(*recorded.summary.notes, *cuts, *notes))
    documents = (*recorded.documents, *judgement.files)
    report = report_on(documents, judgement.findings, read, judgement.rules, judgement.silencing, options)
    return report if options.xsd is None else structs.replace(report, schema=tuple(recorded.verdicts))


def _add_rows(tables: RunViews, plan: JudgePlan, run: Run, recorded: Recorded, files: SiteFiles) -> None:
    """Add the rows that exist only for rules: URLs that robots.txt blocks, and the places of rows about files."""
    if robots := [(number, each) for number, each in recorded.robots if blocks(each)]:
        agents = plan.options.agents
        for urls in listed_urls(run.store, run.run_id):
            tables.add(BLOCKED_URLS.name, blocked_rows(robots, agents, urls, ()))
        tables.add(BLOCKED_URLS.name, blocked_rows(robots, agents, None, recorded.documents))
    for kind in OF_FILES:
        if kind.name in tables.names:
            rows = _core.Table.concat(list(tables.batches(kind.name)))
            tables.replace(kind.name, files.locate_rows(kind, rows))


def _findings(engine: Engine, plan: JudgePlan, documents: Sequence[DocumentFacts]) -> list[Finding]:
    counts: Counter[str] = Counter()
    findings: list[Finding] = []
    for chunk in _chunks(documents):
        findings += limit_examples(
            engine.check_stored(chunk, is_whole=len(chunk) == len(documents)), counts, plan.example_limit
        )
    return findings + engine.finish(documents)


def _isolated_findings(
    engine: Engine, plan: JudgePlan, tables: RunViews, documents: Sequence[DocumentFacts]
) -> list[Finding]:
    """Run user-defined rules in a separate database, which has only the tables that they may read."""
    counts: Counter[str] = Counter()
    findings: list[Finding] = []
    for name in sorted(tables.names & {*RUN_TABLES}):
        for rows in tables.batches(name):
            engine.add({name: rows})
    for chunk in _chunks(documents):
        for name in sorted(tables.names & {*CHUNK_TABLES}):
            for rows in tables.batches(name, of_documents(chunk)):
                engine.load({name: rows})
        findings += limit_examples(engine.check_loaded(chunk), counts, plan.example_limit)
    return findings + engine.finish(documents)


def _end_with_pages(
    findings: list[Finding],
    plan: JudgePlan,
    rules: Sequence[Rule],
    tables: RunViews,
    documents: Sequence[DocumentFacts],
) -> list[Finding]:
    """Replace findings that suspect a missing page by those that remain without the URLs where the audit found one."""
    suspecting = [rule for rule in rules if isinstance(rule, EntryRule) and rule.ends_with_page]
    codes = {rule.code for rule in suspecting}
    numbers = {finding.document_id for finding in findings if finding.rule.code in codes}
    if not numbers or PAGES.name not in tables.names:
        return findings
    tables.remove(URLS.name, HAS_PAGE)
    with engine_of(suspecting, plan.options, plan.now, tables) as engine:
        suspected = [facts for facts in documents if facts["document_id"] in numbers]
        still = [finding for chunk in _chunks(suspected) for finding in engine.check_stored(chunk, is_whole=False)]
    return [finding for finding in findings if finding.rule.code not in codes] + still


def _chunks(documents: Sequence[DocumentFacts]) -> Iterator[Sequence[DocumentFacts]]:
    """Yield groups of consecutive documents whose rows fit in memory."""
    first = rows = 0
    for place, facts in enumerate(documents):
        if place > first and (rows >= CHUNK_ROWS or place - first >= CHUNK_DOCUMENTS):
            yield documents[first:place]
            first, rows = place, 0
        rows += _rows(facts)
    if documents:
        yield documents[first:]


def _rows(facts: DocumentFacts) -> int:
    """Return the approximate number of rows of a document."""
    return sum(facts[name] or 0 for name in ("entries", "alternates", "images"))
