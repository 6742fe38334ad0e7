"""Text report of `discover`: each sitemap and how it was found, then the candidates that are not sitemaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.discovery import FoundBy, KeyWay
from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.report.words import them
from urlset.text.safe import safe
from urlset.text.sizes import exact_size, quantity
from urlset.web.llms_txt import ABOUT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.discovery import Candidate, Discovery, Find, LlmsFile, VisitedPage

WAYS = {
    FoundBy.GIVEN: "given",
    FoundBy.ROBOTS: "robots.txt",
    FoundBy.WELL_KNOWN: "well-known path",
    FoundBy.HTML_LINK: "link element on the home page",
    FoundBy.HTTP_HEADER: "Link header of the home page",
    FoundBy.INDEX: "index",
}

MAX_FAULTS = 3
"""Maximum number of problems of llms.txt to show without --verbose."""

KEY_WAYS = {
    KeyWay.ROBOTS: "robots.txt",
    KeyWay.LINK: "link element on the home page",
    KeyWay.META: "meta element on the home page",
}


def render(discoveries: Sequence[Discovery], style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the result, with an empty line between sites."""
    for number, discovery in enumerate(discoveries):
        if number:
            yield ""
        yield from _site(discovery, style)


def _site(discovery: Discovery, style: Style) -> Iterator[str]:
    count = len(discovery.candidates)
    yield f"{style.paint(safe(discovery.origin), Role.HEADING)}: {_verdict(discovery, style)}"
    for candidate in discovery.candidates:
        redirect = "" if candidate.moved_to is None else f", redirects to {safe(candidate.moved_to)}"
        yield f"  {style.paint(safe(candidate.url), Role.PLACE)}{redirect}"
        yield f"    {_facts(candidate)}"
        yield f"    found by: {'; '.join(_way(find) for find in candidate.finds)}"
    for hint in discovery.keys:
        line = f" line {hint.line}" if hint.line is not None else ""
        place = safe(hint.url) if hint.url is not None else f"{safe(hint.written)} (not an http or https URL)"
        yield f"  IndexNow key file: {place}"
        yield f"    declared by: {KEY_WAYS[hint.way]}{line}"
    if discovery.llms is not None:
        yield from _llms(discovery.llms, style)
    for note in discovery.notes:
        yield style.paint(f"  note: {safe(note)}", Role.FAINT)
    if discovery.unreachable is not None:
        return
    declared = [source for source in discovery.tried if source.is_declared]
    candidates = discovery.tried if style.verbose else declared
    for page, name in ((discovery.robots, "robots.txt"), (discovery.home, "the home page")):
        if page is not None and (style.verbose or (page.reason is not None and not count)):
            yield style.paint(f"  {name}: {_page(page)}", Role.FAINT)
    if candidates:
        yield "  not a sitemap:" if style.verbose else "  declared, but not a sitemap:"
    for candidate in candidates:
        yield f"    {safe(candidate.url)}: {safe(candidate.why_not or '')} ({_way(candidate.finds[0])})"
    if not style.verbose and (guesses := len(discovery.tried) - len(declared)) and not count:
        tried = quantity(guesses, "well-known path")
        yield style.paint(f"  tried {tried} without success; use -v to list {them(guesses)}", Role.FAINT)


def _llms(file: LlmsFile, style: Style) -> Iterator[str]:
    text = file.text
    yield f"  llms.txt: {safe(file.url)} (a convention; no search engine promises to read it)"
    sections, links = quantity(len(text.sections), "section"), quantity(len(text.links), "link")
    yield f"    {safe(text.title or 'no title')}: {sections}, {links}"
    for fault in text.faults if style.verbose else text.faults[:MAX_FAULTS]:
        line = "" if fault.line is None else f"line {fault.line}: "
        evidence = f": {safe(fault.evidence)}" if fault.evidence else ""
        yield style.paint(f"    {line}{ABOUT[fault.problem]}{evidence}", Role.WARNING)
    if not style.verbose and (more := len(text.faults) - MAX_FAULTS) > 0:
        yield style.paint(
            f"    and {quantity(more, 'more problem', 'more problems')}; use -v to list {them(more)}", Role.FAINT
        )


def _verdict(discovery: Discovery, style: Style) -> str:
    if discovery.unreachable is not None:
        return style.paint(f"unreachable: {safe(discovery.unreachable)}", Role.ERROR)
    if discovery.refused is not None:
        return style.paint(f"unknown whether there is a sitemap: {safe(discovery.refused)}", Role.ERROR)
    if not discovery.candidates:
        return style.paint("no sitemap found", Role.ERROR)
    return style.paint(quantity(len(discovery.candidates), "sitemap"), Role.GOOD)


def _facts(candidate: Candidate) -> str:
    noun = "child sitemap" if candidate.kind == "sitemapindex" else "URL"
    parts = [f"HTTP {candidate.status}", candidate.kind or "unknown", quantity(candidate.entries or 0, noun)]
    return ", ".join((*parts, exact_size(candidate.bytes or 0)))


def _way(find: Find) -> str:
    line = f" line {find.line}" if find.line is not None else ""
    written = f", written as {safe(find.written)}" if find.written is not None else ""
    through = f" via {safe(find.url)}" if find.url is not None else ""
    return f"{WAYS[find.way]}{line}{written}{through}"


def _page(page: VisitedPage) -> str:
    if page.reason is not None:
        return safe(page.reason)
    return f"HTTP {page.status}, declares {quantity(page.named, 'sitemap')}"
