"""Builds the set of one site: from its sources to files, which are published or held back."""

from __future__ import annotations

from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.build.options import BaseUrl
from urlset.build.source_kinds import source_of
from urlset.build.sources import tabular
from urlset.build.sources.last_publication import LastPublication
from urlset.build.sources.lastmod_resolver import LastmodResolver
from urlset.build.sources.page_store import ENDING, PageStore
from urlset.build.sources.partition import in_parts
from urlset.build.sources.source import RobotsFilter, SiteLog, SourceContext
from urlset.build.state import take_over
from urlset.build.wrappers import DeferredTarget, DryRun
from urlset.build.writer import STDOUT, Writer, target_of
from urlset.errors import InputError, ShrinkError, UsageError, reason_of
from urlset.files.bounded import MAX_PAGE_BYTES, read_file
from urlset.model.build import NO_FAULT, LeftOutPage
from urlset.net.urlparts import site_of, split_url
from urlset.options.sources import FileFolder, GivenSources, HtmlFolder, LastmodSource, Query, Sitemaps, UrlList
from urlset.stages.named import trust_in
from urlset.stages.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from urlset.build.target import Target
    from urlset.fetch.fetched_source import FetchedSource
    from urlset.model.build import Lastmod, Refusal, Summary
    from urlset.options.building import BuildOptions, BuildSpec, Site
    from urlset.options.sources import Source
    from urlset.sources import Source as Sitemap
    from urlset.text.progress import Progress

ROBOTS = "robots.txt"


@dataclass(frozen=True, slots=True)
class BuiltSite:
    """A site that was built, and whose files may still be held back.

    Attributes:
        base: The URL of its sitemaps' directory.
        explanation: Where the lastmod of a URL is from, if asked.
        dates_from: Number of pages whose lastmod is from each source.
        files: The file and the source of each listed page of a directory of HTML, by URL.
    """

    site: Site
    base: BaseUrl
    target: Target
    log: SiteLog
    summary: Summary
    explanation: Lastmod | None
    dates_from: Mapping[LastmodSource, int]
    files: Mapping[str, tuple[str, HtmlFolder]]


def build_site(
    site: Site,
    spec: BuildSpec,
    options: BuildOptions,
    log: SiteLog,
    progress: Progress | None,
    resources: ExitStack,
    fetching: Callable[[Sitemap], FetchedSource],
) -> BuiltSite:
    """Build the set of a site.

    Args:
        resources: Discards what is held back if the build fails.
        fetching: Opens existing sitemaps.

    Raises:
        EntryRefusedError: An entry is invalid, and `strict` is set.
        InputError: A source cannot be read.
        OutputError: A file cannot be written; the published sitemaps are unchanged.
        UsageError: The state would be published, although it quotes commits.
        EmptySetError: Every page and entry was left out.
        ShrinkError: The published set would be replaced with an empty set, or one with less than half as many URLs.
    """
    base = BaseUrl.of(site.base_url)
    now = options.now or datetime.now(UTC)
    # The sources have resolved bare paths already.
    writing = replace(site, now=now, bare_paths=False)
    target = _target(site, writing, spec, options, resources)
    if not options.writes:
        # A set that shrinks too much is reported, along with everything else.
        writing = replace(writing, allow_shrink=True, empty="none" if site.empty == "none" else "write")
    _refuse_published_state(site)
    store = PageStore(_state(site), follow=site.state is not None)
    if store.loss is not None:
        log.note(store.loss)
    resolver = LastmodResolver(now, store, log, options.explain_lastmod, require=site.require_lastmod)
    context = SourceContext(
        base=base,
        robots_filter=robots_filter(site, base),
        log=log,
        now=now,
        read=options,
        order=site.lastmod_from,
        resolver=resolver,
        content=site.content,
        bare_paths=site.bare_paths,
        progress=progress,
        files={} if options.llms or spec.llms is not None else None,
    )
    if site.previous is not None:
        resolver.publication = partial(LastPublication, site.previous, context, fetching)

    refused_urls: set[str] = set()

    def on_refused(refused: Refusal) -> None:
        if refused.whole and refused.reason not in NO_FAULT:
            refused_urls.add(refused.url)
        if refused.whole and log.listing is not None:
            log.listing.add(LeftOutPage(refused.url or f"entry {refused.number}", refused.reason, refused.detail))

    try:
        writer = Writer(base.text, site.out, writing, on_refused=on_refused, target=target)
        with ExitStack() as sources, writer:
            for source in sources_of(site):
                entries = _entries(source, context, store, sources, fetching)
                with tabular.readable(entries.what) if isinstance(entries, tabular.Stream) else nullcontext():
                    for part, members in in_parts(entries, source, log):
                        writer.extend(members, group=part)
            if options.writes:
                writer.check_left_out(log.counts, log.examples)
    except ShrinkError as error:
        # With several sites, the message names the site.
        raise ShrinkError(error.before, error.after, base.text if len(spec.sites) > 1 else None) from None
    resolver.note_incomparable()
    if site.previous is not None:
        resolver.note_kept_dates(site.previous)
    if options.writes:
        resolver.keep_history()
        store.save()
    files = {url: file for url, file in (context.files or {}).items() if url not in refused_urls}
    return BuiltSite(site, base, target, log, writer.summary, resolver.explanation, dict(resolver.counts), files)


