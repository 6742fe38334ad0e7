"""The report of `inspect` for people: what each document is, how large, how fresh and how healthy."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from urlset.report.paint import Paint, Role, plain
from urlset.report.safe import safe, shortened
from urlset.report.words import counted, instant, left_out_line, size, times

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.report.model import InspectedDocument, InspectReport, Row

CHILDREN_SHOWN = 20
"""Children of an index shown, unless all are asked for."""

EVIDENCE_SHOWN = 60
"""Longest evidence of an anomaly shown, in characters."""

LOC_SHOWN = 100
"""Longest loc of a child shown, in characters, unless all is asked for."""

LABEL_WIDTH = 11
BAR_WIDTH = 30
_EIGHTHS = " ▏▎▍▌▋▊▉█"

_EXTENSIONS = {
    "images": "image",
    "videos": "video",
    "news": "news record",
    "alternates": "hreflang link",
}


@dataclass(frozen=True, slots=True)
class Look:
    """How the report is to look.

    Attributes:
        paint: How to colour it.
        unicode: Whether the stream can carry bars that are not ASCII.
        verbose: Show every child of an index and every place of an anomaly.
    """

    paint: Paint = plain
    unicode: bool = True
    verbose: bool = False


def render(report: InspectReport, look: Look | None = None) -> Iterator[str]:
    """The report, line by line, with an empty line between documents."""
    look = look or Look()
    for number, document in enumerate(report.documents):
        if number:
            yield ""
        yield look.paint(safe(_text(document.facts, "url")), Role.HEADING)
        for label, lines in _sections(document, look):
            for index, line in enumerate(lines):
                shown = look.paint(f"{label if index == 0 else '':{LABEL_WIDTH}}", Role.FAINT)
                yield f"  {shown} {line}".rstrip()
    yield from _closing_lines(report, look)


def _closing_lines(report: InspectReport, look: Look) -> Iterator[str]:
    if report.left_out:
        yield ""
        yield look.paint(left_out_line(report.left_out), Role.FAINT)


def _sections(document: InspectedDocument, look: Look) -> Iterator[tuple[str, list[str]]]:
    facts = document.facts
    yield "kind", [_kind(facts, look)]
    yield "entries", [f"{_number(facts, 'entries'):,}"]
    yield "size", [_size(facts)]
    yield "encoding", [_encoding(facts)]
    if _number(facts, "entries"):
        yield "lastmod", [_lastmod(facts), *_bars(document.histogram, look)]
    if extensions := _extensions(facts):
        yield "extensions", extensions
    if foreign := list(_foreign(facts)):
        yield "namespaces", foreign
    if document.anomalies:
        yield "anomalies", _anomalies(document.anomalies, look)
    if document.children:
        yield "children", list(_children(document.children, look))


def _kind(facts: Row, look: Look) -> str:
    kind = _text(facts, "kind")
    if facts.get("version"):
        kind += f" {safe(_text(facts, 'version'))}"
    if facts.get("complete") is False:
        kind += look.paint(", incomplete", Role.WARNING)
    if facts.get("well_formed") is False:
        kind += look.paint(", not well-formed", Role.WARNING)
    return kind


def _size(facts: Row) -> str:
    inflated, wire = _number(facts, "bytes"), _number(facts, "wire_bytes")
    compression = _text(facts, "compression")
    sent_as = [name for name in (compression, _text(facts, "content_encoding")) if name not in ("", "none")]
    return f"{size(inflated)}, as {' in '.join(sent_as)} {size(wire)}" if sent_as else size(inflated)


def _encoding(facts: Row) -> str:
    encoding = safe(_text(facts, "encoding")) or "unknown"
    declared = _text(facts, "declared_encoding")
    if declared and declared.lower() != encoding.lower():
        encoding += f", declared as {safe(declared)}"
    return encoding + (", with a byte order mark" if facts.get("has_bom") else "")


def _lastmod(facts: Row) -> str:
    entries, missing = _number(facts, "entries"), _number(facts, "lastmod_missing")
    oldest, newest = facts.get("lastmod_oldest"), facts.get("lastmod_newest")
    if missing == entries:
        return "none"
    parts = []
    if isinstance(oldest, datetime) and isinstance(newest, datetime):
        parts.append(
            f"all {instant(oldest)}" if oldest == newest else f"oldest {instant(oldest)}, newest {instant(newest)}"
        )
    else:
        parts.append("none that can be read")
    if missing:
        parts.append(f"missing in {missing:,} of {counted(entries, 'entry', 'entries')}")
    return ", ".join(parts)


def _bars(histogram: Sequence[tuple[str, int]], look: Look) -> list[str]:
    """A bar a period, the longest for the most entries. One period says nothing that the dates do not."""
    if len(histogram) < 2:
        return []
    most = max(count for _, count in histogram)
    label_width = max(len(label) for label, _ in histogram)
    count_width = max(len(f"{count:,}") for _, count in histogram)
    return [
        f"{safe(label):{label_width}}  {count:>{count_width},}  "
        + look.paint(_bar(count, most, look.unicode), Role.PLACE)
        for label, count in histogram
    ]


def _bar(count: int, most: int, unicode: bool) -> str:
    if not count:
        return ""
    # At least the thinnest bar: few is not none.
    eighths = max(1, round(count * BAR_WIDTH * 8 / most))
    if not unicode:
        return "#" * max(1, round(eighths / 8))
    return (_EIGHTHS[8] * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()


def _extensions(facts: Row) -> list[str]:
    used = [counted(_number(facts, name), noun) for name, noun in _EXTENSIONS.items() if _number(facts, name)]
    return [", ".join(used)] if used else []


def _foreign(facts: Row) -> Iterator[str]:
    namespaces, counts = facts.get("foreign_namespaces"), facts.get("foreign_counts")
    if isinstance(namespaces, list) and isinstance(counts, list):
        for namespace, count in zip(namespaces, counts, strict=True):
            yield f"{safe(str(namespace)) or 'none'} is unknown: {counted(count, 'element')} passed over"


def _anomalies(anomalies: Sequence[Row], look: Look) -> list[str]:
    groups: dict[str, list[Row]] = {}
    for row in anomalies:
        groups.setdefault(_text(row, "kind"), []).append(row)
    width = max(map(len, groups))
    lines = []
    for kind, rows in groups.items():
        total = sum(_number(row, "count") or 1 for row in rows)
        first = "first " if total > 1 else ""
        lines.append(f"{look.paint(f'{kind:{width}}', Role.WARNING)}  {times(total)}{_seen(rows[0], f', {first}at ')}")
        if look.verbose:
            lines.extend(f"{'':{width}}  then{_seen(row, ' at ')}" for row in rows[1:])
    return lines


def _seen(row: Row, at: str) -> str:
    # What is wrong with the bytes, a damaged gzip say, has no place in the text.
    where = f"{at}{row['line']}:{row['col']}" if row.get("line") is not None else ""
    evidence = shortened(safe(_text(row, "evidence")), EVIDENCE_SHOWN)
    return f"{where}: {evidence}" if evidence else where


def _children(children: Sequence[Row], look: Look) -> Iterator[str]:
    shown = children if look.verbose else children[:CHILDREN_SHOWN]
    locs = [safe(_text(row, "loc")) or "(no loc)" for row in shown]
    if not look.verbose:
        locs = [shortened(loc, LOC_SHOWN) for loc in locs]
    width = max(map(len, locs))
    for loc, row in zip(locs, shown, strict=True):
        lastmod = safe(_text(row, "lastmod"))
        yield f"{loc:{width}}  {look.paint(f'lastmod {lastmod}' if lastmod else 'no lastmod', Role.FAINT)}"
    if len(children) > len(shown):
        yield look.paint(f"… and {len(children) - len(shown):,} more; -v shows all", Role.FAINT)


def _number(row: Row, name: str) -> int:
    value = row.get(name)
    return value if isinstance(value, int) else 0


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    return "" if value is None else str(value)
