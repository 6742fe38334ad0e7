"""`discover`: from an origin to its sitemaps. Asks robots.txt, the well-known paths and the home page, in this order.

What answers is read as any document is, and its content decides: a page that says "not found" with status 200 is no
sitemap. A sitemap that is found in several ways, or under several URLs that redirect to one, is one candidate.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from urlset.config import DiscoverOptions
from urlset.documents import DocumentReader
from urlset.errors import InputError, internal_error
from urlset.fetch import read_bytes
from urlset.fetch.answer import MOST_OF_ROBOTS, Trouble
from urlset.model.discovery import SITEMAP_KINDS, Candidate, Discovery, Find, FoundBy, Visited
from urlset.net.origin import origin_of
from urlset.pipeline.sites import each_site
from urlset.robots import Robots
from urlset.sources import Source, SourceKind, is_url
from urlset.sources.frontier import url_key
from urlset.sources.links import links_of_header, links_of_page
from urlset.sources.origin import Origin, parse_origin
from urlset.sources.well_known import CHECKED, WELL_KNOWN, WellKnownPath, paths_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from urlset.config import Progress, ReadOptions
    from urlset.fetch.answer import Answer
    from urlset.fetch.client import Client
    from urlset.net.origin import Origin as NetOrigin

MOST_OF_HOME = 4 * 1024 * 1024
"""Bytes read of a home page; links stand in its head."""

MOST_KEPT = 64 * 1024 * 1024
"""Bytes of answers that are kept for the caller; what goes beyond has to be fetched again."""

ASKED_AT_ONCE = 16
"""URLs of one site that are asked for and read at once, at most; what the client allows a host is less."""

NO_WAY_IN = frozenset(
    {
        Trouble.BAD_URL, Trouble.PRIVATE_ADDRESS, Trouble.DNS, Trouble.REFUSED, Trouble.UNREACHABLE, Trouble.PROXY,
        Trouble.CONNECT_TIMEOUT, Trouble.TLS,
    }
)  # fmt: skip
"""What, when it keeps robots.txt from being fetched, keeps everything else of the host from it."""

OVERLOADED = frozenset({429, 503})
"""What robots.txt answers, after all retries, where more requests would only make it worse."""

ENOUGH_REFUSALS = 2
"""Further pages that an overloaded server refuses, before no more are asked for."""

MAYBE_HTTP = frozenset({Trouble.REFUSED, Trouble.UNREACHABLE, Trouble.CONNECT_TIMEOUT})
"""What makes it worth asking over http where the user named no scheme. A bad certificate does not: it is a fault."""

KINDS_IN_WORDS = {
    "html": "an HTML page",
    "robots": "a robots.txt",
    "xml": "XML of another kind",
    "json": "JSON",
    "empty": "an empty answer",
    "binary": "binary data",
    "unknown": "text without URLs",
}
"""What a document that is no sitemap is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovered(Discovery):
    """A `Discovery` with what it was made from, for those who go on from there. To be closed.

    Attributes:
        robots_txt: The robots.txt, parsed; None if there is none.
        robots_answer: What came for robots.txt; None if nothing could be asked for.
        answers: By the URL of a candidate what came for it, not yet read; not for all, if they are large.
    """

    robots_txt: Robots | None = None
    robots_answer: Answer | None = None
    answers: Mapping[str, Answer] = field(default_factory=dict)

    def plain(self) -> Discovery:
        """What was found, without the answers."""
        return Discovery(**{each.name: getattr(self, each.name) for each in fields(Discovery)})

    def via(self, candidate: Candidate) -> NetOrigin | None:
        """The origin of the document that names a candidate; None for what is asked for at the user's own word."""
        return _via(candidate.found_by, self.robots, self.home)

    def close(self) -> None:
        """Closes the files of large answers."""
        for answer in self.answers.values():
            answer.close()


async def discover(origin: Origin | str, client: Client, options: DiscoverOptions | None = None) -> Discovered:
    """Searches a site for its sitemaps.

    Args:
        origin: The site; text is understood as `sources.origin.parse_origin` does.
        client: What to fetch with; it must trust the host.
        options: Where to look.

    Returns:
        What was found and what was tried. That a site cannot be reached is a value, too.

    Raises:
        MisuseError: The origin or a path makes no sense.
    """
    site = parse_origin(origin) if isinstance(origin, str) else origin
    search = _Search(site, client, options or DiscoverOptions())
    try:
        return await search.run()
    except Exception as error:  # noqa: BLE001 (errors of the whole run are raised again)
        search.stop()
        return Discovered(written=site.written, origin=site.url, unreachable=internal_error(error))


