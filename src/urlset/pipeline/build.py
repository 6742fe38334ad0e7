"""`build`: from sources to published sets of sitemaps, the index over them, and the lines of robots.txt."""

from __future__ import annotations

import time
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset import _core
from urlset.bounded import MOST_OF_PAGE, read_whole
from urlset.build.options import BaseUrl, WriteOptions
from urlset.build.plan import as_published, index_over
from urlset.build.published import shrink
from urlset.build.sources import tabular
from urlset.build.sources.dating import Dating
from urlset.build.sources.page_store import PageStore
from urlset.build.sources.parts import in_parts
from urlset.build.sources.source import Gate, LeftOutList, Run, Tally
from urlset.build.stand_in import Holding, Trial
from urlset.build.target import STATE
from urlset.build.writer import STDOUT, Writer, target_of
from urlset.buildspec import FileFolder, HtmlFolder, Query, Sitemaps, UrlList
from urlset.errors import InputError, MisuseError, OutputError, ShrinkError
from urlset.fetch import fetch
from urlset.model.build import BuildReport, IndexReport, LeftOut, RobotsReport, SiteReport
from urlset.net.urlparts import site_of, split_url
from urlset.pipeline.named import trust_in
from urlset.publish import publish
from urlset.scratch import Scratch
from urlset.sources import SourceKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from urlset.build.target import Target
    from urlset.buildspec import BuildOptions, BuildSpec, IndexSpec, Site, Source
    from urlset.config import Progress
    from urlset.fetch import Fetched
    from urlset.fetch.fetcher import Fetcher
    from urlset.model.build import Lastmod, Refused, Summary
    from urlset.model.comparison import Comparison
    from urlset.sources import Source as Sitemap

ROBOTS = "robots.txt"


def build(
    spec: BuildSpec, options: BuildOptions, progress: Progress | None = None
) -> tuple[BuildReport, Comparison | None]:
    """Builds the sites, then the index over them, then the lines of robots.txt.

    Args:
        spec: What is to be built.
        options: How.
        progress: Told how far it is.

    Returns:
        What became of it; and what would change, URL by URL, if that was asked for and something is published.

    Raises:
        EntryRefusedError: An entry is bad, and strictness was asked for.
        InputError: A source cannot be read.
        MisuseError: Something asked for cannot be meant.
        OutputError: Something cannot be written; what was published before stands.
        ShrinkError: A published set would be replaced with nothing, or with less than half of it.
    """
    began = time.perf_counter()
    check(spec, publish=options.publish)
    with ExitStack() as opened:
        listing = None if options.left_out is None else LeftOutList(options.left_out)
        if listing is not None:
            opened.callback(listing.close)
        fetching = _fetching(spec, options, opened)
        built = [_built(site, spec, options, Tally(listing), progress, opened, fetching) for site in spec.sites]
        index, index_target = _index(spec.index, built, options, opened)
        holding = [one.target for one in built if isinstance(one.target, Holding)]
        for target in holding:
            target.put_indexes()
        robots = [_robots(one, index, options) for one in built]
        for target in [*holding, *([index_target] if isinstance(index_target, Holding) else [])]:
            target.finish()
        comparison = _compared(built) if options.diff else None
    reports = tuple(_report(one, robot) for one, robot in zip(built, robots, strict=True))
    report = BuildReport(reports, index, options.publish, time.perf_counter() - began)
    return report, comparison


def check(spec: BuildSpec, *, publish: bool = True) -> None:
    """Sees to it that sets do not write over each other, and that standard output gets no more than one.

    Raises:
        MisuseError: Two of them would write to one place, or standard output would get several or none.
    """
    if not spec.sites:
        raise MisuseError("there is nothing to build: no site has a source")
    outs = [site.out for site in spec.sites] + ([] if spec.index is None else [spec.index.out])
    if STDOUT in outs and len(outs) > 1:
        raise MisuseError("standard output takes one document: write several sites, or an index over them, to folders")
    if STDOUT in outs and not publish:
        raise MisuseError(
            "-o - writes a document to standard output, and has nothing to compare it with; leave out --check, "
            "--dry-run and --diff, or name the folder of the sitemaps"
        )
    places: dict[tuple[str, str], str] = {}
    for site in spec.sites:
        _claim(places, site.out, str(site.options.get("name", "sitemap")), f"the site {site.base_url}")
    if spec.index is not None:
        _claim(places, spec.index.out, spec.index.name, "the index")


def _claim(places: dict[tuple[str, str], str], out: str, name: str, who: str) -> None:
    place = (out if "://" in out else str(Path(out).resolve()), name)
    if place in places:
        raise MisuseError(f"{places[place]} and {who} would both write {name}.xml in {out}: give one another name")
    places[place] = who


