"""Judging: collect documents into chunks, pass them to the engine, and collect the findings."""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice
from operator import itemgetter
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from urlset import _core
from urlset.documents import DocumentFacts, concatenate
from urlset.errors import InputError
from urlset.net.urlparts import published_at
from urlset.stages.outcomes import DocumentRead, ReadSummary, RobotsTxt, Unfetched, verdicts_of
from urlset.tables import BLOCKED_URLS, CUTS, URLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

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
        documents: Rows of `documents`, ordered by number at the end.
        verdicts: Results of schema validation, if requested.
        robots: Every requested robots.txt, with its number.
    """

    rules: Sequence[Rule]
    engine: Engine
    agents: Sequence[str]
    lookup: UrlLookup
    url: str | None = None
    max_examples: int = MAX_EXAMPLES
    documents: list[Mapping[str, object]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    verdicts: list[SchemaVerdict] = field(default_factory=list)
    robots: list[tuple[int, Robots]] = field(default_factory=list)
    summary: ReadSummary = field(default_factory=ReadSummary)
    _examples: Counter[str] = field(default_factory=Counter)
    _chunk: _Chunk = field(default_factory=_Chunk)
    _indexes: _Chunk = field(default_factory=_Chunk)

    def take(self, outcome: Outcome) -> None:
        """Take the outcome of a document, in the order of their numbers, and finally the summary."""
        match outcome:
            case DocumentRead():
                with outcome.as_far_as_readable():
                    self._take_document(outcome)
            case RobotsTxt(facts, robots):
                self.documents.append(DocumentFacts(facts))
                # It applies to the documents that follow.
                self.engine.add(robots.tables(outcome.number))
                self.robots.append((outcome.number, robots))
            case Unfetched(facts):
                self.documents.append(DocumentFacts(facts))
            case ReadSummary():
                self.summary = outcome

    def finish(self) -> None:
        """Judge the pending documents, then run the rules across documents."""
        for chunk in (self._chunk, self._indexes):
            if chunk.documents:
                self._judge_chunk(chunk)
        self.documents.sort(key=itemgetter("document_id"))
        if cuts := self.summary.cuts:
            columns = [(column.name, column.type) for column in CUTS.columns]
            self.engine.add({CUTS.name: _core.Table.from_rows(columns, [dict(cut) for cut in cuts])})
        self.findings += self.lookup.add_urls(self.engine.finish(self.documents))

    def _take_document(self, document: DocumentRead) -> None:
        batches = list(islice(document.batches, 2))
        reader = document.document.reader
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
        self.verdicts += verdicts_of(document)

    def _judge_chunk(self, chunk: _Chunk) -> None:
        tables = concatenate(chunk.batches)
        self._note(self.engine.check(tables | self._blocked_rows(tables, chunk.documents), chunk.documents))
        chunk.clear()

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
        robots = [(number, robots) for number, robots in self.robots if blocks(robots)]
        if not robots:
            return {}
        return {BLOCKED_URLS.name: blocked_rows(robots, self.agents, tables.get(URLS.name), documents)}

    def _facts(self, facts: Mapping[str, object]) -> Mapping[str, object]:
        row = DocumentFacts({**facts, **({} if self.url is None else published_at(self.url))})
        self.documents.append(row)
        return row


def blocks(robots: Robots) -> bool:
    """Return whether a robots.txt may block something."""
    from urlset.web.robots_txt import Availability

    return robots.availability is Availability.READ and bool(robots.groups)


def blocked_rows(
    robots: Sequence[tuple[int, Robots]],
    agents: Sequence[str],
    urls: Table | None,
    documents: Sequence[Mapping[str, object]],
) -> Table:
    """Return the rows of `blocked_urls` of entries, and of documents themselves, by any of some robots.txt files."""
    blocked = []
    for number, robots_file in robots:
        if urls is not None:
            blocked.append(robots_file.blocked_urls(urls, agents, number))
        blocked.append(robots_file.blocked_documents(documents, agents, number))
    return _core.Table.concat(blocked)


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
