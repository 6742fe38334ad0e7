"""`build`: from sources to published sitemap sets, the index of all sites, and the robots.txt lines."""

from __future__ import annotations

import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from urlset import _core
from urlset.build.empty_set import empty_set_error
from urlset.build.options import BaseUrl
from urlset.build.plan import index_over, published_files_of
from urlset.build.published import notes_on_sitemaps, shrink
from urlset.build.sources.source import OmissionList, SiteLog
from urlset.build.wrappers import DeferredTarget, DryRun
from urlset.build.writer import STDOUT, target_of
from urlset.errors import OutputError, UsageError, reason_of
from urlset.files.bounded import MAX_PAGE_BYTES, read_file
from urlset.files.own_files import check_own
from urlset.files.publish import publish
from urlset.files.scratch import Scratch
from urlset.model.build import BuildReport, IndexReport, LlmsUpdate, RobotsUpdate, SiteReport
from urlset.model.build_result import BuildChecks
from urlset.net.urlparts import split_url
from urlset.options.building import LlmsSpec, sensitive_parameters
from urlset.options.comparing import DiffOptions
from urlset.options.sources import HtmlFolder
from urlset.options.writing import WriteOptions
from urlset.pipeline.build_site import BuiltSite, build_site, robots_file, robots_filter, session_of, sources_of
from urlset.rules.families import DEFAULT_LIMITS
from urlset.text.masking import mask_url
from urlset.web.robots_txt import Robots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Set

    from urlset.build.target import Target
    from urlset.model.comparison import Comparison
    from urlset.model.link_check import LinkCheck
    from urlset.options.building import BuildOptions, BuildSpec, IndexSpec
    from urlset.options.judging import Limit
    from urlset.text.progress import Progress


def build(spec: BuildSpec, options: BuildOptions, progress: Progress | None = None) -> tuple[BuildReport, BuildChecks]:
    """Build the sites, then the index of all sites, then the robots.txt lines.

    Raises:
        EntryRefusedError: An entry is invalid, and `strict` is set.
        InputError: A source cannot be read.
        UsageError: Options are missing or conflict.
        OutputError: A file cannot be written; the published sitemaps are unchanged.
        EmptySetError: Every page and entry of a site was left out.
        ShrinkError: A published set would be replaced with an empty set, or one with less than half as many URLs.
    """
    began = time.perf_counter()
    check(spec, publish=options.writes)
    # The kind of each source is detected once.
    spec = replace(spec, sites=tuple(replace(site, sources=sources_of(site)) for site in spec.sites))
    with ExitStack() as resources:
        listing = None if options.left_out is None else OmissionList(options.left_out)
        if listing is not None:
            resources.callback(listing.close)
        fetching = resources.enter_context(session_of(spec, options)).fetch
        built = [
            build_site(site, spec, options, SiteLog(listing, notes=list(spec.assumed)), progress, resources, fetching)
            for site in spec.sites
        ]
        index, index_target = _index(spec.index, built, options, resources)
        holding = [site.target for site in built if isinstance(site.target, DeferredTarget)]
        for target in holding:
            target.put_indexes()
        urls = {file.url for site in built for file in site.summary.files}
        urls |= set() if index is None else {file.url for file in index.files}
        robots = [_robots(site, index, options, urls) for site in built]
        llms = [_llms(site, spec, options) for site in built]
        for target in [*holding, *([index_target] if isinstance(index_target, DeferredTarget) else [])]:
            target.finish()
        comparison = _compare(built) if options.diff else None
        checks = BuildChecks(comparison, _links(built, progress) if options.links else None)
    reports = tuple(_report(*each) for each in zip(built, robots, llms, strict=True))
    report = BuildReport(reports, index, options.writes, time.perf_counter() - began)
    return report, checks


def check(spec: BuildSpec, *, publish: bool = True) -> None:
    """Check that sets do not overwrite each other, and that standard output gets exactly one set.

    Raises:
        UsageError: Two sets would write to the same location, or standard output would get several sets or none.
    """
    if not spec.sites:
        raise UsageError("nothing to build: no site has a source")
    outs = [site.out for site in spec.sites] + ([] if spec.index is None else [spec.index.out])
    if STDOUT in outs and len(outs) > 1:
        raise UsageError(
            "standard output takes a single document; write several sites, or an index of them, to directories"
        )
    if STDOUT in outs and not publish:
        raise UsageError(
            "-o - writes to standard output and has nothing to compare with; omit --check, --dry-run, and --diff, "
            "or set -o to the directory of the sitemaps"
        )
    places: dict[tuple[str, str], str] = {}
    for site in spec.sites:
        _claim(places, site.out, site.name, f"the site {site.base_url}")
    if spec.index is not None:
        _claim(places, spec.index.out, spec.index.name, "the index")


