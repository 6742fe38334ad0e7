"""Charts as static SVG, without scripts, in the colors of the page, with labels of constant size at any width.

Horizontal positions are percentages and font sizes are pixels, so a chart scales with the page but its text does not.
Every chart has a table with the same numbers for readers who cannot see it. `labelled_by` is the ID of the element that
describes the chart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, TypeAlias

from markupsafe import Markup

from urlset.report.words import shown_score
from urlset.text.safe import safe
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from urlset.model.clock import CurvePoint
    from urlset.model.run import Section

MAX_BARS = 60
"""Maximum bars of a histogram."""

AXIS_LABELS = 4
"""Maximum labels below a histogram; more would overlap on a phone."""

MIN_URLS = 100
"""Fewest URLs of a site for which charts say more than the tables of their numbers."""

MIN_RUNS = 3
"""Fewest runs for a line."""

OUTLIERS = 0.005
"""Share of dates at either end that is merged into one bar; otherwise a single date in 1970 would flatten the rest."""

HISTOGRAM_HEIGHT = 200
TREEMAP_HEIGHT = 360
TREEMAP_WIDTH = 1_080
"""Width in pixels for which a treemap is laid out and labeled; on narrow screens its cells are narrower."""

CALENDAR_HEIGHT = 22
"""Height of a row in pixels."""

CALENDAR_SHADES = 4
"""Shades for days with requests."""

CALENDAR_GAP = 0.12
"""Share of a cell that separates it from the next one."""

PHONE_WIDTH = 328
"""Width of a treemap on a phone, in pixels; section names that do not fit there are shown only on wider screens."""

LETTER = 7.5
"""Approximate width of a letter in a label, in pixels."""

HEADING_HEIGHT = 46
"""Height of the name and share at the top of a section's area, in pixels."""

Span: TypeAlias = tuple[str, Callable[[date], int], Callable[[int], str]]
"""A period: its name, a function from a day to the number of its period, and a function from that number to a label."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a histogram."""

    label: str
    count: int


def bars_of_days(days: Sequence[tuple[date, int]], until: date) -> tuple[str, list[Bar]]:
    """Group days into at most `MAX_BARS` bars.

    Args:
        days: Count per day, oldest first.
        until: Last plausible day; later days are merged into one bar.

    Returns:
        The period of a bar (`day`, `month`, `year`, `decade` or `century`), and the bars, oldest first, including empty
        ones.
    """
    if not days:
        return "day", []
    first, last = _typical_span([pair for pair in days if pair[0] <= until] or days)
    name, number_of, label_of = _span(first, last)
    low, high = number_of(first), number_of(last)
    counts = dict.fromkeys(range(low, high + 1), 0)
    earlier = later = 0
    for day, count in days:
        number = number_of(day)
        if number < low:
            earlier += count
        elif number > high:
            later += count
        else:
            counts[number] += count
    bars = [Bar(label_of(number), count) for number, count in counts.items()]
    before = [Bar(f"before {bars[0].label}", earlier)] if earlier else []
    after = [Bar(f"after {bars[-1].label}", later)] if later else []
    return name, [*before, *bars, *after]


def _typical_span(days: Sequence[tuple[date, int]]) -> tuple[date, date]:
    """Return the first and last day that are not outliers."""
    left_out = int(sum(count for _, count in days) * OUTLIERS)

    def edge(ordered: Iterable[tuple[date, int]]) -> date:
        passed = 0
        for day, count in ordered:
            passed += count
            if passed > left_out:
                return day
        return days[0][0]

    return edge(days), edge(reversed(days))


def _span(first: date, last: date) -> Span:
    """Return the shortest period that results in at most `MAX_BARS` bars."""
    days: Span = ("day", date.toordinal, lambda number: date.fromordinal(number).isoformat())
    months: Span = ("month", lambda day: day.year * 12 + day.month - 1, lambda n: f"{n // 12:04d}-{n % 12 + 1:02d}")
    spans = [days, months, *map(_years, (1, 10, 100))]
    return next((span for span in spans if span[1](last) - span[1](first) < MAX_BARS), spans[-1])


def _years(step: int) -> Span:
    name = {1: "year", 10: "decade", 100: "century"}[step]
    return name, lambda day: day.year // step, lambda number: f"{number * step:04d}{'s' if step > 1 else ''}"


