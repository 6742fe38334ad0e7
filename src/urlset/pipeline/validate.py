"""`validate`: from targets to findings. Documents are read several at once and judged in chunks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

from urlset import _core
from urlset.errors import InputError, Unreadable
from urlset.model.report import Report
from urlset.pipeline.judge import EXAMPLES_FOR_EACH_ASKED, MOST_EXAMPLES, Judge
from urlset.pipeline.many import ReadMany
from urlset.pipeline.outcomes import Came, Known, RobotsTxt, Unfetched
from urlset.pipeline.read import Held, hold
from urlset.pipeline.recall import Recall
from urlset.pipeline.ruleset import blaming_own, limits_of, rules_of, wants_schema_view, without_ignored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from urlset._core import Table
    from urlset.config import Progress, ValidateOptions
    from urlset.documents import DocumentReader
    from urlset.engine.duckdb import Engine
    from urlset.model.document import LeftOut
    from urlset.net.trust import Trust
    from urlset.pipeline.ledger import Ledger
    from urlset.rules.rule import Rule
    from urlset.sources import Target


MEMORY_BESIDE_PAGES = "48MB"
"""How much DuckDB may hold of what is judged where pages are looked at, before it writes to its temporary folder."""


@dataclass(frozen=True, slots=True)
class Gone:
    """What a reading left besides documents.

    Attributes:
        unreadable: Targets that could not be read.
        left_out: Files of folders that are no sitemaps.
        notes: What a user should know about how sites were searched.
        cuts: Rows of `tables.CUTS`: what indexes list and was not followed.
    """

    unreadable: tuple[Unreadable, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
    cuts: tuple[Mapping[str, object], ...] = ()


Look: TypeAlias = "Callable[[Judge, Gone], Iterable[Mapping[str, Table]]]"


def validate(
    targets: Sequence[Target],
    options: ValidateOptions,
    progress: Progress | None = None,
    url: str | None = None,
    watch: Callable[[DocumentReader, Held], Held] | None = None,
    look: Look | None = None,
    recall: Recall | None = None,
    ledger: Ledger | None = None,
    trust: Trust | None = None,
) -> Report:
    """Reads documents and runs rules over them.

    Args:
        targets: What to check.
        options: Which rules, how many examples, how to read.
        progress: Told after each document.
        url: The URL under which a single target is or will be published.
        watch: Given each document before it is judged, in order; what it gives back is judged.
        look: Called once all was read, for what is to be looked at besides; it gives tables of the run, which the rules
            across documents then see.
        recall: What names the URLs of findings across documents; from memory, or by reading again, unless given.
        ledger: Where it is noted what became of each document; what it knows already is not read again.
        trust: Whom the user trusts; the targets unless given.

    Returns:
        The findings, the facts of each document, and what could not be read.

    Raises:
        MisuseError: A prefix of rule codes is unknown.
        ConfigError: A rule of the user's own is wrong, or fails on a value; or the schemas cannot be used.
        MissingExtraError: Schemas are asked for, and lxml is not installed.
    """
    now = options.now or datetime.now(UTC)
    # Where nothing can be wrong with the rules, they are imported while the first documents are read.
    is_usual = not (options.select or options.ignore or options.rules or options.severity or options.profile)
    rules = () if is_usual else rules_of(options, now, pages=look is not None)
    take = _taking(options)
    reading = replace(options.read, schema_view=True) if wants_schema_view(rules) else options.read
    with ReadMany(targets, reading, take, progress, ledger, trust) as documents:
        # Reading goes on while the engine is imported and set up, which takes as long as reading a large sitemap.
        import urlset.engine.duckdb  # noqa: F401

        if is_usual:
            rules = rules_of(options, now, pages=look is not None)
        with _engine_of(rules, options, now, looks=look is not None) as engine, blaming_own(options.rules):
            judge = _judge_of(engine, options, recall or Recall(reading), url)
            judge.rows_of = None if ledger is None else ledger.rows
            for document in documents:
                match document:
                    case Came(reader=reader, kept=held):
                        try:
                            judge.take(reader, held if watch is None else watch(reader, held))
                        except InputError as error:
                            documents.failed(error)
                    case RobotsTxt(facts, robots):
                        judge.take_facts(facts)
                        judge.take_robots(facts["document_id"], robots)
                        documents.notes += robots.cuts
                    case Known(facts):
                        judge.take_known(facts)
                    case Unfetched(facts):
                        judge.take_facts(facts)
            gone = Gone(
                tuple(documents.unreadable),
                tuple(documents.left_out),
                tuple(documents.notes),
                tuple(cut.as_row() for cut in documents.cuts),
            )
            if look is not None:
                judge.settle()
                for tables in look(judge, gone):
                    engine.add(tables)
            judge.finish(gone.cuts)
    return _report_of(judge, gone, rules, options)


def _engine_of(rules: Sequence[Rule], options: ValidateOptions, now: datetime, *, looks: bool = False) -> Engine:
    """The engine of a run; one that looks at pages has their store and their requests in memory besides."""
    from urlset.engine.duckdb import Engine
    from urlset.engine.statements import Bounds

    own = frozenset(rule.code for rule in options.rules)
    return Engine(
        rules,
        {**limits_of(options), "now": now},
        options.max_examples,
        options.threads,
        MEMORY_BESIDE_PAGES if looks else None,
        required_urls=options.required_urls,
        bounds=Bounds(own, options.rule_seconds, options.rule_memory) if own else None,
    )


def _judge_of(engine: Engine, options: ValidateOptions, recall: Recall, url: str | None) -> Judge:
    """The judge of a run."""
    most = max(MOST_EXAMPLES, EXAMPLES_FOR_EACH_ASKED * options.max_examples)
    return Judge(engine, url, options.agents, most_examples=most, recall=recall)


def _report_of(judge: Judge, gone: Gone, rules: Sequence[Rule], options: ValidateOptions) -> Report:
    """What a run gives, without what the configuration ignores."""
    silencing = judge.engine.silencing
    report = Report(
        _core.__version__,
        tuple(judge.documents),
        tuple(judge.findings),
        gone.unreadable,
        gone.left_out,
        rules=rules,
        silenced={(finding.document_id, finding.rule.code): silencing.reason for finding in silencing.findings},
        cuts=gone.cuts,
        notes=(*gone.notes, *silencing.notes),
        schema=None if options.xsd is None else tuple(judge.verdicts),
    )
    counting = without_ignored(report.findings, report.documents, options)
    return report.without(counting, "ignored in this document by the configuration")


def _taking(options: ValidateOptions) -> Callable[[DocumentReader], Held]:
    """How a document is read: held against the official schemas meanwhile, if that is asked for.

    Raises:
        ConfigError: The schemas cannot be used.
        MissingExtraError: lxml is not installed.
    """
    if options.xsd is None:
        return hold
    from urlset.schema.load import load
    from urlset.schema.validate import Validator

    schema = load(options.xsd)
    return lambda reader: hold(reader, Validator(schema, options.read.max_inflated))
