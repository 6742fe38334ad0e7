"""Render a single page of `audit`: as text, and briefly for language models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.brief import Brief, Group, quotes_for
from urlset.report.formats import part
from urlset.report.pages import MAX_URL
from urlset.report.paint import Role
from urlset.report.robots import quoted_verdicts, verdict_text
from urlset.report.style import Style
from urlset.rules.rule import Severity
from urlset.text.safe import safe, shorten
from urlset.text.sizes import quantity
from urlset.web.indexability import ROBOTS_UNREACHABLE, PageReason, phrase
from urlset.web.robots_txt import Availability

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from urlset.model.page_explanation import Listing, OtherPage, PageExplanation, StoredPage
    from urlset.model.page_list import PageVerdict
    from urlset.model.page_timeline import PageTimeline
    from urlset.model.url_facts import Place, UrlFacts
    from urlset.report.brief import Quotes
    from urlset.web.robots_txt import Verdict

MAX_LINES = 10
"""Rows of each kind to show without `verbose`."""

_IN_BODY = "canonical: "
"""How the canonical link begins in `pages.in_body`."""

_LINKS_BACK = {True: "links back", False: "does not link back", None: "unknown whether it links back"}

_NOT_BACK = "refers to this page, but this page does not refer back"

MAX_AGENTS = 5
"""Crawlers to show without `verbose` of those to which the same line applies."""


def text(page: PageExplanation, style: Style = Style()) -> Iterator[str]:
    lines = PageLines(style)
    role = Role.ERROR if page.fails else Role.WARNING if page.is_indexable is None or not page.is_listed else Role.GOOD
    yield style.paint(safe(page.url), Role.HEADING)
    verdict = page.verdict
    if page.value is not None and not style.verbose:
        verdict = verdict.replace(page.value, shorten(page.value, MAX_URL))
    yield f"  {style.paint(safe(verdict), role)}"
    if page.fix is not None:
        yield f"  fix: {safe(page.fix)}"
    for setting in page.settings:
        yield f"    - {setting.kind.words} in {setting.system}: {setting.where}"
    yield from lines.section("Sitemaps", lines.sitemaps(page))
    yield from lines.section("robots.txt", lines.robots(page))
    yield from lines.section("Response", lines.response(page))
    yield from lines.section("Languages", lines.languages(page))
    if page.stored is not None:
        yield from lines.section(_store_title(page.stored), lines.stored_lines(page.stored))
        if page.stored.timeline is not None:
            yield from lines.section("Timeline", lines.timeline(page.stored.timeline))
    yield from lines.section("Not known", (safe(item) for item in page.unknown))
    yield from lines.section("Notes", (safe(note) for note in page.notes))


def _store_title(stored: StoredPage) -> str:
    run = "no run on the site" if stored.run_id is None else f"run {stored.run_id}, {_day(stored.finished_at)}"
    return f"{safe(stored.store)} ({run})"


def _day(at: datetime | None) -> str:
    return "unknown" if at is None else f"{at:%Y-%m-%d}"


class PageLines:
    """The lines of each section of a page."""

    def __init__(self, style: Style) -> None:
        self._paint = style.paint
        self._verbose = style.verbose

    def section(self, title: str, lines: Iterator[str]) -> Iterator[str]:
        """Yield a heading and its lines, or nothing if there are none."""
        for number, line in enumerate(lines):
            if not number:
                yield ""
                yield self._paint(title, Role.HEADING)
            yield f"  {line}"

    def _examples(self, lines: list[str], total: int | None = None) -> Iterator[str]:
        first_lines = lines if self._verbose else lines[:MAX_LINES]
        yield from first_lines
        if more := (len(lines) if total is None else total) - len(first_lines):
            yield self._paint(f"and {more:,} more", Role.FAINT)

    def _url(self, url: str) -> str:
        return safe(url if self._verbose else shorten(url, MAX_URL))

    def sitemaps(self, page: PageExplanation, *, with_entries: bool = True) -> Iterator[str]:
        read = quantity(page.sitemaps, "sitemap")
        if page.listings:
            if with_entries:
                yield from self._examples([self._listing_line(listing) for listing in page.listings], page.entries)
        else:
            gist = "not listed" if page.is_listed is False else "not listed in what could be read"
            yield f"{gist} ({read} read)"
        for entry in page.similar if with_entries else ():
            yield f"a similar URL is listed: {self._url(entry.url)} in {self._place(entry)}"
        yield from self._examples([f"{self._url(gap.target)}: {safe(gap.reason)}" for gap in page.unread])

    def _listing_line(self, listing: Listing) -> str:
        lastmod = "no lastmod" if listing.lastmod is None else f"lastmod {safe(shorten(listing.lastmod, MAX_URL))}"
        return f"{self._place(listing)}  {lastmod}"

    def _place(self, listing: Listing) -> str:
        place = "".join(f":{number}" for number in (listing.line, listing.col) if number is not None)
        return f"{self._url(listing.document)}{place}"

    def robots(self, page: PageExplanation) -> Iterator[str]:
        """Yield the line that decides for each crawler."""
        if page.robots.availability is not Availability.READ:
            what = "does not exist" if page.robots.availability is Availability.UNAVAILABLE else "is unreachable"
            yield f"{self._url(page.robots.url or 'robots.txt')} {what}"
        agents: dict[Verdict, list[str]] = {}
        for agent, verdict in page.access.items():
            agents.setdefault(verdict, []).append(safe(agent))
        for verdict, names in agents.items():
            first_names = names if self._verbose else names[:MAX_AGENTS]
            more = f", and {len(names) - len(first_names)} more" if len(names) > len(first_names) else ""
            yield f"{verdict_text(verdict, self._paint)}: {', '.join(first_names)}{more}"

    def response(self, page: PageExplanation) -> Iterator[str]:
        """Yield status, redirects, and what the page says about itself."""
        row = page.page
        if row.get("blocked_by") not in (None, ROBOTS_UNREACHABLE):
            yield f"robots.txt blocks urlset: {safe(row['blocked_by'])}"
        for status, url in zip(row.get("hop_statuses") or (), row.get("hops") or (), strict=False):
            yield f"{status} to {self._url(url)}"
        if row.get("skipped") is not None:
            yield (
                "not requested, because its host has a private address"
                if row["skipped"] == "private"
                else "not requested"
            )
            return
        if row.get("status") is None:
            yield f"no response{': ' + safe(row['error']) if row.get('error') else ''}"
            return
        words = "" if row.get("words") is None else f", {quantity(row['words'], 'word')}"
        yield f"{row['status']} {safe(row.get('content_type') or 'without a Content-Type')}{words}"
        if row.get("error") is not None:
            yield safe(row["error"])
        if row.get("refresh_url"):
            yield f"meta refresh after {row.get('refresh_seconds') or 0:g} s: {self._url(row['refresh_url'])}"
        for name, values in (("meta", row.get("meta_robots")), ("X-Robots-Tag", row.get("x_robots"))):
            for value in values or ():
                yield f"{name}: {self._url(value)}"
        if not 200 <= row["status"] < 300:
            return
        if row.get("made_with"):
            yield f"made with: {safe('; '.join(row['made_with']))}"
        yield f"noindex: {self._noindex(row)}"
        yield f"canonical: {self._canonical(page)}"

    def _canonical(self, page: PageExplanation) -> str:
        if page.canonical is not None:
            return self._other_page(page.canonical)
        if page.page.get("canonical") is not None:
            return "the page itself"
        found = (one.removeprefix(_IN_BODY) for one in page.page.get("in_body") or () if one.startswith(_IN_BODY))
        in_body = next(found, None)
        return "none" if in_body is None else f"none in the head; in the body, ignored: {self._url(in_body)}"

    def _noindex(self, row: Mapping[str, Any]) -> str:
        if row.get("noindex"):
            return safe(row["noindex"])
        if row.get("body_noindex"):
            return f"none in the head; in the body, which Google reportedly obeys: {safe(row['body_noindex'])}"
        return "none"

    def languages(self, page: PageExplanation) -> Iterator[str]:
        """Yield the language versions, and whether they link back."""
        lines = []
        for version in page.versions:
            role = {True: Role.GOOD, False: Role.ERROR, None: Role.WARNING}[version.links_back]
            back = self._paint(_LINKS_BACK[version.links_back], role)
            codes, where = safe(", ".join(version.codes)), " and ".join(version.declared_by)
            lines.append(f"{codes}  {self._other_page(version)}  {back}  (in the {where})")
        yield from self._examples(lines)
        yield from self._examples([f"{self._url(url)} {_NOT_BACK}" for url in page.referring])

    def _other_page(self, version: OtherPage) -> str:
        if version.reason is None:
            return self._url(version.url) + (" (indexable)" if version.is_indexable else " (not requested)")
        why = phrase(version.reason, version.value)
        return f"{self._url(version.url)} ({safe(why if self._verbose else shorten(why, MAX_URL))})"

    def stored_lines(self, stored: StoredPage) -> Iterator[str]:
        if stored.run_id is not None:
            yield f"in this run: {safe(self._earlier_verdict(stored))}"
        if stored.links is not None:
            links = stored.links
            yield part("links.stored")(links)
            yield from (f"  {line}" for line in self._examples([self._url(url) for url in links.first], links.pages))
        if stored.crawls is not None:
            yield from part("logs.stored_requests")(stored.crawls)
        if stored.reports is not None:
            yield from part("coverage.stored_reports")(stored.reports, self._url)

    def timeline(self, timeline: PageTimeline) -> Iterator[str]:
        """Yield the events of the page, oldest first, and what followed its last change."""
        width = max((len(event.when) for event in timeline.events), default=0)
        for event in timeline.events:
            yield f"{event.when:{width}}  {safe(event.what)}  {self._paint(f'({safe(event.evidence)})', Role.FAINT)}"
        yield from (f"{safe(sentence)}." for sentence in timeline.waiting)

    def _earlier_verdict(self, stored: StoredPage) -> str:
        if not stored.was_checked:
            return "not checked"
        why = phrase(stored.reason, stored.value)
        return why if self._verbose else shorten(why, MAX_URL)


def explanation_for_models(page: PageExplanation, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of a page that was requested: the verdict, the fix, and the evidence."""
    quote = quotes_for([page.url], ascii_only=style.ascii_only)
    listed = {True: "a sitemap lists it", False: "no sitemap lists it", None: "unknown whether a sitemap lists it"}
    head = [*quote.heading(), f"{quote(page.url)}: {_standing(page, quote)}; {listed[page.is_listed]}"]
    if page.closed_to:
        head.append(f"robots.txt blocks {', '.join(map(quote.word, page.closed_to))}")
    if page.fix is not None:
        head.append(f"fix: {page.fix}")
    head += [f"{setting.kind.words} in {setting.system}: {setting.where}" for setting in page.settings]
    tail = [] if page.reason is None else [f"Next: `urlset explain {page.reason}`"]
    yield from Brief(head, list(_evidence(page, quote)), tail, "group", style.ascii_only).lines()