def discover_all(
    origins: Sequence[str], options: DiscoverOptions | None = None, progress: Progress | None = None
) -> list[Discovery]:
    """Searches several sites at once.

    Args:
        origins: The sites as users write them.
        options: Where to look.
        progress: Told after each site.

    Raises:
        MisuseError: An origin or a path makes no sense; said before anything is fetched.
    """
    where = options or DiscoverOptions()
    sites = [parse_origin(origin) for origin in origins]
    paths_of(where.more_paths)

    async def one(site: Origin, client: Client) -> Discovery:
        found = await discover(site, client, where)
        found.close()
        return found.plain()

    return each_site(sites, where.read.fetch, one, progress)


class _Search:
    """One search of one site."""

    def __init__(self, origin: Origin, client: Client, options: DiscoverOptions) -> None:
        self._origin = origin
        self._client = client
        self._options = options
        self._finds: dict[str, tuple[str, list[Find]]] = {}
        self._notes: list[str] = []
        self._probes: dict[str, asyncio.Task[tuple[Candidate, Answer | None]]] = {}
        self._refused: list[Candidate] = []
        self._kept = 0
        self._is_overloaded = False
        self._refusals = 0
        self._robots: Visited | None = None
        self._home: Visited | None = None
        self._turn = asyncio.Semaphore(ASKED_AT_ONCE)

    async def run(self) -> Discovered:
        answer = await self._ask_robots()
        if answer.trouble in NO_WAY_IN and not answer.hops:
            return self._discovered(unreachable=answer.reason, robots=_visited(answer), robots_answer=answer)
        if answer.status in OVERLOADED:
            self._is_overloaded = True
            # One after the other, so that there are few when it turns out to be in vain.
            self._turn = asyncio.Semaphore(1)
        robots = _parsed(answer)
        self._robots = _visited(answer)
        named = self._take_robots(robots)
        self._take_well_known()
        home = None
        if self._options.look_at_home:
            # What is known so far is asked for meanwhile.
            home = await self._look_at_home()
        outcomes = [await probe for probe in self._probes.values()]
        found, tried, answers = self._merged(outcomes)
        is_silent = answer.status is None and not any(one.status for one in (*found, *tried))
        return self._discovered(
            candidates=found,
            tried=(*tried, *self._refused),
            robots=_visited(answer, named),
            home=home,
            unreachable=answer.reason if is_silent and (home is None or home.status is None) else None,
            robots_txt=robots,
            robots_answer=answer,
            answers=answers,
        )

    def stop(self) -> None:
        """Gives up what is still asked for."""
        for probe in self._probes.values():
            probe.cancel()

    def _discovered(
        self,
        *,
        candidates: tuple[Candidate, ...] = (),
        tried: tuple[Candidate, ...] = (),
        robots: Visited | None = None,
        home: Visited | None = None,
        unreachable: str | None = None,
        robots_txt: Robots | None = None,
        robots_answer: Answer | None = None,
        answers: Mapping[str, Answer] | None = None,
    ) -> Discovered:
        return Discovered(
            written=self._origin.written,
            origin=self._origin.url,
            candidates=candidates,
            tried=tried,
            robots=robots,
            home=home,
            notes=tuple(self._notes),
            unreachable=unreachable,
            robots_txt=robots_txt,
            robots_answer=robots_answer,
            answers=answers or {},
        )

    # Where to look.

    async def _ask_robots(self) -> Answer:
        answer = await self._get_robots(self._origin)
        if self._origin.is_scheme_guessed and self._origin.scheme == "https" and answer.trouble in MAYBE_HTTP:
            plain = replace(self._origin, scheme="http")
            again = await self._get_robots(plain)
            if again.trouble not in NO_WAY_IN:
                self._notes.append(f"{self._origin.url}: {answer.reason}; {plain.url} was searched instead")
                self._origin = plain
                return again
        return answer

    async def _get_robots(self, origin: Origin) -> Answer:
        return await self._client.get(
            f"{origin.url}/robots.txt", via=None, max_bytes=MOST_OF_ROBOTS, accept="text/plain, */*;q=0.5"
        )

    def _take_robots(self, robots: Robots | None) -> int:
        lines = [] if robots is None else robots.sitemaps
        for line in lines:
            find = Find(FoundBy.ROBOTS, line.line, line.value if line.is_relative else None)
            if not is_url(line.url):
                self._refuse(line.value, find, "not an http or https URL")
            elif line.is_relative and self._options.only_full_urls:
                self._refuse(line.value, find, "not a full URL, as a Sitemap line must have")
            else:
                if line.is_relative:
                    self._notes.append(
                        f"robots.txt, line {line.line}: {line.value} is not a full URL, as it must be; "
                        f"{line.url} was asked for"
                    )
                self._take(line.url, find)
        return len(lines)

    def _take_well_known(self) -> None:
        usual = self._options.paths
        known_paths: tuple[WellKnownPath, ...] = WELL_KNOWN
        if self._is_overloaded and usual is None:
            known_paths = CHECKED
            self._notes.append("the server is overloaded; only the most usual of the well-known paths were asked for")
        paths = paths_of(self._options.more_paths) + (
            tuple(known.path for known in known_paths) if usual is None else usual
        )
        folder = self._origin.folder
        if self._origin.path != "/":
            if self._options.look_at_home and folder != "/":
                paths += tuple(folder + known.path[1:] for known in CHECKED)
                below = f", and the most usual names below {folder} were asked for as well"
            else:
                below = ""
            self._notes.append(f"robots.txt and the well-known paths are those of {self._origin.url}/{below}")
        for path in paths:
            self._take(self._origin.url + path, Find(FoundBy.WELL_KNOWN))

    async def _look_at_home(self) -> Visited:
        answer = await self._client.get(
            self._origin.home,
            via=None,
            max_bytes=MOST_OF_HOME,
            accept="text/html, application/xhtml+xml, */*;q=0.5",
            retries=0 if self._is_overloaded else None,
        )
        self._refusals += answer.status in OVERLOADED
        self._home = _visited(answer)
        named = 0
        if answer.is_success:
            body = read_bytes(answer.content, MOST_OF_HOME)
            content_type = answer.headers.get("content-type")
            links = await asyncio.to_thread(links_of_page, body, content_type, answer.final_url)
            header = links_of_header(answer.headers.get("link", ""), answer.final_url)
            for way, some in ((FoundBy.HTML_LINK, links), (FoundBy.HTTP_HEADER, header)):
                for link in some:
                    named += 1
                    if link.url is None:
                        self._refuse(link.written, Find(way), "not an http or https URL")
                    else:
                        self._take(link.url, Find(way))
        answer.close()
        return _visited(answer, named)

    # What is there.

    def _take(self, url: str, find: Find) -> None:
        """One more way to a URL; the first one has it asked for."""
        key = url_key(url)
        is_guess = find.way is FoundBy.WELL_KNOWN
        if key in self._finds:
            self._finds[key][1].append(find)
        elif len(self._finds) >= self._options.max_candidates:
            self._refuse(url, find, f"not asked for: {self._options.max_candidates:,} others were, which is the bound")
        else:
            self._finds[key] = url, [find]
            asks = is_guess or self._options.ask_declared
            retries = 0 if self._is_guess(url, find) else None
            via = _via(find.way, self._robots, self._home)
            work = self._probe(url, via, retries) if asks else _taken_as_it_is(url)
            self._probes[key] = asyncio.create_task(work)

    def _refuse(self, url: str, find: Find, why_not: str) -> None:
        self._refused.append(Candidate(url=url, finds=(find,), final_url=url, why_not=why_not))

    def _is_guess(self, url: str, find: Find) -> bool:
        """Whether it is not worth a second request: few sites have it, or the server has too much to do as it is."""
        usual = {self._origin.url + known.path for known in CHECKED}
        mine = {self._origin.url + path for path in self._options.more_paths}
        return self._is_overloaded or (find.way is FoundBy.WELL_KNOWN and url not in usual | mine)

    async def _probe(self, url: str, via: NetOrigin | None, retries: int | None) -> tuple[Candidate, Answer | None]:
        """Asks for a URL and reads what comes; an error of ours in that concerns this candidate alone."""
        try:
            return await self._asked(url, via, retries)
        except Exception as error:  # noqa: BLE001 (errors of the whole run are raised again)
            return Candidate(url=url, finds=(), final_url=url, why_not=internal_error(error)), None

    async def _asked(self, url: str, via: NetOrigin | None, retries: int | None) -> tuple[Candidate, Answer | None]:
        async with self._turn:
            if self._is_overloaded and self._refusals >= ENOUGH_REFUSALS:
                return Candidate(
                    url=url, finds=(), final_url=url, why_not="not asked for: the server is overloaded"
                ), None
            answer = await self._client.get(url, via=via, max_bytes=self._options.read.max_inflated, retries=retries)
            self._refusals += answer.status in OVERLOADED
            candidate = Candidate(
                url=url,
                finds=(),
                final_url=answer.final_url,
                status=answer.status,
                trouble=answer.trouble,
                wire_bytes=answer.wire_bytes,
            )
            if not candidate.answered or (answer.trouble is not None and answer.content is None):
                answer.close()
                return replace(candidate, why_not=answer.reason or f"answered HTTP {answer.status}"), None
            try:
                facts = await asyncio.to_thread(read_facts, url, answer, self._options.read)
            except InputError as error:
                answer.close()
                return replace(candidate, why_not=error.reason), None
        kind = str(facts["kind"])
        candidate = replace(candidate, kind=kind, entries=facts["entries"], bytes=facts["bytes"])
        if kind not in SITEMAP_KINDS:
            what = KINDS_IN_WORDS.get(kind, f"a {kind} file")
            candidate = replace(candidate, why_not=f"answered HTTP {answer.status} with {what}")
        if self._kept + answer.wire_bytes > MOST_KEPT:
            answer.close()
            return candidate, None
        self._kept += answer.wire_bytes
        return candidate, answer

    def _merged(
        self, outcomes: Iterable[tuple[Candidate, Answer | None]]
    ) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...], dict[str, Answer]]:
        """The sitemaps, the rest, and the answers: sitemaps at the same URL after redirects are one."""
        found: dict[str, Candidate] = {}
        tried: list[Candidate] = []
        answers: dict[str, Answer] = {}
        for (_, finds), (outcome, answer) in zip(self._finds.values(), outcomes, strict=True):
            candidate = replace(outcome, finds=tuple(finds))
            key = url_key(candidate.final_url)
            if candidate.is_sitemap and (first := found.get(key)) is not None:
                elsewhere = (replace(find, url=candidate.url) for find in candidate.finds)
                found[key] = replace(first, finds=(*first.finds, *elsewhere))
                if answer is not None:
                    answer.close()
                continue
            if candidate.is_sitemap:
                found[key] = candidate
            else:
                tried.append(candidate)
            if answer is not None:
                answers[candidate.url] = answer
        return tuple(found.values()), tuple(tried), answers


