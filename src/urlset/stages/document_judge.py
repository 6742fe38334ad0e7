"""Judging: collect documents into chunks, pass them to the engine, and collect the findings."""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from urlset import _core
from urlset.documents import DocumentFacts, concatenate
from urlset.errors import InputError
from urlset.net.urlparts import published_at
from urlset.stages.outcomes import Assumed, DocumentRead, ReadSummary, RobotsTxt, Unfetched
from urlset.tables import BLOCKED_URLS, CUTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from urlset._core import Table
    from urlset.engine.duckdb import Engine
    from urlset.model.finding import Finding
    from urlset.model.schema import SchemaVerdict
    from urlset.rules.rule import Rule
    from urlset.stages.outcomes import Outcome
    from urlset.stages.url_lookup import UrlLookup
    from urlset.web.robots_txt import Robots

CHUNK_ROWS = 150_000
"""Rows per chunk: enough to make the cost per query small, and few enough to fit in memory."""

CHUNK_DOCUMENTS = 1_000
"""Maximum documents per chunk."""

MAX_EXAMPLES = 10_000
"""Total examples of a rule after which further findings of it keep only one example."""

EXAMPLES_FOR_EACH_ASKED = 1_000
"""Minimum total examples of a rule to keep, as a multiple of `max_examples`."""

SCHEMA_KINDS = frozenset({"urlset", "sitemapindex", "xml"})
"""Kinds of documents to validate against the official schemas: sitemap vocabularies and unknown XML."""


class _Chunk(Struct):
    """Documents that were read and not yet judged."""

    documents: list[Mapping[str, object]] = field(default_factory=list)
    batches: list[dict[str, Table]] = field(default_factory=list)
    rows: int = 0

    def add(self, facts: Mapping[str, object], tables: dict[str, Table]) -> None:
        self.documents.append(facts)
        self.batches.append(tables)
        self.rows += sum(table.num_rows for table in tables.values())

    def clear(self) -> None:
        self.documents, self.batches, self.rows = [], [], 0

    @property
    def is_full(self) -> bool:
        return self.rows >= CHUNK_ROWS or len(self.documents) >= CHUNK_DOCUMENTS