def _target(site: Site, writing: Site, spec: BuildSpec, options: BuildOptions, resources: ExitStack) -> Target:
    """Return where a site is published, or where its files are held back until all sites are built."""
    inner = target_of(site.out, writing)
    if not options.writes:
        target: DeferredTarget | DryRun = DryRun(inner)
    elif spec.index is not None or site.robots is not None or options.llms or spec.llms is not None:
        target = DeferredTarget(inner, indexes=spec.index is not None)
    else:
        return inner
    resources.callback(target.discard)
    return target


def sources_of(site: Site) -> tuple[Source, ...]:
    """Return the sources of a site; the kind of a path or URL is detected."""
    defaults = GivenSources()
    return tuple(source_of(source, defaults) if isinstance(source, str) else source for source in site.sources)


def session_of(spec: BuildSpec, options: BuildOptions) -> Session:
    """Return the session of a build, which trusts the existing sitemaps that it is given."""
    sources = (source for site in spec.sites for source in sources_of(site))
    targets = [target for source in sources if isinstance(source, Sitemaps) for target in source.targets]
    targets += [site.previous for site in spec.sites if site.previous is not None]
    return Session(options, trust_in(targets, options, discover=False))


def _state(site: Site) -> Path | None:
    """Return the file that caches what was read from the pages of a site."""
    if site.state is not None:
        return site.state
    name = site.name
    return None if "://" in site.out or site.out == STDOUT else take_over(Path(site.out), name) / f"{name}{ENDING}"


def _refuse_published_state(site: Site) -> None:
    """Raise a UsageError if proofs of dates, which quote commits, would be written to a directory that is published."""
    orders = (site.lastmod_from if source.lastmod_from is None else source.lastmod_from for source in sources_of(site))
    if site.state is None or not any(LastmodSource.GIT_TEXT in order for order in orders):
        return
    published = [] if "://" in site.out or site.out == STDOUT else [Path(site.out)]
    published += [source.folder for source in sources_of(site) if isinstance(source, HtmlFolder)]
    for folder in published:
        if site.state.resolve().is_relative_to(folder.resolve()):
            raise UsageError(
                f"--state: {site.state} is in {folder}, which is published, and would quote commits; put it elsewhere"
            )


def _entries(
    source: Source,
    context: SourceContext,
    store: PageStore,
    resources: ExitStack,
    fetching: Callable[[Sitemap], FetchedSource],
) -> object:
    """Return the entries of a source; the module of its kind is imported on use."""
    match source:
        case HtmlFolder():
            from urlset.build.sources import html_folder

            return html_folder.entries(source, context, store)
        case FileFolder():
            from urlset.build.sources import page_files

            return page_files.entries(source, context)
        case UrlList():
            from urlset.build.sources import url_list

            return url_list.entries(source, context, resources)
        case Query():
            from urlset.build.sources import sql_query

            return sql_query.entries(source, context, resources)
        case Sitemaps():
            from urlset.build.sources import sitemaps

            return sitemaps.entries(source, context, fetching)


def robots_filter(site: Site, base: BaseUrl) -> RobotsFilter:
    """Return the robots.txt to obey: the one given by `--robots`, or one in the directory of the site."""
    place = robots_file(site, base) if site.obey_robots else None
    if place is None:
        return RobotsFilter(agent=site.robots_agent)
    try:
        content = read_file(place, MAX_PAGE_BYTES)
    except OSError as error:
        raise InputError(str(place), f"cannot be read: {reason_of(error)}") from None
    from urlset.web.robots_txt import Robots

    robots = Robots.parse(content, f"{site_of(base.text)}/{ROBOTS}")
    return RobotsFilter(robots, site.robots_agent, str(place))


def robots_file(site: Site, base: BaseUrl) -> Path | None:
    """Return the robots.txt given by `--robots`, or else one in the directory of the site; None if neither exists."""
    places = [site.robots] if site.robots is not None else []
    # A host has one robots.txt, at its root.
    if split_url(base.text).path == "/":
        roots = [
            source.folder for source in sources_of(site) if isinstance(source, HtmlFolder) and source.path_prefix == "/"
        ]
        roots += [] if "://" in site.out else [Path(site.out)]
        places += [root / ROBOTS for root in roots]
    return next((place for place in places if place.is_file()), None)
