"""Results of `urlset fix`: repairs, omissions, and the outcome of each document."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

from msgspec import Struct

from urlset.errors import Unreadable
from urlset.model.fields import NOT_IN_JSON, NonNegativeInt, PositiveInt, about, computed
from urlset.model.result import with_short_repr


class FixOutcome(StrEnum):
    """Outcome of a document."""

    RIGHT = "right"
    """There was nothing that fix can repair; the result equals the document, byte for byte. Errors may remain."""
    REPAIRED = "repaired"
    """Something was repaired or left out."""
    NOT_REPAIRED = "not-repaired"
    """It is unchanged; the reason says why."""


class Change(Struct, frozen=True):
    """One repair."""

    line: Annotated[int, about("Line in the original document; 0 if it has no line.")]
    before: Annotated[str, about("The original text, shortened and escaped for display.")]
    after: Annotated[str, about("The new text; empty if the text was removed or does not help the reader.")]

    @property
    @computed("line")
    def original_line(self) -> PositiveInt | None:
        """Line in the original document; None if it has no line."""
        return self.line or None


class Repair(Struct, frozen=True):
    """All repairs of one kind in a document."""

    kind: Annotated[str, about("Name of the kind, such as `date` or `escaping`.")]
    about: Annotated[str, about("Description of the repair.")]
    count: Annotated[NonNegativeInt, about("Exact number of repairs.")]
    examples: Annotated[tuple[Change, ...], about("The first repairs.")]


class Omission(Struct, frozen=True):
    """Part of a document that could not be repaired and was left out."""

    kind: Annotated[str, about("Name of the reason, such as `relative-url` or `no-loc`.")]
    reason: Annotated[str, about("Description of the reason.")]
    line: Annotated[int, about("Line in the original document; 0 if it has no line.")]
    text: Annotated[str, about("The omitted text, shortened and escaped for display.")]

    @property
    @computed("line")
    def original_line(self) -> PositiveInt | None:
        """Line in the original document; None if it has no line."""
        return self.line or None


class RemainingFinding(Struct, frozen=True):
    """An error or warning that the result still has: what `urlset validate` finds in it."""

    code: Annotated[str, about("Code of the rule.")]
    message: Annotated[str, about("What is wrong.")]
    count: Annotated[NonNegativeInt, about("Number of places.")]
    fix: Annotated[str, about("How to fix it.")]


@with_short_repr
class FixedDocument(Struct, frozen=True, kw_only=True):
    """Result for one document."""

    target: Annotated[str, about("Its path or URL as given.")]
    kind: Annotated[str, about("urlset, sitemapindex, text, or a kind that is not repaired.")]
    outcome: Annotated[FixOutcome, about("The outcome.")]
    reason: Annotated[str | None, about("Why it was not repaired, or not completely; None if it was.")]
    entries: Annotated[NonNegativeInt, about("Number of entries in the result.")]
    files: Annotated[
        tuple[str, ...], about("Paths of written files; for a split document, the index comes first.")
    ] = ()
    repairs: Annotated[tuple[Repair, ...], about("Repairs, by kind.")]
    cut_off: Annotated[
        bool, about("Whether the document ends too early. How much of it is lost is unknown, and not in `omitted`.")
    ] = False
    omitted: Annotated[NonNegativeInt, about("Total number of omissions.")]
    omissions: Annotated[tuple[Omission, ...], about("The first 10,000 omissions.")]
    remaining: Annotated[tuple[RemainingFinding, ...], about("The errors that remain in the result, by rule.")] = ()
    warnings: Annotated[tuple[RemainingFinding, ...], about("The warnings that remain in the result, by rule.")] = ()
    diff: Annotated[
        tuple[str, ...], about("Lines of a unified diff, escaped for display, if a diff was requested.")
    ] = ()
    content: Annotated[
        bytes | None,
        NOT_IN_JSON,
        about("The result, if it was not written to a file; None if it was split or only examined."),
    ] = None
    patch: Annotated[
        bytes,
        NOT_IN_JSON,
        about("A unified diff of the bytes, if a diff was requested: `patch -p1` and `git apply` take it."),
    ] = b""
    is_unmodified_feed: Annotated[
        bool, NOT_IN_JSON, about("Whether it is a feed in a directory of sitemaps, which is not modified.")
    ] = False

    @property
    def repaired(self) -> int:
        """Number of repairs."""
        return sum(repair.count for repair in self.repairs)

    @property
    def is_whole(self) -> bool:
        """Whether everything was repaired, or there was nothing to repair, and no error remains."""
        is_complete = self.omitted == 0 and not self.cut_off
        return is_complete and not self.remaining and (self.reason is None or self.is_unmodified_feed)


class FixSummary(Struct, frozen=True):
    """The result of all documents."""

    documents: Annotated[NonNegativeInt, about("Number of documents.")]
    repairs: Annotated[NonNegativeInt, about("Number of repairs.")]
    omitted: Annotated[NonNegativeInt, about("Number of parts that could not be repaired and were left out.")]
    cut_off: Annotated[NonNegativeInt, about("Number of documents that end too early.")]
    remaining: Annotated[Sequence[str], about("Codes of the rules whose errors remain in the results.")]
    whole: Annotated[
        bool, about("Whether everything was repaired, or there was nothing to repair, and no error remains.")
    ]


@with_short_repr
class FixReport(Struct, frozen=True, kw_only=True):
    """Results for all documents of a run."""

    dry_run: Annotated[bool, about("Whether this was a dry run, which writes nothing.")] = False
    documents: Annotated[Sequence[FixedDocument], about("Result for each document, in the order of the targets.")]
    unreadable: Annotated[Sequence[Unreadable], about("Targets that could not be read.")]

    @property
    @computed(before="documents")
    def summary(self) -> FixSummary:
        """The result of all documents."""
        return FixSummary(len(self.documents), self.repaired, self.omitted, self.cut_off, self.remaining, self.is_whole)

    @property
    def repaired(self) -> int:
        """Number of repairs."""
        return sum(document.repaired for document in self.documents)

    @property
    def omitted(self) -> int:
        """Total number of omissions."""
        return sum(document.omitted for document in self.documents)

    @property
    def cut_off(self) -> int:
        """Number of documents that end too early."""
        return sum(document.cut_off for document in self.documents)

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
