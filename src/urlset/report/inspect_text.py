"""Text report of `inspect`: kind, size, encoding, dates, extensions, anomalies, and children of each document."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from urlset.model.document import number_of, was_read, without_copies
from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.report.words import instant, occurrences, redirects_in_numbers, skipped_line
from urlset.tables import PAGE_LIST_KINDS
from urlset.text.safe import safe, shorten
from urlset.text.sizes import exact_size, quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.document import InspectedDocument, InspectReport, Row
    from urlset.model.host_redirects import HostRedirects

MAX_CHILDREN = 20
"""Children of an index to show, without `verbose`."""

MAX_EVIDENCE = 60
"""Longest evidence of an anomaly to show, in characters."""

MAX_LOC = 100
"""Longest loc of a child to show without `verbose`, in characters."""

CUTS_IN_WORDS = {
    "self": "the index itself, not read again",
    "cycle": "a parent index, not read again",
    "repeated": "already read",
    "file": "read from a local file",
    "depth-limit": "not read: exceeds --max-depth",
    "document-limit": "not read: exceeds --max-documents",
    "byte-limit": "not read: exceeds max-total-bytes",
}
"""Reasons for not following an entry of an index."""

LABEL_WIDTH = 11
BAR_WIDTH = 30
_EIGHTHS = " ▏▎▍▌▋▊▉█"

_EXTENSIONS = {
    "images": "image",
    "videos": "video",
    "news": "news record",
    "alternates": "hreflang link",
}


def render(report: InspectReport, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report, with an empty line between documents."""
    outcomes = _Outcomes(report)
    is_first = True
    for document in report.documents:
        # Children are shown with their index, which may have thousands.
        if document.facts.get("found_by") == "index" and not style.verbose:
            continue
        if not is_first:
            yield ""
        is_first = False
        yield style.paint(safe(_text(document.facts, "url")), Role.HEADING)
        for label, lines in _sections(document, outcomes, style):
            for index, line in enumerate(lines):
                padded = style.paint(f"{label if index == 0 else '':{LABEL_WIDTH}}", Role.FAINT)
                yield f"  {padded} {line}".rstrip()
    for file in report.redirects:
        if not is_first:
            yield ""
        is_first = False
        yield from _redirects(file, style)
    yield from _closing_lines(report, style)


def _redirects(file: HostRedirects, style: Style) -> Iterator[str]:
    """Yield the redirects of a file: their number, and a row for each."""
    yield style.paint(safe(file.file), Role.HEADING)
    yield f"  {redirects_in_numbers(file, safe)}"
    yield from (style.paint(f"  {safe(note)}", Role.FAINT) for note in file.notes)
    if file.redirects:
        # Imported only for such files, because the import is slow.
        from urlset.report.rows import table

        yield ""
        columns = ("source", "target", "status", "place", "effect", "why")
        cells = ((one.source, one.target, one.status, one.place, one.effect, one.why) for one in file.redirects)
        yield from table(columns, cells, style, "")


def _closing_lines(report: InspectReport, style: Style) -> Iterator[str]:
    if report.cuts or any(document.facts.get("found_by") == "index" for document in report.documents):
        yield ""
        yield _total(report)
    if report.skipped:
        yield ""
        yield style.paint(skipped_line(report.skipped), Role.FAINT)


def _total(report: InspectReport) -> str:
    read = [document.facts for document in report.documents if was_read(document.facts)]
    indexes = sum(facts.get("kind") == "sitemapindex" for facts in read)
    sitemaps = sum(facts.get("kind") in PAGE_LIST_KINDS for facts in read)
    counted = without_copies(read)
    urls = sum(number_of(facts, "entries") for facts in counted if facts.get("kind") != "sitemapindex")
    total = f"{quantity(indexes, 'index', 'indexes')} and {quantity(sitemaps, 'sitemap')} with {quantity(urls, 'URL')}"
    if missing := len(report.documents) - len(read):
        total += f"; {quantity(missing, 'document')} could not be fetched"
    if beyond := sum(number_of(cut, "count") for cut in report.cuts if cut["duplicate_of"] is None):
        total += f"; {quantity(beyond, 'entry', 'entries')} beyond a limit and not read"
    return f"{total}. Read {exact_size(sum(number_of(facts, 'bytes') for facts in read))}."


