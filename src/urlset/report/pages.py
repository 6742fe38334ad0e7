"""Render `pages`: as text, and briefly for language models. `audit` has its lines as well."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from urlset.model.ranking import SITE, rank_rules
from urlset.report.brief import DETAILS, Brief, Group, quotes_for
from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.report.words import settings_of_reason
from urlset.rules.queries import REPORTED_BY
from urlset.rules.rule import Consequence, Severity
from urlset.text.safe import safe, shorten
from urlset.text.sizes import enumeration, quantity
from urlset.web.indexability import PageReason, phrase

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from urlset.model.audit import PageCounts
    from urlset.model.page_list import PageList, PageVerdict
    from urlset.model.report import Report
    from urlset.report.brief import Quotes
    from urlset.report.paint import Paint


def text(pages: PageList, style: Style = Style()) -> Iterator[str]:
    """Yield the number of pages per reason, then each page."""
    paint = style.paint
    if not pages.counts:
        yield paint(f"All {quantity(pages.listed, 'checked page')} of run {pages.run_id} can be indexed.", Role.GOOD)
    else:
        yield from summary_lines(pages.counts, pages.listed, paint, settings=partial(_settings, pages))
    counts = {reason: pages.counts.get(reason, 0) for reason in pages.asked}
    if counts and not any(counts.values()):
        yield ""
        yield f"No page is {enumeration([PageReason(reason).words for reason in counts])}."
        return
    # A file is searched, and a long URL is wrapped by nothing but a terminal.
    lines = page_lines(pages.verdicts(), paint, verbose=style.verbose or not style.is_terminal)
    if (first := next(lines, None)) is not None:
        yield ""
        yield first
        yield from lines


def llm(pages: PageList, style: Style = Style()) -> Iterator[str]:
    """Yield a brief for language models, with a group per reason."""
    examples = first_of_each(pages.verdicts())
    quote = quotes_for(
        (page.document for verdicts in examples.values() for page in verdicts), ascii_only=style.ascii_only
    )
    counts = {reason: pages.counts[reason] for reason in pages.counts if not pages.asked or reason in pages.asked}
    if "" in examples:
        counts[""] = pages.listed - sum(pages.counts.values())
    head = [*quote.heading(), f"Run {pages.run_id}: {headline(pages.counts, pages.listed)}."]
    tail = ["Next: `urlset pages STORE --reason REASON --format csv` lists all pages of a reason."] if counts else []
    yield from Brief(
        head, page_groups(counts, examples, quote, settings=partial(_settings, pages)), tail, "reason", style.ascii_only
    ).lines()


def _settings(pages: PageList, reason: str) -> list[str]:
    return settings_of_reason(reason, pages.systems.get(reason, ()))


MAX_URL = 100
"""Longest URL to show without `verbose`, in characters."""


def headline(counts: Mapping[str, int], checked: int, *, is_all: bool = True) -> str:
    """Return a sentence without a period: `14 of 49 listed pages cannot be indexed; it is unknown whether 2 more can`.

    Args:
        counts: Number of pages by reason.
        checked: Number of pages that were requested, or skipped for a reason.
        is_all: Whether these are all listed pages.
    """
    known_count = sum(count for reason, count in counts.items() if PageReason(reason).is_known)
    unknown = sum(counts.values()) - known_count
    pages = quantity(checked, "listed page" if is_all else "selected page")
    if not counts:
        return f"All {pages} can be indexed" if checked != 1 else f"The only {pages.removeprefix('1 ')} can be indexed"
    if not unknown:
        return f"{known_count:,} of {pages} cannot be indexed"
    if not known_count:
        return f"It is unknown whether {unknown:,} of {pages} can be indexed"
    return f"{known_count:,} of {pages} cannot be indexed; it is unknown whether {unknown:,} more can"


def sentence_on_pages(counts: Mapping[str, int], pages: PageCounts, report: Report) -> str:
    """Return the headline of a run with what it does not say, without a period."""
    loss = "" if counts else loss_of_files(report)
    known = f"; {report.pages_in_baseline}" if counts and report.pages_in_baseline else ""
    sentence = headline(counts, pages.checked, is_all=pages.checked == pages.listed)
    return f"{sentence}{f', but {loss}' if loss else ''}{known}"


def loss_of_files(report: Report) -> str:
    """Return why search engines may not come to pages that can be indexed, such as a wrong host; empty for nothing.

    It is an error, or a warning on the site as a whole, such as a second URL of the site.
    """
    first = next(iter(rank_rules(report)), None)
    if first is None or first.rule.consequence is not Consequence.FILE:
        return ""
    least = Severity.WARNING if first.rule.family == SITE else Severity.ERROR
    if not first.rule.severity.is_at_least(least):
        return ""
    return f"{first.reason} ({first.rule.code})"


def page_lines(pages: Iterable[PageVerdict], paint: Paint, *, verbose: bool) -> Iterator[str]:
    """Yield a line for each page: its URL, the reason, and its place in a sitemap."""
    for page in pages:
        url, why = page.url, phrase(page.reason, page.value)
        if not verbose:
            url, why = shorten(url, MAX_URL), shorten(why, MAX_URL)
        line = "" if page.line is None else f":{page.line}" + ("" if page.col is None else f":{page.col}")
        role = Role.GOOD if page.is_indexable else Role.WARNING if page.is_indexable is None else Role.ERROR
        yield f"  {safe(url)}  {paint(safe(why), role)}  {paint(safe(page.document) + line, Role.FAINT)}"


def summary_lines(
    counts: Mapping[str, int],
    checked: int,
    paint: Paint,
    *,
    is_all: bool = True,
    settings: Callable[[str], Sequence[str]] = lambda _: (),
    codes: Collection[str] = (),
) -> Iterator[str]:
    """Yield the number of pages that cannot be indexed, and a line for each reason with what to do.

    Args:
        codes: Rules that report nothing but these pages, to name with their reason.
        settings: Returns where to change what a reason depends on, a line each.
    """
    yield paint(headline(counts, checked, is_all=is_all), Role.HEADING)
    width = max(len(f"{count:,}") for count in counts.values())
    names = {reason: _named(PageReason(reason), PageReason(reason).words, codes) for reason in counts}
    longest = max(map(len, names.values()))
    for reason, count in counts.items():
        yield f"  {count:>{width},} {names[reason]:{longest}}  {paint(PageReason(reason).fix, Role.FAINT)}"
        yield from (f"  {'':{width}} - {line}" for line in settings(reason))


def first_of_each(pages: Iterable[PageVerdict]) -> dict[str, list[PageVerdict]]:
    """Return the first pages of each reason, as many as an answer can show; "" for pages that are indexable."""
    by_reason: dict[str, list[PageVerdict]] = {}
    for page in pages:
        mine = by_reason.setdefault(page.reason or "", [])
        if len(mine) < DETAILS:
            mine.append(page)
    return by_reason


def page_groups(
    counts: Mapping[str, int],
    pages: Mapping[str, Sequence[PageVerdict]],
    quote: Quotes,
    codes: Collection[str] = (),
    settings: Callable[[str], Sequence[str]] | None = None,
) -> list[Group]:
    """Return a group for each reason with its number of pages and its first pages, the most frequent first.

    Args:
        codes: Rules that report nothing but these pages, to name with their reason.
        settings: Returns where to change what a reason depends on.
    """
    return [
        _group(reason, count, pages.get(reason, ()), quote, codes, settings(reason) if settings and reason else ())
        for reason, count in counts.items()
    ]


def _group(
    reason: str,
    count: int,
    pages: Sequence[PageVerdict],
    quote: Quotes,
    codes: Collection[str],
    settings: Sequence[str],
) -> Group:
    if not reason:
        return Group(f"indexable, {quantity(count, 'page')}", _places(pages, None, quote), "indexable")
    page_reason = PageReason(reason)
    verdict = "not indexable" if page_reason.is_known else "unknown whether indexable"
    name = _named(page_reason, reason, codes)
    heading = f"{name}, {quantity(count, 'page')} {verdict}: {page_reason.words}; {page_reason.fix}"
    heading = "; ".join([heading, *settings])
    return Group(heading, _places(pages, page_reason, quote), reason)


def _named(reason: PageReason, name: str, codes: Collection[str]) -> str:
    """Return a name of a reason, with those of the rules that report it."""
    named = ", ".join(code for code in REPORTED_BY.get(reason, ()) if code in codes)
    return f"{name} ({named})" if named else name


def _places(pages: Sequence[PageVerdict], reason: PageReason | None, quote: Quotes) -> Iterator[str]:
    for page in pages:
        value = "" if page.value is None else f": {quote(page.value)}"
        where = f", listed in {quote.place(page.document, page.line)}" if page.document else ""
        yield f"{quote(page.url)}{value}{where}{_edit(page, reason, quote)}"


def _edit(page: PageVerdict, reason: PageReason | None, quote: Quotes) -> str:
    """Return the edit of the entry, if there is only one that makes sense."""
    is_redirect = reason in (PageReason.REDIRECT, PageReason.CLIENT_REDIRECT) and page.value is not None
    if is_redirect and page.status is not None and 200 <= page.status < 300:
        return f"; edit: replace loc with {quote(page.value)}, or remove the entry if that is listed already"
    return "; edit: remove the entry, unless the page is restored" if reason is PageReason.NOT_FOUND else ""
