"""What becomes of each document of a reading. The read stage gives one of these for each, in the order of numbers."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from urlset.documents import facts_of
from urlset.errors import InputError, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from urlset._core import Table
    from urlset.fetch.answer import Answer
    from urlset.model.document import LeftOut
    from urlset.pipeline.buffered import BufferedDocument
    from urlset.robots import Robots
    from urlset.sources import Source

COUNTS = ("entries", "images", "videos", "news", "alternates", "lastmod_missing")
"""Facts that are counts, and zero for a robots.txt."""


class DocumentRead(Struct, frozen=True):
    """A document that was read.

    Attributes:
        document: The document, with its reader.
        source: What was asked for.
        batches: Its rows, to be iterated once: a single batch for a small document. Raises InputError if the document
            cannot be read to its end; an `UnreadableDocument` of the same number then follows.
    """

    document: BufferedDocument
    source: Source
    batches: Iterator[dict[str, Table]]

    @property
    def facts(self) -> Mapping[str, Any]:
        """Its row of `tables.DOCUMENTS`; complete once the batches are used up."""
        return self.document.reader.facts

    @property
    def number(self) -> int:
        """Its number in the run."""
        return int(self.facts["document_id"])

    @property
    def failed(self) -> bool:
        """Whether it could not be read to its end, as far as its batches were used."""
        return self.document.failure is not None

    @contextmanager
    def as_far_as_readable(self) -> Iterator[None]:
        """Ends what is inside, and nothing more, where the document cannot be read on: the next outcome says so."""
        try:
            yield
        except InputError:
            if not self.failed:
                raise


class _WithFacts(Struct, frozen=True):
    """A document of which only facts are given.

    Attributes:
        facts: Its row of `tables.DOCUMENTS`.
    """

    facts: Mapping[str, Any]

    @property
    def number(self) -> int:
        """Its number in the run."""
        return int(self.facts["document_id"])

    @property
    def final_url(self) -> str | None:
        """Where its redirects ended."""
        url = self.facts["final_url"]
        return url if isinstance(url, str) else None


class Resumed(_WithFacts, frozen=True):
    """A document that an earlier process of the same run read; its rows are in the store."""


class Unfetched(_WithFacts, frozen=True):
    """A document that another one lists, and that could not be fetched; the facts say why."""


class RobotsTxt(_WithFacts, frozen=True):
    """A robots.txt that was asked for, whether it exists or not.

    Attributes:
        robots: What it says.
    """

    robots: Robots


class UnreadableDocument(Struct, frozen=True):
    """A document, or a target, that could not be read.

    Attributes:
        number: Its number in the run; None for a target that stands for no document, and where what a document lists
            could not be followed.
        why: What to report.
        final_url: Where its redirects ended; None if it was not fetched.
    """

    number: int | None
    why: Unreadable
    final_url: str | None = None


class NotSitemap(Struct, frozen=True):
    """A file of a folder that is not a sitemap, and whose name does not say that it is.

    Attributes:
        number: Its number in the run.
        file: What to report.
        final_url: None, since it was not fetched.
    """

    number: int
    file: LeftOut
    final_url: None = None


class DuplicateOf(Struct, frozen=True):
    """What turned out to be a document that is read under another name.

    Attributes:
        number: Its number in the run.
        owner: The number of that document.
        final_url: Where its redirects ended.
    """

    number: int
    owner: int
    final_url: str


class ReadSummary(Struct, frozen=True):
    """What comes last: what a reading gave besides rows.

    Attributes:
        unreadable: Targets and documents that could not be read.
        left_out: Files of folders that are not sitemaps.
        notes: What a user should know about how sites were searched.
        cuts: Rows of `tables.CUTS`: what indexes list and was not followed.
    """

    unreadable: tuple[Unreadable, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
    cuts: tuple[Mapping[str, object], ...] = ()


KnownOutcome: TypeAlias = Resumed | Unfetched | RobotsTxt | UnreadableDocument | NotSitemap | DuplicateOf
"""What an earlier process may have left of a document."""

DocumentOutcome: TypeAlias = DocumentRead | KnownOutcome
"""What may become of a document."""

Outcome: TypeAlias = DocumentOutcome | ReadSummary
"""What the read stage gives: the outcome of each document, then a summary."""


def used_up(outcome: Outcome) -> Mapping[str, Any] | None:
    """Read a document to its end for the sake of a stage before, and return its row of `tables.DOCUMENTS`.

    Returns:
        None for what has no row, and for a document that cannot be read to its end.
    """
    match outcome:
        case DocumentRead(batches=batches):
            with outcome.as_far_as_readable():
                for _ in batches:
                    pass
            return None if outcome.failed else outcome.facts
        case Resumed(facts) | Unfetched(facts) | RobotsTxt(facts):
            return facts
        case _:
            return None


def unfetched(number: int, source: Source, answer: Answer) -> Unfetched | UnreadableDocument:
    """Return the outcome of a document that was not fetched: for the user who asked for it, or for what lists it."""
    if source.found_by == "given":
        return UnreadableDocument(number, Unreadable(source.name, answer.why_not), answer.final_url)
    return Unfetched(facts_of(source, answer.as_fetched(), number))


def robots_txt(number: int, source: Source, answer: Answer) -> RobotsTxt:
    """Return what was answered for a robots.txt; the answer is closed."""
    robots = answer.robots(str(source.place))
    facts = facts_of(source, answer.as_fetched(), number)
    if answer.has_document:
        facts |= dict.fromkeys(COUNTS, 0)
        facts |= {"kind": "robots", "bytes": robots.facts["bytes"], "complete": answer.trouble is None}
    answer.close()
    return RobotsTxt(facts, robots)
