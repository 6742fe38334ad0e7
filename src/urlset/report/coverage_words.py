"""Sentences on coverage, which several renderers share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.coverage import BING, GOOGLE
from urlset.text.safe import code_span, safe
from urlset.text.sizes import enumeration, quantity

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from urlset.model.coverage import Funnel, FunnelRow, Step

STEPS = ("fetched", "indexable", "indexed")
"""The steps after `listed`, as attributes of a row."""

MAX_REASONS = 12
"""Maximum reasons to show."""


def steps_of(row: FunnelRow) -> tuple[Step, ...]:
    return tuple(getattr(row, name) for name in STEPS)


def cell(step: Step) -> str:
    """Return a step as text: `80 of 95`, where 95 are known; empty if nothing is known."""
    return f"{step.yes:,} of {step.known:,}" if step.known else ""


def name_of(row: FunnelRow) -> str:
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


def _on_fetches(funnel: Funnel) -> Iterator[str]:
    is_known = funnel.engine in (GOOGLE, BING)
    crawlers = f"crawlers of {engine_name(str(funnel.engine)) if is_known else 'search engines'}"
    if funnel.logs is None:
        source = "; no access logs in the store, add them with `urlset logs`"
    else:
        source = f" in access logs from {day(funnel.logs[0])} to {day(funnel.logs[1])}"
        if not funnel.logged_hosts:
            source += ", which have no request for the hosts of the listed URLs"
        elif funnel.verified < funnel.requested:
            source += f" ({funnel.verified:,} of {quantity(funnel.requested, 'URL')} verified by address)"
    reported = "" if funnel.engine is None else f", or a crawl that {engine_name(funnel.engine)} reports"
    if funnel.logs is None and funnel.engine is None:
        yield f"fetched: unknown{source}"
    elif funnel.logs is None:
        yield f"fetched: a crawl that {engine_name(str(funnel.engine))} reports{source}"
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
        yield f"indexed: {engine_name(funnel.engine)} reports none of the listed URLs{more}"
        return
    when = day(funnel.oldest)
    if day(funnel.newest) != when:
        when = f"{when} to {day(funnel.newest)}"
    yield f"indexed: reports of {engine_name(funnel.engine)} of {when}{more}"


def engine_name(engine: str) -> str:
    """Return the name of a search engine as its company writes it, if urlset knows it."""
    return {GOOGLE: "Google", BING: "Bing"}.get(engine) or _as_word(engine)


def day(moment: datetime) -> str:
    return moment.date().isoformat()


def _as_word(engine: str) -> str:
    """Return a name as it is if it is a word: an import, or a store of others, can have any name."""
    return engine if engine.isalnum() else code_span(engine)