class _Outcomes:
    """Outcome of each entry of the indexes that were followed."""

    def __init__(self, report: InspectReport) -> None:
        documents = [document.facts for document in report.documents]
        self._by_entry = {(facts.get("parent_id"), facts.get("parent_ordinal")): facts for facts in documents}
        self._cuts = {(cut["document_id"], cut["ordinal"]): cut for cut in report.cuts}
        self._by_url = {facts.get("url"): facts for facts in documents if facts.get("found_by") != "index"}
        self._is_followed = any(facts.get("found_by") == "index" for facts in documents) or bool(self._cuts)

    def of(self, index: object, child: Row, style: Style) -> str:
        """Return the outcome of an entry in a few words, or its lastmod if indexes are not followed."""
        lastmod = safe(_text(child, "lastmod"))
        dated = f"lastmod {lastmod}" if lastmod else "no lastmod"
        if not self._is_followed:
            return style.paint(dated, Role.FAINT)
        place = (index, child.get("ordinal"))
        cut = self._cuts.get(place)
        if cut is not None:
            kind = _text(cut, "kind")
            return style.paint(CUTS_IN_WORDS[kind], Role.FAINT if kind == "file" else Role.WARNING)
        facts = self._by_entry.get(place) or self._by_url.get(child.get("loc"))
        if facts is None:
            return style.paint("not read", Role.WARNING)
        if not was_read(facts):
            return style.paint(safe(_text(facts, "error")), Role.WARNING)
        return f"{_holding(facts, style)}, {style.paint(dated, Role.FAINT)}"


def _holding(facts: Row, style: Style) -> str:
    kind = _text(facts, "kind")
    if kind == "sitemapindex":
        return quantity(number_of(facts, "entries"), "sitemap")
    if kind not in PAGE_LIST_KINDS:
        return style.paint(f"not a sitemap: {safe(kind)}", Role.WARNING)
    broken = style.paint(", incomplete", Role.WARNING) if facts.get("complete") is False else ""
    return f"{quantity(number_of(facts, 'entries'), 'URL')}{broken}"


def _sections(document: InspectedDocument, outcomes: _Outcomes, style: Style) -> Iterator[tuple[str, list[str]]]:
    facts = document.facts
    if not was_read(facts):
        yield "not read", [style.paint(safe(_text(facts, "error")), Role.WARNING)]
        return
    yield "kind", [_kind(facts, style)]
    if facts.get("kind") == "robots":
        yield "size", [_size(facts)]
        return
    yield "entries", [f"{number_of(facts, 'entries'):,}"]
    yield "size", [_size(facts)]
    yield "encoding", [_encoding(facts)]
    if number_of(facts, "entries"):
        yield "lastmod", [_lastmod(facts), *_bars(document.histogram, style)]
    if extensions := _extensions(facts):
        yield "extensions", extensions
    if foreign := list(_foreign(facts)):
        yield "namespaces", foreign
    if document.anomalies:
        yield "anomalies", _anomalies(document.anomalies, style)
    if document.children:
        yield "children", list(_children(document, outcomes, style))


def _kind(facts: Row, style: Style) -> str:
    kind = _text(facts, "kind")
    if facts.get("version"):
        kind += f" {safe(_text(facts, 'version'))}"
    if facts.get("complete") is False:
        kind += style.paint(", incomplete", Role.WARNING)
    if facts.get("well_formed") is False:
        kind += style.paint(", not well-formed", Role.WARNING)
    return kind


def _size(facts: Row) -> str:
    inflated, wire = number_of(facts, "bytes"), number_of(facts, "wire_bytes")
    compression = _text(facts, "compression")
    sent_as = [name for name in (compression, _text(facts, "content_encoding")) if name not in ("", "none")]
    return f"{exact_size(inflated)}, {exact_size(wire)} as {' in '.join(sent_as)}" if sent_as else exact_size(inflated)


def _encoding(facts: Row) -> str:
    encoding = safe(_text(facts, "encoding")) or "unknown"
    declared = _text(facts, "declared_encoding")
    if declared and declared.lower() != encoding.lower():
        encoding += f", declared as {safe(declared)}"
    return encoding + (", with a byte order mark" if facts.get("has_bom") else "")