@dataclass(frozen=True, slots=True)
class _Built:
    """A site whose set is written: published, or found out."""

    site: Site
    base: BaseUrl
    target: Target
    tally: Tally
    summary: Summary
    explained: Lastmod | None


def _built(
    site: Site,
    spec: BuildSpec,
    options: BuildOptions,
    tally: Tally,
    progress: Progress | None,
    opened: ExitStack,
    fetching: Callable[[Sitemap], Fetched],
) -> _Built:
    base = BaseUrl.of(site.base_url)
    now = options.now or datetime.now(UTC)
    # The sources resolve paths, each below its own place; what they leave is no path.
    write_options = {**site.options, "now": now, "bare_paths": False}
    inner = target_of(site.out, WriteOptions.of(write_options))  # type: ignore[arg-type]
    if not options.publish:
        # What would be refused is reported, with everything else that would be.
        write_options["allow_shrink"] = True
    target: Target = inner
    if not options.publish:
        target = Trial(inner)
        opened.callback(target.discard)
    elif spec.index is not None or site.robots is not None:
        target = Holding(inner, indexes=spec.index is not None)
        opened.callback(target.discard)
    store = PageStore(_state(site))
    if store.loss is not None:
        tally.note(store.loss)
    dating = Dating(now, store, tally, options.explain)
    run = Run(
        base=base,
        gate=_gate(site, base),
        tally=tally,
        now=now,
        read=options.read,
        order=site.lastmod_from,
        dating=dating,
        bare_paths=bool(site.options.get("bare_paths")),
        progress=progress,
    )

    def told(refused: Refused) -> None:
        if refused.whole and tally.listing is not None:
            tally.listing.add(LeftOut(refused.url or f"entry {refused.number}", refused.reason, refused.detail))

    try:
        with ExitStack() as sources, Writer(base.text, site.out, told=told, target=target, **write_options) as writer:
            for source in site.sources:
                entries = _entries(source, run, store, sources, fetching)
                with tabular.readable(entries.what) if isinstance(entries, tabular.Columns) else nullcontext():
                    for part, some in in_parts(entries, source, tally):
                        writer.extend(some, group=part)
    except ShrinkError as error:
        # Of several sites it says which one.
        raise ShrinkError(error.before, error.after, base.text if len(spec.sites) > 1 else None) from None
    if options.publish:
        store.save()
    return _Built(site, base, target, tally, writer.summary, dating.explained)


def _fetching(spec: BuildSpec, options: BuildOptions, opened: ExitStack) -> Callable[[Sitemap], Fetched]:
    """What opens the sitemaps that there are already: one client for all, which trusts the targets that are named."""
    sources = (source for site in spec.sites for source in site.sources)
    targets = [target for source in sources if isinstance(source, Sitemaps) for target in source.targets]
    trust = trust_in(targets, options.read.fetch, discover=False)

    @cache
    def fetcher() -> Fetcher:
        # It takes a while to import, and files do without it.
        from urlset.fetch.fetcher import Fetcher

        return opened.enter_context(Fetcher(options.read.fetch, trust))

    return lambda source: fetch(source, options.read, fetcher() if source.kind is SourceKind.URL else None)


def _state(site: Site) -> Path | None:
    """Where it is kept what was read of the pages of a site."""
    if site.state is not None:
        return site.state
    name = str(site.options.get("name", "sitemap"))
    return None if "://" in site.out or site.out == STDOUT else Path(site.out) / STATE / f"{name}.pages.json"


def _entries(
    source: Source, run: Run, store: PageStore, opened: ExitStack, fetching: Callable[[Sitemap], Fetched]
) -> Any:
    """What the writer takes of a source; each kind is imported where there is one."""
    match source:
        case HtmlFolder():
            from urlset.build.sources import html_folder

            return html_folder.entries(source, run, store)
        case FileFolder():
            from urlset.build.sources import files

            return files.entries(source, run)
        case UrlList():
            from urlset.build.sources import url_list

            return url_list.entries(source, run, opened)
        case Query():
            from urlset.build.sources import query

            return query.entries(source, run, opened)
        case Sitemaps():
            from urlset.build.sources import sitemaps

            return sitemaps.entries(source, run, fetching)


def _gate(site: Site, base: BaseUrl) -> Gate:
    """The robots.txt that is obeyed: the one whose lines are kept, or one that lies in the folder of the site."""
    if not site.obey_robots:
        return Gate(agent=site.robots_agent)
    places = [site.robots] if site.robots is not None else []
    # A host has one robots.txt, at its root.
    if split_url(base.text).path == "/":
        roots = [one.folder for one in site.sources if isinstance(one, HtmlFolder) and one.path_prefix == "/"]
        roots += [] if "://" in site.out else [Path(site.out)]
        places += [root / ROBOTS for root in roots]
    for place in places:
        if place.is_file():
            try:
                content = read_whole(place, MOST_OF_PAGE)
            except OSError as error:
                raise InputError(str(place), f"cannot be read: {(error.strerror or str(error)).lower()}") from None
            from urlset.robots import Robots

            robots = Robots.parse(content, f"{site_of(base.text)}/{ROBOTS}")
            return Gate(robots, site.robots_agent, str(place))
    return Gate(agent=site.robots_agent)


