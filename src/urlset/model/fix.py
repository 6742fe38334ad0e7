"""Results of `urlset fix`: repairs, omissions, and the outcome of each document."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from urlset.model.result import with_short_repr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.errors import Unreadable


class FixOutcome(StrEnum):
    """Outcome of a document."""

    RIGHT = "right"
    """There was nothing that fix can repair; the result equals the document, byte for byte. Errors may remain."""
    REPAIRED = "repaired"
    """Something was repaired or left out."""
    NOT_REPAIRED = "not-repaired"
    """It is unchanged; the reason says why."""


@dataclass(frozen=True, slots=True)
class Change:
    """One repair.

    Attributes:
        line: Line in the original document; 0 if it has no line.
        before: The original text, shortened and escaped for display.
        after: The new text; empty if the text was removed or does not help the reader.
    """

    line: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Repair:
    """All repairs of one kind in a document.

    Attributes:
        kind: Name of the kind, such as `date` or `escaping`.
        about: Description of the repair.
        count: Exact number of repairs.
        examples: The first repairs.
    """

    kind: str
    about: str
    count: int
    examples: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Omission:
    """Part of a document that could not be repaired and was left out.

    Attributes:
        kind: Name of the reason, such as `relative-url` or `no-loc`.
        reason: Description of the reason.
        line: Line in the original document; 0 if it has no line.
        text: The omitted text, shortened and escaped for display.
    """

    kind: str
    reason: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class RemainingError:
    """An error that the result still has: what `urlset validate` finds in it.

    Attributes:
        code: Code of the rule.
        message: What is wrong.
        count: Number of places.
    """

    code: str
    message: str
    count: int


@with_short_repr
@dataclass(frozen=True, slots=True)
class FixedDocument:
    """Result for one document.

    Attributes:
        target: Its path or URL as given.
        kind: urlset, sitemapindex, text, or a kind that is not repaired.
        outcome: The outcome.
        reason: Why it was not repaired, or not completely; None if it was.
        entries: Number of entries in the result.
        repairs: Repairs, by kind.
        omissions: The first 10,000 omissions.
        omitted: Total number of omissions.
        files: Paths of written files; for a split document, the index comes first.
        content: The result, if it was not written to a file; None if it was split or only examined.
        diff: Lines of a unified diff, escaped for display, if a diff was requested.
        patch: A unified diff of the bytes, if a diff was requested: `patch -p1` and `git apply` take it.
        is_unmodified_feed: Whether it is a feed in a directory of sitemaps, which is not modified.
        remaining: The errors that remain in the result, by rule.
    """

    target: str
    kind: str
    outcome: FixOutcome
    reason: str | None
    entries: int
    repairs: tuple[Repair, ...]
    omissions: tuple[Omission, ...]
    omitted: int
    files: tuple[str, ...] = ()
    content: bytes | None = None
    diff: tuple[str, ...] = ()
    patch: bytes = b""
    is_unmodified_feed: bool = False
    remaining: tuple[RemainingError, ...] = ()

    @property
    def repaired(self) -> int:
        """Number of repairs."""
        return sum(repair.count for repair in self.repairs)

    @property
    def is_whole(self) -> bool:
        """Whether everything was repaired, or there was nothing to repair, and no error remains."""
        return self.omitted == 0 and not self.remaining and (self.reason is None or self.is_unmodified_feed)


@with_short_repr
@dataclass(frozen=True, slots=True)
class FixReport:
    """Results for all documents of a run.

    Attributes:
        documents: Result for each document, in the order of the targets.
        unreadable: Targets that could not be read.
        dry_run: Whether this was a dry run, which writes nothing.
    """

    documents: Sequence[FixedDocument]
    unreadable: Sequence[Unreadable]
    dry_run: bool = False

    @property
    def repaired(self) -> int:
        """Number of repairs."""
        return sum(document.repaired for document in self.documents)

    @property
    def omitted(self) -> int:
        """Total number of omissions."""
        return sum(document.omitted for document in self.documents)

    @property
    def remaining(self) -> Sequence[str]:
        """Codes of the rules whose errors remain."""
        return sorted({error.code for document in self.documents for error in document.remaining})

    @property
    def is_whole(self) -> bool:
        """Whether everything was repaired, or there was nothing to repair, and no error remains."""
        return all(document.is_whole for document in self.documents)

    @property
    def is_right(self) -> bool:
        """Whether there was nothing to repair."""
        return all(document.outcome is FixOutcome.RIGHT or document.is_unmodified_feed for document in self.documents)
