"""Findings: a rule that a document breaks, with an exact count and the first examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated

from msgspec import Struct, field
from msgspec.structs import replace

from urlset import _core
from urlset.model.fields import NOT_IN_JSON, NonNegativeInt, PositiveInt, about
from urlset.rules.rule import Rule, Severity

FINGERPRINT_DIGITS = 16


class Example(Struct, frozen=True):
    """A place where a rule is broken."""

    ordinal: Annotated[
        NonNegativeInt | None,
        NOT_IN_JSON,
        about("Number of the entry in its document, from 0; None if it concerns the whole document."),
    ]
    line: Annotated[
        PositiveInt | None, about("Line in the decoded document, from 1; None if it has no position in the text.")
    ]
    column: Annotated[
        PositiveInt | None, about("Column in Unicode code points, from 1; None if it has no position in the text.")
    ]
    url: Annotated[str | None, about("The entry's URL; None if it concerns the whole document.")]
    field: Annotated[str | None, about("The invalid field; None if it is not a single field.")]
    value: Annotated[str | None, about("The invalid value, as text; None if the finding is not about a value.")]
    message: Annotated[str, about("What is wrong in this place.")]
    cause: Annotated[
        str | None, about("Code of the rule whose finding causes this one; None if it has no known cause.")
    ] = None
    linked_from: Annotated[
        str | None, NOT_IN_JSON, about("One of the pages with the link; None if the rule is not about a link.")
    ] = None


class Finding(Struct, frozen=True):
    """A rule that a document breaks."""

    rule: Annotated[Rule, about("The rule.")]
    document_id: Annotated[int, about("The number of the document in the run.")]
    count: Annotated[
        PositiveInt,
        about(
            "The exact number of places in the document that break the rule: at least 1, and often more than there "
            "are examples."
        ),
    ]
    examples: Annotated[
        tuple[Example, ...], about("The first places, in document order: first those without a known cause.")
    ]
    causes: Annotated[
        Mapping[str, int],
        about("The number of places that findings of other rules cause, by the codes of these rules."),
    ] = field(default_factory=dict)

    @classmethod
    def of_parts(
        cls, rule: Rule, document_id: int, parts: Iterable[tuple[str | None, int, Iterable[Example]]], limit: int
    ) -> Finding:
        """Return the finding of a rule whose places were counted by cause.

        Args:
            parts: The code of each cause, or None, with the number of places and the first of them.
            limit: Maximum number of examples.
        """
        ordered = sorted(parts, key=lambda part: (part[0] is not None, part[0] or ""))
        examples = [replace(example, cause=cause) for cause, _, some in ordered for example in some]
        causes = {cause: count for cause, count, _ in ordered if cause is not None and count}
        return cls(rule, document_id, sum(count for _, count, _ in ordered), tuple(examples[:limit]), causes)

    @property
    def severity(self) -> Severity:
        """Severity of the rule."""
        return self.rule.severity

    def fails(self, fail_on: str) -> bool:
        """Return whether it is at least as severe as `fail_on`, a severity or `never`."""
        return fail_on != "never" and self.severity.is_at_least(fail_on)


def in_report_order(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings with errors first, then by document, then by code."""
    return sorted(findings, key=lambda f: (f.severity.rank, f.document_id, f.rule.code))


def fingerprint(finding: Finding, example: Example, document_url: str, form: Callable[[str], str] | None = None) -> str:
    """Return a fingerprint of this example that is stable when lines move, as 16 hexadecimal digits.

    It is derived from the rule's code, the document, the field, the entry's URL, and the value, but not from the line,
    so that it does not change when entries are added before it. All spellings of a URL have the same fingerprint.

    Args:
        form: Returns the form of a URL or other value that counts; by default the normal form of URLs.
    """
    import hashlib

    form = form or normal_form
    digest = hashlib.sha256()
    texts = (document_url, example.field, example.url, example.value)
    for part in (finding.rule.code, *(None if text is None else form(text) for text in texts)):
        # The length prefix distinguishes ("ab", "c") from ("a", "bc"), and None from the empty string.
        encoded = b"" if part is None else part.encode("utf-8", "surrogatepass")
        digest.update(b"-" if part is None else str(len(encoded)).encode("ascii"))
        digest.update(b":" + encoded)
    return digest.hexdigest()[:FINGERPRINT_DIGITS]


def normal_form(text: str) -> str:
    """Return the normal form of a URL, which all of its spellings share; other text as it is."""
    try:
        return _core.normal_url(text)
    except UnicodeEncodeError:  # Text with lone surrogates is not a URL.
        return text


def as_rows(findings: Iterable[Finding], document_urls: Mapping[int, str]) -> list[dict[str, object]]:
    """Return the findings as rows of `tables.FINDINGS`: a row per example, or one for a finding without examples."""
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
            "cause": example.cause,
            "causes": list(finding.causes),
            "cause_counts": list(finding.causes.values()),
            "linked_from": example.linked_from,
        }
        for finding in findings
        for number, example in _number_examples(finding)
    ]


def _number_examples(finding: Finding) -> Iterable[tuple[int, Example]]:
    """Return the examples, numbered from 1; a finding without examples is represented by number 0."""
    if finding.examples:
        return enumerate(finding.examples, start=1)
    return [(0, Example(None, None, None, None, None, None, finding.rule.message))]