def _index(
    spec: IndexSpec | None, built: list[_Built], options: BuildOptions, opened: ExitStack
) -> tuple[IndexReport | None, Target | None]:
    """The index over the sitemaps of all sites, and over remote ones."""
    if spec is None:
        return None, None
    base = BaseUrl.of(spec.base_url)
    given = WriteOptions.of({**spec.options, "name": spec.name})  # type: ignore[typeddict-item]
    children = [(file.url, file.lastmod) for one in built for file in one.summary.parts]
    children += [(_checked(one.loc), one.lastmod) for one in spec.remote]
    inner = target_of(spec.out, given)
    target = Holding(inner, indexes=False) if options.publish else Trial(inner)
    opened.callback(target.discard)
    folder = target.open()
    try:
        planned = index_over(folder, children, base, given)
        published = target.publish([one.staged for one in planned])
    finally:
        target.close()
    return IndexReport(spec.out, as_published(planned, published.changed), published.removed), target


def _checked(url: str) -> str:
    good = _core.good_url(url)
    if good is None:
        raise MisuseError(f"the remote sitemap {url!r} is no absolute URL")
    return good


def _robots(one: _Built, index: IndexReport | None, options: BuildOptions) -> RobotsReport:
    """Has robots.txt of a site name its sitemaps: its own first, so that who looks at one of them looks at that.

    An index on another host may list them only if robots.txt of their own host names it: that is the line that makes it
    legal. https://www.sitemaps.org/protocol.html#sitemaps_cross_submits
    """
    own = [file.url for file in one.summary.indexes or one.summary.parts]
    if index is not None:
        own += [file.url for file in index.files]
    lines = tuple(f"Sitemap: {url}" for url in own)
    path = one.site.robots
    if path is None:
        return RobotsReport(None, one.base.host, lines)
    from urlset.build.robots_lines import with_sitemaps

    try:
        before = read_whole(path, MOST_OF_PAGE) if path.exists() else b""
    except OSError as error:
        raise OutputError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from error
    after = with_sitemaps(before, own, _is_stale(one), str(path))
    if after != before and options.publish:
        publish(path, after)
    return RobotsReport(str(path), one.base.host, lines, changed=after != before)


def _is_stale(one: _Built) -> Callable[[str], bool]:
    """Whether a URL is one that the set of a site could have had for its index, or for all of it."""
    name = str(one.site.options.get("name", "sitemap"))

    def is_stale(url: str) -> bool:
        rest = url.removeprefix(one.base.url(name))
        if rest == url:
            return False
        rest = rest.removesuffix(".gz")
        return rest == ".xml" or (rest.startswith("-index-") and rest[7:].removesuffix(".xml").isdecimal())

    return is_stale


def _report(one: _Built, robots: RobotsReport) -> SiteReport:
    may_shrink = bool(one.site.options.get("allow_shrink"))
    shrinking = None if may_shrink else shrink(one.summary.before, one.summary.written)
    return SiteReport(
        base_url=one.base.text,
        out=one.site.out,
        summary=one.summary,
        left_out=dict(one.tally.counts),
        examples=tuple(one.tally.examples),
        notes=(*one.tally.notes, *one.summary.notes),
        robots=robots,
        explained=one.explained,
        shrinking=None if shrinking is None else str(shrinking),
    )


def _compared(built: list[_Built]) -> Comparison | None:
    """What would change, URL by URL; None if nothing is published yet."""
    from urlset.config import DiffOptions
    from urlset.pipeline.diff import diff

    with Scratch() as scratch:
        sides = {name: scratch.path / name for name in ("published", "new")}
        for number, one in enumerate(built):
            for name, side in sides.items():
                (side / str(number)).mkdir(parents=True)
                for file, path in _files(one, name):
                    (side / str(number) / file).symlink_to(path.resolve())
        if not any(path.is_symlink() for path in sides["published"].rglob("*")):
            return None
        found = diff(str(sides["published"]), str(sides["new"]), DiffOptions(judge=False))
        return replace(
            found, before=replace(found.before, name="published"), after=replace(found.after, name="this build")
        )


def _files(one: _Built, side: str) -> Iterator[tuple[str, Path]]:
    if side == "new":
        assert isinstance(one.target, Trial)
        yield from one.target.files.items()
    elif "://" not in one.site.out:
        with suppress(OutputError):
            for name in one.target.published():
                path = Path(one.site.out) / name
                if path.is_file():
                    yield name, path