class Judge(Struct):
    """Collects documents into chunks, has the engine judge them, and collects the findings.

    Indexes are judged later, because the robots.txt files of other hosts that they list are read after them.

    Attributes:
        agents: Crawlers to check against robots.txt.
        lookup: Looks up URLs of findings across documents.
        url: The URL at which a single document is or will be published.
        max_examples: Total examples of a rule after which further findings of it keep only one.
        rows_of: Returns the rows of documents that were assumed to be unchanged by their numbers, in batches.
        documents: Rows of `documents`, ordered by number at the end.
        verdicts: Results of schema validation, if requested.
        robots: Every requested robots.txt, with its number.
        notes: Notes on the robots.txt files.
    """

    rules: Sequence[Rule]
    engine: Engine
    agents: Sequence[str]
    lookup: UrlLookup
    url: str | None = None
    max_examples: int = MAX_EXAMPLES
    rows_of: Callable[[Sequence[int]], Iterable[Mapping[str, Table]]] | None = None
    documents: list[Mapping[str, object]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    verdicts: list[SchemaVerdict] = field(default_factory=list)
    robots: list[tuple[int, Robots]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    summary: ReadSummary = field(default_factory=ReadSummary)
    _examples: Counter[str] = field(default_factory=Counter)
    _chunk: _Chunk = field(default_factory=_Chunk)
    _indexes: _Chunk = field(default_factory=_Chunk)
    _assumed_documents: list[Mapping[str, object]] = field(default_factory=list)
    _assumed_indexes: list[Mapping[str, object]] = field(default_factory=list)

    def take(self, outcome: Outcome) -> None:
        """Take the outcome of a document, in the order of their numbers, and finally the summary."""
        match outcome:
            case DocumentRead():
                with outcome.as_far_as_readable():
                    self._take_document(outcome)
            case Assumed(facts):
                self._take_assumed(facts)
            case RobotsTxt(facts, robots):
                self.documents.append(DocumentFacts(facts))
                # It applies to the documents that follow.
                self.engine.add(robots.tables(outcome.number))
                self.robots.append((outcome.number, robots))
                self.notes += robots.cuts
            case Unfetched(facts):
                self.documents.append(DocumentFacts(facts))
            case ReadSummary():
                self.summary = outcome

    def add(self, tables: Mapping[str, Table]) -> None:
        """Add rows about the run as a whole, for the rules across documents."""
        self.engine.add(tables)

    def judge_pending(self) -> None:
        """Judge the pending documents."""
        for assumed in (self._assumed_documents, self._assumed_indexes):
            if assumed:
                self._judge_assumed(assumed)
        for chunk in (self._chunk, self._indexes):
            if chunk.documents:
                self._judge_chunk(chunk)
        self.documents.sort(key=itemgetter("document_id"))

    def finish(self) -> None:
        """Judge the pending documents, then run the rules across documents."""
        self.judge_pending()
        if cuts := self.summary.cuts:
            columns = [(column.name, column.type) for column in CUTS.columns]
            self.add({CUTS.name: _core.Table.from_rows(columns, [dict(cut) for cut in cuts])})
        self.findings += self.lookup.add_urls(self.engine.finish(self.documents))

    def _take_document(self, document: DocumentRead) -> None:
        batches = list(islice(document.batches, 2))
        reader, validator = document.document.reader, document.document.validator
        if len(batches) < 2:
            whole = concatenate(batches)
            self.lookup.hold(reader, whole)
            chunk = self._indexes if reader.facts["kind"] == "sitemapindex" else self._chunk
            chunk.add(self._facts(reader.facts), whole)
            if chunk.is_full:
                self._judge_chunk(chunk)
        else:
            self.lookup.hold(reader, {})
            self._load(reader.facts, chain(_pop_all(batches), document.batches))
        if validator is not None and reader.facts["kind"] in SCHEMA_KINDS:
            self.verdicts.append(validator.verdict(document.number))

    def _take_assumed(self, facts: Mapping[str, object]) -> None:
        assumed = self._assumed_indexes if facts["kind"] == "sitemapindex" else self._assumed_documents
        assumed.append(self._facts(facts))
        if len(assumed) >= CHUNK_DOCUMENTS or _rows(assumed) >= CHUNK_ROWS:
            self._judge_assumed(assumed)

    def _judge_chunk(self, chunk: _Chunk) -> None:
        tables = concatenate(chunk.batches)
        self._note(self.engine.check(tables | self._blocked_rows(tables, chunk.documents), chunk.documents))
        chunk.clear()

    def _judge_assumed(self, assumed: list[Mapping[str, Any]]) -> None:
        assert self.rows_of is not None
        for batch in self.rows_of([facts["document_id"] for facts in assumed]):
            self.engine.load({**batch, **self._blocked_rows(batch, ())})
        self.engine.load(self._blocked_rows({}, assumed))
        self._note(self.engine.check_loaded(assumed))
        assumed.clear()

    def _load(self, facts: Mapping[str, object], batches: Iterable[Mapping[str, Table]]) -> None:
        try:
            for batch in batches:
                self.engine.load({**batch, **self._blocked_rows(batch, ())})
        except InputError:
            self.engine.unload()
            raise
        # The facts of a reader are complete only now.
        row = self._facts(facts)
        self.engine.load(self._blocked_rows({}, [row]))
        self._note(self.engine.check_loaded([row]))

    def _note(self, findings: Iterable[Finding]) -> None:
        """Keep findings; for a rule with very many findings, keep only one example each."""
        self.findings += limit_examples(findings, self._examples, self.max_examples)

    def _blocked_rows(self, tables: Mapping[str, Table], documents: Sequence[Mapping[str, object]]) -> dict[str, Table]:
        """Return what robots.txt blocks among rows, and among documents themselves."""
        if not self.robots:
            return {}
        from urlset.web.robots_txt import Availability

        blocked = []
        for number, robots in self.robots:
            if robots.availability is not Availability.READ or not robots.groups:
                continue
            if "urls" in tables:
                blocked.append(robots.blocked_urls(tables["urls"], self.agents, number))
            blocked.append(robots.blocked_documents(documents, self.agents, number))
        return {BLOCKED_URLS.name: _core.Table.concat(blocked)} if blocked else {}

    def _facts(self, facts: Mapping[str, object]) -> Mapping[str, object]:
        row = DocumentFacts({**facts, **({} if self.url is None else published_at(self.url))})
        self.documents.append(row)
        return row


def limit_examples(findings: Iterable[Finding], example_counts: Counter[str], limit: int) -> Iterator[Finding]:
    """Yield findings, and count their examples; a rule that has `limit` of them keeps one per further finding."""
    for finding in findings:
        code = finding.rule.code
        yield replace(finding, examples=finding.examples[:1]) if example_counts[code] >= limit else finding
        example_counts[code] += len(finding.examples)


def _pop_all(batches: list[dict[str, Table]]) -> Iterator[dict[str, Table]]:
    """Yield the batches without keeping references to them."""
    while batches:
        yield batches.pop(0)


def _rows(documents: Iterable[Mapping[str, Any]]) -> int:
    """Return the approximate number of rows of documents."""
    return sum(facts[name] or 0 for facts in documents for name in ("entries", "alternates", "images"))
