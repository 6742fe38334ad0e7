"""Fetch one page, and return its row: whether it may be requested, by which method, and what it says."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import TYPE_CHECKING

from urlset.errors import Unreadable, internal_error
from urlset.fetch.reply import Reuse
from urlset.fetch.response import FetchError, Response
from urlset.hosting.not_pages import may_be_error_page, name_of_url
from urlset.net.origin import origin_of, origin_url
from urlset.net.reach import Reach
from urlset.net.urlparts import host_of, split_url
from urlset.options.probing import ProbeMethod
from urlset.probe.facts import OUTSIDE, PRIVATE, UNDECIDED, ProbeTarget, Row, row_of, skipped_row
from urlset.probe.heads import is_not_understood
from urlset.text.masking import mask_url
from urlset.web.html_page import charset_of, is_html
from urlset.web.indexability import ROBOTS_UNREACHABLE
from urlset.web.robots_txt import Availability, Robots
from urlset.web.systems import systems_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.fetch.client import Client
    from urlset.net.origin import Origin
    from urlset.net.trust import ServedFolder
    from urlset.options.probing import ProbingOptions
    from urlset.probe.media import MediaProbe
    from urlset.probe.readers import Readers
    from urlset.probe.usage import ProbeUsage
    from urlset.web.html_page import PageFacts

ACCEPT = "text/html, application/xhtml+xml, */*;q=0.5"

MAX_FAILURES = 10
"""Maximum number of pages to name that have no result because of an internal error. All are counted."""

NO_PAGE = (".pdf", ".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif", ".svg", ".zip", ".mp4", ".webm", ".mp3")
"""Endings of paths that are not HTML, for which HEAD is enough."""


class PageProbe:
    """Fetches pages, one at each call.

    Args:
        robots: robots.txt of origins where it is already known; others are fetched.
        media: How to fetch files, if the URLs are images and videos instead of pages.
        keeps_versions: Whether rows have the language versions of pages, as for `row_of`.
    """

    def __init__(
        self,
        options: ProbingOptions,
        usage: ProbeUsage,
        robots: Mapping[str, Robots],
        media: MediaProbe | None,
        readers: Readers,
        *,
        keeps_versions: bool = False,
    ) -> None:
        self._options = options
        self._usage = usage
        self._media = media
        self._readers = readers
        self._keeps_versions = keeps_versions
        self._known_robots = robots
        self._robots: dict[tuple[str, bool], Robots | asyncio.Future[Robots]] = {}
        self._private: set[tuple[str, bool]] = set()

    async def row(self, client: Client, target: ProbeTarget) -> Row:
        """Return the row of a page, also after an internal error."""
        try:
            return await self._row(client, target)
        except Exception as error:  # noqa: BLE001 - one page must not end the run
            return self._failure(target, internal_error(error))

    def _failure(self, target: ProbeTarget, reason: str) -> Row:
        self._usage.failed += 1
        if len(self._usage.failures) < MAX_FAILURES:
            self._usage.failures.append(Unreadable(mask_url(target.url), reason))
        return skipped_row(target, "internal-error") | {"error": reason}

    async def _row(self, client: Client, target: ProbeTarget) -> Row:
        blocked_by, of_robots = None, Row()
        if (folder := client.trust.folder) is not None and not folder.serves(target.url):
            return skipped_row(target, OUTSIDE)
        origin = origin_url(target.url)
        if origin:
            robots = await self._robots_of(client, origin, target.via)
            if self._private and (origin, _is_open(client, origin, target.via)) in self._private:
                return skipped_row(target, PRIVATE)
            blocked_by = _blocking_rule(robots, target.url, self._options.robots_agent)
            if self._media is not None:
                of_robots = self._media.robots_row(robots, target)
        if blocked_by is not None and not self._options.ask_forbidden:
            self._usage.forbidden += 1
            return skipped_row(target, "robots", blocked_by, robots.problem) | of_robots
        self._usage.pages += 1
        row = await (self._request(client, target) if self._media is None else self._request_media(client, target))
        row["blocked_by"] = blocked_by
        if folder is not None and row.get("error_kind") == FetchError.UNDECIDED:
            # Not the outcome of a request: nothing is known of the page.
            row |= {"skipped": UNDECIDED, "error_kind": None}
            folder.record_unknown(target.url, str(row["error"]))
        return row | of_robots

    async def _request_media(self, client: Client, target: ProbeTarget) -> Row:
        assert self._media is not None
        row = await self._media.ask(client, target)
        self._usage.bytes += row.pop("received", 0)
        return row

    async def _request(self, client: Client, target: ProbeTarget) -> Row:
        of_head: Row = {}
        if self._by_head(target.url):
            # GET follows if HEAD fails, so HEAD needs no retries.
            answer = await client.head(target.url, via=target.via, retries=0)
            if not self._needs_get(answer):
                return row_of(target, "HEAD", answer, None)
            of_head = {"head_status": answer.status, "head_error_kind": answer.error_kind}
        max_bytes = self._options.max_page_bytes
        answer = await client.get(target.url, via=target.via, accept=ACCEPT, max_bytes=max_bytes, reuse=Reuse.RUN)
        try:
            self._usage.bytes += answer.wire_bytes
            page, made_with = await self._read(answer, client.trust.folder)
            is_error_page = None if page is None else _is_error_page(client.trust.folder, answer.final_url, page)
            # What a redirect leads to may be on another site.
            is_own = host_of(answer.final_url) == host_of(target.url)
            row = row_of(
                target,
                "GET",
                answer,
                page,
                keeps_versions=self._keeps_versions,
                is_error_page=is_error_page,
                made_with=made_with if is_own else (),
            )
            if client.trust.previews and row.get("canonical") is not None:
                row["canonical_is_preview"] = client.trust.is_on_preview(str(row["canonical"]))
        finally:
            answer.close()
        return row | of_head

    async def _read(self, answer: Response, folder: ServedFolder | None) -> tuple[PageFacts | None, Sequence[str]]:
        """Return the facts of a page, None if it is not HTML, and the systems that made it."""
        content_type = answer.headers.get("content-type")
        if answer.content is None or answer.status is None or not is_html(content_type):
            return None, ()
        content = answer.content
        data = content if isinstance(content, bytes) else content.read(self._options.max_page_bytes)
        # An error page stands in for any URL: what it links to says nothing of this one.
        reads_links = self._options.reads_links and 200 <= answer.status <= 299
        if reads_links and folder is not None and folder.is_of_origin(answer.final_url):
            reads_links = not folder.answer(answer.final_url).is_repeated
        url = answer.final_url if reads_links else None
        facts = await self._readers.read(data, charset_of(content_type), url)
        return facts, systems_of(data, answer.headers, answer.final_url)

    def _by_head(self, url: str) -> bool:
        match self._options.method:
            case ProbeMethod.HEAD:
                return True
            case ProbeMethod.GET:
                return False
            case _:
                return url.partition("?")[0].lower().endswith(NO_PAGE)

    def _needs_get(self, answer: Response) -> bool:
        """Return whether GET must follow HEAD: HEAD failed, or the response is HTML to read."""
        if answer.error_kind is not None or is_not_understood(answer):
            return is_not_understood(answer)
        content_type = answer.headers.get("content-type")
        return self._options.method is ProbeMethod.AUTO and content_type is not None and is_html(content_type)

    async def _robots_of(self, client: Client, origin: str, via: Origin | None) -> Robots:
        if (earlier := self._known_robots.get(origin)) is not None:
            return earlier
        # robots.txt may be blocked for links of a public document, but not for a target of the user.
        key = origin, _is_open(client, origin, via)
        entry = self._robots.get(key)
        if isinstance(entry, Robots):
            return entry
        if entry is not None:
            return await asyncio.shield(entry)
        if client.trust.folder is not None:
            # Nothing waits in a directory, so no other worker asks meanwhile.
            robots, _ = await _read_robots(client, origin, via)
            self._robots[key] = robots
            return robots
        self._robots[key] = coming = asyncio.get_running_loop().create_future()
        try:
            robots, error_kind = await _read_robots(client, origin, via)
        except BaseException as error:
            # Do not leave other workers waiting forever.
            del self._robots[key]
            if isinstance(error, asyncio.CancelledError):
                coming.cancel()
            else:
                coming.set_exception(error)
                coming.exception()  # If nothing waits for it, asyncio would report it as never retrieved.
            raise
        if error_kind is FetchError.PRIVATE_ADDRESS:
            self._private.add(key)
        self._robots[key] = robots
        coming.set_result(robots)
        return robots


def _is_error_page(folder: ServedFolder | None, url: str, page: PageFacts) -> bool | None:
    if folder is None:
        return may_be_error_page(name_of_url(split_url(url).path), page.title)
    return folder.is_error_page(url)


_parsed = lru_cache(maxsize=1024)(origin_of)


async def _read_robots(client: Client, origin: str, via: Origin | None) -> tuple[Robots, FetchError | None]:
    """Return the robots.txt of an origin, and why its response is not complete."""
    url = f"{origin}/robots.txt"
    answer = await client.get(url, via=via, accept="text/plain, */*;q=0.5", reuse=Reuse.RUN)
    robots = answer.robots(url)
    answer.close()
    return robots, answer.error_kind


def _is_open(client: Client, origin: str, via: Origin | None) -> bool:
    """Return whether an origin may be private for the origin that led there."""
    parsed = _parsed(origin)
    return parsed is not None and client.trust.limit(parsed, via) is not Reach.PUBLIC


def _blocking_rule(robots: Robots, url: str, agent: str) -> str | None:
    """Return the rule that blocks a page for an agent, as text; None if it is allowed."""
    verdict = robots.verdict(agent, url)
    if verdict.allowed:
        return None
    if robots.availability is Availability.UNREACHABLE:
        return ROBOTS_UNREACHABLE
    return f"line {verdict.line}: {verdict.pattern}"
