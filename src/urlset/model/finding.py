"""Findings: one rule broken in one document, with an exact count and the first few examples."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.rules.rule import Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SEVERITY_RANK: dict[Severity, int] = {severity: rank for rank, severity in enumerate(Severity)}
"""Place of each severity in a report: errors come first."""

FINGERPRINT_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Example:
    """One place where a rule is broken.

    Attributes:
        ordinal: The entry, numbered from 0 in its document; None for what concerns the whole document.
        line: Line, from 1; None when unknown.
        column: Column in code points, from 1; None when unknown.
        url: The entry's URL; None for what concerns the whole document.
        field: The field at fault; None when it is no single field.
        value: The value at fault, as text; None when there is none.
        message: What is wrong there, in a sentence.
    """

    ordinal: int | None
    line: int | None
    column: int | None
    url: str | None
    field: str | None
    value: str | None
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule broken in one document.

    Attributes:
        rule: The rule.
        document_id: The document, as numbered in the run.
        count: How many places break it: exact, however few examples are kept.
        examples: The first places, in document order.
    """

    rule: Rule
    document_id: int
    count: int
    examples: tuple[Example, ...]

    @property
    def severity(self) -> Severity:
        """How bad it is: the rule's severity."""
        return self.rule.severity


def in_report_order(findings: Iterable[Finding]) -> list[Finding]:
    """The findings with errors first, then by document, then by code."""
    return sorted(findings, key=lambda f: (SEVERITY_RANK[f.severity], f.document_id, f.rule.code))


def fingerprint(finding: Finding, example: Example, document_url: str) -> str:
    """A name for this fault that stays the same when lines move, as 16 hexadecimal digits.

    It is made of the rule's code, the document, the field, the entry's URL and the value, not of the place, so that
    a fault keeps its name when entries are added before it.
    """
    digest = hashlib.sha256()
    for part in (finding.rule.code, document_url, example.field, example.url, example.value):
        # The length in front keeps ("ab", "c") and ("a", "bc") apart, and None apart from the empty text.
        encoded = b"" if part is None else part.encode("utf-8", "surrogatepass")
        digest.update(b"-" if part is None else str(len(encoded)).encode("ascii"))
        digest.update(b":" + encoded)
    return digest.hexdigest()[:FINGERPRINT_DIGITS]


def as_rows(findings: Iterable[Finding], document_urls: Mapping[int, str]) -> list[dict[str, object]]:
    """The findings as rows of `tables.FINDINGS`: one row an example, and one for a finding without examples."""
    return [
        {
            "code": finding.rule.code,
            "severity": finding.severity.value,
            "document_id": finding.document_id,
            "document": document_urls[finding.document_id],
            "count": finding.count,
            "example": number,
            "ordinal": example.ordinal,
            "line": example.line,
            "col": example.column,
            "url": example.url,
            "field": example.field,
            "value": example.value,
            "message": example.message,
            "fingerprint": fingerprint(finding, example, document_urls[finding.document_id]),
        }
        for finding in findings
        for number, example in _numbered(finding)
    ]


def _numbered(finding: Finding) -> Iterable[tuple[int, Example]]:
    """The examples, numbered from 1; number 0 stands for the finding itself where no example was kept."""
    if finding.examples:
        return enumerate(finding.examples, start=1)
    return [(0, Example(None, None, None, None, None, None, finding.rule.message))]
