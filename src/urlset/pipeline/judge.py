"""Judging: documents gathered into chunks, given to the engine, and what came out of it kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from urlset import _core
from urlset.documents import Facts, merged
from urlset.errors import InputError
from urlset.net.urlparts import host_of, split_url
from urlset.pipeline.outcomes import DocumentRead, ReadSummary, Resumed, RobotsTxt, Unfetched
from urlset.tables import CUTS, FORBIDDEN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from urlset._core import Table
    from urlset.engine.duckdb import Engine
    from urlset.model.finding import Finding
    from urlset.model.schema import SchemaVerdict
    from urlset.pipeline.outcomes import Outcome
    from urlset.pipeline.url_lookup import UrlLookup
    from urlset.robots import Robots
    from urlset.rules.rule import Rule

CHUNK_ROWS = 150_000
"""Rows after which a chunk is judged: enough to make the cost of a query small, few enough to be held in memory."""

CHUNK_DOCUMENTS = 1_000
"""Documents after which a chunk is judged, however few rows they have."""

MOST_EXAMPLES = 10_000
"""Examples of one rule in a run, from which on a finding of it keeps only one."""

EXAMPLES_FOR_EACH_ASKED = 1_000
"""That many times the examples asked for are kept in any case."""

SCHEMA_KINDS = frozenset({"urlset", "sitemapindex", "xml"})
"""Kinds of document that the official schemas are about: written in their vocabulary, or in none that is known."""


class _Chunk(Struct):
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


class Judge(Struct):
    """Gathers documents into chunks, has the engine judge them, and keeps what came out.

    Indexes wait apart: what robots.txt of other hosts says of what they list is known later than they are.

    Attributes:
        rules: The rules of the run.
        engine: What runs them.
        agents: Crawlers that robots.txt is asked about.
        lookup: What names the URLs of findings across documents.
        url: The URL under which a single document is or will be published.
        most_examples: Examples of one rule, from which on a finding of it keeps only one.
        rows_of: Gives the rows of resumed documents, by their numbers, some at a time.
        documents: Rows of `documents`, by number once they are settled.
        findings: What was found so far.
        verdicts: What the official schemas say, where that was asked for.
        robots: Every robots.txt that was asked for, with its number.
        notes: What a user should know about the robots.txt files.
        summary: What the reading gave besides rows.
    """

    rules: Sequence[Rule]
    engine: Engine
    agents: Sequence[str]
    lookup: UrlLookup
    url: str | None = None
    most_examples: int = MOST_EXAMPLES
    rows_of: Callable[[Sequence[int]], Iterable[Mapping[str, Table]]] | None = None
    documents: list[Mapping[str, Any]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    verdicts: list[SchemaVerdict] = field(default_factory=list)
    robots: list[tuple[int, Robots]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    summary: ReadSummary = field(default_factory=ReadSummary)
    _examples: Counter[str] = field(default_factory=Counter)
    _chunk: _Chunk = field(default_factory=_Chunk)
    _indexes: _Chunk = field(default_factory=_Chunk)
    _resumed: list[Mapping[str, Any]] = field(default_factory=list)
    _resumed_indexes: list[Mapping[str, Any]] = field(default_factory=list)

    def take(self, outcome: Outcome) -> None:
        """Takes what became of a document, in the order of their numbers; at last the summary."""
        match outcome:
            case DocumentRead():
                with outcome.as_far_as_readable():
                    self._take_document(outcome)
            case Resumed(facts):
                self._take_resumed(facts)
            case RobotsTxt(facts, robots):
                self.documents.append(Facts(facts))
                # It is asked about what is taken after it.
                self.engine.add(robots.tables(outcome.number))
                self.robots.append((outcome.number, robots))
                self.notes += robots.cuts
            case Unfetched(facts):
                self.documents.append(Facts(facts))
            case ReadSummary():
                self.summary = outcome

    def add(self, tables: Mapping[str, Table]) -> None:
        """Takes rows about the run as a whole, which the rules across documents see."""
        self.engine.add(tables)

    def settle(self) -> None:
        """Judges what waits."""
        for resumed in (self._resumed, self._resumed_indexes):
            if resumed:
                self._judge_resumed(resumed)
        for chunk in (self._chunk, self._indexes):
            if chunk.documents:
                self._judge_chunk(chunk)
        self.documents.sort(key=itemgetter("document_id"))

    def finish(self) -> None:
        """Judges what waits, and the documents as a whole."""
        self.settle()
        if cuts := self.summary.cuts:
            columns = [(column.name, column.type) for column in CUTS.columns]
            self.add({CUTS.name: _core.Table.from_rows(columns, [dict(cut) for cut in cuts])})
        self.findings += self.lookup.named(self.engine.finish(self.documents))

    def _take_document(self, document: DocumentRead) -> None:
        begun = list(islice(document.batches, 2))
        reader, validator = document.document.reader, document.document.validator
        if len(begun) < 2:
            whole = merged(begun)
            self.lookup.hold(reader, whole)
            chunk = self._indexes if reader.facts["kind"] == "sitemapindex" else self._chunk
            chunk.add(self._facts(reader.facts), whole)
            if chunk.is_full:
                self._judge_chunk(chunk)
        else:
            self.lookup.hold(reader, {})
            self._load(reader.facts, chain(_popped(begun), document.batches))
        if validator is not None and reader.facts["kind"] in SCHEMA_KINDS:
            self.verdicts.append(validator.verdict(document.number))

    def _take_resumed(self, facts: Mapping[str, Any]) -> None:
        resumed = self._resumed_indexes if facts["kind"] == "sitemapindex" else self._resumed
        resumed.append(self._facts(facts))
        if len(resumed) >= CHUNK_DOCUMENTS or _rows(resumed) >= CHUNK_ROWS:
            self._judge_resumed(resumed)

    def _judge_chunk(self, chunk: _Chunk) -> None:
        tables = merged(chunk.batches)
        self._note(self.engine.check(tables | self._forbidden(tables, chunk.documents), chunk.documents))
        chunk.clear()

    def _judge_resumed(self, resumed: list[Mapping[str, Any]]) -> None:
        assert self.rows_of is not None
        for batch in self.rows_of([facts["document_id"] for facts in resumed]):
            self.engine.load({**batch, **self._forbidden(batch, ())})
        self.engine.load(self._forbidden({}, resumed))
        self._note(self.engine.check_loaded(resumed))
        resumed.clear()

    def _load(self, facts: Mapping[str, Any], batches: Iterable[Mapping[str, Table]]) -> None:
        try:
            for batch in batches:
                self.engine.load({**batch, **self._forbidden(batch, ())})
        except InputError:
            self.engine.unload()
            raise
        # Those of a reader are complete only now.
        row = self._facts(facts)
        self.engine.load(self._forbidden({}, [row]))
        self._note(self.engine.check_loaded([row]))

    def _note(self, findings: Iterable[Finding]) -> None:
        """Keeps findings; of a rule that very many documents break, no more than an example of each."""
        for finding in findings:
            code = finding.rule.code
            if self._examples[code] >= self.most_examples:
                self.findings.append(replace(finding, examples=finding.examples[:1]))
            else:
                self.findings.append(finding)
            self._examples[code] += len(finding.examples)

    def _forbidden(self, tables: Mapping[str, Table], documents: Sequence[Mapping[str, Any]]) -> dict[str, Table]:
        """What robots.txt forbids of some rows, and of some documents themselves."""
        if not self.robots:
            return {}
        from urlset.robots import Availability

        found = []
        for number, robots in self.robots:
            if robots.availability is not Availability.READ or not robots.groups:
                continue
            if "urls" in tables:
                found.append(robots.forbidden(tables["urls"], self.agents, number))
            found.append(robots.forbidden_documents(documents, self.agents, number))
        return {FORBIDDEN.name: _core.Table.concat(found)} if found else {}

    def _facts(self, facts: Mapping[str, Any]) -> Mapping[str, Any]:
        row = Facts({**facts, **_published_at(self.url)})
        self.documents.append(row)
        return row


def _popped(batches: list[dict[str, Table]]) -> Iterator[dict[str, Table]]:
    """Give the batches, and hold none of them that was given."""
    while batches:
        yield batches.pop(0)


def _rows(documents: Iterable[Mapping[str, Any]]) -> int:
    """About how many rows documents have."""
    return sum(facts[name] or 0 for facts in documents for name in ("entries", "alternates", "images"))


def _published_at(url: str | None) -> dict[str, str | None]:
    if url is None:
        return {}
    return {"final_url": url, "host": host_of(url), "site_path": split_url(url).path}