def _evidence(page: PageExplanation, quote: Quotes) -> Iterator[Group]:
    facts = {name: value for name, value in page.response.items() if value not in (None, (), [])}
    if facts:
        yield Group("response", (f"{name}: {_quoted(value, quote)}" for name, value in facts.items()))
    entries = [
        *(f"listed in {_place_of(entry, quote)}" for entry in page.listings),
        *(f"similar URL {quote(entry.url)} in {_place_of(entry, quote)}" for entry in page.similar),
        *(f"{quote(gap.target)} was not read: {quote(gap.reason)}" for gap in page.unread),
    ]
    yield Group(f"{quantity(page.sitemaps, 'sitemap')} read", entries)
    blocked = {agent: verdict for agent, verdict in page.access.items() if not verdict.allowed}
    yield Group(
        f"robots.txt {page.robots.availability}: {len(blocked)} of {quantity(len(page.access), 'crawler')} blocked",
        quoted_verdicts(blocked, page.robots, quote),
    )
    if page.versions or page.referring:
        versions = (
            f"{', '.join(map(quote, version.codes))}: {quote(version.url)}, {_LINKS_BACK[version.links_back]}"
            for version in page.versions
        )
        referring = (f"{quote(url)} {_NOT_BACK}" for url in page.referring)
        yield Group("language versions", (*versions, *referring))
    if page.stored is not None and page.stored.links is not None:
        links = page.stored.links
        yield Group(f"linked from {quantity(links.pages, 'page')}", map(quote, links.first))
    if page.unknown or page.notes:
        yield Group("not known, and notes", map(quote, (*page.unknown, *page.notes)))


