"""What the official XML schemas say of a document, and the same as a finding."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from urlset.model.finding import Example, Finding
from urlset.rules.rule import EntryRule, Severity


class SchemaStatus(StrEnum):
    """What the official schemas say of a document."""

    VALID = "valid"
    INVALID = "invalid"
    UNCHECKED = "unchecked"
    """It was not held against them; the verdict says why."""


@dataclass(frozen=True, slots=True)
class SchemaFault:
    """One message of libxml2 on a document.

    Attributes:
        line: The line that had been read, from 1; None when unknown.
        message: What libxml2 says.
    """

    line: int | None
    message: str


@dataclass(frozen=True, slots=True)
class SchemaVerdict:
    """What the official schemas say of one document.

    Attributes:
        document_id: The document, as numbered in the run.
        status: Whether it is valid.
        faults: The first messages, in document order.
        total: How many messages there are: exact, however few are kept.
        reason: Why it was not checked, as a sentence without capital; None if it was.
    """

    document_id: int
    status: SchemaStatus
    faults: tuple[SchemaFault, ...] = ()
    total: int = 0
    reason: str | None = None


NOT_VALID = EntryRule(
    code="XSD000",
    name="schema-not-valid",
    severity=Severity.ERROR,
    table="documents",
    message="Document is not valid against the official schemas, or could not be held against them",
    example="{value}",
    fix="Mend what libxml2 names; where it demands a declaration, the schema of that extension is not in the folder.",
    sources=("https://www.sitemaps.org/protocol.html#validating",),
)
"""Stands for the schemas where a form has room for rules only. No rule has this code."""


def as_finding(verdict: SchemaVerdict) -> Finding:
    """A verdict on a document that is not valid, for forms that know nothing but findings."""
    if verdict.reason is not None:
        reason = Example(None, None, None, None, None, None, not_checked(verdict.reason))
        return Finding(NOT_VALID, verdict.document_id, 1, (reason,))
    examples = tuple(Example(None, fault.line, None, None, None, None, fault.message) for fault in verdict.faults)
    return Finding(NOT_VALID, verdict.document_id, verdict.total, examples)


def not_checked(reason: str) -> str:
    """Why a document was not held against the schemas."""
    return f"not held against the schemas: {reason}"
