"""Outcomes of documents. The read stage yields one for each document, in the order of their numbers."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from urlset.documents import facts_of
from urlset.errors import InputError, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from urlset._core import Table
    from urlset.fetch.response import Response
    from urlset.model.discovery import KeyHint
    from urlset.model.document import SkippedFile
    from urlset.model.schema import SchemaVerdict
    from urlset.sources import Source
    from urlset.stages.buffered import BufferedDocument
    from urlset.web.robots_txt import Robots

COUNTS = ("entries", "images", "videos", "news", "alternates", "lastmod_missing")
"""Facts that are counts, which are zero for a robots.txt."""

SCHEMA_KINDS = frozenset({"urlset", "sitemapindex", "xml"})
"""Kinds of documents to validate against the official schemas: sitemap vocabularies and unknown XML."""


class DocumentRead(Struct, frozen=True):
    """A document that was read.

    Attributes:
        batches: Its rows, to be iterated once; a small document has a single batch. Raises InputError if the document
            cannot be read to the end; an `UnreadableDocument` with the same number then follows.
    """

    document: BufferedDocument
    source: Source
    batches: Iterator[dict[str, Table]]

    @property
    def facts(self) -> Mapping[str, Any]:
        """Its row of `tables.DOCUMENTS`, complete once the batches are exhausted."""
        return self.document.reader.facts

    @property
    def number(self) -> int:
        return int(self.facts["document_id"])

    @property
    def failed(self) -> bool:
        """Whether reading has failed so far."""
        return self.document.failure is not None

    @contextmanager
    def as_far_as_readable(self) -> Iterator[None]:
        """Suppress the error if the document cannot be read further; the next outcome reports it."""
        try:
            yield
        except InputError:
            if not self.failed:
                raise


class _WithFacts(Struct, frozen=True):
    """A document of which only the facts are available: its row of `tables.DOCUMENTS`."""

    facts: Mapping[str, Any]

    @property
    def number(self) -> int:
        return int(self.facts["document_id"])


class Assumed(_WithFacts, frozen=True):
    """A document that was not requested, because the index lists the same lastmod as in the previous run.

    Attributes:
        previous_id: Its number in that run.
    """

    previous_id: int


class Unfetched(_WithFacts, frozen=True):
    """A document that another document lists and that could not be fetched; the facts state why."""


class RobotsTxt(_WithFacts, frozen=True):
    """A requested robots.txt, which may not exist."""

    robots: Robots


class UnreadableDocument(Struct, frozen=True):
    """A document, or a target, that could not be read.

    Attributes:
        number: Its number in the run; None for a target without a document, and if the entries of a document could not
            be followed.
    """

    number: int | None
    unreadable: Unreadable


class NotSitemap(Struct, frozen=True):
    """A file of a directory that is neither a sitemap nor named like one."""

    number: int
    file: SkippedFile


class DuplicateOf(Struct, frozen=True):
    """A document that is the same as another one, which is read instead."""

    number: int


class ReadSummary(Struct, frozen=True):
    """The last outcome: the results of the read stage other than rows.

    Attributes:
        unreadable: Targets and documents that could not be read.
        skipped: Skipped files of directories, which are not sitemaps.
        notes: Notes on how sites were searched.
        cuts: Rows of `tables.CUTS`: entries of indexes that were not followed.
        keys: Where the sites declare their IndexNow keys.
    """

    unreadable: tuple[Unreadable, ...] = ()
    skipped: tuple[SkippedFile, ...] = ()
    notes: tuple[str, ...] = ()
    cuts: tuple[Mapping[str, object], ...] = ()
    keys: tuple[KeyHint, ...] = ()


DocumentOutcome: TypeAlias = (
    DocumentRead | Assumed | Unfetched | RobotsTxt | UnreadableDocument | NotSitemap | DuplicateOf
)
"""Outcomes of a document."""

Outcome: TypeAlias = DocumentOutcome | ReadSummary
"""Output of the read stage: the outcome of each document, then a summary."""


def read_to_end(outcome: Outcome) -> Mapping[str, object] | None:
    """Read a document to the end without using its rows, and return its row of `tables.DOCUMENTS`.

    None for an outcome without a row, and for a document that cannot be read to the end.
    """
    match outcome:
        case DocumentRead(batches=batches):
            with outcome.as_far_as_readable():
                for _ in batches:
                    pass
            return None if outcome.failed else outcome.facts
        case Assumed(facts) | Unfetched(facts) | RobotsTxt(facts):
            return facts
        case _:
            return None


def verdicts_of(outcome: DocumentRead) -> Iterator[SchemaVerdict]:
    """Yield the result of schema validation of a document that was read to the end, if it was requested."""
    validator = outcome.document.validator
    if validator is not None and outcome.facts["kind"] in SCHEMA_KINDS:
        yield validator.verdict(outcome.number)


def unfetched_outcome(number: int, source: Source, answer: Response) -> Unfetched | UnreadableDocument:
    """Return the outcome of a document that was not fetched, depending on whether it is a target or listed."""
    if source.found_by == "given":
        return UnreadableDocument(number, Unreadable(source.name, answer.why_not))
    return Unfetched(facts_of(source, answer.as_fetched(), number))


def robots_txt(number: int, source: Source, answer: Response) -> RobotsTxt:
    """Return the outcome of a robots.txt from its response, which is closed."""
    robots = answer.robots(str(source.place))
    facts = facts_of(source, answer.as_fetched(), number)
    if answer.has_document:
        facts |= dict.fromkeys(COUNTS, 0)
        read = {name: robots.facts[name] for name in ("bytes", "encoding")}
        facts |= {"kind": "robots", **read, "complete": answer.error_kind is None}
    answer.close()
    return RobotsTxt(facts, robots)
