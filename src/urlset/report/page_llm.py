"""Short answer on one URL of a run, for language models: where it is listed, and why it is not indexable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.pages import PageReason
from urlset.report.brief import Brief, Group, quotes_for
from urlset.report.style import Style
from urlset.rules.rule import Severity
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.page_list import PageVerdict
    from urlset.model.url_facts import UrlFacts
    from urlset.report.brief import Quotes


def render(found: Sequence[UrlFacts], style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the answer; the same path can exist on several hosts."""
    quote = quotes_for([one.url for one in found], ascii_only=style.ascii_only)
    head = quote.heading()
    groups: list[Group] = []
    if not found:
        head.append("No sitemap of the run lists this path, and no page that was read links to it.")
    for one in found:
        head.append(f"{quote(one.url)} in run {one.run_id}: {_verdict(one, quote)}")
        for place in one.places:
            lastmod = "no lastmod" if place.lastmod is None else f"lastmod {quote(place.lastmod, 40)}"
            head.append(f"listed in {quote.place(place.document, place.line)}, {lastmod}")
        groups += _groups(one, quote)
    codes = [each.code for one in found for each in one.findings]
    tail = [f"Next: `urlset explain {codes[0]}`"] if codes and codes[0].isalnum() else []
    yield from Brief(head, groups, tail, "group", style.ascii_only).lines()


def _verdict(one: UrlFacts, quote: Quotes) -> str:
    if one.verdict is None:
        return "page not requested" if one.places else "listed in no sitemap"
    return _why(one.verdict, quote)


def _why(page: PageVerdict, quote: Quotes) -> str:
    if page.reason is None:
        return "indexable"
    known = PageReason(page.reason)
    verdict = "not indexable" if known.is_known else "unknown whether indexable"
    value = "" if page.value is None else f": {quote(page.value)}"
    return f"{verdict}, {page.reason}{value}; fix: {known.fix}"


def _groups(one: UrlFacts, quote: Quotes) -> Iterator[Group]:
    if one.page:
        facts = (f"{name}: {value if isinstance(value, int) else quote(value)}" for name, value in one.page.items())
        yield Group("page", facts)
    order = [severity.value for severity in Severity]
    findings = sorted(one.findings, key=lambda each: order.index(each.severity))
    if findings:
        lines = (
            f"{each.code} {each.severity}: {quote(each.message)} in {quote.place(each.document, each.line)}"
            for each in findings
        )
        yield Group("findings that name it", lines)
    if one.linked_from:
        yield Group(f"linked from {counted(len(one.linked_from), 'page')}", map(quote, one.linked_from))
