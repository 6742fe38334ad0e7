"""`discover`: from an origin to its sitemaps. Searches robots.txt, the well-known paths, and the home page, in order.

Every successful response is read like any other document, and its content decides: a "not found" page with status 200
is not a sitemap. A sitemap that is found in several ways, or at several URLs that redirect to the same one, is a single
candidate.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import Struct, field, structs

from urlset.errors import internal_error
from urlset.fetch import read_bytes
from urlset.fetch.reply import Reuse
from urlset.fetch.response import MAX_ROBOTS_BYTES, FetchError
from urlset.indexnow.declared import MAX_KEYS, keys_of_page, keys_of_robots
from urlset.model.discovery import Candidate, Discovery, Find, FoundBy, VisitedPage
from urlset.net.origin import origin_of
from urlset.options.verbs import ReadOptions
from urlset.sources import is_url
from urlset.sources.sitemap_links import links_of_header, sitemap_links
from urlset.sources.user_origin import SiteOrigin, parse_origin
from urlset.sources.well_known import CHECKED, WELL_KNOWN, WellKnownPath, paths_of
from urlset.stages.candidates import OVERLOADED, Candidates
from urlset.stages.site_files import find_llms
from urlset.web.html_page import charset_of, read_page
from urlset.web.robots_txt import Robots

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from urlset.fetch.client import Client
    from urlset.fetch.response import Response
    from urlset.model.discovery import KeyHint, LlmsFile
    from urlset.net.origin import Origin

MAX_HOME_BYTES = 4 * 1024 * 1024
"""Maximum bytes to read of a home page; the links are in its head."""

NO_WAY_IN = frozenset(
    {
        FetchError.BAD_URL, FetchError.PRIVATE_ADDRESS, FetchError.DNS, FetchError.REFUSED, FetchError.UNREACHABLE,
        FetchError.PROXY, FetchError.CONNECT_TIMEOUT, FetchError.TLS,
    }
)  # fmt: skip
"""Errors that, if they prevent fetching robots.txt, also apply to everything else on the host."""

MAYBE_HTTP = frozenset({FetchError.REFUSED, FetchError.UNREACHABLE, FetchError.CONNECT_TIMEOUT})
"""Errors after which http is tried if the target has no scheme. An invalid certificate is not among them."""


class SearchPlan(Struct, frozen=True, kw_only=True):
    """The places of a site to search for sitemaps.

    Attributes:
        paths: Well-known paths to request, with a leading slash; None for all of `sources.well_known`.
        more_paths: Additional paths, which are requested first.
        fetches_home: Whether to search the home page for links, and its directory for well-known paths.
        only_full_urls: Whether a `Sitemap:` line only counts if it is an absolute URL, as the standard requires.
        requests_declared: Whether to request sitemaps that the site declares; if not, they count as found.
        max_candidates: Maximum number of URLs to request; further URLs are listed as not requested.
    """

    paths: tuple[str, ...] | None = None
    more_paths: tuple[str, ...] = ()
    fetches_home: bool = True
    only_full_urls: bool = False
    requests_declared: bool = True
    fetches_llms: bool = False
    max_candidates: int = 1_000


class Discovered(Discovery, frozen=True, kw_only=True):
    """A `Discovery` with the responses that it is based on, for further processing. Must be closed.

    Attributes:
        robots_txt: The parsed robots.txt; None if it does not exist.
        robots_answer: The response for robots.txt; None if it could not be requested.
        answers: Responses by URL of the candidate; large responses may be missing.
    """

    robots_txt: Robots | None = None
    robots_answer: Response | None = None
    answers: Mapping[str, Response] = field(default_factory=dict)

    def without_responses(self) -> Discovery:
        """The result without the responses."""
        return Discovery(**{name: getattr(self, name) for name in Discovery.__struct_fields__})

    def via(self, candidate: Candidate) -> Origin | None:
        """Return the origin of the document that declares a candidate; None if the user's target led to it directly."""
        return _via(candidate.found_by, self.robots, self.home)

    def close(self) -> None:
        """Close the temporary files of large responses."""
        for answer in self.answers.values():
            answer.close()


