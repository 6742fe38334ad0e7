"""Render the report of the benchmark: the measurements, their ratio to urlset, and whether floors are met."""

from __future__ import annotations

import datetime
import statistics
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.measure import Samples


@dataclass(slots=True)
class Row:
    """One measured program."""

    name: str
    calls: str
    """The exact command or call."""
    samples: Samples | None
    note: str = ""
    """Why there are no samples."""
    compared: bool = True
    """Whether its ratio to urlset is meaningful."""
    floor: float | None = None
    """How many times as fast urlset must be at least; None without such a goal."""
    entries: int | None = None
    """The number of entries, if it is not that of the section."""


@dataclass(slots=True)
class Section:
    """One comparison: a title, a description, rows with urlset first, and what to show."""

    title: str
    about: str
    rows: list[Row]
    entries: int = 0
    """Entries per sample, for the speed column; 0 if that is not meaningful."""
    memory: bool = False
    """Whether to show peak memory."""
    lines: list[str] = field(default_factory=list)
    """Sentences below the table, including goals for single numbers."""


def milliseconds(seconds: float) -> str:
    """Format a time with three digits: `7.31 ms`, `812 ms`, `3.25 s`."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    value = seconds * 1000
    return f"{value:.0f} ms" if value >= 100 else f"{value:.3g} ms"


def verdict(met: bool) -> str:
    """Return the verdict on a goal."""
    return "met" if met else "**NOT met**"


def _ratio(row: Row, first: Row) -> tuple[str, str]:
    """Return the cells for the ratio of a row to urlset and for its floor."""
    if row is first or not row.compared:
        return "", ""
    if row.samples is None or first.samples is None:
        return "", f"{row.floor:g}x: not measured" if row.floor else ""
    ratio = row.samples.median / first.samples.median
    goal = f"{row.floor:g}x: {verdict(ratio >= row.floor)}" if row.floor else ""
    return f"{ratio:.1f}x", goal


def table(section: Section) -> list[list[str]]:
    """Return the rows of a section as cells, with the heading first."""
    heading = ["", "median", "min – max", "CPU"]
    heading += ["entries/s"] if section.entries else []
    heading += ["peak memory"] if section.memory else []
    heading += ["ratio to urlset", "floor"]
    cells = [heading]
    first = section.rows[0]
    for row in section.rows:
        ratio, goal = _ratio(row, first)
        if row.samples is None:
            line = [row.name, "not measured", *[""] * (len(heading) - 4), ratio, goal]
        else:
            seconds = row.samples.seconds
            line = [
                row.name,
                milliseconds(row.samples.median),
                f"{milliseconds(min(seconds))} – {milliseconds(max(seconds))}",
                milliseconds(statistics.median(row.samples.cpu_seconds)) if row.samples.cpu_seconds else "",
            ]
            line += [f"{(row.entries or section.entries) / row.samples.median:,.0f}"] if section.entries else []
            line += [f"{max(row.samples.peak_bytes) / 1e6:,.0f} MB"] if section.memory else []
            line += [ratio, goal]
        cells.append(line)
    return cells


def _markdown_table(cells: Sequence[Sequence[str]]) -> Iterable[str]:
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    rule = ["-" * (widths[0] + 1)] + ["-" * width + ":" for width in widths[1:]]
    for number, line in enumerate(cells):
        first, *others = line
        aligned = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))]
        yield "| " + " | ".join(aligned) + " |"
        if number == 0:
            yield "|" + "|".join([f" {rule[0]}", *(f" {dashes}" for dashes in rule[1:])]) + "|"


def measured_with(machine: dict[str, str], versions: dict[str, str]) -> str:
    """Return a sentence on when, where, and against which versions a part was measured."""
    today = datetime.datetime.now(tz=datetime.UTC).date()
    against = ", ".join(f"{name} {number}" for name, number in sorted(versions.items()))
    where = f"{machine['CPU']}, {machine['Cores']} cores, Python {machine['Python']}"
    load = machine["Load before the run"]
    return f"Measured on {today} ({where}; load before: {load}){f' with {against}' if against else ''}."


def render(sections: Sequence[Section], measured: str) -> str:
    """Return sections as Markdown, each with the sentence that `measured_with` returns."""
    lines: list[str] = []
    for section in sections:
        lines += ["", f"## {section.title}", "", section.about, "", *_markdown_table(table(section)), ""]
        lines += section.lines
        lines += [f"\n{row.name} was not measured: {row.note}." for row in section.rows if row.samples is None]
        lines += ["", "Calls:", ""] if any(row.calls for row in section.rows) else []
        lines += [f"- {row.name}: {row.calls}" for row in section.rows if row.calls]
        lines += ["", measured]
    return "\n".join(lines).replace("\n\n\n", "\n\n").strip() + "\n"
