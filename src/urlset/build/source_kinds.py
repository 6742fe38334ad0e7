"""Determine the sources of a build, detecting the kind of each path or URL."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from urlset.errors import InputError, UsageError
from urlset.objects.object_address import is_object
from urlset.options.building import BuildSpec, Site, SiteOptions
from urlset.options.merge import make_group, replace_options
from urlset.options.sources import (
    HTML_FILES,
    KINDS,
    SOURCE_FILES,
    STDIN,
    FileFolder,
    GivenSources,
    HtmlFolder,
    Query,
    Sitemaps,
    UrlList,
    UrlStyle,
)
from urlset.sources import uncompressed_name, url_of
from urlset.text.masking import mask_target, mask_url
from urlset.text.sizes import inflect, quantity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.options.configuration_file import ConfigFile
    from urlset.options.sources import Source

SITEMAP_SUFFIXES = (".xml", ".rss", ".atom")
DATABASE_SUFFIXES = (".sqlite", ".sqlite3", ".db", ".duckdb")

MAX_FILES = 10_000
"""Files to examine to detect what a directory contains."""

ONE_SITE = ("base_url", "out", "robots", "content", "name", "feed")
"""Options that cannot apply to several sites."""


def spec_of(overrides: Mapping[str, object], sources: GivenSources, file: ConfigFile | None) -> BuildSpec:
    """Return what to build: the given sources, or without any, those of the configuration file.

    Args:
        overrides: The options of `SiteOptions` that were set explicitly, by name.

    Raises:
        ConfigError: The file is invalid.
        InputError: A source does not exist.
        UsageError: There is no source, or a required option is missing.
    """
    table = None if file is None else file.build
    if sources.sources or sources.query is not None:
        specs = [source_of(written, sources) for written in sources.sources]
        if sources.query is not None:
            specs.append(Query(sql=sources.query, database=sources.database, **_common(sources)))
        options = {**({} if table is None else table.site), **overrides}
        inferred, assumed = _infer_places(specs, options)
        site = make_group(Site, {**options, **inferred, "sources": tuple(specs)})
        return BuildSpec(sites=(site,), llms=None if table is None else table.spec.llms, assumed=assumed)
    if table is None or not table.spec.sites:
        where = "there is no urlset.toml" if file is None else f"{file.path.name} has no [[build.source]]"
        raise UsageError(f"nothing to build from: add a SOURCE such as a directory of HTML; {where}")
    return _overridden(table.spec, overrides, sources)


def _infer_places(sources: Sequence[Source], options: Mapping[str, object]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the base URL and the output directory as far as they are not given, and what was assumed, as sentences.

    Both follow from a single directory of HTML: its pages name its URL, and the sitemaps belong to them. Otherwise, a
    UsageError asks for what is missing.
    """
    from urlset.hosting.not_pages import by_place
    from urlset.hosting.opening import GIVE_BASE, canonical_base
    from urlset.hosting.published_files import PublishedFolder

    out = str(options.get("out") or "")
    folder = sources[0].folder if len(sources) == 1 and isinstance(sources[0], HtmlFolder) else None
    inferred, assumed = {}, []
    if not options.get("base_url"):
        if folder is None or sources[0].path_prefix != "/" or _is_below(out, folder):
            raise UsageError(f"no base URL; {GIVE_BASE}")
        published = PublishedFolder.of(folder)
        inferred["base_url"], count = canonical_base(published, lambda name: by_place(name) is None)
        agreement = f"{quantity(count, 'canonical link')} {inflect(count, 'agrees', 'agree')}"
        assumed.append(f"the base URL is {inferred['base_url']}, on which {agreement}; --base-url sets another")
    if not out:
        if folder is None:
            raise UsageError("no output directory; add -o DIR")
        inferred["out"] = str(folder)
        assumed.append(f"the sitemaps belong in {folder}, the directory of the pages; -o sets another")
    return inferred, tuple(assumed)


def _is_below(out: str, folder: Path) -> bool:
    """Return whether the sitemaps are in a directory below that of the pages, which has another URL."""
    return bool(out) and "://" not in out and out != STDIN and folder.resolve() in Path(out).resolve().parents


def _overridden(spec: BuildSpec, overrides: Mapping[str, object], sources: GivenSources) -> BuildSpec:
    """Return the sites of the file, with the given options applied."""
    for name, default in (("path_prefix", "/"), ("include", ()), ("exclude", ()), ("urls", None), ("images", False),
                        ("part", ""), ("part_by", None)):  # fmt: skip
        if getattr(sources, name) != default:
            key = name.replace("_", "-")
            raise UsageError(
                f"--{key} only applies to sources on the command line; for sources in the file, set {key} there"
            )
    if len(spec.sites) > 1 and (several := [name for name in ONE_SITE if name in overrides]):
        options = ", ".join(f"--{name.replace('_', '-')}" for name in several)
        raise UsageError(f"{options}: the configuration file has several sites; set it for each site there")
    return replace(spec, sites=tuple(replace_options(site, overrides) for site in spec.sites))