def _via(way: FoundBy, robots: Visited | None, home: Visited | None) -> NetOrigin | None:
    """The origin of the document that a find was made in."""
    match way:
        case FoundBy.ROBOTS:
            visited = robots
        case FoundBy.HTML_LINK | FoundBy.HTTP_HEADER:
            visited = home
        case _:
            return None
    return None if visited is None else origin_of(visited.url)


async def _taken_as_it_is(url: str) -> tuple[Candidate, Answer | None]:
    """What somebody else is to ask for."""
    return Candidate(url=url, finds=(), final_url=url), None


def read_facts(url: str, answer: Answer, options: ReadOptions) -> dict[str, Any]:
    """What a document is, by reading it to its end. The answer can be read again afterwards.

    Raises:
        InputError: Its bytes cannot be read to their end.
    """
    fetched = replace(answer.as_fetched(), is_ours=False)
    reader = DocumentReader(Source(SourceKind.URL, url, url), fetched, 0, options, hashed=False)
    try:
        for _ in reader:
            # The rows are counted in the facts; nobody else wants them here.
            continue
    finally:
        rewind(answer)
    return reader.facts


def rewind(answer: Answer) -> None:
    """Sets the file of a large answer to its beginning."""
    seek = getattr(answer.content, "seek", None)
    if seek is not None:
        seek(0)


def _parsed(answer: Answer) -> Robots | None:
    """The robots.txt, if there is one. What it forbids is no matter here, so that a server error forbids nothing."""
    if not answer.is_success:
        return None
    return Robots.parse(read_bytes(answer.content, MOST_OF_ROBOTS), answer.final_url)


def _visited(answer: Answer, named: int = 0) -> Visited:
    return Visited(url=answer.final_url, status=answer.status, reason=answer.reason, named=named)
