"""`validate`: from targets to findings. Documents are read several at once and judged in chunks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from urlset import _core
from urlset.documents import Facts, merged
from urlset.errors import InputError
from urlset.pipeline.many import Came, ReadMany, RobotsTxt, Unfetched
from urlset.pipeline.read import Held, hold
from urlset.pipeline.ruleset import blaming_own, limits_of, rules_of, wants_schema_view, without_ignored
from urlset.report.model import Report
from urlset.robots import Availability
from urlset.tables import CUTS, FORBIDDEN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from urlset._core import Table
    from urlset.config import Progress, ValidateOptions
    from urlset.documents import DocumentReader
    from urlset.engine.duckdb import Engine
    from urlset.findings import Finding, SchemaVerdict
    from urlset.robots import Robots
    from urlset.sources import Target
    from urlset.sources.frontier import Cut

CHUNK_ROWS = 150_000
"""Rows after which a chunk is judged: enough to make the cost of a query small, few enough to be held in memory."""

CHUNK_DOCUMENTS = 1_000
"""Documents after which a chunk is judged, however few rows they have."""

SCHEMA_KINDS = frozenset({"urlset", "sitemapindex", "xml"})
"""Kinds of document that the official schemas are about: written in their vocabulary, or in none that is known."""


@dataclass
class _Chunk:
    """Whole documents, read and not yet judged."""

    documents: list[Mapping[str, Any]] = field(default_factory=list)
    batches: list[dict[str, Table]] = field(default_factory=list)
    rows: int = 0

    def add(self, facts: Mapping[str, Any], tables: dict[str, Table]) -> None:
        self.documents.append(facts)
        self.batches.append(tables)
        self.rows += sum(table.num_rows for table in tables.values())

    def clear(self) -> None:
        self.documents, self.batches, self.rows = [], [], 0

    @property
    def is_full(self) -> bool:
        return self.rows >= CHUNK_ROWS or len(self.documents) >= CHUNK_DOCUMENTS


@dataclass
class _Judge:
    """Gathers documents into chunks, has the engine judge them, and keeps what came out.

    Indexes wait apart: what robots.txt of other hosts says of what they list is known later than they are.
    """

    engine: Engine
    url: str | None
    agents: Sequence[str]
    documents: list[Mapping[str, Any]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    verdicts: list[SchemaVerdict] = field(default_factory=list)
    _robots: list[tuple[int, Robots]] = field(default_factory=list)
    _chunk: _Chunk = field(default_factory=_Chunk)
    _indexes: _Chunk = field(default_factory=_Chunk)

    def take(self, reader: DocumentReader, held: Held) -> None:
        """Takes a document.

        Raises:
            InputError: The rest of a large one cannot be read.
        """
        if held.rest is not None:
            self._take_large(reader, held.tables, held.rest)
        else:
            is_index = reader.facts["kind"] == "sitemapindex"
            chunk = self._indexes if is_index else self._chunk
            chunk.add(self._facts(reader), held.tables)
            if chunk.is_full:
                self._judge_chunk(chunk)
        if held.validator is not None and reader.facts["kind"] in SCHEMA_KINDS:
            self.verdicts.append(held.validator.verdict(reader.facts["document_id"]))

    def take_facts(self, facts: Mapping[str, Any]) -> None:
        """Takes a document that has no rows."""
        self.documents.append(Facts(facts))

    def take_robots(self, number: int, robots: Robots) -> None:
        """Takes a robots.txt; it is asked about what is taken after it."""
        self.engine.add(robots.tables(number))
        self._robots.append((number, robots))

    def finish(self, cuts: Sequence[Cut]) -> None:
        """Judges what waits, and the documents as a whole."""
        for chunk in (self._chunk, self._indexes):
            if chunk.documents:
                self._judge_chunk(chunk)
        if cuts:
            columns = [(column.name, column.type) for column in CUTS.columns]
            self.engine.add({CUTS.name: _core.Table.from_rows(columns, [cut.as_row() for cut in cuts])})
        self.documents.sort(key=itemgetter("document_id"))
        self.findings += self.engine.finish(self.documents)

    def _judge_chunk(self, chunk: _Chunk) -> None:
        tables = merged(chunk.batches)
        self.findings += self.engine.check(tables | self._forbidden(tables, chunk.documents), chunk.documents)
        chunk.clear()

    def _take_large(
        self, reader: DocumentReader, begin: Mapping[str, Table], rest: Iterator[Mapping[str, Table]]
    ) -> None:
        try:
            for batch in chain([begin], rest):
                self.engine.load({**batch, **self._forbidden(batch, ())})
        except InputError:
            self.engine.unload()
            raise
        facts = self._facts(reader)
        self.engine.load(self._forbidden({}, [facts]))
        self.findings += self.engine.check_loaded([facts])

    def _forbidden(self, tables: Mapping[str, Table], documents: Sequence[Mapping[str, Any]]) -> dict[str, Table]:
        """What robots.txt forbids of some rows, and of some documents themselves."""
        found = []
        for number, robots in self._robots:
            if robots.availability is not Availability.READ or not robots.groups:
                continue
            if "urls" in tables:
                found.append(robots.forbidden(tables["urls"], self.agents, number))
            found.append(robots.forbidden_documents(documents, self.agents, number))
        return {FORBIDDEN.name: _core.Table.concat(found)} if found else {}

    def _facts(self, reader: DocumentReader) -> Mapping[str, Any]:
        facts = Facts(reader.facts | _published_at(self.url))
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
    with ReadMany(targets, reading, take, progress) as documents:
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
            judge = _Judge(engine, url, options.agents)
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
                    case Unfetched(facts):
                        judge.take_facts(facts)
            judge.finish(documents.cuts)
    report = Report(
        _core.__version__,
        tuple(judge.documents),
        tuple(judge.findings),
        tuple(documents.unreadable),
        tuple(documents.left_out),
        rules=rules,
        cuts=tuple(cut.as_row() for cut in documents.cuts),
        notes=tuple(documents.notes),
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