async def discover(
    origin: SiteOrigin | str, client: Client, options: ReadOptions | None = None, plan: SearchPlan | None = None
) -> Discovered:
    """Search a site for its sitemaps. An unreachable site is a result, not an error.

    Args:
        origin: The site; text is parsed by `sources.origin.parse_origin`.
        client: The HTTP client; it must trust the host.

    Raises:
        UsageError: The origin or a path is invalid.
    """
    site = parse_origin(origin) if isinstance(origin, str) else origin
    search = _Search(site, client, options or ReadOptions(), plan or SearchPlan())
    try:
        return await search.run()
    except Exception as error:  # noqa: BLE001 (errors of the whole run are raised again)
        search.stop()
        return Discovered(written=site.as_written, origin=site.url, unreachable=internal_error(error))


class _Search:
    def __init__(self, origin: SiteOrigin, client: Client, options: ReadOptions, plan: SearchPlan) -> None:
        self._origin = origin
        self._client = client
        self._plan = plan
        self._candidates = Candidates(client, options, plan.max_candidates)
        self._notes: list[str] = []
        self._keys: list[KeyHint] = []
        self._robots: VisitedPage | None = None
        self._home: VisitedPage | None = None

    async def run(self) -> Discovered:
        answer = await self._ask_robots()
        if answer.error_kind in NO_WAY_IN and not answer.hops:
            return self._discover(unreachable=answer.reason, robots=_visited_page(answer), robots_answer=answer)
        if answer.status in OVERLOADED:
            self._candidates.slow_down()
        robots = _parse_robots(answer)
        self._robots = _visited_page(answer)
        listed_count = self._take_robots(robots)
        self._take_well_known_paths()
        home = None
        if self._plan.fetches_home:
            # The candidates found so far are requested in the meantime.
            home = await self._fetch_home()
        llms = None
        if self._plan.fetches_llms and not self._candidates.is_overloaded:
            llms = await find_llms(self._client, self._origin.url)
        candidates, tried, answers = await self._candidates.results()
        is_silent = answer.status is None and not any(candidate.status for candidate in (*candidates, *tried))
        return self._discover(
            candidates=candidates,
            tried=tuple(map(self._placed, (*tried, *self._candidates.refused_candidates))),
            robots=_visited_page(answer, listed_count),
            home=home,
            llms=llms,
            unreachable=answer.reason if is_silent and (home is None or home.status is None) else None,
            robots_txt=robots,
            robots_answer=answer,
            answers=answers,
        )

    def stop(self) -> None:
        self._candidates.stop()

    def _discover(
        self,
        *,
        candidates: tuple[Candidate, ...] = (),
        tried: tuple[Candidate, ...] = (),
        robots: VisitedPage | None = None,
        home: VisitedPage | None = None,
        llms: LlmsFile | None = None,
        unreachable: str | None = None,
        robots_txt: Robots | None = None,
        robots_answer: Response | None = None,
        answers: Mapping[str, Response] | None = None,
    ) -> Discovered:
        return Discovered(
            written=self._origin.as_written,
            origin=self._origin.url,
            candidates=candidates,
            tried=tried,
            robots=robots,
            home=home,
            keys=tuple(self._keys),
            llms=llms,
            notes=tuple(self._notes),
            unreachable=unreachable,
            robots_txt=robots_txt,
            robots_answer=robots_answer,
            answers=answers or {},
        )

    # Where to look.

    async def _ask_robots(self) -> Response:
        answer = await self._get_robots(self._origin)
        if self._origin.is_scheme_guessed and self._origin.scheme == "https" and answer.error_kind in MAYBE_HTTP:
            plain = replace(self._origin, scheme="http")
            again = await self._get_robots(plain)
            if again.error_kind not in NO_WAY_IN:
                self._notes.append(f"{self._origin.url}: {answer.reason}; {plain.url} was searched instead")
                self._origin = plain
                return again
        return answer

    async def _get_robots(self, origin: SiteOrigin) -> Response:
        return await self._client.get(
            f"{origin.url}/robots.txt", via=None, max_bytes=MAX_ROBOTS_BYTES, accept="text/plain, */*;q=0.5"
        )

    def _take_robots(self, robots: Robots | None) -> int:
        lines = [] if robots is None else robots.sitemaps
        if robots is not None and robots.url is not None:
            self._take_keys(keys_of_robots(robots, robots.url), "robots.txt")
        for line in lines:
            find = Find(FoundBy.ROBOTS, line.line, line.value if line.is_relative else None)
            if not is_url(line.url):
                self._candidates.refuse(line.value, find, "not an http or https URL")
            elif line.is_relative and self._plan.only_full_urls:
                self._candidates.refuse(line.value, find, "not an absolute URL, as a Sitemap line requires")
            else:
                if line.is_relative:
                    self._notes.append(
                        f"robots.txt, line {line.line}: {line.value} must be an absolute URL; "
                        f"{line.url} was requested instead"
                    )
                self._take(line.url, find)
        return len(lines)

    def _take_keys(self, hints: Iterable[KeyHint], where: str) -> None:
        keys = list(dict.fromkeys(hints))
        self._keys += keys[:MAX_KEYS]
        if len(keys) > MAX_KEYS:
            self._notes.append(f"{where} declares {len(keys):,} IndexNow keys; the first {MAX_KEYS} were taken")

    def _take_well_known_paths(self) -> None:
        planned = self._plan.paths
        known_paths: tuple[WellKnownPath, ...] = WELL_KNOWN
        if self._candidates.is_overloaded and planned is None:
            known_paths = CHECKED
            self._notes.append("the server is overloaded; only the most common well-known paths were requested")
        paths = paths_of(self._plan.more_paths) + (
            tuple(known.path for known in known_paths) if planned is None else planned
        )
        folder = self._origin.folder
        if self._origin.path != "/":
            if self._plan.fetches_home and folder != "/":
                paths += tuple(folder + known.path[1:] for known in CHECKED)
                below = f"; the most common names in {folder} were also requested"
            else:
                below = ""
            # Of a directory, nothing is requested.
            if self._client.trust.folder is None:
                self._notes.append(f"robots.txt and the well-known paths were requested at {self._origin.url}/{below}")
        for path in paths:
            self._take(self._origin.url + path, Find(FoundBy.WELL_KNOWN))

    async def _fetch_home(self) -> VisitedPage:
        answer = await self._client.get(
            self._origin.home,
            via=None,
            max_bytes=MAX_HOME_BYTES,
            accept="text/html, application/xhtml+xml, */*;q=0.5",
            retries=0 if self._candidates.is_overloaded else None,
            reuse=Reuse.RUN,
        )
        self._candidates.note(answer)
        self._home = _visited_page(answer)
        listed_count = 0
        if answer.is_success:
            body = read_bytes(answer.content, MAX_HOME_BYTES)
            content_type = answer.headers.get("content-type")
            page = await asyncio.to_thread(read_page, body, charset=charset_of(content_type))
            self._take_keys(keys_of_page(page, answer.final_url), "the home page")
            links = sitemap_links(page, answer.final_url)
            header = links_of_header(answer.headers.get("link", ""), answer.final_url)
            for way, references in ((FoundBy.HTML_LINK, links), (FoundBy.HTTP_HEADER, header)):
                for link in references:
                    listed_count += 1
                    if link.url is None:
                        self._candidates.refuse(link.as_written, Find(way), "not an http or https URL")
                    else:
                        self._take(link.url, Find(way))
        answer.close()
        return _visited_page(answer, listed_count)

    def _take(self, url: str, find: Find) -> None:
        asks = find.way is FoundBy.WELL_KNOWN or self._plan.requests_declared
        retries = 0 if self._is_guess(url, find) else None
        self._candidates.take(url, find, _via(find.way, self._robots, self._home), asks=asks, retries=retries)

    @property
    def _conventional(self) -> set[str]:
        return {self._origin.url + known.path for known in CHECKED}

    def _placed(self, candidate: Candidate) -> Candidate:
        return structs.replace(candidate, is_conventional=candidate.url in self._conventional)

    def _is_guess(self, url: str, find: Find) -> bool:
        """Return whether not to retry a URL: few sites have it, or the server is overloaded."""
        mine = {self._origin.url + path for path in self._plan.more_paths}
        return self._candidates.is_overloaded or (
            find.way is FoundBy.WELL_KNOWN and url not in self._conventional | mine
        )


def _via(way: FoundBy, robots: VisitedPage | None, home: VisitedPage | None) -> Origin | None:
    """Return the origin of the document in which a URL was found."""
    match way:
        case FoundBy.ROBOTS:
            visited = robots
        case FoundBy.HTML_LINK | FoundBy.HTTP_HEADER:
            visited = home
        case _:
            return None
    return None if visited is None else origin_of(visited.url)


def _parse_robots(answer: Response) -> Robots | None:
    """Return the parsed robots.txt, if any. Its rules do not matter here, so a server error blocks nothing."""
    if not answer.is_success:
        return None
    return Robots.parse(read_bytes(answer.content, MAX_ROBOTS_BYTES), answer.final_url)


def _visited_page(answer: Response, listed_count: int = 0) -> VisitedPage:
    return VisitedPage(url=answer.final_url, status=answer.status, reason=answer.reason, named=listed_count)