def _lastmod(facts: Row) -> str:
    entries, missing = number_of(facts, "entries"), number_of(facts, "lastmod_missing")
    oldest, newest = facts.get("lastmod_oldest"), facts.get("lastmod_newest")
    if missing == entries:
        return "none"
    parts = []
    if isinstance(oldest, datetime) and isinstance(newest, datetime):
        parts.append(
            f"all {instant(oldest)}" if oldest == newest else f"oldest {instant(oldest)}, newest {instant(newest)}"
        )
    else:
        parts.append("no valid dates")
    if missing:
        parts.append(f"missing in {missing:,} of {quantity(entries, 'entry', 'entries')}")
    return ", ".join(parts)


def _bars(histogram: Sequence[tuple[str, int]], style: Style) -> list[str]:
    """Return one bar per period; none for a single period, which adds nothing to the dates."""
    if len(histogram) < 2:
        return []
    maximum = max(count for _, count in histogram)
    label_width = max(len(label) for label, _ in histogram)
    count_width = max(len(f"{count:,}") for _, count in histogram)
    return [
        f"{safe(label):{label_width}}  {count:>{count_width},}  "
        + style.paint(_bar(count, maximum, style.unicode), Role.PLACE)
        for label, count in histogram
    ]


def _bar(count: int, maximum: int, unicode: bool) -> str:
    if not count:
        return ""
    # At least the thinnest bar, so that a small count is visible.
    eighths = max(1, round(count * BAR_WIDTH * 8 / maximum))
    if not unicode:
        return "#" * max(1, round(eighths / 8))
    return (_EIGHTHS[8] * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()


def _extensions(facts: Row) -> list[str]:
    used = [quantity(number_of(facts, name), noun) for name, noun in _EXTENSIONS.items() if number_of(facts, name)]
    return [", ".join(used)] if used else []


FURTHER = "…"
"""Name in the core's list for all namespaces that it does not list by name."""


def _foreign(facts: Row) -> Iterator[str]:
    namespaces, counts = facts.get("foreign_namespaces"), facts.get("foreign_counts")
    if isinstance(namespaces, list) and isinstance(counts, list):
        for namespace, count in zip(namespaces, counts, strict=True):
            if namespace == FURTHER:
                yield f"other unknown namespaces: {quantity(count, 'element')} ignored"
                continue
            yield f"{safe(str(namespace)) or '(no namespace)'}: unknown, {quantity(count, 'element')} ignored"


def _anomalies(anomalies: Sequence[Row], style: Style) -> list[str]:
    groups: dict[str, list[Row]] = {}
    for row in anomalies:
        groups.setdefault(_text(row, "kind"), []).append(row)
    width = max(map(len, groups))
    lines = []
    for kind, rows in groups.items():
        total = sum(number_of(row, "count") or 1 for row in rows)
        first = "first " if total > 1 else ""
        place = _anomaly_place(rows[0], f", {first}at ")
        lines.append(f"{style.paint(f'{kind:{width}}', Role.WARNING)}  {occurrences(total)}{place}")
        if style.verbose:
            lines.extend(f"{'':{width}}  then{_anomaly_place(row, ' at ')}" for row in rows[1:])
    return lines


def _anomaly_place(row: Row, at: str) -> str:
    # An anomaly of the bytes, such as damaged gzip data, has no position in the text.
    where = f"{at}{row['line']}:{row['col']}" if row.get("line") is not None else ""
    evidence = shorten(safe(_text(row, "evidence")), MAX_EVIDENCE)
    return f"{where}: {evidence}" if evidence else where


def _children(document: InspectedDocument, outcomes: _Outcomes, style: Style) -> Iterator[str]:
    children = document.children
    first_children = children if style.verbose else children[:MAX_CHILDREN]
    locs = [safe(_text(row, "loc")) or "(no loc)" for row in first_children]
    if not style.verbose:
        locs = [shorten(loc, MAX_LOC) for loc in locs]
    width = max(map(len, locs))
    for loc, row in zip(locs, first_children, strict=True):
        yield f"{loc:{width}}  {outcomes.of(document.number, row, style)}"
    if len(children) > len(first_children):
        yield style.paint(f"… and {len(children) - len(first_children):,} more; use -v to show all", Role.FAINT)


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    return "" if value is None else str(value)