def source_of(written: str, options: GivenSources) -> Source:
    """Return a source for a path or URL; the prefix `html:`, `files:`, `list:`, or `sitemaps:` sets its kind.

    Raises:
        InputError: It does not exist, or its kind cannot be detected.
        UsageError: It is a database, or pages in an object store.
    """
    kind, place = _kind(written)
    common = _common(options)
    match kind:
        case "html":
            if place == written and not options.include:
                _refuse_source(Path(place))
            return HtmlFolder(
                folder=Path(place),
                include=options.include or HTML_FILES,
                exclude=options.exclude,
                urls=options.urls or UrlStyle.FILES,
                images=options.images,
                **common,
            )
        case "files":
            return FileFolder(
                folder=Path(place),
                include=options.include or SOURCE_FILES,
                exclude=options.exclude,
                urls=options.urls or UrlStyle.SLASHES,
                **common,
            )
        case "list":
            return UrlList(file=Path(place), **common)
        case _:
            return Sitemaps(targets=(place,), **common)


class _Common(TypedDict):
    path_prefix: str
    part: str
    part_by: str | None


def _common(options: GivenSources) -> _Common:
    return {"path_prefix": options.path_prefix, "part": options.part, "part_by": options.part_by}


def _kind(written: str) -> tuple[str, str]:
    """Return the kind of a source, and its path or URL."""
    kind, colon, place = written.partition(":")
    if colon and kind in KINDS and kind != "query" and not place.startswith("//"):
        if kind in ("html", "files") and is_object(place):
            raise UsageError(f"{mask_url(written)}: pages are read from local directories; copy them to one first")
        return kind, place
    if written == STDIN:
        return "list", STDIN
    if (url := url_of(written)) is not None:
        return "sitemaps", url
    if is_object(written):
        return _kind_of_object(written), written
    path = Path(written)
    if path.is_dir():
        return _kind_of_folder(path), written
    if not path.exists():
        raise InputError(mask_target(written), "no such file or directory")
    name = uncompressed_name(path.name)
    if name.endswith(SITEMAP_SUFFIXES):
        return "sitemaps", written
    if name.endswith(DATABASE_SUFFIXES):
        raise UsageError(f"{written} is a database; add --database {written} --query SQL to select the pages")
    return "list", written


def _kind_of_object(url: str) -> str:
    """Return the kind of an object by its name; below a prefix, sitemaps are searched for."""
    name = uncompressed_name(url)
    if name.endswith(DATABASE_SUFFIXES):
        raise UsageError(f"{mask_url(url)} is a database, which must be a local file; copy it from the store first")
    return "sitemaps" if name.endswith((*SITEMAP_SUFFIXES, "/")) else "list"


def _kind_of_folder(folder: Path) -> str:
    """Return whether a directory contains HTML pages, or source files of pages."""
    from urlset.build.sources.paths import files_of, included_by
    from urlset.hosting.not_pages import by_place

    pages, sources = included_by(HTML_FILES), included_by(SOURCE_FILES)
    has_sources = False
    for file in islice(files_of(folder), MAX_FILES):
        if by_place(file.name) is not None:
            continue
        if pages(file.name):
            return "html"
        has_sources = has_sources or sources(file.name)
    if has_sources:
        return "files"
    raise InputError(
        str(folder),
        f"contains neither HTML pages ({', '.join(HTML_FILES)}) nor source files of pages "
        f"({', '.join(SOURCE_FILES)}); prefix it with html: or files:, and add --include GLOB",
    )


def _refuse_source(folder: Path) -> None:
    """Raise an InputError if a directory is the source of a site, which also has HTML files, instead of its build."""
    from urlset.build.sources.paths import included_by
    from urlset.hosting.generators import MAX_PAGES, sample_pages, unbuilt_site
    from urlset.hosting.published_files import PublishedFolder

    published = PublishedFolder.of(folder)
    unbuilt = unbuilt_site(published, list(sample_pages(published, MAX_PAGES, lambda _: True)))
    if unbuilt is None:
        return
    sources = f", and `files:{folder}` its sources" if any(map(included_by(SOURCE_FILES), published.files)) else ""
    raise InputError(
        str(folder),
        f"is {unbuilt} ({unbuilt.evidence}); {unbuilt.instead('name')}; `html:{folder}` lists its HTML files "
        f"anyway{sources}",
    )


def site_values(options: SiteOptions, names: Mapping[str, object]) -> dict[str, object]:
    """Return the options of a site that were set explicitly, with their converted values."""
    from urlset.options.declare import options_of

    return {option.name: getattr(options, option.name) for option in options_of(SiteOptions) if option.name in names}
