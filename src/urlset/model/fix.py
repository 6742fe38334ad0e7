"""What `urlset fix` did: to each document what was repaired, what was left out of it, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.errors import Unreadable


class FixOutcome(StrEnum):
    """What became of a document."""

    RIGHT = "right"
    """There was nothing to repair: the result is the document, byte for byte."""
    REPAIRED = "repaired"
    """Something was repaired or left out."""
    NOT_REPAIRED = "not-repaired"
    """It is let be as it is; the reason says why."""


@dataclass(frozen=True, slots=True)
class Change:
    """One repair.

    Attributes:
        line: Where it is in the document as it was; 0 where it has no line.
        before: What stood there, short and safe to print.
        after: What stands there now; empty where nothing does, or where that says nothing new.
    """

    line: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Repair:
    """All repairs of one kind in a document.

    Attributes:
        kind: Which one: a name of a closed set, `date` or `escaping`.
        about: What was done, in a sentence.
        count: How often, exactly.
        examples: The first of them.
    """

    kind: str
    about: str
    count: int
    examples: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Omission:
    """Something that could not be repaired and was left out of the result.

    Attributes:
        kind: Why: a name of a closed set, `relative-url` or `no-loc`.
        reason: The same in a sentence.
        line: Where it is in the document as it was; 0 where it has no line.
        text: What it is, short and safe to print.
    """

    kind: str
    reason: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class FixedDocument:
    """One document after the repair.

    Attributes:
        target: What it is called: the path or URL as given.
        kind: What it is: urlset, sitemapindex, text, or another kind that is not repaired.
        outcome: What became of it.
        reason: Why it is not repaired, or not wholly; None where there is nothing to say.
        entries: Entries of the result.
        repairs: What was repaired, by kind.
        omissions: What was left out, up to 10,000 of it.
        omitted: How much was left out in all.
        files: Paths that were written; of a document that was split the index comes first.
        content: The result, where it was written to no file; None when it was split or only looked at.
        diff: The lines of a unified diff, if one was asked for; made safe to show.
        is_let_be: Whether it is a kind that was never asked to be repaired: a feed beside the sitemaps of a folder.
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
    is_let_be: bool = False

    @property
    def repaired(self) -> int:
        """How many repairs were made."""
        return sum(repair.count for repair in self.repairs)

    @property
    def is_whole(self) -> bool:
        """Whether everything could be repaired, or there was nothing to repair."""
        return self.omitted == 0 and (self.reason is None or self.is_let_be)


@dataclass(frozen=True, slots=True)
class FixReport:
    """What was done to all documents of a run.

    Attributes:
        documents: Each document, in the order of the targets.
        unreadable: Targets that could not be read at all.
        dry_run: Whether nothing was to be written.
    """

    documents: Sequence[FixedDocument]
    unreadable: Sequence[Unreadable]
    dry_run: bool = False

    @property
    def repaired(self) -> int:
        """How many repairs were made."""
        return sum(document.repaired for document in self.documents)

    @property
    def omitted(self) -> int:
        """How much was left out."""
        return sum(document.omitted for document in self.documents)

    @property
    def is_whole(self) -> bool:
        """Whether everything could be repaired, or there was nothing to repair."""
        return all(document.is_whole for document in self.documents)

    @property
    def is_right(self) -> bool:
        """Whether there was nothing to repair."""
        return all(document.outcome is FixOutcome.RIGHT or document.is_let_be for document in self.documents)
