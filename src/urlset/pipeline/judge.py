"""Judging: documents gathered into chunks, given to the engine, and what came out of it kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from urlset import _core
from urlset.documents import Facts, merged
from urlset.errors import InputError
from urlset.net.urlparts import host_of, split_url
from urlset.robots import Availability
from urlset.tables import CUTS, FORBIDDEN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from urlset._core import Table
    from urlset.documents import DocumentReader
    from urlset.engine.duckdb import Engine
    from urlset.model.finding import Finding
    from urlset.model.schema import SchemaVerdict
    from urlset.pipeline.read import Held
    from urlset.pipeline.recall import Recall
    from urlset.robots import Robots

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
class Judge:
    """Gathers documents into chunks, has the engine judge them, and keeps what came out.

    Indexes wait apart: what robots.txt of other hosts says of what they list is known later than they are.

    Attributes:
        engine: What runs the rules.
        url: The URL under which a single document is or will be published.
        agents: Crawlers that robots.txt is asked about.
        documents: Rows of `documents`, by number once they are settled.
        findings: What was found so far.
        verdicts: What the official schemas say, where that was asked for.
        robots: Every robots.txt that was asked for, with its number.
        most_examples: Examples of one rule, from which on a finding of it keeps only one.
        recall: What names the URLs of findings across documents; None to leave them unnamed.
        rows_of: Gives the rows of documents that are kept elsewhere, by their numbers, some at a time.
    """

    engine: Engine
    url: str | None
    agents: Sequence[str]
    documents: list[Mapping[str, Any]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    verdicts: list[SchemaVerdict] = field(default_factory=list)
    robots: list[tuple[int, Robots]] = field(default_factory=list)
    most_examples: int = MOST_EXAMPLES
    recall: Recall | None = None
    rows_of: Callable[[Sequence[int]], Iterable[Mapping[str, Table]]] | None = None
    _examples: Counter[str] = field(default_factory=Counter)
    _chunk: _Chunk = field(default_factory=_Chunk)
    _indexes: _Chunk = field(default_factory=_Chunk)
    _known: list[Mapping[str, Any]] = field(default_factory=list)
    _known_indexes: list[Mapping[str, Any]] = field(default_factory=list)

    def take(self, reader: DocumentReader, held: Held) -> None:
        """Takes a document.

        Raises:
            InputError: The rest of a large one cannot be read.
        """
        if self.recall is not None:
            self.recall.hold(reader, held.tables if held.rest is None else {})
        if held.rest is not None:
            self._load(reader.facts, chain([held.tables], held.rest))
        else:
            is_index = reader.facts["kind"] == "sitemapindex"
            chunk = self._indexes if is_index else self._chunk
            chunk.add(self._facts(reader.facts), held.tables)
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
        self.robots.append((number, robots))

    def take_known(self, facts: Mapping[str, Any]) -> None:
        """Takes a document whose rows are kept elsewhere."""
        known = self._known_indexes if facts["kind"] == "sitemapindex" else self._known
        known.append(self._facts(facts))
        if len(known) >= CHUNK_DOCUMENTS or _rows(known) >= CHUNK_ROWS:
            self._judge_known(known)

    def settle(self) -> None:
        """Judges what waits."""
        for known in (self._known, self._known_indexes):
            if known:
                self._judge_known(known)
        for chunk in (self._chunk, self._indexes):
            if chunk.documents:
                self._judge_chunk(chunk)
        self.documents.sort(key=itemgetter("document_id"))

    def finish(self, cuts: Sequence[Mapping[str, object]]) -> None:
        """Judges what waits, and the documents as a whole.

        Args:
            cuts: Rows of the table `cuts`.
        """
        self.settle()
        if cuts:
            columns = [(column.name, column.type) for column in CUTS.columns]
            self.engine.add({CUTS.name: _core.Table.from_rows(columns, [dict(cut) for cut in cuts])})
        found = self.engine.finish(self.documents)
        self.findings += found if self.recall is None else self.recall.named(found)

    def _judge_chunk(self, chunk: _Chunk) -> None:
        tables = merged(chunk.batches)
        self._note(self.engine.check(tables | self._forbidden(tables, chunk.documents), chunk.documents))
        chunk.clear()

    def _judge_known(self, known: list[Mapping[str, Any]]) -> None:
        assert self.rows_of is not None
        for batch in self.rows_of([facts["document_id"] for facts in known]):
            self.engine.load({**batch, **self._forbidden(batch, ())})
        self.engine.load(self._forbidden({}, known))
        self._note(self.engine.check_loaded(known))
        known.clear()

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


def _rows(documents: Iterable[Mapping[str, Any]]) -> int:
    """About how many rows documents have."""
    return sum(facts[name] or 0 for facts in documents for name in ("entries", "alternates", "images"))


def _published_at(url: str | None) -> dict[str, str | None]:
    if url is None:
        return {}
    return {"final_url": url, "host": host_of(url), "site_path": split_url(url).path}
