"""Short report of `inspect` for language models: a line of facts for each document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.document import number_of, was_read
from urlset.report.brief import Brief, Group, command, quotes_for
from urlset.report.style import Style
from urlset.report.words import redirects_in_numbers
from urlset.text.sizes import exact_size, quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.document import InspectedDocument, InspectReport
    from urlset.model.host_redirects import HostRedirects
    from urlset.report.brief import Quotes

EXTENSIONS = {"images": "image", "videos": "video", "news": "news record", "alternates": "hreflang link"}


def render(report: InspectReport, style: Style = Style()) -> Iterator[str]:
    """Yield a brief for language models, with a group per document."""
    urls = [str(document.facts.get("url", "")) for document in report.documents]
    quote = quotes_for(urls, ascii_only=style.ascii_only)
    read = [document for document in report.documents if was_read(document.facts)]
    entries = sum(
        number_of(document.facts, "entries") for document in read if document.facts.get("kind") != "sitemapindex"
    )
    head = [*quote.heading(), f"{quantity(len(read), 'document')} with {quantity(entries, 'URL')}."]
    head += [f"Not read: {quote(gap.target)}: {quote(gap.reason)}" for gap in report.unreadable[:5]]
    if len(report.unreadable) > 5:
        head.append(f"Not read: {quantity(len(report.unreadable) - 5, 'more target')}")
    groups = [Group(_title(document, quote), _details(document, quote)) for document in report.documents]
    groups += [
        Group(f"{quote(file.file)}: {redirects_in_numbers(file, quote.word)}", _redirects(file, quote))
        for file in report.redirects
    ]
    tail = [f"Next: {command('urlset validate --format llm', urls[0])}"] if urls else []
    yield from Brief(head, groups, tail, "document", style.ascii_only).lines()


def _redirects(file: HostRedirects, quote: Quotes) -> Iterator[str]:
    for one in file.redirects:
        yield f"{quote(one.source)} to {quote(one.target)} ({one.status}), effect: {one.effect}"


def _title(document: InspectedDocument, quote: Quotes) -> str:
    facts = document.facts
    if not was_read(facts):
        return f"{quote(facts.get('url'))}: not read: {quote(facts.get('error'))}"
    noun = ("sitemap", "sitemaps") if facts.get("kind") == "sitemapindex" else ("URL", "URLs")
    kind = f"{facts.get('kind')}{'' if facts.get('complete') is not False else ', incomplete'}"
    return (
        f"{quote(facts.get('url'))}: {kind}, {quantity(number_of(facts, 'entries'), *noun)}, "
        f"{exact_size(number_of(facts, 'bytes'))}"
    )


def _details(document: InspectedDocument, quote: Quotes) -> Iterator[str]:
    facts = document.facts
    if not was_read(facts) or facts.get("kind") == "robots":
        return
    oldest, newest = facts.get("lastmod_oldest"), facts.get("lastmod_newest")
    if oldest is not None:
        missing = number_of(facts, "lastmod_missing")
        yield f"lastmod from {quote(oldest)} to {quote(newest)}, missing in {quantity(missing, 'entry', 'entries')}"
    if extensions := [quantity(number_of(facts, name), noun) for name, noun in EXTENSIONS.items() if facts.get(name)]:
        yield ", ".join(extensions)
    for anomaly in document.anomalies:
        yield f"line {anomaly.get('line')}: {anomaly.get('kind')}: {quote(anomaly.get('evidence') or '')}"
    for child in document.children:
        yield f"lists {quote(child.get('loc'))} on line {child.get('line')}"