def _place_of(entry: Listing | Place, quote: Quotes) -> str:
    lastmod = "no lastmod" if entry.lastmod is None else f"lastmod {quote(entry.lastmod, 40)}"
    return f"{quote.place(entry.document, entry.line)}, {lastmod}"


def _quoted(value: object, quote: Quotes) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_quoted(one, quote) for one in value)
    return f"{value}" if isinstance(value, int | float) else quote(value)


def llm(pages: Sequence[UrlFacts], style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the answer; the same path can exist on several hosts."""
    quote = quotes_for([page.url for page in pages], ascii_only=style.ascii_only)
    head = quote.heading()
    groups: list[Group] = []
    if not pages:
        head.append("No sitemap of the run lists this path, and no page that was read links to it.")
    for page in pages:
        head.append(f"{quote(page.url)} in run {page.run_id}: {_verdict(page, quote)}")
        head += [f"listed in {_place_of(place, quote)}" for place in page.places]
        groups += _groups(page, quote)
    codes = [finding.code for page in pages for finding in page.findings]
    tail = [f"Next: `urlset explain {codes[0]}`"] if codes and codes[0].isalnum() else []
    yield from Brief(head, groups, tail, "group", style.ascii_only).lines()


def _verdict(page: UrlFacts, quote: Quotes) -> str:
    if page.verdict is None:
        return "page not requested" if page.places else "listed in no sitemap"
    return _reason(page.verdict, quote)


def _reason(page: PageVerdict, quote: Quotes) -> str:
    fix = "" if page.reason is None else f"; fix: {PageReason(page.reason).fix}"
    return f"{_standing(page, quote)}{fix}"


def _standing(page: PageVerdict | PageExplanation, quote: Quotes) -> str:
    if page.reason is None:
        return "indexable"
    verdict = "not indexable" if PageReason(page.reason).is_known else "unknown whether indexable"
    value = "" if page.value is None else f": {quote(page.value)}"
    return f"{verdict}, {page.reason}{value}"


def _groups(page: UrlFacts, quote: Quotes) -> Iterator[Group]:
    if page.page:
        facts = (f"{name}: {value if isinstance(value, int) else quote(value)}" for name, value in page.page.items())
        yield Group("page", facts)
    order = [severity.value for severity in Severity]
    findings = sorted(page.findings, key=lambda finding: order.index(finding.severity))
    if findings:
        lines = (
            f"{quote.word(finding.code)} {finding.severity}: {quote(finding.message)} "
            f"in {quote.place(finding.document, finding.line)}"
            for finding in findings
        )
        yield Group("findings that name it", lines)
    if page.linked_from:
        yield Group(f"linked from {quantity(len(page.linked_from), 'page')}", map(quote, page.linked_from))