def histogram(bars: Sequence[Bar], labelled_by: str) -> Markup:
    """Return a histogram of at least one bar, with the maximum at the left and some labels below."""
    maximum = max(bar.count for bar in bars) or 1
    top, bottom = 18, HISTOGRAM_HEIGHT - 22
    width = 100 / len(bars)
    elements = [
        Markup('<text class="axis" x="0" y="12">{}</text>').format(f"{maximum:,}"),
        Markup('<line class="grid" x1="0" x2="100%" y1="{0}" y2="{0}"/>').format(top),
        Markup('<line class="grid" x1="0" x2="100%" y1="{0}" y2="{0}"/>').format((top + bottom) / 2),
    ]
    for place, bar in enumerate(bars):
        # A bar that is not empty is always visible.
        height = max(1.5, (bottom - top) * bar.count / maximum) if bar.count else 0
        elements.append(
            Markup('<rect class="bar" x="{}%" y="{}" width="{}%" height="{}"><title>{}: {}</title></rect>').format(
                _format_number(width * (place + 0.1)),
                _format_number(bottom - height),
                _format_number(width * 0.8),
                _format_number(height),
                bar.label,
                f"{bar.count:,}",
            )
        )
    elements.append(Markup('<line class="baseline" x1="0" x2="100%" y1="{0}" y2="{0}"/>').format(bottom))
    elements += _axis(bars, width)
    return _svg("histogram", labelled_by, HISTOGRAM_HEIGHT, elements)


def _axis(bars: Sequence[Bar], width: float) -> Iterable[Markup]:
    """Yield a label for each bar if there are few; otherwise for the first, the last, and some in between."""
    number = min(AXIS_LABELS, len(bars))
    places = sorted({round(tick * (len(bars) - 1) / max(1, number - 1)) for tick in range(number)})
    for place in places:
        # Centered labels below the outer bars would overflow the chart.
        is_outer = len(bars) > AXIS_LABELS and place in (0, len(bars) - 1)
        anchor = "middle" if not is_outer else "start" if place == 0 else "end"
        x = {"start": 0.0, "end": 100.0, "middle": width * (place + 0.5)}[anchor]
        yield Markup('<text class="axis" x="{}%" y="{}" text-anchor="{}">{}</text>').format(
            _format_number(x), HISTOGRAM_HEIGHT - 4, anchor, bars[place].label
        )


def bar(part: float, whole: float, kind: str = "") -> Markup:
    """Return a horizontal bar for a table cell, hidden from screen readers because the number is next to it."""
    width = 0.0 if not whole else max(0.6, 100 * part / whole) if part else 0.0
    return Markup(
        '<svg class="across" aria-hidden="true" height="10" width="100%">'
        '<rect class="track" width="100%" height="10" rx="2"/>'
        '<rect class="bar {}" width="{}%" height="10" rx="2"/></svg>'
    ).format(kind, _format_number(width))


def step(yes: int, no: int, whole: int) -> Markup:
    """Return a bar like `bar` with two parts, for yes and no; what is left of the whole is unknown."""
    first, second = (100 * part / whole if whole else 0.0 for part in (yes, no))
    return Markup(
        '<svg class="across" aria-hidden="true" height="10" width="100%">'
        '<rect class="track" width="100%" height="10" rx="2"/>'
        '<rect class="bar pass" width="{}%" height="10"/><rect class="bar fail" x="{}%" width="{}%" height="10"/></svg>'
    ).format(_format_number(first), _format_number(first), _format_number(second))


def line(values: Sequence[float], kind: str = "") -> Markup:
    """Return a sparkline for a table cell, hidden from screen readers because the values are next to it."""
    low, high = min(values), max(values)
    span = (high - low) or 1
    step = 100 / max(1, len(values) - 1)
    points = " ".join(
        f"{_format_number(place * step)},{_format_number(26 - 22 * (value - low) / span)}"
        for place, value in enumerate(values)
    )
    return Markup(
        '<svg class="line {}" aria-hidden="true" width="120" height="30" viewBox="-3 0 106 30" '
        'preserveAspectRatio="none"><polyline points="{}" vector-effect="non-scaling-stroke"/></svg>'
    ).format(kind, points)


