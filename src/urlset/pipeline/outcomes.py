"""What becomes of the documents of a reading: each comes to one of these ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from urlset.documents import facts_of
from urlset.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.documents import DocumentReader
    from urlset.fetch.answer import Answer
    from urlset.model.document import LeftOut
    from urlset.robots import Robots
    from urlset.sources import Source

COUNTS = ("entries", "images", "videos", "news", "alternates", "lastmod_missing")
"""Facts that count what a robots.txt has none of."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Came(Generic[Result]):
    """A document that was read.

    Attributes:
        reader: Its reader; the facts are complete, unless it is so large that not all of it was read yet.
        kept: What `take` gave.
        source: What was asked for.
    """

    reader: DocumentReader
    kept: Result
    source: Source

    @property
    def facts(self) -> Mapping[str, Any]:
        """Its row of `tables.DOCUMENTS`."""
        return self.reader.facts


@dataclass(frozen=True, slots=True)
class Known:
    """A document that was read before this process began; its rows are where they were kept.

    Attributes:
        facts: Its row of `tables.DOCUMENTS`.
    """

    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Unfetched:
    """A document that is listed somewhere and did not come.

    Attributes:
        facts: Its row of `tables.DOCUMENTS`, which says why.
    """

    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RobotsTxt:
    """A robots.txt that was asked for, whether there is one or not.

    Attributes:
        facts: Its row of `tables.DOCUMENTS`.
        robots: What it says.
    """

    facts: Mapping[str, Any]
    robots: Robots


@dataclass(frozen=True, slots=True)
class ReadAs:
    """What turned out to be a document that is read under another name.

    Attributes:
        owner: The number of that document.
        final_url: Where its redirects ended.
    """

    owner: int
    final_url: str


Outcome: TypeAlias = Came[Result] | Known | Unfetched | RobotsTxt
"""What is given to who reads many documents."""

Ending: TypeAlias = "Outcome[Result] | ReadAs | Unreadable | LeftOut"
"""What a document may come to."""


def unfetched(number: int, source: Source, answer: Answer) -> Unfetched | Unreadable:
    """What to say of a document that did not come: to the user who asked for it, or as facts of what lists it."""
    if source.found_by == "given":
        return Unreadable(source.name, answer.why_not)
    return Unfetched(facts_of(source, answer.as_fetched(), number))


def robots_txt(number: int, source: Source, answer: Answer) -> RobotsTxt:
    """What came for a robots.txt; the answer is closed."""
    robots = answer.robots(str(source.place))
    facts = facts_of(source, answer.as_fetched(), number)
    if answer.has_document:
        facts |= dict.fromkeys(COUNTS, 0)
        facts |= {"kind": "robots", "bytes": robots.facts["bytes"], "complete": answer.trouble is None}
    answer.close()
    return RobotsTxt(facts, robots)