def with_limits(spec: BuildSpec, limits: Mapping[str, Limit]) -> BuildSpec:
    """Return the options with the sensitive parameters from the limits of the configuration."""
    names = sensitive_parameters(limits, DEFAULT_LIMITS)
    if names is None:
        return spec
    sites = (site if site.sensitive_parameters else replace(site, sensitive_parameters=names) for site in spec.sites)
    return replace(spec, sites=tuple(sites))


def _claim(places: dict[tuple[str, str], str], out: str, name: str, who: str) -> None:
    place = (out if "://" in out else str(Path(out).resolve()), name)
    if place in places:
        raise UsageError(
            f"{places[place]} and {who} would both write {name}.xml in {out}; set a different name for one of them"
        )
    places[place] = who


def _index(
    spec: IndexSpec | None, built: list[BuiltSite], options: BuildOptions, resources: ExitStack
) -> tuple[IndexReport | None, Target | None]:
    """Write the index of the sitemaps of all sites, and of remote sitemaps."""
    if spec is None:
        return None, None
    base = BaseUrl.of(spec.base_url)
    settings = WriteOptions(
        name=spec.name,
        gzip="all" if spec.gzip else "none",
        index_lastmod=spec.lastmod,
        pretty=spec.pretty,
        stylesheet=spec.stylesheet,
    )
    children = [(file.url, file.lastmod) for site in built for file in site.summary.parts]
    children += [(_check_url(sitemap.loc), sitemap.lastmod) for sitemap in spec.remote]
    inner = target_of(spec.out, settings)
    target = DeferredTarget(inner, indexes=False) if options.writes else DryRun(inner)
    resources.callback(target.discard)
    folder = target.open()
    try:
        planned = index_over(folder, children, base, settings)
        published = target.publish([file.staged for file in planned])
    finally:
        target.close()
    return IndexReport(mask_url(spec.out), published_files_of(planned, published.changed), published.removed), target


def _check_url(url: str) -> str:
    good = _core.good_url(url)
    if good is None:
        raise UsageError(f"remote sitemap {url!r} is not an absolute URL")
    return good


def _robots(site: BuiltSite, index: IndexReport | None, options: BuildOptions, urls: Set[str]) -> RobotsUpdate:
    """Add the sitemaps of a site to its robots.txt, its own first, for clients that only use the first.

    An index on another host may list them only if the robots.txt of their host lists the index.
    https://www.sitemaps.org/protocol.html#sitemaps_cross_submits

    Args:
        urls: The URLs of all files of the build.
    """
    own = [file.url for file in site.summary.indexes or site.summary.parts]
    if index is not None:
        own += [file.url for file in index.files]
    lines = tuple(f"Sitemap: {url}" for url in own)
    path = site.site.robots or robots_file(site.site, site.base)
    if path is None:
        return RobotsUpdate(None, site.base.host, lines)
    before = after = _content(path)
    if site.site.robots is not None:
        from urlset.build.robots_lines import with_sitemaps

        after = with_sitemaps(before, own, _is_stale(site), str(path))
        if after != before and options.writes:
            publish(path, after)
    if split_url(site.base.text).path == "/":
        for note in notes_on_sitemaps(path, after, site.base, urls, Path(site.site.out)):
            site.log.note(note)
    if site.site.robots is None and not set(own) <= {sitemap.url for sitemap in Robots.parse(before).sitemaps}:
        return RobotsUpdate(None, site.base.host, lines)
    return RobotsUpdate(str(path), site.base.host, lines, changed=after != before)


def _llms(site: BuiltSite, spec: BuildSpec, options: BuildOptions) -> tuple[LlmsUpdate, ...]:
    """Write the llms.txt of a site, next to its sitemaps, and its llms-full.txt if requested."""
    if not options.llms and spec.llms is None:
        return ()
    if not any(isinstance(source, HtmlFolder) for source in sources_of(site.site)):
        raise UsageError("--llms needs a directory of HTML among the sources, whose titles can be read")
    if "://" in site.site.out or site.site.out == STDOUT:
        raise UsageError(f"--llms writes to a directory, not to {mask_url(site.site.out)}")
    from urlset.build.llms import FULL_NAME, NAME, full_text, listed_pages, with_llms

    settings = spec.llms or LlmsSpec()
    by_source: dict[str, tuple[HtmlFolder, dict[str, str]]] = {}
    for url, (path, source) in site.files.items():
        by_source.setdefault(str(source.folder), (source, {}))[1][url] = path
    pages = [
        page
        for source, files in by_source.values()
        for page in listed_pages(files, site.base.text + source.path_prefix.lstrip("/"), source.folder, site.log.note)
    ]
    pages.sort(key=lambda page: page.url)
    out = Path(site.site.out)
    updates = []
    for name in (NAME, FULL_NAME) if settings.full else (NAME,):
        place = out / name
        try:
            check_own(place, out)
        except OSError as error:
            raise OutputError(f"{place}: {reason_of(error)}") from error
        before = _content(place)
        after = (
            with_llms(before, pages, site.base.text, settings, str(place))
            if name == NAME
            else full_text(before, pages, str(place))
        )
        for note in after.notes:
            site.log.note(note)
        if after.content != before and options.writes:
            publish(place, after.content, below=out)
        updates.append(LlmsUpdate(str(place), after.pages, after.content != before))
    return tuple(updates)


