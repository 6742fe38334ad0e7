"""Render `coverage` as text, Markdown, and a table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from urlset.model.coverage import BING, GOOGLE
from urlset.model.query import QueryResult
from urlset.report.command_tables import Table
from urlset.report.markdown import render as finding_markdown
from urlset.report.pages import MAX_URL
from urlset.report.paint import Role
from urlset.report.rows import Code, markdown_lines, table
from urlset.report.style import Style
from urlset.report.text import render as finding_text
from urlset.text.safe import code_span, safe, shorten
from urlset.text.sizes import enumeration, quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from urlset.model.coverage import CoverageResult, Funnel, FunnelRow, Step
    from urlset.model.page_explanation import IndexReport

STEPS = ("fetched", "indexable", "indexed")
"""The steps after `listed`, as attributes of a row."""

MAX_REASONS = 12
"""Maximum reasons to show."""


def text(result: CoverageResult, style: Style = Style()) -> Iterator[str]:
    funnel, paint = result.funnel, style.paint
    store = safe(str(result.store))
    yield paint(f"Coverage of run {result.run_id} ({day(result.made_at)}) in {store}", Role.HEADING)
    yield ""
    rows = [(_name_of(row), row.listed, *map(_cell, _steps_of(row))) for row in (funnel.total, *funnel.rows)]
    yield from table((funnel.by, "listed", *STEPS), rows, replace(style, max_rows=0))
    if funnel.more_rows:
        yield paint(f"… {quantity(funnel.more_rows, 'more row')}; use --rows 0 to show all", Role.FAINT)
    yield paint("8 of 10: 8 of the 10 listed URLs for which it is known; blank: nothing is known", Role.FAINT)
    yield ""
    yield from notes(funnel)
    yield ""
    if funnel.reasons:
        yield paint("Listed URLs by reason", Role.HEADING)
        first_reasons = funnel.reasons[:MAX_REASONS]
        width = max(len(f"{one.urls:,}") for one in first_reasons)
        yield from (f"  {one.urls:{width},}  {safe(one.reason or 'unknown')}" for one in first_reasons)
        if more := funnel.reasons[MAX_REASONS:]:
            yield paint(f"  … {quantity(len(more), 'more reason')}", Role.FAINT)
        yield ""
    yield from finding_text(result.report, style)


def markdown(result: CoverageResult, style: Style = Style()) -> Iterator[str]:
    funnel = result.funnel
    yield f"**urlset:** coverage of run {result.run_id} ({day(result.made_at)})"
    yield ""
    rows = (
        (Code(row.name) if row.name else "all", row.listed, *map(_cell, _steps_of(row)))
        for row in (funnel.total, *funnel.rows)
    )
    yield from markdown_lines((funnel.by, "listed", *STEPS), rows, right=("listed", *STEPS))
    yield ""
    yield "8 of 10: 8 of the 10 listed URLs for which it is known; blank: nothing is known."
    yield ""
    yield from (f"- {note}" for note in notes(funnel))
    if funnel.more_rows:
        yield f"- not shown: {quantity(funnel.more_rows, 'more row')}"
    yield ""
    yield from finding_markdown(result.report, style)


def _steps_of(row: FunnelRow) -> tuple[Step, ...]:
    return tuple(getattr(row, name) for name in STEPS)


def _cell(step: Step) -> str:
    """Return a step as text: `80 of 95`, where 95 are known; empty if nothing is known."""
    return f"{step.yes:,} of {step.known:,}" if step.known else ""


def _name_of(row: FunnelRow) -> str:
    return safe(row.name) or "all"


def notes(funnel: Funnel) -> Iterator[str]:
    """Yield what each step is based on, and what is missing, as sentences."""
    yield from _on_fetches(funnel)
    if not funnel.total.indexable.known:
        yield "indexable: unknown, since the run did not fetch the listed pages"
    elif funnel.total.indexable.unknown:
        yield f"indexable: pages that the run fetched; {quantity(funnel.total.indexable.unknown, 'URL')} unknown"
    else:
        yield "indexable: pages that the run fetched"
    yield from _on_reports(funnel)
    if funnel.unlisted is None and funnel.engine is not None:
        yield "indexed URLs that no sitemap lists: unknown, since the run may not have all sitemaps of the site"
    elif funnel.unlisted:
        yield f"indexed URLs that no sitemap lists: {funnel.unlisted:,}"
    if funnel.elsewhere:
        yield f"left out: {quantity(funnel.elsewhere, 'reported URL')} on hosts without a listed URL"
    if funnel.future:
        yield f"left out: {quantity(funnel.future, 'report')} dated in the future, by a clock that was wrong"


def _on_fetches(funnel: Funnel) -> Iterator[str]:
    is_known = funnel.engine in (GOOGLE, BING)
    crawlers = f"crawlers of {_engine_name(str(funnel.engine)) if is_known else 'search engines'}"
    if funnel.logs is None:
        source = "; no access logs in the store, add them with `urlset logs`"
    else:
        source = f" in access logs from {day(funnel.logs[0])} to {day(funnel.logs[1])}"
        if not funnel.logged_hosts:
            source += ", which have no request for the hosts of the listed URLs"
        elif funnel.verified < funnel.requested:
            source += f" ({funnel.verified:,} of {quantity(funnel.requested, 'URL')} verified by address)"
    reported = "" if funnel.engine is None else f", or a crawl that {_engine_name(funnel.engine)} reports"
    if funnel.logs is None and funnel.engine is None:
        yield f"fetched: unknown{source}"
    elif funnel.logs is None:
        yield f"fetched: a crawl that {_engine_name(str(funnel.engine))} reports{source}"
    else:
        yield f"fetched: requests of {crawlers}{source}{reported}"


def _on_reports(funnel: Funnel) -> Iterator[str]:
    if funnel.engine is None:
        yield "indexed: unknown; no reports of search engines in the store, add them with `urlset coverage import`"
        return
    others = [name for name in funnel.engines if name != funnel.engine]
    more = (
        f"; the store also has reports of {enumeration(list(map(_as_word, others)))}, shown with --engine"
        if others
        else ""
    )
    if funnel.oldest is None or funnel.newest is None:
        yield f"indexed: {_engine_name(funnel.engine)} reports none of the listed URLs{more}"
        return
    when = day(funnel.oldest)
    if day(funnel.newest) != when:
        when = f"{when} to {day(funnel.newest)}"
    yield f"indexed: reports of {_engine_name(funnel.engine)} of {when}{more}"


def _engine_name(engine: str) -> str:
    """Return the name of a search engine as its company writes it, if urlset knows it."""
    return {GOOGLE: "Google", BING: "Bing"}.get(engine) or _as_word(engine)


def day(moment: datetime) -> str:
    return moment.date().isoformat()


def _as_word(engine: str) -> str:
    """Return a name as it is if it is a word: an import, or a store of others, can have any name."""
    return engine if engine.isalnum() else code_span(engine)


def stored_reports(reports: Sequence[IndexReport], shown: Callable[[str], str]) -> Iterator[str]:
    """Yield what each search engine reported of a page; `shown` returns a URL as the page shows it."""
    for report in reports:
        reason = report.reason or report.reason_text
        why = "" if reason is None else f": {safe(shorten(reason, MAX_URL))}"
        crawled = "" if report.last_crawled is None else f", last crawled on {day(report.last_crawled)}"
        canonical = "" if report.canonical is None else f", canonical {shown(report.canonical)}"
        state = safe(report.state or "no state") + why
        yield f"{safe(report.engine)} on {day(report.at)} ({safe(report.source)}): {state}{crawled}{canonical}"
    if not reports:
        yield "no search engine reported it"


def _funnel(result: CoverageResult) -> QueryResult:
    """Return a row per sitemap or section, after one for all. What is unknown is null."""
    funnel = result.funnel
    columns = (funnel.by, "listed", *(name for step in STEPS for name in (step, f"{step}_known")))
    cells = (
        (
            row.name or "all",
            row.listed,
            *(number for step in _steps_of(row) for number in (step.yes if step.known else None, step.known)),
        )
        for row in (funnel.total, *funnel.rows)
    )
    return QueryResult(columns, (), cells)


FUNNEL = Table(of=_funnel)
