"""What the official schemas say, in the words of a report: a section of its own, or findings in forms of one list."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from urlset.findings import Example, Finding, SchemaStatus, SchemaVerdict
from urlset.report.words import counted
from urlset.rules.rule import EntryRule, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def tally(verdicts: Sequence[SchemaVerdict]) -> dict[SchemaStatus, int]:
    """How many documents are of each status."""
    counts = Counter(verdict.status for verdict in verdicts)
    return {status: counts[status] for status in SchemaStatus}


def sum_line(verdicts: Sequence[SchemaVerdict]) -> str:
    """The result in a sentence, without the full stop."""
    counts = tally(verdicts)
    line = (
        f"{counts[SchemaStatus.VALID]:,} of {counted(len(verdicts), 'XML document')} valid against the official schemas"
    )
    if unchecked := counts[SchemaStatus.UNCHECKED]:
        line += f"; {unchecked:,} could not be held against them"
    return line
