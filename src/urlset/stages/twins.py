"""Request the Markdown twins of the listed pages, compare each with its page, and store the results in `twins`."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from urlset import _core
from urlset.errors import Unreadable, internal_error
from urlset.fetch import read_bytes
from urlset.fetch.reply import Reuse
from urlset.net.origin import origin_of, origin_url
from urlset.probe.directives import directives_of
from urlset.sources.sitemap_links import link_values
from urlset.stages.site_files import may_request
from urlset.store.site_files import listed_among
from urlset.store.twins import count_twins, pages_for_twins
from urlset.tables import TWINS
from urlset.text.masking import mask_url
from urlset.text.sizes import quantity
from urlset.web.html_page import charset_of, is_html, read_text
from urlset.web.llms_txt import is_html as starts_as_html
from urlset.web.markdown_twin import MAX_HEADINGS, conventional, difference, form_of, read_markdown, words_of
from urlset.web.samples import evenly_spaced

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from urlset.fetch.client import Client
    from urlset.fetch.fetcher import Fetcher
    from urlset.fetch.response import Response
    from urlset.model.audit import TwinCounts
    from urlset.options.auditing import AuditOptions
    from urlset.store.file import Store
    from urlset.store.run import Run
    from urlset.store.twins import TwinPage
    from urlset.web.markdown_twin import Difference, MarkdownText
    from urlset.web.robots_txt import Robots

TRIAL_PAGES = 20
"""Number of pages without a declared twin for which twins are requested by name at first."""

NEGOTIATED_PAGES = 5
"""Number of pages to request with `Accept: text/markdown`."""

MAX_TWINS = 10_000
"""Maximum number of twins to request."""

MAX_COMPARED = 2_000
"""Maximum number of twins to compare with their pages. On a server, this may request their pages again."""

AT_ONCE = 64
"""Maximum number of requests that wait for their turn at a host."""

SAME_TEXT = 0.5
"""Maximum share of the words of a page that a file found by its name may lack to count as its twin."""

FURNITURE = 0.3
"""Minimum share of twins that lack a word for it to count as part of the page template, not of the content."""

ACCEPT = "text/markdown, text/plain;q=0.9, */*;q=0.5"


@dataclass
class CheckedTwins:
    """The results of a check: counts, notes on what was left out, and twins without a result."""

    counts: TwinCounts | None = None
    notes: tuple[str, ...] = ()
    failures: tuple[Unreadable, ...] = ()


@dataclass
class _Twin:
    """A twin, or a file that may be one, and its row.

    Attributes:
        difference: What it lacks of its page; None if they were not compared.
    """

    page: TwinPage
    url: str | None
    row: dict[str, Any] = field(default_factory=dict)
    difference: Difference | None = None

    @property
    def form(self) -> str:
        return "" if self.url is None else form_of(self.page.url, self.url)

    @property
    def is_found(self) -> bool:
        """Whether a file was found that is a twin of the page, judging by its text."""
        status = self.row.get("status")
        if status is None or not 200 <= status < 300 or self.row.get("is_html") or not self.row.get("words"):
            return False
        lacks = self.difference
        return lacks is not None and lacks.lacking <= SAME_TEXT * lacks.words


def check_twins(
    store: Store, run: Run, robots: Mapping[str, Robots], options: AuditOptions, fetcher: Fetcher
) -> CheckedTwins:
    """Check the Markdown twins of the listed pages that were fetched.

    Declared twins are requested. Others are requested by name, first for 20 pages, and then for all pages in the forms
    that were found.

    Args:
        robots: Every robots.txt that is known, by origin.
    """
    if not options.pages:
        return CheckedTwins()
    pages = pages_for_twins(store, run.run_id)
    if not pages:
        return CheckedTwins()
    check = _Check(robots, options, fetcher)
    declared = [_Twin(page, page.twin) for page in pages if page.twin is not None][:MAX_TWINS]
    check.request(declared)
    others = [page for page in pages if page.twin is None]
    found = check.find_by_name(others, MAX_TWINS - len(declared))
    twins = {twin.page.url: twin for twin in (*declared, *found)}
    if fetcher.client.trust.folder is None:
        check.negotiate(pages, twins)
    rows = _rows(list(twins.values()), store, run, robots, options, has_headers=fetcher.client.trust.folder is None)
    run.add_rows(TWINS.name, rows)
    run.commit()
    notes = []
    if left := sum(page.twin is not None for page in pages) - len(declared) + check.left_out:
        notes.append(f"{quantity(left, 'Markdown twin')} beyond the first {MAX_TWINS:,} not requested")
    counts = count_twins(store, run.run_id)
    if counts.compared < counts.with_twin:
        notes.append(f"{counts.compared:,} of {quantity(counts.with_twin, 'Markdown twin')} compared with the page")
    if outside := sum(twin.row.get("skipped") == "outside" for twin in declared):
        notes.append(f"{quantity(outside, 'Markdown twin')} outside of the site not requested")
    differences = [twin.difference for twin in twins.values() if twin.difference is not None]
    if uncompared := sum(each.uncompared_headings for each in differences):
        beyond = f"beyond the first {MAX_HEADINGS:,} of a page or twin"
        notes.append(f"{quantity(uncompared, 'heading')} {beyond} not compared")
    return CheckedTwins(counts, tuple(notes), tuple(check.failures))


@dataclass
class _Check:
    """Requests twins and their pages."""

    robots: Mapping[str, Robots]
    options: AuditOptions
    fetcher: Fetcher
    failures: list[Unreadable] = field(default_factory=list)
    compared: int = 0
    left_out: int = 0

    def request(self, twins: Sequence[_Twin]) -> None:
        """Fill the rows of twins."""

        async def work(client: Client) -> None:
            turns = asyncio.Semaphore(AT_ONCE)
            await asyncio.gather(*(self._request(client, twin, turns) for twin in twins))

        self.fetcher.run(work)

    def find_by_name(self, pages: Sequence[TwinPage], limit: int) -> list[_Twin]:
        """Return the twins of pages that declare none."""
        listed = {page.url for page in pages}
        trial = _trial(pages)
        tried = self._candidates(trial, listed, None)
        self.request(tried)
        forms = {twin.form for twin in tried if twin.is_found}
        if not forms:
            return []
        done = {page.url for page in trial}
        more = self._candidates([page for page in pages if page.url not in done], listed, forms)
        self.left_out += max(0, len(more) - limit)
        more = more[:limit]
        self.request(more)
        there = [twin for twin in (*tried, *more) if twin.form in forms and _is_there(twin)]
        # The first form of a page that is its twin counts, else the first file.
        best: dict[str, _Twin] = {}
        for twin in sorted(there, key=lambda twin: not twin.is_found):
            best.setdefault(twin.page.url, twin)
        return list(best.values())

    def _candidates(self, pages: Sequence[TwinPage], listed: set[str], forms: set[str] | None) -> list[_Twin]:
        candidates = [_Twin(page, url) for page in pages for url in conventional(page.url) if url not in listed]
        return [twin for twin in candidates if forms is None or twin.form in forms]

    def negotiate(self, pages: Sequence[TwinPage], twins: dict[str, _Twin]) -> None:
        """Request some pages as Markdown, and add what they answer to their twins."""
        sample = [page for page in evenly_spaced(pages, NEGOTIATED_PAGES) if self._may_request(page.url)]

        async def work(client: Client) -> None:
            await asyncio.gather(*(self._negotiate(client, page, twins) for page in sample))

        self.fetcher.run(work)

    async def _negotiate(self, client: Client, page: TwinPage, twins: dict[str, _Twin]) -> None:
        answer = await client.get(
            page.url, via=origin_of(page.url), accept="text/markdown", max_bytes=self.options.max_page_bytes, retries=0,
            reuse=Reuse.NONE,
        )  # fmt: skip
        answer.close()
        twin = twins.setdefault(page.url, _Twin(page, None))
        twin.row |= {
            "negotiated_status": answer.status,
            "negotiated_type": answer.headers.get("content-type"),
            "vary": answer.headers.get("vary"),
        }

    def _may_request(self, url: str) -> bool:
        robots = self.robots.get(origin_url(url))
        return robots is not None and may_request(robots, url, self.options)

    async def _request(self, client: Client, twin: _Twin, turns: asyncio.Semaphore) -> None:
        assert twin.url is not None
        async with turns:
            try:
                await self._fill(client, twin, twin.url)
            except Exception as error:  # noqa: BLE001 - one twin must not end the run
                twin.row["skipped"] = "internal-error"
                self.failures.append(Unreadable(mask_url(twin.url), internal_error(error)))

    async def _fill(self, client: Client, twin: _Twin, url: str) -> None:
        folder = client.trust.folder
        if origin_url(url) not in self.robots if folder is None else not folder.serves(url):
            twin.row["skipped"] = "outside"
            return
        if origin_url(url) in self.robots and not self._may_request(url):
            twin.row["skipped"] = "robots"
            return
        is_page = _core.page_key(url) == _core.page_key(twin.page.url) and "#" not in url
        if is_page and folder is not None:
            # Its host may negotiate, which nothing in the directory says.
            twin.row["skipped"] = "negotiated"
            return
        max_bytes = self.options.max_page_bytes
        # The reply that is kept for the URL of the page is the one for browsers.
        reuse = Reuse.NONE if is_page else Reuse.RUN
        answer = await client.get(
            url, via=origin_of(twin.page.url), accept=ACCEPT, max_bytes=max_bytes, retries=0, reuse=reuse
        )
        content = _content(answer, max_bytes)
        twin.row |= _facts(answer, content)
        if content is None or twin.row["is_html"]:
            return
        # In threads: texts take long to read and to compare, and other requests must not wait for them.
        read, twin.row["words"] = await asyncio.to_thread(_read, content)
        if twin.row["words"] == 0 or self.compared >= MAX_COMPARED:
            return
        page = await client.get(
            twin.page.url, via=origin_of(twin.page.url), max_bytes=max_bytes, retries=0, reuse=Reuse.RUN
        )
        html = _content(page, max_bytes)
        if html is None or not is_html(page.headers.get("content-type")) or answer.error_kind is not None:
            return
        if page.error_kind is None:
            charset = charset_of(page.headers.get("content-type"))
            twin.difference = await asyncio.to_thread(_compare, html, charset, read)
            self.compared += twin.difference is not None


def _read(content: bytes) -> tuple[MarkdownText, int]:
    """Return the text of a twin, and its number of words."""
    read = read_markdown(content)
    return read, len(words_of(read.text))


def _compare(html: bytes, charset: str | None, twin: MarkdownText) -> Difference | None:
    """Return what a twin lacks of its page; None if the page cannot be read completely."""
    text = read_text(html, charset=charset)
    return difference(text.text, text.headings, twin) if text.complete else None


def _content(answer: Response, max_bytes: int) -> bytes | None:
    """Return the body of a successful response, and close it."""
    try:
        if not answer.is_success or answer.content is None:
            return None
        return read_bytes(answer.content, max_bytes)
    finally:
        answer.close()


def _facts(answer: Response, content: bytes | None) -> dict[str, Any]:
    content_type = answer.headers.get("content-type")
    says_html = content_type is not None and is_html(content_type)
    return {
        "status": answer.status,
        "error_kind": answer.error_kind,
        "error": answer.reason,
        "final_url": answer.final_url,
        "content_type": content_type,
        "is_html": None if content is None else says_html or starts_as_html(content),
        "noindex": directives_of((), answer.headers.get("x-robots-tag")).noindex,
        "canonical": next((target for target, _ in link_values(answer.headers.get("link", ""), "canonical")), None),
    }


def _is_there(twin: _Twin) -> bool:
    status = twin.row.get("status")
    return status is not None and 200 <= status < 300 and not twin.row.get("is_html")


def _trial(pages: Sequence[TwinPage]) -> list[TwinPage]:
    """Return pages to try: the first of each form of URL, then others, spaced evenly."""
    first = {len(conventional(page.url)): page for page in reversed(pages)}
    chosen = {page.url: page for page in (*first.values(), *evenly_spaced(pages, TRIAL_PAGES))}
    return list(chosen.values())[:TRIAL_PAGES]


def _rows(
    twins: Sequence[_Twin],
    store: Store,
    run: Run,
    robots: Mapping[str, Robots],
    options: AuditOptions,
    *,
    has_headers: bool,
) -> list[dict[str, object]]:
    listed = listed_among(store, run.run_id, {twin.url for twin in twins if twin.url is not None})
    differences = [twin.difference for twin in twins if twin.difference is not None]
    frame_words = _frame(each.missing_words for each in differences)
    frame_headings = _frame((frozenset(each.missing_headings) for each in differences), least=2)
    pages_by_title = _pages_by_title(twins)
    rows = []
    for twin in twins:
        page = twin.page
        row: dict[str, object] = {
            "document_id": page.document_id,
            "ordinal": page.ordinal,
            "line": page.line,
            "col": page.col,
            "url": page.url,
            "twin": twin.url,
            "declared_by": page.declared_by,
            "form": twin.form or None,
            "is_listed": twin.url in listed,
            "has_headers": has_headers,
            **twin.row,
        }
        if twin.url is not None:
            row["blocked_for"] = _blocked_for(robots, page.url, twin.url, options.agents) or None
        if (lacks := twin.difference) is not None:
            missing = [heading for heading in lacks.missing_headings if heading not in frame_headings]
            row |= {
                "page_words": lacks.words,
                "missing_words": lacks.lacking - len(lacks.missing_words & frame_words),
                "headings": lacks.headings,
                "missing_headings": len(missing),
                "missing_heading": missing[0][:200] if missing else None,
                "has_title": lacks.has_title,
                "other_page": _other_page(lacks, pages_by_title),
            }
        rows.append(row)
    return rows


def _pages_by_title(twins: Iterable[_Twin]) -> dict[tuple[str, ...], str | None]:
    """Return the pages by the words of their first headings; None for several pages with the same one."""
    pages: dict[tuple[str, ...], str | None] = {}
    for twin in twins:
        if twin.difference is not None and (title := twin.difference.title):
            pages[title] = None if title in pages else twin.page.url
    return pages


def _other_page(lacks: Difference, pages_by_title: Mapping[tuple[str, ...], str | None]) -> str | None:
    """Return the page whose title a twin has, if it lacks the title and much of the text of its own page."""
    lacks_much = 2 * len(lacks.missing_headings) >= lacks.headings or 4 * lacks.lacking >= lacks.words
    return pages_by_title.get(lacks.twin_title) if lacks_much and not lacks.has_title else None


def _frame(missing: Iterable[frozenset[str]], least: int = 3) -> frozenset[str]:
    """Return the words that enough twins lack to count as part of the page template."""
    counts: Counter[str] = Counter()
    total = 0
    for each in missing:
        counts.update(each)
        total += 1
    return frozenset(word for word, count in counts.items() if count >= max(least, FURNITURE * total))


def _blocked_for(robots: Mapping[str, Robots], page: str, twin: str, agents: Sequence[str]) -> list[str]:
    """Return the crawlers that may request a page, but not its twin."""
    of_page, of_twin = robots.get(origin_url(page)), robots.get(origin_url(twin))
    if of_twin is None or of_page is None:
        return []
    return [agent for agent in agents if of_page.is_allowed(agent, page) and not of_twin.is_allowed(agent, twin)]
