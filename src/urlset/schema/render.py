"""What validation against the official schemas is shown as, in the report of the findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.schema import NOT_VALID, SchemaStatus, not_checked_message, schema_counts
from urlset.report.markdown import LONGEST_NAME, html_text
from urlset.report.paint import Role
from urlset.report.style import SEVERITY_ROLES
from urlset.report.text import MAX_PLACES
from urlset.rules.rule import Severity
from urlset.text.safe import code_span, safe, shorten
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.schema import SchemaVerdict
    from urlset.report.brief import Quotes
    from urlset.report.paint import Paint


def counts(verdicts: Sequence[SchemaVerdict]) -> str:
    """Return the result as a sentence without a full stop."""
    counts = schema_counts(verdicts)
    documents = quantity(len(verdicts), "XML document")
    line = f"{counts[SchemaStatus.VALID]:,} of {documents} valid against the official schemas"
    if unchecked := counts[SchemaStatus.UNCHECKED]:
        line += f"; {unchecked:,} could not be validated"
    return line


def text(verdict: SchemaVerdict, document_url: str, paint: Paint, verbose: bool) -> Iterator[str]:
    start = f"{paint('schema', SEVERITY_ROLES[Severity.ERROR])} {paint(safe(document_url), Role.PLACE)}"
    if verdict.reason is not None:
        yield f"{start}: {not_checked_message(verdict.reason)}"
        return
    heading = paint("not valid against the official schemas", Role.HEADING)
    yield f"{start}: {heading} ({quantity(verdict.total, 'message')})"
    faults = verdict.faults if verbose else verdict.faults[:MAX_PLACES]
    for fault in faults:
        line = "" if fault.line is None else f":{fault.line}"
        yield f"  {paint(safe(document_url) + line, Role.PLACE)}: {safe(fault.message)}"
    if (remainder := verdict.total - len(faults)) > 0:
        yield paint(f"  … and {remainder:,} more", Role.FAINT)
    yield f"  {paint('fix:', Role.GOOD)} {NOT_VALID.fix}"


def markdown(verdict: SchemaVerdict, document_url: str) -> Iterator[str]:
    yield ""
    yield f"<details><summary>Schema: {html_text(shorten(document_url, LONGEST_NAME))}</summary>"
    yield ""
    if verdict.reason is not None:
        yield not_checked_message(verdict.reason)
    for fault in verdict.faults:
        line = "" if fault.line is None else f"line {fault.line}: "
        yield f"- {line}{code_span(fault.message)}"
    if (remainder := verdict.total - len(verdict.faults)) > 0:
        yield f"- … and {quantity(remainder, 'more message')}"
    yield ""
    yield "</details>"


def brief(verdict: SchemaVerdict, document_url: str, quote: Quotes) -> str:
    """Return the sentence for language models."""
    word = "Not valid" if verdict.reason is None else "Not validated"
    why = verdict.reason or next((fault.message for fault in verdict.faults), "")
    return f"{word} against the official schemas: {quote(document_url)}: {quote(why)}"
