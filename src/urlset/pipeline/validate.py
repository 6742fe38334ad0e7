"""`validate`: from targets to findings. Documents are read several at once and judged in chunks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from urlset import _core
from urlset.documents import merged
from urlset.errors import InputError
from urlset.pipeline.read import Held, ReadMany, hold
from urlset.pipeline.ruleset import blaming_own, limits_of, rules_of, wants_schema_view, without_ignored
from urlset.report.model import LeftOut, Report, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from urlset._core import Table
    from urlset.config import Progress, ValidateOptions
    from urlset.documents import DocumentReader
    from urlset.engine.duckdb import Engine
    from urlset.findings import Finding, SchemaVerdict
    from urlset.sources import Target

CHUNK_ROWS = 150_000
"""Rows after which a chunk is judged: enough to make the cost of a query small, few enough to be held in memory."""

CHUNK_DOCUMENTS = 1_000
"""Documents after which a chunk is judged, however few rows they have."""

SCHEMA_KINDS = frozenset({"urlset", "sitemapindex", "xml"})
"""Kinds of document that the official schemas are about: written in their vocabulary, or in none that is known."""


@dataclass
class _Chunk:
    """Whole documents, read and not yet judged."""

    documents: list[dict[str, Any]] = field(default_factory=list)
    batches: list[dict[str, Table]] = field(default_factory=list)
    rows: int = 0

    def add(self, facts: dict[str, Any], tables: dict[str, Table]) -> None:
        self.documents.append(facts)
        self.batches.append(tables)
        self.rows += sum(table.num_rows for table in tables.values())

    @property
    def is_full(self) -> bool:
        return self.rows >= CHUNK_ROWS or len(self.documents) >= CHUNK_DOCUMENTS


@dataclass
class _Judge:
    """Gathers documents into chunks, has the engine judge them, and keeps what came out."""

    engine: Engine
    url: str | None
    documents: list[dict[str, Any]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    verdicts: list[SchemaVerdict] = field(default_factory=list)
    _chunk: _Chunk = field(default_factory=_Chunk)

    def take(self, reader: DocumentReader, held: Held) -> None:
        """Takes a document.

        Raises:
            InputError: The rest of a large one cannot be read.
        """
        if held.rest is not None:
            self._take_large(reader, held.tables, held.rest)
        else:
            self._chunk.add(self._facts(reader), held.tables)
            if self._chunk.is_full:
                self._judge_chunk()
        if held.validator is not None and reader.facts["kind"] in SCHEMA_KINDS:
            self.verdicts.append(held.validator.verdict(reader.facts["document_id"]))

    def finish(self) -> None:
        """Judges what waits, and the documents as a whole."""
        if self._chunk.documents:
            self._judge_chunk()
        self.findings += self.engine.finish(self.documents)

    def _judge_chunk(self) -> None:
        self.findings += self.engine.check(merged(self._chunk.batches), self._chunk.documents)
        self._chunk = _Chunk()

    def _take_large(self, reader: DocumentReader, begin: dict[str, Table], rest: Iterator[dict[str, Table]]) -> None:
        try:
            self.engine.load(begin)
            for batch in rest:
                self.engine.load(batch)
        except InputError:
            self.engine.unload()
            raise
        self.findings += self.engine.check_loaded([self._facts(reader)])

    def _facts(self, reader: DocumentReader) -> dict[str, Any]:
        facts = reader.facts | _published_at(self.url)
        self.documents.append(facts)
        return facts


def validate(
    targets: Sequence[Target],
    options: ValidateOptions,
    progress: Progress | None = None,
    url: str | None = None,
    watch: Callable[[DocumentReader, Held], Held] | None = None,
) -> Report:
    """Reads documents and runs rules over them.

    Args:
        targets: What to check.
        options: Which rules, how many examples, how to read.
        progress: Told after each document.
        url: The URL under which a single target is or will be published.
        watch: Given each document before it is judged, in order; what it gives back is judged.

    Returns:
        The findings, the facts of each document, and what could not be read.

    Raises:
        MisuseError: A prefix of rule codes is unknown.
        ConfigError: A rule of the user's own is wrong, or fails on a value; or the schemas cannot be used.
        MissingExtraError: Schemas are asked for, and lxml is not installed.
    """
    now = options.now or datetime.now(UTC)
    rules = rules_of(options, now)
    take = _taking(options)
    reading = replace(options.read, schema_view=True) if wants_schema_view(rules) else options.read
    unreadable: list[Unreadable] = []
    left_out: list[LeftOut] = []
    with ReadMany(targets, reading, take, progress) as outcomes:
        # Reading goes on while the engine is imported and set up, which takes as long as reading a large sitemap.
        from urlset.engine.duckdb import Engine

        engine = Engine(
            rules,
            {**limits_of(options), "now": now},
            options.max_examples,
            options.threads,
            required_urls=options.required_urls,
        )
        with engine, blaming_own(options.rules):
            judge = _Judge(engine, url)
            for outcome in outcomes:
                match outcome:
                    case Unreadable():
                        unreadable.append(outcome)
                    case LeftOut():
                        left_out.append(outcome)
                    case reader, held:
                        try:
                            judge.take(reader, held if watch is None else watch(reader, held))
                        except InputError as error:
                            unreadable.append(Unreadable(error.target, error.reason))
            judge.finish()
    report = Report(
        _core.__version__,
        tuple(judge.documents),
        tuple(judge.findings),
        tuple(unreadable),
        tuple(left_out),
        rules=rules,
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


def _published_at(url: str | None) -> dict[str, str | None]:
    if url is None:
        return {}
    parts = urlsplit(url)
    return {"final_url": url, "host": parts.hostname, "site_path": parts.path}