def curve(points: Sequence[CurvePoint], labelled_by: str) -> Markup:
    """Return the share of waits that have ended by days, as steps over an area, with a line at one half."""
    last = points[-1].days or 1
    corners, share = ["0,100"], 0.0
    for point in points:
        x = _format_number(100 * point.days / last)
        corners += [f"{x},{_format_number(100 - 100 * share)}", f"{x},{_format_number(100 - 100 * point.share)}"]
        share = point.share
    corners.append(f"100,{_format_number(100 - 100 * share)}")
    return Markup(
        '<svg class="curve" role="img" aria-labelledby="{}" width="100%" height="120" viewBox="0 0 100 100" '
        'preserveAspectRatio="none"><polygon points="{} 100,100"/><line class="grid" x1="0" x2="100" y1="50" y2="50" '
        'vector-effect="non-scaling-stroke"/><polyline points="{}" vector-effect="non-scaling-stroke"/></svg>'
    ).format(labelled_by, " ".join(corners), " ".join(corners))


@dataclass(frozen=True, slots=True)
class Cell:
    """A rectangle inside another, in pixels or in percent of it."""

    x: float
    y: float
    width: float
    height: float

    def within(self, outer: Cell) -> tuple[str, ...]:
        """Return position and size in percent of the outer rectangle."""
        across, down = 100 / outer.width, 100 / outer.height
        return tuple(map(_format_number, (self.x * across, self.y * down, self.width * across, self.height * down)))


WHOLE = Cell(0, 0, TREEMAP_WIDTH, TREEMAP_HEIGHT)


def squarify(sizes: Sequence[float], shape: float) -> list[Cell]:
    """Return rectangles with areas proportional to the sizes, as close to squares as possible.

    Bruls, Huizing, van Wijk: Squarified Treemaps, 2000, https://www.win.tue.nl/~vanwijk/stm.pdf

    Args:
        sizes: The sizes, largest first, all above zero.
        shape: Aspect ratio (width / height) of the outer rectangle.
    """
    total = sum(sizes)
    areas = [size / total * shape for size in sizes]
    cells: list[Cell] = []
    x, y, width, height = 0.0, 0.0, shape, 1.0
    at = 0
    while at < len(areas):
        side = min(width, height)
        end = at + 1
        while end < len(areas) and _worst(areas[at : end + 1], side) <= _worst(areas[at:end], side):
            end += 1
        row = areas[at:end]
        depth = sum(row) / side
        along = 0.0
        for area in row:
            length = area / depth
            if width >= height:
                cells.append(Cell(x, y + along, depth, length))
            else:
                cells.append(Cell(x + along, y, length, depth))
            along += length
        if width >= height:
            x, width = x + depth, width - depth
        else:
            y, height = y + depth, height - depth
        at = end
    return [Cell(100 * c.x / shape, 100 * c.y, 100 * c.width / shape, 100 * c.height) for c in cells]


def _worst(row: Sequence[float], side: float) -> float:
    """Return the aspect ratio of the least square rectangle of a row."""
    total = sum(row)
    return max(side**2 * max(row) / total**2, total**2 / (side**2 * min(row)))


def treemap(sections: Sequence[Section], labelled_by: str) -> Markup:
    """Return a treemap of at least one section, largest first, each with its folders."""
    total = sum(section.urls for section in sections)
    hosts = {section.name.partition("/")[0] for section in sections}
    elements = []
    for section, cell in zip(sections, _lay_out([part.urls for part in sections], WHOLE), strict=True):
        # The host name is redundant if all sections are on the same host.
        name = section.name if len(hosts) > 1 else "/" + section.name.partition("/")[2]
        share = f"{100 * section.urls / total:.1f}%"
        elements.append(
            Markup(
                '<svg x="{}%" y="{}%" width="{}%" height="{}%"><title>{}: {}, {}</title>'
                '<rect class="section" width="100%" height="100%"/>{}'
                '<rect class="frame" width="100%" height="100%"/>{}</svg>'
            ).format(
                *cell.within(WHOLE),
                safe(section.name),
                quantity(section.urls, "URL"),
                share,
                Markup("").join(_parts(section, cell)),
                _label(safe(name), share, cell),
            )
        )
    return _svg("treemap", labelled_by, TREEMAP_HEIGHT, elements)


