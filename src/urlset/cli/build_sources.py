"""What the command line of `build` says to be built, put together with the configuration file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset.buildspec import (
    STDIN,
    USUAL_FILES,
    USUAL_PAGES,
    BuildSpec,
    FileFolder,
    HtmlFolder,
    Query,
    Site,
    Sitemaps,
    UrlList,
)
from urlset.buildwords import LastmodSource, UrlStyle
from urlset.config import shown_target
from urlset.errors import InputError, MisuseError

if TYPE_CHECKING:
    from urlset.buildspec import Source
    from urlset.configfile.load import Loaded

KINDS = ("html", "files", "list", "sitemaps")
LIST_SUFFIXES = (".txt", ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet")
SITEMAP_SUFFIXES = (".xml", ".rss", ".atom")
DATABASE_SUFFIXES = (".sqlite", ".sqlite3", ".db", ".duckdb")

LOOKED_AT = 10_000
"""Files of a folder that are looked at to see what it is a folder of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What stands on the command line; `options` are those of the writer."""

    sources: tuple[str, ...] = ()
    base_url: str | None = None
    out: str | None = None
    robots: Path | None = None
    query: str | None = None
    database: str | None = None
    path_prefix: str = "/"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    urls: UrlStyle | None = None
    images: bool = False
    part: str | None = None
    part_by: str | None = None
    lastmod_from: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


def spec_of(given: Given, loaded: Loaded | None) -> BuildSpec:
    """What is to be built: the sources of the command line if there are any, else those of the file.

    Raises:
        ConfigError: The file makes no sense.
        InputError: A source is not there.
        MisuseError: There is no source, or something that a build needs is missing.
    """
    if given.database is not None and given.query is None:
        raise MisuseError("--database says what --query is asked of: give --query, too")
    if given.sources or given.query is not None:
        return BuildSpec(sites=(_site(given, loaded),))
    spec = None if loaded is None else loaded.settings.build
    if spec is None or not spec.sites:
        where = "there is no urlset.toml" if loaded is None else f"{loaded.path.name} has no [[build.source]]"
        raise MisuseError(f"there is nothing to build from: give a SOURCE such as a folder of HTML; {where}")
    return _overridden(spec, given)


def _overridden(spec: BuildSpec, given: Given) -> BuildSpec:
    """What the file says, with what the command line says of a single site, or of all."""
    for option, value in (
        ("--path-prefix", given.path_prefix != "/"), ("--include", given.include), ("--exclude", given.exclude),
        ("--urls", given.urls), ("--images", given.images), ("--part", given.part), ("--part-by", given.part_by),
    ):  # fmt: skip
        if value:
            raise MisuseError(f"{option} is for sources of the command line; those of urlset.toml say it themselves")
    places = {
        "base_url": given.base_url, "out": given.out, "robots": given.robots, "name": given.options.get("name"),
        "feed": given.options.get("feed"),
    }  # fmt: skip
    if len(spec.sites) > 1 and (said := [name for name, value in places.items() if value is not None]):
        options = ", ".join(f"--{name.replace('_', '-')}" for name in said)
        raise MisuseError(f"{options}: urlset.toml has several sites, each of which has its own")
    changes: dict[str, Any] = {
        key: value for key, value in places.items() if key not in ("name", "feed") and value is not None
    }
    if given.lastmod_from is not None:
        changes["lastmod_from"] = _order(given.lastmod_from)
    sites = tuple(replace(site, options={**site.options, **given.options}, **changes) for site in spec.sites)
    return replace(spec, sites=sites)


def _site(given: Given, loaded: Loaded | None) -> Site:
    from urlset.configfile.build import build_options
    from urlset.configfile.values import shown

    fields: dict[str, Any] = {}
    if loaded is not None and loaded.build is not None:
        fields = build_options(loaded.build, shown(loaded.path), loaded.path.parent)
    for key in ("base_url", "out", "robots"):
        if (value := getattr(given, key)) is not None:
            fields[key] = value
    for key, what in (
        ("base_url", "--base-url URL: the address of the folder of the sitemaps, such as https://example.com"),
        ("out", "-o FOLDER: the folder that gets sitemap.xml"),
    ):
        if key not in fields:
            raise MisuseError(f"give {what}")
    if given.lastmod_from is not None:
        fields["lastmod_from"] = _order(given.lastmod_from)
    fields["options"] = {**fields.get("options", {}), **given.options}
    sources = [_source(one, given) for one in given.sources]
    if given.query is not None:
        sources.append(Query(sql=given.query, database=given.database, **_common(given)))
    return Site(sources=tuple(sources), **fields)


def _common(given: Given) -> dict[str, Any]:
    """What all sources of the command line have."""
    from urlset.configfile.build import path_prefix

    return {"path_prefix": path_prefix(given.path_prefix), "part": given.part or "", "part_by": given.part_by}


def _order(written: str) -> tuple[LastmodSource, ...]:
    names = [name.strip() for name in written.split(",") if name.strip()]
    known = [source.value for source in LastmodSource]
    for name in names:
        if name not in known:
            raise MisuseError(f"--lastmod-from: {name!r} is none of {', '.join(known)}")
    return tuple(LastmodSource(name) for name in names)


def _source(written: str, given: Given) -> Source:
    kind, place = _kind(written)
    common = _common(given)
    match kind:
        case "html":
            return HtmlFolder(
                folder=Path(place),
                include=given.include or USUAL_PAGES,
                exclude=given.exclude,
                urls=given.urls or UrlStyle.FILES,
                images=given.images,
                **common,
            )
        case "files":
            return FileFolder(
                folder=Path(place),
                include=given.include or USUAL_FILES,
                exclude=given.exclude,
                urls=given.urls or UrlStyle.SLASHES,
                **common,
            )
        case "list":
            return UrlList(file=Path(place), **common)
        case _:
            return Sitemaps(targets=(place,), **common)


def _kind(written: str) -> tuple[str, str]:
    """What kind of source this is, and where."""
    kind, colon, place = written.partition(":")
    if colon and kind in KINDS and not place.startswith("//"):
        return kind, place
    if written == STDIN:
        return "list", STDIN
    if written.lower().startswith(("http://", "https://")):
        return "sitemaps", written
    path = Path(written)
    if path.is_dir():
        return _kind_of_folder(path), written
    if not path.exists():
        raise InputError(shown_target(written), "no such file or folder")
    name = path.name.lower().removesuffix(".gz")
    if name.endswith(SITEMAP_SUFFIXES):
        return "sitemaps", written
    if name.endswith(DATABASE_SUFFIXES):
        raise MisuseError(f"{written} is a database: say with --database {written} --query SQL which rows are pages")
    return "list", written


def _kind_of_folder(folder: Path) -> str:
    """Whether the pages of a folder are HTML, or files that HTML is made from."""
    from itertools import islice

    from urlset.build.sources.paths import files_of, matcher

    pages, sources = matcher(USUAL_PAGES), matcher(USUAL_FILES)
    has_sources = False
    for file in islice(files_of(folder), LOOKED_AT):
        if pages(file.name):
            return "html"
        has_sources = has_sources or sources(file.name)
    if has_sources:
        return "files"
    raise InputError(
        str(folder),
        f"has neither pages ({', '.join(USUAL_PAGES)}) nor files that pages are made from "
        f"({', '.join(USUAL_FILES)}); html: or files: before it says what it is, with --include GLOB",
    )
