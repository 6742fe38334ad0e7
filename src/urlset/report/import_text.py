"""Text that `coverage import` prints: what each file was, and what could not be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.coverage import ExportKind
from urlset.report.coverage_words import day
from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.safe import safe
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.coverage import ImportedFile, ImportResult

_KINDS = {
    ExportKind.SEARCH_CONSOLE: "Search Console",
    ExportKind.BING: "Site Explorer of Bing",
    ExportKind.CSV: "CSV",
}


def render(result: ImportResult, style: Style = Style()) -> Iterator[str]:
    """Yield the lines."""
    for file in result.files:
        yield f"{style.paint(safe(file.path), Role.PLACE)}: {_KINDS[file.kind]}, {counted(file.urls, 'URL')}"
        yield f"  {_about(file)}"
        yield from (style.paint(f"  note: {note}", Role.WARNING) for note in _notes(file))
    yield f"{safe(str(result.store))}: {counted(result.urls, 'URL')} with a report. Run `urlset coverage` to see them."


def _about(file: ImportedFile) -> str:
    states = ", ".join(f"{count:,} {state.value.replace('-', ' ')}" for state, count in file.states.items())
    if file.reason is not None:
        what = f"reason: {safe(file.reason)}"
    else:
        what = "indexed pages" if file.kind is ExportKind.SEARCH_CONSOLE else f"{safe(file.engine)}"
    when = f"report of {day(file.at)}" if file.is_dated else "the file has no date, so the date of the import is used"
    return "; ".join(filter(None, (what, states, when)))


def _notes(file: ImportedFile) -> Iterator[str]:
    for reason, count in file.unknown_reasons.items():
        yield f"urlset does not know the reason {safe(reason)!r}, so the state of {counted(count, 'URL')} is unknown"
    without = file.urls - sum(file.states.values()) - sum(file.unknown_reasons.values())
    if without:
        urls = counted(without, "URL is", "URLs are")
        yield f"the file does not say whether {urls} indexed; if all have the same state, name it with --state"
    if file.skipped:
        yield f"{counted(file.skipped, 'row')} without an absolute http(s) URL skipped"
    if file.unread_dates:
        yield f"{counted(file.unread_dates, 'date')} could not be read"
    if file.is_cut:
        yield "an export has at most 1,000 URLs, so there may be more with this reason"
