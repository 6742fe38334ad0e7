"""Renders `coverage --clock` as text, Markdown, and a table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from urlset.model.clock import MIN_WAITS, ClockStep
from urlset.model.coverage import GOOGLE
from urlset.model.query import QueryResult
from urlset.model.reported import NAMES
from urlset.report.command_tables import Table
from urlset.report.paint import Role
from urlset.report.rows import Code, markdown_lines, table
from urlset.report.style import Style
from urlset.text.safe import code_span, safe
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from urlset.model.clock import ClockResult, DayRange, SlowPages, StepTimes, TraitCount, WaitGroup

MAX_SHOWN = 3
"""Pages that wait long to name without `--verbose`."""

COLUMNS = ("25%", "50%", "75%", "90%", "n", "waiting", "unknown")
_RIGHT = COLUMNS

_VERBS = {
    ClockStep.TEXT_TO_CRAWL: "that were crawled took",
    ClockStep.CRAWL_TO_INDEX: "that were indexed took",
    ClockStep.INDEX_TO_IMPRESSION: "that got an impression took",
}


def text(result: ClockResult, style: Style = Style()) -> Iterator[str]:
    paint = style.paint
    yield paint(f"{_heading(result)} in {safe(str(result.store))}", Role.HEADING)
    yield from (paint(note, Role.FAINT) for note in notes(result))
    for step in result.steps:
        yield ""
        yield paint(_title(step), Role.HEADING)
        if not step.every.n:
            yield f"  {_nothing(step)}"
            yield from (paint(f"  {line}", Role.FAINT) for line in _needs(step))
            continue
        rows = [(safe(name), *_cells(group)) for name, group in _named(step)]
        yield from table(("", *COLUMNS), rows, replace(style, max_rows=0), null="", right=_RIGHT)
        yield from (paint(line, Role.FAINT) for line in _needs(step))
        if more := _more(step):
            yield paint(f"… {more}; use --rows 0 to show all", Role.FAINT)
        if step.slow is not None and step.slow.pages:
            yield from (f"  {line}" for line in _slow(step, step.slow, style, safe))


def markdown(result: ClockResult, style: Style = Style()) -> Iterator[str]:
    yield f"**urlset:** {_heading(result, code_span)}"
    yield ""
    yield from (f"- {note}" for note in notes(result, code_span))
    for step in result.steps:
        yield ""
        yield f"**{_title(step)}**"
        yield ""
        if not step.every.n:
            yield f"{_nothing(step)}."
            yield from _needs(step)
            continue
        rows = ((Code(name) if group.name else name, *_cells(group)) for name, group in _named(step))
        yield from markdown_lines(("group", *COLUMNS), rows, right=_RIGHT)
        yield from (line for need in _needs(step) for line in ("", need))
        if more := _more(step):
            yield ""
            yield f"Not shown: {more}."
        if step.slow is not None and step.slow.pages:
            yield ""
            yield from (f"- {line.strip()}" for line in _slow(step, step.slow, style, code_span))


def _heading(result: ClockResult, show: Callable[[str], str] = safe) -> str:
    name = NAMES.get(result.engine) or show(result.engine)
    return f"Time to crawl, index, and impression in {name}, run {result.run_id} ({result.made_at:%Y-%m-%d})"


def notes(result: ClockResult, show: Callable[[str], str] = safe) -> Iterator[str]:
    """Yield what the times are based on, and what is unknown, as sentences."""
    name = NAMES.get(result.engine) or show(result.engine)
    yield "Days until this share of new and changed pages completes a step. Pages that still wait are in the estimate."
    if result.crawler is None:
        yield f"Requests: unknown; urlset does not know the crawler of {name}."
    elif result.logs_from is None or result.logs_to is None:
        yield "Requests: unknown; no access logs with verified crawlers; add them with `urlset logs --ranges`."
    else:
        gap = f"; {quantity(result.days_without_logs, 'other day is', 'other days are')} unknown"
        yield (
            f"Requests: verified requests of {show(result.crawler)} on {quantity(result.log_days, 'day')} of access "
            f"logs from {result.logs_from} to {result.logs_to}{gap if result.days_without_logs else ''}."
        )
    if result.future_lines:
        yield f"Left out: {quantity(result.future_lines, 'line')} of access logs dated in the future; check the clock."
    if not result.reports:
        yield f"Index: unknown; no reports of {name} on these pages; add them with `urlset coverage import`."
    else:
        yield f"Index: reports of {name} on {quantity(result.reports, 'day')}."
    if result.future_reports:
        yield f"Left out: {quantity(result.future_reports, 'report')} dated in the future; check the clock."
    if result.engine != GOOGLE:
        yield f"Impressions: unknown; urlset does not read those of {name}."
    elif not result.impression_days:
        yield "Impressions: unknown; add them with `urlset coverage impressions`."
    else:
        yield f"Impressions: web search on {quantity(result.impression_days, 'day')}."


def _title(step: StepTimes) -> str:
    words = step.step.words.capitalize()
    every = step.every
    if every.median is None:
        return f"{words}: fewer than {MIN_WAITS} known" if every.n else f"{words}: unknown"
    return f"{words}: 50% in {_range(every.median)}, 90% in {_range(every.day_90)}"


def _nothing(step: StepTimes) -> str:
    if not step.every.unknown:
        return "no new or changed page to measure"
    return f"unknown for {quantity(step.every.unknown, 'new or changed page')}"


def _needs(step: StepTimes) -> Iterator[str]:
    """Yield what would have to be known, if too little is."""
    if step.every.unknown and step.every.n < MIN_WAITS:
        yield step.step.needs


def _range(days: DayRange | None) -> str:
    if days is None:
        return ""
    if days.high is None:
        return f"{quantity(days.low, 'day')} or more"
    return f"{days.low} to {quantity(days.high, 'day')}" if days.low != days.high else quantity(days.low, "day")


def _named(step: StepTimes) -> Iterator[tuple[str, WaitGroup]]:
    yield "all", step.every
    yield from ((group.name, group) for group in (*step.sections, *step.templates))


def _cells(group: WaitGroup) -> tuple[object, ...]:
    days = (group.day_25, group.median, group.day_75, group.day_90)
    return (*map(_cell, days), group.n, group.waiting, group.unknown)


def _cell(days: DayRange | None) -> str:
    if days is None:
        return ""
    if days.high is None:
        return f"{days.low}+"
    return f"{days.low}" if days.low == days.high else f"{days.low} to {days.high}"


def _more(step: StepTimes) -> str:
    parts = []
    if step.more_sections:
        parts.append(quantity(step.more_sections, "more section"))
    if step.more_templates:
        parts.append(quantity(step.more_templates, "more template"))
    return ", ".join(parts)


def _slow(step: StepTimes, slow: SlowPages, style: Style, show: Callable[[str], str]) -> Iterator[str]:
    pages = quantity(slow.pages, "page waits", "pages wait")
    yield f"{pages} longer than 90% of those {_VERBS[step.step]} ({quantity(slow.days, 'day')}):"
    for trait in slow.shared:
        yield f"  {_trait(trait)}"
    examples = slow.examples if style.verbose else slow.examples[:MAX_SHOWN]
    for page in examples:
        yield f"  {show(page.url)}: at least {quantity(page.days, 'day')}, since {page.since}"
    if more := slow.pages - len(examples):
        yield f"  and {more:,} more"


def _trait(trait: TraitCount) -> str:
    return (
        f"{trait.trait.words}: {trait.pages:,} of {trait.of:,} (other pages: {trait.others:,} of {trait.of_others:,})"
    )


def _rows(result: ClockResult) -> QueryResult:
    """Return a row per step and group. What is unknown, or has no end, is null."""
    names = ("day_25", "median", "day_75", "day_90")
    bounds = tuple(f"{name}_{bound}" for name in names for bound in ("low", "high"))
    columns = ("step", "by", "name", "n", "ended", "waiting", "intervals", "unknown", *bounds)
    rows = (
        (
            step.step.value,
            by,
            group.name,
            *(getattr(group, column) for column in columns[3:8]),
            *(
                None if days is None else getattr(days, bound)
                for days in (getattr(group, name) for name in names)
                for bound in ("low", "high")
            ),
        )
        for step in result.steps
        for by, groups in (("all", (step.every,)), ("section", step.sections), ("template", step.templates))
        for group in groups
    )
    return QueryResult(columns, (), rows)


TIMES = Table(of=_rows)
