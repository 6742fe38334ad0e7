"""Find the first documents of a run: list the documents of targets, and discover the sitemaps of sites."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field

from urlset.errors import Unreadable
from urlset.net.origin import origin_url
from urlset.sources import Source, SourceKind
from urlset.sources.user_origin import SiteOrigin
from urlset.sources.well_known import CHECKED
from urlset.stages.follow import MAX_ROBOTS, robots_of
from urlset.stages.named import site_of
from urlset.stages.open_target import list_sources
from urlset.text.masking import mask_url
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from urlset.fetch.fetcher import Fetcher
    from urlset.fetch.response import Response
    from urlset.model.discovery import Candidate, KeyHint
    from urlset.net.origin import Origin
    from urlset.options.verbs import InspectOptions
    from urlset.sources import Target
    from urlset.stages.discover import Discovered

MAX_CANDIDATES = 100_000
"""Maximum sitemaps that a site may declare; the rest is reported."""

NOTHING_FOUND = "no sitemap found"
"""The start of the reason why a site has no document."""

_Place: TypeAlias = tuple[int | None, int | None, int | None, int | None]


class Seeds(Struct):
    """The first documents of a run.

    Attributes:
        sources: The documents; their positions are their numbers.
        answers: Responses that were already fetched, by number.
        unreadable: Targets without a document.
        notes: Notes on how sites were searched.
        keys: Where the sites declare their IndexNow keys.
        fetcher: The fetcher of the run; None if nothing has to be fetched.
    """

    sources: list[Source] = field(default_factory=list)
    answers: dict[int, Response] = field(default_factory=dict)
    unreadable: list[Unreadable] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    keys: list[KeyHint] = field(default_factory=list)
    fetcher: Fetcher | None = None


def find_seeds(targets: Sequence[Target], options: InspectOptions, fetcher_of_run: Callable[[], Fetcher]) -> Seeds:
    """Find the first documents of a run: list the targets, and search the sites.

    Args:
        fetcher_of_run: Returns the fetcher. Called only if something may have to be fetched.

    Raises:
        UsageError: A target is not a site, although sites are searched.
    """
    parts = tuple(_parts(targets, options))
    fetcher = fetcher_of_run() if options.expand or any(map(_is_remote, parts)) else None
    seeds = _find(parts, fetcher, options)
    seeds.fetcher = fetcher
    return seeds


def _is_remote(part: Source | Unreadable | SiteOrigin) -> bool:
    return isinstance(part, SiteOrigin) or (isinstance(part, Source) and part.kind is SourceKind.URL)


def _find(parts: Sequence[Source | Unreadable | SiteOrigin], fetcher: Fetcher | None, options: InspectOptions) -> Seeds:
    """Search the sites among the targets, and return the first documents to read."""
    sites = [part for part in parts if isinstance(part, SiteOrigin)]
    searched = iter(_search(sites, fetcher, options) if fetcher is not None and sites else ())
    is_folder = fetcher is not None and fetcher.client.trust.folder is not None
    seeds = Seeds()
    robots = _RobotsOfTargets({origin_url(site.url) for site in sites}) if options.robots else None
    for part in parts:
        match part:
            case Source():
                if robots is not None:
                    seeds.sources += robots.of(part)
                seeds.sources.append(part)
            case Unreadable():
                seeds.unreadable.append(part)
            case SiteOrigin():
                _take_site(part, next(searched), seeds, is_folder=is_folder)
    if robots is not None:
        seeds.notes += robots.notes()
    return seeds


class _RobotsOfTargets(Struct):
    """The robots.txt files of the http(s) targets; each is read once, before the first document of its origin.

    Attributes:
        origins: Origins whose robots.txt is already listed.
        local: Number of targets without a host.
        beyond: Number of targets on hosts beyond the limit.
        request_count: Origins added so far.
    """

    origins: set[str]
    local: int = 0
    beyond: int = 0
    request_count: int = 0

    def of(self, source: Source) -> Iterator[Source]:
        """Yield the robots.txt to read before a target, if any."""
        if source.kind is not SourceKind.URL:
            self.local += 1
            return
        origin = origin_url(str(source.place))
        if origin in self.origins:
            return
        if self.request_count >= MAX_ROBOTS:
            self.beyond += 1
            return
        self.origins.add(origin)
        self.request_count += 1
        yield robots_of(origin)

    def notes(self) -> Iterator[str]:
        """Yield notes on robots.txt files that are not read."""
        if self.local:
            targets = quantity(self.local, "target")
            yield f"robots.txt was not read for {targets} without a host"
        if self.beyond:
            targets = quantity(self.beyond, "target was", "targets were")
            yield f"robots.txt was read for the first {quantity(MAX_ROBOTS, 'host')} only; {targets} not checked"


def _parts(targets: Sequence[Target], options: InspectOptions) -> Iterator[Source | Unreadable | SiteOrigin]:
    for target in targets:
        site = site_of(target) if options.discover else None
        if site is None:
            yield from list_sources([target])
        else:
            yield site


def _search(sites: Sequence[SiteOrigin], fetcher: Fetcher, options: InspectOptions) -> list[Discovered]:
    from urlset.stages.discover import SearchPlan, discover
    from urlset.stages.many_sites import for_each_site

    # Declared sitemaps are read later in any case; whether they are sitemaps is up to the rules.
    plan = SearchPlan(requests_declared=False, max_candidates=MAX_CANDIDATES)
    return fetcher.run(
        lambda client: for_each_site(sites, client, lambda site, client: discover(site, client, options, plan))
    )


def _take_site(site: SiteOrigin, searched: Discovered, seeds: Seeds, *, is_folder: bool) -> None:
    """Add the robots.txt of a site and its sitemaps."""
    seeds.notes += searched.notes
    seeds.keys += searched.keys
    if searched.unreachable is not None:
        searched.close()
        seeds.unreadable.append(Unreadable(mask_url(site.as_written), searched.unreachable))
        return
    robots_id = None
    if searched.robots_answer is not None:
        robots_id = len(seeds.sources)
        seeds.answers[robots_id] = searched.robots_answer
        seeds.sources.append(robots_of(searched.origin))
    broken = _broken_sitemap(searched, is_folder=is_folder)
    if broken is not None:
        seeds.sources.append(_source(broken, {}, None))
    elif not searched.candidates:
        seeds.unreadable.append(Unreadable(mask_url(site.as_written), _why_nothing(searched)))
    lines = [] if searched.robots_txt is None else searched.robots_txt.sitemaps
    places = {line.line: (robots_id, ordinal, line.line, line.column) for ordinal, line in enumerate(lines)}
    answers = dict(searched.answers)
    for candidate in searched.candidates:
        if (answer := answers.pop(candidate.url, None)) is not None:
            seeds.answers[len(seeds.sources)] = answer
        seeds.sources.append(_source(candidate, places, searched.via(candidate)))
    for answer in answers.values():
        answer.close()


def _broken_sitemap(searched: Discovered, *, is_folder: bool) -> Candidate | None:
    """Return what is at the usual path of the sitemap of a site without sitemaps, such as an error message.

    Servers answer any URL with a page, so over HTTP a page at this path is not a broken sitemap.
    """
    if searched.candidates:
        return None
    usual = {searched.origin + known.path for known in CHECKED}
    answered = (each for each in searched.tried if each.answered and each.url in usual and each.kind is not None)
    return next((each for each in answered if is_folder or each.kind != "html"), None)


def is_without_sitemap(target: Unreadable) -> bool:
    """Return whether it is known that a site has no sitemap."""
    return target.reason.startswith(NOTHING_FOUND)


def _why_nothing(searched: Discovered) -> str:
    """Return why a site has no document: it has no sitemap, or its server refuses the requests or fails."""
    if searched.refused is not None:
        return f"{searched.refused}, so whether the site has a sitemap is unknown"
    robots = searched.robots
    has_robots = robots is not None and robots.status == HTTPStatus.OK
    found = "robots.txt names none" if has_robots else "there is no robots.txt"
    usual = {searched.origin + known.path for known in CHECKED}
    instead = next((each for each in searched.tried if each.answered and each.url in usual and each.why_not), None)
    where = "there is none at a usual path such as sitemap.xml"
    if instead is not None:
        where = f"{instead.url} {instead.why_not}"
    return f"{NOTHING_FOUND}: {found}, and {where}; run `urlset discover -v` to see the locations that were tried"


def _source(candidate: Candidate, places: Mapping[int, _Place], via: Origin | None) -> Source:
    parent_id, ordinal, line, column = None, None, None, None
    if candidate.found_by == "robots" and candidate.line is not None:
        parent_id, ordinal, line, column = places[candidate.line]
    return Source(
        SourceKind.URL,
        mask_url(candidate.url),
        candidate.url,
        found_by=candidate.found_by.value,
        parent_id=parent_id,
        parent_ordinal=ordinal,
        line=line,
        col=column,
        via=via,
    )