def _content(path: Path) -> bytes:
    """Return the content of a file that is updated; empty if it does not exist."""
    try:
        return read_file(path, MAX_PAGE_BYTES) if path.exists() else b""
    except OSError as error:
        raise OutputError(f"{path}: cannot be read: {reason_of(error)}") from error


def _is_stale(site: BuiltSite) -> Callable[[str], bool]:
    """Return a test for URLs that could be the index or the only sitemap of a previous build of this site."""
    name = site.site.name

    def is_stale(url: str) -> bool:
        rest = url.removeprefix(site.base.url(name))
        if rest == url:
            return False
        rest = rest.removesuffix(".gz")
        return rest == ".xml" or (rest.startswith("-index-") and rest[7:].removesuffix(".xml").isdecimal())

    return is_stale


def _report(site: BuiltSite, robots: RobotsUpdate, llms: tuple[LlmsUpdate, ...]) -> SiteReport:
    summary, left_out = site.summary, site.log.counts
    refusal: Exception | None = empty_set_error(
        site.site.empty, summary.written, site.base, left_out, site.log.examples, summary.refused, summary.examples
    )
    if refusal is None and not site.site.allow_shrink:
        refusal = shrink(summary.before, summary.written)
    return SiteReport(
        base_url=site.base.text,
        out=mask_url(site.site.out),
        summary=site.summary,
        left_out=dict(site.log.counts),
        examples=tuple(site.log.examples),
        notes=(*site.log.notes, *site.summary.notes),
        mappings=tuple(site.log.mappings),
        robots=robots,
        llms=llms,
        explained=site.explanation,
        shrinking=None if refusal is None else str(refusal),
        dates_from={source.value: count for source, count in site.dates_from.items()},
    )


def _compare(built: list[BuiltSite]) -> Comparison | None:
    """Return the comparison of URLs with the published set; None if nothing has been published yet."""
    from urlset.pipeline.diff import diff

    with Scratch() as scratch:
        sides = {name: scratch.path / name for name in ("published", "new")}
        for name, side in sides.items():
            _gather(built, name, side)
        if not any(path.is_symlink() for path in sides["published"].rglob("*")):
            return None
        comparison = diff(str(sides["published"]), str(sides["new"]), DiffOptions(rules=False))
        return structs.replace(
            comparison,
            before=structs.replace(comparison.before, name="published"),
            after=structs.replace(comparison.after, name="this build"),
        )


def _gather(built: list[BuiltSite], which: str, folder: Path) -> dict[str, str]:
    """Link the published or the new files of all sites into a directory, and return their names by path."""
    names = {}
    for number, site in enumerate(built):
        (folder / str(number)).mkdir(parents=True)
        for file, path in _files(site, which):
            link = folder / str(number) / file
            link.symlink_to(path.resolve())
            names[str(link)] = file if site.site.out == STDOUT else f"{mask_url(site.site.out).rstrip('/')}/{file}"
    return names


def _links(built: list[BuiltSite], progress: Progress | None) -> LinkCheck:
    """Return the check of the links between the pages of all directories."""
    from urlset.build.sources.served_files import ServedFolder
    from urlset.pipeline.build_links import BuiltSitemaps, check_links

    folders = [
        ServedFolder(source, site.base.text + source.path_prefix.lstrip("/"), robots_filter(site.site, site.base))
        for site in built
        for source in sources_of(site.site)
        if isinstance(source, HtmlFolder)
    ]
    if not folders:
        raise UsageError("--links needs a directory of HTML among the sources, whose links can be read")
    with Scratch() as scratch:
        folder = scratch.path / "new"
        names = _gather(built, "new", folder)
        urls = frozenset(file.url for site in built for file in site.summary.files)
        homes = list(dict.fromkeys(served.place for served in folders))
        return check_links(BuiltSitemaps(folder, names, urls, homes), folders, scratch.path, progress)


def _files(site: BuiltSite, side: str) -> Iterator[tuple[str, Path]]:
    if side == "new":
        assert isinstance(site.target, DryRun)
        yield from site.target.files.items()
    elif "://" not in site.site.out:
        with suppress(OutputError):
            for name in site.target.published():
                path = Path(site.site.out) / name
                if path.is_file():
                    yield name, path
