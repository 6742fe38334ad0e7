"""Text report of `fix`: the repairs in each document, and what was left out."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from urlset.model.fix import FixOutcome
from urlset.report.paint import Paint, Role
from urlset.report.style import Style
from urlset.report.words import them
from urlset.text.safe import safe, shorten
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.fix import FixedDocument, FixReport

EXAMPLES = 3
"""Examples to show per kind of repair, without `verbose`."""

OMISSIONS = 20
"""Omissions to list per document, without `verbose`."""

WIDEST = 60
"""Longest example to show without `verbose`, in characters."""


def render(report: FixReport, style: Style = Style()) -> Iterator[str]:
    """Yield the requested diffs, escaped for display, then the lines of the report."""
    if not report.documents:
        return
    for document in report.documents:
        yield from document.diff
    for document in report.documents:
        yield from _document(document, report, style.paint, verbose=style.verbose)
    right = sum(document.outcome is FixOutcome.RIGHT and not document.remaining for document in report.documents)
    parts = [quantity(len(report.documents), "document")]
    if right:
        parts.append(f"{right:,} already correct")
    yield f"{', '.join(parts)}: {_tally(report)}."
    if line := _warnings(report):
        yield line


def _tally(report: FixReport) -> str:
    made = "would be made" if report.dry_run else "made"
    left_out = "would be left out" if report.dry_run else "left out"
    errors = ""
    if report.remaining:
        verb = "remains" if len(report.remaining) == 1 else "remain"
        errors = f"; {quantity(len(report.remaining), 'error')} {verb} ({', '.join(report.remaining)})"
        if not (report.repaired or report.omitted or report.cut_off):
            return f"0 repairs{errors}"
    lost = ""
    if report.cut_off:
        verb = "is" if report.cut_off == 1 else "are"
        lost = f"; {quantity(report.cut_off, 'document')} {verb} cut off, so an unknown number of entries is lost"
    return f"{quantity(report.repaired, 'repair')} {made}, {quantity(report.omitted, 'item')} {left_out}{lost}{errors}"


def _warnings(report: FixReport) -> str:
    """Return which warnings remain, and the command that shows them; empty if there are none."""
    documents = [document for document in report.documents if document.warnings]
    if not documents:
        return ""
    codes = sorted({warning.code for document in documents for warning in document.warnings})
    places = sum(warning.count for document in documents for warning in document.warnings)
    files = [document.files[0] for document in documents if document.files]
    command = f"`urlset validate {safe(quote(files[0]))}`" if len(documents) == len(files) == 1 else "`urlset validate`"
    verb = "remains" if len(codes) == 1 else "remain"
    return (
        f"{quantity(len(codes), 'warning')} {verb} in {quantity(places, 'place')} ({', '.join(codes)}); "
        f"use {command} to show {them(places)}."
    )


def _document(document: FixedDocument, report: FixReport, paint: Paint, *, verbose: bool) -> Iterator[str]:
    is_right = document.outcome is FixOutcome.RIGHT and document.reason is None and not document.remaining
    if is_right and not verbose:
        return
    yield f"{paint(safe(document.target), Role.HEADING)}: {_outcome(document, report)}"
    if document.reason is not None and document.outcome is not FixOutcome.NOT_REPAIRED:
        yield f"  {paint('not complete', Role.WARNING)}: {safe(document.reason)}"
    for repair in document.repairs:
        yield f"  {paint(repair.kind, Role.GOOD)} ({quantity(repair.count, 'place')}): {repair.about}"
        first_examples = repair.examples if verbose else repair.examples[:EXAMPLES]
        for example in first_examples:
            where = f"line {example.line}: " if example.line else ""
            now = f" → {_shorten(example.after, verbose=verbose)}" if example.after else ""
            if example.before or now:
                yield f"    {paint(where, Role.PLACE)}{_shorten(example.before, verbose=verbose)}{now}"
        if repair.count > len(first_examples):
            yield f"    and {repair.count - len(first_examples):,} more"
    if document.cut_off:
        yield f"  {paint('cut off', Role.WARNING)}: the document ends too early; how many entries are lost is unknown"
    if document.omitted:
        yield f"  {paint('left out', Role.WARNING)} ({document.omitted:,}):"
        omissions = document.omissions if verbose else document.omissions[:OMISSIONS]
        for one in omissions:
            where = f"line {one.line}: " if one.line else ""
            # Not shortened, so that you can find a URL that was left out.
            text = f"{safe(one.text)}: " if one.text else ""
            yield f"    {paint(where, Role.PLACE)}{text}{one.reason}"
        if document.omitted > len(omissions):
            yield f"    and {document.omitted - len(omissions):,} more"
    for error in document.remaining:
        yield f"  {paint('remains', Role.WARNING)}: {error.code} {error.message} ({quantity(error.count, 'place')})"
        yield f"    {error.fix}"
    yield ""


def _outcome(document: FixedDocument, report: FixReport) -> str:
    entries = quantity(document.entries, "entry", "entries")
    if document.outcome is FixOutcome.NOT_REPAIRED:
        copied = f" Copied unchanged to {safe(document.files[0])}." if document.files else ""
        return f"not repaired: {document.reason}{copied}"
    if document.outcome is FixOutcome.RIGHT:
        copied = f"; copied to {safe(document.files[0])}" if document.files else ""
        state = "nothing that fix can repair" if document.remaining else "already correct"
        return f"{state}, {entries}{copied}"
    repaired = "would be repaired" if report.dry_run else "repaired"
    match document.files:
        case ():
            return f"{repaired}, {entries}"
        case (file,):
            return f"{repaired}, {entries}, written to {safe(file)}"
        case (index, *parts):
            return f"{repaired}, {entries}, written to index {safe(index)} and {', '.join(map(safe, parts))}"
    return repaired


def _shorten(text: str, *, verbose: bool) -> str:
    return safe(text) if verbose else shorten(safe(text), WIDEST)
