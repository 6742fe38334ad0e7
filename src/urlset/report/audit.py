"""How `audit` is shown: as text, as Markdown, and shortly for language models."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from urlset.model.ranking import rank_rules, to_start_with
from urlset.report.brief import Brief, command, quotes_for
from urlset.report.check import STATUS_ROLES
from urlset.report.for_agents import llms_words, twins_words
from urlset.report.formats import part
from urlset.report.llm import finding_groups, next_lines, state_lines
from urlset.report.markdown import render as finding_markdown
from urlset.report.pages import (
    first_of_each,
    headline,
    loss_of_files,
    page_groups,
    page_lines,
    sentence_on_pages,
    summary_lines,
)
from urlset.report.paint import Role
from urlset.report.rows import markdown_lines
from urlset.report.style import Style
from urlset.report.text import finding_lines, start_lines
from urlset.report.words import (
    limit_name,
    made_with,
    pages_command,
    rules_told_by,
    settings_of,
    shown_score,
    stored_run_line,
    them,
)
from urlset.rules.rule import Consequence, Severity
from urlset.text.safe import code_span, safe
from urlset.text.sizes import enumeration, inflect, quantity
from urlset.web.indexability import PageReason, phrase

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset.model.audit import (
        AgentAccess,
        AuditResult,
        Inventory,
        MediaCounts,
        PageCounts,
        Share,
    )
    from urlset.model.page_list import NotIndexable, PageVerdict
    from urlset.model.report import Report
    from urlset.report.brief import Quotes
    from urlset.report.paint import Paint

MAX_PAGES = 10
"""Pages that cannot be indexed to show, without `verbose`."""

MAX_SECTIONS = 3
"""Sections to name per crawler."""


def text(audited: AuditResult, style: Style = Style()) -> Iterator[str]:
    """Yield the findings, then the numbers on pages, images, crawlers, and the inventory."""
    paint = style.paint
    lacking = audited.not_indexable if audited.pages is not None else None
    if audited.pages is not None and lacking is not None:
        yield from _not_indexable(audited, audited.pages, lacking, style)
        yield ""
    yield from finding_lines(audited.report, style, lacking)
    if passes := _passes(audited, style):
        yield paint(passes, Role.FAINT)
    details = [*_details(audited, paint)]
    if details and details[0]:
        yield ""
    yield from details
    yield from start_lines(audited.report, paint)
    if (run_line := stored_run_line(audited)) is not None:
        yield ""
        if audited.earlier_run is not None:
            yield paint(f"Dates and content are compared with run {audited.earlier_run}.", Role.FAINT)
        yield paint(safe(run_line), Role.FAINT)


def _details(audited: AuditResult, paint: Paint) -> Iterator[str]:
    """Yield the numbers on pages, images, links, crawlers, and the inventory."""
    for site in audited.checks:
        verdict = paint(f"{site.status.value} {shown_score(site.score)} of 1", STATUS_ROLES[site.status])
        yield f"{paint('Sitemap check', Role.HEADING)}: {safe(site.origin)} {verdict}"
    if audited.pages is not None:
        yield from _pages(audited.pages, paint)
    if audited.media is not None:
        yield from _media(audited.media, paint)
    if audited.links is not None:
        yield from part("links.text")(audited.links, paint)
    if audited.llms is not None:
        yield f"{paint('llms.txt', Role.HEADING)}: {llms_words(audited.llms)}"
    if audited.twins is not None and audited.twins.has_any:
        yield f"{paint('Markdown', Role.HEADING)}: {twins_words(audited.twins)}"
    for check in audited.clients:
        yield ""
        yield from part("clients.client_lines")(check, paint)
    if audited.agents:
        yield ""
        yield from _agents(audited.agents, paint)
    if audited.inventory is not None:
        yield ""
        yield from _inventory(audited.inventory, paint)


def _pages(pages: PageCounts, paint: Paint) -> Iterator[str]:
    progress = f"fetched {pages.fetched:,} of {quantity(pages.listed, 'listed page')}"
    if blocked := pages.blocked - pages.robots_unreachable:
        progress += f", {blocked:,} blocked by robots.txt"
    if pages.robots_unreachable:
        progress += f", {pages.robots_unreachable:,} not requested, as robots.txt is unreachable"
    if pages.private:
        progress += f", {pages.private:,} on private addresses (use --allow-private to fetch {them(pages.private)})"
    if pages.outside:
        progress += f", {pages.outside:,} not below the base URL"
    if pages.undecided:
        progress += f", {pages.undecided:,} unknown (see the notes on rules of the host)"
    if pages.partial:
        progress += f", {pages.partial:,} read only in part"
    if pages.stopped_by is not None:
        progress += f", stopped at the {limit_name(pages.stopped_by)} limit"
    if pages.good.whole:
        # Pages outside of the directory are part of the share already.
        more = pages.unknown - pages.outside
        unknown = f"; unknown for {more:,} more" if more else ""
        yield f"{paint('Page health', Role.HEADING)}: {_health(pages.good)}{unknown}"
    if number := pages.indexable_redirected:
        verb = inflect(number, "URL redirects to a page that names", "URLs redirect to pages that name")
        yield f"  {number:,} of these {verb} {them(number)} as canonical: search engines index one of the two"
    yield f"{paint('Pages', Role.HEADING)}: {progress}"
    if pages.fetched:
        redirects = inflect(pages.redirected, "listed URL redirects", "listed URLs redirect")
        yield _responses(pages.statuses) + (f"; {pages.redirected:,} {redirects} first" if pages.redirected else "")


def _not_indexable(audited: AuditResult, pages: PageCounts, not_indexable: NotIndexable, style: Style) -> Iterator[str]:
    is_all = pages.checked == pages.listed
    if not not_indexable.counts:
        loss = loss_of_files(audited.report)
        yield style.paint(headline({}, pages.checked, is_all=is_all), Role.HEADING if loss else Role.GOOD)
        if loss:
            yield f"  but {loss}"
        return
    yield from summary_lines(
        not_indexable.counts,
        pages.checked,
        style.paint,
        is_all=is_all,
        settings=partial(settings_of, not_indexable),
        codes=rules_told_by(audited.report, not_indexable.counts),
    )
    if audited.report.pages_in_baseline:
        yield style.paint(f"  {audited.report.pages_in_baseline.capitalize()}.", Role.FAINT)
    yield from _first_to_fix(audited.report, not_indexable.counts, style)
    if not_indexable.systems:
        yield style.paint(f"  {safe(made_with(not_indexable.systems))}.", Role.FAINT)
    yield ""
    first_pages = not_indexable.pages if style.verbose else _some_of_each(not_indexable.pages)
    yield from page_lines(first_pages, style.paint, verbose=style.verbose)
    if remainder := not_indexable.total - len(first_pages):
        yield style.paint(
            f"  … and {remainder:,} more; {_where_all_are_listed(audited, verbose=style.verbose)}", Role.FAINT
        )


def _some_of_each(pages: Sequence[PageVerdict]) -> list[PageVerdict]:
    """Return the first pages, of each reason in turn."""
    seen: Counter[str | None] = Counter()
    turns = []
    for place, page in enumerate(pages):
        turns.append((seen[page.reason], place))
        seen[page.reason] += 1
    return [pages[place] for place in sorted(place for _, place in sorted(turns)[:MAX_PAGES])]


def _passes(audited: AuditResult, style: Style) -> str:
    """Return that the run passes although pages cannot be indexed, and how to make it fail; empty if neither holds."""
    report = audited.report
    is_unnoticed = (
        audited.pages is not None
        and audited.pages.not_indexable > 0
        and style.fail_on == Severity.ERROR
        and not report.fails(Severity.ERROR)
        and not report.unreadable
    )
    if not is_unnoticed or not report.fails(Severity.WARNING):
        return ""
    return "There are no errors, so the exit status is 0; `--fail-on warning` makes it 1."


def _first_to_fix(report: Report, counts: Mapping[str, int], style: Style) -> Iterator[str]:
    """Yield what to fix first if it matters more than these pages: what keeps sitemaps or entries from being read.

    Entries without a valid URL are pages of the table.
    """
    first = next(iter(to_start_with(rank_rules(report if style.shows_quiet else report.without_quiet()))), None)
    matters_more = {Consequence.FILE} if PageReason.INVALID_URL in counts else {Consequence.FILE, Consequence.ENTRIES}
    if first is not None and first.rule.consequence in matters_more:
        yield f"  Start with {first.rule.code}, which matters more: {first.reason or first.rule.message}"


def _where_all_are_listed(audited: AuditResult, *, verbose: bool) -> str:
    if audited.store is None:
        return "the report shows them" if verbose else "use -v to list them all"
    return f"list all with `{pages_command(audited.store)}`"


def _media(media: MediaCounts, paint: Paint) -> Iterator[str]:
    progress = f"fetched {media.fetched:,} of {quantity(media.selected - media.videos, 'listed image')}"
    if media.blocked:
        progress += f", {media.blocked:,} blocked by robots.txt or on private addresses"
    if media.videos:
        progress += f"; {quantity(media.videos, 'video')} checked against robots.txt only"
    if media.stopped_by is not None:
        progress += f"; stopped at the {limit_name(media.stopped_by)} limit"
    yield f"{paint('Images', Role.HEADING)}: {progress}"
    if media.fetched:
        yield _responses(media.statuses)


def _responses(statuses: Mapping[str, int]) -> str:
    return "  responses: " + ", ".join(f"{count:,} x {safe(status)}" for status, count in statuses.items())


def _health(share: Share) -> str:
    percent = 100 * share.part / share.whole
    verb = inflect(share.part, "is", "are")
    pages = quantity(share.whole, "listed page")
    whose = inflect(share.part, "its", "their")
    text = f"{share.part:,} of {pages} ({percent:.1f}%) {verb} indexable at {whose} listed URL"
    if share.low == share.high:
        return text
    interval = f"{100 * share.low:.1f}% to {100 * share.high:.1f}%"
    return f"{text}; estimate for all pages, if the others are like these: {interval} (95% confidence)"


def _agents(agents: tuple[AgentAccess, ...], paint: Paint) -> Iterator[str]:
    free = [access for access in agents if not access.blocked]
    names = ", ".join(access.agent.name for access in free)
    heading = paint("Crawlers", Role.HEADING)
    if len(free) == len(agents):
        listed = inflect(free[0].urls, "the listed URL", f"all {free[0].urls:,} listed URLs")
        yield f"{heading}: robots.txt allows {paint(listed, Role.GOOD)} to {names}"
        return
    if all(access.blocked == access.urls for access in agents):
        yield f"{heading}: robots.txt allows none of the listed URLs to any of {quantity(len(agents), 'crawler')}"
        return
    yield f"{heading}: listed URLs that robots.txt allows"
    closed = [access for access in agents if access.blocked]
    width = max(len(access.agent.name) for access in closed)
    number = max(len(f"{access.urls - access.blocked:,}") for access in closed)
    for access in closed:
        allowed = access.urls - access.blocked
        sections = [f"{safe(place)} ({count:,} of {urls:,})" for place, urls, count in access.sections[:MAX_SECTIONS]]
        more = f", and {len(access.sections) - len(sections):,} more" if len(access.sections) > len(sections) else ""
        blocked = f"  blocked: {', '.join(sections)}{more}" if sections and allowed else "  all blocked"
        role = Role.WARNING if allowed else Role.ERROR
        yield f"  {access.agent.name:{width}}  {paint(f'{allowed:>{number},}', role)} of {access.urls:,}{blocked}"
    if free:
        yield f"  {paint(f'all {free[0].urls:,}', Role.GOOD)}  {names}"


def _inventory(inventory: Inventory, paint: Paint) -> Iterator[str]:
    column = "" if inventory.column is None else f" in column {safe(inventory.column)!r}"
    skipped = f"; {quantity(inventory.skipped, 'row')} without an http(s) URL skipped" if inventory.skipped else ""
    yield f"{paint('Inventory', Role.HEADING)}: {quantity(inventory.known, 'URL')}{column}{skipped}"
    for count, words, examples in (
        (inventory.unlisted, "not in any sitemap", inventory.unlisted_examples),
        (inventory.unknown, "listed but not in the inventory", inventory.unknown_examples),
    ):
        yield f"  {count:,} {words}"
        yield from (f"    {safe(url)}" for url in examples)


REASON_SIZE = 150
"""Characters of a row of the table of reasons, at most."""

LONGEST_PAGES = 5_000
"""Maximum characters on the pages: together with the findings, they fit in a comment on GitHub."""


def markdown(audited: AuditResult, style: Style = Style()) -> Iterator[str]:
    """Yield the findings as Markdown, then the reasons and pages that are not indexable, as far as they fit."""
    yield from finding_markdown(audited.report, style)
    yield from _unindexable(audited, style)
    for check in audited.clients:
        yield ""
        yield from part("clients.markdown")(check, style)


def _unindexable(audited: AuditResult, style: Style) -> Iterator[str]:
    verdicts, pages = audited.not_indexable, audited.pages
    if verdicts is None or pages is None or not pages.checked:
        return
    yield ""
    yield f"**{sentence_on_pages(verdicts.counts, pages, audited.report)}**"
    if not verdicts.counts:
        return
    yield ""
    rows = (
        (count, PageReason(reason).words, _what_to_do(verdicts, reason)) for reason, count in verdicts.counts.items()
    )
    yield from markdown_lines(("pages", "reason", "what to do"), rows, right=("pages",))
    if passes := _passes(audited, style):
        yield ""
        yield passes
    yield ""
    used = REASON_SIZE * len(verdicts.counts)
    shown = 0
    for page in verdicts.pages:
        line = "" if page.line is None else f":{page.line}"
        row = (
            f"- {code_span(page.url)} {code_span(phrase(page.reason, page.value))} ({code_span(page.document + line)})"
        )
        used += len(row) + 1
        if used > LONGEST_PAGES:
            break
        shown += 1
        yield row
    if remainder := verdicts.total - shown:
        yield f"- … and {quantity(remainder, 'more page')}; `urlset pages` lists all"


def _what_to_do(pages: NotIndexable, reason: str) -> str:
    return " ".join([PageReason(reason).fix, *(f"{line[0].upper()}{line[1:]}." for line in settings_of(pages, reason))])


MAX_SITES = 3


def llm(audited: AuditResult, style: Style = Style()) -> Iterator[str]:
    """Yield a brief for language models: reasons of pages first, then findings that repeat none of them."""
    report = audited.report if style.shows_quiet else audited.report.without_quiet()
    quote = quotes_for(report.document_urls.values(), ascii_only=style.ascii_only)
    verdicts = audited.not_indexable
    counts = {} if verdicts is None else verdicts.counts
    told = rules_told_by(report, counts)
    settings = None if verdicts is None else partial(settings_of, verdicts)
    reasons = [] if verdicts is None else page_groups(counts, first_of_each(verdicts.pages), quote, told, settings)
    tail = list(next_lines(report))
    if audited.store is not None:
        store = str(audited.store)
        tail.append(f"Also: {command('urlset pages --format llm', store)} lists more pages; run {audited.run_id}.")
    groups = [*reasons, *finding_groups(report, quote, told)]
    head = [*quote.heading(), *state_lines(report, quote), *_numbers(audited, quote)]
    yield from Brief(head, groups, tail, "group", style.ascii_only).lines()


def _numbers(audited: AuditResult, quote: Quotes) -> Iterator[str]:
    for check in audited.checks[:MAX_SITES]:
        yield f"Sitemap check of {quote(check.origin)}: {check.status.value}, {shown_score(check.score)} of 1."
    pages = audited.pages
    if pages is not None:
        if audited.not_indexable is not None:
            yield f"Pages: {sentence_on_pages(audited.not_indexable.counts, pages, audited.report)}."
        statuses = ", ".join(f"{count:,} x {quote.word(status)}" for status, count in pages.statuses.items())
        yield f"Fetched {pages.fetched:,} of {quantity(pages.listed, 'page')}: {statuses or 'none'}."
    if audited.links is not None:
        yield part("links.brief")(audited.links)
    if audited.llms is not None:
        yield f"llms.txt: {llms_words(audited.llms)}."
    if audited.twins is not None and audited.twins.has_any:
        yield f"Markdown: {twins_words(audited.twins)}."
    blocked = [
        f"{access.agent.name} {access.blocked:,} of {access.urls:,}" for access in audited.agents if access.blocked
    ]
    if blocked:
        yield f"robots.txt blocks listed URLs for {enumeration(blocked)}."
