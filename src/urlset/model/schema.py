"""Results of validation against the official XML schemas, also as findings."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from urlset.model.fields import NonNegativeInt, PositiveInt, about
from urlset.model.finding import Example, Finding
from urlset.rules.rule import EntryRule, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence


class SchemaStatus(StrEnum):
    """Whether a document is valid against the official schemas."""

    VALID = "valid"
    INVALID = "invalid"
    UNCHECKED = "unchecked"
    """It could not be validated; the verdict says why."""


class SchemaFault(Struct, frozen=True):
    """A message of libxml2 about a document."""

    line: Annotated[PositiveInt | None, about("The line that libxml2 had read, from 1; None if unknown.")]
    message: Annotated[str, about("The message of libxml2.")]


class SchemaVerdict(Struct, frozen=True):
    """Result of validating one document."""

    document_id: Annotated[int, about("The number of the document in the run.")]
    status: Annotated[SchemaStatus, about("Whether it is valid.")]
    faults: Annotated[tuple[SchemaFault, ...], about("The first messages, in document order.")] = ()
    total: Annotated[NonNegativeInt, about("The exact number of messages of libxml2.")] = 0
    reason: Annotated[str | None, about("Why the document could not be validated; None if it was.")] = None


NOT_VALID = EntryRule(
    code="XSD000",
    name="schema-not-valid",
    severity=Severity.ERROR,
    table="documents",
    message="Document is invalid against the official schemas, or could not be validated",
    example="{value}",
    fix="Fix what libxml2 reports. For a missing declaration, add the schema of the extension to the folder.",
    sources=("https://www.sitemaps.org/protocol.html#validating",),
)
"""Represents schema validation in formats that only support rules. No real rule has this code."""


def schema_counts(verdicts: Sequence[SchemaVerdict]) -> dict[SchemaStatus, int]:
    """Return the number of documents by status."""
    counts = Counter(verdict.status for verdict in verdicts)
    return {status: counts[status] for status in SchemaStatus}


def as_finding(verdict: SchemaVerdict) -> Finding:
    """Return the verdict on an invalid document as a finding."""
    if verdict.reason is not None:
        reason = Example(None, None, None, None, None, None, not_checked_message(verdict.reason))
        return Finding(NOT_VALID, verdict.document_id, 1, (reason,))
    examples = tuple(Example(None, fault.line, None, None, None, None, fault.message) for fault in verdict.faults)
    return Finding(NOT_VALID, verdict.document_id, verdict.total, examples)


def not_checked_message(reason: str) -> str:
    """Return the sentence on a document that could not be validated."""
    return f"not validated against the official schemas: {reason}"