def _lay_out(sizes: Sequence[int], whole: Cell) -> list[Cell]:
    """Return areas in a rectangle, all in pixels."""
    cells = squarify(sizes, whole.width / whole.height)
    across, down = whole.width / 100, whole.height / 100
    return [Cell(cell.x * across, cell.y * down, cell.width * across, cell.height * down) for cell in cells]


def _parts(section: Section, cell: Cell) -> Iterable[Markup]:
    """Yield the folders of a section, and everything outside them as one area; nothing if there are no folders."""
    parts = [(name, urls) for name, urls in section.parts if name]
    rest = section.urls - sum(urls for _, urls in parts)
    if not parts:
        return
    if rest > 0:
        parts.append(("", rest))
    parts.sort(key=lambda part: -part[1])
    for (name, urls), place in zip(parts, _lay_out([urls for _, urls in parts], cell), strict=True):
        text = safe(name)
        has_room = place.height >= 24 and place.y + place.height >= HEADING_HEIGHT + 22
        label = Markup('<svg y="100%" overflow="visible"><text class="folder" x="8" y="-9">{}</text></svg>').format(
            text
        )
        yield Markup(
            '<svg x="{}%" y="{}%" width="{}%" height="{}%"><rect class="part" width="100%" height="100%">'
            "<title>{}: {}</title></rect>{}</svg>"
        ).format(
            *place.within(cell),
            safe(section.name + (name or " (other)")),
            quantity(urls, "URL"),
            label if name and has_room and _fits(text, place) else "",
        )


def _label(name: str, share: str, cell: Cell) -> Markup:
    """Return the name and share of a section if they fit."""
    if cell.height < 30 or not _fits(name, cell):
        return Markup()
    kind = "" if _fits(name, cell, PHONE_WIDTH) else " cramped"
    label = Markup('<text class="name{}" x="8" y="20">{}</text>').format(kind, name)
    if cell.height >= HEADING_HEIGHT:
        label += Markup('<text class="share{}" x="8" y="38">{}</text>').format(kind, share)
    return label


def _fits(text: str, cell: Cell, width: int = TREEMAP_WIDTH) -> bool:
    return len(text) * LETTER + 16 <= cell.width * width / TREEMAP_WIDTH


def ring(share: float, kind: str, labelled_by: str) -> Markup:
    """Return a ring that shows a share from 0 to 1, in the color of `kind`: pass, warn, or fail."""
    radius = 52
    around = 2 * 3.141592653589793 * radius
    return Markup(
        '<svg class="ring" role="img" aria-labelledby="{}" viewBox="0 0 120 120" width="120" height="120">'
        '<circle class="track" cx="60" cy="60" r="{}"/><circle class="{}" cx="60" cy="60" r="{}" '
        'stroke-dasharray="{} {}" transform="rotate(-90 60 60)"/>'
        '<text class="value" x="60" y="72">{}</text></svg>'
    ).format(
        labelled_by, radius, kind, radius, _format_number(around * share), _format_number(around), shown_score(share)
    )


def shade(hits: int, maximum: int) -> int:
    """Return the shade of a day: 0 without requests, then by quarters of the busiest day.

    Example:
        >>> [shade(hits, 100) for hits in (0, 1, 25, 26, 100)]
        [0, 1, 1, 2, 4]
    """
    return -(-hits * CALENDAR_SHADES // maximum) if maximum else 0


def calendar(days: Sequence[tuple[date, int]], labelled_by: str) -> Markup:
    """Return requests of a crawler as a row with a cell for each of one or more days, oldest first, darker for more."""
    maximum = max(hits for _, hits in days)
    width = 100 / len(days)
    cells = (
        Markup('<rect class="day level{}" x="{:.3f}%" width="{:.3f}%" height="{}"><title>{}: {}</title></rect>').format(
            shade(hits, maximum),
            place * width,
            width * (1 - CALENDAR_GAP),
            CALENDAR_HEIGHT,
            day.isoformat(),
            quantity(hits, "request"),
        )
        for place, (day, hits) in enumerate(days)
    )
    return _svg("calendar", labelled_by, CALENDAR_HEIGHT, cells)


def _svg(kind: str, labelled_by: str, height: int, elements: Iterable[Markup]) -> Markup:
    return Markup('<svg class="{}" role="img" aria-labelledby="{}" width="100%" height="{}">{}</svg>').format(
        kind, labelled_by, height, Markup("").join(elements)
    )


def _format_number(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
